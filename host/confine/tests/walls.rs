//! What a confined thread can and cannot do: an attack a row, each of which works on a free thread.
#![cfg(target_os = "linux")]
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::fs;
use std::io;
use std::net::{TcpListener, TcpStream, UdpSocket};
use std::os::unix::net::UnixListener;
use std::path::Path;
use std::process::Command;

use rustix::net::{self, AddressFamily, Protocol, SocketType, ipproto};
use rustix::process::{Pid, Signal, kill_process};

use offshoot_confine::{Confinement, Error, Walls};

type Attack = fn(&Path) -> io::Result<()>;
type Wall = fn(&Walls) -> bool;

/// A name, what is tried with a directory of the host that is not left open, and the wall that holds.
const ATTACKS: &[(&str, Attack, Wall)] = &[
    (
        "a file is read",
        |at| fs::read(at.join("secret")).map(drop),
        |walls| walls.files,
    ),
    (
        "users are read",
        |_| fs::read("/etc/passwd").map(drop),
        |walls| walls.files,
    ),
    (
        "a directory is listed",
        |at| fs::read_dir(at).map(drop),
        |walls| walls.files,
    ),
    (
        "a file is written",
        |at| fs::write(at.join("new"), "x"),
        |walls| walls.files,
    ),
    (
        "a file is renamed",
        |at| fs::rename(at.join("secret"), at.join("moved")),
        |walls| walls.files,
    ),
    (
        "a file is removed",
        |at| fs::remove_file(at.join("secret")),
        |walls| walls.files,
    ),
    (
        "a directory is made",
        |at| fs::create_dir(at.join("d")),
        |walls| walls.files,
    ),
    (
        "another process is read",
        |_| fs::read("/proc/1/status").map(drop),
        |walls| walls.files,
    ),
    (
        "a program is started",
        |_| Command::new("/bin/true").status().map(drop),
        |walls| walls.calls,
    ),
    (
        "a shell is started",
        |_| Command::new("/bin/sh").args(["-c", ":"]).status().map(drop),
        |walls| walls.calls,
    ),
    (
        "a port is listened at",
        |_| TcpListener::bind("127.0.0.1:0").map(drop),
        |walls| walls.ports,
    ),
    (
        "a service is asked",
        |_| TcpStream::connect(SERVICE.get().unwrap()).map(drop),
        |walls| walls.ports,
    ),
    (
        "a datagram is sent",
        |_| {
            UdpSocket::bind("127.0.0.1:0")?
                .send_to(b"x", SERVICE.get().unwrap())
                .map(drop)
        },
        |walls| walls.calls,
    ),
    (
        "a protocol beside TCP is spoken",
        |_| {
            socket(
                AddressFamily::INET,
                SocketType::STREAM,
                Some(ipproto::MPTCP),
            )
        },
        |walls| walls.calls,
    ),
    (
        "packets are read",
        |_| socket(AddressFamily::INET6, SocketType::RAW, Some(ipproto::ICMPV6)),
        |walls| walls.calls,
    ),
    (
        "the kernel's tables are asked",
        |_| socket(AddressFamily::NETLINK, SocketType::RAW, None),
        |walls| walls.calls,
    ),
    (
        "a socket of Unix is made",
        |at| UnixListener::bind(at.join("socket")).map(drop),
        |walls| walls.calls,
    ),
];

/// A socket of this kind.
fn socket(family: AddressFamily, kind: SocketType, protocol: Option<Protocol>) -> io::Result<()> {
    Ok(net::socket(family, kind, protocol).map(drop)?)
}

static SERVICE: std::sync::OnceLock<std::net::SocketAddr> = std::sync::OnceLock::new();

/// Runs something on a thread that has entered.
fn confined<T: Send + 'static>(
    confinement: Confinement,
    run: impl FnOnce(Walls) -> T + Send + 'static,
) -> T {
    let thread = std::thread::spawn(move || run(confinement.enter().unwrap()));
    thread.join().unwrap()
}

#[test]
fn t57_what_is_not_left_open_is_closed() {
    let service = TcpListener::bind("127.0.0.1:0").unwrap();
    SERVICE.set(service.local_addr().unwrap()).unwrap();
    for (name, attack, holds) in ATTACKS {
        let host = tempfile::tempdir().unwrap();
        fs::write(host.path().join("secret"), "x").unwrap();
        let place = host.path().to_path_buf();
        let (walls, result) =
            confined(Confinement::default(), move |walls| (walls, attack(&place)));
        if holds(&walls) {
            let error = result.unwrap_err();
            assert_eq!(
                error.kind(),
                io::ErrorKind::PermissionDenied,
                "{name}: {error}"
            );
        }
        // As a proof that the wall was it.
        let free = host.path().to_path_buf();
        fs::write(free.join("secret"), "x").unwrap();
        attack(&free).unwrap_or_else(|error| unreachable!("{name} fails by itself: {error}"));
    }
}

#[test]
fn what_is_left_open_is_open_in_threads_that_it_starts() {
    let (own, read) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    fs::write(read.path().join("file"), "read").unwrap();
    let port = TcpListener::bind("127.0.0.1:0")
        .unwrap()
        .local_addr()
        .unwrap()
        .port();
    let confinement = Confinement::default()
        .write(own.path())
        .read(read.path())
        .listen(port);
    let (own_at, read_at) = (own.path().to_path_buf(), read.path().to_path_buf());
    confined(confinement, move |_| {
        let thread = std::thread::spawn(move || {
            fs::create_dir(own_at.join("d"))?;
            fs::write(own_at.join("d/a"), "own")?;
            fs::rename(own_at.join("d/a"), own_at.join("b"))?;
            fs::remove_dir(own_at.join("d"))?;
            let text = fs::read_to_string(read_at.join("file"))?;
            let refused = fs::write(read_at.join("file"), "x");
            TcpListener::bind(("127.0.0.1", port))?;
            fs::File::open("/dev/urandom")?;
            fs::read("/proc/self/status")?;
            Ok::<_, io::Error>((text, refused.is_err()))
        });
        assert_eq!(thread.join().unwrap().unwrap(), ("read".to_owned(), true));
    });
    assert_eq!(fs::read_to_string(own.path().join("b")).unwrap(), "own");
}

#[test]
fn t57_others_get_no_signal() {
    let mut other = Command::new("sleep").arg("60").spawn().unwrap();
    let id = Pid::from_child(&other);
    let (walls, sent) = confined(Confinement::default(), move |walls| {
        (walls, kill_process(id, Signal::TERM))
    });
    assert_eq!(sent.is_err(), walls.signals);
    other.kill().unwrap();
    other.wait().unwrap();
}

#[test]
fn with_connections_names_are_found_and_hosts_are_asked() {
    let service = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = service.local_addr().unwrap().port();
    confined(Confinement::default().connect(), move |_| {
        TcpStream::connect(("localhost", port)).unwrap();
        UdpSocket::bind("127.0.0.1:0").unwrap();
        assert!(TcpListener::bind("127.0.0.1:0").is_err());
    });
}

#[test]
fn a_path_that_is_not_there_is_told_by_name() {
    let missing = Confinement::default().write("/no/such");
    let error = std::thread::spawn(|| missing.enter())
        .join()
        .unwrap()
        .unwrap_err();
    assert!(matches!(&error, Error::Path { path, .. } if path == Path::new("/no/such")));
    assert_eq!(error.code(), "PATH");
}
