//! `time`

use super::message::report;
use super::symbol::known;
use super::task::Task;
use super::{Machine, scope};
use crate::text::Text;

const DEFAULT: &str = "\nreal\t%3lR\nuser\t%3lU\nsys\t%3lS";
const PORTABLE: &str = "real %2R\nuser %2U\nsys %2S";

impl Machine {
    /// Reports how long the pipelines above `count` took, which are left before their end.
    pub(super) fn report_times(&mut self, task: &mut Task, count: usize) {
        while task.timers.len() > count {
            self.report_time(task);
        }
    }

    /// Reports how long the pipeline took.
    pub(super) fn report_time(&mut self, task: &mut Task) {
        let Some((began, portable)) = task.timers.pop() else {
            return;
        };
        let elapsed = self.os.monotonic().saturating_sub(began);
        let format = if portable {
            Text::from(PORTABLE)
        } else {
            scope::get(self, task, known::TIMEFORMAT).unwrap_or_else(|| Text::from(DEFAULT))
        };
        if format.is_empty() {
            return;
        }
        match formatted(&format, elapsed) {
            Ok(mut text) => {
                text.push(b'\n');
                task.output.push(2, &text);
            }
            Err(letter) => {
                let letter = letter
                    .as_ref()
                    .map_or(b"\0".as_slice(), std::slice::from_ref);
                let tail = b"': invalid format character".as_slice();
                report(task, &[b"TIMEFORMAT: `", letter, tail].concat());
            }
        }
        let _ = self.deliver(task);
    }
}

/// Processor time is not measured: it is given as none, as of a command that waits. An error is the
/// letter that means nothing, or none where one is missing.
fn formatted(format: &[u8], elapsed: u64) -> Result<Vec<u8>, Option<u8>> {
    let mut text = Vec::new();
    let mut bytes = format.iter().copied().peekable();
    while let Some(byte) = bytes.next() {
        if byte != b'%' || bytes.peek().is_none() {
            text.push(byte);
            continue;
        }
        if bytes.next_if_eq(&b'%').is_some() {
            text.push(b'%');
            continue;
        }
        if bytes.next_if_eq(&b'P').is_some() {
            text.extend_from_slice(b"0.00");
            continue;
        }
        let digits = bytes
            .next_if(u8::is_ascii_digit)
            .map_or(3, |digit| digit - b'0')
            .min(3);
        let long = bytes.next_if_eq(&b'l').is_some();
        match bytes.next() {
            Some(b'R') => text.extend_from_slice(seconds(elapsed, digits, long).as_bytes()),
            Some(b'U' | b'S') => text.extend_from_slice(seconds(0, digits, long).as_bytes()),
            other => return Err(other),
        }
    }
    Ok(text)
}

fn seconds(nanoseconds: u64, digits: u8, long: bool) -> String {
    let milliseconds = nanoseconds / 1_000_000;
    let (whole, fraction) = (milliseconds / 1000, milliseconds % 1000);
    let fraction = fraction / 10_u64.pow(3 - u32::from(digits));
    let point = |whole: u64| match digits {
        0 => whole.to_string(),
        digits => format!("{whole}.{fraction:0width$}", width = usize::from(digits)),
    };
    match long {
        true => format!("{}m{}s", whole / 60, point(whole % 60)),
        false => point(whole),
    }
}
