//! The command line of `zip`.
//!
//! Letters stand in clusters (`-r9q`). `-x`, `-i` and `-n` take the rest of their word; where there is none, `-n`
//! takes the next word, and `-x` and `-i` all words up to the next option or a word `@`:
//!
//! ```text
//! zip -r a.zip d -x '*.o' '*.a' @ e    adds d and e without these files
//! ```

use std::io::Write as _;

use crate::call::{Call, bytes};
use crate::glob::Glob;

/// What is done with the archive.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Task {
    /// Files are added or replaced.
    #[default]
    Add,
    /// `-u`: those that are newer than their member, or new.
    Update,
    /// `-f`: those that are newer than their member.
    Freshen,
    /// `-d`: members are removed.
    Delete,
    /// `-FS`: the archive comes to have the files that are named, and no other members.
    Synchronize,
    /// Nothing is written: the members, or what would be added, are listed.
    Show,
}

/// What the command line asks for.
#[derive(Default)]
pub(super) struct Settings {
    pub(super) task: Task,
    /// `-r`.
    pub(super) recursive: bool,
    /// `-j`: names lose their directories.
    pub(super) junk: bool,
    /// `-q`.
    pub(super) quiet: bool,
    /// `-v`: sizes are shown.
    pub(super) verbose: bool,
    /// `-m`: what was added is removed.
    pub(super) move_files: bool,
    /// `-y`: symbolic links are stored as such.
    pub(super) links: bool,
    /// `-D`: directories get no members of their own.
    pub(super) no_directories: bool,
    /// `-X`: no extra fields, so times are those of the DOS fields alone.
    pub(super) no_extra: bool,
    /// `-@`: names are read from standard input, one a line.
    pub(super) names_from_input: bool,
    /// `-T`: says that the archive is in order, which is not looked at.
    pub(super) test: bool,
    /// The archive is to be there already.
    pub(super) grow: bool,
    pub(super) level: u8,
    /// `-n`: the endings of names whose files are stored.
    pub(super) store: Vec<Vec<u8>>,
    /// `-x`: names that are left out, in the archive's form.
    pub(super) exclude: Vec<Glob>,
    /// `-i`: the only names that are taken, if there are any.
    pub(super) include: Vec<Glob>,
    /// The first operand.
    pub(super) archive: Option<Vec<u8>>,
    /// The other operands: files, or patterns of members for `-d`.
    pub(super) files: Vec<Vec<u8>>,
}

pub(super) const USAGE: &str = "Usage:\nzip [-options] [zipfile list] [-xi list]\n  The default action is to add or replace zipfile entries from list, which\n  can include the special name - to compress standard input.\n  -f   freshen: only changed files  -u   update: only changed or new files\n  -d   delete entries in zipfile    -m   move into zipfile (delete OS files)\n  -r   recurse into directories     -j   junk (don't record) directory names\n  -0   store only                   -FS  synchronize with the files\n  -1   compress faster              -9   compress better\n  -q   quiet operation              -v   verbose operation\n  -@   read names from stdin        -D   do not add directory entries\n  -x   exclude the following names  -i   include only the following names\n  -T   test zipfile integrity       -X   eXclude eXtra file attributes\n  -g   grow the archive             -sf  show files, change nothing\n  -y   store symbolic links as the link instead of the referenced file\n  -n   don't compress these suffixes\n";

/// Long options and the short ones they stand for. They are not abbreviated and take no value in their word.
const LONG: &[(&str, &str)] = &[
    ("recurse-paths", "r"),
    ("junk-paths", "j"),
    ("quiet", "q"),
    ("verbose", "v"),
    ("move", "m"),
    ("delete", "d"),
    ("update", "u"),
    ("freshen", "f"),
    ("filesync", "FS"),
    ("symlinks", "y"),
    ("no-dir-entries", "D"),
    ("no-extra", "X"),
    ("strip-extra", "X"),
    ("names-stdin", "@"),
    ("test", "T"),
    ("grow", "g"),
    ("show-files", "sf"),
    ("exclude", "x"),
    ("include", "i"),
    ("suffixes", "n"),
];

/// An option as it was given.
struct Given {
    /// Its short name.
    option: Vec<u8>,
    /// What stands behind it in the same word.
    value: Vec<u8>,
}

/// Reads the command line. The error is the exit status, after a message.
pub(super) fn read(call: &Call) -> Result<Settings, i32> {
    let mut settings = Settings {
        level: 6,
        store: suffixes(b".Z:.zip:.zoo:.arc:.lzh:.arj"),
        ..Settings::default()
    };
    let mut list = None;
    let mut arguments = call.arguments.iter();
    let mut plain = false;
    while let Some(argument) = arguments.next() {
        let mut options = Vec::new();
        match argument.as_slice() {
            b"--" => plain = true,
            b"@" if list.is_some() => list = None,
            b"--help" => {
                let written = std::io::stdout().write_all(USAGE.as_bytes());
                return Err(i32::from(written.is_err()));
            }
            b"--version" => {
                let text = crate::model::version("zip");
                return Err(i32::from(
                    std::io::stdout().write_all(text.as_bytes()).is_err(),
                ));
            }
            [b'-', b'-', name @ ..] if !plain => {
                let found = LONG.iter().find(|(long, _)| long.as_bytes() == name);
                let (_, short) = found.ok_or_else(|| unsupported(call, argument))?;
                options.push(Given {
                    option: short.as_bytes().to_vec(),
                    value: Vec::new(),
                });
            }
            [b'-', letters @ ..] if !letters.is_empty() && !plain => options = cluster(letters),
            text => match list {
                Some(b'x') => settings.exclude.push(Glob::new(text, false, false)),
                Some(_) => settings.include.push(Glob::new(text, false, false)),
                None if settings.archive.is_none() => settings.archive = Some(argument.clone()),
                None => settings.files.push(argument.clone()),
            },
        }
        for Given { option, value } in options {
            list = None;
            match option.as_slice() {
                b"n" if value.is_empty() => {
                    let Some(value) = arguments.next() else {
                        let message = "\nzip error: Invalid command arguments (option 'n' (suffixes to not compress: .gz:.zip) requires a value)\n";
                        // The status says it where standard output is gone.
                        let _ = std::io::stdout().write_all(message.as_bytes());
                        return Err(16);
                    };
                    settings.store = suffixes(value);
                }
                b"n" => settings.store = suffixes(&value),
                b"x" | b"i" if value.is_empty() => list = Some(option[0]),
                b"x" => settings.exclude.push(Glob::new(&value, false, false)),
                b"i" => settings.include.push(Glob::new(&value, false, false)),
                option => settings.set(call, option)?,
            }
        }
    }
    Ok(settings)
}

/// The options of a word; `-x`, `-i` and `-n` take what is left of it. `FS` is one option.
fn cluster(letters: &[u8]) -> Vec<Given> {
    let mut options = Vec::new();
    let mut at = 0;
    while at < letters.len() {
        let rest = &letters[at..];
        let double = rest.starts_with(b"FS") || rest.starts_with(b"sf");
        let length = if double { 2 } else { 1 };
        let (option, rest) = rest.split_at(length);
        let takes = b"xin".contains(&option[0]);
        options.push(Given {
            option: option.to_vec(),
            value: if takes { rest.to_vec() } else { Vec::new() },
        });
        at += if takes { letters.len() } else { length };
    }
    options
}

/// The suffixes of a list with `:` or `;` between them.
fn suffixes(list: &[u8]) -> Vec<Vec<u8>> {
    let suffixes = list.split(|byte| b":;".contains(byte));
    suffixes.map(<[u8]>::to_vec).collect()
}

/// Refuses an option; gives the status 16.
fn unsupported(call: &Call, option: &[u8]) -> i32 {
    call.fail(
        16,
        bytes!(
            "error: Invalid command arguments (option '",
            option,
            "' is not supported)"
        ),
    )
}

impl Settings {
    /// An option without a value.
    fn set(&mut self, call: &Call, option: &[u8]) -> Result<(), i32> {
        match option {
            b"r" => self.recursive = true,
            b"j" => self.junk = true,
            b"q" => self.quiet = true,
            b"v" => self.verbose = true,
            b"m" => self.move_files = true,
            b"y" => self.links = true,
            b"D" => self.no_directories = true,
            b"X" => self.no_extra = true,
            b"@" => self.names_from_input = true,
            b"T" => self.test = true,
            b"g" => self.grow = true,
            b"d" => self.task = Task::Delete,
            b"u" => self.task = Task::Update,
            b"f" => self.task = Task::Freshen,
            b"FS" => self.task = Task::Synchronize,
            b"sf" => self.task = Task::Show,
            [level @ b'0'..=b'9'] => self.level = level - b'0',
            other => return Err(unsupported(call, &bytes!("-", other))),
        }
        Ok(())
    }
}
