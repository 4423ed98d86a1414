//! awk's command line: gawk's options, POSIX's among them. Options end before the first operand, which is the program
//! unless `-f`, `-E` or `-e` gave one.

use super::parser::{INCLUDE, Piece};
use crate::call::{Call, bytes};
use crate::stream::eprintln;
use crate::stream::println;
use crate::system;

/// What the command line asks for.
#[derive(Default)]
pub struct Settings {
    /// Sources in their order: files of `-f`, texts of `-e`, inclusions of `-i`, or the first operand.
    pub pieces: Vec<Piece>,
    /// There is a program beside what is included.
    pub has_program: bool,
    /// Values of `-v`, not yet taken apart.
    pub assignments: Vec<Vec<u8>>,
    /// The value of `-F`, with its escapes; `t` is a tab.
    pub separator: Option<Vec<u8>>,
    /// `-k`: records are lines of CSV (RFC 4180).
    pub csv: bool,
    /// `-b`: each byte is a character.
    pub bytes: bool,
    /// `-n`: input may have octal and hexadecimal numbers.
    pub non_decimal: bool,
    /// `-S`: no commands and no redirections.
    pub sandbox: bool,
    /// Operands such as `name=value` are files too.
    pub no_assignments: bool,
    /// Where the global variables are written at the end.
    pub dump: Option<Vec<u8>>,
    pub operands: Vec<Vec<u8>>,
}

const USAGE: &str = "Usage: awk [-F fs] [-v var=value] [-f progfile | 'prog'] [file ...]";

/// Long options: name, letter, and what value they have: `=` required, `?` only behind `=`, blank none.
const LONG: &[(&str, u8, u8)] = &[
    ("assign", b'v', b'='),
    ("bignum", b'M', b' '),
    ("characters-as-bytes", b'b', b' '),
    ("copyright", b'C', b' '),
    ("csv", b'k', b' '),
    ("debug", b'D', b'?'),
    ("dump-variables", b'd', b'?'),
    ("exec", b'E', b'='),
    ("field-separator", b'F', b'='),
    ("file", b'f', b'='),
    ("gen-pot", b'g', b' '),
    ("help", b'h', b' '),
    ("include", b'i', b'='),
    ("lint", b'L', b'?'),
    ("lint-old", b't', b' '),
    ("load", b'l', b'='),
    ("no-optimize", b's', b' '),
    ("non-decimal-data", b'n', b' '),
    ("optimize", b'O', b' '),
    ("posix", b'P', b' '),
    ("pretty-print", b'o', b'?'),
    ("profile", b'p', b'?'),
    ("re-interval", b'r', b' '),
    ("sandbox", b'S', b' '),
    ("source", b'e', b'='),
    ("trace", b'I', b' '),
    ("traditional", b'c', b' '),
    ("use-lc-numeric", b'N', b' '),
    ("version", b'V', b' '),
];

/// The letters of all options, for what may follow a program given by an option.
const LETTERS: &[u8] = b"bcCdDeEfFghiIklLMnNoOpPrsStvVW";

/// Says how awk is called.
pub fn usage() {
    eprintln!("{USAGE}");
}

/// Reads the command line. Sources of `-f` are read here, from the directories of `AWKPATH`.
///
/// # Errors
/// The status to end with, after a message; 0 for `--version` and `--help`.
pub fn read(call: &Call) -> Result<Settings, i32> {
    let mut settings = Settings::default();
    let mut words = call.arguments.iter();
    while let Some(word) = words.next() {
        match word.as_slice() {
            b"--" => break,
            [b'-', b'-', long @ ..] => {
                let at = long.iter().position(|&byte| byte == b'=');
                let (name, value) = match at {
                    Some(at) => (&long[..at], Some(long[at + 1..].to_vec())),
                    None => (long, None),
                };
                let (letter, kind) = long_option(call, name)?;
                let value = match kind {
                    b'=' if value.is_none() => words.next().cloned(),
                    _ => value,
                };
                settings.take(call, letter, value)?;
                if letter == b'E' {
                    break;
                }
            }
            // What is no option belongs to a program that came with one.
            [b'-', letter, ..] if settings.has_program && !LETTERS.contains(letter) => {
                settings.operands.push(word.clone());
                break;
            }
            [b'-', cluster @ ..] if !cluster.is_empty() => {
                if settings.cluster(call, cluster, &mut words)? {
                    break;
                }
            }
            _ => {
                settings.operands.push(word.clone());
                break;
            }
        }
    }
    settings.operands.extend(words.cloned());
    Ok(settings)
}

/// The letter and kind of a long option, which may be shortened where that is unambiguous.
fn long_option(call: &Call, name: &[u8]) -> Result<(u8, u8), i32> {
    let exact = LONG.iter().find(|(long, ..)| long.as_bytes() == name);
    let mut fitting = LONG
        .iter()
        .filter(|(long, ..)| long.as_bytes().starts_with(name));
    match (exact, fitting.next(), fitting.next()) {
        (Some((_, letter, kind)), ..) | (None, Some((_, letter, kind)), None) => {
            Ok((*letter, *kind))
        }
        (_, found, _) => {
            let text = match found {
                Some(_) => bytes!("option '--", name, "' is ambiguous"),
                None => bytes!("unrecognized option '--", name, "'"),
            };
            call.fail(1, text);
            usage();
            Err(1)
        }
    }
}

impl Settings {
    /// Letters behind one dash, as in `-nF:`; a letter with a value takes the rest. True where the options end with
    /// them (`-E`).
    fn cluster<'w>(
        &mut self,
        call: &Call,
        letters: &[u8],
        words: &mut impl Iterator<Item = &'w Vec<u8>>,
    ) -> Result<bool, i32> {
        let mut rest = letters;
        while let Some((&letter, behind)) = rest.split_first() {
            let value = match letter {
                b'F' | b'v' | b'f' | b'e' | b'E' | b'i' | b'l' | b'W' if behind.is_empty() => {
                    words.next().cloned()
                }
                b'F' | b'v' | b'f' | b'e' | b'E' | b'i' | b'l' | b'W' => Some(behind.to_vec()),
                b'd' | b'D' | b'L' | b'o' | b'p' => (!behind.is_empty()).then(|| behind.to_vec()),
                _ => {
                    self.take(call, letter, None)?;
                    rest = behind;
                    continue;
                }
            };
            self.take(call, letter, value)?;
            return Ok(letter == b'E');
        }
        Ok(false)
    }

    /// Applies one option; status after a message where that ends awk.
    fn take(&mut self, call: &Call, letter: u8, value: Option<Vec<u8>>) -> Result<(), i32> {
        let needs = |value: Option<Vec<u8>>| {
            value.ok_or_else(|| {
                let letter = char::from(letter);
                let status = call.fail(1, format!("option requires an argument -- '{letter}'"));
                usage();
                status
            })
        };
        match letter {
            b'F' => self.separator = Some(needs(value)?),
            b'v' => self.assignments.push(needs(value)?),
            b'k' => self.csv = true,
            b'b' => self.bytes = true,
            b'n' => self.non_decimal = true,
            b'S' => self.sandbox = true,
            b'd' => self.dump = Some(value.unwrap_or_else(|| b"awkvars.out".to_vec())),
            b'e' => self.program("cmd. line", needs(value)?),
            b'f' | b'E' => {
                let path = needs(value)?;
                self.no_assignments |= letter == b'E';
                let found = super::parser::find_source(&path).filter(|_| path != b"-");
                let text = system::read_whole(found.as_ref().unwrap_or(&path));
                let text = text.map_err(|failure| {
                    let message =
                        bytes!("fatal: cannot open source file `", path, "' for reading: ");
                    call.fail(2, bytes!(message, failure))
                })?;
                self.program(&String::from_utf8_lossy(&path), text);
            }
            b'i' => self.pieces.push(Piece {
                name: "cmd. line".to_owned(),
                text: [INCLUDE, &needs(value)?].concat(),
            }),
            b'l' => {
                let library = needs(value)?;
                let message = bytes!("fatal: load_ext: cannot open library `", library);
                return Err(call.fail(2, bytes!(message, "': extensions are not supported")));
            }
            b'M' => {
                call.fail(0, "warning: -M ignored: numbers have double precision here");
            }
            b'V' => {
                print!("{}", crate::model::version("awk"));
                return Err(0);
            }
            b'h' => {
                println!("{USAGE}");
                return Err(0);
            }
            b'C' => {
                println!("{}", env!("CARGO_PKG_LICENSE"));
                return Err(0);
            }
            // Modes of gawk that change nothing here.
            b'c' | b'L' | b'N' | b'O' | b'P' | b'r' | b's' | b't' => {}
            b'W' => {
                needs(value)?;
            }
            b'D' | b'g' | b'I' | b'o' | b'p' => {
                let text = format!("option -{} is not supported", char::from(letter));
                return Err(call.fail(2, text));
            }
            _ => {
                call.fail(1, format!("invalid option -- '{}'", char::from(letter)));
                usage();
                return Err(1);
            }
        }
        Ok(())
    }

    /// Adds a piece of the program; `name` is for messages.
    pub fn program(&mut self, name: &str, text: Vec<u8>) {
        self.has_program = true;
        self.pieces.push(Piece {
            name: name.to_owned(),
            text,
        });
    }
}
