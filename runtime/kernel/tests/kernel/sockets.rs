//! The loopback of a sandbox, seen by programs that use the standard library's sockets.

use offshoot_kernel::ProcessEnd;

use crate::support::{Sandbox, wait};

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn processes_of_one_sandbox_reach_each_other() {
    let sandbox = Sandbox::new();
    for (server, client) in [
        ("0.0.0.0:80", "localhost:80"),
        ("127.0.0.1:81", "127.0.0.1:81"),
        ("[::1]:82", "[::1]:82"),
        ("[::]:83", "localhost:83"),
        ("offshoot:84", "offshoot:84"),
    ] {
        let serving = sandbox.spawn(sandbox.options(&["serve", server, "2"]));
        let short = sandbox.run(&["ask", client, "hello"]).await;
        assert_eq!(short.stdout, "HELLO\n", "{server} {}", short.stderr);
        let long = sandbox.run(&["ask", client, "long"]).await;
        assert_eq!(long.stdout, "400000\n", "{server} {}", long.stderr);
        assert_eq!(wait(&serving).await, ProcessEnd::Exited(0), "{server}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn t56_nothing_leads_out_and_other_sandboxes_hear_nothing() {
    let (one, other) = (Sandbox::new(), Sandbox::new());
    let serving = one.spawn(one.options(&["serve", "127.0.0.1:80", "1"]));
    assert_eq!(one.run(&["ask", "127.0.0.1:80", "x"]).await.stdout, "X\n");
    assert_eq!(wait(&serving).await, ProcessEnd::Exited(0));
    let serving = one.spawn(one.options(&["serve", "127.0.0.1:80", "1"]));
    for (address, expected) in [
        ("127.0.0.1:80", "ConnectionRefused\n"),
        ("1.1.1.1:80", "PermissionDenied\n"),
        ("169.254.169.254:80", "PermissionDenied\n"),
        ("[2606:4700::1111]:80", "PermissionDenied\n"),
    ] {
        let result = other.run(&["connect", address]).await;
        assert_eq!(result.stdout, expected, "{address}");
    }
    serving.kill(9);
    assert_eq!(wait(&serving).await, ProcessEnd::Signalled(9));
    let result = one.run(&["connect", "127.0.0.1:80"]).await;
    assert_eq!(result.stdout, "ConnectionRefused\n");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_names_are_those_of_the_sandbox() {
    let sandbox = Sandbox::new();
    for (name, expected) in [
        ("localhost", "127.0.0.1:80\n[::1]:80\n"),
        ("offshoot", "127.0.0.1:80\n[::1]:80\n"),
        ("10.1.2.3", "10.1.2.3:80\n"),
        ("example.com", "no such name\n"),
    ] {
        let result = sandbox.run(&["resolve", name]).await;
        let mut lines: Vec<&str> = result.stdout.lines().collect();
        lines.sort_unstable();
        let mut expected: Vec<&str> = expected.lines().collect();
        expected.sort_unstable();
        assert_eq!(lines, expected, "{name}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn datagrams_go_between_sockets() {
    let sandbox = Sandbox::new();
    for address in ["127.0.0.1:0", "[::1]:0"] {
        let result = sandbox.run(&["datagrams", address]).await;
        assert_eq!(result.stdout, "first\nsecond\n4\n", "{}", result.stderr);
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn sockets_count_as_open_files() {
    let sandbox = Sandbox::limited(|limits| limits.open_files = 20);
    let result = sandbox.run(&["sockets", "100"]).await;
    let opened: usize = result.stdout.trim().parse().unwrap();
    assert!((10..20).contains(&opened), "{opened}");
}
