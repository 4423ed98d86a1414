//! Completion of commands, options, variables and paths: the sandbox is asked.

use offshoot::{Exec, Sandbox};
use rustyline::completion::{Completer, Pair, Quote, escape, extract_word};
use rustyline::{Context, Helper, Highlighter, Hinter, Validator};
use std::sync::{Arc, Mutex, PoisonError};
use tokio::runtime::Handle;

/// Prints what `$1` can become, directories with a slash.
const PATHS: &str = r#"
compgen -f -- "$1" | while IFS= read -r path; do
  [[ -d $path ]] && path+=/
  printf '%s\n' "$path"
done"#;

/// Prints the commands that begin with `$1`.
const COMMANDS: &str = r#"compgen -c -- "$1" | sort -u"#;

/// Prints the variables that begin with `$1`.
const VARIABLES: &str = r#"compgen -v -- "$1" | sort -u"#;

/// Prints the options of the program `$2`, as its help names them, that begin with `$1`.
const OPTIONS: &str = r#"
[[ $(type -P -- "$2") == /usr/bin/* ]] || exit
"$2" --help 2>&1 | grep -oE -- '(^|[[:space:],[])--?[[:alnum:]][-[:alnum:]]*' | tr -d ' \t,[' | sort -u |
while IFS= read -r option; do
  [[ $option == "$1"* ]] && printf '%s\n' "$option"
done"#;

/// What helps the user to type.
#[derive(Helper, Highlighter, Hinter, Validator)]
pub struct Assistant {
    /// Where the sandbox runs.
    pub runtime: Handle,
    /// What is asked.
    pub sandbox: Sandbox,
    /// Where the shell is.
    pub directory: Arc<Mutex<String>>,
}

impl Assistant {
    fn candidates(&self, script: &str, word: &str, command: &str) -> Vec<String> {
        let directory = self.directory.lock();
        let directory = directory.unwrap_or_else(PoisonError::into_inner).clone();
        let exec = Exec::new(script)
            .arguments([word, command])
            .cwd(directory)
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
        let before = &line[..start];
        let command = command_of(before);
        let script = match command {
            _ if before.ends_with(['$', '{']) && before.contains('$') => VARIABLES,
            None if !word.contains('/') => COMMANDS,
            Some(_) if word.starts_with('-') => OPTIONS,
            _ => PATHS,
        };
        let pair = |text: String| Pair {
            display: text.clone(),
            replacement: escape(text, Some('\\'), breaks, Quote::None),
        };
        let plain = word.replace('\\', "");
        let found = self.candidates(script, &plain, command.unwrap_or_default());
        Ok((start, found.into_iter().map(pair).collect()))
    }
}

/// The command whose argument a word after this text is; none where the word is a command.
fn command_of(before: &str) -> Option<&str> {
    let part = before.rsplit(['|', '&', ';', '(', '{', '!']).next();
    part.unwrap_or_default().split_whitespace().next()
}

/// What separates words in a shell, and has to be escaped within one.
fn breaks(character: char) -> bool {
    " \t\n\"\\'`@$><=;|&{(#*?[".contains(character)
}

#[cfg(test)]
mod tests {
    use super::command_of;

    #[test]
    fn commands_stand_first() {
        for (before, expected) in [
            ("", None),
            ("  ", None),
            ("ls | ", None),
            ("ls ", Some("ls")),
            ("cd /; git log ", Some("git")),
        ] {
            assert_eq!(command_of(before), expected, "{before:?}");
        }
    }
}
