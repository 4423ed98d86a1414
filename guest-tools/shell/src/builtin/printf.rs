//! `printf`

use super::letters::{Letters, invalid_identifier};
use super::{Context, Flow, synopsis};
use crate::format::time::Zone;
use crate::format::{self, printf};
use crate::os::OpenOptions;
use crate::text::Text;

/// The most that one `printf` may write, in bytes; and no more than this many times what a word may
/// expand to, because it is made before it is written.
const LIMIT: usize = 1 << 28;
const EXPANSIONS: usize = 4;

pub(super) fn run(cx: &mut Context<'_>, arguments: &[Text]) -> Flow {
    let mut letters = Letters::new("v:", arguments);
    let mut variable = None;
    loop {
        match letters.next(cx) {
            Ok(None) => break,
            Ok(Some(given)) => variable = given.value,
            Err(flow) => return flow,
        }
    }
    if let Some(name) = variable.filter(|name| !cx.is_reference(name, cx.takes_expanded())) {
        invalid_identifier(cx, name);
        return Flow::Status(2);
    }
    let Some((pattern, values)) = letters.operands().split_first() else {
        return synopsis::usage(cx);
    };
    let zone = if has_time(pattern) {
        zone(cx)
    } else {
        Zone::utc()
    };
    let now = cx.os().now().seconds;
    let context = format::Context {
        now,
        started: cx.state().clocks.seconds_base,
        zone: &zone,
        limit: LIMIT.min(cx.expansion_limit().saturating_mul(EXPANSIONS)),
    };
    let report = match variable {
        None => {
            let mut out = std::mem::take(cx.out_buffer());
            let before = out.len();
            let report = printf(pattern, values, &context, &mut out);
            let unsaid = match report.messages.is_empty() {
                true => Vec::new(),
                false => out.split_off(before),
            };
            *cx.out_buffer() = out;
            interleave(cx, &unsaid, &report.messages);
            report
        }
        Some(name) => {
            let mut text = Vec::new();
            let report = printf(pattern, values, &context, &mut text);
            // A variable holds no NUL.
            text.retain(|&byte| byte != 0);
            if cx.set(name, Text::from(text)).is_err() {
                return Flow::Status(1);
            }
            interleave(cx, b"", &report.messages);
            report
        }
    };
    let mut status = report.status;
    for (name, count) in &report.counts {
        if cx.set(name, Text::from(*count as i64)).is_err() {
            status = 1;
        }
    }
    if report.too_long {
        cx.error("output is too long");
    }
    Flow::Status(status)
}

/// Writes output with each message in its place.
fn interleave(cx: &mut Context<'_>, output: &[u8], messages: &[(usize, Vec<u8>)]) {
    let mut written = 0;
    for (place, message) in messages {
        let place = (*place).min(output.len());
        cx.out(&output[written..place]);
        cx.error(message);
        written = place;
    }
    cx.out(&output[written..]);
}

fn has_time(pattern: &[u8]) -> bool {
    pattern.windows(2).any(|pair| pair == b")T")
}

/// The time zone that `TZ` names, where it is exported.
pub(super) fn zone(cx: &mut Context<'_>) -> Zone {
    let Some(name) = cx.get_exported(b"TZ") else {
        return Zone::utc();
    };
    let os = cx.os();
    Zone::new(&name, &|path| {
        let options = OpenOptions {
            read: true,
            ..OpenOptions::default()
        };
        let handle = os.open(path, options, 0).ok()?;
        let mut content = Vec::new();
        let mut block = [0; 4096];
        while let Ok(count @ 1..) = os.read(handle, &mut block) {
            content.extend_from_slice(&block[..count]);
        }
        os.close(handle);
        Some(content)
    })
}
