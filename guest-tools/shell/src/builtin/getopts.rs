//! `getopts`

use super::letters::{integer, invalid_identifier, is_name, none};
use super::{Context, Flow, synopsis};
use crate::machine::value::{Attributes, Variable};
use crate::text::Text;

pub(super) fn run(cx: &mut Context<'_>, arguments: &[Text]) -> Flow {
    let operands = match none(cx, arguments) {
        Ok(operands) => operands,
        Err(flow) => return flow,
    };
    let [letters, name, words @ ..] = operands else {
        return synopsis::usage(cx);
    };
    let words = match words {
        [] => cx.state().positional.as_slice().to_vec(),
        words => words.to_vec(),
    };
    let index = cx
        .get(b"OPTIND")
        .and_then(|text| integer(&text))
        .unwrap_or(1);
    let index = usize::try_from(index).unwrap_or(1).max(1);
    let offset = cx.state().option_offset as usize;
    let step = step(letters, &words, index - 1, offset);
    let silent = letters.starts_with(b":");
    let loud = !silent
        && cx
            .get(b"OPTERR")
            .is_none_or(|value| integer(&value) != Some(0));
    if let Some(problem) = step.problem.filter(|_| loud) {
        let mut line = cx.state().name.to_vec();
        line.extend_from_slice(b": ");
        line.extend_from_slice(problem.as_bytes());
        line.extend_from_slice(&[b' ', b'-', b'-', b' ', step.letter, b'\n']);
        cx.err(line);
    }
    let (found, argument) = match step.problem {
        None => (step.letter, step.argument),
        Some(MISSING) if silent => (b':', Some(vec![step.letter])),
        Some(_) => (b'?', silent.then(|| vec![step.letter])),
    };
    let next = Text::from((step.index + 1) as i64);
    if cx.set(b"OPTIND", next).is_err() {
        return Flow::Status(1);
    }
    // Setting OPTIND begins a new scan.
    cx.state_mut().option_offset = step.offset as u32;
    // A readonly one stays; bash has said so.
    let stays = |known: Variable| known.attributes.has(Attributes::READONLY);
    let _ = match argument {
        Some(argument) => cx.set(b"OPTARG", Text::from(argument)),
        None if cx.variable(b"OPTARG").is_some_and(stays) => Ok(()),
        None => cx.unset_nameref(b"OPTARG"),
    };
    if !is_name(name) {
        invalid_identifier(cx, name);
        return Flow::Status(1);
    }
    let named = cx.set(name, Text::from(&[found]));
    Flow::Status(u8::from(step.done || named.is_err()))
}

const ILLEGAL: &str = "illegal option";
const MISSING: &str = "option requires an argument";

/// One step of the scan.
struct Step {
    /// The word that comes next.
    index: usize,
    /// The letter in it that comes next; 0 at its beginning.
    offset: usize,
    letter: u8,
    argument: Option<Vec<u8>>,
    problem: Option<&'static str>,
    done: bool,
}

fn step(letters: &[u8], words: &[Text], index: usize, offset: usize) -> Step {
    let end = |index| Step {
        index,
        offset: 0,
        letter: b'?',
        argument: None,
        problem: None,
        done: true,
    };
    let Some(word) = words.get(index) else {
        return end(index.min(words.len()));
    };
    let mut offset = if offset >= word.len() { 0 } else { offset };
    if offset == 0 {
        if word.as_bytes() == b"--" {
            return end(index + 1);
        }
        if word.len() < 2 || word[0] != b'-' {
            return end(index);
        }
        offset = 1;
    }
    let letter = word[offset];
    let rest = &word[offset + 1..];
    let place = letters
        .iter()
        .position(|&known| known == letter && letter != b':');
    let next = if rest.is_empty() {
        (index + 1, 0)
    } else {
        (index, offset + 1)
    };
    let plain = Step {
        index: next.0,
        offset: next.1,
        letter,
        argument: None,
        problem: None,
        done: false,
    };
    let Some(place) = place else {
        return Step {
            problem: Some(ILLEGAL),
            ..plain
        };
    };
    if letters.get(place + 1) != Some(&b':') {
        return plain;
    }
    if !rest.is_empty() {
        return Step {
            index: index + 1,
            offset: 0,
            argument: Some(rest.to_vec()),
            ..plain
        };
    }
    match words.get(index + 1) {
        Some(word) => Step {
            index: index + 2,
            offset: 0,
            argument: Some(word.to_vec()),
            ..plain
        },
        None => Step {
            problem: Some(MISSING),
            ..plain
        },
    }
}
