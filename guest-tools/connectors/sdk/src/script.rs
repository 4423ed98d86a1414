//! Commands as words for services that run programs, and their end.
//!
//! A service that runs a program knows that one process. So each carries a variable that all it starts inherit, by
//! which they are found when the command is killed.

use crate::Command;

/// The variable that marks the processes of a command.
pub const MARK: &str = "OFFSHOOT_COMMAND";
/// Kills what carries the mark `$1`.
const SWEEP: &str = "for e in /proc/[0-9]*/environ; do \
    if grep -qsF \"OFFSHOOT_COMMAND=$1\" \"$e\"; then p=${e%/environ}; kill -9 \"${p#/proc/}\"; fi; \
    done 2>/dev/null";

/// The words that a command is, beginning with `bash`; its variables are elsewhere, but for those of
/// [`Command::replace_environment`]. What is not UTF-8 travels quoted.
pub fn words(command: &Command, mark: &str) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    if command.replace_environment {
        words.extend(["/usr/bin/env", "-i"].map(str::to_owned));
        words.push(format!("{MARK}={mark}"));
        let pairs = command.environment.iter();
        words.extend(pairs.map(|(name, value)| format!("{name}={value}")));
    }
    words.extend(["/bin/bash", "-c"].map(str::to_owned));
    words.extend(script(command));
    words
}

/// The words that kill all that a command started.
pub fn sweep(mark: &str) -> Vec<String> {
    ["/bin/bash", "-c", SWEEP, "sweep", mark]
        .map(str::to_owned)
        .to_vec()
}

/// The script with its name and arguments.
fn script(command: &Command) -> Vec<String> {
    let name = command.name.clone().unwrap_or_else(|| b"bash".to_vec());
    let all: Option<Vec<String>> = [&command.script, &name]
        .into_iter()
        .chain(&command.arguments)
        .map(|word| String::from_utf8(word.clone()).ok())
        .collect();
    all.unwrap_or_else(|| {
        let arguments: Vec<String> = command.arguments.iter().map(|word| quoted(word)).collect();
        vec![format!(
            "BASH_ARGV0={}; set -- {}; eval {}",
            quoted(&name),
            arguments.join(" "),
            quoted(&command.script)
        )]
    })
}

/// A word in bash's own quoting, for any bytes.
fn quoted(word: &[u8]) -> String {
    let mut text = String::from("$'");
    for byte in word {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b' ' | b'-' | b'_' | b'/' | b'.' => {
                text.push(char::from(*byte));
            }
            _ => text.push_str(&format!("\\{byte:03o}")),
        }
    }
    text.push('\'');
    text
}
