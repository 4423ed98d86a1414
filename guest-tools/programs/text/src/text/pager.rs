//! `less`, `more`, after util-linux, and `zless` and its relatives.
//!
//! Where the output is no terminal the text passes through, as in a pipeline. `screen` opens files and goes from one
//! to the next, `view` is what is on the screen and what keys do, `fit` makes lines fit. Options that there are
//! elsewhere are accepted; of those that take effect here `screen::Paging` has the list.

mod fit;
mod screen;
mod view;

use crate::stream::eprintln;
use std::io::{Read, Write as _};
use std::rc::Rc;

use crate::call::{Call, bytes};
use crate::output::{CHUNK, Output};
use crate::system::{self, Kind};
use offshoot_codec as archive;
use screen::Paging;

/// The letters of options of `less`, without and with a value.
const LESS: (&[u8], &[u8]) = (b"aABcCdeEfFgGiIJKLmMnNqQrRsSuUVwWX~?", b"bDhjkoOpPtTxyz#\"");
/// The same of `more`.
const MORE: (&[u8], &[u8]) = (b"cdeflpsu0123456789", b"n");

/// The long options of `less`, which may be abbreviated.
const LESS_LONG: &[&str] = &[
    "auto-buffers",
    "buffers",
    "chop-long-lines",
    "clear-screen",
    "CLEAR-SCREEN",
    "color",
    "exit-follow-on-close",
    "file-size",
    "follow-name",
    "force",
    "header",
    "hilite-search",
    "HILITE-SEARCH",
    "hilite-unread",
    "HILITE-UNREAD",
    "ignore-case",
    "IGNORE-CASE",
    "incsearch",
    "jump-target",
    "LINE-NUMBERS",
    "line-numbers",
    "long-prompt",
    "LONG-PROMPT",
    "max-forw-scroll",
    "mouse",
    "no-histdups",
    "no-init",
    "no-keypad",
    "no-lessopen",
    "pattern",
    "prompt",
    "quiet",
    "quit-at-eof",
    "QUIT-AT-EOF",
    "quit-if-one-screen",
    "quit-on-intr",
    "raw-control-chars",
    "RAW-CONTROL-CHARS",
    "rscroll",
    "save-marks",
    "search-skip-screen",
    "shift",
    "silent",
    "squeeze-blank-lines",
    "status-column",
    "tabs",
    "tilde",
    "underline-special",
    "use-backslash",
    "use-color",
    "wheel-lines",
    "window",
    "wordwrap",
];

/// The long options of `more`.
const MORE_LONG: &[&str] = &[
    "silent",
    "logical",
    "exit-on-eof",
    "no-pause",
    "print-over",
    "clean-print",
    "squeeze",
    "plain",
    "lines",
];

/// The files that are named, and how they are shown; `Err` is the status after a message or `--help`.
fn files(call: &Call, less: bool) -> Result<(Vec<Vec<u8>>, Paging), i32> {
    let (flags, valued) = if less { LESS } else { MORE };
    let long = if less { LESS_LONG } else { MORE_LONG };
    let mut files = Vec::new();
    let mut paging = Paging::new(less);
    let mut arguments = call.arguments.iter();
    let print = |text: String| {
        let written = crate::stream::stdout().write_all(text.as_bytes());
        Err(i32::from(written.is_err()))
    };
    while let Some(argument) = arguments.next() {
        match argument.as_slice() {
            b"--" => {
                files.extend(arguments.cloned());
                break;
            }
            b"--help" => return print(format!("Usage: {} [options] file...\n", call.name)),
            b"--version" => {
                return print(crate::model::version(&call.name));
            }
            [b'-', b'-', option @ ..] => {
                let name = option
                    .split(|&byte| byte == b'=')
                    .next()
                    .unwrap_or_default();
                if !long.iter().any(|known| known.as_bytes().starts_with(name)) {
                    let message = bytes!("unrecognized option '--", name, "'");
                    return Err(call.fail(if less { 2 } else { 1 }, message));
                }
                paging.name(option);
            }
            [b'-', letters @ ..] if !letters.is_empty() => {
                for (index, letter) in letters.iter().enumerate() {
                    if valued.contains(letter) {
                        let value = match &letters[index + 1..] {
                            [] => arguments.next().map(Vec::as_slice),
                            rest => Some(rest),
                        };
                        paging.value(*letter, value.unwrap_or_default());
                        break;
                    }
                    let number = less && letter.is_ascii_digit();
                    if !number && !flags.contains(letter) {
                        let message = bytes!("invalid option -- '", [*letter], "'");
                        return Err(call.fail(if less { 2 } else { 1 }, message));
                    }
                    paging.letter(*letter);
                }
            }
            [b'+', command @ ..] if !command.is_empty() => paging.begin(command),
            _ => files.push(argument.clone()),
        }
    }
    Ok((files, paging))
}

/// Whether a name is a directory's.
fn is_directory(file: &[u8]) -> bool {
    system::stat(file, true).is_ok_and(|stat| stat.kind == Kind::Directory)
}

/// Opens a file, unpacked where the command's name asks for it; fails with what is to be said. None where that was
/// said.
fn open(
    file: &[u8],
    family: Option<(archive::Family, &str)>,
    less: bool,
) -> Option<Result<Box<dyn Read>, Vec<u8>>> {
    if is_directory(file) && file != b"-" {
        return Some(Err(match less {
            true => bytes!(file, " is a directory"),
            false => bytes!("\n*** ", file, ": directory ***\n"),
        }));
    }
    if let Some((family, _)) = family {
        let input = family.open(file, &Rc::default())?;
        return Some(Ok(Box::new(input)));
    }
    Some(system::open_input(file).map_err(|failure| match less {
        true => bytes!(file, ": ", failure),
        false => bytes!("cannot open ", file, ": ", failure),
    }))
}

/// Runs the command.
pub fn run(call: &Call) -> i32 {
    let family = archive::family(&call.name);
    let less = !call.name.ends_with("more");
    let (mut files, paging) = match files(call, less) {
        Ok(found) => found,
        Err(status) => return status,
    };
    if files.is_empty() {
        if system::is_terminal(0) {
            let message = if less {
                "missing filename (\"less --help\" for help)"
            } else {
                "bad usage"
            };
            return call.fail(1, message);
        }
        files.push(b"-".to_vec());
    }
    if system::is_terminal(1)
        && let Some(status) = paging.run(call, &files, |file| open(file, family, less))
    {
        return status;
    }
    let mut out = Output::new();
    let mut status = 0;
    let mut buffer = vec![0; CHUNK];
    let several = files.len() > 1 && !less;
    // The scripts of bzip2 and xz name every file.
    let announced = family.is_some_and(|(family, plain)| match family.tool {
        "bzip2" => files[0] != b"-",
        "xz" => plain == "more" && files[0] != b"-",
        _ => false,
    });
    for file in &files {
        let directory = is_directory(file);
        if announced {
            out.line(bytes!("------> ", file, " <------"));
        }
        out.flush();
        let Some(opened) = open(file, family, less) else {
            continue;
        };
        let mut input = match opened {
            Ok(input) => input,
            Err(message) => {
                out.flush();
                status = i32::from(less);
                if less || !directory {
                    let prefix = if less { "" } else { "more: " };
                    eprintln!("{prefix}{}", String::from_utf8_lossy(&message));
                } else {
                    out.line(message);
                }
                continue;
            }
        };
        if several && !announced {
            out.put(bytes!("::::::::::::::\n", file, "\n::::::::::::::\n"));
        }
        loop {
            match input.read(&mut buffer) {
                Ok(0) => break,
                Ok(count) => out.put(&buffer[..count]),
                Err(error) => {
                    out.flush();
                    let failure = system::Failure::from(error);
                    status = call.fail(1, bytes!(file, ": ", failure));
                    break;
                }
            }
            if out.is_broken() {
                break;
            }
        }
    }
    out.finish(&call.name, status, 1)
}
