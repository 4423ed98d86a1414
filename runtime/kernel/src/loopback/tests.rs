#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::collections::{HashMap, VecDeque};
use std::net::SocketAddr;
use std::sync::Arc;
use std::task::Waker;

use offshoot_vfs::{Error, Options, Vfs};
use proptest::prelude::*;

use super::*;
use crate::{Engine, EngineOptions, Kernel, Limits, Programs, Settings};

fn kernel(limits: Limits) -> Kernel {
    let engine = Engine::new(&EngineOptions {
        processes: 1,
        process_memory: 1 << 20,
        ..EngineOptions::default()
    });
    let mut settings = Settings::new(engine.unwrap(), Arc::new(Programs::default()));
    settings.limits = limits;
    Kernel::new(Arc::new(settings), Vfs::new(Options::default()))
}

fn at(address: &str) -> SocketAddr {
    address.parse().unwrap()
}

fn bind(kernel: &Kernel, protocol: Protocol, address: &str) -> Result<Claim, Refusal> {
    kernel.loopback().claim(protocol, at(address))
}

fn connect(kernel: &Kernel, to: &str) -> Result<Arc<Connection>, Refusal> {
    let any = if at(to).is_ipv6() {
        "[::]:0"
    } else {
        "0.0.0.0:0"
    };
    let claim = bind(kernel, Protocol::Tcp, any)?;
    let connection = kernel
        .loopback()
        .connect(&claim, at(to), Held::new(kernel))?;
    connection.keep(claim);
    Ok(connection)
}

#[test]
fn addresses_are_taken_once_and_nothing_leads_beyond() {
    let kernel = kernel(Limits::default());
    use Protocol::{Tcp, Udp};
    let held = bind(&kernel, Tcp, "127.0.0.1:80").unwrap();
    for (protocol, address, expected) in [
        (Tcp, "127.0.0.1:80", Some(Refusal::InUse)),
        (Tcp, "0.0.0.0:80", Some(Refusal::InUse)),
        (Tcp, "127.0.0.2:80", None),
        (Tcp, "[::1]:80", None),
        (Udp, "127.0.0.1:80", None),
        (Tcp, "10.0.0.1:80", Some(Refusal::NotHere)),
        (Tcp, "[2001:db8::1]:80", Some(Refusal::NotHere)),
    ] {
        assert_eq!(
            bind(&kernel, protocol, address).err(),
            expected,
            "{address}"
        );
    }
    drop(held);
    bind(&kernel, Tcp, "0.0.0.0:80").unwrap();
    let first = bind(&kernel, Tcp, "0.0.0.0:0").unwrap();
    let second = bind(&kernel, Tcp, "0.0.0.0:0").unwrap();
    assert_ne!(first.address.port(), second.address.port());
    for (to, expected) in [
        ("1.1.1.1:80", Refusal::Beyond),
        ("169.254.169.254:80", Refusal::Beyond),
        ("[fe80::1]:80", Refusal::Beyond),
        ("127.0.0.1:81", Refusal::Refused),
    ] {
        assert_eq!(connect(&kernel, to).err(), Some(expected), "{to}");
    }
    let data = kernel
        .loopback()
        .send(first.address, at("8.8.8.8:53"), b"x");
    assert_eq!(data, Err(Refusal::Beyond));
}

#[test]
fn t56_a_listener_takes_as_many_as_its_backlog_and_memory_is_counted() {
    let kernel = kernel(Limits {
        total_memory: 3 * Connection::MEMORY,
        ..Limits::default()
    });
    let claim = bind(&kernel, Protocol::Tcp, "0.0.0.0:7").unwrap();
    let listener = kernel.loopback().listen(&claim, 2);
    let first = connect(&kernel, "127.0.0.1:7").unwrap();
    let second = connect(&kernel, "127.0.0.9:7").unwrap();
    assert_eq!(connect(&kernel, "127.0.0.1:7").err(), Some(Refusal::Full));
    assert!(
        !kernel
            .loopback()
            .poll_room(at("127.0.0.1:7"), Waker::noop())
    );
    let accepted = listener.accept().unwrap();
    assert_eq!(accepted.remote, first.local);
    assert_eq!(accepted.local, at("127.0.0.1:7"));
    assert!(
        kernel
            .loopback()
            .poll_room(at("127.0.0.1:7"), Waker::noop())
    );
    let third = connect(&kernel, "127.0.0.1:7").unwrap();
    listener.accept().unwrap();
    assert_eq!(connect(&kernel, "127.0.0.1:7").err(), Some(Refusal::Memory));
    // The listener, both ends of two connections, and one end of the one that was accepted and dropped.
    assert_eq!(kernel.loopback().sockets().len(), 1 + 2 * 2 + 1);
    drop((first, accepted, second, third));
    drop((listener, claim));
    assert_eq!(kernel.loopback().sockets(), []);
    assert_eq!(
        kernel.memory().load(std::sync::atomic::Ordering::Relaxed),
        0
    );
    assert_eq!(
        connect(&kernel, "127.0.0.1:7").err(),
        Some(Refusal::Refused)
    );
}

#[test]
fn datagrams_arrive_whole_in_order_and_only_from_the_peer() {
    let kernel = kernel(Limits::default());
    let network = kernel.loopback();
    let open = |address| {
        let claim = bind(&kernel, Protocol::Udp, address).unwrap();
        let mailbox = network.mailbox(&claim, Held::new(&kernel)).unwrap();
        (claim, mailbox)
    };
    let (one, inbox) = open("127.0.0.1:5");
    let (two, _other) = open("0.0.0.0:6");
    let (three, _third) = open("127.0.0.1:7");
    for data in [&b"a"[..], b"", b"bc"] {
        network.send(two.address, one.address, data).unwrap();
    }
    for data in [&b"a"[..], b"", b"bc"] {
        let datagram = inbox.receive().unwrap();
        assert_eq!(
            (datagram.from, &datagram.data[..]),
            (at("127.0.0.1:6"), data)
        );
    }
    network.send(two.address, one.address, b"old").unwrap();
    inbox.connect(Some(three.address));
    network.send(two.address, one.address, b"no").unwrap();
    network.send(three.address, one.address, b"yes").unwrap();
    assert_eq!(inbox.receive().unwrap().data, b"yes");
    assert_eq!(inbox.receive(), None);
    let large = vec![0; 60_000];
    (0..10).for_each(|_| network.send(three.address, one.address, &large).unwrap());
    let arrived = std::iter::from_fn(|| inbox.receive()).count();
    assert_eq!(arrived, 3, "what finds no room is lost");
}

/// One end of the model's connection.
#[derive(Default)]
struct End {
    arrived: VecDeque<u8>,
    /// It sends no more, it receives no more.
    quiet: bool,
    deaf: bool,
}

#[derive(Debug, Clone)]
enum Step {
    Write(bool, usize),
    Read(bool, usize),
    Shut(bool, Direction),
    Drop(bool),
}

fn step() -> impl Strategy<Value = Step> {
    prop_oneof![
        4 => (any::<bool>(), 0_usize..100_000).prop_map(|(end, length)| Step::Write(end, length)),
        4 => (any::<bool>(), 1_usize..100_000).prop_map(|(end, length)| Step::Read(end, length)),
        1 => (any::<bool>(), any::<bool>()).prop_map(|(end, send)| {
            Step::Shut(end, if send { Direction::Send } else { Direction::Receive })
        }),
        1 => any::<bool>().prop_map(Step::Drop),
    ]
}

proptest! {
    /// Bytes arrive once, in order, within the bound; ends and broken connections are seen as such.
    #[test]
    fn a_connection_is_two_bounded_queues(steps in prop::collection::vec(step(), 1..60)) {
        const ROOM: usize = 64 << 10;
        let kernel = kernel(Limits::default());
        let claim = bind(&kernel, Protocol::Tcp, "127.0.0.1:9").unwrap();
        let listener = kernel.loopback().listen(&claim, 1);
        let near = connect(&kernel, "127.0.0.1:9").unwrap();
        let far = listener.accept().unwrap();
        let mut ends = HashMap::from([(false, Some(near)), (true, Some(far))]);
        let mut model = HashMap::from([(false, End::default()), (true, End::default())]);
        let mut next = 0_u8;
        for step in steps {
            match step {
                Step::Write(end, length) => {
                    let Some(connection) = &ends[&end] else { continue };
                    let bytes: Vec<u8> = (0..length).map(|at| next.wrapping_add(at as u8)).collect();
                    let room = ROOM - model[&!end].arrived.len();
                    let result = connection.write(&bytes);
                    if model[&end].quiet || model[&!end].deaf {
                        prop_assert_eq!(result, Err(Error::BrokenPipe));
                        prop_assert_eq!(connection.room(), Err(Error::BrokenPipe));
                        continue;
                    }
                    let taken = match result {
                        Ok(count) => count,
                        Err(error) => {
                            prop_assert_eq!(error, Error::Again);
                            prop_assert!(room == 0 || room < length.min(4096));
                            continue;
                        }
                    };
                    prop_assert_eq!(taken, length.min(room));
                    next = next.wrapping_add(taken as u8);
                    model.get_mut(&!end).unwrap().arrived.extend(&bytes[..taken]);
                }
                Step::Read(end, length) => {
                    let Some(connection) = &ends[&end] else { continue };
                    let mut buffer = vec![0; length];
                    let result = connection.read(&mut buffer);
                    let quiet = model[&!end].quiet;
                    let own = model.get_mut(&end).unwrap();
                    if own.deaf {
                        prop_assert_eq!(result, Ok(0));
                    } else if own.arrived.is_empty() {
                        prop_assert_eq!(result, if quiet { Ok(0) } else { Err(Error::Again) });
                        prop_assert_eq!(connection.poll_readable(Waker::noop()), quiet);
                    } else {
                        let expected: Vec<u8> = own.arrived.drain(..length.min(own.arrived.len())).collect();
                        let count = result.unwrap();
                        prop_assert_eq!(&buffer[..count], &expected[..]);
                    }
                }
                Step::Shut(end, direction) => {
                    let Some(connection) = &ends[&end] else { continue };
                    connection.shut(direction);
                    let own = model.get_mut(&end).unwrap();
                    match direction {
                        Direction::Send => own.quiet = true,
                        Direction::Receive => {
                            own.deaf = true;
                            own.arrived.clear();
                        }
                    }
                }
                Step::Drop(end) => {
                    ends.insert(end, None);
                    let own = model.get_mut(&end).unwrap();
                    (own.quiet, own.deaf) = (true, true);
                    own.arrived.clear();
                }
            }
        }
    }
}
