//! `unzip` and `zipinfo`: reading archives.
//!
//! What protects the files outside: every name is checked before anything is written, and one that leads out refuses
//! the whole archive; symbolic links are made last, so that nothing is written through them; a parent that is a link
//! which leads out skips the member. What protects against archives that grow: no file becomes longer than the
//! archive says, and members whose bytes overlap refuse an extraction, which is how the known zip bombs reach their
//! ratio.
//!
//! The archive is found as `NAME`, `NAME.zip` or `NAME.ZIP`. Members are chosen by patterns, in which `*` matches
//! slashes. There is no terminal to ask at: a file that exists stays, as with the answer `N`, unless `-o` is given.
//!
//! Statuses, as UnZip's manual has them under DIAGNOSTICS: 1 a warning, 2 an error in the format, 3 a severe one, 9
//! the archive does not exist or is none, 10 wrong options, 11 a pattern that matched nothing, 12 overlapping
//! members, 50 the disk is full, 81 a method or an encryption that is not supported. The highest one counts.

use std::io::{BufReader, Read, Write};

use ::zip::ZipArchive;

use super::{Archive, Member, list};
use crate::archive::safety;
use crate::call::{Call, bytes, complain};
use crate::glob::Glob;
use crate::output::{CHUNK, Output};
use crate::system::{self, Kind};

/// What is done with the members.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Task {
    /// Members become files.
    Extract,
    /// `-l`: names and sizes.
    List,
    /// `-v`: with methods, ratios and checksums as well.
    Verbose,
    /// `-t`: members are unpacked into nothing.
    Test,
    /// `-p`: contents on standard output, and nothing else.
    Pipe,
    /// `-c`: the same, with a line before each.
    PipeNamed,
    /// `-z`: the archive's comment.
    Comment,
    /// `-Z`, or the command is `zipinfo`.
    Info,
}

/// What the command line asks for.
#[derive(Default)]
struct Settings {
    task: Option<Task>,
    /// How often `-q` was given.
    quiet: u8,
    /// `-o`: files that exist are replaced.
    overwrite: bool,
    /// `-n`: they stay, without a question.
    never: bool,
    /// `-j`: names lose their directories.
    junk: bool,
    /// `-f`: only files that exist and are older are replaced.
    fresh: bool,
    /// `-u`: the same, and those that do not exist are made.
    update: bool,
    /// `-C`: patterns match letters of either case.
    ignore_case: bool,
    /// `-L`: names are made lower-case.
    lower: bool,
    /// `-d`: where members are extracted to.
    directory: Option<Vec<u8>>,
    archive: Option<Vec<u8>>,
    /// The patterns of members that are wanted; none means all.
    include: Vec<Vec<u8>>,
    /// The patterns behind `-x`.
    exclude: Vec<Vec<u8>>,
    /// The letters of `zipinfo`.
    info: Vec<u8>,
}

impl Settings {
    /// An option of `zipinfo`.
    fn info_letter(&mut self, call: &Call, letter: u8) -> Result<(), i32> {
        if !b"12smlhtzMCT".contains(&letter) {
            return Err(call.fail(10, bytes!("invalid option -- '", [letter], "'")));
        }
        self.ignore_case |= letter == b'C';
        self.info.push(letter);
        Ok(())
    }

    /// An option of `unzip` that takes no word.
    fn letter(&mut self, call: &Call, letter: u8) -> Result<(), i32> {
        match letter {
            b'Z' => self.task = Some(Task::Info),
            b'l' => self.task = Some(Task::List),
            b'v' => self.task = Some(Task::Verbose),
            b't' => self.task = Some(Task::Test),
            b'p' => self.task = Some(Task::Pipe),
            b'c' => self.task = Some(Task::PipeNamed),
            b'z' => self.task = Some(Task::Comment),
            b'q' => self.quiet += 1,
            b'o' => self.overwrite = true,
            b'n' => self.never = true,
            b'j' => self.junk = true,
            b'f' => self.fresh = true,
            b'u' => self.update = true,
            b'C' => self.ignore_case = true,
            b'L' => self.lower = true,
            b'b' | b'X' | b'K' | b'D' | b'W' => {}
            b':' | b'B' => {
                let message = bytes!("option -- '", [letter], "' is not supported");
                return Err(call.fail(2, message));
            }
            b'P' => {
                let message = "option -- 'P' is not supported: encrypted archives are not";
                return Err(call.fail(81, message));
            }
            _ => return Err(call.fail(10, bytes!("invalid option -- '", [letter], "'"))),
        }
        Ok(())
    }
}

const USAGE: &str = "Usage: unzip [-Z] [-opts[modifiers]] file[.zip] [list] [-x xlist] [-d exdir]\n  -p  extract files to pipe, no messages     -l  list files (short format)\n  -f  freshen existing files, create none    -t  test compressed archive data\n  -u  update files, create if necessary      -z  display archive comment only\n  -v  list verbosely                         -x  exclude files that follow\n  -n  never overwrite existing files         -q  quiet mode (-qq => quieter)\n  -o  overwrite files WITHOUT prompting      -j  junk paths\n  -C  match filenames case-insensitively     -L  make names lowercase\n  -d  extract files into exdir               -c  extract to stdout with names\n";

const INFO_USAGE: &str = "Usage: zipinfo [-12smlhCMtTz] file[.zip] [list...] [-x xlist...]\n  -1  filenames ONLY, one per line       -m  medium Unix \"ls -l\" format\n  -2  just filenames but allow -h/-t/-z  -l  long Unix \"ls -l\" format\n  -s  short Unix \"ls -l\" format (def.)\n  -h  print header line       -t  print totals for listed files or for all\n  -z  print zipfile comment   -T  print file times in sortable decimal format\n  -C  be case-insensitive     -M  page output through built-in \"more\"\n  -x  exclude filenames that follow from listing\n";

/// The help of the command.
fn usage(call: &Call) -> &'static str {
    if call.name == "zipinfo" {
        INFO_USAGE
    } else {
        USAGE
    }
}

/// Reads the command line. The first operand is the archive, the others are patterns: behind `-x` of members to leave
/// out, up to the next option. From `-Z` on, letters are `zipinfo`'s. The error is the exit status.
fn read(call: &Call) -> Result<Settings, i32> {
    let mut settings = Settings::default();
    if call.name == "zipinfo" {
        settings.task = Some(Task::Info);
    }
    let mut arguments = call.arguments.iter();
    let mut excluding = false;
    while let Some(argument) = arguments.next() {
        match argument.as_slice() {
            b"--help" => {
                let written = std::io::stdout().write_all(usage(call).as_bytes());
                return Err(i32::from(written.is_err()));
            }
            b"--version" => {
                let text = crate::model::version(&call.name);
                return Err(i32::from(
                    std::io::stdout().write_all(text.as_bytes()).is_err(),
                ));
            }
            [b'-', b'-', ..] => {
                return Err(call.fail(10, bytes!("unrecognized option '", argument, "'")));
            }
            [b'-', letters @ ..] if !letters.is_empty() => {
                excluding = false;
                for (at, letter) in letters.iter().enumerate() {
                    if settings.task == Some(Task::Info) && *letter != b'x' {
                        settings.info_letter(call, *letter)?;
                        continue;
                    }
                    match letter {
                        b'x' => excluding = true,
                        b'd' => {
                            let rest = &letters[at + 1..];
                            let given = if rest.is_empty() {
                                arguments.next().map(Vec::as_slice)
                            } else {
                                Some(rest)
                            };
                            let Some(given) = given else {
                                let message = "error:  must specify directory to which to extract with -d option";
                                return Err(call.fail(10, message));
                            };
                            settings.directory = Some(given.to_vec());
                            break;
                        }
                        letter => settings.letter(call, *letter)?,
                    }
                }
            }
            _ if settings.archive.is_none() => settings.archive = Some(argument.clone()),
            _ if excluding => settings.exclude.push(argument.clone()),
            _ => settings.include.push(argument.clone()),
        }
    }
    Ok(settings)
}

/// Runs `unzip`.
pub fn run(call: &Call) -> i32 {
    start(call).unwrap_or_else(|status| status)
}

/// Runs `zipinfo`.
pub fn information(call: &Call) -> i32 {
    run(call)
}

/// Opens the archive and does what is asked. Both of the results are exit statuses.
fn start(call: &Call) -> Result<i32, i32> {
    let settings = read(call)?;
    let Some(name) = settings.archive.clone() else {
        let mut out = Output::new();
        out.put(usage(call));
        return Ok(out.finish(
            &call.name,
            if call.arguments.is_empty() { 0 } else { 10 },
            1,
        ));
    };
    let candidates = [name.clone(), bytes!(name, ".zip"), bytes!(name, ".ZIP")];
    let is_file =
        |path: &&Vec<u8>| system::stat(path, true).is_ok_and(|stat| stat.kind != Kind::Directory);
    let Some(path) = candidates.iter().find(is_file) else {
        let shown = bytes!(
            " cannot find or open ",
            name,
            ", ",
            name,
            ".zip or ",
            name,
            ".ZIP."
        );
        return Err(call.fail(9, shown));
    };
    let open =
        || system::open_file(path).map_err(|failure| call.fail(9, bytes!(path, ": ", failure)));
    let (file, mut second) = (open()?, open()?);
    let task = settings.task.unwrap_or(Task::Extract);
    let mut out = Output::new();
    let talks = settings.quiet == 0 && !matches!(task, Task::Pipe | Task::Info);
    let header = talks || (task == Task::List && settings.quiet < 2);
    let mut archive = match ZipArchive::new(BufReader::with_capacity(CHUNK, file)) {
        Ok(archive) => archive,
        Err(_) => {
            if header {
                out.line(bytes!("Archive:  ", path));
            }
            return Ok(no_directory(call, &settings, &name, header, out));
        }
    };
    let broken =
        |error: ::zip::result::ZipError| call.fail(3, bytes!(path, ": ", error.to_string()));
    let members = super::members(&mut archive, &mut second).map_err(broken)?;
    if header {
        out.line(bytes!("Archive:  ", path));
        if !archive.comment().is_empty() {
            out.line(archive.comment());
        }
    }
    if members.is_empty() {
        out.flush();
        // The status says it where standard error is gone.
        let message = bytes!("warning [", path, "]:  zipfile is empty\n");
        let _ = std::io::stderr().write_all(&message);
        return Ok(out.finish(&call.name, 1, 50));
    }
    let mut reader = Reader {
        call,
        settings: &settings,
        out,
        status: 0,
        rest: None,
        missing: Vec::new(),
    };
    let chosen = reader.choose(&members);
    match task {
        Task::Comment => {
            let comment = archive.comment().to_vec();
            if settings.quiet > 0 && !comment.is_empty() {
                reader.out.line(comment);
            }
        }
        Task::List | Task::Verbose => {
            let verbose = task == Task::Verbose;
            list::table(&chosen, verbose, settings.quiet, &mut reader.out);
        }
        Task::Info => reader.info(path, &members, &chosen),
        Task::Test => reader.test(&mut archive, &chosen, path),
        Task::Pipe | Task::PipeNamed => reader.pipe(&mut archive, &chosen, task),
        Task::Extract => reader.extract(&mut archive, &chosen)?,
    }
    reader.unmatched();
    let status = reader.status;
    Ok(reader.out.finish(&call.name, status, 50))
}

/// The file has no table of contents: it is no archive, or not all of it. Gives the status.
///
/// The explanation belongs to what was asked for where that is to test or to describe; a heading, where one was
/// printed, is not repeated.
fn no_directory(
    call: &Call,
    settings: &Settings,
    given: &[u8],
    header: bool,
    mut out: Output,
) -> i32 {
    let (tests, describes) = match settings.task {
        Some(Task::Test) => (true, false),
        Some(Task::Info) => (false, true),
        _ => (false, false),
    };
    let full = describes && !settings.info.iter().any(|letter| b"12".contains(letter));
    if full {
        out.line(bytes!("Archive:  ", given));
    }
    let mut text = Vec::new();
    if !header {
        text.extend(bytes!("[", given, "]\n"));
    }
    text.extend_from_slice(
        b"  End-of-central-directory signature not found.  Either this file is not
  a zipfile, or it constitutes one disk of a multi-part archive.  In the
  latter case the central directory and zipfile comment will be found on
  the last disk(s) of this archive.\n",
    );
    // Where the content goes to standard output, unzip says no more.
    if !matches!(settings.task, Some(Task::Pipe)) {
        let name = if describes { "zipinfo" } else { "unzip" };
        let indent = " ".repeat(name.len() + 3);
        let end = bytes!(given, ".zip, and cannot find ", given, ".ZIP, period.\n");
        let start = bytes!(name, ":  cannot find zipfile directory in one of ");
        text.extend(bytes!(start, given, " or\n", indent, end));
    }
    if tests || full {
        out.put(text);
    } else {
        out.flush();
        // The status says it where standard error is gone.
        let _ = std::io::stderr().write_all(&text);
    }
    out.finish(&call.name, 9, 50)
}

struct Reader<'a> {
    call: &'a Call,
    settings: &'a Settings,
    out: Output,
    /// The highest status so far.
    status: i32,
    /// What was answered for all files that exist already: to replace them, or not.
    rest: Option<bool>,
    /// The patterns that name no member, until that is said.
    missing: Vec<Vec<u8>>,
}

impl Reader<'_> {
    /// Raises the status.
    fn worse(&mut self, status: i32) {
        self.status = self.status.max(status);
    }

    /// The members that were asked for, in the order of the archive. A pattern that matches no member is said, and
    /// makes the status 11.
    fn choose<'m>(&mut self, members: &'m [Member]) -> Vec<&'m Member> {
        let globs = |patterns: &[Vec<u8>]| -> Vec<Glob> {
            let fold = self.settings.ignore_case;
            patterns
                .iter()
                .map(|pattern| Glob::new(pattern, fold, false))
                .collect()
        };
        let (include, exclude) = (globs(&self.settings.include), globs(&self.settings.exclude));
        let mut used = vec![false; include.len()];
        let mut chosen = Vec::new();
        for member in members {
            let mut selected = include.is_empty();
            for (glob, used) in include.iter().zip(&mut used) {
                if glob.matches(&member.name) {
                    *used = true;
                    selected = true;
                }
            }
            if selected && !exclude.iter().any(|glob| glob.matches(&member.name)) {
                chosen.push(member);
            }
        }
        for (pattern, used) in self.settings.include.iter().zip(used) {
            if !used {
                self.missing.push(pattern.clone());
                self.worse(11);
            }
        }
        chosen
    }

    /// Says which patterns name no member, but for lists, where that is seen; a test says it among its results.
    fn unmatched(&mut self) {
        for pattern in std::mem::take(&mut self.missing) {
            let message = bytes!("filename not matched:  ", pattern);
            match self.settings.task {
                Some(Task::List | Task::Verbose) => {}
                Some(Task::Test) => self.out.line(bytes!("caution: ", message)),
                _ => {
                    self.out.flush();
                    complain("caution", message);
                }
            }
        }
    }

    fn info(&mut self, path: &[u8], members: &[Member], chosen: &[&Member]) {
        let letters = &self.settings.info;
        let has = |letter: u8| letters.contains(&letter);
        if has(b'1') || has(b'2') {
            for member in chosen {
                self.out.line(&member.name);
            }
            return;
        }
        let lists = !(has(b'h') || has(b't'))
            || [b's', b'm', b'l'].into_iter().any(has)
            || !self.settings.include.is_empty();
        let partial = !self.settings.include.is_empty() || !self.settings.exclude.is_empty();
        if has(b'h') || (lists && !partial) {
            let size = system::stat(path, true).map_or(0, |stat| stat.size);
            let count = members.len();
            self.out.line(bytes!("Archive:  ", path));
            let head = format!("Zip file size: {size} bytes, number of entries: {count}");
            self.out.line(head);
        }
        if lists {
            let extra = letters.iter().rev().find(|letter| b"ml".contains(letter));
            for member in chosen {
                list::line(member, extra.copied().unwrap_or(b's'), &mut self.out);
            }
        }
        if has(b't') || (lists && !partial) {
            list::totals(chosen, &mut self.out);
        }
    }

    /// Says what is wrong with a member. The status is the caller's to raise.
    fn complain(&mut self, name: &[u8], reason: &[u8]) {
        self.out.flush();
        self.call.fail(0, bytes!("error: ", name, ": ", reason));
    }

    /// Unpacks the members into nothing and says how each went. `-q` leaves out those that are well, `-qq` the last
    /// line.
    fn test(&mut self, archive: &mut Archive, chosen: &[&Member], path: &[u8]) {
        let mut failed = 0;
        for member in chosen {
            let shown = padded(&member.name);
            let result = unpack(archive, member, &mut std::io::sink());
            if self.settings.quiet == 0 || result.is_err() {
                self.out.put(bytes!("    testing: ", shown, "  "));
            }
            match result {
                Ok(()) if self.settings.quiet > 0 => {}
                Ok(()) => self.out.put(" OK\n"),
                Err((status, reason)) => {
                    failed += 1;
                    self.worse(status);
                    self.out.put(bytes!(" ", reason, "\n"));
                }
            }
        }
        let complete = self.missing.is_empty();
        self.unmatched();
        if self.settings.quiet >= 2 {
            return;
        }
        let part = if self.settings.include.is_empty() {
            ""
        } else {
            " tested file"
        };
        let text = match (failed, part.is_empty(), chosen.len()) {
            _ if !complete => bytes!("At least one error was detected in ", path, ".\n"),
            (0, true, _) => bytes!("No errors detected in compressed data of ", path, ".\n"),
            (0, false, 1) => bytes!("No errors detected in ", path, " for the 1 file tested.\n"),
            (0, false, count) => bytes!(
                "No errors detected in ",
                path,
                format!(" for the {count} files tested.\n")
            ),
            _ => bytes!("At least one error was detected in ", path, ".\n"),
        };
        self.out.put(text);
    }

    /// Writes the contents of the members to standard output. What stands before a damage is written.
    fn pipe(&mut self, archive: &mut Archive, chosen: &[&Member], task: Task) {
        for member in chosen {
            if member.is_directory() && task == Task::Pipe {
                continue;
            }
            if task == Task::PipeNamed && self.settings.quiet == 0 {
                let verb = verb(member);
                self.out
                    .put(bytes!(verb, ": ", padded(&member.name), "  \n"));
            }
            if let Err((status, reason)) = unpack(archive, member, &mut self.out) {
                self.worse(status);
                self.complain(&member.name, &reason);
            }
            if task == Task::PipeNamed && self.settings.quiet == 0 {
                self.out.put("\n");
            }
        }
    }

    /// Where a member goes, below the directory of `-d`: its name, lower-case with `-L`, without directories with
    /// `-j`, which leaves no name to a directory.
    fn target(&self, member: &Member) -> Option<Vec<u8>> {
        let mut name = member.name.clone();
        if self.settings.lower {
            name.make_ascii_lowercase();
        }
        if self.settings.junk {
            if member.is_directory() {
                return None;
            }
            let at = name
                .iter()
                .rposition(|&byte| byte == b'/')
                .map_or(0, |at| at + 1);
            name.drain(..at);
        }
        Some(name)
    }

    /// Extracts the members. Links, and the modes and times of directories, are left to the end.
    ///
    /// # Errors
    /// The status, after a message, where the archive is refused as a whole; nothing is written then.
    fn extract(&mut self, archive: &mut Archive, chosen: &[&Member]) -> Result<(), i32> {
        let directory = self.settings.directory.clone().unwrap_or_default();
        for member in chosen {
            let Some(name) = self.target(member) else {
                continue;
            };
            if let Err(escape) = safety::check_name(&name) {
                self.out.flush();
                let message = bytes!("refused: ", member.name, ": ", escape.reason());
                return Err(self.call.fail(2, message));
            }
        }
        match archive.has_overlapping_entries() {
            Ok(false) => {}
            Ok(true) | Err(_) => {
                self.out.flush();
                let message =
                    "error: invalid zip file with overlapped components (possible zip bomb)";
                return Err(self.call.fail(12, message));
            }
        }
        let mut links = Vec::new();
        let mut directories = Vec::new();
        for member in chosen {
            let Some(name) = self.target(member) else {
                continue;
            };
            if let Err(escape) = safety::check_parents(&directory, &name) {
                self.complain(&member.name, escape.reason().as_bytes());
                self.worse(2);
                continue;
            }
            let path = system::join(&directory, &name);
            if member.is_directory() {
                self.make(&path, &mut directories, member);
                continue;
            }
            if let Err(failure) = safety::make_parents(&path) {
                self.complain(&path, bytes!("cannot create: ", failure).as_slice());
                self.worse(2);
                continue;
            }
            if let Some(path) = self.allowed(&path, member) {
                self.one(archive, member, &path, &mut links);
            }
        }
        if !links.is_empty() && self.settings.quiet == 0 {
            self.out.put("finishing deferred symbolic links:\n");
        }
        for (path, target) in links {
            if self.settings.quiet == 0 {
                self.out
                    .put(bytes!("  ", padded(&path), " -> ", target, "\n"));
            }
            let bare = path.strip_prefix(directory.as_slice()).unwrap_or(&path);
            let slashes = bare.iter().take_while(|&&byte| byte == b'/').count();
            if let Err(escape) = safety::check_parents(&directory, &bare[slashes..]) {
                self.complain(&path, escape.reason().as_bytes());
                self.worse(2);
            } else if let Err(failure) = system::symlink(&target, &path) {
                self.complain(&path, bytes!("cannot make the link: ", failure).as_slice());
                self.worse(2);
            }
        }
        for (path, member) in directories.into_iter().rev() {
            // A directory that is not ours keeps what it has.
            let mode = member.mode.unwrap_or(0o755) & 0o777;
            let _ = system::set_mode(&path, mode & !system::umask());
            let _ = system::set_times(&path, member.modified(), member.modified(), true);
        }
        Ok(())
    }

    /// Makes the directory that a member is, and notes it for mode and time. One that exists is left as it is.
    fn make<'m>(
        &mut self,
        path: &[u8],
        directories: &mut Vec<(Vec<u8>, &'m Member)>,
        member: &'m Member,
    ) {
        if system::stat(path, true).is_ok_and(|stat| stat.kind == Kind::Directory) {
            return;
        }
        let bare = path.strip_suffix(b"/").unwrap_or(path);
        match safety::make_directories(bare) {
            Ok(()) => {
                if self.settings.quiet == 0 {
                    self.out.put(bytes!("   creating: ", path, "\n"));
                }
                directories.push((bare.to_vec(), member));
            }
            Err(failure) => {
                self.complain(path, bytes!("cannot create: ", failure).as_slice());
                self.worse(2);
            }
        }
    }

    /// The path to write to; none where a file is there that stays, or must be there (`-f`) and is not. A question
    /// that would be asked is written with its answer "none", which holds for the rest of the archive and makes the
    /// status 1.
    fn allowed(&mut self, path: &[u8], member: &Member) -> Option<Vec<u8>> {
        let Ok(found) = system::stat(path, false) else {
            return (!self.settings.fresh).then(|| path.to_vec());
        };
        if (self.settings.fresh || self.settings.update)
            && found.modified.seconds >= member.modified().seconds
        {
            return None;
        }
        if self.settings.overwrite {
            return Some(path.to_vec());
        }
        if self.settings.never || self.rest == Some(false) {
            return None;
        }
        if self.rest == Some(true) {
            return Some(path.to_vec());
        }
        self.out.flush();
        // There is no terminal to ask at; nothing is left to tell where this fails.
        let _ = std::io::stderr().write_all(&bytes!(
            "replace ",
            path,
            "? [y]es, [n]o, [A]ll, [N]one, [r]ename:  NULL\n(EOF or read error, treating as \"[N]one\" ...)\n"
        ));
        self.rest = Some(false);
        self.worse(1);
        None
    }

    /// Extracts a member that is no directory. A symbolic link is only noted in `links`, as path and text; the text
    /// is the member's content, of at most 4096 bytes.
    fn one(
        &mut self,
        archive: &mut Archive,
        member: &Member,
        path: &[u8],
        links: &mut Vec<(Vec<u8>, Vec<u8>)>,
    ) {
        if self.settings.quiet == 0 {
            let verb = if member.is_link() {
                "    linking"
            } else {
                verb(member)
            };
            let end = if member.is_link() { "" } else { " \n" };
            self.out.put(bytes!(verb, ": ", padded(path), " ", end));
        }
        // What takes its place is a new file, not a change of the old one.
        let _ = system::unlink(path);
        if member.is_link() {
            let mut target = Vec::new();
            let long = member.size > 4096;
            let result = if long {
                Err((2, b"a link of such a length is refused".to_vec()))
            } else {
                unpack(archive, member, &mut target)
            };
            if let Err((status, reason)) = result {
                self.worse(status);
                return self.complain(path, &reason);
            }
            if self.settings.quiet == 0 {
                self.out.put(bytes!(" -> ", target, " \n"));
            }
            links.push((path.to_vec(), target));
            return;
        }
        let mut file = match system::create_file(path, false) {
            Ok(file) => file,
            Err(failure) => {
                self.worse(50);
                return self.complain(path, bytes!("cannot create: ", failure).as_slice());
            }
        };
        let result = unpack(archive, member, &mut file);
        drop(file);
        if let Err((status, reason)) = result {
            self.worse(status);
            // Half a file is worse than none.
            let _ = system::unlink(path);
            return self.complain(path, &reason);
        }
        // The content is there; mode and time are what the archive wishes.
        if let Some(mode) = member.mode.filter(|_| member.unix) {
            let _ = system::set_mode(path, mode & 0o777 & !system::umask());
        }
        let _ = system::set_times(path, member.modified(), member.modified(), true);
    }
}

/// Unpacks a member into `target`: never more than the archive says it is long. A length or a checksum that is not
/// the stated one is an error, after the content was written.
///
/// # Errors
/// The status, and the reason for the message.
fn unpack(
    archive: &mut Archive,
    member: &Member,
    target: &mut dyn Write,
) -> Result<(), (i32, Vec<u8>)> {
    if member.is_encrypted {
        return Err((81, b"encrypted members are not supported".to_vec()));
    }
    let entry = archive.by_index(member.index);
    let entry = entry.map_err(|error| (81, error.to_string().into_bytes()))?;
    let mut limited = entry.take(member.size.saturating_add(1));
    match std::io::copy(&mut limited, target) {
        Ok(size) if size == member.size => Ok(()),
        Ok(_) => {
            let reason = b"bad length: the archive does not tell the truth about it";
            Err((2, reason.to_vec()))
        }
        Err(error) if error.kind() == std::io::ErrorKind::StorageFull => {
            Err((50, b"write error (disk full?)".to_vec()))
        }
        Err(error) if error.to_string().contains("checksum") => Err((2, b"bad CRC".to_vec())),
        Err(error) => Err((2, error.to_string().into_bytes())),
    }
}

/// What is done with a member, by its method.
fn verb(member: &Member) -> &'static str {
    if member.method == ::zip::CompressionMethod::Stored {
        " extracting"
    } else {
        "  inflating"
    }
}

/// A name with spaces up to 22 bytes, as UnZip aligns what follows it.
fn padded(name: &[u8]) -> Vec<u8> {
    let mut padded = name.to_vec();
    padded.resize(name.len().max(22), b' ');
    padded
}
