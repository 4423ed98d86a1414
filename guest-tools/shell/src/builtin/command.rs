//! `command`, `builtin`, `exec`, `source`, `.`
//!
//! The first three return `Flow::Run` with the way of looking the command up, and the machine runs the words: `command`
//! passes over functions, `builtin` takes builtins alone, `exec` replaces the shell. `source` reads its file as a whole
//! first, along `PATH` where the name has no slash; NUL bytes are dropped.

use super::letters::{Letters, none};
use super::{Context, Flow, Lookup, Pending, Wake, find, lookup, synopsis};
use crate::codec::record;
use crate::machine::descriptor::Direction;
use crate::machine::option::{SetOption, Shopt};
use crate::os::{Access, Errno, FileKind, OpenOptions};
use crate::text::Text;

/// Nanoseconds after which the other side of a FIFO is looked for again.
const RETRY: u64 = 1_000_000;

/// Runs `command`, or describes the words with `-v` and `-V`.
pub(super) fn command(cx: &mut Context<'_>, arguments: &[Text]) -> Flow {
    let mut letters = Letters::new("pVv", arguments);
    let (mut standard, mut describe) = (false, None);
    loop {
        match letters.next(cx) {
            Ok(None) => break,
            Ok(Some(given)) => match given.letter {
                b'p' if cx.is_restricted(b"-p") => return Flow::Status(1),
                b'p' => standard = true,
                letter => describe = Some(letter == b'V'),
            },
            Err(flow) => return flow,
        }
    }
    let words = letters.operands();
    if words.is_empty() {
        return Flow::Status(0);
    }
    match describe {
        Some(verbose) => lookup::describe_commands(cx, words, verbose, standard),
        None => Flow::Run {
            words: words.to_vec(),
            lookup: if standard {
                Lookup::StandardPath
            } else {
                Lookup::NoFunctions
            },
        },
    }
}

/// Runs `builtin`.
pub(super) fn builtin(cx: &mut Context<'_>, arguments: &[Text]) -> Flow {
    let words = match none(cx, arguments) {
        Ok(words) => words,
        Err(flow) => return flow,
    };
    let Some(name) = words.first() else {
        return Flow::Status(0);
    };
    if find(name).is_none() || cx.state().disabled.contains(name) {
        cx.error_about(name, "not a shell builtin");
        return Flow::Status(1);
    }
    Flow::Run {
        words: words.to_vec(),
        lookup: Lookup::BuiltinsOnly,
    }
}

/// Runs `exec`; without words its redirects stay.
pub(super) fn exec(cx: &mut Context<'_>, arguments: &[Text]) -> Flow {
    let mut letters = Letters::new("cla:", arguments);
    let (mut clear, mut login, mut name) = (false, false, None);
    loop {
        match letters.next(cx) {
            Ok(None) => break,
            Ok(Some(given)) => match given.letter {
                b'c' => clear = true,
                b'l' => login = true,
                _ => name = given.value.map(Text::from),
            },
            Err(flow) => return flow,
        }
    }
    let words = letters.operands().to_vec();
    if words.is_empty() {
        return Flow::KeepRedirects;
    }
    if cx.is_restricted(b"") {
        return Flow::Status(1);
    }
    if login {
        let shown = name.unwrap_or_else(|| words[0].clone());
        name = Some(Text::from([b"-", shown.as_bytes()].concat()));
    }
    Flow::Run {
        words,
        lookup: Lookup::Replace { name, clear },
    }
}

/// Runs `source` and `.`; words behind the name are the positional parameters.
pub(super) fn source(cx: &mut Context<'_>, arguments: &[Text]) -> Flow {
    let operands = match none(cx, arguments) {
        Ok(operands) => operands,
        Err(flow) => return flow,
    };
    let Some((name, parameters)) = operands.split_first() else {
        cx.error("filename argument required");
        return synopsis::usage(cx);
    };
    if name.contains(&b'/') && cx.is_restricted(name) {
        return Flow::Status(1);
    }
    if name.is_empty() {
        return no_source(cx, name, Errno::NoEntry);
    }
    let path = find_source(cx, name);
    let number = super::descriptor_path(&path);
    let streamed = number.is_none() && is_stream(cx, &path);
    let number = match number {
        None if streamed => match cx.open_stream(&path) {
            Ok(number) => Some(number),
            Err(error) => return no_source(cx, &path, error),
        },
        number => number,
    };
    match number {
        Some(number) => {
            let sourcing = Sourcing {
                path,
                number,
                opened: streamed,
                parameters: parameters.to_vec(),
                text: Vec::new(),
            };
            sourcing.resume(cx)
        }
        None => source_file(cx, path, parameters),
    }
}

/// Whether a path is that of a FIFO or a device, which may have to be waited for.
fn is_stream(cx: &Context<'_>, path: &[u8]) -> bool {
    let found = cx.os().stat(&cx.absolute(path), true);
    found.is_ok_and(|stat| matches!(stat.kind, FileKind::Fifo | FileKind::CharacterDevice))
}

/// A `source` that reads a descriptor: a process substitution or a FIFO.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sourcing {
    /// The path that was given.
    path: Text,
    /// The descriptor.
    number: u32,
    /// It was opened for this, and is closed at the end.
    opened: bool,
    /// The parameters of the text.
    parameters: Vec<Text>,
    /// What was read so far.
    text: Vec<u8>,
}

record!(Sourcing {
    path,
    number,
    opened,
    parameters,
    text
});

impl Sourcing {
    /// Reads on.
    pub(super) fn resume(mut self, cx: &mut Context<'_>) -> Flow {
        let number = self.number;
        let Some(stream) = cx.descriptor(number) else {
            return no_source(cx, &self.path, Errno::NoEntry);
        };
        let mut block = vec![0; 16 * 1024];
        let result = loop {
            match stream.read(&mut block) {
                Ok(0) => break Ok(()),
                Ok(count) => self.text.extend_from_slice(&block[..count]),
                Err(Errno::Again) => {
                    let wake = match stream.is_unmet() {
                        // Nothing says when somebody opens its other side.
                        true => Wake::Time(cx.os().monotonic() + RETRY),
                        false => Wake::Descriptor(number, Direction::Read),
                    };
                    return Flow::Wait(vec![wake], Pending::Source(Box::new(self)));
                }
                Err(error) => break Err(error),
            }
        };
        if self.opened {
            cx.state_mut().descriptors.set(number, None);
        }
        match result {
            Ok(()) => sourced(self.text, self.path, self.parameters),
            Err(error) => no_source(cx, &self.path, error),
        }
    }
}

/// Reports a file that cannot be read; what follows from that the machine knows.
fn no_source(cx: &mut Context<'_>, path: &Text, error: Errno) -> Flow {
    if error == Errno::IsDirectory {
        cx.error_about(path, "is a directory");
    } else if cx.on(SetOption::Posix) && !path.contains(&b'/') {
        cx.shell_error([b".: ", path.as_bytes(), b": file not found"].concat());
    } else {
        cx.shell_error([path.as_bytes(), b": ", error.message().as_bytes()].concat());
    }
    Flow::Unread
}

/// Reads a file and has it run.
fn source_file(cx: &mut Context<'_>, path: Text, parameters: &[Text]) -> Flow {
    match read(cx, &path) {
        Ok(text) => sourced(text, path, parameters.to_vec()),
        Err(error) => no_source(cx, &path, error),
    }
}

/// The text to run, without NUL bytes.
fn sourced(mut text: Vec<u8>, path: Text, parameters: Vec<Text>) -> Flow {
    text.retain(|&byte| byte != 0);
    Flow::Source {
        text: Text::from(text),
        path,
        arguments: (!parameters.is_empty()).then_some(parameters),
    }
}

/// The file that `source NAME` means: along PATH where there is no slash, then here.
fn find_source(cx: &mut Context<'_>, name: &Text) -> Text {
    if name.contains(&b'/') || !cx.shopt(Shopt::Sourcepath) {
        return name.clone();
    }
    let path = cx.get(b"PATH").unwrap_or_default();
    for entry in path.split(|&byte| byte == b':') {
        let entry = if entry.is_empty() {
            b".".as_slice()
        } else {
            entry
        };
        let file = [entry, b"/", name].concat();
        let full = cx.absolute(&file);
        let regular = cx
            .os()
            .stat(&full, true)
            .is_ok_and(|stat| stat.kind != FileKind::Directory);
        let readable = Access {
            read: true,
            ..Access::default()
        };
        if regular && cx.os().access(&full, readable).is_ok() {
            return Text::from(file);
        }
    }
    name.clone()
}

/// The whole of a file; a descriptor of the script where it is one of `/dev/fd`.
pub(super) fn read(cx: &mut Context<'_>, path: &[u8]) -> Result<Vec<u8>, Errno> {
    let mut content = Vec::new();
    let mut block = vec![0; 16 * 1024];
    if let Some(number) = super::descriptor_path(path) {
        let stream = cx.descriptor(number).ok_or(Errno::BadDescriptor)?;
        loop {
            match stream.read(&mut block)? {
                0 => return Ok(content),
                count => content.extend_from_slice(&block[..count]),
            }
        }
    }
    let os = cx.os();
    let options = OpenOptions {
        read: true,
        ..OpenOptions::default()
    };
    let handle = os.open(&cx.absolute(path), options, 0)?;
    let result = loop {
        match os.read(handle, &mut block) {
            Ok(0) => break Ok(content),
            Ok(count) => content.extend_from_slice(&block[..count]),
            Err(error) => break Err(error),
        }
    };
    os.close(handle);
    result
}
