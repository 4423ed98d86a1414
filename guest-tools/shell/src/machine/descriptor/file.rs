//! Open files of the system.

use std::cell::{Cell, RefCell};
use std::collections::VecDeque;
use std::rc::Rc;

use super::kept::Origin;
use super::{ReadStep, put_before, take, take_to};
use crate::os::{Errno, FileKind, Handle, Os, Result, Whence};

/// Bytes read ahead of a file that can seek.
pub(super) const READ_AHEAD: usize = 4096;

/// An open file.
pub(super) struct File {
    pub(super) os: Rc<dyn Os>,
    pub(super) handle: Handle,
    /// Closed with the descriptor.
    pub(super) owned: bool,
    pub(super) seekable: Cell<Option<bool>>,
    /// Bytes read before they were asked for, of a file that can seek back; or put back, of what cannot.
    pub(super) ahead: RefCell<VecDeque<u8>>,
    /// How a redirect opened it.
    pub(super) origin: Option<Origin>,
}

impl File {
    pub(super) fn seekable(&self) -> bool {
        if let Some(known) = self.seekable.get() {
            return known;
        }
        let seekable = self.os.seek(self.handle, 0, Whence::Current).is_ok()
            && self
                .os
                .stat_handle(self.handle)
                .is_ok_and(|stat| stat.kind == FileKind::Regular);
        self.seekable.set(Some(seekable));
        seekable
    }

    pub(super) fn put_back(&self, bytes: &[u8]) {
        put_before(&mut self.ahead.borrow_mut(), bytes);
    }

    pub(super) fn give_back(&self) {
        let mut ahead = self.ahead.borrow_mut();
        if !ahead.is_empty() && self.seekable() {
            // A regular file: seeking back within what was just read cannot fail.
            let _ = self
                .os
                .seek(self.handle, -(ahead.len() as i64), Whence::Current);
            ahead.clear();
        }
    }

    pub(super) fn read(&self, buffer: &mut [u8]) -> Result<usize> {
        let mut ahead = self.ahead.borrow_mut();
        if ahead.is_empty() {
            return self.os.read(self.handle, buffer);
        }
        Ok(take(&mut ahead, buffer))
    }

    pub(super) fn read_to(
        &self,
        delimiter: u8,
        limit: usize,
        into: &mut Vec<u8>,
    ) -> Result<ReadStep> {
        if !self.seekable() {
            let (taken, found) = take_to(&mut self.ahead.borrow_mut(), delimiter, limit, into);
            if found {
                return Ok(ReadStep::Delimiter);
            }
            let left = limit - taken;
            return read_exactly_to(&*self.os, self.handle, delimiter, left, into);
        }
        let mut ahead = self.ahead.borrow_mut();
        let mut left = limit;
        loop {
            if left == 0 {
                return Ok(ReadStep::Limit);
            }
            let (taken, found) = take_to(&mut ahead, delimiter, left, into);
            if found {
                return Ok(ReadStep::Delimiter);
            }
            left -= taken;
            if ahead.is_empty() {
                let mut block = [0; READ_AHEAD];
                match self.os.read(self.handle, &mut block)? {
                    0 => return Ok(ReadStep::End),
                    count => ahead.extend(&block[..count]),
                }
            }
        }
    }
}

/// Reads to a delimiter from what cannot be given back: by the system's own means where it has
/// some, or else byte by byte.
pub(super) fn read_exactly_to(
    os: &dyn Os,
    handle: Handle,
    delimiter: u8,
    limit: usize,
    into: &mut Vec<u8>,
) -> Result<ReadStep> {
    let mut left = limit;
    while left > 0 {
        match os.read_until(handle, delimiter, left) {
            Ok(bytes) => match bytes.split_last() {
                None => return Ok(ReadStep::End),
                Some((&last, line)) if last == delimiter => {
                    into.extend_from_slice(line);
                    return Ok(ReadStep::Delimiter);
                }
                Some(_) => {
                    into.extend_from_slice(&bytes);
                    left -= bytes.len();
                }
            },
            Err(Errno::NotSupported) => return read_bytes_to(os, handle, delimiter, left, into),
            Err(Errno::Again) => return Ok(ReadStep::Blocked),
            Err(error) => return Err(error),
        }
    }
    Ok(ReadStep::Limit)
}

fn read_bytes_to(
    os: &dyn Os,
    handle: Handle,
    delimiter: u8,
    limit: usize,
    into: &mut Vec<u8>,
) -> Result<ReadStep> {
    let mut byte = [0];
    for _ in 0..limit {
        match os.read(handle, &mut byte) {
            Ok(0) => return Ok(ReadStep::End),
            Ok(_) if byte[0] == delimiter => return Ok(ReadStep::Delimiter),
            Ok(_) => into.push(byte[0]),
            Err(Errno::Again) => return Ok(ReadStep::Blocked),
            Err(error) => return Err(error),
        }
    }
    Ok(ReadStep::Limit)
}
