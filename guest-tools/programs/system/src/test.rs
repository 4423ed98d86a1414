//! `test` and `[` as programs, by POSIX and coreutils; the shell has a builtin of its own.
//!
//! Up to four words are decided by their number where POSIX does, so that `test ! = !` compares and `test -n` is true.
//! More are a grammar with `!` binding tighter than `-a`, and that tighter than `-o`; brackets nest up to 100. All
//! operands are evaluated, for nothing has a side effect.
//!
//! Statuses: 0 for true, 1 for false, 2 for what is no expression.

use std::cmp::Ordering;

use crate::call::{Call, bytes};
use crate::quote;
use crate::system::{self, Kind, Stat};

/// Runs the command: 0 for true, 1 for false, 2 for what is no expression.
pub fn run(call: &Call) -> i32 {
    let mut words = call.arguments.as_slice();
    if call.name == "[" {
        match words.split_last() {
            Some((last, rest)) if last == b"]" => words = rest,
            _ => return call.fail(2, "missing ']'"),
        }
    }
    match evaluate(words) {
        Ok(holds) => i32::from(!holds),
        Err(message) => call.fail(2, message),
    }
}

/// Whether an expression holds, or the message about it.
type Outcome = Result<bool, Vec<u8>>;

/// The value of an expression of any number of words.
fn evaluate(words: &[Vec<u8>]) -> Outcome {
    let word = |at: usize| words[at].as_slice();
    match words.len() {
        0 => return Ok(false),
        1 => return Ok(!word(0).is_empty()),
        2 if word(0) == b"!" => return Ok(word(1).is_empty()),
        2 => {
            return match unary(word(0), word(1)) {
                Some(outcome) => outcome,
                None => Err(bytes!(quote::word(word(0)), ": unary operator expected")),
            };
        }
        3 => {
            if let Some(outcome) = binary(word(0), word(1), word(2)) {
                return outcome;
            }
            match (word(0), word(1), word(2)) {
                (b"!", ..) => return evaluate(&words[1..]).map(|holds| !holds),
                (b"(", _, b")") => return Ok(!word(1).is_empty()),
                (left, b"-a", right) => return Ok(!left.is_empty() && !right.is_empty()),
                (left, b"-o", right) => return Ok(!left.is_empty() || !right.is_empty()),
                _ => return Err(bytes!(quote::word(word(1)), ": binary operator expected")),
            }
        }
        4 if word(0) == b"!" => return evaluate(&words[1..]).map(|holds| !holds),
        4 if word(0) == b"(" && word(3) == b")" => return evaluate(&words[1..3]),
        _ => {}
    }
    let mut parser = Parser {
        words,
        at: 0,
        depth: 0,
    };
    let holds = parser.or()?;
    match parser.words.get(parser.at) {
        None => Ok(holds),
        Some(extra) => Err(bytes!("extra argument ", quote::word(extra))),
    }
}

/// A parser by recursive descent, for more than four words.
struct Parser<'a> {
    words: &'a [Vec<u8>],
    /// The next word.
    at: usize,
    /// How many brackets are open.
    depth: usize,
}

impl<'a> Parser<'a> {
    /// The word that is `ahead` of the next one.
    fn peek(&self, ahead: usize) -> Option<&'a [u8]> {
        self.words.get(self.at + ahead).map(Vec::as_slice)
    }

    /// `A -o B`
    fn or(&mut self) -> Outcome {
        let mut holds = self.and()?;
        while self.peek(0) == Some(b"-o") {
            self.at += 1;
            holds |= self.and()?;
        }
        Ok(holds)
    }

    /// `A -a B`
    fn and(&mut self) -> Outcome {
        let mut holds = self.not()?;
        while self.peek(0) == Some(b"-a") {
            self.at += 1;
            holds &= self.not()?;
        }
        Ok(holds)
    }

    /// `! A`
    fn not(&mut self) -> Outcome {
        let mut negated = false;
        while self.peek(0) == Some(b"!") {
            negated = !negated;
            self.at += 1;
        }
        Ok(self.primary()? != negated)
    }

    /// A comparison where the second word is an operator, a bracket, a test of one operand, or a text, in this order.
    /// So `( = (` compares.
    fn primary(&mut self) -> Outcome {
        let Some(first) = self.peek(0) else {
            return Err(b"argument expected".to_vec());
        };
        if let (Some(operator), Some(right)) = (self.peek(1), self.peek(2))
            && let Some(outcome) = binary(first, operator, right)
        {
            self.at += 3;
            return outcome;
        }
        if first == b"(" {
            self.at += 1;
            self.depth += 1;
            if self.depth > 100 {
                return Err(b"expression nested too deeply".to_vec());
            }
            let holds = self.or()?;
            self.depth -= 1;
            if self.peek(0) != Some(b")") {
                return Err(b"')' expected".to_vec());
            }
            self.at += 1;
            return Ok(holds);
        }
        if let Some(operand) = self.peek(1)
            && let Some(outcome) = unary(first, operand)
        {
            self.at += 2;
            return outcome;
        }
        self.at += 1;
        Ok(!first.is_empty())
    }
}

/// A test of one operand; `None` where the word is no such operator. Links are followed but for `-h` and `-L`; there
/// are no block devices and sockets.
fn unary(operator: &[u8], operand: &[u8]) -> Option<Outcome> {
    let [b'-', letter] = operator else {
        return None;
    };
    let stat = |follow| system::stat(operand, follow).ok();
    let is = |kind: Kind| stat(true).is_some_and(|stat| stat.kind == kind);
    let with = |holds: fn(&Stat) -> bool| stat(true).is_some_and(|stat| holds(&stat));
    let identity = system::identity;
    Some(Ok(match letter {
        b'n' => !operand.is_empty(),
        b'z' => operand.is_empty(),
        b'e' => stat(true).is_some(),
        b'f' => is(Kind::Regular),
        b'd' => is(Kind::Directory),
        b'p' => is(Kind::Fifo),
        b'c' => is(Kind::CharacterDevice),
        b'b' | b'S' => false,
        b'h' | b'L' => stat(false).is_some_and(|stat| stat.kind == Kind::Symlink),
        b's' => with(|stat| stat.size > 0),
        b'u' => with(|stat| stat.mode & 0o4000 != 0),
        b'g' => with(|stat| stat.mode & 0o2000 != 0),
        b'k' => with(|stat| stat.mode & 0o1000 != 0),
        b'r' => system::access(operand, 4).is_ok(),
        b'w' => system::access(operand, 2).is_ok(),
        b'x' => system::access(operand, 1).is_ok(),
        b'O' => stat(true).is_some_and(|stat| stat.uid == identity().uid),
        b'G' => stat(true).is_some_and(|stat| stat.gid == identity().gid),
        b'N' => with(|stat| stat.modified > stat.accessed),
        b't' => crate::options::number(operand).is_some_and(system::is_terminal),
        _ => return None,
    }))
}

/// A comparison; `None` where the word is no such operator. Texts are compared by bytes; integers may be as long as 127
/// bits.
fn binary(left: &[u8], operator: &[u8], right: &[u8]) -> Option<Outcome> {
    let order = match operator {
        b"=" | b"==" => return Some(Ok(left == right)),
        b"!=" => return Some(Ok(left != right)),
        b"<" => return Some(Ok(left < right)),
        b">" => return Some(Ok(left > right)),
        b"-nt" | b"-ot" | b"-ef" => return Some(Ok(files(left, operator, right))),
        b"-eq" => [Ordering::Equal].as_slice(),
        b"-ne" => &[Ordering::Less, Ordering::Greater],
        b"-lt" => &[Ordering::Less],
        b"-le" => &[Ordering::Less, Ordering::Equal],
        b"-gt" => &[Ordering::Greater],
        b"-ge" => &[Ordering::Greater, Ordering::Equal],
        _ => return None,
    };
    let number = |text: &[u8]| {
        let trimmed = text.trim_ascii();
        let plain = trimmed.strip_prefix(b"+").unwrap_or(trimmed);
        crate::options::number::<i128>(plain)
            .ok_or_else(|| bytes!("invalid integer ", quote::word(text)))
    };
    Some(number(left).and_then(|left| Ok(order.contains(&left.cmp(&number(right)?)))))
}

/// `-nt`, `-ot` and `-ef`: a file that is there is newer than one that is not, and two names of one inode are the same
/// file.
fn files(left: &[u8], operator: &[u8], right: &[u8]) -> bool {
    let (left, right) = (
        system::stat(left, true).ok(),
        system::stat(right, true).ok(),
    );
    match (operator, left, right) {
        (b"-ef", Some(left), Some(right)) => left.is_same(&right),
        (b"-nt", Some(left), Some(right)) => left.modified > right.modified,
        (b"-ot", Some(left), Some(right)) => left.modified < right.modified,
        (b"-nt", Some(_), None) | (b"-ot", None, Some(_)) => true,
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn evaluates_as_posix_says() {
        let cases = [
            ("", Some(false)),
            ("-n", Some(true)),
            ("! x", Some(false)),
            ("-z x", Some(false)),
            ("1 -lt 2", Some(true)),
            ("10 -lt 9", Some(false)),
            ("a = a", Some(true)),
            ("! = !", Some(true)),
            ("( x )", Some(true)),
            ("! a = b", Some(true)),
            ("a = a -a b = c", Some(false)),
            ("a = a -o b = c", Some(true)),
            ("( a = a ) -a ( b = b )", Some(true)),
            ("-d / -a ! -f /", Some(true)),
            ("x -eq 1", None),
            ("a b", None),
        ];
        for (text, expected) in cases {
            let words: Vec<Vec<u8>> = text.split_whitespace().map(|word| word.into()).collect();
            assert_eq!(evaluate(&words).ok(), expected, "{text}");
        }
    }
}
