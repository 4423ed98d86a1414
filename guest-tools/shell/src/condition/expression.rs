//! The arguments of `test` and `[`.

use std::cmp::Ordering;

use super::file::Comparison;
use super::{Facts, TestError, integer, is_unary, unary};

/// How deep parentheses may nest, which bounds the native stack.
const MAX_DEPTH: usize = 250;

/// The answer to the arguments of `test`.
///
/// Up to four arguments mean what POSIX says for their number; more are an expression of `!`, `-a`,
/// `-o` and parentheses.
///
/// # Errors
/// [`TestError`] for arguments that are no expression.
pub fn test<T: AsRef<[u8]>>(arguments: &[T], facts: &mut dyn Facts) -> Result<bool, TestError> {
    evaluate(arguments, arguments.len(), facts)
}

/// The answer to the arguments of `[`, the last of which is `]`.
///
/// # Errors
/// [`TestError`] for arguments that are no expression.
pub fn bracket<T: AsRef<[u8]>>(arguments: &[T], facts: &mut dyn Facts) -> Result<bool, TestError> {
    match arguments.split_last() {
        Some((last, rest)) if last.as_ref() == b"]" => evaluate(arguments, rest.len(), facts),
        _ => Err(TestError::MissingBracket),
    }
}

fn evaluate<T: AsRef<[u8]>>(
    arguments: &[T],
    count: usize,
    facts: &mut dyn Facts,
) -> Result<bool, TestError> {
    let mut test = Test {
        arguments,
        count,
        at: 0,
        depth: 0,
        facts,
    };
    let answer = test.by_count()?;
    if test.at >= count {
        return Ok(answer);
    }
    let rest = test.word(test.at);
    Err(if rest.starts_with(b"-") {
        TestError::Unexpected(rest.to_vec())
    } else {
        TestError::TooManyArguments
    })
}

struct Test<'a, T> {
    arguments: &'a [T],
    /// How many of them count; a `]` may follow.
    count: usize,
    at: usize,
    depth: usize,
    facts: &'a mut dyn Facts,
}

type Answer = Result<bool, TestError>;

impl<'a, T: AsRef<[u8]>> Test<'a, T> {
    fn word(&self, at: usize) -> &'a [u8] {
        self.arguments.get(at).map_or(b"", AsRef::as_ref)
    }

    fn by_count(&mut self) -> Answer {
        let answer = match self.count {
            0 => false,
            1 => !self.word(0).is_empty(),
            2 => self.two(0)?,
            3 => return self.three(0),
            4 if self.word(0) == b"!" => return self.three(1).map(|answer| !answer),
            4 if self.word(0) == b"(" && self.word(3) == b")" => self.two(1)?,
            _ => return self.any(),
        };
        self.at = self.count;
        Ok(answer)
    }

    fn two(&mut self, at: usize) -> Answer {
        let (first, second) = (self.word(at), self.word(at + 1));
        if first == b"!" {
            Ok(second.is_empty())
        } else if is_unary(first) {
            Ok(unary(first[1], second, self.facts))
        } else {
            Err(TestError::UnaryOperatorExpected(first.to_vec()))
        }
    }

    fn three(&mut self, at: usize) -> Answer {
        let [left, operator, right] = [at, at + 1, at + 2].map(|at| self.word(at));
        self.at = self.count;
        if let Some(operator) = binary_operator(operator) {
            self.binary(left, operator, right)
        } else if operator == b"-a" {
            Ok(!left.is_empty() && !right.is_empty())
        } else if operator == b"-o" {
            Ok(!left.is_empty() || !right.is_empty())
        } else if left == b"!" {
            Ok(!self.two(at + 1)?)
        } else if left == b"(" && right == b")" {
            Ok(!operator.is_empty())
        } else {
            Err(TestError::BinaryOperatorExpected(operator.to_vec()))
        }
    }

    /// Terms joined by `-o`, and tighter by `-a`. All are evaluated, as in bash.
    fn any(&mut self) -> Answer {
        let mut answer = self.all()?;
        while self.at < self.count && self.word(self.at) == b"-o" {
            self.at += 1;
            answer |= self.all()?;
        }
        Ok(answer)
    }

    fn all(&mut self) -> Answer {
        let mut answer = self.term()?;
        while self.at < self.count && self.word(self.at) == b"-a" {
            self.at += 1;
            answer &= self.term()?;
        }
        Ok(answer)
    }

    fn term(&mut self) -> Answer {
        let mut negated = false;
        while self.at < self.count && self.word(self.at) == b"!" {
            negated = !negated;
            self.at += 1;
        }
        if self.at >= self.count {
            return Err(TestError::ArgumentExpected);
        }
        Ok(self.plain_term()? != negated)
    }

    fn plain_term(&mut self) -> Answer {
        let word = self.word(self.at);
        if word == b"(" {
            return self.group();
        }
        let left = self.count - self.at;
        if left >= 3
            && let Some(operator) = binary_operator(self.word(self.at + 1))
        {
            let right = self.word(self.at + 2);
            self.at += 3;
            return self.binary(word, operator, right);
        }
        if left >= 2 && is_unary(word) {
            let operand = self.word(self.at + 1);
            if word == b"-t" && integer(operand).is_none() {
                self.at += 1;
                return Ok(false);
            }
            self.at += 2;
            return Ok(unary(word[1], operand, self.facts));
        }
        self.at += 1;
        Ok(!word.is_empty())
    }

    fn group(&mut self) -> Answer {
        self.depth += 1;
        self.at += 1;
        if self.at >= self.count {
            return Err(TestError::ArgumentExpected);
        }
        if self.depth > MAX_DEPTH {
            return Err(TestError::TooManyArguments);
        }
        let answer = self.any()?;
        self.depth -= 1;
        match self.arguments.get(self.at).map(AsRef::as_ref) {
            Some(b")") if self.at < self.count => {
                self.at += 1;
                Ok(answer)
            }
            found => Err(TestError::MissingParenthesis(found.map(<[u8]>::to_vec))),
        }
    }

    fn binary(&mut self, left: &[u8], operator: Binary, right: &[u8]) -> Answer {
        match operator {
            Binary::Text(wanted) => Ok(wanted(left.cmp(right))),
            Binary::Files(comparison) => Ok(self.facts.compare_files(comparison, left, right)),
            Binary::Numbers(wanted) => {
                let number = |text: &[u8]| {
                    integer(text).ok_or_else(|| TestError::IntegerExpected(text.to_vec()))
                };
                Ok(wanted(number(left)?.cmp(&number(right)?)))
            }
        }
    }
}

/// What an operator compares.
#[derive(Clone, Copy)]
enum Binary {
    Text(fn(Ordering) -> bool),
    Numbers(fn(Ordering) -> bool),
    Files(Comparison),
}

fn binary_operator(word: &[u8]) -> Option<Binary> {
    Some(match word {
        b"=" | b"==" => Binary::Text(Ordering::is_eq),
        b"!=" => Binary::Text(Ordering::is_ne),
        b"<" => Binary::Text(Ordering::is_lt),
        b">" => Binary::Text(Ordering::is_gt),
        b"-eq" => Binary::Numbers(Ordering::is_eq),
        b"-ne" => Binary::Numbers(Ordering::is_ne),
        b"-lt" => Binary::Numbers(Ordering::is_lt),
        b"-le" => Binary::Numbers(Ordering::is_le),
        b"-gt" => Binary::Numbers(Ordering::is_gt),
        b"-ge" => Binary::Numbers(Ordering::is_ge),
        b"-nt" => Binary::Files(Comparison::Newer),
        b"-ot" => Binary::Files(Comparison::Older),
        b"-ef" => Binary::Files(Comparison::Same),
        _ => return None,
    })
}
