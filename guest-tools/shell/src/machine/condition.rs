//! `[[ … ]]`

use std::rc::Rc;

use super::code::{Op, PatternText};
use super::option::{SetOption, Shopt};
use super::run::replay::Call;
use super::run::{Run, Trouble, set_status};
use super::symbol::known;
use super::task::Task;
use super::value::{Attributes, Indexed, Value};
use super::{Machine, path, scope};
use crate::condition::{self, Facts, file};
use crate::pattern::Pattern;
use crate::pattern::regex;
use crate::syntax::tree::BinaryTest;
use crate::text::Text;

/// What conditions ask of the shell.
pub(crate) struct ShellFacts<'a> {
    /// The machine.
    pub(crate) machine: &'a mut Machine,
    /// The task.
    pub(crate) task: &'a mut Task,
}

impl ShellFacts<'_> {
    fn absolute(&mut self, operand: &[u8]) -> Vec<u8> {
        if operand.is_empty() {
            return Vec::new();
        }
        let full = path::absolute(&self.task.state.directory, operand);
        self.machine.seen_by(self.task, full)
    }
}

impl Facts for ShellFacts<'_> {
    fn file(&mut self, question: u8, operand: &[u8]) -> bool {
        if let Some(number) = descriptor_number(operand) {
            let Some(open) = self.task.state.descriptors.get(number) else {
                return false;
            };
            let pipe = open
                .stat()
                .is_ok_and(|stat| stat.kind == crate::os::FileKind::Fifo);
            return match question {
                b'e' | b'r' | b'w' => true,
                b'p' => pipe,
                _ => false,
            };
        }
        let full = self.absolute(operand);
        file::ask(&*self.machine.os, question, &full)
    }

    fn compare_files(&mut self, comparison: file::Comparison, left: &[u8], right: &[u8]) -> bool {
        let (left, right) = (self.absolute(left), self.absolute(right));
        file::compare(&*self.machine.os, comparison, &left, &right)
    }

    fn is_terminal(&mut self, descriptor: i64) -> bool {
        let number = u32::try_from(descriptor).unwrap_or(u32::MAX);
        self.task
            .state
            .descriptors
            .get(number)
            .is_some_and(|open| open.is_terminal())
    }

    fn is_option_on(&mut self, name: &[u8]) -> bool {
        SetOption::find(name).is_some_and(|option| self.task.state.options.on(option))
    }

    fn is_set(&mut self, variable: &[u8]) -> bool {
        scope::is_set(self.machine, self.task, variable)
    }

    fn is_reference(&mut self, variable: &[u8]) -> bool {
        let Some(symbol) = self.machine.symbols.find(variable) else {
            return false;
        };
        let variable = self.task.state.variables.get(symbol);
        variable.is_some_and(|variable| {
            variable.attributes.has(Attributes::NAMEREF) && variable.value.is_set()
        })
    }
}

fn descriptor_number(operand: &[u8]) -> Option<u32> {
    match operand {
        b"/dev/stdin" => Some(0),
        b"/dev/stdout" => Some(1),
        b"/dev/stderr" => Some(2),
        operand => {
            let digits = operand
                .strip_prefix(b"/dev/fd/")
                .or_else(|| operand.strip_prefix(b"/proc/self/fd/"))?;
            std::str::from_utf8(digits).ok()?.parse().ok()
        }
    }
}

/// An operand as `set -x` shows it.
fn traced(operand: &[u8]) -> Vec<u8> {
    if operand.is_empty() {
        b"''".to_vec()
    } else {
        operand.to_vec()
    }
}

pub(super) fn is_arithmetic(test: BinaryTest) -> bool {
    use BinaryTest::{Equal, Greater, GreaterEqual, Less, LessEqual, NotEqual};
    matches!(
        test,
        Equal | NotEqual | Less | LessEqual | Greater | GreaterEqual
    )
}

impl Machine {
    /// Shows a condition where `set -x` is on.
    fn trace_test(&mut self, task: &mut Task, inverted: bool, words: &[&[u8]]) {
        if task.state.options.on(SetOption::Xtrace) {
            let open: &[u8] = if inverted { b"[[ ! " } else { b"[[ " };
            let line = [open, words.join(&b' ').as_slice(), b" ]]"].concat();
            // Showing it cannot fail in a way that matters to the condition.
            let _ = self.trace(task, &line);
        }
    }

    /// Whether a test has an expression to evaluate in which commands run.
    fn test_waits(&self, task: &Task, op: Op) -> bool {
        let count = match op {
            Op::TestUnary(b'v', _) => 1,
            Op::TestBinary(test, _) if is_arithmetic(test) => 2,
            _ => return false,
        };
        let operands = task.stacks.operands.iter().rev().take(count);
        task.replaying.is_none()
            && operands
                .into_iter()
                .any(|text| self.expression_waits(task, text))
    }

    #[inline(never)]
    pub(super) fn test_instruction(&mut self, task: &mut Task, op: Op) -> Run {
        if self.test_waits(task, op) {
            return self.replay(task, Call::Instruction { op });
        }
        let truth = match op {
            Op::TestWord(inverted) => {
                let operand = task.stacks.operand();
                self.trace_test(task, inverted, &[b"-n", &traced(&operand)]);
                operand.is_empty() == inverted
            }
            Op::TestUnary(letter, inverted) => {
                let operand = task.stacks.operand();
                self.trace_test(task, inverted, &[&[b'-', letter], &traced(&operand)]);
                let mut facts = ShellFacts {
                    machine: self,
                    task,
                };
                condition::unary(letter, &operand, &mut facts) != inverted
            }
            Op::TestMatch(index, test, inverted) => {
                let subject = task.stacks.operand();
                let code = task
                    .frames
                    .last()
                    .map(|frame| frame.code.clone())
                    .unwrap_or_default();
                let text = &code.patterns[index as usize];
                let words = [&traced(&subject), test.symbol(), &traced(&text.text)];
                self.trace_test(task, inverted, &words);
                let pattern = self.constant_pattern(task, text, true);
                pattern.matches(&subject) == ((test != BinaryTest::NoMatch) != inverted)
            }
            Op::TestBinary(test, inverted) => {
                let right = task.stacks.operand();
                let left = task.stacks.operand();
                let shown = if test == BinaryTest::Regex {
                    regex::shown(&right)
                } else {
                    right.to_vec()
                };
                let words = [&traced(&left), test.symbol(), &traced(&shown)];
                self.trace_test(task, inverted, &words);
                match self.compare(task, test, &left, &right)? {
                    Some(truth) => truth != inverted,
                    None => {
                        task.state.status = 2;
                        return Ok(());
                    }
                }
            }
            _ => {
                let status = task.state.status;
                set_status(task, status);
                return Ok(());
            }
        };
        if self.gives_up {
            return Err(Trouble::Discard(1));
        }
        task.state.status = u8::from(!truth);
        Ok(())
    }

    /// Compares two operands; none where the comparison is an error.
    fn compare(
        &mut self,
        task: &mut Task,
        test: BinaryTest,
        left: &Text,
        right: &Text,
    ) -> Run<Option<bool>> {
        Ok(Some(match test {
            BinaryTest::Match | BinaryTest::MatchShort | BinaryTest::NoMatch => {
                let mut options = self.pattern_options(task);
                options.extended = true;
                options.ignore_case = task.state.options.shopt(Shopt::Nocasematch);
                let matched = self.pattern_with(right, options).matches(left);
                matched == (test != BinaryTest::NoMatch)
            }
            BinaryTest::Regex => return Ok(self.regex(task, left, right)),
            BinaryTest::Before => left < right,
            BinaryTest::After => left > right,
            BinaryTest::Newer | BinaryTest::Older | BinaryTest::SameFile => {
                let comparison = match test {
                    BinaryTest::Newer => file::Comparison::Newer,
                    BinaryTest::Older => file::Comparison::Older,
                    _ => file::Comparison::Same,
                };
                ShellFacts {
                    machine: self,
                    task,
                }
                .compare_files(comparison, left, right)
            }
            _ => {
                let Some(left) = self.number(task, left)? else {
                    return Ok(Some(false));
                };
                let Some(right) = self.number(task, right)? else {
                    return Ok(Some(false));
                };
                match test {
                    BinaryTest::Equal => left == right,
                    BinaryTest::NotEqual => left != right,
                    BinaryTest::Less => left < right,
                    BinaryTest::LessEqual => left <= right,
                    BinaryTest::Greater => left > right,
                    _ => left >= right,
                }
            }
        }))
    }

    fn number(&mut self, task: &mut Task, text: &Text) -> Run<Option<i64>> {
        if let Some(number) = crate::arithmetic::plain_integer(text) {
            return Ok(Some(number));
        }
        let expression = self.parse_expression(text);
        match self.evaluate(task, &expression, &[], b"[[: ") {
            Ok(number) => Ok(Some(number)),
            Err(super::arithmetic::Fault::Unbound) => Err(super::expand::fatal(task)),
            Err(super::arithmetic::Fault::Expression) => Ok(None),
        }
    }

    /// A constant pattern, compiled once for the present options.
    pub(super) fn constant_pattern(
        &mut self,
        task: &mut Task,
        pattern: &PatternText,
        extended: bool,
    ) -> Rc<Pattern> {
        let ignore_case = task.state.options.shopt(Shopt::Nocasematch);
        if !ignore_case && let Some(compiled) = pattern.compiled.get() {
            return compiled.clone();
        }
        let mut options = self.pattern_options(task);
        options.extended |= extended;
        options.ignore_case = ignore_case;
        let compiled = self.pattern_with(&pattern.text, options);
        if !ignore_case {
            let _ = pattern.compiled.set(compiled.clone());
        }
        compiled
    }

    /// `=~`; none where the expression is wrong.
    fn regex(&mut self, task: &mut Task, left: &Text, right: &Text) -> Option<bool> {
        let ignore_case = task.state.options.shopt(Shopt::Nocasematch);
        let mut options = self.pattern_options(task);
        options.ignore_case = ignore_case;
        let regex = self.regex_with(right, options)?;
        let groups = regex.captures(left);
        let elements: Vec<Text> = match &groups {
            Some(groups) => groups
                .iter()
                .map(|range| {
                    range
                        .clone()
                        .map_or_else(Text::new, |range| Text::from(&left[range]))
                })
                .collect(),
            None => Vec::new(),
        };
        let array = Value::Indexed(Rc::new(Indexed::from_elements(elements)));
        let mut variable = task
            .state
            .variables
            .get(known::BASH_REMATCH)
            .cloned()
            .unwrap_or_default();
        if variable.attributes.has(Attributes::READONLY) {
            return Some(groups.is_some());
        }
        variable.value = array;
        variable.attributes = variable.attributes.with(Attributes::INDEXED);
        task.state.variables.replace(known::BASH_REMATCH, variable);
        Some(groups.is_some())
    }
}
