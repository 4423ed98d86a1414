//! `less` and `more`: there is no screen to page on, so the text passes through, as it does where
//! their output is no terminal.

use std::io::{Read, Write as _};
use std::rc::Rc;

use crate::call::{Call, bytes};
use crate::output::{CHUNK, Output};
use crate::system::{self, Kind};
use offshoot_codec as archive;

/// The letters of options without and with a value.
const LESS: (&[u8], &[u8]) = (b"aABcCdeEfFgGiIJKLmMnNqQrRsSuUVwWX~?", b"bDhjkoOpPtTxyz#\"");
const MORE: (&[u8], &[u8]) = (b"cdeflpsu0123456789", b"n");

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

/// The files that are named; `Err` is the status after a message or `--help`.
fn files(call: &Call, less: bool) -> Result<Vec<Vec<u8>>, i32> {
    let (flags, valued) = if less { LESS } else { MORE };
    let long = if less { LESS_LONG } else { MORE_LONG };
    let mut files = Vec::new();
    let mut arguments = call.arguments.iter();
    let print = |text: String| {
        let written = std::io::stdout().write_all(text.as_bytes());
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
            }
            [b'-', letters @ ..] if !letters.is_empty() => {
                for (index, letter) in letters.iter().enumerate() {
                    if valued.contains(letter) {
                        if index + 1 == letters.len() {
                            arguments.next();
                        }
                        break;
                    }
                    let number = less && letter.is_ascii_digit();
                    if !number && !flags.contains(letter) {
                        let message = bytes!("invalid option -- '", [*letter], "'");
                        return Err(call.fail(if less { 2 } else { 1 }, message));
                    }
                }
            }
            [b'+', _, ..] => {}
            _ => files.push(argument.clone()),
        }
    }
    Ok(files)
}

/// Runs the command.
pub fn run(call: &Call) -> i32 {
    let family = archive::family(&call.name);
    let less = !call.name.ends_with("more");
    let mut files = match files(call, less) {
        Ok(files) => files,
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
    let damaged = Rc::default();
    for file in &files {
        let directory = system::stat(file, true).is_ok_and(|stat| stat.kind == Kind::Directory);
        let opened = if directory && file != b"-" {
            Err(if less {
                bytes!(file, " is a directory")
            } else {
                bytes!("\n*** ", file, ": directory ***\n")
            })
        } else if let Some((family, _)) = family {
            if announced {
                out.line(bytes!("------> ", file, " <------"));
            }
            out.flush();
            let Some(input) = family.open(file, &damaged) else {
                continue;
            };
            let input: Box<dyn Read> = Box::new(input);
            Ok(input)
        } else {
            system::open_input(file).map_err(|failure| {
                if less {
                    bytes!(file, ": ", failure)
                } else {
                    bytes!("cannot open ", file, ": ", failure)
                }
            })
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
