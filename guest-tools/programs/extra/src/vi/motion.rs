//! Where keys lead in a text; each function is a key, and none of them changes anything.

use super::buffer::{Buffer, Place};

/// What a motion covers, for an operator.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Up to the place.
    Before,
    /// The place, too.
    With,
    /// Whole lines.
    Lines,
}

/// The kind of a character: 0 for space and the end of a line, 1 for words, 2 for punctuation; with `big` 1 for both.
fn class(character: Option<char>, big: bool) -> u8 {
    match character {
        None => 0,
        Some(one) if one.is_whitespace() => 0,
        Some(one) if big || one.is_alphanumeric() || one == '_' => 1,
        Some(_) => 2,
    }
}

/// The place behind this one; none at the end of the text. The end of a line counts as one.
fn next(buffer: &Buffer, place: Place) -> Option<Place> {
    if place.1 < buffer.len(place.0) {
        return Some((place.0, place.1 + 1));
    }
    (place.0 + 1 < buffer.lines.len()).then_some((place.0 + 1, 0))
}

/// The place before this one; `None` at the start of the text.
fn previous(buffer: &Buffer, place: Place) -> Option<Place> {
    match place {
        (0, 0) => None,
        (line, 0) => Some((line - 1, buffer.len(line - 1))),
        (line, at) => Some((line, at - 1)),
    }
}

/// `w`, or with `big` `W`: the start of the next word, on another line too. An empty line is a word.
pub fn word(buffer: &Buffer, place: Place, big: bool) -> Place {
    let begun = class(buffer.at(place), big);
    let mut place = place;
    while begun != 0 && class(buffer.at(place), big) == begun {
        match next(buffer, place) {
            Some(after) => place = after,
            None => return place,
        }
    }
    while class(buffer.at(place), big) == 0 {
        match next(buffer, place) {
            // An empty line is a word.
            Some(after) if after.1 == 0 && buffer.len(after.0) == 0 => return after,
            Some(after) => place = after,
            None => return place,
        }
    }
    place
}

/// `b` and `B`: the start of this word, or of the one before.
pub fn word_back(buffer: &Buffer, place: Place, big: bool) -> Place {
    let mut place = place;
    loop {
        match previous(buffer, place) {
            Some(before) => place = before,
            None => return place,
        }
        if class(buffer.at(place), big) != 0 {
            break;
        }
    }
    let kind = class(buffer.at(place), big);
    while place.1 > 0 && class(buffer.at((place.0, place.1 - 1)), big) == kind {
        place.1 -= 1;
    }
    place
}

/// `e` and `E`: the end of this word, or of the next one.
pub fn word_end(buffer: &Buffer, place: Place, big: bool) -> Place {
    let mut place = place;
    loop {
        match next(buffer, place) {
            Some(after) => place = after,
            None => return place,
        }
        if class(buffer.at(place), big) != 0 {
            break;
        }
    }
    let kind = class(buffer.at(place), big);
    while class(buffer.at((place.0, place.1 + 1)), big) == kind {
        place.1 += 1;
    }
    place
}

/// `f`, `t`, `F` and `T`: where the character stands in the line.
pub fn find(
    buffer: &Buffer,
    place: Place,
    kind: char,
    wanted: char,
    count: usize,
) -> Option<Place> {
    let line = buffer.lines.get(place.0)?;
    let mut at = place.1;
    for _ in 0..count {
        at = match kind {
            'f' | 't' => at + 1 + line.iter().skip(at + 1).position(|&one| one == wanted)?,
            _ => line.iter().take(at).rposition(|&one| one == wanted)?,
        };
    }
    Some((
        place.0,
        match kind {
            't' => at - 1,
            'T' => at + 1,
            _ => at,
        },
    ))
}

/// `%`: the bracket that belongs to the one here or behind here.
pub fn bracket(buffer: &Buffer, place: Place) -> Option<Place> {
    const PAIRS: [(char, char); 3] = [('(', ')'), ('[', ']'), ('{', '}')];
    let is_one = |one: char| {
        PAIRS
            .iter()
            .any(|&(open, close)| one == open || one == close)
    };
    let line = buffer.lines.get(place.0)?;
    let start = place.1 + line.iter().skip(place.1).position(|&one| is_one(one))?;
    let mut place = (place.0, start);
    let own = buffer.at(place)?;
    let &(open, close) = PAIRS.iter().find(|pair| own == pair.0 || own == pair.1)?;
    let forward = own == open;
    let mut depth = 0usize;
    loop {
        match buffer.at(place) {
            Some(one) if one == own => depth += 1,
            Some(one) if one == open || one == close => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return Some(place);
        }
        place = match forward {
            true => next(buffer, place)?,
            false => previous(buffer, place)?,
        };
    }
}

/// `{` and `}`: the next empty line behind one that is not, or the end of the text.
pub fn paragraph(buffer: &Buffer, line: usize, forward: bool) -> Place {
    let last = buffer.lines.len().saturating_sub(1);
    let mut at = line;
    let mut seen = false;
    while if forward { at < last } else { at > 0 } {
        at = if forward { at + 1 } else { at - 1 };
        let empty = buffer.len(at) == 0;
        if empty && seen {
            return (at, 0);
        }
        seen |= !empty;
    }
    match forward {
        true => (last, buffer.len(last).saturating_sub(1)),
        false => (0, 0),
    }
}

/// The first character of a line that is no space.
pub fn first(buffer: &Buffer, line: usize) -> usize {
    let found = buffer.lines.get(line);
    let at = found.and_then(|line| line.iter().position(|one| !one.is_whitespace()));
    at.unwrap_or(0)
}
