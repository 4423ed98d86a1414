//! Completion of commands, options, variables and paths: the sandbox is asked.

use offshoot::{Exec, Sandbox};
use rustyline::completion::{Completer, Pair, Quote, escape, extract_word};
use rustyline::{Context, Helper, Highlighter, Hinter, Validator};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use tokio::runtime::Handle;

/// Prints what `$1` can become, directories with a slash; nothing else for `cd`.
const PATHS: &str = r#"
kind=-f word=$1
[[ $2 == @(cd|pushd|rmdir) ]] && kind=-d
[[ $word == '~/'* ]] && word=~/${word:2}
compgen "$kind" -- "$word" | while IFS= read -r path; do
  [[ -d $path ]] && path+=/
  [[ $1 == '~/'* ]] && path="~/${path#~/}"
  printf '%s\n' "$path"
done"#;

/// Prints the commands that begin with `$1`.
const COMMANDS: &str = r#"compgen -c -- "$1" | sort -u"#;

/// Prints the options of the program `$2`, as its help names them, that begin with `$1`.
const OPTIONS: &str = r#"
[[ $(type -P -- "$2") == /usr/bin/* ]] || exit
"$2" --help 2>&1 | grep -oE -- '(^|[[:space:],[])--?[[:alnum:]][-[:alnum:]]*' | tr -d ' \t,[' | sort -u |
while IFS= read -r option; do
  [[ $option == "$1"* ]] && printf '%s\n' "$option"
done"#;

/// Prints the commands of git that begin with `$1`.
const GIT_COMMANDS: &str = r#"
compgen -W "$(git help -a | grep -oE '^ +[a-z][-a-z]*')" -- "$1""#;

/// Prints branches, tags and files that begin with `$1`; without files where the command of git, `$2`,
/// takes none first.
const GIT_NAMES: &str = r#"
compgen -W "$(git for-each-ref --format='%(refname:short)' refs/heads refs/tags refs/remotes 2> /dev/null)" -- "$1"
[[ $2 == @(branch|merge|rebase|switch) ]] || compgen -f -- "$1" | while IFS= read -r path; do
  [[ -d $path ]] && path+=/
  printf '%s\n' "$path"
done"#;

/// What helps the user to type.
#[derive(Helper, Highlighter, Hinter, Validator)]
pub struct Assistant {
    /// Where the sandbox runs.
    pub runtime: Handle,
    /// What is asked.
    pub sandbox: Sandbox,
    /// What the shell told of itself.
    pub told: Arc<Mutex<Told>>,
}

/// What the shell that is typed to tells with its prompt.
#[derive(Debug)]
pub struct Told {
    /// Where it is.
    pub directory: String,
    /// Its variables, each behind a `$`, its functions and its aliases.
    pub names: Vec<String>,
}

impl Assistant {
    fn told(&self) -> MutexGuard<'_, Told> {
        self.told.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The names of the shell that begin so, without `prefix`.
    fn names(&self, prefix: &str, word: &str) -> Vec<String> {
        let told = self.told();
        let names = told
            .names
            .iter()
            .filter_map(|name| name.strip_prefix(prefix));
        let names = names.filter(|name| !name.starts_with('$') && name.starts_with(word));
        names.map(str::to_owned).collect()
    }

    fn candidates(&self, script: &str, word: &str, command: &str) -> Vec<String> {
        let directory = self.told().directory.clone();
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
        let plain = word.replace('\\', "");
        let command = command_of(before);
        let rest = before.rsplit(SEPARATORS).next().unwrap_or_default();
        let mut words = rest.split_whitespace().skip(1);
        let found = match command {
            _ if before.ends_with(['$', '{']) && before.contains('$') => self.names("$", &plain),
            None if !word.contains('/') && !word.starts_with('~') => {
                let mut found = self.candidates(COMMANDS, &plain, "");
                found.extend(self.names("", &plain));
                found.sort_unstable();
                found.dedup();
                found
            }
            Some(command) if word.starts_with('-') => self.candidates(OPTIONS, &plain, command),
            Some("git") => match words.find(|word| !word.starts_with('-')) {
                None => self.candidates(GIT_COMMANDS, &plain, "git"),
                Some(command) => self.candidates(GIT_NAMES, &plain, command),
            },
            command => self.candidates(PATHS, &plain, command.unwrap_or_default()),
        };
        let pair = |text: String| Pair {
            display: text.clone(),
            replacement: escape(text, Some('\\'), breaks, Quote::None),
        };
        Ok((start, found.into_iter().map(pair).collect()))
    }
}

/// What a command begins behind.
const SEPARATORS: [char; 6] = ['|', '&', ';', '(', '{', '!'];

/// The command whose argument a word after this text is; none where the word is a command.
fn command_of(before: &str) -> Option<&str> {
    let part = before.rsplit(SEPARATORS).next();
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
