//! `patch`, after GNU patch 2.7.6.
//!
//! `read` splits the input into patches, one for each file; `choose` finds the file; `apply` finds the place of each
//! hunk in it; `write` puts the result in the place of the file, and `reject` makes a patch of the hunks that found
//! none. `message` says all of it: GNU's writes to standard output, or to standard error where that is the patched
//! file.
//!
//! There is no terminal to ask at. Where GNU's would ask, the question is written with no answer, and the patch is
//! skipped. Files outside of the directory are never patched: see `Patching::stripped`.
//!
//! Scripts for ed are in `script`. Not known is `--merge`. Statuses: 0; 1 where a hunk was rejected or a patch skipped; 2
//! for an error that ends the command.

mod apply;
mod choose;
mod message;
mod read;
mod reject;
mod script;
mod write;

use apply::{Place, Text};
use read::{Format, Hunk, Malformed, Patch, Reader};

use crate::call::{Call, bytes};
use crate::options::{Opt, Parsed, Syntax, Value};
use crate::output::Output;
use crate::system::Kind;
use crate::{options, quote, system};
use write::{Change, is_new};

const SYNTAX: Syntax = Syntax {
    usage: "Usage: patch [OPTION]... [ORIGFILE [PATCHFILE]]\nApply a diff file to an original.\n",
    options: &[
        Opt("p", "strip", Value::Required),
        Opt("F", "fuzz", Value::Required),
        Opt("l", "ignore-whitespace", Value::No),
        Opt("c", "context", Value::No),
        Opt("n", "normal", Value::No),
        Opt("e", "ed", Value::No),
        Opt("u", "unified", Value::No),
        Opt("N", "forward", Value::No),
        Opt("R", "reverse", Value::No),
        Opt("i", "input", Value::Required),
        Opt("o", "output", Value::Required),
        Opt("r", "reject-file", Value::Required),
        Opt("", "reject-format", Value::Required),
        Opt("E", "remove-empty-files", Value::No),
        Opt("b", "backup", Value::No),
        Opt("", "backup-if-mismatch", Value::No),
        Opt("", "no-backup-if-mismatch", Value::No),
        Opt("B", "prefix", Value::Required),
        Opt("z", "suffix", Value::Required),
        Opt("V", "version-control", Value::Required),
        Opt("t", "batch", Value::No),
        Opt("f", "force", Value::No),
        Opt("s", "quiet", Value::No),
        Opt("s", "silent", Value::No),
        Opt("", "verbose", Value::No),
        Opt("", "dry-run", Value::No),
        Opt("", "posix", Value::No),
        Opt("d", "directory", Value::Required),
        Opt("D", "ifdef", Value::Required),
        Opt("", "binary", Value::No),
        Opt("", "read-only", Value::Required),
    ],
    permute: true,
    status: 2,
};

/// Runs the command.
pub fn run(call: &Call) -> i32 {
    start(call).unwrap_or_else(|status| status)
}

/// Reads the command line and the patch. Both of the results are exit statuses.
fn start(call: &Call) -> Result<i32, i32> {
    let parsed = options::parse(call, &SYNTAX)?;
    let number = |key: &str, what: &str| match parsed.value(key) {
        None => Ok(None),
        Some(text) => options::number(text)
            .map(Some)
            .ok_or_else(|| call.fail(2, bytes!("**** ", what, " ", text, " is not a number"))),
    };
    let strip = number("p", "strip count")?;
    let fuzz = number("F", "fuzz factor")?.unwrap_or(2);
    if let Some(extra) = parsed.operands.get(2) {
        let message = bytes!("extra operand ", quote::message(extra));
        return Err(options::usage_error(call, &SYNTAX, message));
    }
    let base = parsed.value("d").unwrap_or_default().to_vec();
    let input = parsed
        .value("i")
        .or(parsed.operands.get(1).map(Vec::as_slice));
    let input = input.filter(|name| *name != b"-");
    let path = input.map_or_else(|| b"-".to_vec(), |name| system::join(&base, name));
    let text = system::read_whole(&path).map_err(|failure| {
        let name = quote::shell_where_needed(&path);
        call.fail(
            2,
            bytes!("**** Can't open patch file ", name, " : ", failure),
        )
    })?;
    let allowed = [
        ("read-only", &["ignore", "warn", "fail"][..]),
        ("reject-format", &["context", "unified"][..]),
    ];
    for (key, values) in allowed {
        if let Some(given) = parsed.value(key) {
            let named: Vec<Vec<&str>> = values.iter().map(|value| vec![*value]).collect();
            options::choice(call, &format!("--{key}"), given, &named).map_err(|_| SYNTAX.status)?;
        }
    }
    let quiet = parsed.has("s");
    let mut patching = Patching {
        call,
        base,
        strip,
        fuzz,
        quiet,
        reverse: parsed.has("R"),
        warned: false,
        described: false,
        out: Output::new(),
        status: 0,
        parsed,
    };
    let text = patching.without_returns(text);
    if patching.parsed.has("e") || script::is_script(&text) {
        return patching.script(&text);
    }
    let only = match patching.parsed.last(&["c", "n", "u"]) {
        Some("c") => Some(Format::Context),
        Some("n") => Some(Format::Normal),
        Some(_) => Some(Format::Unified),
        None => None,
    };
    patching.all(&text, only)
}

/// The state of one call.
struct Patching<'a> {
    call: &'a Call,
    parsed: Parsed,
    /// The directory of `-d`, where all files are looked for; empty for the working directory.
    base: Vec<u8>,
    /// `-p`: how many leading parts names lose; none leaves only the last part.
    strip: Option<usize>,
    /// `-F`: how many lines of context may be left out of the comparison at either end of a hunk, 2 without the
    /// option.
    fuzz: usize,
    quiet: bool,
    reverse: bool,
    /// The patch named a file outside.
    warned: bool,
    /// A patch was told of before.
    described: bool,
    out: Output,
    status: i32,
}

/// A patch on its way into one file.
struct Work<'a> {
    text: Text<'a>,
    /// The hunks are undone: `-R`, unless the first hunk turned out to fit the other way round.
    reverse: bool,
    /// The hunks that are left are not applied.
    skipping: bool,
    /// Some hunk did not fit exactly where it said.
    mismatch: bool,
}

/// What was found out about a hunk.
struct Found {
    /// The hunk, turned where the patch is.
    hunk: Hunk,
    /// Where it fits, if it does.
    place: Option<Place>,
    /// How many lines of its context were left out of the comparison.
    fuzz: usize,
}

/// What is to be done about a patch that seems to be applied already.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Answer {
    /// It is undone in place of applied (`-t`), or the other way round.
    Reverse,
    /// It is applied as it is (`-f`).
    Apply,
    /// It is left out (`-N`, and where nobody answers).
    Skip,
}

impl Patching<'_> {
    /// The patch with plain line ends, where the headers of its hunks end in carriage returns, unless `--binary` is
    /// given.
    fn without_returns(&mut self, text: Vec<u8>) -> Vec<u8> {
        let mut headers = text.split(|&byte| byte == b'\n');
        let header = |line: &[u8]| {
            line.ends_with(b"\r") && (line.starts_with(b"@@ -") || line.starts_with(b"*** "))
        };
        if self.parsed.has("binary") || !headers.any(header) {
            return text;
        }
        self.tell("(Stripping trailing CRs from patch; use --binary to disable.)\n");
        let mut plain = Vec::with_capacity(text.len());
        for line in text.split_inclusive(|&byte| byte == b'\n') {
            match line.strip_suffix(b"\r\n") {
                Some(line) => plain.extend_from_slice(&bytes!(line, "\n")),
                None => plain.extend_from_slice(line),
            }
        }
        plain
    }

    /// Applies all patches of a text, `only` those of one format; gives the exit status.
    ///
    /// # Errors
    /// Status 2, after a message, for a malformed patch, for a text without any, and for a file that cannot be
    /// written. What came before it is applied.
    fn all(mut self, text: &[u8], only: Option<Format>) -> Result<i32, i32> {
        let mut reader = Reader::new(text, only);
        let mut some = false;
        loop {
            let ended = reader.is_done();
            match reader.next() {
                // A normal difference names no file.
                Ok(Some(patch))
                    if patch.format == Format::Normal
                        && patch.index.is_none()
                        && self.parsed.operands.is_empty() => {}
                Ok(Some(patch)) => {
                    some = true;
                    self.one(patch)?;
                }
                Ok(None) => {
                    if some && !ended && self.parsed.has("verbose") {
                        self.say("Hmm...  Ignoring the trailing garbage.\n");
                    }
                    break;
                }
                Err(Malformed(line, text)) => {
                    self.out.flush();
                    let message = format!("**** malformed patch at line {line}: ");
                    return Err(self.call.fail(2, bytes!(message, text, "\n")));
                }
            }
        }
        if !some && !text.is_empty() {
            self.out.flush();
            let message = "**** Only garbage was found in the patch input.";
            return Err(self.call.fail(2, message));
        }
        if some && self.parsed.has("verbose") {
            self.say("done\n");
        }
        let status = self.status;
        Ok(self.out.finish("patch", status, 2))
    }

    /// Applies one patch to the file that it is for, unless there is none, or it is no regular file, is read-only, or
    /// seems to be patched already. A file that does not exist is empty.
    fn one(&mut self, patch: Patch) -> Result<(), i32> {
        let count = patch.hunks.len();
        self.warned = false;
        self.describe(&patch);
        let Some(name) = self.choose(&patch) else {
            self.not_found(&patch);
            self.status = 1;
            let plural = if count == 1 { "" } else { "s" };
            self.say(format!("{count} out of {count} hunk{plural} ignored\n"));
            return Ok(());
        };
        let path = system::join(&self.base, &name);
        let stat = system::stat(&path, !self.parsed.operands.is_empty());
        if let Ok(stat) = &stat
            && stat.kind != Kind::Regular
        {
            let shown = quote::shell_where_needed(&name);
            self.say(bytes!(
                "File ",
                shown,
                " is not a regular file -- refusing to patch\n"
            ));
            self.status = 1;
            let plural = if count == 1 { "" } else { "s" };
            let ignored = format!("{count} out of {count} hunk{plural} ignored");
            return self.reject(&patch, &name, (&patch.hunks, false), &ignored);
        }
        let content = match &stat {
            Ok(_) => system::read_whole(&path).map_err(|failure| {
                self.call
                    .fail(2, bytes!("**** Can't open file ", name, " : ", failure))
            })?,
            Err(_) => Vec::new(),
        };
        let renamed = patch.rename_to.as_ref().and(patch.git_names.as_ref());
        let target = renamed.map(|(old, new)| if self.reverse { old } else { new });
        let target = target.and_then(|target| self.stripped(target));
        let target = target.filter(|target| *target != name && self.parsed.operands.is_empty());
        let creates = is_new(&patch, self.reverse) && !content.is_empty();
        let deletes = is_new(&patch, !self.reverse) && stat.is_err();
        let mut reverse = self.reverse;
        if creates || deletes {
            let shown = String::from_utf8_lossy(&quote::shell_where_needed(&name)).into_owned();
            let when = if self.reverse { ", when reversed," } else { "" };
            let (what, why) = if creates {
                ("create", "already exists")
            } else {
                ("delete", "does not exist")
            };
            let found =
                format!("The next patch{when} would {what} the file {shown},\nwhich {why}!");
            match self.already(&found) {
                Answer::Reverse => reverse = !reverse,
                Answer::Apply => {}
                Answer::Skip => {
                    self.status = 1;
                    let plural = if count == 1 { "" } else { "s" };
                    self.say(format!("{count} out of {count} hunk{plural} ignored\n"));
                    return Ok(());
                }
            }
        }
        if let Ok(stat) = &stat
            && self.spares(stat.mode, &name)
        {
            self.status = 1;
            let plural = if count == 1 { "" } else { "s" };
            let ignored = format!("{count} out of {count} hunk{plural} ignored");
            return self.reject(&patch, &name, (&patch.hunks, false), &ignored);
        }
        self.announce(&patch, &name, target.as_deref());
        self.apply(
            reverse,
            &patch,
            &name,
            target.as_deref(),
            &content,
            stat.ok().map(|stat| stat.mode),
        )
    }

    /// Whether a file that nobody may write is left alone. Root is not asked.
    fn spares(&mut self, mode: u32, name: &[u8]) -> bool {
        let how = self.parsed.value("read-only");
        if mode & 0o222 != 0 || how == Some(b"ignore") || system::identity().uid == 0 {
            return false;
        }
        let spares = how == Some(b"fail");
        let then = if spares {
            " is read-only; refusing to patch\n"
        } else {
            " is read-only; trying to patch anyway\n"
        };
        self.say(bytes!("File ", quote::shell_where_needed(name), then));
        spares
    }

    /// Applies the hunks in their order and writes the result. `mode` is that of the file, none where there is no
    /// file. Hunks that fail do not keep the others from being applied.
    fn apply(
        &mut self,
        reverse: bool,
        patch: &Patch,
        name: &[u8],
        target: Option<&[u8]>,
        content: &[u8],
        mode: Option<u32>,
    ) -> Result<(), i32> {
        let define = self.parsed.value("D").map(<[u8]>::to_vec);
        let mut work = Work {
            text: Text::new(content, self.parsed.has("l"), define.as_deref()),
            reverse,
            skipping: false,
            mismatch: false,
        };
        let mut failed = Vec::new();
        for (index, given) in patch.hunks.iter().enumerate() {
            let found = self.find(&mut work, given, index == 0);
            match found.place {
                Some(place) => self.succeed(&mut work, index + 1, &found, place),
                None => failed.push(self.give_up(&mut work, index + 1, found.hunk)),
            }
        }
        if !work.skipping {
            let result = work.text.finish();
            let change = Change {
                name,
                target,
                mode,
                mismatch: work.mismatch,
                reverse: work.reverse,
                failed: !failed.is_empty(),
            };
            self.write(patch, &change, &result)?;
        }
        if failed.is_empty() {
            return Ok(());
        }
        self.status = 1;
        let count = patch.hunks.len();
        let plural = if count == 1 { "" } else { "s" };
        let what = if work.skipping { "ignored" } else { "FAILED" };
        let summary = format!("{} out of {count} hunk{plural} {what}", failed.len());
        let name = target.unwrap_or(name);
        self.reject(patch, name, (&failed, work.reverse), &summary)
    }

    /// Looks for the place of a hunk, with more and more fuzz. Where the first hunk fits only the
    /// other way round, the patch is turned, forced or skipped, as [`Self::already`] says; with `-f` this is not looked
    /// for.
    fn find(&mut self, work: &mut Work, given: &Hunk, is_first: bool) -> Found {
        let mut hunk = turned(given, work.reverse);
        let (prefix, suffix) = hunk.context();
        let most = self.fuzz.min(prefix.max(suffix));
        let mut fuzz = 0;
        let mut place = None;
        let mut forced = self.parsed.has("f");
        while !work.skipping && fuzz <= most {
            place = work.text.locate(&hunk, fuzz);
            if place.is_some() {
                break;
            }
            let other = turned(given, !work.reverse);
            if is_first && !forced && work.text.locate(&other, fuzz).is_some() {
                let found = if work.reverse {
                    "Unreversed patch detected!"
                } else {
                    "Reversed (or previously applied) patch detected!"
                };
                match self.already(found) {
                    Answer::Reverse => {
                        work.reverse = !work.reverse;
                        hunk = other;
                    }
                    Answer::Apply => forced = true,
                    Answer::Skip => work.skipping = true,
                }
                continue;
            }
            work.mismatch = true;
            fuzz += 1;
        }
        Found { hunk, place, fuzz }
    }

    /// Applies a hunk at its place, and says so where the place is not the one that it named.
    fn succeed(&mut self, work: &mut Work, number: usize, found: &Found, place: Place) {
        let at = place.line as isize + work.text.growth;
        work.text.apply(&found.hunk, place);
        let (fuzz, offset) = (found.fuzz, work.text.offset);
        let moved = fuzz > 0 || offset != 0;
        work.mismatch |= moved;
        if moved || self.parsed.has("verbose") {
            let plural = if offset == 1 { "" } else { "s" };
            let fuzz = if fuzz > 0 {
                format!(" with fuzz {fuzz}")
            } else {
                String::new()
            };
            let offset = if offset == 0 {
                String::new()
            } else {
                format!(" (offset {offset} line{plural})")
            };
            self.tell(format!("Hunk #{number} succeeded at {at}{fuzz}{offset}.\n"));
        }
    }

    /// Tells of a hunk without a place; gives it as it goes into the rejects.
    fn give_up(&mut self, work: &mut Work, number: usize, mut hunk: Hunk) -> Hunk {
        work.mismatch = true;
        let growth = work.text.growth;
        let at = hunk.old_start as isize + growth;
        if !work.skipping {
            let ends = if work.text.has_other_ends(&hunk) {
                " (different line endings)"
            } else {
                ""
            };
            self.tell(format!("Hunk #{number} FAILED at {at}{ends}.\n"));
        } else if self.parsed.has("verbose") {
            self.say(format!("Hunk #{number} ignored at {at}.\n"));
        }
        hunk.old_start = hunk.old_start.saturating_add_signed(growth);
        hunk.new_start = hunk.new_start.saturating_add_signed(growth);
        hunk
    }
}

/// A hunk, or the one that undoes it.
fn turned(hunk: &Hunk, reverse: bool) -> Hunk {
    if reverse {
        hunk.reversed()
    } else {
        hunk.clone()
    }
}
