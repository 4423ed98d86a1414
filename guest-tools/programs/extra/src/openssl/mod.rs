//! `openssl`, as OpenSSL 3.0: digests, ciphers, keys, signatures, requests and certificates, passwords.
//!
//! Each command of `COMMANDS` has a module; `key` has the private and public keys that all of them share, `pem` and
//! `name` the formats. The names of digests and ciphers are commands as well (`openssl sha256 FILE`). A command's
//! `Result` has the exit status on both sides: `Err` is a status after a message. What is not supported says so; there
//! is no TLS (`s_client`), no configuration file, and no engine or provider.

mod certificate;
mod cipher;
mod digest;
mod extension;
mod key;
mod name;
mod output;
mod passwd;
mod pem;
mod random;
mod request;
mod signature;
mod text;

use crate::call::{Call, bytes};
use crate::system;

/// A command of `openssl`.
type Command = fn(&Call) -> Result<i32, i32>;

/// The commands, sorted by name; `help` prints them in this order.
const COMMANDS: &[(&str, Command)] = &[
    ("base64", cipher::base64),
    ("dgst", |call| Ok(digest::digest(call, None))),
    ("ec", key::manage_curve),
    ("ecparam", key::parameters),
    ("enc", cipher::encode),
    ("genpkey", key::generate_any),
    ("genrsa", key::generate),
    ("passwd", passwd::passwd),
    ("pkey", key::manage_any),
    ("pkeyutl", signature::pkeyutl),
    ("rand", |call| Ok(random::random(call))),
    ("req", request::request),
    ("rsa", key::manage_rsa),
    ("verify", certificate::verify),
    ("x509", certificate::certificate),
];

/// Runs `openssl`.
pub fn run(call: &Call) -> i32 {
    let Some((command, rest)) = call.arguments.split_first() else {
        return call.fail(1, "a command is needed: openssl help lists them");
    };
    let name = String::from_utf8_lossy(command).into_owned();
    let call = Call {
        name: name.clone(),
        arguments: rest.to_vec(),
    };
    if let Some((_, command)) = COMMANDS.iter().find(|(known, _)| *known == name) {
        return command(&call).unwrap_or_else(|status| status);
    }
    match name.as_str() {
        "version" | "--version" => {
            println!("OpenSSL 3.0 (Offshoot)");
            0
        }
        "help" | "--help" => {
            let names: Vec<&str> = COMMANDS.iter().map(|(name, _)| *name).collect();
            println!("Usage: openssl COMMAND [OPTION]...");
            println!("Commands: {}, version,", names.join(", "));
            println!("and the names of digests and ciphers");
            0
        }
        _ => match (digest::algorithm(command), cipher::find(command)) {
            (Some(known), _) => digest::digest(&call, Some(known)),
            (None, Some(_)) => cipher::encode(&Call {
                name: "enc".to_owned(),
                arguments: [vec![bytes!("-", command)], rest.to_vec()].concat(),
            })
            .unwrap_or_else(|status| status),
            _ => {
                eprintln!("Invalid command '{name}'; type \"help\" for a list.");
                1
            }
        },
    }
}

/// What a command line says.
#[derive(Default)]
struct Words {
    /// Options in their order, without the dash or dashes, with their values; empty for flags.
    options: Vec<(Vec<u8>, Vec<u8>)>,
    /// The other words. A lone `-` is one.
    operands: Vec<Vec<u8>>,
}

impl Words {
    /// Reads options: those in `flags` stand alone, those in `valued` take the next word, and words that `other` knows,
    /// such as the names of digests, are flags too.
    ///
    /// # Errors
    /// `Err(0)` after `-help`, `Err(1)` after a message.
    fn read(
        call: &Call,
        flags: &[&str],
        valued: &[&str],
        other: impl Fn(&[u8]) -> bool,
    ) -> Result<Words, i32> {
        let mut found = Words::default();
        let mut words = call.arguments.iter();
        while let Some(word) = words.next() {
            let Some(name) = word.strip_prefix(b"-").filter(|name| !name.is_empty()) else {
                found.operands.push(word.clone());
                continue;
            };
            let name = name.strip_prefix(b"-").unwrap_or(name);
            let is = |known: &&str| known.as_bytes() == name;
            if flags.iter().any(is) || other(name) {
                found.options.push((name.to_vec(), Vec::new()));
            } else if valued.iter().any(is) {
                let Some(value) = words.next() else {
                    call.fail(1, bytes!("Option ", word, " needs a value"));
                    return Err(call.fail(1, "Use -help for summary."));
                };
                found.options.push((name.to_vec(), value.clone()));
            } else if name == b"help" {
                let list = |names: &[&str]| names.join(" -");
                println!("Usage: openssl {} [OPTION]...", call.name);
                println!("  -{}", list(flags));
                println!("with a value:\n  -{}", list(valued));
                return Err(0);
            } else {
                call.fail(1, bytes!("Unknown option: ", word));
                return Err(call.fail(1, "Use -help for summary."));
            }
        }
        Ok(found)
    }

    /// Whether an option was given.
    fn has(&self, name: &str) -> bool {
        self.options
            .iter()
            .any(|(known, _)| known == name.as_bytes())
    }

    /// The value of an option, the last one where it was given several times.
    fn value(&self, name: &str) -> Option<&[u8]> {
        let mut found = self.options.iter().rev();
        let found = found.find(|(known, _)| known == name.as_bytes());
        found.map(|(_, value)| value.as_slice())
    }

    /// The value as a number; `usual` without one.
    fn number(&self, call: &Call, name: &str, usual: u64) -> Result<u64, i32> {
        let Some(text) = self.value(name) else {
            return Ok(usual);
        };
        crate::options::number(text).ok_or_else(|| {
            call.fail(1, bytes!("Can't parse \"", text, "\" as a number"));
            call.fail(1, "Use -help for summary.")
        })
    }

    /// The digest that an option names; SHA-256 without one.
    fn digest(&self) -> &'static str {
        let mut names = self.options.iter().rev();
        let found = names.find_map(|(name, _)| digest::algorithm(name));
        found.map_or("sha256", |known| known.name)
    }
}

/// The content of a file; `-` is standard input. `Err` is the exit status, after a message.
fn input(call: &Call, path: &[u8]) -> Result<Vec<u8>, i32> {
    system::read_whole(path).map_err(|failure| {
        let _ = call;
        let path = String::from_utf8_lossy(path);
        eprintln!("Can't open \"{path}\" for reading, {}", failure.0);
        1
    })
}

/// A password: `pass:WORD`, `env:NAME`, `file:PATH`, `stdin` or `fd:0`.
fn password(call: &Call, source: &[u8]) -> Result<Vec<u8>, i32> {
    let text = String::from_utf8_lossy(source).into_owned();
    let (kind, rest) = text.split_once(':').unwrap_or((&text, ""));
    let first = |content: Vec<u8>| {
        let line = content.split(|&byte| byte == b'\n').next();
        line.unwrap_or_default().trim_ascii_end().to_vec()
    };
    match kind {
        "pass" => Ok(source[5..].to_vec()),
        "env" => match std::env::var_os(rest) {
            Some(value) => Ok(value.into_encoded_bytes()),
            None => Err(call.fail(1, format!("No environment variable {rest}"))),
        },
        "file" => Ok(first(input(call, rest.as_bytes())?)),
        "stdin" => Ok(line()),
        "fd" if rest == "0" => Ok(line()),
        _ => {
            eprintln!("Invalid password argument, missing ':' within the first 5 chars");
            Err(1)
        }
    }
}

/// The next line of standard input without blanks at its end. What cannot be read is an empty line.
fn line() -> Vec<u8> {
    use std::io::BufRead as _;
    let mut line = Vec::new();
    // What cannot be read is an empty line.
    let _ = std::io::stdin().lock().read_until(b'\n', &mut line);
    line.trim_ascii_end().to_vec()
}

/// Bytes from pairs of hexadecimal digits; `None` for an odd number of them and for anything else.
fn unhex(digits: &[u8]) -> Option<Vec<u8>> {
    let text = std::str::from_utf8(digits).ok()?;
    (0..text.len())
        .step_by(2)
        .map(|at| u8::from_str_radix(text.get(at..at + 2)?, 16).ok())
        .collect()
}

/// Upper-case hexadecimal digits, with a text between the bytes: `0A:FF`.
fn hex(content: &[u8], between: &str) -> String {
    let digits: Vec<String> = content.iter().map(|byte| format!("{byte:02X}")).collect();
    digits.join(between)
}

/// Random bytes.
fn random_bytes(call: &Call, count: usize) -> Result<Vec<u8>, i32> {
    let mut content = vec![0; count];
    match getrandom::fill(&mut content) {
        Ok(()) => Ok(content),
        Err(_) => Err(call.fail(1, "no randomness")),
    }
}
