//! `zip`: writing archives.
//!
//! An archive is made anew beside the old one and then takes its place; members that do not change are copied in their
//! packed form. A failure before the last step leaves the old archive as it was. Only an archive for standard output,
//! and each file of up to 4 MiB, is held in memory.
//!
//! What happens with a member of the old archive and a file of the same name:
//!
//! | Task | Both | Only the member | Only the file |
//! |---|---|---|---|
//! | add | the file | stays | is added |
//! | `-u` | the file if it is newer | stays | is added |
//! | `-f` | the file if it is newer | stays | – |
//! | `-FS` | the file if its time or size differs | is removed | is added |
//!
//! Statuses, as zip's manual has them: 12 nothing to do, 13 no archive to delete from, 14 and 15 errors of writing
//! and reading, 16 wrong options, 18 a file that could not be read.

mod content;
mod options;
mod pack;
mod target;

use std::collections::HashSet;
use std::io::{BufReader, Read as _, Write as _};

use ::zip::{ZipArchive, ZipWriter};

use super::{Archive, Member};
use crate::call::{Call, bytes};
use crate::glob::Glob;
use crate::output::{CHUNK, Output};
use crate::system;
use crate::system::{Kind, Stat};
use options::{Settings, Task, USAGE, read};
use pack::copy;
use target::Target;

/// A file to add.
struct Source {
    /// Its name in the archive.
    name: Vec<u8>,
    /// None is standard input.
    path: Option<Vec<u8>>,
    /// None is standard input.
    stat: Option<Stat>,
}

/// Runs the command.
pub fn run(call: &Call) -> i32 {
    start(call).unwrap_or_else(|status| status)
}

/// Reads the command line, and with `-@` the names on standard input. The archive gets the ending `.zip` unless its
/// name has a dot.
fn start(call: &Call) -> Result<i32, i32> {
    let mut settings = read(call)?;
    let Some(given) = settings.archive.clone() else {
        let mut out = Output::new();
        out.put(USAGE);
        return Ok(out.finish("zip", if call.arguments.is_empty() { 0 } else { 16 }, 14));
    };
    if settings.names_from_input {
        let mut text = Vec::new();
        // What could not be read is not in the list.
        let _ = std::io::stdin().lock().read_to_end(&mut text);
        let names = text
            .split(|&byte| byte == b'\n')
            .filter(|name| !name.is_empty());
        settings.files.extend(names.map(<[u8]>::to_vec));
    }
    let to_output = given == b"-";
    let base = given
        .rsplit(|&byte| byte == b'/')
        .next()
        .unwrap_or_default();
    let path = if to_output || base.contains(&b'.') {
        given
    } else {
        bytes!(given, ".zip")
    };
    let zipper = Zipper {
        settings,
        path,
        to_output,
        out: Output::new(),
        status: 0,
        sources: Vec::new(),
        names: HashSet::new(),
        filtered: false,
    };
    zipper.run()
}

/// The state of one call.
struct Zipper {
    settings: Settings,
    /// The archive.
    path: Vec<u8>,
    /// The archive goes to standard output, and messages to standard error.
    to_output: bool,
    out: Output,
    status: i32,
    /// What is to be added, in the order of the operands.
    sources: Vec<Source>,
    /// The names of `sources`, which come once each.
    names: HashSet<Vec<u8>>,
    /// A file was left out by the patterns of `-x` or `-i`.
    filtered: bool,
}

/// An archive that is made.
type Writer = ZipWriter<Target>;

impl Zipper {
    /// A message that `-q` leaves out.
    fn say(&mut self, text: impl AsRef<[u8]>) {
        if !self.settings.quiet {
            self.message(text);
        }
    }

    /// A message. zip writes all of them, errors too, to standard output, unless the archive is there.
    fn message(&mut self, text: impl AsRef<[u8]>) {
        if self.to_output {
            // Standard output is the archive; nothing is left to tell where this fails.
            let _ = std::io::stderr().write_all(text.as_ref());
        } else {
            self.out.put(text);
        }
    }

    fn warn(&mut self, message: Vec<u8>) {
        self.message(bytes!("\tzip warning: ", message, "\n"));
    }

    /// The message of an error; gives its status back.
    fn error(&mut self, status: i32, message: impl AsRef<[u8]>) -> i32 {
        self.message(bytes!("\nzip error: ", message, " (", self.path, ")\n"));
        self.out.flush();
        status
    }

    /// Does what is asked. `-f` without names is about all members.
    fn run(mut self) -> Result<i32, i32> {
        let old = self.open()?;
        if self.settings.grow && old.is_none() {
            self.warn(bytes!(self.path, " not found or empty"));
        }
        if self.settings.task == Task::Show {
            return self.show(old.map(|(_, members)| members));
        }
        if let Some((archive, members)) = old {
            match self.settings.task {
                Task::Add if self.settings.test && self.settings.files.is_empty() => {
                    return self.check(archive);
                }
                Task::Delete => return self.delete(archive, &members),
                Task::Freshen if self.settings.files.is_empty() => {
                    self.settings.files =
                        members.iter().map(|member| member.name.clone()).collect();
                }
                _ => {}
            }
            self.collect(&members);
            if self.settings.task == Task::Synchronize && self.sources.is_empty() {
                // Without any file no member is left out either.
                return Err(self.error(12, "Nothing to do!"));
            }
            return self.write(Some((archive, members)));
        }
        if self.settings.task == Task::Delete {
            return Err(self.error(13, bytes!("Nothing to do!")));
        }
        self.collect(&[]);
        self.write(None)
    }

    /// The archive that is there already, with its members; none for a new one.
    fn open(&mut self) -> Result<Option<(Archive, Vec<Member>)>, i32> {
        if self.to_output || system::stat(&self.path, true).is_err() {
            return Ok(None);
        }
        let opened = system::open_file(&self.path)
            .and_then(|file| Ok((file, system::open_file(&self.path)?)));
        let (file, mut second) = opened.map_err(|failure| self.error(15, failure))?;
        let read =
            ZipArchive::new(BufReader::with_capacity(CHUNK, file)).and_then(|mut archive| {
                let members = super::members(&mut archive, &mut second)?;
                Ok((archive, members))
            });
        read.map(Some).map_err(|_| {
            let explained = [
                "missing end signature--probably not a zip file (did you",
                "remember to use binary mode when you transferred it?)",
                "(if you are trying to read a damaged archive try -F)",
            ];
            for line in explained {
                self.warn(line.into());
            }
            self.error(3, "Zip file structure invalid")
        })
    }

    /// Tests the archive that is there, as `-T` without files asks for.
    fn check(mut self, mut archive: Archive) -> Result<i32, i32> {
        for index in 0..archive.len() {
            let read = archive.by_index(index).map_err(std::io::Error::from);
            let read = read.and_then(|mut member| std::io::copy(&mut member, &mut std::io::sink()));
            if read.is_err() {
                self.say(bytes!("test of ", self.path, " FAILED\n"));
                return Err(self.error(8, "Zip file invalid"));
            }
        }
        self.say(bytes!("test of ", self.path, " OK\n"));
        Ok(self.out.finish("zip", 0, 14))
    }

    /// Lists the members, or with files on the command line what would be added.
    fn show(mut self, members: Option<Vec<Member>>) -> Result<i32, i32> {
        let members = members.unwrap_or_default();
        let named = !self.settings.files.is_empty();
        let shown: Vec<(Vec<u8>, u64)> = if named {
            self.collect(&members);
            let size = |source: &Source| source.stat.as_ref().map_or(0, |stat| stat.size);
            let sources = std::mem::take(&mut self.sources);
            let sources = sources.into_iter().map(|source| {
                let size = if source.name.ends_with(b"/") {
                    0
                } else {
                    size(&source)
                };
                (source.name, size)
            });
            sources.collect()
        } else {
            let members = members.into_iter().map(|member| (member.name, member.size));
            members.collect()
        };
        if shown.is_empty() {
            return Err(self.error(12, "Nothing to do!"));
        }
        self.message(if named {
            "Would Add/Update:\n"
        } else {
            "Archive contains:\n"
        });
        for (name, _) in &shown {
            self.message(bytes!("  ", name, "\n"));
        }
        let size = shown
            .iter()
            .fold(0, |sum, (_, size)| size.saturating_add(sum));
        let count = shown.len();
        self.message(format!("Total {count} entries ({size} bytes)\n"));
        Ok(self.out.finish("zip", 0, 14))
    }

    /// The name in the archive: without a leading slash or `./`.
    fn inner_name(&self, path: &[u8]) -> Vec<u8> {
        let mut name = path;
        if self.settings.junk {
            let bare = name.strip_suffix(b"/").unwrap_or(name);
            return bare
                .rsplit(|&byte| byte == b'/')
                .next()
                .unwrap_or(bare)
                .to_vec();
        }
        loop {
            let shorter = name.strip_prefix(b"./").or(name.strip_prefix(b"/"));
            match shorter {
                Some(shorter) => name = shorter,
                None => return name.to_vec(),
            }
        }
    }

    /// Whether `-x` and `-i` let a name pass.
    fn wanted(&self, name: &[u8]) -> bool {
        let matches = |globs: &[Glob]| globs.iter().any(|glob| glob.matches(name));
        !matches(&self.settings.exclude)
            && (self.settings.include.is_empty() || matches(&self.settings.include))
    }

    /// Makes `sources` from the operands. A name that does not exist is a warning, unless it is a member's.
    fn collect(&mut self, members: &[Member]) {
        let own = system::stat(&self.path, true).ok();
        for file in std::mem::take(&mut self.settings.files) {
            if file == b"-" {
                self.sources.push(Source {
                    name: b"-".to_vec(),
                    path: None,
                    stat: None,
                });
                continue;
            }
            let stat = system::stat(&file, !self.settings.links);
            match stat {
                Ok(stat) => self.add(&file, stat, own.as_ref()),
                Err(_) if members.iter().any(|member| member.name == file) => {}
                Err(_) if self.settings.quiet => {}
                Err(_) => self.warn(bytes!("name not matched: ", file)),
            }
        }
    }

    /// Adds a file, and with `-r` what is below it, each directory before its entries. Left out are the archive
    /// itself (`own`), FIFOs, devices, the entry for `.`, and names that are there already. A stack takes the place
    /// of recursion, so that depth costs memory only.
    fn add(&mut self, path: &[u8], stat: Stat, own: Option<&Stat>) {
        let mut stack = vec![(path.to_vec(), stat)];
        while let Some((path, stat)) = stack.pop() {
            if own.is_some_and(|own| own.is_same(&stat)) {
                continue;
            }
            let is_directory = stat.kind == Kind::Directory;
            let bare = path.strip_suffix(b"/").unwrap_or(&path);
            let mut name = self.inner_name(bare);
            if is_directory {
                name.push(b'/');
            }
            if is_directory && self.settings.recursive {
                match system::read_directory(&path) {
                    Ok(entries) => {
                        for entry in entries.into_iter().rev() {
                            let inner = system::join(&path, &entry.name);
                            if let Ok(stat) = system::stat(&inner, !self.settings.links) {
                                stack.push((inner, stat));
                            }
                        }
                    }
                    Err(failure) => {
                        self.warn(bytes!("could not open for reading: ", path, ": ", failure));
                        self.status = 18;
                    }
                }
            }
            let skipped = is_directory
                && (self.settings.no_directories || self.settings.junk || bare == b".");
            if stat.kind == Kind::Fifo {
                self.warn(bytes!(
                    "ignoring FIFO (Named Pipe) - use -FI to read: ",
                    path
                ));
            }
            let special = matches!(stat.kind, Kind::Fifo | Kind::CharacterDevice);
            if skipped || special {
                continue;
            }
            if !self.wanted(&name) {
                self.filtered = true;
                continue;
            }
            if self.names.insert(name.clone()) {
                self.sources.push(Source {
                    name,
                    path: Some(path),
                    stat: Some(stat),
                });
            } else if self.settings.junk {
                self.warn(bytes!(
                    "  first full name: ",
                    path,
                    "\n                  repeated name: ",
                    name
                ));
            }
        }
    }

    /// A new archive.
    fn begin(&mut self) -> Result<Writer, i32> {
        let target = Target::begin(&self.path, self.to_output);
        let target = target.map_err(|failure| self.error(15, failure))?;
        Ok(ZipWriter::new(target))
    }

    fn fail_write(&mut self, error: impl std::fmt::Display) -> i32 {
        self.error(14, error.to_string())
    }

    /// Removes the members that the patterns name; an archive that becomes empty is removed.
    ///
    /// # Errors
    /// Status 12 where no pattern matched.
    fn delete(mut self, mut archive: Archive, members: &[Member]) -> Result<i32, i32> {
        let patterns = std::mem::take(&mut self.settings.files);
        let globs: Vec<Glob> = patterns
            .iter()
            .map(|name| Glob::new(name, false, false))
            .collect();
        let mut writer = self.begin()?;
        let mut used = vec![false; globs.len()];
        let mut kept = 0;
        for member in members {
            let mut gone = false;
            for (glob, used) in globs.iter().zip(&mut used) {
                if glob.matches(&member.name) && self.wanted(&member.name) {
                    *used = true;
                    gone = true;
                }
            }
            if gone {
                self.say(bytes!("deleting: ", member.name, "\n"));
            } else {
                kept += 1;
                copy(&mut archive, member, &mut writer).map_err(|error| self.fail_write(error))?;
            }
        }
        for (pattern, used) in patterns.iter().zip(&used) {
            if !used {
                self.warn(bytes!("name not matched: ", pattern));
            }
        }
        if !used.contains(&true) {
            return Err(self.error(12, "Nothing to do!"));
        }
        drop(archive);
        if kept == 0 {
            self.warn(b"zip file empty".to_vec());
            system::unlink(&self.path).map_err(|failure| self.error(14, failure))?;
            let status = self.status;
            return Ok(self.out.finish("zip", status, 14));
        }
        self.save(writer)
    }
}
