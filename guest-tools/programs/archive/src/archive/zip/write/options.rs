//! What the command line asks for.

use std::io::Write as _;

use crate::call::{Call, bytes};
use crate::glob::Glob;

/// What is done with the archive.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Task {
    #[default]
    Add,
    Update,
    Freshen,
    Delete,
    Synchronize,
}

#[derive(Default)]
pub(super) struct Settings {
    pub(super) task: Task,
    pub(super) recursive: bool,
    pub(super) junk: bool,
    pub(super) quiet: bool,
    pub(super) verbose: bool,
    pub(super) move_files: bool,
    pub(super) links: bool,
    pub(super) no_directories: bool,
    pub(super) no_extra: bool,
    pub(super) names_from_input: bool,
    pub(super) test: bool,
    pub(super) level: u8,
    pub(super) store: Vec<Vec<u8>>,
    pub(super) exclude: Vec<Glob>,
    pub(super) include: Vec<Glob>,
    pub(super) archive: Option<Vec<u8>>,
    pub(super) files: Vec<Vec<u8>>,
}

pub(super) const USAGE: &str = "Usage:\nzip [-options] [zipfile list] [-xi list]\n  The default action is to add or replace zipfile entries from list, which\n  can include the special name - to compress standard input.\n  -f   freshen: only changed files  -u   update: only changed or new files\n  -d   delete entries in zipfile    -m   move into zipfile (delete OS files)\n  -r   recurse into directories     -j   junk (don't record) directory names\n  -0   store only                   -FS  synchronize with the files\n  -1   compress faster              -9   compress better\n  -q   quiet operation              -v   verbose operation\n  -@   read names from stdin        -D   do not add directory entries\n  -x   exclude the following names  -i   include only the following names\n  -T   test zipfile integrity       -X   eXclude eXtra file attributes\n  -y   store symbolic links as the link instead of the referenced file\n  -n   don't compress these suffixes\n";

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
    ("exclude", "x"),
    ("include", "i"),
    ("suffixes", "n"),
];

pub(super) fn read(call: &Call) -> Result<Settings, i32> {
    let mut settings = Settings {
        level: 6,
        ..Settings::default()
    };
    let unsupported = |option: &[u8]| {
        call.fail(
            16,
            bytes!(
                "error: Invalid command arguments (option '",
                option,
                "' is not supported)"
            ),
        )
    };
    let mut list = None;
    let mut arguments = call.arguments.iter().peekable();
    let mut plain = false;
    while let Some(argument) = arguments.next() {
        let mut options: Vec<(Vec<u8>, Vec<u8>)> = Vec::new();
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
                let (_, short) = found.ok_or_else(|| unsupported(argument))?;
                options.push((short.as_bytes().to_vec(), Vec::new()));
            }
            [b'-', letters @ ..] if !letters.is_empty() && !plain => {
                let mut at = 0;
                while at < letters.len() {
                    let rest = &letters[at..];
                    let length = if rest.starts_with(b"FS") { 2 } else { 1 };
                    let (option, rest) = rest.split_at(length);
                    let takes = b"xin".contains(&option[0]);
                    options.push((
                        option.to_vec(),
                        if takes { rest.to_vec() } else { Vec::new() },
                    ));
                    at += if takes { letters.len() } else { length };
                }
            }
            text => match list {
                Some(b'x') => settings.exclude.push(Glob::new(text, false, false)),
                Some(_) => settings.include.push(Glob::new(text, false, false)),
                None if settings.archive.is_none() => settings.archive = Some(argument.clone()),
                None => settings.files.push(argument.clone()),
            },
        }
        for (option, value) in options {
            list = None;
            match option.as_slice() {
                b"r" => settings.recursive = true,
                b"j" => settings.junk = true,
                b"q" => settings.quiet = true,
                b"v" => settings.verbose = true,
                b"m" => settings.move_files = true,
                b"y" => settings.links = true,
                b"D" => settings.no_directories = true,
                b"X" => settings.no_extra = true,
                b"@" => settings.names_from_input = true,
                b"T" => settings.test = true,
                b"d" => settings.task = Task::Delete,
                b"u" => settings.task = Task::Update,
                b"f" => settings.task = Task::Freshen,
                b"FS" => settings.task = Task::Synchronize,
                [level @ b'0'..=b'9'] => settings.level = level - b'0',
                b"n" => {
                    let value = if value.is_empty() {
                        let Some(value) = arguments.next() else {
                            let message = "\nzip error: Invalid command arguments (option 'n' (suffixes to not compress: .gz:.zip) requires a value)\n";
                            // The status says it where standard output is gone.
                            let _ = std::io::stdout().write_all(message.as_bytes());
                            return Err(16);
                        };
                        value.clone()
                    } else {
                        value
                    };
                    let suffixes = value.split(|byte| b":;".contains(byte));
                    settings.store = suffixes.map(<[u8]>::to_vec).collect();
                }
                b"x" | b"i" => {
                    if value.is_empty() {
                        list = Some(option[0]);
                    } else {
                        let globs = if option == b"x" {
                            &mut settings.exclude
                        } else {
                            &mut settings.include
                        };
                        globs.push(Glob::new(&value, false, false));
                    }
                }
                // They change nothing here: the time of the archive, its comments' terminal.
                b"o" | b"k" => return Err(unsupported(&bytes!("-", option))),
                other => return Err(unsupported(&bytes!("-", other))),
            }
        }
    }
    Ok(settings)
}
