//! Scripts that begin with `#!`, by the rules of Linux's `execve`.

use super::external::{Located, executable, find, is_standard, locate};
use super::run::Run;
use super::task::Task;
use super::{Machine, path};
use crate::builtin::Lookup;
use crate::os::Access;
use crate::text::Text;

/// `#!` lines that are followed, so that two scripts cannot name each other without end.
const INTERPRETERS: usize = 4;

impl Machine {
    /// Runs a script by its interpreter; `None` where the file is no script, or may not be executed.
    pub(super) fn run_script(
        &mut self,
        task: &mut Task,
        words: &[Text],
        path: &Text,
    ) -> Option<Run> {
        let mut call = vec![path.clone()];
        call.extend(words.iter().skip(1).cloned());
        for _ in 0..=INTERPRETERS {
            let Some(line) = self.interpreter_line(task, &call[0]) else {
                return (call.len() > words.len()).then(|| self.run_interpreter(task, path, call));
            };
            call.splice(0..0, line);
            self.skip_env(task, &mut call);
        }
        let message = format!("{}: bad interpreter", call[0].to_string_lossy());
        let message = format!("{message}: Too many levels of symbolic links");
        Some(self.refuse(task, path, &message, 126))
    }

    /// What stands before a script's path when it is executed.
    fn interpreter_line(&self, task: &Task, script: &Text) -> Option<Vec<Text>> {
        let full = path::absolute(&task.state.directory, script);
        let access = Access {
            execute: true,
            ..Access::default()
        };
        self.os.access(&full, access).ok()?;
        parse(&self.first_bytes(&full))
    }

    /// Does what `env NAME` and `env -S NAME WORD...` do, where that needs no process.
    fn skip_env(&mut self, task: &mut Task, call: &mut Vec<Text>) {
        let Some(words) = env_words(call) else {
            return;
        };
        match locate(self, task, &words[0], false) {
            Located::Nothing => {}
            Located::Path(_) => {
                if let Some(found) = find(self, task, &words[0], false) {
                    call.splice(..2, words);
                    call[0] = found;
                }
            }
            _ => drop(call.splice(..2, words)),
        }
    }

    fn run_interpreter(&mut self, task: &mut Task, script: &Text, call: Vec<Text>) -> Run {
        match locate(self, task, &call[0].clone(), false) {
            Located::Shell => self.run_shell(task, &call, None),
            Located::Path(path) if executable(self, task, &path) => {
                self.spawn(task, call, Some(path), None)
            }
            Located::Applet(_) => {
                let lookup = Lookup::NoFunctions;
                self.dispatch(task, call, Vec::new(), Some(&lookup))
            }
            Located::Path(path) if !self.is_there(task, &path) => {
                self.refuse(task, script, "cannot execute: required file not found", 127)
            }
            _ => {
                let message = format!("{}: bad interpreter", call[0].to_string_lossy());
                let message = format!("{message}: Permission denied");
                self.refuse(task, script, &message, 126)
            }
        }
    }

    fn is_there(&self, task: &Task, name: &[u8]) -> bool {
        let full = path::absolute(&task.state.directory, name);
        self.os.stat(&full, true).is_ok()
    }
}

/// The interpreter of a `#!` line, and all that follows as one argument.
fn parse(head: &[u8]) -> Option<Vec<Text>> {
    let blank = |byte: &u8| matches!(byte, b' ' | b'\t');
    let line = head.strip_prefix(b"#!")?;
    let line = line.split(|&byte| byte == b'\n').next()?;
    let start = line.iter().position(|byte| !blank(byte))?;
    let end = line.iter().rposition(|byte| !blank(byte))?;
    let line = &line[start..=end];
    let Some(space) = line.iter().position(blank) else {
        return Some(vec![Text::from(line)]);
    };
    let argument = line[space..].trim_ascii_start();
    Some(vec![Text::from(&line[..space]), Text::from(argument)])
}

/// The command that `env` is asked to run, where its argument needs no further reading.
fn env_words(call: &[Text]) -> Option<Vec<Text>> {
    let directory = call[0].strip_suffix(b"/env")?;
    if !is_standard(directory) {
        return None;
    }
    let argument = call.get(1).filter(|_| call.len() > 2)?;
    let plain = |byte: &u8| !matches!(byte, b'=' | b'\'' | b'"' | b'\\' | b'$' | b'#');
    if !argument.iter().all(plain) {
        return None;
    }
    let blank = u8::is_ascii_whitespace;
    let words = match argument.strip_prefix(b"-S") {
        Some(text) => text
            .split(blank)
            .filter(|word| !word.is_empty())
            .map(Text::from)
            .collect(),
        None if argument.iter().any(blank) => return None,
        None => vec![argument.clone()],
    };
    words
        .first()
        .is_some_and(|word| !word.starts_with(b"-"))
        .then_some(words)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_read_as_linux_does() {
        let cases: &[(&[u8], Option<&[&str]>)] = &[
            (b"#!/bin/sh\necho", Some(&["/bin/sh"])),
            (b"#! \t/bin/awk -f \t\nx", Some(&["/bin/awk", "-f"])),
            (b"#!/bin/sed -n  2p\n", Some(&["/bin/sed", "-n  2p"])),
            (b"#!/bin/sh\r\n", Some(&["/bin/sh\r"])),
            (b"#!\n/bin/sh", None),
            (b"#! \n", None),
            (b"echo", None),
        ];
        for (head, expected) in cases {
            let found = parse(head);
            let expected =
                expected.map(|words| words.iter().map(|&word| Text::from(word)).collect());
            assert_eq!(found, expected, "{}", String::from_utf8_lossy(head));
        }
    }

    #[test]
    fn env_is_skipped_where_it_only_names_a_command() {
        let cases: &[(&[&str], Option<&[&str]>)] = &[
            (&["/usr/bin/env", "bash", "s"], Some(&["bash"])),
            (&["/usr/bin/env", "-S bash -x", "s"], Some(&["bash", "-x"])),
            (&["/usr/bin/env", "-Sbash", "s"], Some(&["bash"])),
            (&["/usr/bin/env", "bash -x", "s"], None),
            (&["/usr/bin/env", "A=1", "s"], None),
            (&["/usr/bin/env", "-i", "s"], None),
            (&["/usr/bin/env", "-S A=1 bash", "s"], None),
            (&["/usr/bin/env", "s"], None),
            (&["/opt/env", "bash", "s"], None),
            (&["env", "bash", "s"], None),
        ];
        for (call, expected) in cases {
            let call: Vec<Text> = call.iter().map(|&word| Text::from(word)).collect();
            let expected =
                expected.map(|words| words.iter().map(|&word| Text::from(word)).collect());
            assert_eq!(env_words(&call), expected, "{call:?}");
        }
    }
}
