//! Pipes and FIFOs.

use std::collections::VecDeque;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::task::{Wake, Waker};

use offshoot_vfs::{Error, OpenOptions, Pipe};
use proptest::prelude::*;

use crate::{ROOT, new};

#[derive(Default)]
struct Counter(AtomicUsize);

impl Wake for Counter {
    fn wake(self: Arc<Self>) {
        self.0.fetch_add(1, Ordering::SeqCst);
    }
}

impl Counter {
    fn take(&self) -> usize {
        self.0.swap(0, Ordering::SeqCst)
    }
}

#[test]
fn wakers_fire_when_there_is_something_to_do() {
    let (reader, writer) = Pipe::ends();
    let (read, write) = (Arc::new(Counter::default()), Arc::new(Counter::default()));
    let (read_waker, write_waker) = (Waker::from(read.clone()), Waker::from(write.clone()));
    assert!(!reader.poll_readable(&read_waker));
    assert!(!reader.poll_readable(&read_waker));
    assert!(writer.poll_writable(&write_waker));
    writer.try_write(&[0; 65_536]).unwrap();
    assert_eq!((read.take(), write.take()), (1, 0));
    assert!(!writer.poll_writable(&write_waker));
    reader.try_read(&mut [0; 100]).unwrap();
    assert_eq!(write.take(), 0, "there is no room for an atomic write yet");
    reader.try_read(&mut [0; 4000]).unwrap();
    assert_eq!(write.take(), 1);
    while reader.try_read(&mut [0; 9000]).is_ok() {}
    assert!(!reader.poll_readable(&read_waker));
    let second = writer.clone();
    drop(writer);
    // A wakening for nothing is allowed, a missed one is not.
    read.take();
    let _ = reader.poll_readable(&read_waker);
    drop(second);
    assert_eq!(read.take(), 1);
    assert_eq!(reader.try_read(&mut [0; 8]), Ok(0));
}

#[test]
fn a_writer_learns_that_the_last_reader_is_gone() {
    let (reader, writer) = Pipe::ends();
    let counter = Arc::new(Counter::default());
    writer.try_write(&[0; 65_536]).unwrap();
    assert!(!writer.poll_writable(&Waker::from(counter.clone())));
    drop(reader);
    assert_eq!(counter.take(), 1);
    assert_eq!(writer.try_write(b"x"), Err(Error::BrokenPipe));
}

#[test]
fn fifos_join_their_openers() {
    let fs = new();
    fs.create_fifo(&ROOT, fs.root(), b"/p", 0o600).unwrap();
    let reader = fs
        .open(&ROOT, fs.root(), b"/p", &OpenOptions::READ, 0)
        .unwrap();
    let waiting = Arc::new(Counter::default());
    assert!(!reader.poll_met(&Waker::from(waiting.clone())));
    let writer = fs
        .open(&ROOT, fs.root(), b"/p", &OpenOptions::APPEND, 0)
        .unwrap();
    assert_eq!(waiting.take(), 1);
    assert!(reader.pipe().unwrap().same(writer.pipe().unwrap()));
    writer.write(b"through").unwrap();
    let mut buffer = [0; 16];
    assert_eq!(reader.read(&mut buffer), Ok(7));
    assert_eq!(reader.read(&mut buffer), Err(Error::Again));
    assert_eq!(reader.read_at(0, &mut buffer), Err(Error::CannotSeek));
    // Who was met may be gone again.
    let late = fs
        .open(&ROOT, fs.root(), b"/p", &OpenOptions::READ, 0)
        .unwrap();
    // A fork has its own.
    let fork = fs.fork();
    let other = fork
        .open(&ROOT, fork.root(), b"/p", &OpenOptions::READ, 0)
        .unwrap();
    assert!(!other.pipe().unwrap().same(reader.pipe().unwrap()));
    assert!(!other.has_met());
    drop(writer);
    assert!(reader.has_met() && late.has_met());
    assert_eq!(reader.read(&mut buffer), Ok(0));
    let after = fs
        .open(&ROOT, fs.root(), b"/p", &OpenOptions::READ, 0)
        .unwrap();
    assert!(!after.has_met());
}

#[test]
fn bytes_cross_threads_in_order() {
    let (reader, writer) = Pipe::ends();
    let sent: Vec<u8> = (0..1_000_000u32)
        .map(|index| (index * 7 % 251) as u8)
        .collect();
    let expected = sent.clone();
    let thread = std::thread::spawn(move || {
        let waker = Waker::from(Arc::new(Unpark(std::thread::current())));
        let mut rest = &sent[..];
        while !rest.is_empty() {
            match writer.try_write(&rest[..rest.len().min(10_000)]) {
                Ok(count) => rest = &rest[count..],
                Err(_) if writer.poll_writable(&waker) => {}
                Err(_) => std::thread::park(),
            }
        }
    });
    let waker = Waker::from(Arc::new(Unpark(std::thread::current())));
    let (mut received, mut buffer) = (Vec::new(), [0; 7000]);
    loop {
        match reader.try_read(&mut buffer) {
            Ok(0) => break,
            Ok(count) => received.extend_from_slice(&buffer[..count]),
            Err(_) if reader.poll_readable(&waker) => {}
            Err(_) => std::thread::park(),
        }
    }
    thread.join().unwrap();
    assert!(received == expected);
}

struct Unpark(std::thread::Thread);

impl Wake for Unpark {
    fn wake(self: Arc<Self>) {
        self.0.unpark();
    }
}

proptest! {
    #[test]
    fn same_as_a_queue(steps in prop::collection::vec((any::<bool>(), 0..30_000usize, any::<u8>()), 1..60)) {
        let (reader, writer) = Pipe::ends();
        let mut model = VecDeque::new();
        for (write, length, byte) in steps {
            if write {
                let room = 65_536 - model.len();
                let fits = if length <= 4096 { room >= length } else { room > 0 };
                let expected = if fits { Ok(length.min(room)) } else { Err(Error::Again) };
                prop_assert_eq!(writer.try_write(&vec![byte; length]), expected);
                model.extend(std::iter::repeat_n(byte, expected.unwrap_or(0)));
            } else {
                let mut buffer = vec![0; length];
                let taken: Vec<u8> = model.drain(..length.min(model.len())).collect();
                let result = reader.try_read(&mut buffer);
                if taken.is_empty() && length > 0 {
                    prop_assert_eq!(result, Err(Error::Again));
                } else {
                    prop_assert_eq!(result, Ok(taken.len()));
                    prop_assert_eq!(&buffer[..taken.len()], &taken[..]);
                }
            }
            prop_assert_eq!(writer.pipe().len(), model.len());
        }
    }
}

#[test]
fn reading_to_a_delimiter_leaves_the_rest() {
    let (reader, writer) = Pipe::ends();
    assert!(matches!(
        reader.try_read_until(b'\n', 10),
        Err(Error::Again)
    ));
    writer.try_write(b"one\ntwo\n\nlong line\nrest").unwrap();
    let steps: [(usize, &[u8]); 6] = [
        (100, b"one\n"),
        (4, b"two\n"),
        (1, b"\n"),
        (4, b"long"),
        (100, b" line\n"),
        (100, b"rest"),
    ];
    for (limit, expected) in steps {
        assert_eq!(reader.try_read_until(b'\n', limit).unwrap(), expected);
    }
    drop(writer);
    assert_eq!(reader.try_read_until(b'\n', 10).unwrap(), b"");
}

#[test]
fn an_end_of_input_is_seen_once_and_in_order() {
    let (reader, writer) = Pipe::ends();
    writer.try_write(b"a").unwrap();
    writer.mark_end();
    let mut buffer = [0; 4];
    let mut read = || reader.try_read(&mut buffer);
    assert_eq!(read().unwrap(), 1);
    assert_eq!(read().unwrap(), 0);
    assert!(matches!(read(), Err(Error::Again)));
    writer.mark_end();
    assert!(reader.is_readable());
    assert_eq!(reader.try_read_until(b'\n', 9).unwrap(), b"");
    assert!(!reader.is_readable());
}

#[test]
fn a_writer_learns_that_bytes_are_wanted() {
    let (reader, writer) = Pipe::ends();
    let waker = std::task::Waker::noop();
    assert!(!writer.poll_wanted(waker));
    assert!(!reader.poll_readable(waker));
    assert!(writer.poll_wanted(waker));
    writer.try_write(b"a").unwrap();
    assert!(!writer.poll_wanted(waker));
    drop(reader);
    assert!(!writer.poll_wanted(waker));
}

#[test]
fn writers_wait_while_a_reader_is_frozen() {
    let (reader, writer) = Pipe::ends();
    let write = Arc::new(Counter::default());
    let waker = Waker::from(write.clone());
    assert_eq!(writer.try_write(b"before"), Ok(6));
    reader.freeze(true);
    assert_eq!(writer.try_write(b"x"), Err(Error::Again));
    assert!(!writer.poll_writable(&waker));
    assert_eq!(reader.pipe().contents(), b"before");
    reader.freeze(false);
    assert_eq!(write.take(), 1);
    assert_eq!(writer.try_write(b", after"), Ok(7));
    // It is the end of it where the reader goes away frozen.
    reader.freeze(true);
    assert!(!writer.poll_writable(&waker));
    drop(reader);
    assert_eq!(write.take(), 1);
    assert_eq!(writer.try_write(b"x"), Err(Error::BrokenPipe));
}
