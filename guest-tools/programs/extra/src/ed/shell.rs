//! Files, and commands of the shell in their place: `r !ls`, `w !wc`, `!date`.
//!
//! In a command line `%` is the default file name (`\%` a percent sign), and `!` in front repeats the last command.
//! `red` refuses commands, names with a slash, and `..`. Files count with one byte for the newline of each line; that
//! is what the size says which `r`, `e` and `w` print, and the buffer has no other notion of a last line without one.

use std::io::Write as _;

use super::Editor;
use super::buffer::Line;
use super::error::Error;
use crate::call::{bytes, complain};
use crate::launch;
use crate::system::{self, Failure, Streams};

impl Editor {
    /// Inserts a file, or what a command behind `!` prints, behind line `after`, and prints its size in bytes unless
    /// `-s`.
    ///
    /// What is wrong with a file is told on standard error and is `Error::NoFile` where it does not exist. NUL and
    /// other bytes are kept as they are; `--strip-trailing-cr` drops a carriage return at the end of each line.
    pub fn read(&mut self, file: &[u8], after: usize) -> Result<(), Error> {
        let text = match file.strip_prefix(b"!") {
            Some(command) => {
                let command = self.command_line(command)?;
                self.out.flush();
                launch::output_of(&command).map_err(|failure| {
                    self.tell(file, &failure);
                    Error::Read
                })?
            }
            None => system::read_whole(file).map_err(|failure| {
                self.tell(file, &failure);
                match failure == system::NO_ENTRY {
                    true => Error::NoFile,
                    false => Error::Input,
                }
            })?,
        };
        let mut lines: Vec<Line> = Vec::new();
        let mut size = 0;
        for line in text.split_inclusive(|&byte| byte == b'\n') {
            let mut line = line.strip_suffix(b"\n").unwrap_or(line);
            if self.settings.strips_returns {
                line = line.strip_suffix(b"\r").unwrap_or(line);
            }
            size += line.len() + 1;
            lines.push(Line::new(line.to_vec()));
        }
        if !text.is_empty() && !text.ends_with(b"\n") && !self.settings.is_script {
            self.out.line("Newline appended");
        }
        self.buffer.append(after, lines);
        if !self.settings.is_script {
            self.out.line(size.to_string());
        }
        Ok(())
    }

    /// Writes lines to a file, or to the standard input of a command behind `!`, and prints the size in bytes unless
    /// `-s`. A command that ends with another status than 0 is `Error::Close`.
    pub fn write(
        &mut self,
        file: &[u8],
        (from, to): (usize, usize),
        append: bool,
    ) -> Result<(), Error> {
        let mut text = Vec::new();
        for line in self.buffer.lines(from, to) {
            text.extend_from_slice(line);
            text.push(b'\n');
        }
        let written = match file.strip_prefix(b"!") {
            Some(command) => {
                let command = self.command_line(command)?;
                let written = self.feed(&command, &text);
                if written.as_ref().is_ok_and(|&status| status != 0) {
                    if !self.settings.is_quiet {
                        let name = String::from_utf8_lossy(file).into_owned();
                        complain(&name, "Success");
                    }
                    return Err(Error::Close);
                }
                written.map(|_| ())
            }
            None => {
                system::create_file(file, append).and_then(|mut file| Ok(file.write_all(&text)?))
            }
        };
        written.map_err(|failure| {
            self.tell(file, &failure);
            Error::Output
        })?;
        if !self.settings.is_script {
            self.out.line(text.len().to_string());
        }
        Ok(())
    }

    /// Says on standard error what is wrong with a file; nothing with `-q`.
    fn tell(&mut self, file: &[u8], failure: &Failure) {
        if !self.settings.is_quiet {
            self.out.flush();
            let name = String::from_utf8_lossy(file).into_owned();
            complain(&name, bytes!(failure));
        }
    }

    /// Makes a name the default file name.
    pub fn name(&mut self, name: &[u8]) -> Result<(), Error> {
        self.permitted(name)?;
        self.file = name.to_vec();
        Ok(())
    }

    /// Refuses what `red` does not touch: a name with a slash, and `..`.
    pub fn permitted(&self, name: &[u8]) -> Result<(), Error> {
        let is_outside = name.contains(&b'/') || name == b"..";
        match self.settings.is_restricted && is_outside && !name.starts_with(b"!") {
            true => Err(Error::Directory),
            false => Ok(()),
        }
    }

    /// Runs a command of the shell, and prints `!` afterwards unless `-s`. A line that `%` or `!` changed is printed
    /// first.
    pub fn run_command(&mut self, command: &[u8]) -> Result<(), Error> {
        let line = self.command_line(command)?;
        if command.starts_with(b"!") || line != command {
            self.out.line(&line);
        }
        self.out.flush();
        launch::shell(&line, None, Streams::default())
            .and_then(system::wait)
            .map_err(|_| Error::Shell)?;
        if !self.settings.is_script {
            self.out.line("!");
        }
        Ok(())
    }

    /// A command with `%` and a leading `!` replaced; it becomes the last command.
    fn command_line(&mut self, text: &[u8]) -> Result<Vec<u8>, Error> {
        if self.settings.is_restricted {
            return Err(Error::Shell);
        }
        let mut line = Vec::new();
        let text = match text.strip_prefix(b"!") {
            Some(_) if self.shell.is_empty() => return Err(Error::NoCommand),
            Some(rest) => {
                line.extend_from_slice(&self.shell);
                rest
            }
            None => text,
        };
        let mut bytes = text.iter();
        while let Some(&byte) = bytes.next() {
            match byte {
                b'%' if self.file.is_empty() => return Err(Error::NoName),
                b'%' => line.extend_from_slice(&self.file),
                b'\\' => match bytes.next() {
                    Some(b'%') => line.push(b'%'),
                    Some(&other) => line.extend([b'\\', other]),
                    None => line.push(b'\\'),
                },
                byte => line.push(byte),
            }
        }
        self.shell.clone_from(&line);
        Ok(line)
    }

    /// Runs a command with a text as its standard input, and gives its exit status. What it does not read is dropped.
    fn feed(&mut self, command: &[u8], text: &[u8]) -> system::Result<i32> {
        self.out.flush();
        let (reader, mut writer) = system::pipe()?;
        let streams = Streams {
            input: Some(&reader),
            ..Streams::default()
        };
        let pid = launch::shell(command, None, streams)?;
        drop(reader);
        // A command need not read all of it.
        let _ = writer.write_all(text);
        drop(writer);
        Ok(system::wait(pid)?.status())
    }
}
