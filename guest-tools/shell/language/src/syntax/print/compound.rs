//! Compound commands as bash prints them, for `declare -f`, `type`, jobs and `$BASH_COMMAND`.
//!
//! The layout is that of bash's `print_cmd.c`: within a function four blanks a level, elsewhere one line where the
//! command allows it (`inline`). It is not the text that was read: blanks are normalised, `elif` becomes a nested `if`,
//! and an empty section of `for ((` is `1`.

use super::super::tree::{
    Argument, Assignment, CaseArm, CaseEnd, Command, CommandKind, Condition, List, Word,
};
use super::Printer;
use super::word::{put_assignment, put_document, put_word, put_word_list};

impl<'a> Printer<'a> {
    /// A function within a list.
    #[inline(never)]
    fn inner_function(&mut self, name: &[u8], body: &'a Command) {
        self.put(if self.posix { b"" } else { b"function " });
        self.put(name);
        self.put(b" () \n");
        self.indent();
        self.function_body(body);
    }

    /// Assignments and words, a blank between them.
    pub(super) fn simple(&mut self, assignments: &[Assignment], words: &[Argument]) {
        let mut separator: &[u8] = b"";
        for assignment in assignments {
            self.put(separator);
            put_assignment(&mut self.out, assignment);
            separator = b" ";
        }
        for argument in words {
            self.put(separator);
            match argument {
                Argument::Word(word) => put_word(&mut self.out, word),
                Argument::Assignment(assignment) => put_assignment(&mut self.out, assignment),
            }
            separator = b" ";
        }
    }

    /// A command that is not simple, without its redirects.
    pub(super) fn compound(&mut self, kind: &'a CommandKind) {
        match kind {
            CommandKind::Simple { .. } => {}
            CommandKind::Group(list) => self.group(list),
            CommandKind::Subshell(list) => {
                self.put(b"( ");
                self.inline = true;
                self.list(list);
                self.put(if super::ends_bare(list) {
                    b"; )".as_slice()
                } else {
                    b" )"
                });
            }
            CommandKind::If { arms, otherwise } => self.if_command(arms, otherwise.as_ref()),
            CommandKind::For { name, words, body } => {
                self.word_loop(b"for ", name, words.as_deref(), body);
            }
            CommandKind::Select { name, words, body } => {
                self.word_loop(b"select ", name, words.as_deref(), body);
            }
            CommandKind::ArithmeticFor {
                initial,
                condition,
                step,
                body,
            } => self.arithmetic_loop([initial, condition, step], body),
            CommandKind::While {
                until,
                condition,
                body,
            } => self.while_loop(*until, condition, body),
            CommandKind::Case { word, arms } => self.case(word, arms),
            CommandKind::Conditional(condition) => {
                self.put(b"[[ ");
                put_condition(&mut self.out, condition);
                self.put(b" ]]");
            }
            CommandKind::Arithmetic(expression) => {
                self.put(b"((");
                put_document(&mut self.out, expression);
                self.put(b"))");
            }
            CommandKind::Function { name, body } => self.inner_function(name, body),
            CommandKind::Coprocess { name, body } => {
                self.put(b"coproc ");
                // Before a simple command the name would be taken for its first word.
                if !matches!(body.kind, CommandKind::Simple { .. }) {
                    self.put(name);
                    self.put(b" ");
                }
                self.inline = true;
                self.command(body);
            }
        }
    }

    /// Puts `{ … }` with the redirects of the function.
    pub(super) fn function_body(&mut self, body: &'a Command) {
        let first = self.exported && self.functions == 0;
        self.put(if first { b"{ " } else { b"{ \n" });
        self.functions += 1;
        let step = if first { 1 } else { self.step() };
        self.indentation += step;
        let grouped = match &body.kind {
            CommandKind::Group(list) => {
                self.list(list);
                true
            }
            _ => {
                self.command(body);
                self.flush_documents(b"");
                false
            }
        };
        self.indentation -= step;
        self.functions -= 1;
        self.newline(b"}");
        if grouped && !body.redirects.is_empty() {
            self.put(b" ");
            self.redirects(&body.redirects);
        } else {
            self.printed_document = false;
        }
    }

    /// `{ … }`: on one line outside of functions.
    fn group(&mut self, list: &'a List) {
        self.put(b"{ ");
        if self.functions == 0 {
            self.inline = true;
            self.list(list);
            self.semicolon();
            self.put(b" }");
            return;
        }
        self.put(b"\n");
        self.indented(list);
        self.newline(b"}");
    }

    /// A list, one level deeper.
    fn indented(&mut self, list: &'a List) {
        self.indentation += self.step();
        self.list(list);
        self.indentation -= self.step();
    }

    /// `if`; each `elif` is an `if` within an `else`, with a `fi` of its own.
    fn if_command(&mut self, arms: &'a [(List, List)], otherwise: Option<&'a List>) {
        for (index, (condition, body)) in arms.iter().enumerate() {
            if index > 0 {
                self.semicolon();
                self.newline(b"else\n");
                self.indentation += self.step();
                self.indent();
            }
            self.put(b"if ");
            self.inline = true;
            self.list(condition);
            self.semicolon();
            self.put(b" then\n");
            self.indented(body);
        }
        if let Some(otherwise) = otherwise {
            self.semicolon();
            self.newline(b"else\n");
            self.indented(otherwise);
        }
        for index in (0..arms.len()).rev() {
            self.semicolon();
            self.newline(b"fi");
            self.indentation -= if index > 0 { self.step() } else { 0 };
        }
    }

    /// `for` and `select` over words.
    fn word_loop(
        &mut self,
        keyword: &[u8],
        name: &[u8],
        words: Option<&'a [Word]>,
        body: &'a List,
    ) {
        put_word_list(&mut self.out, keyword, name, words);
        self.put(b";");
        self.loop_body(body);
    }

    /// `for ((…; …; …))`
    fn arithmetic_loop(&mut self, sections: [&'a Word; 3], body: &'a List) {
        self.put(b"for ((");
        for (index, section) in sections.into_iter().enumerate() {
            if index > 0 {
                self.put(b"; ");
            }
            if section.parts.is_empty() {
                self.put(b"1");
            }
            put_document(&mut self.out, section);
        }
        self.put(b"))");
        self.loop_body(body);
    }

    /// `do … done`
    fn loop_body(&mut self, body: &'a List) {
        self.newline(b"do\n");
        self.indented(body);
        self.semicolon();
        self.newline(b"done");
    }

    /// `while` and `until`
    fn while_loop(&mut self, until: bool, condition: &'a List, body: &'a List) {
        self.put(if until { b"until " } else { b"while " });
        self.inline = true;
        self.list(condition);
        self.semicolon();
        self.put(b" do\n");
        self.indented(body);
        self.semicolon();
        self.newline(b"done");
    }

    /// `case … esac`
    fn case(&mut self, word: &'a Word, arms: &'a [CaseArm]) {
        self.put(b"case ");
        put_word(&mut self.out, word);
        self.put(b" in ");
        self.indentation += self.step();
        for arm in arms {
            self.newline(b"");
            // Without the parenthesis this pattern would end the command.
            if super::word(&arm.patterns[0]) == b"esac" {
                self.put(b"(");
            }
            for (index, pattern) in arm.patterns.iter().enumerate() {
                if index > 0 {
                    self.put(b" | ");
                }
                put_word(&mut self.out, pattern);
            }
            self.put(b")\n");
            self.indented(&arm.body);
            self.newline(match arm.end {
                CaseEnd::Leave => b";;",
                CaseEnd::FallThrough => b";&",
                CaseEnd::TestNext => b";;&",
            });
        }
        self.indentation -= self.step();
        self.newline(b"esac");
    }
}

/// A condition of `[[`; a word alone is `-n word`.
fn put_condition(out: &mut Vec<u8>, condition: &Condition) {
    match condition {
        Condition::Word(word) => {
            out.extend_from_slice(b"-n ");
            put_word(out, word);
        }
        Condition::Unary(letter, word) => {
            out.extend_from_slice(&[b'-', *letter, b' ']);
            put_word(out, word);
        }
        Condition::Binary(operator, left, right) => {
            put_word(out, left);
            out.push(b' ');
            out.extend_from_slice(operator.symbol());
            out.push(b' ');
            put_word(out, right);
        }
        Condition::Not(inner) => {
            out.extend_from_slice(b"! ");
            put_condition(out, inner);
        }
        Condition::And(left, right) | Condition::Or(left, right) => {
            put_condition(out, left);
            let and = matches!(condition, Condition::And(..));
            out.extend_from_slice(if and { b" && " } else { b" || " });
            put_condition(out, right);
        }
        Condition::Group(inner) => {
            out.extend_from_slice(b"( ");
            put_condition(out, inner);
            out.extend_from_slice(b" )");
        }
    }
}
