//! `openssl`: digests, random bytes and base64.

use std::io::Write as _;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use hmac::{KeyInit as _, Mac as _, SimpleHmac};
use md5::Md5;
use sha1::Sha1;
use sha2::digest::DynDigest;
use sha2::{Sha224, Sha256, Sha384, Sha512, Sha512_224, Sha512_256};
use sha3::{Sha3_224, Sha3_256, Sha3_384, Sha3_512};

use crate::call::{Call, bytes};
use crate::output::Output;
use crate::system;

/// A digest: its name on the command line and as it is printed, and how it is computed, with a key or
/// without.
struct Algorithm {
    name: &'static str,
    title: &'static str,
    plain: fn() -> Box<dyn DynDigest>,
    keyed: fn(&[u8], &[u8]) -> Option<Vec<u8>>,
}

macro_rules! algorithm {
    ($name:literal, $title:literal, $kind:ty) => {
        Algorithm {
            name: $name,
            title: $title,
            plain: || Box::new(<$kind>::default()),
            keyed: |key, content| {
                let mut mac = SimpleHmac::<$kind>::new_from_slice(key).ok()?;
                mac.update(content);
                Some(mac.finalize().into_bytes().to_vec())
            },
        }
    };
}

const ALGORITHMS: &[Algorithm] = &[
    algorithm!("md5", "MD5", Md5),
    algorithm!("sha1", "SHA1", Sha1),
    algorithm!("sha224", "SHA2-224", Sha224),
    algorithm!("sha256", "SHA2-256", Sha256),
    algorithm!("sha384", "SHA2-384", Sha384),
    algorithm!("sha512", "SHA2-512", Sha512),
    algorithm!("sha512-224", "SHA2-512/224", Sha512_224),
    algorithm!("sha512-256", "SHA2-512/256", Sha512_256),
    algorithm!("sha3-224", "SHA3-224", Sha3_224),
    algorithm!("sha3-256", "SHA3-256", Sha3_256),
    algorithm!("sha3-384", "SHA3-384", Sha3_384),
    algorithm!("sha3-512", "SHA3-512", Sha3_512),
];

fn algorithm(name: &[u8]) -> Option<&'static Algorithm> {
    let name = name.to_ascii_lowercase();
    ALGORITHMS
        .iter()
        .find(|known| known.name.as_bytes() == name)
}

/// A new computation of the digest with this name.
pub fn hasher(name: &[u8]) -> Option<Box<dyn DynDigest>> {
    algorithm(name).map(|known| (known.plain)())
}

/// Runs `openssl`.
pub fn run(call: &Call) -> i32 {
    let Some((command, rest)) = call.arguments.split_first() else {
        return call.fail(1, "a command is needed: dgst, enc, rand or version");
    };
    let call = Call {
        name: String::from_utf8_lossy(command).into_owned(),
        arguments: rest.to_vec(),
    };
    match command.as_slice() {
        b"dgst" => digest(&call, None),
        b"rand" => random(&call),
        b"enc" => encode(&call, false),
        b"base64" => encode(&call, true),
        b"version" | b"--version" => {
            println!("OpenSSL 3.0 (Offshoot: dgst, enc -base64, rand)");
            0
        }
        b"help" | b"--help" => {
            println!(
                "Usage: openssl COMMAND [OPTION]...\nCommands: base64, dgst, enc -base64, rand, version, and the names of digests"
            );
            0
        }
        name => match algorithm(name) {
            Some(known) => digest(&call, Some(known)),
            None => {
                let name = String::from_utf8_lossy(name).into_owned();
                eprintln!("Invalid command '{name}'; type \"help\" for a list.");
                1
            }
        },
    }
}

/// What is said of an option that is not there.
fn unknown(call: &Call, word: &[u8]) -> i32 {
    call.fail(1, bytes!("Unknown option: ", word));
    call.fail(2, "Use -help for summary.")
}

#[derive(Default)]
struct Digest {
    colons: bool,
    binary: bool,
    coreutils: bool,
    key: Option<Vec<u8>>,
    output: Option<Vec<u8>>,
    files: Vec<Vec<u8>>,
}

fn digest(call: &Call, named: Option<&'static Algorithm>) -> i32 {
    let mut chosen = named;
    let mut wish = Digest::default();
    let mut words = call.arguments.iter();
    while let Some(word) = words.next() {
        match word.as_slice() {
            b"-hex" => {}
            b"-c" => wish.colons = true,
            b"-binary" => wish.binary = true,
            b"-r" => wish.coreutils = true,
            b"-hmac" => wish.key = words.next().cloned(),
            b"-out" => wish.output = words.next().cloned(),
            b"-mac" => {
                if words
                    .next()
                    .is_none_or(|kind| !kind.eq_ignore_ascii_case(b"hmac"))
                {
                    return call.fail(2, "-mac: only HMAC is supported");
                }
            }
            b"-macopt" => {
                let value = words.next().cloned().unwrap_or_default();
                let hex = value.strip_prefix(b"hexkey:").map(unhex);
                wish.key = match (value.strip_prefix(b"key:"), hex) {
                    (Some(key), _) => Some(key.to_vec()),
                    (None, Some(Some(key))) => Some(key),
                    _ => return call.fail(2, bytes!("-macopt: not supported: ", value)),
                };
            }
            b"-list" => {
                let names: Vec<String> = ALGORITHMS
                    .iter()
                    .map(|one| format!("-{}", one.name))
                    .collect();
                println!("Supported digests:\n{}", names.join(" "));
                return 0;
            }
            [b'-', name @ ..] if !name.is_empty() => match algorithm(name) {
                Some(known) => chosen = Some(known),
                None => {
                    let name = String::from_utf8_lossy(name).into_owned();
                    call.fail(1, format!("Unknown option or message digest: {name}"));
                    return call.fail(1, "Use -help for summary.");
                }
            },
            _ => wish.files.push(word.clone()),
        }
    }
    // The default is shown by its old name.
    let old_name = chosen.is_none();
    let chosen = chosen.unwrap_or(&ALGORITHMS[3]);
    let mut text = Vec::new();
    let mut status = 0;
    let stdin = wish.files.is_empty();
    if stdin {
        wish.files.push(b"-".to_vec());
    }
    for path in &wish.files {
        let content = match system::read_whole(path) {
            Ok(content) => content,
            Err(failure) => {
                eprintln!("{}: {}", String::from_utf8_lossy(path), failure.0);
                status = 1;
                continue;
            }
        };
        let sum = match &wish.key {
            Some(key) => (chosen.keyed)(key, &content),
            None => {
                let mut hasher = (chosen.plain)();
                hasher.update(&content);
                Some(hasher.finalize().to_vec())
            }
        };
        let Some(sum) = sum else {
            return call.fail(1, "the key cannot be used");
        };
        if wish.binary {
            text.extend(sum);
            continue;
        }
        let digits = sum
            .iter()
            .map(|byte| format!("{byte:02x}"))
            .collect::<Vec<_>>();
        let digits = digits.join(if wish.colons { ":" } else { "" });
        let name: &[u8] = if stdin { b"stdin" } else { path };
        let title = match wish.key {
            Some(_) => format!("HMAC-{}", chosen.title),
            None if old_name => "SHA256".to_owned(),
            None => chosen.title.to_owned(),
        };
        text.extend(if wish.coreutils {
            bytes!(digits, " *", name, "\n")
        } else {
            bytes!(title, "(", name, ")= ", digits, "\n")
        });
    }
    write(call, wish.output.as_deref(), &text, status)
}

fn unhex(digits: &[u8]) -> Option<Vec<u8>> {
    let text = std::str::from_utf8(digits).ok()?;
    (0..text.len())
        .step_by(2)
        .map(|at| u8::from_str_radix(text.get(at..at + 2)?, 16).ok())
        .collect()
}

fn write(call: &Call, path: Option<&[u8]>, text: &[u8], status: i32) -> i32 {
    match path {
        None => {
            let mut out = Output::new();
            out.put(text);
            out.finish(&call.name, status, 1)
        }
        Some(path) => {
            let written = system::create_file(path, false)
                .and_then(|mut file| file.write_all(text).map_err(Into::into));
            match written {
                Ok(()) => status,
                Err(failure) => call.fail(
                    1,
                    bytes!("Can't open \"", path, "\" for writing, ", failure),
                ),
            }
        }
    }
}

fn random(call: &Call) -> i32 {
    let (mut hex, mut base64, mut output, mut count) = (false, false, None, None);
    let mut words = call.arguments.iter();
    while let Some(word) = words.next() {
        match word.as_slice() {
            b"-hex" => hex = true,
            b"-base64" => base64 = true,
            b"-out" => output = words.next().cloned(),
            [b'-', name @ ..] => return unknown(call, name),
            number => match crate::options::number::<usize>(number) {
                Some(number) if number > 0 && count.is_none() => count = Some(number),
                Some(_) if count.is_some() => return call.fail(1, "Extra arguments given."),
                _ => {
                    call.fail(1, bytes!("Can't parse \"", number, "\" as a number"));
                    return call.fail(1, "Use -help for summary.");
                }
            },
        }
    }
    let Some(count) = count else {
        return 0;
    };
    let mut content = vec![0; count];
    if getrandom::fill(&mut content).is_err() {
        return call.fail(1, "no randomness");
    }
    let text = match (hex, base64) {
        (true, _) => {
            let digits: String = content.iter().map(|byte| format!("{byte:02x}")).collect();
            (digits + "\n").into_bytes()
        }
        (false, true) => wrapped(&content),
        (false, false) => content,
    };
    write(call, output.as_deref(), &text, 0)
}

/// Base64 in lines of 64 characters.
fn wrapped(content: &[u8]) -> Vec<u8> {
    let text = STANDARD.encode(content).into_bytes();
    text.chunks(64)
        .flat_map(|line| bytes!(line, "\n"))
        .collect()
}

fn encode(call: &Call, base64: bool) -> i32 {
    let (mut base64, mut decode, mut one_line) = (base64, false, false);
    let (mut input, mut output) = (b"-".to_vec(), None);
    let mut words = call.arguments.iter();
    while let Some(word) = words.next() {
        match word.as_slice() {
            b"-base64" | b"-a" => base64 = true,
            b"-e" => {}
            b"-d" => decode = true,
            b"-A" => one_line = true,
            b"-in" => input = words.next().cloned().unwrap_or_default(),
            b"-out" => output = words.next().cloned(),
            [b'-', name @ ..] => {
                return call.fail(
                    2,
                    bytes!("-", name, ": only -base64 is supported, no cipher"),
                );
            }
            extra => return call.fail(1, bytes!("Extra argument: ", extra)),
        }
    }
    if !base64 {
        return call.fail(2, "only -base64 is supported, no cipher");
    }
    let content = match system::read_whole(&input) {
        Ok(content) => content,
        Err(failure) => {
            return call.fail(
                1,
                bytes!("Can't open \"", input, "\" for reading, ", failure),
            );
        }
    };
    let text = match (decode, one_line) {
        (false, false) => wrapped(&content),
        (false, true) => STANDARD.encode(&content).into_bytes(),
        (true, _) => {
            let digits: Vec<u8> = content
                .into_iter()
                .filter(|byte| !byte.is_ascii_whitespace())
                .collect();
            match STANDARD.decode(&digits) {
                Ok(content) => content,
                Err(_) => return call.fail(1, "error reading input: not base64"),
            }
        }
    };
    write(call, output.as_deref(), &text, 0)
}
