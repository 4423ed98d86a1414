//! Completion of commands and paths: the sandbox is asked.

use offshoot::{Exec, Sandbox};
use rustyline::completion::{Completer, Pair, Quote, escape, extract_word};
use rustyline::{Context, Helper, Highlighter, Hinter, Validator};
use std::cell::RefCell;
use std::rc::Rc;
use tokio::runtime::Handle;

/// Prints what `$1` can become, directories with a slash.
const PATHS: &str = r#"
compgen -f -- "$1" | while IFS= read -r path; do
  [[ -d $path ]] && path+=/
  printf '%s\n' "$path"
done"#;

/// Prints the commands that begin with `$1`.
const COMMANDS: &str = r#"compgen -c -- "$1" | sort -u"#;

/// What helps the user to type.
#[derive(Helper, Highlighter, Hinter, Validator)]
pub struct Assistant {
    /// Where the sandbox runs.
    pub runtime: Handle,
    /// What is asked.
    pub sandbox: Sandbox,
    /// Where the shell is.
    pub directory: Rc<RefCell<String>>,
}

impl Assistant {
    fn candidates(&self, script: &str, word: &str) -> Vec<String> {
        let exec = Exec::new(script)
            .arguments([word])
            .cwd(self.directory.borrow().clone())
            .timeout_ms(2_000);
        // A directory that is gone has nothing to offer.
        let found = self.runtime.block_on(self.sandbox.exec(exec));
        let found = found.map(|result| result.stdout_text().into_owned());
        let found = found.unwrap_or_default();
        found.lines().map(str::to_owned).collect()
    }
}

impl Completer for Assistant {
    type Candidate = Pair;

    fn complete(
        &self,
        line: &str,
        position: usize,
        _context: &Context<'_>,
    ) -> rustyline::Result<(usize, Vec<Pair>)> {
        let (start, word) = extract_word(line, position, Some('\\'), breaks);
        let script = match is_command(&line[..start]) && !word.contains('/') {
            true => COMMANDS,
            false => PATHS,
        };
        let pair = |text: String| Pair {
            display: text.clone(),
            replacement: escape(text, Some('\\'), breaks, Quote::None),
        };
        let plain = word.replace('\\', "");
        let found = self.candidates(script, &plain);
        Ok((start, found.into_iter().map(pair).collect()))
    }
}

/// Whether a word after this text is a command.
fn is_command(before: &str) -> bool {
    let before = before.trim_end();
    before.is_empty() || before.ends_with(['|', '&', ';', '(', '{', '!'])
}

/// What separates words in a shell, and has to be escaped within one.
fn breaks(character: char) -> bool {
    " \t\n\"\\'`@$><=;|&{(#*?[".contains(character)
}

#[cfg(test)]
mod tests {
    use super::is_command;

    #[test]
    fn commands_stand_first() {
        for (before, expected) in [("", true), ("  ", true), ("ls | ", true), ("ls ", false)] {
            assert_eq!(is_command(before), expected, "{before:?}");
        }
    }
}
