//! What the commands print, against what the tools of Debian 12 printed.
//!
//! Each file in `cases` holds scripts and their recorded output. Lines that start with `% ` prepare the
//! empty directory of every case of the file; `$ ` starts a case and `> ` continues its script; output
//! is indented by two spaces; `[N]` is an exit status other than 0, and `\` says that the output does
//! not end with a newline. A case ends with an empty line or with the next `$ `. The same cases run
//! inside a sandbox (crate `tests`), but for those that start with `& ` instead of `$ `.
//!
//! With `OFFSHOOT_RECORD_CASES` set to the name of a file, its cases are run with the tools of the
//! machine instead, and what they print is written down. `OFFSHOOT_CASES` names the one file to run.

#![cfg(unix)]

use std::fmt;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process::{self, Stdio};

use offshoot_command::family::Command;

/// Why recorded cases do not hold.
#[non_exhaustive]
pub enum Error {
    /// A file or directory could not be read or made.
    File {
        /// Where it is.
        path: PathBuf,
        /// What happened.
        source: io::Error,
    },
    /// Bash could not be started.
    Bash(io::Error),
    /// There is no case to run.
    Empty,
    /// These cases print something else than what was recorded.
    Different(String),
}

impl Error {
    /// A stable code for programs.
    pub fn code(&self) -> &'static str {
        match self {
            Error::File { .. } => "FILE",
            Error::Bash(_) => "BASH",
            Error::Empty => "EMPTY",
            Error::Different(_) => "DIFFERENT",
        }
    }

    /// What becomes of an error of the file `path`.
    fn file(path: &Path) -> impl FnOnce(io::Error) -> Error {
        let path = path.to_path_buf();
        move |source| Error::File { path, source }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::File { path, source } => write!(out, "{}: {source}", path.display()),
            Error::Bash(source) => write!(out, "bash: {source}"),
            Error::Empty => out.write_str("no cases"),
            Error::Different(cases) => write!(out, "these differ\n{cases}"),
        }
    }
}

/// As it is displayed: a test that returns it shows the cases line by line.
impl fmt::Debug for Error {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, out)
    }
}

impl std::error::Error for Error {}

/// The outcome of what reads or runs cases.
pub type Result<T> = std::result::Result<T, Error>;

struct Case {
    /// `$` or `&`.
    mark: char,
    script: String,
    /// Output and status as they stand in the file.
    expected: String,
}

#[derive(Default)]
struct File {
    /// Comments and preparation, as they stand in the file.
    head: String,
    setup: String,
    cases: Vec<Case>,
}

fn read(path: &Path) -> Result<File> {
    let text = fs::read_to_string(path).map_err(Error::file(path))?;
    let mut file = File::default();
    for line in text.lines() {
        match line.split_at(line.len().min(2)) {
            ("$ " | "& ", script) => file.cases.push(Case {
                mark: if line.starts_with('$') { '$' } else { '&' },
                script: script.to_owned(),
                expected: String::new(),
            }),
            ("% ", setup) => {
                push_line(&mut file.setup, setup);
                push_line(&mut file.head, line);
            }
            _ if line.is_empty() => {}
            (start, rest) => match file.cases.last_mut() {
                None => push_line(&mut file.head, line),
                Some(case) if start == "> " => {
                    case.script.push('\n');
                    case.script.push_str(rest);
                }
                Some(case) => push_line(&mut case.expected, line),
            },
        }
    }
    Ok(file)
}

fn push_line(text: &mut String, line: &str) {
    text.push_str(line);
    text.push('\n');
}

fn write(path: &Path, file: &File) -> Result<()> {
    let mut text = file.head.clone();
    for case in &file.cases {
        let script = case.script.replace('\n', "\n> ");
        text.push_str(&format!("\n{} {script}\n{}", case.mark, case.expected));
    }
    fs::write(path, text).map_err(Error::file(path))
}

/// Runs a script in a new directory; gives output and status as they are written in the files.
fn run(setup: &str, script: &str, path: &str) -> Result<String> {
    let place = directory()?;
    let directory = place.path().join("case");
    fs::create_dir(&directory).map_err(Error::file(&directory))?;
    let output = process::Command::new("bash")
        .args(["-c", &format!("{setup}{script}")])
        .current_dir(&directory)
        .env_clear()
        .env("PATH", path)
        .env("LC_ALL", "C.UTF-8")
        .env("TZ", "UTC")
        .env("HOME", place.path())
        .stdin(Stdio::null())
        .output()
        .map_err(Error::Bash)?;
    let text = String::from_utf8_lossy(&output.stdout);
    let mut shown = String::new();
    for line in text.split_inclusive('\n') {
        shown.push_str("  ");
        push_line(&mut shown, line.trim_end_matches('\n'));
    }
    if !text.is_empty() && !text.ends_with('\n') {
        shown.push_str("\\\n");
    }
    match output.status.code() {
        Some(0) => {}
        Some(code) => push_line(&mut shown, &format!("[{code}]")),
        None => shown.push_str("[killed]\n"),
    }
    Ok(shown)
}

/// A temporary directory.
fn directory() -> Result<tempfile::TempDir> {
    tempfile::tempdir().map_err(Error::file(&std::env::temp_dir()))
}

/// A directory with a link to `program` for each of its commands that it builds natively.
fn links(program: &str, commands: &[Command]) -> Result<tempfile::TempDir> {
    let place = directory()?;
    for command in commands.iter().filter(|command| !command.is_uutils) {
        let link = place.path().join(command.name);
        std::os::unix::fs::symlink(program, &link).map_err(Error::file(&link))?;
    }
    Ok(place)
}

/// Runs the cases of the package in the folder `package` with the commands of its `program`, or records one
/// file of them.
///
/// # Errors
/// [`Error::Different`] with all cases that print something else than what was recorded, [`Error::Empty`]
/// where there is none, [`Error::File`] and [`Error::Bash`] where they cannot be run.
pub fn check(package: &str, program: &str, commands: &[Command]) -> Result<()> {
    let cases = Path::new(package).join("tests/cases");
    let entries: io::Result<Vec<_>> = fs::read_dir(&cases).and_then(Iterator::collect);
    let entries = entries.map_err(Error::file(&cases))?;
    let mut paths: Vec<PathBuf> = entries.iter().map(fs::DirEntry::path).collect();
    paths.sort();
    let system = "/usr/local/bin:/usr/bin:/bin";
    if let Ok(name) = std::env::var("OFFSHOOT_RECORD_CASES") {
        let path = cases.join(name);
        let mut file = read(&path)?;
        for case in &mut file.cases {
            case.expected = run(&file.setup, &case.script, system)?;
        }
        return write(&path, &file);
    }
    let links = links(program, commands)?;
    let search = format!("{}:{system}", links.path().display());
    let mut failed = String::new();
    let mut count = 0;
    let only = std::env::var_os("OFFSHOOT_CASES");
    let chosen = |path: &&PathBuf| only.is_none() || path.file_name() == only.as_deref();
    for path in paths.iter().filter(chosen) {
        let file = read(path)?;
        for case in &file.cases {
            count += 1;
            let got = run(&file.setup, &case.script, &search)?;
            if got != case.expected {
                let name = path.file_name().unwrap_or_default().to_string_lossy();
                failed.push_str(&format!(
                    "{name}: $ {}\nexpected\n{}got\n{got}\n",
                    case.script, case.expected
                ));
            }
        }
    }
    match (count, failed.is_empty()) {
        (0, _) => Err(Error::Empty),
        (_, true) => Ok(()),
        (_, false) => Err(Error::Different(failed)),
    }
}
