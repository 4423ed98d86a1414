//! What a pipe gave before a command runs.

use std::collections::BTreeMap;
use std::rc::Rc;

use crate::applet::io::{BLOCK, Io, Step, own_descriptor};
use crate::applet::{Context, Stream};
use crate::os::{Errno, FileKind};

/// Bytes of one pipe that a command can be given, and bytes of output that are kept.
pub(super) const BOUND: usize = 64 << 20;

/// The pipes that a command may read, by number.
pub(super) type Inputs = BTreeMap<u32, Gathered>;

/// How much of a pipe is there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Extent {
    /// More may come.
    Open,
    /// All of it.
    Whole,
    /// As much as there may be.
    Full,
    /// All up to this error.
    Broken(Errno),
}

/// What was read from a pipe.
#[derive(Debug)]
pub(super) struct Gathered {
    pub(super) data: Vec<u8>,
    /// How much of it the command has taken.
    pub(super) taken: usize,
    pub(super) extent: Extent,
    /// How much is read before the next attempt.
    wanted: usize,
}

/// The pipes among what a command inherits and may read: standard input, and those that an argument names.
pub(super) fn inputs(context: &Context, reads: bool) -> Inputs {
    let named = context.arguments.iter().skip(1);
    let mut numbers: Vec<u32> = named.filter_map(|word| own_descriptor(word)).collect();
    if reads {
        numbers.push(0);
    }
    numbers.retain(|number| stream(context, *number).is_some_and(|stream| is_pipe(&*stream)));
    let empty = |number| {
        let gathered = Gathered {
            data: Vec::new(),
            taken: 0,
            extent: Extent::Open,
            wanted: BLOCK,
        };
        (number, gathered)
    };
    numbers.into_iter().map(empty).collect()
}

/// The stream of this number.
pub(super) fn stream(context: &Context, number: u32) -> Option<Rc<dyn Stream>> {
    let mut streams = context.streams.iter();
    let found = streams.find(|(known, _)| *known == number);
    found.map(|(_, stream)| stream.clone())
}

fn is_pipe(stream: &dyn Stream) -> bool {
    stream.stat().is_ok_and(|stat| stat.kind == FileKind::Fifo)
}

impl Gathered {
    /// Reads what is there without waiting, up to a block.
    pub(super) fn look(&mut self, stream: &dyn Stream) {
        while self.extent == Extent::Open && self.data.len() < BLOCK {
            let length = self.data.len();
            self.data.resize(length + BLOCK, 0);
            let read = stream.read(&mut self.data[length..]);
            self.data.truncate(length + *read.as_ref().unwrap_or(&0));
            match read {
                Ok(0) => self.extent = Extent::Whole,
                Ok(_) => {}
                Err(Errno::Again) => return,
                Err(error) => self.extent = Extent::Broken(error),
            }
        }
    }

    /// Reads more, and waits for it: sixteen times as much as before, or all that there may be.
    pub(super) async fn more(&mut self, io: &mut Io, number: u32, all: bool) -> Step<()> {
        let input = match io.inherited(number) {
            Ok(input) => input,
            Err(error) => {
                self.extent = Extent::Broken(error);
                return Ok(());
            }
        };
        let wanted = if all { BOUND } else { self.wanted };
        while self.extent == Extent::Open && self.data.len() < wanted {
            match io.read(&input, &mut self.data).await? {
                Ok(0) => self.extent = Extent::Whole,
                Ok(_) => {}
                Err(error) => self.extent = Extent::Broken(error),
            }
        }
        if self.extent == Extent::Open && self.data.len() >= BOUND {
            self.extent = Extent::Full;
        }
        self.wanted = (wanted * 16).min(BOUND);
        Ok(())
    }

    /// Gives the next bytes; none where more would have to come first.
    pub(super) fn read(&mut self, buffer: &mut [u8]) -> Option<Result<usize, Errno>> {
        let rest = &self.data[self.taken..];
        let count = rest.len().min(buffer.len());
        buffer[..count].copy_from_slice(&rest[..count]);
        self.taken += count;
        if count > 0 || buffer.is_empty() {
            return Some(Ok(count));
        }
        match self.extent {
            Extent::Open => None,
            Extent::Whole => Some(Ok(0)),
            Extent::Full => Some(Err(Errno::FileTooLarge)),
            Extent::Broken(error) => Some(Err(error)),
        }
    }

    /// What the command has not taken goes back, for who reads the pipe next.
    pub(super) fn put_back(&self, stream: &dyn Stream) {
        let rest = &self.data[self.taken..];
        if !rest.is_empty() {
            stream.put_back(rest);
        }
    }
}
