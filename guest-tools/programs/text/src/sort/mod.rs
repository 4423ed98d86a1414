//! `sort`, after GNU coreutils 9.1: in memory as long as that is enough, and then in parts that are merged.
//!
//! `options` reads the command line, `key` cuts keys out of lines and compares them, `order` sorts in memory, `spill`
//! writes sorted parts to files and merges them, `merge` is `-m`. Lines are compared as bytes: the only locales are C
//! and C.UTF-8, in which GNU's does the same.
//!
//! Sorting is stable; what makes equal lines differ is the comparison of the whole lines that GNU calls the last
//! resort, which `-s` and `-u` leave out. `-m` and `-c` read their inputs as a whole.
//!
//! Statuses: 0; 1 where `-c` found a disorder; 2 for an error.

mod key;
mod merge;
mod options;
mod order;
mod spill;

use std::cmp::Ordering;
use std::io::Write as _;

use crate::call::{Call, bytes};
use crate::options::{parse, usage_error};
use crate::output::{CHUNK, Output};
use crate::quote;
use crate::system;
use options::{Check, SYNTAX, Settings};
use order::Order;
use spill::Parts;

/// Runs the command.
pub fn run(call: &Call) -> i32 {
    start(call).unwrap_or_else(|status| status)
}

/// Reads the command line and does what is asked. Both of the results are exit statuses. The output file is opened
/// after all input was read, so that it may be one of the inputs.
fn start(call: &Call) -> Result<i32, i32> {
    let mut parsed = parse(&options::modern(call), &SYNTAX)?;
    let mut files = std::mem::take(&mut parsed.operands);
    let settings = Settings::new(call, &parsed)?;
    if let Some(list) = parsed.value("files0-from") {
        files = listed(call, list, &files)?;
    }
    if files.is_empty() {
        files.push(b"-".to_vec());
    }
    if let (Some(check), Some(extra)) = (settings.check, files.get(1)) {
        let option = if check == Check::Quiet { "-C" } else { "-c" };
        let extra = quote::message(extra);
        return Err(call.fail(
            2,
            bytes!("extra operand ", extra, " not allowed with ", option),
        ));
    }
    let last = (!settings.stable && !settings.unique).then_some(settings.reverse);
    let order = Order::new(settings.keys.clone(), settings.tab, last);
    let sort = Sort {
        call,
        settings,
        order,
    };
    if let Some(source) = parsed.value("random-source") {
        system::open_input(source)
            .map_err(|failure| call.fail(2, bytes!("open failed: ", source, ": ", failure)))?;
    }
    match sort.settings.check {
        Some(check) => Ok(sort.check(&sort.read_file(&files[0])?, &files[0], check)),
        None if sort.settings.merge => {
            let inputs = files.iter().map(|file| sort.read_file(file));
            let inputs = inputs.collect::<Result<Vec<_>, i32>>()?;
            sort.write(|put| {
                let lines = inputs.iter().map(|input| sort.lines(input).collect());
                let merged = merge::merge(&sort.order, lines.collect());
                merged.into_iter().for_each(put);
                Ok(())
            })
        }
        None => {
            let mut parts = Parts::new(&sort);
            files.iter().try_for_each(|file| parts.read(file))?;
            sort.write(|put| parts.finish(put))
        }
    }
}

/// The files that are named in the list of `--files0-from`, each with a zero byte behind it.
///
/// # Errors
/// Status 2, after a message, for operands beside it, an empty list, and an empty name.
fn listed(call: &Call, list: &[u8], files: &[Vec<u8>]) -> Result<Vec<Vec<u8>>, i32> {
    if let Some(extra) = files.first() {
        let extra = quote::message(extra);
        let message = bytes!(
            "extra operand ",
            extra,
            "\nfile operands cannot be combined with --files0-from"
        );
        return Err(usage_error(call, &SYNTAX, message));
    }
    let names = system::read_whole(list)
        .map_err(|failure| call.fail(2, bytes!("open failed: ", list, ": ", failure)))?;
    let mut names: Vec<Vec<u8>> = names.split(|&byte| byte == 0).map(<[u8]>::to_vec).collect();
    if names.last().is_some_and(Vec::is_empty) {
        names.pop();
    }
    if names.is_empty() {
        return Err(call.fail(2, bytes!("no input from ", quote::message(list))));
    }
    match names.iter().position(Vec::is_empty) {
        None => Ok(names),
        Some(at) => {
            let place = bytes!(list, format!(":{}", at + 1));
            Err(call.fail(2, bytes!(place, ": invalid zero-length file name")))
        }
    }
}

/// What all parts of a call need.
struct Sort<'a> {
    call: &'a Call,
    settings: Settings,
    order: Order,
}

impl Sort<'_> {
    /// Says that a file cannot be read.
    fn cannot_read(&self, file: &[u8], failure: system::Failure) -> i32 {
        let doing = if failure.0 == system::Errno::IsDirectory {
            "read failed: "
        } else {
            "cannot read: "
        };
        self.call.fail(2, bytes!(doing, file, ": ", failure))
    }

    /// The content of a file, in which the last line has an end as well.
    fn read_file(&self, file: &[u8]) -> Result<Vec<u8>, i32> {
        let read = system::read_whole(file);
        let mut read = read.map_err(|failure| self.cannot_read(file, failure))?;
        if read.last().is_some_and(|last| *last != self.settings.end) {
            read.push(self.settings.end);
        }
        Ok(read)
    }

    /// The lines of a content, without their ends. What follows the last end is left out.
    fn lines<'b>(&self, content: &'b [u8]) -> impl Iterator<Item = &'b [u8]> {
        let mut start = 0;
        memchr::memchr_iter(self.settings.end, content).map(move |end| {
            let line = &content[start..end];
            start = end + 1;
            line
        })
    }

    /// Looks for the first line that is less than the one before it, or with `-u` equal to it; gives the exit status.
    fn check(&self, content: &[u8], name: &[u8], check: Check) -> i32 {
        let mut before: Option<&[u8]> = None;
        for (at, line) in self.lines(content).enumerate() {
            let order = before.map_or(Ordering::Less, |before| self.order.compare(before, line));
            if order == Ordering::Greater || (order == Ordering::Equal && self.settings.unique) {
                if check == Check::Loud {
                    let place = format!(":{}: disorder: ", at + 1);
                    self.call.fail(1, bytes!(name, place, line));
                }
                return 1;
            }
            before = Some(line);
        }
        0
    }

    /// Writes the lines that `give` hands out in their order, to standard output or the file of `-o`; gives the exit
    /// status.
    fn write(
        &self,
        give: impl FnOnce(&mut dyn FnMut(&[u8])) -> Result<(), i32>,
    ) -> Result<i32, i32> {
        let Some(target) = &self.settings.output else {
            let mut out = Output::new();
            self.put(give, |line| {
                out.put(line);
                out.put([self.settings.end]);
            })?;
            return Ok(out.finish(&self.call.name, 0, 2));
        };
        let wrong = |failure: system::Failure| {
            self.call
                .fail(2, bytes!("open failed: ", target, ": ", failure))
        };
        let file = system::create_file(target, false).map_err(wrong)?;
        let mut writer = std::io::BufWriter::with_capacity(CHUNK, file);
        let mut written = Ok(());
        self.put(give, |line| {
            if written.is_ok() {
                let end = [self.settings.end];
                written = writer.write_all(line).and_then(|()| writer.write_all(&end));
            }
        })?;
        let written = written.and_then(|()| writer.flush());
        written.map(|()| 0).map_err(|error| wrong(error.into()))
    }

    /// Hands on the lines that `give` hands out; with `-u` the first of those that are equal.
    fn put(
        &self,
        give: impl FnOnce(&mut dyn FnMut(&[u8])) -> Result<(), i32>,
        mut put: impl FnMut(&[u8]),
    ) -> Result<(), i32> {
        if !self.settings.unique {
            return give(&mut put);
        }
        let mut before: Option<Vec<u8>> = None;
        give(&mut |line| {
            let known = before.as_deref();
            if known.is_some_and(|known| self.order.compare(known, line) == Ordering::Equal) {
                return;
            }
            put(line);
            let kept = before.get_or_insert_default();
            kept.clear();
            kept.extend_from_slice(line);
        })
    }
}
