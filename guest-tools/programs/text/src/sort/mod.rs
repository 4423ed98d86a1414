//! `sort`: everything in memory, since the sandbox's temporary files are in memory too.

mod key;
mod merge;
mod options;
mod order;

use std::cmp::Ordering;
use std::io::Write as _;

use crate::call::{Call, bytes};
use crate::options::{parse, usage_error};
use crate::output::{CHUNK, Output};
use crate::quote;
use crate::system;
use options::{Check, SYNTAX, Settings};
use order::Order;

/// Runs the command.
pub fn run(call: &Call) -> i32 {
    start(call).unwrap_or_else(|status| status)
}

fn start(call: &Call) -> Result<i32, i32> {
    let mut parsed = parse(call, &SYNTAX)?;
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
    let inputs = sort.read(&files, parsed.value("random-source"))?;
    match sort.settings.check {
        Some(check) => Ok(sort.check(&inputs[0].0, &files[0], check)),
        None => sort.write(&inputs),
    }
}

/// The files that are named in a list.
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

/// Whole lines, each with its end.
struct Input(Vec<u8>);

struct Sort<'a> {
    call: &'a Call,
    settings: Settings,
    order: Order,
}

impl Sort<'_> {
    /// All lines as one input, or one for each file that is merged.
    fn read(&self, files: &[Vec<u8>], random: Option<&[u8]>) -> Result<Vec<Input>, i32> {
        if let Some(source) = random {
            system::open_input(source).map_err(|failure| {
                self.call
                    .fail(2, bytes!("open failed: ", source, ": ", failure))
            })?;
        }
        let mut inputs: Vec<Input> = Vec::new();
        for file in files {
            let mut read = self.read_file(file)?;
            match inputs.last_mut() {
                Some(all) if !self.settings.merge => all.0.append(&mut read),
                _ => inputs.push(Input(read)),
            }
        }
        Ok(inputs)
    }

    fn read_file(&self, file: &[u8]) -> Result<Vec<u8>, i32> {
        let mut read = system::read_whole(file).map_err(|failure| {
            let doing = if failure.0 == system::Errno::IsDirectory {
                "read failed: "
            } else {
                "cannot read: "
            };
            self.call.fail(2, bytes!(doing, file, ": ", failure))
        })?;
        if read.last().is_some_and(|last| *last != self.settings.end) {
            read.push(self.settings.end);
        }
        Ok(read)
    }

    fn lines<'b>(&self, content: &'b [u8]) -> impl Iterator<Item = &'b [u8]> {
        let mut start = 0;
        memchr::memchr_iter(self.settings.end, content).map(move |end| {
            let line = &content[start..end];
            start = end + 1;
            line
        })
    }

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

    fn write(&self, inputs: &[Input]) -> Result<i32, i32> {
        let mut lines = if self.settings.merge {
            let inputs = inputs.iter().map(|input| self.lines(&input.0).collect());
            merge::merge(&self.order, inputs.collect())
        } else {
            let content = inputs.first().map_or(&[][..], |input| &input.0);
            self.order.sort(self.lines(content))
        };
        if self.settings.unique {
            lines.dedup_by(|next, before| self.order.compare(before, next) == Ordering::Equal);
        }
        let Some(target) = &self.settings.output else {
            let mut out = Output::new();
            for line in &lines {
                out.put(line);
                out.put([self.settings.end]);
            }
            return Ok(out.finish(&self.call.name, 0, 2));
        };
        self.save(&lines, target)
    }

    fn save(&self, lines: &[&[u8]], target: &[u8]) -> Result<i32, i32> {
        let wrong = |failure: system::Failure| {
            self.call
                .fail(2, bytes!("open failed: ", target, ": ", failure))
        };
        let file = system::create_file(target, false).map_err(wrong)?;
        let mut writer = std::io::BufWriter::with_capacity(CHUNK, file);
        let written = lines
            .iter()
            .try_for_each(|line| {
                writer
                    .write_all(line)
                    .and_then(|()| writer.write_all(&[self.settings.end]))
            })
            .and_then(|()| writer.flush());
        written.map(|()| 0).map_err(|error| wrong(error.into()))
    }
}
