//! `patch`.

mod apply;
mod read;
mod reject;

use std::io::Write as _;

use apply::Text;
use read::{Format, Hunk, Malformed, Name, Patch, Reader};

use crate::call::{Call, bytes};
use crate::options::{self, Opt, Parsed, Syntax, Value};
use crate::output::Output;
use crate::quote;
use crate::system::{self, Kind};

const SYNTAX: Syntax = Syntax {
    usage: "Usage: patch [OPTION]... [ORIGFILE [PATCHFILE]]\nApply a diff file to an original.\n",
    options: &[
        Opt("p", "strip", Value::Required),
        Opt("F", "fuzz", Value::Required),
        Opt("l", "ignore-whitespace", Value::No),
        Opt("c", "context", Value::No),
        Opt("n", "normal", Value::No),
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
    let only = match patching.parsed.last(&["c", "n", "u"]) {
        Some("c") => Some(Format::Context),
        Some("n") => Some(Format::Normal),
        Some(_) => Some(Format::Unified),
        None => None,
    };
    patching.all(&text, only)
}

struct Patching<'a> {
    call: &'a Call,
    parsed: Parsed,
    base: Vec<u8>,
    strip: Option<usize>,
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

/// What is to be done about a hunk that seems to be applied already.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Answer {
    Reverse,
    Apply,
    Skip,
}

impl Patching<'_> {
    fn say(&mut self, text: impl AsRef<[u8]>) {
        if self.parsed.value("o") == Some(b"-") {
            // Standard output is the patched file; nothing is left to tell where this fails.
            let _ = std::io::stderr().write_all(text.as_ref());
        } else {
            self.out.put(text);
        }
    }

    fn tell(&mut self, text: impl AsRef<[u8]>) {
        if !self.quiet {
            self.say(text);
        }
    }

    /// A patch for text with plain line ends, made of one with carriage returns.
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

    /// The name without its leading directories; none where it leads out of the directory.
    fn stripped(&mut self, path: &[u8]) -> Option<Vec<u8>> {
        if path.is_empty() || path == b"/dev/null" {
            return None;
        }
        let mut parts: Vec<&[u8]> = path.split(|&byte| byte == b'/').collect();
        parts.dedup_by(|a, b| a.is_empty() && b.is_empty());
        match self.strip {
            None => drop(parts.drain(..parts.len() - 1)),
            Some(count) if count >= parts.len() => return None,
            Some(count) => drop(parts.drain(..count)),
        }
        let name = parts.join(&b"/"[..]);
        if name.is_empty() {
            return None;
        }
        let through_link = (1..parts.len()).any(|count| {
            let parent = system::join(&self.base, &parts[..count].join(&b"/"[..]));
            system::stat(&parent, false).is_ok_and(|stat| stat.kind == Kind::Symlink)
        });
        if name.starts_with(b"/") || parts.contains(&&b".."[..]) || through_link {
            let shown = quote::shell_where_needed(&name);
            if !std::mem::replace(&mut self.warned, true) {
                self.tell(bytes!(
                    "Ignoring potentially dangerous file name ",
                    shown,
                    "\n"
                ));
            }
            return None;
        }
        Some(name)
    }

    /// The file that the patch is for: of those that are there the one with the shortest name.
    fn choose(&mut self, patch: &Patch) -> Option<Vec<u8>> {
        if let Some(name) = self.parsed.operands.first() {
            return Some(name.clone());
        }
        let (from, to) = patch.git_names.clone().unzip();
        let sources = [
            patch.old.as_ref().map(|name| name.path.clone()).or(from),
            patch.new.as_ref().map(|name| name.path.clone()).or(to),
            patch.index.clone(),
        ];
        let names: Vec<Option<Vec<u8>>> = sources
            .iter()
            .map(|name| name.as_deref().and_then(|name| self.stripped(name)))
            .collect();
        let exists = |name: &&Vec<u8>| system::stat(&system::join(&self.base, name), false).is_ok();
        let measure = |name: &&Vec<u8>| {
            let parts = name.iter().filter(|&&byte| byte == b'/').count();
            let base = name
                .rsplit(|&byte| byte == b'/')
                .next()
                .map_or(0, <[u8]>::len);
            (parts, base, name.len())
        };
        let present = names.iter().flatten().filter(exists).min_by_key(measure);
        if present.is_some() {
            return present.cloned();
        }
        let nothing = |name: &Option<Name>| name.as_ref().is_some_and(Name::is_nothing);
        let (old, new) = if self.reverse {
            (&patch.new, &names[0])
        } else {
            (&patch.old, &names[1])
        };
        let empty = |hunk: &Hunk| {
            let hunk = if self.reverse {
                hunk.reversed()
            } else {
                hunk.clone()
            };
            hunk.old_start <= 1 && hunk.side(read::Side::Old).is_empty()
        };
        if is_new(patch, !self.reverse) {
            return names.into_iter().flatten().next();
        }
        let creates = nothing(old) || patch.creates || patch.hunks.first().is_some_and(empty);
        if creates {
            return new.clone().or_else(|| names.into_iter().flatten().next());
        }
        None
    }

    /// Says what would be asked at a terminal; the answer is no.
    fn ask(&mut self, question: &str) {
        self.say(question);
        self.say("\n");
    }

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
            return self.reject(&patch, &name, &patch.hunks, &ignored);
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
            return self.reject(&patch, &name, &patch.hunks, &ignored);
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

    /// With `--verbose`: what was read in front of the file's name.
    fn describe(&mut self, patch: &Patch) {
        if !self.parsed.has("verbose") {
            return;
        }
        let kind = match patch.format {
            Format::Unified => "a unified diff",
            Format::Context => "a new-style context diff",
            Format::Normal => "a normal diff",
        };
        let again = if std::mem::replace(&mut self.described, true) {
            "  The next patch looks like "
        } else {
            "  Looks like "
        };
        self.say(format!("Hmm...{again}{kind} to me...\n"));
        self.lead(patch);
    }

    fn lead(&mut self, patch: &Patch) {
        if patch.lead.is_empty() {
            return;
        }
        self.say("The text leading up to this was:\n--------------------------\n");
        for line in &patch.lead {
            self.say(bytes!("|", line));
        }
        self.say("--------------------------\n");
    }

    fn not_found(&mut self, patch: &Patch) {
        let line = patch.line;
        self.say(format!("can't find file to patch at input line {line}\n"));
        self.say(match self.strip {
            None if patch.lead.is_empty() => "",
            None => "Perhaps you should have used the -p or --strip option?\n",
            Some(_) => "Perhaps you used the wrong -p or --strip option?\n",
        });
        if !self.parsed.has("verbose") {
            self.lead(patch);
        }
        let silent = self.parsed.has("f") || self.parsed.has("t");
        if silent {
            self.say("No file to patch.  Skipping patch.\n");
        } else {
            self.ask("File to patch: ");
            self.ask("Skip this patch? [y] ");
            self.say("Skipping patch.\n");
        }
    }

    fn announce(&mut self, patch: &Patch, name: &[u8], target: Option<&[u8]>) {
        let verb = if self.parsed.has("dry-run") {
            "checking file "
        } else {
            "patching file "
        };
        let shown = quote::shell_where_needed;
        let line = match (self.parsed.value("o"), target) {
            (Some(out), _) => bytes!(verb, shown(out), " (read from ", shown(name), ")\n"),
            (None, Some(target)) => {
                let how = if patch.is_copy {
                    " (copied"
                } else {
                    " (renamed"
                };
                bytes!(verb, shown(target), how, " from ", shown(name), ")\n")
            }
            (None, None) => bytes!(verb, shown(name), "\n"),
        };
        self.tell(line);
        if self.parsed.has("verbose") {
            self.say("Using Plan A...\n");
        }
    }

    /// Whether a patch that was applied before shall be undone, applied again or left.
    fn already(&mut self, found: &str) -> Answer {
        let force = self.parsed.has("f");
        if self.parsed.has("N") || !(force && self.quiet) {
            self.say(found);
        }
        if self.parsed.has("N") {
            self.say("  Skipping patch.\n");
            Answer::Skip
        } else if force {
            self.tell("  Applying it anyway.\n");
            Answer::Apply
        } else if self.parsed.has("t") {
            self.say(if self.reverse {
                "  Ignoring -R.\n"
            } else {
                "  Assuming -R.\n"
            });
            Answer::Reverse
        } else {
            self.ask(if self.reverse {
                "  Ignore -R? [n] "
            } else {
                "  Assume -R? [n] "
            });
            self.ask("Apply anyway? [n] ");
            self.tell("Skipping patch.\n");
            Answer::Skip
        }
    }

    fn apply(
        &mut self,
        mut reverse: bool,
        patch: &Patch,
        name: &[u8],
        target: Option<&[u8]>,
        content: &[u8],
        mode: Option<u32>,
    ) -> Result<(), i32> {
        let mut text = Text::new(content, self.parsed.has("l"));
        let mut skipping = false;
        let mut mismatch = false;
        let mut failed = Vec::new();
        let turned = |hunk: &Hunk, reverse: bool| {
            if reverse {
                hunk.reversed()
            } else {
                hunk.clone()
            }
        };
        for (index, given) in patch.hunks.iter().enumerate() {
            let mut hunk = turned(given, reverse);
            let (prefix, suffix) = hunk.context();
            let most = self.fuzz.min(prefix.max(suffix));
            let mut fuzz = 0;
            let mut place = None;
            let mut forced = self.parsed.has("f") && self.parsed.has("N");
            while !skipping && fuzz <= most {
                place = text.locate(&hunk, fuzz);
                if place.is_some() {
                    break;
                }
                let other = turned(given, !reverse);
                if index == 0 && !forced && text.locate(&other, fuzz).is_some() {
                    let found = if reverse {
                        "Unreversed patch detected!"
                    } else {
                        "Reversed (or previously applied) patch detected!"
                    };
                    match self.already(found) {
                        Answer::Reverse => {
                            reverse = !reverse;
                            hunk = other;
                        }
                        Answer::Apply => forced = true,
                        Answer::Skip => skipping = true,
                    }
                    continue;
                }
                mismatch = true;
                fuzz += 1;
            }
            let number = index + 1;
            match place {
                Some(place) => {
                    let at = place.line as isize + text.growth;
                    text.apply(&hunk, place);
                    let offset = text.offset;
                    mismatch |= fuzz > 0 || offset != 0;
                    if fuzz > 0 || offset != 0 || self.parsed.has("verbose") {
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
                None => {
                    mismatch = true;
                    let at = hunk.old_start as isize + text.growth;
                    if skipping {
                        if self.parsed.has("verbose") {
                            self.say(format!("Hunk #{number} ignored at {at}.\n"));
                        }
                    } else {
                        let ends = if text.has_other_ends(&hunk) {
                            " (different line endings)"
                        } else {
                            ""
                        };
                        self.tell(format!("Hunk #{number} FAILED at {at}{ends}.\n"));
                    }
                    hunk.old_start = hunk.old_start.saturating_add_signed(text.growth);
                    hunk.new_start = hunk.new_start.saturating_add_signed(text.growth);
                    failed.push(hunk);
                }
            }
        }
        if !skipping {
            let result = text.finish();
            let change = Change {
                name,
                target,
                mode,
                mismatch,
                reverse,
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
        let what = if skipping { "ignored" } else { "FAILED" };
        let summary = format!("{} out of {count} hunk{plural} {what}", failed.len());
        self.reject(patch, target.unwrap_or(name), &failed, &summary)
    }

    /// Says what failed, and keeps it in a file.
    fn reject(
        &mut self,
        patch: &Patch,
        name: &[u8],
        failed: &[Hunk],
        summary: &str,
    ) -> Result<(), i32> {
        self.say(summary);
        let out = self.parsed.value("o").filter(|out| *out != b"-");
        let file = match self.parsed.value("r") {
            Some(file) => file.to_vec(),
            None => bytes!(out.unwrap_or(name), ".rej"),
        };
        if self.parsed.has("dry-run") || file == b"-" {
            self.say("\n");
            return Ok(());
        }
        let shown = quote::shell_where_needed(&file);
        self.say(bytes!(" -- saving rejects to file ", shown, "\n"));
        let context = match self.parsed.value("reject-format") {
            Some(format) => format == b"context",
            None => patch.format != Format::Unified,
        };
        let text = reject::text(patch, failed, context);
        self.save(&system::join(&self.base, &file), &text, None)
    }

    fn save(&mut self, path: &[u8], content: &[u8], mode: Option<u32>) -> Result<(), i32> {
        let saved = make_parents(path)
            .and_then(|()| system::create_file(path, false))
            .and_then(|mut file| Ok(file.write_all(content)?))
            .and_then(|()| mode.map_or(Ok(()), |mode| system::set_mode(path, mode)));
        saved.map_err(|failure| {
            self.out.flush();
            let name = quote::shell_where_needed(path);
            self.call
                .fail(2, bytes!("**** Can't create file ", name, " : ", failure))
        })
    }

    fn write(&mut self, patch: &Patch, change: &Change, result: &[u8]) -> Result<(), i32> {
        if self.parsed.has("dry-run") {
            return Ok(());
        }
        if let Some(out) = self.parsed.value("o").map(<[u8]>::to_vec) {
            if out == b"-" {
                self.out.put(result);
                return Ok(());
            }
            return self.save(&system::join(&self.base, &out), result, change.mode);
        }
        let path = system::join(&self.base, change.name);
        let backup = self.parsed.has("b")
            || (change.mismatch
                && !self.parsed.has("posix")
                && !self.parsed.has("no-backup-if-mismatch"));
        if backup {
            let old = if change.mode.is_some() {
                system::read_whole(&path).unwrap_or_default()
            } else {
                Vec::new()
            };
            let prefix = self.parsed.value("B").unwrap_or_default();
            let given = self.parsed.value("z");
            let suffix = given.unwrap_or(if prefix.is_empty() { b".orig" } else { b"" });
            let backup = system::join(&self.base, &bytes!(prefix, change.name, suffix));
            self.save(&backup, &old, change.mode)?;
        }
        let new = if change.reverse {
            &patch.old
        } else {
            &patch.new
        };
        let gone = new.as_ref().is_some_and(Name::is_nothing)
            || (if change.reverse {
                patch.creates
            } else {
                patch.deletes
            });
        let removes = gone || (self.parsed.has("E") && !patch.hunks.is_empty());
        if removes && result.is_empty() && !change.failed {
            // Directories that are empty now go too, as far as that works.
            if change.mode.is_some() && system::unlink(&path).is_ok() {
                let mut parent = change.name;
                while let Some(at) = parent.iter().rposition(|&byte| byte == b'/') {
                    parent = &parent[..at];
                    if system::remove_directory(&system::join(&self.base, parent)).is_err() {
                        break;
                    }
                }
            }
            return Ok(());
        }
        if gone && !change.failed && !patch.hunks.is_empty() {
            let shown = quote::shell_where_needed(change.name);
            self.say(bytes!(
                "Not deleting file ",
                shown,
                " as content differs from patch\n"
            ));
            self.status = 1;
        }
        let target = system::join(&self.base, change.target.unwrap_or(change.name));
        let mode = if change.reverse { None } else { patch.mode }.or(change.mode);
        // What takes its place is a new file: other names of the old one keep its content.
        if change.mode.is_some() && change.target.is_none() && !patch.hunks.is_empty() {
            let _ = system::unlink(&target);
        }
        self.save(&target, result, mode)?;
        if change.target.is_some() && !patch.is_copy {
            let _ = system::unlink(&path);
        }
        Ok(())
    }
}

/// How a file was changed.
struct Change<'a> {
    name: &'a [u8],
    target: Option<&'a [u8]>,
    mode: Option<u32>,
    mismatch: bool,
    reverse: bool,
    failed: bool,
}

/// Whether the patch says that the file did not exist.
fn is_new(patch: &Patch, reverse: bool) -> bool {
    let (name, git) = if reverse {
        (&patch.new, patch.deletes)
    } else {
        (&patch.old, patch.creates)
    };
    git || name.as_ref().is_some_and(Name::is_nothing)
}

fn make_parents(path: &[u8]) -> system::Result<()> {
    for (at, _) in path
        .iter()
        .enumerate()
        .filter(|&(at, &byte)| byte == b'/' && at > 0)
    {
        match system::make_directory(&path[..at], 0o777) {
            Ok(()) | Err(system::EXIST) => {}
            Err(failure) => {
                system::stat(&path[..at], true).map_err(|_| failure)?;
            }
        }
    }
    Ok(())
}
