//! `zip`: writing archives.

use std::collections::HashSet;
use std::io::{BufReader, Cursor, Read as _, Write as _};

use ::zip::result::ZipResult;
use ::zip::write::{ExtendedFileOptions, FileOptions};
use ::zip::{CompressionMethod, DateTime, ZipArchive, ZipWriter};

use super::{Archive, Member, percent};
use crate::call::{Call, bytes};
use crate::glob::Glob;
use crate::output::{CHUNK, Output};
use crate::system::{self, Kind, Stat};
use crate::time;

/// What is done with the archive.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Task {
    #[default]
    Add,
    Update,
    Freshen,
    Delete,
    Synchronize,
}

#[derive(Default)]
struct Settings {
    task: Task,
    recursive: bool,
    junk: bool,
    quiet: bool,
    verbose: bool,
    move_files: bool,
    links: bool,
    no_directories: bool,
    no_extra: bool,
    names_from_input: bool,
    test: bool,
    level: u8,
    store: Vec<Vec<u8>>,
    exclude: Vec<Glob>,
    include: Vec<Glob>,
    archive: Option<Vec<u8>>,
    files: Vec<Vec<u8>>,
}

const USAGE: &str = "Usage:\nzip [-options] [zipfile list] [-xi list]\n  The default action is to add or replace zipfile entries from list, which\n  can include the special name - to compress standard input.\n  -f   freshen: only changed files  -u   update: only changed or new files\n  -d   delete entries in zipfile    -m   move into zipfile (delete OS files)\n  -r   recurse into directories     -j   junk (don't record) directory names\n  -0   store only                   -FS  synchronize with the files\n  -1   compress faster              -9   compress better\n  -q   quiet operation              -v   verbose operation\n  -@   read names from stdin        -D   do not add directory entries\n  -x   exclude the following names  -i   include only the following names\n  -T   test zipfile integrity       -X   eXclude eXtra file attributes\n  -y   store symbolic links as the link instead of the referenced file\n  -n   don't compress these suffixes\n";

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

fn read(call: &Call) -> Result<Settings, i32> {
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

/// A file to add.
struct Source {
    name: Vec<u8>,
    /// None is standard input.
    path: Option<Vec<u8>>,
    stat: Option<Stat>,
}

/// Runs the command.
pub fn run(call: &Call) -> i32 {
    start(call).unwrap_or_else(|status| status)
}

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
    };
    zipper.run()
}

struct Zipper {
    settings: Settings,
    path: Vec<u8>,
    to_output: bool,
    out: Output,
    status: i32,
    sources: Vec<Source>,
    names: HashSet<Vec<u8>>,
}

type Writer = ZipWriter<Cursor<Vec<u8>>>;

impl Zipper {
    fn say(&mut self, text: impl AsRef<[u8]>) {
        if !self.settings.quiet {
            self.message(text);
        }
    }

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

    fn error(&mut self, status: i32, message: impl AsRef<[u8]>) -> i32 {
        self.message(bytes!("\nzip error: ", message, " (", self.path, ")\n"));
        self.out.flush();
        status
    }

    fn run(mut self) -> Result<i32, i32> {
        let old = self.open()?;
        if let Some((archive, members)) = old {
            match self.settings.task {
                Task::Delete => return self.delete(archive, &members),
                Task::Freshen if self.settings.files.is_empty() => {
                    self.settings.files =
                        members.iter().map(|member| member.name.clone()).collect();
                }
                _ => {}
            }
            self.collect(&members);
            return self.write(Some((archive, members)));
        }
        if self.settings.task == Task::Delete {
            return Err(self.error(13, bytes!("Nothing to do!")));
        }
        self.collect(&[]);
        self.write(None)
    }

    /// The archive that is there already.
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
        read.map(Some).map_err(|error| {
            let message = bytes!("Zip file structure invalid: ", error.to_string());
            self.error(3, message)
        })
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

    fn wanted(&self, name: &[u8]) -> bool {
        let matches = |globs: &[Glob]| globs.iter().any(|glob| glob.matches(name));
        !matches(&self.settings.exclude)
            && (self.settings.include.is_empty() || matches(&self.settings.include))
    }

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
                Err(_) => self.warn(bytes!("name not matched: ", file)),
            }
        }
    }

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
            let special = matches!(stat.kind, Kind::Fifo | Kind::CharacterDevice);
            if skipped || special || !self.wanted(&name) {
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

    fn fail_write(&mut self, error: impl std::fmt::Display) -> i32 {
        self.error(14, error.to_string())
    }

    /// Removes the members that the patterns name.
    fn delete(mut self, mut archive: Archive, members: &[Member]) -> Result<i32, i32> {
        let patterns = std::mem::take(&mut self.settings.files);
        let globs: Vec<Glob> = patterns
            .iter()
            .map(|name| Glob::new(name, false, false))
            .collect();
        let mut writer = ZipWriter::new(Cursor::new(Vec::new()));
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

    fn save(mut self, writer: Writer) -> Result<i32, i32> {
        let content = writer
            .finish()
            .map_err(|error| self.fail_write(error))?
            .into_inner();
        if self.to_output {
            self.out.put(&content);
        } else {
            let written = system::create_file(&self.path, false)
                .and_then(|mut file| Ok(file.write_all(&content)?));
            written.map_err(|failure| self.error(15, failure))?;
        }
        if self.settings.test && !self.to_output {
            let path = self.path.clone();
            self.say(bytes!("test of ", path, " OK\n"));
        }
        let status = self.status;
        Ok(self.out.finish("zip", status, 14))
    }

    fn write(mut self, old: Option<(Archive, Vec<Member>)>) -> Result<i32, i32> {
        let mut writer: Writer = ZipWriter::new(Cursor::new(Vec::new()));
        let mut sources = std::mem::take(&mut self.sources);
        let task = self.settings.task;
        let mut done = 0;
        if let Some((mut archive, members)) = old {
            for member in &members {
                let at = sources.iter().position(|source| source.name == member.name);
                let source = at.map(|at| sources.remove(at));
                let newer = |source: &Source| {
                    source
                        .stat
                        .as_ref()
                        .is_none_or(|stat| stat.modified.seconds > member.modified().seconds)
                };
                let source = source.filter(|source| {
                    task == Task::Add || newer(source) && !same(source, member, task)
                });
                match source {
                    Some(source) => {
                        let verb = if task == Task::Freshen {
                            "freshening: "
                        } else {
                            "updating: "
                        };
                        self.put(&mut writer, &source, verb)?;
                        done += 1;
                    }
                    None if task == Task::Synchronize && at.is_none() => {
                        self.say(bytes!("deleting: ", member.name, "\n"));
                        done += 1;
                    }
                    None => copy(&mut archive, member, &mut writer)
                        .map_err(|error| self.fail_write(error))?,
                }
            }
            if task == Task::Freshen {
                sources.clear();
            }
        } else if task == Task::Freshen {
            sources.clear();
        }
        for source in &sources {
            self.put(&mut writer, source, "  adding: ")?;
            done += 1;
        }
        if done == 0 && self.names.is_empty() {
            return Err(self.error(12, "Nothing to do!"));
        }
        if done == 0 {
            let status = self.status;
            let status = if task == Task::Add { status } else { 12 };
            return Ok(self.out.finish("zip", status, 14));
        }
        let moved: Vec<(Vec<u8>, bool)> = if self.settings.move_files {
            let moved = sources.iter().filter_map(|source| {
                let stat = source.stat.as_ref()?;
                Some((source.path.clone()?, stat.kind == Kind::Directory))
            });
            moved.collect()
        } else {
            Vec::new()
        };
        let status = self.save(writer)?;
        for (path, is_directory) in moved.iter().rev() {
            // What cannot be removed stays beside the archive.
            let _ = if *is_directory {
                system::remove_directory(path)
            } else {
                system::unlink(path)
            };
        }
        Ok(status)
    }

    fn put(&mut self, writer: &mut Writer, source: &Source, verb: &str) -> Result<(), i32> {
        let mut content = Vec::new();
        let mode = source
            .stat
            .as_ref()
            .map_or(0o010_600, |stat| stat.kind.bits() | stat.mode);
        let read = match (&source.path, &source.stat) {
            (None, _) => std::io::stdin()
                .lock()
                .read_to_end(&mut content)
                .map(|_| ())
                .map_err(system::Failure::from),
            (Some(path), Some(stat)) if stat.kind == Kind::Symlink => {
                system::read_link(path).map(|target| content = target)
            }
            (Some(_), Some(stat)) if stat.kind == Kind::Directory => Ok(()),
            (Some(path), _) => system::read_whole(path).map(|text| content = text),
        };
        if let Err(failure) = read {
            self.warn(bytes!(
                "could not open for reading: ",
                source.name,
                ": ",
                failure
            ));
            self.status = 18;
            return Ok(());
        }
        let packed = self
            .pack(writer, source, &content, mode)
            .map_err(|error| self.fail_write(error))?;
        let size = content.len() as u64;
        let detail = if self.settings.verbose && !source.name.ends_with(b"/") {
            format!("\t(in={size}) (out={packed})")
        } else {
            String::new()
        };
        let how = match percent(size, packed) {
            _ if packed == size => " (stored 0%)".to_owned(),
            saved => format!(" (deflated {saved}%)"),
        };
        self.say(bytes!(verb, source.name, detail, how, "\n"));
        Ok(())
    }

    /// Adds a member; gives its packed size.
    fn pack(
        &self,
        writer: &mut Writer,
        source: &Source,
        content: &[u8],
        mode: u32,
    ) -> ZipResult<u64> {
        let name = String::from_utf8_lossy(&source.name);
        let stamp = source
            .stat
            .as_ref()
            .map_or_else(system::Time::now, |stat| stat.modified);
        let local = time::local(stamp, &time::zone());
        let date = DateTime::from_date_and_time(
            u16::try_from(local.year()).unwrap_or(1980),
            local.month() as u8,
            local.day() as u8,
            local.hour() as u8,
            local.minute() as u8,
            local.second() as u8,
        )
        .unwrap_or_default();
        let directory = source.name.ends_with(b"/");
        let attributes = mode << 16 | if directory { 0x10 } else { 0 };
        let options =
            |method: CompressionMethod| -> ZipResult<FileOptions<'_, '_, ExtendedFileOptions>> {
                let level = (method == CompressionMethod::Deflated)
                    .then(|| i64::from(self.settings.level.max(1)));
                let mut options = FileOptions::<ExtendedFileOptions>::default()
                    .compression_method(method)
                    .compression_level(level)
                    .system(::zip::System::Unix)
                    .last_modified_time(date)
                    .unix_permissions(mode)
                    .external_attributes(attributes);
                if !self.settings.no_extra
                    && let Ok(seconds) = u32::try_from(stamp.seconds)
                {
                    let mut field = vec![1];
                    field.extend_from_slice(&seconds.to_le_bytes());
                    options.add_extra_field(0x5455, field, false)?;
                }
                Ok(options)
            };
        let suffix = |suffix: &Vec<u8>| source.name.ends_with(suffix.as_slice());
        let stores = content.is_empty()
            || self.settings.level == 0
            || self.settings.store.iter().any(suffix);
        if !stores {
            // Packed on its own first: what does not get smaller is stored.
            let mut single = ZipWriter::new(Cursor::new(Vec::new()));
            single.start_file(name.as_ref(), options(CompressionMethod::Deflated)?)?;
            single.write_all(content)?;
            let mut single = single.finish_into_readable()?;
            let entry = single.by_index_raw(0)?;
            let packed = entry.compressed_size();
            if packed < content.len() as u64 {
                writer.raw_copy_file(entry)?;
                return Ok(packed);
            }
        }
        writer.start_file(name.as_ref(), options(CompressionMethod::Stored)?)?;
        writer.write_all(content)?;
        Ok(content.len() as u64)
    }
}

/// Whether a file is as the archive has it, for what only takes files that changed.
fn same(source: &Source, member: &Member, task: Task) -> bool {
    let size = source.stat.as_ref().map(|stat| stat.size);
    task == Task::Synchronize
        && size == Some(member.size)
        && source
            .stat
            .as_ref()
            .is_some_and(|stat| stat.modified.seconds == member.modified().seconds)
}

fn copy(archive: &mut Archive, member: &Member, writer: &mut Writer) -> ZipResult<()> {
    writer.raw_copy_file(archive.by_index_raw(member.index)?)
}
