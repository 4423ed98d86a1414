//! Compound commands, as jumps and loops of the machine.
//!
//! ```text
//! if a; then b; else c; fi      a; JumpIfFailed → 1; b; Jump → 2; 1: c; 2:
//! while a; do b; done           Loop → 2; 0: a; JumpIfFailed → 1; b; KeepStatus; Jump → 0; 1: RestoreStatus; Leave; 2:
//! for x in w; do b; done        Mark; w; For → 1; 0: ForTest; ForNext; b; Jump → 0; 1:
//! case w in p) b;; esac         w; Case → 1; Jump → 2; 1: b; Jump → 3; 2: Status 0; 3: Drop
//! ```
//!
//! A loop's status is that of its last body, hence `KeepStatus`. Heads are traced and announced to the DEBUG trap,
//! which may skip the command with `extdebug`.

use super::Compiler;
use crate::machine::code::{Op, Use};
use crate::syntax::tree::{CaseArm, CaseEnd, List, Part, Word};

impl Compiler<'_> {
    /// `if`; conditions are exempt from `set -e`.
    #[inline(never)]
    pub(super) fn conditional(&mut self, arms: &[(List, List)], otherwise: Option<&List>) {
        let mut ends = Vec::new();
        for (condition, body) in arms {
            self.suppressing(true, |compiler| compiler.list(condition));
            let next = self.hole(Op::JumpIfFailed(0));
            self.list(body);
            ends.push(self.hole(Op::Jump(0)));
            self.fill(&next);
            self.line = 0;
        }
        match otherwise {
            Some(body) => self.list(body),
            None => self.emit(Op::Status(0)),
        }
        for end in &ends {
            self.fill(end);
        }
        self.line = 0;
    }

    /// `while` and `until`.
    #[inline(never)]
    pub(super) fn while_loop(&mut self, until: bool, condition: &List, body: &List) {
        let exit = self.hole(Op::Loop(0));
        let start = self.here();
        self.line = 0;
        self.suppressing(true, |compiler| compiler.list(condition));
        let end = self.hole(if until {
            Op::JumpIfSucceeded(0)
        } else {
            Op::JumpIfFailed(0)
        });
        self.list(body);
        self.emit(Op::KeepStatus);
        self.emit(Op::Jump(start));
        self.fill(&end);
        self.emit(Op::RestoreStatus);
        self.emit(Op::Leave);
        self.fill(&exit);
        self.line = 0;
    }

    /// Shows and announces the head of a compound command, which the DEBUG trap may refuse.
    pub(super) fn head(&mut self, text: &[u8]) -> Option<super::Hole> {
        let index = self.text(text);
        self.emit(Op::Trace(index));
        self.refusable(text)
    }

    /// `for` over words, or over the positional parameters.
    #[inline(never)]
    pub(super) fn for_loop(
        &mut self,
        head: &[u8],
        name: &[u8],
        words: Option<&[Word]>,
        body: &List,
    ) {
        let line = self.context;
        if !self.loop_name(name, true) {
            return;
        }
        let symbol = self.symbols.intern(name);
        let exit = self.loop_over(symbol, words);
        let start = self.here();
        self.emit(Op::ForTest);
        self.at(line);
        let skip = self.head(head);
        self.emit(Op::ForNext);
        self.list(body);
        self.emit(Op::Jump(start));
        if let Some(hole) = skip {
            self.fill(&hole);
            self.emit(Op::ForDrop);
            self.emit(Op::Jump(start));
        }
        self.fill(&exit);
        self.line = 0;
    }

    /// A loop whose variable has no valid name does nothing but fail.
    fn loop_name(&mut self, name: &[u8], ends: bool) -> bool {
        let valid = crate::machine::scope::is_name(name);
        if !valid {
            let label = self.text(name);
            self.emit(Op::LoopName(label, ends));
        }
        valid
    }

    /// Puts the words on the stack and begins the loop; the hole is its end.
    fn loop_over(
        &mut self,
        symbol: crate::machine::symbol::Symbol,
        words: Option<&[Word]>,
    ) -> super::Hole {
        match words {
            Some(words) => {
                self.emit(Op::Mark);
                let before = std::mem::replace(&mut self.looped, true);
                let start = self.here();
                self.words(words);
                let end = self.here();
                self.code.loop_words.push((start, end));
                self.looped = before;
                self.hole(Op::For(symbol, 0))
            }
            None => self.hole(Op::ForPositional(symbol, 0)),
        }
    }

    /// `select`.
    #[inline(never)]
    pub(super) fn select(&mut self, head: &[u8], name: &[u8], words: Option<&[Word]>, body: &List) {
        if !self.loop_name(name, false) {
            return;
        }
        let symbol = self.symbols.intern(name);
        let skip = self.head(head);
        let exit = self.loop_over(symbol, words);
        self.emit(Op::SelectMenu);
        let start = self.here();
        self.line = 0;
        self.emit(Op::SelectNext);
        self.list(body);
        self.emit(Op::Jump(start));
        self.fill(&exit);
        self.fill_skip(skip);
        self.line = 0;
    }

    /// `for ((A; B; C))`.
    #[inline(never)]
    pub(super) fn arithmetic_for(&mut self, line: u32, sections: [&Word; 3], body: &List) {
        let [initial, condition, step] = sections;
        // `continue` goes to the step, so the loop begins there; the first round jumps over it.
        let exit = self.hole(Op::LoopStep(0));
        let begin = self.hole(Op::Jump(0));
        let again = self.here();
        self.at(line);
        self.section(step, Use::Discard);
        let first = self.here();
        let end = self
            .section(condition, Use::Test)
            .then(|| self.hole(Op::JumpIfZero(0)));
        self.list(body);
        self.emit(Op::KeepStatus);
        self.emit(Op::Jump(again));
        if let Some(end) = end {
            self.fill(&end);
        }
        self.emit(Op::RestoreStatus);
        self.emit(Op::Leave);
        let after = self.hole(Op::Jump(0));
        // The first expression is within the loop, which ends where it fails.
        self.fill(&begin);
        self.line = 0;
        self.line(line);
        self.section(initial, Use::Discard);
        self.emit(Op::Jump(first));
        self.fill(&exit);
        self.fill(&after);
        self.line = 0;
    }

    /// One of the expressions of `for (( ))`; false where nothing is evaluated.
    #[inline(never)]
    fn section(&mut self, expression: &Word, usage: Use) -> bool {
        if expression.parts.is_empty() && !self.settings.sources {
            let text = self.text(b"(( 1 ))");
            self.emit(Op::Trace(text));
            return false;
        }
        let one = Word {
            parts: vec![Part::Quoted(b"1".to_vec())],
        };
        let expression = if expression.parts.is_empty() {
            &one
        } else {
            expression
        };
        if !self.settings.sources {
            self.arithmetic(expression, usage);
            return true;
        }
        // It is expanded and shown before the DEBUG trap runs.
        self.expanded(expression);
        self.emit(Op::Section(usage));
        let refused = self.hole(Op::SkipRefused(0));
        self.emit(Op::EvaluateSection(usage));
        let end = self.hole(Op::Jump(0));
        self.fill(&refused);
        self.emit(Op::Drop);
        self.fill(&end);
        true
    }

    /// `case`. Constant patterns are compiled once; `;;&` keeps the status of the arms before.
    #[inline(never)]
    pub(super) fn case(&mut self, head: &[u8], word: &Word, arms: &[CaseArm]) {
        let shown = self.text(head);
        self.emit(Op::Trace(shown));
        let skip = self.refusable(&[head, b" "].concat());
        let keeps = arms.iter().any(|arm| arm.end == CaseEnd::TestNext);
        if keeps {
            let none = self.text(b"0");
            self.emit(Op::Operand(none));
        }
        self.subject(word);
        let mut ends = Vec::new();
        let mut fall_through = None;
        for (number, arm) in arms.iter().enumerate() {
            let last = number + 1 == arms.len();
            let mut matches = Vec::new();
            for pattern in &arm.patterns {
                let hole = match self.constant_pattern(pattern, crate::pattern::escape) {
                    Some(index) => self.hole(Op::CaseConstant(index, 0)),
                    None => {
                        self.case_pattern(pattern);
                        self.hole(Op::Case(0))
                    }
                };
                matches.push(hole);
            }
            let next = self.hole(Op::Jump(0));
            for hole in &matches {
                self.fill(hole);
            }
            if let Some(hole) = fall_through.take() {
                self.fill(&hole);
            }
            self.line = 0;
            if arm.body.items.is_empty() {
                self.emit(Op::Status(0));
            }
            self.list(&arm.body);
            match arm.end {
                CaseEnd::FallThrough if !last => fall_through = Some(self.hole(Op::Jump(0))),
                CaseEnd::TestNext if !last => self.emit(Op::CaseKeep),
                _ => ends.push(self.hole(Op::Jump(0))),
            }
            self.fill(&next);
        }
        self.emit(if keeps { Op::CaseStatus } else { Op::Status(0) });
        for end in &ends {
            self.fill(end);
        }
        self.emit(Op::Drop);
        if keeps {
            self.emit(Op::Drop);
        }
        self.fill_skip(skip);
        self.line = 0;
    }
}
