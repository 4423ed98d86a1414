//! `tar`: the command line, after GNU tar 1.34.
//!
//! The options become a `Plan`, which `create`, `extract`, `compare` and `delete` only read. Three styles are
//! accepted, as GNU's manual has them under "The Three Option Styles":
//!
//! ```text
//! tar cfC a.tar dir file      traditional: a word of letters, then their values in the order of the letters
//! tar -cf a.tar -C dir file   short: the value is the rest of the word, or the next word
//! tar --create --file=a.tar   long: a prefix that fits one option is enough
//! ```
//!
//! `-C` holds for the members that follow it, and relative to the `-C` before it: `-C a x -C b y` packs `a/x` and
//! `a/b/y`. No directory is entered; each member keeps the directory that it is looked for in. In the same way
//! `--exclude`, `-X` and `--no-recursion` hold for the members that follow them, where files are packed. All other
//! options hold for the whole call.
//!
//! Accepted without an effect are `--sort` (entries of a directory are sorted as `system::read_directory` gives
//! them), `--format` (archives have GNU's headers), `--warning`, `-S`, `--totals`, and the options about owners:
//! members that are extracted belong to the caller.
//!
//! Exit statuses: 0, 1 where `--compare` found a difference, 2 for all errors, 64 for an option that does not exist.

use super::codec::Codec;
use super::transform::Transform;
use super::{create, delete, extract};
use crate::call::{Call, bytes};
use crate::glob::Glob;
use crate::mode::Change;
use crate::quote;
use crate::system::{self, Time};

/// The status where files are not as the archive has them.
pub const DIFFERENT: i32 = 1;

/// What is done with the archive. A call has exactly one; a second one that differs is an error.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    /// `-c`: a new archive.
    Create,
    /// `-r`: members are added at the end.
    Append,
    /// `-u`: as `Append`, for files that the archive does not have or has older.
    Update,
    /// `-x`.
    Extract,
    /// `-t`.
    List,
    /// `--delete`: the archive is written without the members that are named.
    Delete,
    /// `-d`: members are compared with the files of the system.
    Compare,
}

/// What the command line asks for: the options in a form in which they need no further interpretation.
pub struct Plan {
    /// What is done.
    pub mode: Mode,
    /// The path of the archive; `-` is standard input or standard output.
    pub archive: Vec<u8>,
    /// The compression that was asked for, for a new archive also by `-a` and its name. Reading looks at the content,
    /// and compares it with this only to refuse a wrong `-z`.
    pub codec: Option<Codec>,
    /// How often `-v` was given.
    pub verbose: u8,
    /// The members in the order of the command line: operands, and the lines of the files of `-T`, which are never
    /// taken for options.
    pub members: Vec<Member>,
    /// The last `-C`, which is where members are extracted to.
    pub directory: Vec<u8>,
    /// `-O`: contents go to standard output.
    pub to_stdout: bool,
    /// `-k`: a file that is there already is an error.
    pub keep_old: bool,
    /// `--skip-old-files`: a file that is there already stays, silently.
    pub skip_old: bool,
    /// `-P`: names keep leading slashes and `..`. It switches the checks of `safety` off.
    pub absolute: bool,
    /// `-h`: symbolic links are followed.
    pub dereference: bool,
    /// `-p`: the umask does not apply to modes; it never does for root.
    pub preserve: bool,
    /// `-m`: extracted files have the time of extraction.
    pub touch: bool,
    /// `--remove-files`: what was packed is removed.
    pub remove: bool,
    /// `--wildcards`: members that are asked for are patterns as well as names.
    pub wildcards: bool,
    /// `--numeric-owner`: no names of users and groups, in headers and in listings.
    pub numeric: bool,
    /// `--strip-components`: how many leading parts a name loses when it is extracted; one with no more parts is left
    /// out.
    pub strip: usize,
    /// The patterns of `--exclude`, `-X` and `--exclude-vcs`; see `Plan::excludes`.
    pub exclude: Vec<Glob>,
    /// `--owner`, as `NAME`, `NUMBER` or `NAME:NUMBER`; resolved when the archive is written.
    pub owner: Option<String>,
    /// `--group`, likewise.
    pub group: Option<String>,
    /// The level of compression, which no option sets.
    pub level: u32,
    /// The time that all members get (`--mtime`), in seconds since 1970.
    pub mtime: Option<i64>,
    /// The expressions of `--transform`.
    pub transform: Transform,
    /// Names are shown as they are transformed, not as they are in the archive or on the system.
    pub shows_transformed: bool,
    /// The directory that everything is extracted into (`--one-top-level`). Empty only while options are read: it
    /// then becomes the name of the archive without its endings, `a.tar.gz` → `a`.
    pub top: Option<Vec<u8>>,
    /// `--keep-newer-files`: a file that is not older than its member stays.
    pub keep_newer: bool,
    /// Files are written over (`--overwrite`), so that their other names and open descriptors see the new content.
    /// Without it what is in the way is removed first.
    pub overwrite: bool,
    /// Only members that are older than this get the time of `mtime`.
    pub clamps: bool,
    /// Files that were not changed since are left out; directories never are.
    pub newer: Option<Time>,
    /// What the modes of members become.
    pub mode_change: Option<Change>,
    /// Files that cannot be read do not count for the status.
    pub ignores_unreadable: bool,
    /// Every name of a file is a file of its own.
    pub hard_dereference: bool,
    /// Times of a listing have seconds, or are those of UTC.
    pub full_time: bool,
    pub utc: bool,
    /// How a listing shows names.
    pub quoting: Quoting,
    /// Options behind all names, which have no effect, as a message shows them.
    pub idle: Vec<Vec<u8>>,
}

/// A member that is asked for.
#[derive(Default)]
pub struct Member {
    /// Where it is looked for: `.` or the path of its `-C`.
    pub directory: Vec<u8>,
    /// What it is called.
    pub name: Vec<u8>,
    /// False after `--no-recursion`: a directory is packed without what is in it.
    pub recurse: bool,
    /// How many of the patterns stand before it.
    pub excludes: usize,
}

/// How names are shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Quoting {
    /// As they are.
    Literal,
    /// Control characters as escapes.
    Escape,
    /// The same in double quotes.
    C,
    /// The same in the quotes of the locale.
    Locale,
    /// As a word for a shell.
    Shell { always: bool },
}

impl Quoting {
    /// The style of that name.
    fn named(name: &[u8]) -> Option<Quoting> {
        Some(match name {
            b"literal" => Quoting::Literal,
            b"escape" => Quoting::Escape,
            b"c" => Quoting::C,
            b"locale" | b"clocale" => Quoting::Locale,
            b"shell" => Quoting::Shell { always: false },
            b"shell-always" => Quoting::Shell { always: true },
            _ => return None,
        })
    }

    /// The name in this style.
    pub fn show(self, name: &[u8]) -> Vec<u8> {
        match self {
            Quoting::Literal => name.to_vec(),
            Quoting::Escape => quote::escaped(name, false, false),
            Quoting::C => bytes!("\"", quote::escaped(name, false, true), "\""),
            Quoting::Locale => quote::word(name),
            Quoting::Shell { always } => quote::shell_raw(name, always),
        }
    }
}

const USAGE: &str = "Usage: tar [OPTION...] [FILE]...\nGNU 'tar' saves many files together into a single tape or disk archive, and can\nrestore individual files from the archive.\n";

/// Long options with the key that `Reading::option` takes: the letter, or a word for an option that has none.
/// `nothing` is an option that is accepted and ignored, `ignored` one that has a value as well.
const LONG: &[(&str, &str)] = &[
    ("help", "help"),
    ("version", "version"),
    ("create", "c"),
    ("append", "r"),
    ("update", "u"),
    ("extract", "x"),
    ("get", "x"),
    ("list", "t"),
    ("delete", "delete"),
    ("diff", "d"),
    ("compare", "d"),
    ("file", "f"),
    ("gzip", "z"),
    ("gunzip", "z"),
    ("ungzip", "z"),
    ("bzip2", "j"),
    ("xz", "J"),
    ("zstd", "zstd"),
    ("use-compress-program", "I"),
    ("exclude-vcs", "exclude-vcs"),
    ("auto-compress", "a"),
    ("verbose", "v"),
    ("directory", "C"),
    ("to-stdout", "O"),
    ("keep-old-files", "k"),
    ("skip-old-files", "skip-old-files"),
    ("overwrite", "overwrite"),
    ("absolute-names", "P"),
    ("dereference", "h"),
    ("preserve-permissions", "p"),
    ("same-permissions", "p"),
    ("no-same-permissions", "nothing"),
    ("no-same-owner", "nothing"),
    ("same-owner", "nothing"),
    ("touch", "m"),
    ("files-from", "T"),
    ("exclude-from", "X"),
    ("exclude", "exclude"),
    ("strip-components", "strip"),
    ("no-recursion", "no-recursion"),
    ("recursion", "recursion"),
    ("remove-files", "remove"),
    ("wildcards", "wildcards"),
    ("no-wildcards", "nothing"),
    ("numeric-owner", "numeric"),
    ("owner", "owner"),
    ("group", "group"),
    ("sort", "ignored"),
    ("format", "ignored"),
    ("mtime", "mtime"),
    ("warning", "ignored"),
    ("one-file-system", "nothing"),
    ("sparse", "S"),
    ("totals", "nothing"),
    ("force-local", "nothing"),
    ("no-auto-compress", "nothing"),
    ("transform", "transform"),
    ("xform", "transform"),
    ("show-transformed-names", "show-transformed"),
    ("show-stored-names", "show-transformed"),
    ("one-top-level", "top"),
    ("keep-newer-files", "keep-newer"),
    ("clamp-mtime", "clamp"),
    ("newer", "N"),
    ("newer-mtime", "N"),
    ("after-date", "N"),
    ("mode", "mode"),
    ("ignore-failed-read", "unreadable"),
    ("hard-dereference", "hard"),
    ("full-time", "full-time"),
    ("utc", "utc"),
    ("quoting-style", "quoting"),
    ("null", "null"),
    ("no-null", "no-null"),
    ("add-file", "add"),
    ("exclude-backups", "backups"),
    ("checkpoint", "nothing"),
    ("checkpoint-action", "ignored"),
    ("pax-option", "ignored"),
    ("blocking-factor", "b"),
    ("record-size", "ignored"),
    ("acls", "nothing"),
    ("no-acls", "nothing"),
    ("xattrs", "nothing"),
    ("no-xattrs", "nothing"),
    ("selinux", "nothing"),
    ("no-selinux", "nothing"),
    ("preserve-order", "nothing"),
    ("same-order", "nothing"),
    ("delay-directory-restore", "nothing"),
    ("no-delay-directory-restore", "nothing"),
    ("overwrite-dir", "nothing"),
    ("unlink-first", "nothing"),
    ("recursive-unlink", "nothing"),
    ("no-overwrite-dir", "nothing"),
    ("atime-preserve", "nothing"),
    ("ignore-zeros", "nothing"),
    ("seek", "nothing"),
    ("no-seek", "nothing"),
    ("check-device", "nothing"),
    ("no-check-device", "nothing"),
    ("posix", "nothing"),
    ("portability", "nothing"),
    ("old-archive", "nothing"),
    ("ignore-command-error", "nothing"),
    ("no-ignore-command-error", "nothing"),
];

/// What `--exclude-vcs` leaves out.
const VCS: &[&str] = &[
    ".git",
    ".gitignore",
    ".gitmodules",
    ".gitattributes",
    ".svn",
    ".hg",
    ".hgignore",
    ".hgtags",
    "CVS",
    ".cvsignore",
    "RCS",
    "SCCS",
    ".bzr",
    ".bzrignore",
    ".bzrtags",
    "_darcs",
    ".arch-ids",
    "{arch}",
    "=RELEASE-ID",
    "=meta-update",
    "=update",
];

/// What is said of an archive that would have to be written anew to be changed.
pub const COMPRESSED: &str = "Cannot update compressed archives";

/// The options that may have a value behind `=`.
const OPTIONAL: &[&str] = &["one-top-level", "totals", "checkpoint", "atime-preserve"];

/// The keys that take a value: the rest of the word or the next word for a letter, what follows `=` or the next word
/// for a long option.
const VALUED: &[&str] = &[
    "f",
    "C",
    "T",
    "X",
    "b",
    "H",
    "I",
    "mtime",
    "exclude",
    "strip",
    "owner",
    "group",
    "ignored",
    "transform",
    "N",
    "mode",
    "quoting",
    "add",
];

/// A command line that is being read.
struct Reading<'a> {
    call: &'a Call,
    plan: Plan,
    /// The mode so far. `plan.mode` gets it at the end.
    mode: Option<Mode>,
    /// Names in the files of `-T` end with NUL bytes.
    null: bool,
    /// Names come from a file, which may have none.
    listed: bool,
    /// `-a`: the name of a new archive tells its compression.
    auto: bool,
    /// Directories are packed with what is in them.
    recurse: bool,
    arguments: std::collections::VecDeque<Vec<u8>>,
}

/// Runs the command.
pub fn run(call: &Call) -> i32 {
    let plan = match read(call) {
        Ok(plan) => plan,
        Err(status) => return status,
    };
    let outcome = match plan.mode {
        Mode::Create | Mode::Append | Mode::Update => create::run(call, &plan),
        Mode::Extract | Mode::List | Mode::Compare => {
            enter(&plan.directory).and_then(|()| extract::run(call, &plan))
        }
        Mode::Delete => delete::run(call, &plan),
    };
    match outcome {
        Ok(status @ (0 | DIFFERENT)) => status,
        Ok(status) => call.fail(status, "Exiting with failure status due to previous errors"),
        Err(message) => {
            call.fail(2, message);
            call.fail(2, "Error is not recoverable: exiting now")
        }
    }
}

/// Whether a directory of `-C` can be entered. GNU's changes into it, so that a wrong one is an error even when no
/// member is looked for in it.
///
/// # Errors
/// The message, without the name of the command.
pub fn enter(directory: &[u8]) -> Result<(), Vec<u8>> {
    match system::read_directory(directory) {
        Ok(_) => Ok(()),
        Err(failure) => {
            let shown = directory.strip_prefix(b"./").unwrap_or(directory);
            Err(bytes!(shown, ": Cannot open: ", failure))
        }
    }
}

/// A command line that asks for what cannot be.
fn usage(call: &Call, message: impl AsRef<[u8]>) -> i32 {
    call.fail(2, message);
    eprintln!("Try 'tar --help' or 'tar --usage' for more information.");
    2
}

/// An option that does not exist or lacks its value. The status is `EX_USAGE` of BSD's sysexits.h, 64, and not the 2
/// of other wrong command lines.
fn malformed(call: &Call, message: impl AsRef<[u8]>) -> i32 {
    usage(call, message);
    64
}

/// Reads the command line. The error is the exit status, which is 0 after `--help` and `--version`.
///
/// # Errors
/// No mode or two, an option that does not exist or has no value, a list of files that cannot be read, `-c` without
/// members. The message is written.
fn read(call: &Call) -> Result<Plan, i32> {
    let mut reading = Reading::start(call);
    // The old style: letters without a dash, their values after them in order.
    if let Some(first) = call
        .arguments
        .first()
        .filter(|first| !first.starts_with(b"-") && !first.is_empty())
    {
        reading.arguments.pop_front();
        for &letter in first {
            let valued = VALUED.iter().any(|key| key.as_bytes() == [letter]);
            if valued && reading.arguments.is_empty() {
                let message = bytes!("Old option '", [letter], "' requires an argument.");
                return Err(usage(call, message));
            }
            reading.letter(letter, None)?;
        }
    }
    while let Some(argument) = reading.arguments.pop_front() {
        match argument.as_slice() {
            b"--" => {
                while let Some(name) = reading.arguments.pop_front() {
                    reading.member(name);
                }
            }
            [b'-', b'-', long @ ..] => reading.long(long)?,
            [b'-', letters @ ..] if !letters.is_empty() => {
                for (index, &letter) in letters.iter().enumerate() {
                    let rest = &letters[index + 1..];
                    let valued = VALUED.contains(&std::str::from_utf8(&[letter]).unwrap_or(""));
                    reading.letter(letter, Some(rest).filter(|rest| valued && !rest.is_empty()))?;
                    if valued {
                        break;
                    }
                }
            }
            _ => reading.member(argument),
        }
    }
    let Some(mode) = reading.mode else {
        return Err(usage(
            call,
            "You must specify one of the '-Acdtrux', '--delete' or '--test-label' options",
        ));
    };
    reading.plan.mode = mode;
    if reading.plan.top.as_ref().is_some_and(Vec::is_empty) {
        reading.plan.top = Some(stem(&reading.plan.archive));
    }
    let compressed = reading.plan.codec.is_some_and(|codec| codec != Codec::None);
    if matches!(mode, Mode::Append | Mode::Update | Mode::Delete) && compressed {
        return Err(usage(call, COMPRESSED));
    }
    if mode == Mode::Create && reading.auto {
        let named = Codec::of_name(&reading.plan.archive);
        reading.plan.codec.get_or_insert(named);
    }
    if mode == Mode::Create && reading.plan.members.is_empty() && !reading.listed {
        return Err(usage(call, "Cowardly refusing to create an empty archive"));
    }
    Ok(reading.plan)
}

/// The name of an archive without its directory and its endings: `d/a.tar.gz` → `a`, `a.tgz` → `a`, `a.zip` →
/// `a.zip`. The endings are tried once each, compressions before `tar`.
fn stem(archive: &[u8]) -> Vec<u8> {
    let name = archive.rsplit(|&byte| byte == b'/').next();
    let mut name = name.unwrap_or(archive);
    let endings = [
        "gz", "bz2", "xz", "zst", "tar", "tgz", "tbz", "tbz2", "txz", "tzst",
    ];
    for ending in endings {
        let bare = name.strip_suffix(ending.as_bytes());
        name = bare
            .and_then(|bare| bare.strip_suffix(b"."))
            .unwrap_or(name);
    }
    name.to_vec()
}

impl<'a> Reading<'a> {
    /// With no option read.
    fn start(call: &'a Call) -> Reading<'a> {
        Reading {
            call,
            plan: Plan {
                mode: Mode::List,
                archive: b"-".to_vec(),
                codec: None,
                verbose: 0,
                members: Vec::new(),
                directory: b".".to_vec(),
                to_stdout: false,
                keep_old: false,
                skip_old: false,
                absolute: false,
                dereference: false,
                preserve: false,
                touch: false,
                remove: false,
                wildcards: false,
                numeric: false,
                strip: 0,
                exclude: Vec::new(),
                owner: None,
                group: None,
                level: 6,
                mtime: None,
                transform: Transform::default(),
                shows_transformed: false,
                top: None,
                keep_newer: false,
                overwrite: false,
                clamps: false,
                newer: None,
                mode_change: None,
                ignores_unreadable: false,
                hard_dereference: false,
                full_time: false,
                utc: false,
                quoting: Quoting::Escape,
                idle: Vec::new(),
            },
            mode: None,
            null: false,
            listed: false,
            auto: false,
            recurse: true,
            arguments: call.arguments.iter().cloned().collect(),
        }
    }

    /// Adds a member that is looked for in the directory of the last `-C`.
    fn member(&mut self, name: Vec<u8>) {
        self.plan.members.push(Member {
            directory: self.plan.directory.clone(),
            name,
            recurse: self.recurse,
            excludes: self.plan.exclude.len(),
        });
        self.plan.idle.clear();
    }

    /// Notes an option that holds for the members behind it.
    fn positional(&mut self, shown: impl Into<Vec<u8>>) {
        if !self.plan.members.is_empty() {
            self.plan.idle.push(shown.into());
        }
    }

    /// The option that a name means: the one of that name, or the only one that begins so. Several names of one
    /// option are no doubt.
    fn find_long(&self, name: &str, word: &str) -> Result<(&'static str, &'static str), i32> {
        if let Some(exact) = LONG.iter().find(|(long, _)| *long == name) {
            return Ok(*exact);
        }
        let found: Vec<_> = LONG
            .iter()
            .filter(|(long, _)| long.starts_with(name))
            .collect();
        let same = |(_, key): &&&(&str, &str)| {
            *key == found[0].1 && !matches!(*key, "nothing" | "ignored")
        };
        match found.as_slice() {
            [] => Err(malformed(
                self.call,
                format!("unrecognized option '--{word}'"),
            )),
            [only] => Ok(**only),
            [first, ..] if found.iter().all(|entry| same(&entry)) => Ok(**first),
            _ => {
                let names: String = found
                    .iter()
                    .map(|(long, _)| format!(" '--{long}'"))
                    .collect();
                let message = format!("option '--{word}' is ambiguous; possibilities:{names}");
                Err(malformed(self.call, message))
            }
        }
    }

    /// A long option: `text` is what follows the two dashes, `NAME` or `NAME=VALUE`.
    fn long(&mut self, text: &[u8]) -> Result<(), i32> {
        let text = String::from_utf8_lossy(text).into_owned();
        let (name, value) = match text.split_once('=') {
            Some((name, value)) => (name, Some(value.as_bytes().to_vec())),
            None => (text.as_str(), None),
        };
        let (long, key) = self.find_long(name, &text)?;
        match key {
            "help" => {
                print!("{USAGE}");
                return Err(0);
            }
            "version" => {
                print!("{}", crate::model::version("tar"));
                return Err(0);
            }
            _ => {}
        }
        let valued = VALUED.contains(&key);
        if value.is_some() && !valued && !OPTIONAL.contains(&long) {
            let message = format!("option '--{long}' doesn't allow an argument");
            return Err(malformed(self.call, message));
        }
        if valued && value.is_none() && self.arguments.is_empty() {
            let message = format!("option '--{long}' requires an argument");
            return Err(malformed(self.call, message));
        }
        self.option(key, value)
    }

    /// A short option; `value` is the rest of its word, if it takes one and there is a rest.
    fn letter(&mut self, letter: u8, value: Option<&[u8]>) -> Result<(), i32> {
        let key = [letter];
        let Some(key) = std::str::from_utf8(&key)
            .ok()
            .filter(|key| "crutxdfzjJavCOkPhpmTXbHISliBnNosU".contains(key))
        else {
            return Err(malformed(
                self.call,
                bytes!("invalid option -- '", [letter], "'"),
            ));
        };
        self.option(key, value.map(<[u8]>::to_vec))
    }

    /// An option by its key in `LONG`. One that takes a value and has none in its word takes the next argument.
    fn option(&mut self, key: &str, value: Option<Vec<u8>>) -> Result<(), i32> {
        let mode = match key {
            "c" => Some(Mode::Create),
            "r" => Some(Mode::Append),
            "u" => Some(Mode::Update),
            "x" => Some(Mode::Extract),
            "t" => Some(Mode::List),
            "d" => Some(Mode::Compare),
            "delete" => Some(Mode::Delete),
            _ => None,
        };
        if let Some(mode) = mode {
            if self.mode.replace(mode).is_some_and(|old| old != mode) {
                return Err(usage(
                    self.call,
                    "You may not specify more than one '-Acdtrux', '--delete' or  '--test-label' option",
                ));
            }
            return Ok(());
        }
        if VALUED.contains(&key) {
            let Some(value) = value.or_else(|| self.arguments.pop_front()) else {
                return Err(malformed(
                    self.call,
                    format!("option requires an argument -- '{key}'"),
                ));
            };
            return self.valued(key, value);
        }
        let plan = &mut self.plan;
        match key {
            "show-transformed" => plan.shows_transformed = true,
            "keep-newer" => plan.keep_newer = true,
            "top" => plan.top = Some(value.unwrap_or_default()),
            "clamp" => plan.clamps = true,
            "unreadable" => plan.ignores_unreadable = true,
            "hard" => plan.hard_dereference = true,
            "full-time" => plan.full_time = true,
            "utc" => plan.utc = true,
            "null" => self.null = true,
            "no-null" => self.null = false,
            "backups" => {
                let patterns = [".#*", "*~", "#*#"].iter();
                let globs = patterns.map(|pattern| Glob::new(pattern.as_bytes(), false, false));
                plan.exclude.extend(globs);
                self.positional("--exclude-backups");
            }
            "z" => plan.codec = Some(Codec::Gzip),
            "j" => plan.codec = Some(Codec::Bzip2),
            "J" => plan.codec = Some(Codec::Xz),
            "zstd" => plan.codec = Some(Codec::Zstd),
            "exclude-vcs" => {
                let globs = VCS
                    .iter()
                    .map(|name| Glob::new(name.as_bytes(), false, false));
                plan.exclude.extend(globs);
                self.positional("--exclude-vcs");
            }
            "a" => self.auto = true,
            "v" => plan.verbose += 1,
            "O" => plan.to_stdout = true,
            "k" => plan.keep_old = true,
            "skip-old-files" => plan.skip_old = true,
            "overwrite" => plan.overwrite = true,
            "P" => plan.absolute = true,
            "h" => plan.dereference = true,
            "p" => plan.preserve = true,
            "m" => plan.touch = true,
            "no-recursion" | "recursion" => {
                self.recurse = key == "recursion";
                self.positional(format!("--{key}"));
            }
            "remove" => plan.remove = true,
            "wildcards" => plan.wildcards = true,
            "numeric" => plan.numeric = true,
            _ => {}
        }
        Ok(())
    }

    /// The lines of a file that are not empty.
    fn lines(&self, path: &[u8]) -> Result<Vec<Vec<u8>>, i32> {
        let text = system::read_whole(path)
            .map_err(|failure| self.refuse(bytes!(path, ": Cannot stat: ", failure)))?;
        let end = if self.null { 0 } else { b'\n' };
        Ok(text
            .split(|&byte| byte == end)
            .filter(|line| !line.is_empty())
            .map(<[u8]>::to_vec)
            .collect())
    }

    /// A point in time, or that of a file where the value looks like a path.
    fn time(&self, value: &[u8]) -> Result<Time, i32> {
        if value.starts_with(b"/") || value.starts_with(b".") {
            return system::stat(value, true)
                .map(|found| found.modified)
                .map_err(|failure| self.refuse(bytes!(value, ": Cannot stat: ", failure)));
        }
        crate::when::local(&String::from_utf8_lossy(value))
            .ok_or_else(|| self.refuse(bytes!("Invalid time stamp '", value, "'")))
    }

    /// A value that cannot be. Gives the status.
    fn refuse(&self, message: Vec<u8>) -> i32 {
        self.call.fail(2, message);
        self.call.fail(2, "Error is not recoverable: exiting now")
    }

    fn valued(&mut self, key: &str, value: Vec<u8>) -> Result<(), i32> {
        match key {
            "f" => self.plan.archive = value,
            "C" => self.plan.directory = system::join(&self.plan.directory, &value),
            "T" => {
                self.listed = true;
                for name in self.lines(&value)? {
                    self.member(name);
                }
            }
            "X" => {
                let text = system::read_whole(&value).map_err(|failure| {
                    self.call.fail(2, bytes!(value, ": ", failure));
                    self.call.fail(2, "Error is not recoverable: exiting now")
                })?;
                let lines = text.split(|&byte| byte == b'\n');
                let lines = lines.map(<[u8]>::trim_ascii_end);
                for pattern in lines.filter(|line| !line.is_empty()) {
                    self.plan.exclude.push(Glob::new(pattern, false, false));
                }
                self.positional(bytes!("--exclude-from ", quote::word(&value)));
            }
            "exclude" => {
                self.plan.exclude.push(Glob::new(&value, false, false));
                self.positional(bytes!("--exclude ", quote::word(&value)));
            }
            "add" => self.member(value),
            "N" => self.plan.newer = Some(self.time(&value)?),
            "mode" => {
                let change = Change::parse(&value)
                    .ok_or_else(|| self.refuse("Invalid mode given on option".into()))?;
                self.plan.mode_change = Some(change);
            }
            "quoting" => {
                self.plan.quoting = Quoting::named(&value).ok_or_else(|| {
                    self.refuse(bytes!(
                        "option '--quoting-style' does not support '",
                        value,
                        "'"
                    ))
                })?;
            }
            "strip" => {
                self.plan.strip = crate::options::number(&value).ok_or_else(|| {
                    usage(self.call, bytes!(value, ": Invalid number of elements"))
                })?;
            }
            "I" => {
                let program = value.split(|&byte| byte == b' ').next().unwrap_or_default();
                let program = program
                    .rsplit(|&byte| byte == b'/')
                    .next()
                    .unwrap_or_default();
                self.plan.codec = Some(match program {
                    b"gzip" | b"pigz" => Codec::Gzip,
                    b"bzip2" | b"pbzip2" => Codec::Bzip2,
                    b"xz" => Codec::Xz,
                    b"zstd" | b"zstdmt" => Codec::Zstd,
                    _ => {
                        let message =
                            bytes!("option '-I' does not support the program '", value, "'");
                        return Err(self.call.fail(2, message));
                    }
                });
            }
            "mtime" => {
                self.plan.mtime = Some(self.time(&value)?.seconds);
            }
            "transform" => {
                let added = self.plan.transform.add(&value);
                added.map_err(|message| usage(self.call, message))?;
            }
            "owner" => self.plan.owner = Some(String::from_utf8_lossy(&value).into_owned()),
            "group" => self.plan.group = Some(String::from_utf8_lossy(&value).into_owned()),
            _ => {}
        }
        Ok(())
    }
}

impl Plan {
    /// Whether a pattern excludes the name or a directory it is in: from its start, or from any slash.
    ///
    /// ```text
    /// --exclude=b      excludes b, a/b, a/b/c, not ab
    /// --exclude=a/*.o  excludes a/x.o, d/a/x.o, and a/d/x.o, since * matches slashes
    /// ```
    ///
    /// The cost is O(n² · patterns) for a name of n parts.
    pub fn excludes(&self, name: &[u8]) -> bool {
        self.excludes_by(name, self.exclude.len())
    }

    /// The same for the first `count` patterns alone.
    pub fn excludes_by(&self, name: &[u8], count: usize) -> bool {
        let Some(exclude) = self.exclude.get(..count).filter(|_| count > 0) else {
            return false;
        };
        let name = name.strip_suffix(b"/").unwrap_or(name);
        let slashes = || (0..name.len()).filter(|at| name[*at] == b'/');
        let ends: Vec<usize> = slashes().chain([name.len()]).collect();
        let starts = std::iter::once(0).chain(slashes().map(|at| at + 1));
        starts.into_iter().any(|start| {
            let mut parts = ends.iter().filter(|end| **end > start);
            parts.any(|end| exclude.iter().any(|glob| glob.matches(&name[start..*end])))
        })
    }
}
