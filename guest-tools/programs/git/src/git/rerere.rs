//! `git rerere`: what was recorded of conflicts, which is nothing.

use super::flags::Flags;
use super::repository::Repository;
use super::stop::{Outcome, Stop, fatal};
use crate::options::{Opt, Value};
use crate::system;

const OPTIONS: &[Opt] = &[
    Opt("", "rerere-autoupdate", Value::No),
    Opt("h", "help", Value::No),
];

const USAGE: &str = "usage: git rerere [clear | forget <pathspec>... | diff | status | remaining | gc]\n\n    --[no-]rerere-autoupdate\n                          register clean resolutions in index\n";

/// `git rerere`: where it is off nothing was recorded, and there is nothing to say.
///
/// # Errors
/// Where it is on.
pub fn rerere(repository: &mut Repository, arguments: &[Vec<u8>]) -> Outcome<i32> {
    let flags = Flags::read(arguments, OPTIONS)?;
    let words = flags.all_paths();
    let word = words.first().map(Vec::as_slice);
    if flags.has("h") {
        repository.out.put(USAGE);
        repository.out.put("\n");
        return Ok(129);
    }
    let known: [&[u8]; 6] = [b"clear", b"forget", b"diff", b"status", b"remaining", b"gc"];
    if word.is_some_and(|word| !known.contains(&word)) {
        return Err(Stop {
            status: 129,
            message: USAGE.into(),
        });
    }
    if word == Some(b"forget") && words.len() < 2 {
        repository.say("warning: 'git rerere forget' without paths is deprecated");
    }
    let recorded = repository.own("rr-cache");
    let has_records = system::stat(&recorded, true).is_ok();
    if repository.config.truth("rerere.enabled", has_records) {
        return Err(fatal(
            "recorded resolutions (rerere.enabled) are not supported",
        ));
    }
    Ok(0)
}
