//! `rsync`, as rsync 3.2, between directories of the sandbox.
//!
//! There is no protocol and no other host: what it would have sent is what was copied, and a file that differs is
//! copied as a whole. A file is copied where size or modification time (in seconds) differ, which `-c`, `-I` and
//! `--size-only` change. The new content is written beside the old one and renamed over it, unless `--inplace` is
//! given.
//!
//! `filter` has the rules of `--exclude`, `transfer` the copying, `list` what `rsync SRC` prints.

mod filter;
mod list;
mod transfer;

use crate::call::{Call, bytes};
use crate::options::{self, Opt, Parsed, Syntax, Value};
use crate::system;
use filter::{Filter, Rule};
use transfer::Transfer;

const SYNTAX: Syntax = Syntax {
    usage: "Usage: rsync [OPTION]... SRC [SRC]... DEST\nCopy files within the sandbox; remote hosts are not supported.\n\n\
 -a, --archive            same as -rlptgoD\n -r, --recursive          into directories\n -l, --links              copy symlinks as symlinks\n\
 -L, --copy-links         copy what symlinks refer to\n -p, --perms -t, --times -o, --owner -g, --group   keep them\n\
 -n, --dry-run            say what would be done\n -v, --verbose -q, --quiet -i, --itemize-changes --stats\n\
 -u, --update             leave newer files of the receiver\n -c, --checksum           compare contents, not sizes and times\n\
 -I, --ignore-times --size-only --existing --ignore-existing --max-size=N --min-size=N\n\
     --delete             remove what the sender has not\n     --delete-excluded    and what is excluded\n\
     --exclude=PATTERN --include=PATTERN --exclude-from=FILE --include-from=FILE\n     --remove-source-files\n",
    options: &[
        Opt("a", "archive", Value::No),
        Opt("r", "recursive", Value::No),
        Opt("l", "links", Value::No),
        Opt("L", "copy-links", Value::No),
        Opt("p", "perms", Value::No),
        Opt("t", "times", Value::No),
        Opt("o", "owner", Value::No),
        Opt("g", "group", Value::No),
        Opt("D", "", Value::No),
        Opt("", "no-perms", Value::No),
        Opt("", "no-times", Value::No),
        Opt("", "no-owner", Value::No),
        Opt("", "no-group", Value::No),
        Opt("", "no-links", Value::No),
        Opt("", "no-recursive", Value::No),
        Opt("", "no-p", Value::No),
        Opt("", "no-t", Value::No),
        Opt("", "no-o", Value::No),
        Opt("", "no-g", Value::No),
        Opt("", "no-l", Value::No),
        Opt("", "no-r", Value::No),
        Opt("", "no-D", Value::No),
        Opt("", "no-h", Value::No),
        Opt("", "devices", Value::No),
        Opt("", "specials", Value::No),
        Opt("O", "omit-dir-times", Value::No),
        Opt("n", "dry-run", Value::No),
        Opt("v", "verbose", Value::No),
        Opt("q", "quiet", Value::No),
        Opt("i", "itemize-changes", Value::No),
        Opt("h", "human-readable", Value::No),
        Opt("u", "update", Value::No),
        Opt("c", "checksum", Value::No),
        Opt("I", "ignore-times", Value::No),
        Opt("z", "compress", Value::No),
        Opt("W", "whole-file", Value::No),
        Opt("x", "one-file-system", Value::No),
        Opt("m", "prune-empty-dirs", Value::No),
        Opt("", "size-only", Value::No),
        Opt("", "existing", Value::No),
        Opt("", "ignore-existing", Value::No),
        Opt("", "delete", Value::No),
        Opt("", "delete-before", Value::No),
        Opt("", "delete-during", Value::No),
        Opt("", "delete-after", Value::No),
        Opt("", "delete-excluded", Value::No),
        Opt("", "remove-source-files", Value::No),
        Opt("", "inplace", Value::No),
        Opt("", "partial", Value::No),
        Opt("", "mkpath", Value::No),
        Opt("", "stats", Value::No),
        Opt("", "exclude", Value::Required),
        Opt("", "include", Value::Required),
        Opt("", "exclude-from", Value::Required),
        Opt("", "include-from", Value::Required),
        Opt("", "max-size", Value::Required),
        Opt("", "min-size", Value::Required),
    ],
    permute: true,
    status: 1,
};

/// When files are removed from the receiver.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Delete {
    /// `--delete-before`: ahead of all copying.
    Before,
    /// `--delete`, `--delete-during`: before each directory is copied.
    During,
    /// `--delete-after`: behind all copying.
    After,
}

/// What the command line asks for.
struct Settings {
    /// `-r`: go into directories.
    recursive: bool,
    /// `-l`: copy symbolic links as such; otherwise they are skipped.
    links: bool,
    /// `-L`: copy what links refer to.
    follow: bool,
    /// `-p`: keep the mode. Otherwise new files get the sender's mode less the umask, and existing ones keep theirs.
    perms: bool,
    /// `-t`: keep the modification time.
    times: bool,
    /// `-o`: keep the owner, where the user may.
    owner: bool,
    /// `-g`: keep the group, where the user may.
    group: bool,
    /// Not `-O`: directories get their time as well.
    directory_times: bool,
    /// `-n`: report, and change nothing.
    dry: bool,
    verbose: bool,
    itemize: bool,
    /// `-u`: leave files alone that are newer at the receiver.
    update: bool,
    checksum: bool,
    ignore_times: bool,
    size_only: bool,
    /// `--existing`: create nothing at the receiver.
    existing: bool,
    /// `--ignore-existing`: leave everything alone that exists at the receiver.
    ignore_existing: bool,
    delete: bool,
    delete_excluded: bool,
    remove_sources: bool,
    /// `-m`: leave out directories that have nothing but directories in them.
    prune: bool,
    stats: bool,
    /// The least and the largest size of files, in bytes.
    sizes: (u64, u64),
    inplace: bool,
    /// `-D`, `--specials`: copy named pipes. There are no devices.
    specials: bool,
    quiet: bool,
    make_path: bool,
    /// When what the sender has not is removed.
    when: Delete,
    /// How numbers are written: digits, with commas, with a unit of thousands or of 1024s.
    numbers: usize,
    filter: Filter,
}

/// Whether a setting is on: the last of its letter, `-a` (where that includes it) and its `--no-` forms decides.
fn switch(parsed: &Parsed, letter: &str, off: &str, archive: bool) -> bool {
    let given = |key: &str| parsed.options.iter().rposition(|(name, _)| *name == key);
    let on = given(letter).max(if archive { given("a") } else { None });
    let short = format!("no-{letter}");
    on.is_some() && on > given(off).max(given(&short))
}

/// A size in bytes: `1.5k`, `10M`, `1GB`, `2k-1` (a byte less). Units are powers of 1024 in any case. `None` for other
/// text.
fn size(text: &[u8]) -> Option<u64> {
    let text = std::str::from_utf8(text).ok()?.to_ascii_lowercase();
    // A byte more or less than a round size.
    let (text, more) = match (text.strip_suffix("+1"), text.strip_suffix("-1")) {
        (Some(text), _) => (text, 1),
        (None, Some(text)) => (text, -1),
        (None, None) => (text.as_str(), 0),
    };
    let text = text.trim_end_matches('b');
    let (digits, scale) = match text.char_indices().last()? {
        (at, 'k') => (&text[..at], 1u64 << 10),
        (at, 'm') => (&text[..at], 1 << 20),
        (at, 'g') => (&text[..at], 1 << 30),
        _ => (text, 1),
    };
    let number: f64 = digits.parse().ok()?;
    ((number * scale as f64) as u64).checked_add_signed(more)
}

/// Reads options and filter rules. `Err` is the exit status, after a message.
fn settings(call: &Call, parsed: &Parsed) -> Result<Settings, i32> {
    let mut filter = Filter::default();
    for (key, value) in &parsed.options {
        let include = key.starts_with("include");
        let patterns: Vec<Vec<u8>> = match *key {
            "exclude" | "include" => vec![value.clone()],
            "exclude-from" | "include-from" => {
                let text = system::read_whole(value).map_err(|failure| {
                    let what = key.trim_end_matches("-from");
                    let why = bytes!(failure, number_of(&failure));
                    let message =
                        bytes!("[client] failed to open ", what, " file ", value, ": ", why);
                    call.fail(11, message)
                })?;
                let lines = text
                    .split(|&byte| byte == b'\n')
                    .filter(|line| !line.is_empty() && !b"#;".contains(&line[0]));
                lines.map(<[u8]>::to_vec).collect()
            }
            _ => continue,
        };
        for pattern in patterns {
            // A prefix says more than the option.
            let (pattern, include) = match pattern.as_slice() {
                b"!" => {
                    filter.0.clear();
                    continue;
                }
                [b'+', b' ', rest @ ..] => (rest.to_vec(), true),
                [b'-', b' ', rest @ ..] => (rest.to_vec(), false),
                _ => (pattern, include),
            };
            let rule = Rule::new(&pattern, include)
                .ok_or_else(|| call.fail(1, bytes!("pattern '", pattern, "' is not supported")))?;
            filter.0.push(rule);
        }
    }
    let bound = |key: &str, default: u64| match parsed.value(key) {
        None => Ok(default),
        Some(text) => {
            size(text).ok_or_else(|| call.fail(1, bytes!("--", key, "=", text, " is invalid")))
        }
    };
    Ok(Settings {
        recursive: switch(parsed, "r", "no-recursive", true),
        links: switch(parsed, "l", "no-links", true),
        follow: parsed.has("L"),
        perms: switch(parsed, "p", "no-perms", true),
        times: switch(parsed, "t", "no-times", true),
        owner: switch(parsed, "o", "no-owner", true),
        group: switch(parsed, "g", "no-group", true),
        directory_times: !parsed.has("O"),
        dry: parsed.has("n"),
        verbose: parsed.has("v") && !parsed.has("q"),
        itemize: parsed.has("i") && !parsed.has("q"),
        update: parsed.has("u"),
        checksum: parsed.has("c"),
        ignore_times: parsed.has("I"),
        size_only: parsed.has("size-only"),
        existing: parsed.has("existing"),
        ignore_existing: parsed.has("ignore-existing"),
        delete: parsed
            .options
            .iter()
            .any(|(key, _)| key.starts_with("delete")),
        delete_excluded: parsed.has("delete-excluded"),
        remove_sources: parsed.has("remove-source-files"),
        prune: parsed.has("m"),
        stats: parsed.has("stats") && !parsed.has("q"),
        inplace: parsed.has("inplace"),
        specials: switch(parsed, "D", "no-D", true) || parsed.has("specials"),
        quiet: parsed.has("q"),
        make_path: parsed.has("mkpath"),
        when: match parsed.last(&["delete-before", "delete-during", "delete-after"]) {
            Some("delete-before") => Delete::Before,
            Some("delete-after") => Delete::After,
            _ => Delete::During,
        },
        numbers: match parsed.last(&["no-h", "h"]) {
            Some("no-h") => 0,
            _ => 1 + parsed.options.iter().filter(|(key, _)| *key == "h").count(),
        },
        sizes: (bound("min-size", 0)?, bound("max-size", u64::MAX)?),
        filter,
    })
}

/// The number that Linux gives an error, where it is one of the usual.
fn number_of(failure: &system::Failure) -> &'static str {
    match failure.0 {
        system::Errno::NoEntry => " (2)",
        system::Errno::Access => " (13)",
        system::Errno::Exist => " (17)",
        system::Errno::NotDirectory => " (20)",
        system::Errno::IsDirectory => " (21)",
        _ => "",
    }
}

/// Runs the command.
pub fn run(call: &Call) -> i32 {
    start(call).unwrap_or_else(|status| status)
}

/// Whether a path has a host in front, `HOST:PATH`: a colon before any slash, and not at the start.
fn is_remote(path: &[u8]) -> bool {
    let colon = path.iter().position(|&byte| byte == b':');
    colon.is_some_and(|at| at > 0 && !path[..at].contains(&b'/'))
}

/// Checks the command line and runs what it asks for.
fn start(call: &Call) -> Result<i32, i32> {
    let parsed = options::parse(call, &SYNTAX)?;
    let settings = settings(call, &parsed)?;
    if let Some(remote) = parsed.operands.iter().find(|path| is_remote(path)) {
        return Err(call.fail(1, bytes!(remote, ": remote hosts are not supported")));
    }
    let Some((target, sources)) = parsed.operands.split_last() else {
        return Err(options::usage_error(
            call,
            &SYNTAX,
            "no source and destination",
        ));
    };
    if sources.is_empty() {
        return Ok(list::run(call, &settings, target));
    }
    if settings.delete && !settings.recursive {
        return Err(call.fail(
            1,
            "--delete does not work without --recursive (-r) or --dirs (-d).",
        ));
    }
    Ok(Transfer::new(call, &settings).run(sources, target))
}
