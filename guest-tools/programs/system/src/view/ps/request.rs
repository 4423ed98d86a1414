//! What the command line of `ps` asks for, in its three kinds of options: Unix (`-ef`), BSD (`aux`) and long ones
//! (`--pid 1`).
//!
//! Selections add up: a process needs to fit one of `-p`, `--ppid`, `-C` and `-u`; `-N` turns the whole around. A word
//! of digits is a process number. `-aux` is read as `aux`.

use super::column::{Column, FULL, JOBS, LONG, Shown, USER, column};
use super::split;
use crate::call::bytes;
use crate::options;
use crate::system::Process;

/// How a command line asks for processes.
#[derive(Default)]
pub(super) struct Request {
    /// The columns of all `-o`, in their order; none where a format is used.
    pub(super) columns: Vec<Shown>,
    /// The format that options without `-o` select.
    pub(super) format: Option<&'static str>,
    /// `-p`: process numbers.
    pids: Vec<u32>,
    /// `--ppid`: numbers of parents.
    parents: Vec<u32>,
    /// `-C`: names of programs.
    commands: Vec<Vec<u8>>,
    /// `-u`: names or numbers of users.
    users: Vec<Vec<u8>>,
    /// Whether there is any of these; otherwise every process fits.
    selective: bool,
    /// Whether options without a dash were given, which changes the format.
    pub(super) bsd: bool,
    /// `f`, `--forest`: a tree.
    pub(super) forest: bool,
    /// `h`, `--no-headers`: no headings.
    pub(super) headless: bool,
    /// `-N`: those that do not fit.
    inverted: bool,
    /// Keys, and whether each is in descending order.
    pub(super) sort: Vec<(bool, &'static Column)>,
}

const USAGE: &str = "
Usage:
 ps [options]

 Try 'ps --help <simple|list|output|threads|misc|all>'
  or 'ps --help <s|l|o|t|m|a>'
 for additional help text.

For more details see ps(1).
";

/// Prints a message and the usage, and gives the status 1.
fn refuse(message: impl AsRef<[u8]>) -> i32 {
    crate::call::complain("error", message);
    eprint!("{USAGE}");
    1
}

impl Request {
    /// Reads the command line; `Err` is the status after the message was printed.
    pub(super) fn read(arguments: &[Vec<u8>]) -> Result<Request, i32> {
        let mut request = Request::default();
        let mut words = arguments.iter();
        while let Some(word) = words.next() {
            match word.as_slice() {
                [b'-', b'-', long @ ..] if !long.is_empty() => request.long(long, &mut words)?,
                [b'-', letters @ ..] if !letters.is_empty() => {
                    request.letters(letters, true, &mut words)?;
                }
                [b'0'..=b'9', ..] => request.numbers(word)?,
                letters => {
                    request.bsd = true;
                    request.letters(letters, false, &mut words)?;
                }
            }
        }
        Ok(request)
    }

    /// Reads the letters of one word; a letter with a value takes the rest of the word, or the next one.
    fn letters(
        &mut self,
        letters: &[u8],
        dash: bool,
        words: &mut std::slice::Iter<Vec<u8>>,
    ) -> Result<(), i32> {
        // `-aux` means what `aux` does.
        let dash = dash && !matches!(letters, b"aux" | b"auxw" | b"auxww" | b"auxf");
        for (at, &letter) in letters.iter().enumerate() {
            let mut value = || {
                let rest = &letters[at + 1..];
                let next = if rest.is_empty() { words.next() } else { None };
                match next {
                    Some(next) => Ok(next.clone()),
                    None if !rest.is_empty() => Ok(rest.to_vec()),
                    None => Err(refuse("list of process IDs must follow -p")),
                }
            };
            match (dash, letter) {
                (true, b'A' | b'e' | b'a' | b'd') | (_, b'w') => {}
                (false, b'a' | b'x' | b'g' | b'e' | b'c' | b'S' | b'r') => {}
                (true, b'f' | b'F') => self.format = Some(FULL),
                (true, b'l') => self.format = Some(LONG),
                (true, b'j') => self.format = Some(JOBS),
                (true, b'y') => {}
                (false, b'u') => self.format = Some(USER),
                (false, b'f') | (true, b'H') => self.forest = true,
                (true, b'N') => self.inverted = true,
                (false, b'h') => self.headless = true,
                (_, b'o' | b'O') => {
                    let format = value()?;
                    if letter == b'O' {
                        self.format(b"pid")?;
                        self.format(&format)?;
                        self.format(b"s,tname,time,args")?;
                    } else {
                        self.format(&format)?;
                    }
                    return Ok(());
                }
                (_, b'p') | (true, b'q') => {
                    let list = value()?;
                    return self.numbers(&list);
                }
                (true, b'C') => {
                    let list = value()?;
                    self.selective = true;
                    self.commands.extend(split(&list));
                    return Ok(());
                }
                (true, b'u' | b'U') => {
                    let list = value()?;
                    self.selective = true;
                    self.users.extend(split(&list));
                    return Ok(());
                }
                (false, b'k') => {
                    let keys = value()?;
                    return self.sort(&keys);
                }
                (true, b'V') => {
                    println!("ps from procps-ng 4.0.2 (Offshoot)");
                    return Err(0);
                }
                (true, _) => {
                    return Err(refuse(bytes!("unsupported SysV option -", [letter])));
                }
                (false, _) => return Err(refuse("unsupported option (BSD syntax)")),
            }
        }
        Ok(())
    }

    /// Reads a long option, whose value may be the next word.
    fn long(&mut self, word: &[u8], words: &mut std::slice::Iter<Vec<u8>>) -> Result<(), i32> {
        let (name, given) = match word.iter().position(|&byte| byte == b'=') {
            Some(at) => (&word[..at], Some(word[at + 1..].to_vec())),
            None => (word, None),
        };
        let mut value = || {
            given
                .clone()
                .or_else(|| words.next().cloned())
                .ok_or_else(|| refuse(bytes!("option requires an argument -- '", name, "'")))
        };
        match name {
            b"no-headers" | b"no-heading" | b"noheader" | b"noheading" => self.headless = true,
            b"headers" => {}
            b"forest" => self.forest = true,
            b"deselect" => self.inverted = true,
            b"format" => return self.format(&value()?),
            b"sort" => return self.sort(&value()?),
            b"pid" | b"quick-pid" => return self.numbers(&value()?),
            b"user" | b"User" => {
                self.selective = true;
                let list = value()?;
                self.users.extend(split(&list));
            }
            b"ppid" => {
                self.selective = true;
                for number in split(&value()?) {
                    let number = options::number(&number);
                    self.parents
                        .push(number.ok_or_else(|| refuse("process ID list syntax error"))?);
                }
            }
            b"cols" | b"columns" | b"width" => {
                value()?;
            }
            b"help" => {
                print!("{USAGE}");
                return Err(0);
            }
            b"version" => {
                println!("ps from procps-ng 4.0.2 (Offshoot)");
                return Err(0);
            }
            _ => return Err(refuse("unknown gnu long option")),
        }
        Ok(())
    }

    /// Adds process numbers.
    fn numbers(&mut self, list: &[u8]) -> Result<(), i32> {
        self.selective = true;
        for number in split(list) {
            match options::number(&number) {
                Some(pid) => self.pids.push(pid),
                None => return Err(refuse("process ID list syntax error")),
            }
        }
        Ok(())
    }

    /// Adds the columns of one `-o`: `pid,comm`, `pid=ID`, `pid=,comm=`. A title goes to the end of the text, unless
    /// the name of a column follows a comma.
    pub(super) fn format(&mut self, format: &[u8]) -> Result<(), i32> {
        let text = String::from_utf8_lossy(format).into_owned();
        let mut rest = text.as_str();
        loop {
            rest = rest.trim_start_matches([' ', ',']);
            if rest.is_empty() {
                return Ok(());
            }
            let end = rest.find([' ', ',', '=']).unwrap_or(rest.len());
            let name = &rest[..end];
            let found = column(name).ok_or_else(|| {
                refuse(format!(
                    "unknown user-defined format specifier \"{}\"",
                    name.escape_default()
                ))
            })?;
            rest = &rest[end..];
            let mut title = found.title;
            if let Some(given) = rest.strip_prefix('=') {
                let end = title_end(given);
                (title, rest) = given.split_at(end);
            }
            self.columns.push(Shown {
                column: found,
                title: title.to_owned(),
            });
        }
    }

    /// Adds the keys of `--sort`: `-pid` is descending.
    pub(super) fn sort(&mut self, keys: &[u8]) -> Result<(), i32> {
        let text = String::from_utf8_lossy(keys).into_owned();
        for key in text.split(',') {
            let name = key.trim_start_matches(['+', '-']);
            match column(name) {
                Some(found) => self.sort.push((key.starts_with('-'), found)),
                None => return Err(refuse("unknown sort specifier")),
            }
        }
        Ok(())
    }

    /// Whether a process is shown; `user` and `uid` are those of all processes.
    pub(super) fn selects(&self, process: &Process, user: &str, uid: u32) -> bool {
        let fits = !self.selective
            || self.pids.contains(&process.pid)
            || self.parents.contains(&process.parent)
            || self.commands.iter().any(|name| name == process.name())
            || self
                .users
                .iter()
                .any(|name| name == user.as_bytes() || options::number(name) == Some(uid));
        fits != self.inverted
    }
}

/// A title goes to the end of the word, or to a comma with the name of a column behind it.
fn title_end(text: &str) -> usize {
    let mut commas = text.match_indices(',').map(|(at, _)| at);
    let names = |at: &usize| {
        let next = text[at + 1..].split([',', '=']).next().unwrap_or_default();
        column(next).is_some()
    };
    commas.find(names).unwrap_or(text.len())
}
