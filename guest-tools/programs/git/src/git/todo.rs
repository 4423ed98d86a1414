//! The steps of a rebase, as a file that its user may edit.

use super::objects::Id;
use super::repository::Repository;
use super::revision;
use super::stop::{Outcome, Stop, error, quiet};
use crate::call::bytes;
use crate::launch;
use crate::system;

/// What is done with a commit, or between two.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verb {
    Pick,
    Reword,
    Edit,
    Squash,
    Fixup,
    Exec,
    Break,
    Drop,
}

const VERBS: [(Verb, &str, &str); 8] = [
    (Verb::Pick, "pick", "p"),
    (Verb::Reword, "reword", "r"),
    (Verb::Edit, "edit", "e"),
    (Verb::Squash, "squash", "s"),
    (Verb::Fixup, "fixup", "f"),
    (Verb::Exec, "exec", "x"),
    (Verb::Break, "break", "b"),
    (Verb::Drop, "drop", "d"),
];

/// One line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step {
    pub verb: Verb,
    pub id: Option<Id>,
    /// The command of `exec`, or the commit's subject.
    pub text: Vec<u8>,
}

impl Step {
    /// A commit to be made anew.
    pub fn pick(id: Id, subject: Vec<u8>) -> Step {
        Step {
            verb: Verb::Pick,
            id: Some(id),
            text: subject,
        }
    }

    /// A command to run.
    pub fn exec(command: &[u8]) -> Step {
        Step {
            verb: Verb::Exec,
            id: None,
            text: command.to_vec(),
        }
    }

    /// Whether it is joined with the commit before.
    pub fn joins(&self) -> bool {
        matches!(self.verb, Verb::Squash | Verb::Fixup)
    }

    fn name(&self) -> &'static str {
        let found = VERBS.iter().find(|(verb, ..)| *verb == self.verb);
        found.map_or("pick", |(_, name, _)| name)
    }

    /// The line; `short` names the commit.
    pub fn line(&self, short: impl Fn(&Id) -> String) -> Vec<u8> {
        let mut words = vec![self.name().as_bytes().to_vec()];
        words.extend(self.id.as_ref().map(|id| short(id).into_bytes()));
        if !self.text.is_empty() {
            words.push(self.text.clone());
        }
        bytes!(words.join(&b' '), "\n")
    }
}

/// Reads the lines of a list; what is none of them is an error.
pub fn read(repository: &Repository, text: &[u8]) -> Outcome<Vec<Step>> {
    let mut steps = Vec::new();
    for (at, line) in text.split(|&byte| byte == b'\n').enumerate() {
        let line = line.trim_ascii();
        if line.is_empty() || line.starts_with(b"#") {
            continue;
        }
        let end = line
            .iter()
            .position(u8::is_ascii_whitespace)
            .unwrap_or(line.len());
        let (word, rest) = (&line[..end], line[end..].trim_ascii_start());
        let wrong = || {
            let message = format!("invalid line {}: ", at + 1);
            error(bytes!(message, line))
        };
        let known = VERBS
            .iter()
            .find(|(_, long, short)| word == long.as_bytes() || word == short.as_bytes());
        let verb = match known {
            Some((verb, ..)) => *verb,
            None if word == b"noop" => continue,
            None => {
                let message = bytes!("invalid command '", word, "'");
                return Err(Stop {
                    status: 1,
                    message: bytes!("error: ", message, "\n", wrong().message),
                });
            }
        };
        let step = match verb {
            Verb::Exec => Step::exec(rest),
            Verb::Break => Step {
                verb,
                id: None,
                text: Vec::new(),
            },
            _ => {
                let rest = rest
                    .strip_prefix(b"-C ")
                    .or(rest.strip_prefix(b"-c "))
                    .unwrap_or(rest);
                let end = rest
                    .iter()
                    .position(u8::is_ascii_whitespace)
                    .unwrap_or(rest.len());
                let Some(id) = revision::find(repository, &rest[..end])? else {
                    return Err(error(bytes!(
                        "could not parse '",
                        &rest[..end],
                        "'\n",
                        wrong().message
                    )));
                };
                Step {
                    verb,
                    id: Some(revision::commit_of(repository, &id)?.id),
                    text: rest[end..].trim_ascii().to_vec(),
                }
            }
        };
        if steps.is_empty() && step.joins() {
            return Err(error(bytes!(
                "cannot '",
                step.name(),
                "' without a previous commit"
            )));
        }
        steps.push(step);
    }
    Ok(steps)
}

/// Puts `fixup!` and `squash!` behind the commits that they name.
pub fn autosquash(steps: Vec<Step>) -> Vec<Step> {
    let mut out: Vec<Step> = Vec::new();
    for mut step in steps {
        let marks: [(&[u8], Verb); 3] = [
            (b"fixup! ", Verb::Fixup),
            (b"squash! ", Verb::Squash),
            (b"amend! ", Verb::Fixup),
        ];
        let mut title = step.text.as_slice();
        let mut verb = None;
        while let Some((mark, meant)) = marks.iter().find(|(mark, _)| title.starts_with(mark)) {
            title = &title[mark.len()..];
            verb = verb.or(Some(*meant));
        }
        let title = title.to_vec();
        let fits = |other: &Step| {
            let named = |id: &Id| title.len() >= 7 && id.to_string().as_bytes().starts_with(&title);
            other.verb == Verb::Pick
                && (other.text.starts_with(&title) || other.id.as_ref().is_some_and(named))
        };
        match (verb, out.iter().position(fits)) {
            (Some(verb), Some(at)) => {
                step.verb = verb;
                let behind = out[at + 1..]
                    .iter()
                    .take_while(|other| other.joins())
                    .count();
                out.insert(at + 1 + behind, step);
            }
            _ => out.push(step),
        }
    }
    out
}

/// Puts a command behind each commit.
pub fn with_command(steps: Vec<Step>, command: &[u8]) -> Vec<Step> {
    let mut out = Vec::new();
    let mut rest = steps.into_iter().peekable();
    while let Some(step) = rest.next() {
        out.push(step);
        if !rest.peek().is_some_and(Step::joins) {
            out.push(Step::exec(command));
        }
    }
    out
}

const HELP: &str = "
# Commands:
# p, pick <commit> = use commit
# r, reword <commit> = use commit, but edit the commit message
# e, edit <commit> = use commit, but stop for amending
# s, squash <commit> = use commit, but meld into previous commit
# f, fixup <commit> = like \"squash\" but keep only the previous commit's message
# x, exec <command> = run command (the rest of the line) using shell
# b, break = stop here (continue rebase later with 'git rebase --continue')
# d, drop <commit> = remove commit
#
# These lines can be re-ordered; they are executed from top to bottom.
#
# If you remove a line here THAT COMMIT WILL BE LOST.
#
# However, if you remove everything, the rebase will be aborted.
#
";

/// Lets the user's editor work on the list.
pub fn edit(repository: &mut Repository, steps: &[Step], path: &[u8]) -> Outcome<Vec<Step>> {
    let mut text = Vec::new();
    for step in steps {
        text.extend(step.line(|id| repository.short(id)));
    }
    if steps.is_empty() {
        text.extend_from_slice(b"noop\n");
    }
    text.extend_from_slice(HELP.as_bytes());
    super::objects::write_file(path, &text)?;
    let own = std::env::var_os("GIT_SEQUENCE_EDITOR").map(|value| value.into_encoded_bytes());
    let editor = own
        .filter(|editor| !editor.is_empty())
        .or_else(|| repository.config.get("sequence.editor").map(<[u8]>::to_vec))
        .or_else(|| super::editor::command(repository));
    let Some(editor) = editor else {
        return Err(error(
            "Terminal is dumb, but EDITOR unset\nPlease set GIT_SEQUENCE_EDITOR to a command that edits the list of steps.",
        ));
    };
    if editor != b":" && !super::editor::run(repository, &editor, path) {
        repository.say(bytes!(
            "error: there was a problem with the editor '",
            editor,
            "'"
        ));
        return Err(quiet(1));
    }
    let text = system::read_whole(path).unwrap_or_default();
    read(repository, &text)
}

/// Runs the command of `exec`; its status.
pub fn execute(repository: &mut Repository, command: &[u8], quiet: bool) -> i32 {
    repository.out.flush();
    if !quiet {
        repository.say(bytes!("Executing: ", command));
    }
    let root = repository.root.clone();
    let started = launch::shell(command, root.as_deref(), system::Streams::default());
    started
        .and_then(system::wait)
        .map_or(127, |exit| exit.status())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn step(text: &str) -> Step {
        Step::pick(super::super::objects::none(), text.as_bytes().to_vec())
    }

    #[test]
    fn fixups_go_behind_what_they_fix() {
        let steps = vec![
            step("one"),
            step("two"),
            step("fixup! one"),
            step("squash! one"),
        ];
        let sorted = autosquash(steps);
        let text: Vec<_> = sorted
            .iter()
            .map(|step| (step.verb, step.text.clone()))
            .collect();
        let expected = [
            (Verb::Pick, b"one".to_vec()),
            (Verb::Fixup, b"fixup! one".to_vec()),
            (Verb::Squash, b"squash! one".to_vec()),
            (Verb::Pick, b"two".to_vec()),
        ];
        assert_eq!(text, expected);
    }
}
