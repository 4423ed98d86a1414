//! `echo`

use super::{Context, Flow};
use crate::format::escape::{Dialect, unescape};
use crate::machine::option::{SetOption, Shopt};
use crate::text::Text;

pub(super) fn run(cx: &mut Context<'_>, arguments: &[Text]) -> Flow {
    let xpg = cx.shopt(Shopt::XpgEcho);
    let (mut escapes, mut newline) = (xpg, true);
    let mut words = arguments;
    // With both of these `echo` has no options, as POSIX's.
    while !(xpg && cx.on(SetOption::Posix)) {
        let Some((first, rest)) = words.split_first() else {
            break;
        };
        let letters = first.strip_prefix(b"-").unwrap_or_default();
        if letters.is_empty() || !letters.iter().all(|letter| b"neE".contains(letter)) {
            break;
        }
        for letter in letters {
            match letter {
                b'n' => newline = false,
                b'e' => escapes = true,
                _ => escapes = false,
            }
        }
        words = rest;
    }
    let out = cx.out_buffer();
    for (at, word) in words.iter().enumerate() {
        if at > 0 {
            out.push(b' ');
        }
        if !escapes {
            out.extend_from_slice(word);
            continue;
        }
        let result = unescape(word, Dialect::Echo);
        out.extend_from_slice(&result.text);
        if result.stopped {
            return Flow::Status(0);
        }
    }
    if newline {
        out.push(b'\n');
    }
    Flow::Status(0)
}
