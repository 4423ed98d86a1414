//! Pipes, FIFOs, devices and what the embedder connects.

use std::time::Duration;

use offshoot_kernel::{Capture, ProcessEnd, Screen, Stdio};
use offshoot_vfs::{Caller, OpenOptions, Pipe};

use crate::support::{Sandbox, text, wait};

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_writer_without_a_reader_ends_with_141() {
    let sandbox = Sandbox::new();
    for words in [&["yes"][..], &["yes-vfs"]] {
        let (reader, writer) = Pipe::ends();
        let writer = sandbox.options(words).descriptor(1, Stdio::Writer(writer));
        let output = Capture::new();
        let head = sandbox
            .options(&["head", "10000"])
            .descriptor(0, Stdio::Reader(reader))
            .descriptor(1, Stdio::Capture(output.clone()));
        let (writer, head) = (sandbox.spawn(writer), sandbox.spawn(head));
        assert_eq!(wait(&head).await, ProcessEnd::Exited(0), "{words:?}");
        let end = wait(&writer).await;
        assert_eq!(
            (end.clone(), end.status()),
            (ProcessEnd::Signalled(13), 141),
            "{words:?}"
        );
        assert_eq!(text(&output), "y".repeat(10000), "{words:?}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_pipe_holds_64_kib_and_then_holds_its_writer() {
    let sandbox = Sandbox::new();
    let pipe = Pipe::new();
    let reader = pipe.reader();
    let process = sandbox.spawn(
        sandbox
            .options(&["yes"])
            .descriptor(1, Stdio::Writer(pipe.writer())),
    );
    while pipe.len() < 64 << 10 {
        tokio::time::sleep(Duration::from_millis(1)).await;
    }
    tokio::time::sleep(Duration::from_millis(20)).await;
    assert_eq!((pipe.len(), process.ended()), (64 << 10, None));
    drop(reader);
    assert_eq!(wait(&process).await, ProcessEnd::Signalled(13));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn megabytes_stream_through_three_stages() {
    let sandbox = Sandbox::new();
    let (first, second) = (Pipe::ends(), Pipe::ends());
    let (input, mut feed) = Stdio::input();
    let output = Capture::new();
    let stages = [
        sandbox
            .options(&["cat"])
            .descriptor(0, input)
            .descriptor(1, Stdio::Writer(first.1)),
        sandbox
            .options(&["cat"])
            .descriptor(0, Stdio::Reader(first.0))
            .descriptor(1, Stdio::Writer(second.1)),
        sandbox
            .options(&["count"])
            .descriptor(0, Stdio::Reader(second.0))
            .descriptor(1, Stdio::Capture(output.clone())),
    ];
    let stages: Vec<_> = stages
        .into_iter()
        .map(|stage| sandbox.spawn(stage))
        .collect();
    let chunk = vec![7; 100_000];
    for _ in 0..30 {
        feed.write(&chunk).await.unwrap();
    }
    drop(feed);
    for stage in &stages {
        assert_eq!(wait(stage).await, ProcessEnd::Exited(0));
    }
    assert_eq!(text(&output), "3000000\n");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_fifo_opens_when_its_other_side_does() {
    let sandbox = Sandbox::new();
    let vfs = sandbox.kernel.vfs();
    vfs.create_fifo(&Caller::ROOT, vfs.root(), b"/tmp/fifo", 0o666)
        .unwrap();
    vfs.set_mode(&Caller::ROOT, vfs.root(), b"/tmp/fifo", 0o666)
        .unwrap();
    let output = Capture::new();
    let reader = sandbox
        .options(&["cat", "/tmp/fifo"])
        .descriptor(1, Stdio::Capture(output.clone()))
        .descriptor(2, Stdio::Capture(output.clone()));
    let reader = sandbox.spawn(reader);
    tokio::time::sleep(Duration::from_millis(20)).await;
    assert_eq!(reader.ended(), None);
    let result = sandbox.run(&["put", "/tmp/fifo", "through"]).await;
    assert_eq!(result.end, ProcessEnd::Exited(0), "{}", result.stderr);
    assert_eq!(
        wait(&reader).await,
        ProcessEnd::Exited(0),
        "{}",
        text(&output)
    );
    assert_eq!(text(&output), "through");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn devices_are_what_they_stand_for() {
    let sandbox = Sandbox::new();
    for (path, stdin, expected) in [
        ("/dev/stdin", &b"given"[..], "given"),
        ("/dev/fd/0", b"given", "given"),
        ("/dev/null", b"given", ""),
    ] {
        let result = sandbox
            .run_with(sandbox.options(&["cat", path]), stdin)
            .await;
        assert_eq!(result.stdout, expected, "{path}: {}", result.stderr);
    }
    let five = sandbox.options(&["cat", "/dev/fd/5"]);
    let missing = sandbox.run_with(five.clone(), b"").await;
    assert_ne!(missing.end, ProcessEnd::Exited(0));
    let five = five.descriptor(5, Stdio::Bytes("five".into()));
    assert_eq!(sandbox.run_with(five, b"").await.stdout, "five");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_closed_descriptor_refuses() {
    let result = Sandbox::new().run(&["closed"]).await;
    assert_eq!(
        result.stdout, "ExitStatus::Exited(3)\n",
        "{}",
        result.stderr
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn processes_share_the_offset_of_an_open_file() {
    let sandbox = Sandbox::new();
    let vfs = sandbox.kernel.vfs();
    sandbox.write("/tmp/lines", b"0123456789", 0o644);
    let file = vfs
        .open(
            &Caller::ROOT,
            vfs.root(),
            b"/tmp/lines",
            &OpenOptions::READ,
            0,
        )
        .unwrap();
    for expected in ["0123", "4567"] {
        let output = Capture::new();
        let options = sandbox
            .options(&["head", "4"])
            .descriptor(0, Stdio::File(file.clone()))
            .descriptor(1, Stdio::Capture(output.clone()));
        // The program's own buffer reads ahead, so the host reads between the two.
        drop(options);
        let mut buffer = [0; 4];
        assert_eq!(file.read(&mut buffer), Ok(4));
        assert_eq!(&buffer, expected.as_bytes());
    }
    let rest = sandbox
        .options(&["cat"])
        .descriptor(0, Stdio::File(file.clone()));
    let output = Capture::new();
    let process = sandbox.spawn(rest.descriptor(1, Stdio::Capture(output.clone())));
    assert_eq!(wait(&process).await, ProcessEnd::Exited(0));
    assert_eq!(text(&output), "89");
    assert_eq!(file.position(), 10);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn output_streams_as_it_comes() {
    let sandbox = Sandbox::new();
    let (stdin, mut feed) = Stdio::input();
    let (stdout, mut output) = Stdio::output();
    let options = sandbox
        .options(&["cat"])
        .descriptor(0, stdin)
        .descriptor(1, stdout);
    let process = sandbox.spawn(options);
    for word in ["one\n", "two\n"] {
        feed.write(word.as_bytes()).await.unwrap();
        assert_eq!(output.read().await.as_deref(), Some(word.as_bytes()));
    }
    drop(feed);
    assert_eq!(output.read().await, None);
    assert_eq!(wait(&process).await, ProcessEnd::Exited(0));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_terminal_is_one_on_both_sides() {
    let sandbox = Sandbox::new();
    assert_eq!(
        sandbox.run(&["terminal"]).await.stdout,
        "[false, false] false\n"
    );
    let (keys, _typed) = Pipe::ends();
    let (seen, screen) = Pipe::ends();
    let terminal = Stdio::Terminal(keys, screen, Screen::default());
    let options = sandbox
        .options(&["terminal"])
        .descriptor(0, terminal.clone());
    let process = sandbox.spawn(options.descriptor(1, terminal));
    assert_eq!(wait(&process).await, ProcessEnd::Exited(0));
    let mut shown = [0; 100];
    let count = seen.try_read(&mut shown).unwrap();
    assert_eq!(&shown[..count], b"[true, true] true\n");
}
