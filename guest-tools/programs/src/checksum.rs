//! `crc32`: the checksum of zip and gzip.

use std::io::Read as _;

use crate::call::{Call, bytes};
use crate::options::{self, Syntax};
use crate::output::{CHUNK, Output};
use crate::system;

const SYNTAX: Syntax = Syntax {
    usage: "Usage: crc32 [FILE]...\n",
    options: &[],
    permute: true,
    status: 2,
};

/// Runs `crc32`, as the one of Archive::Zip does: the name follows where there are several files.
pub fn crc32(call: &Call) -> i32 {
    let parsed = match options::parse(call, &SYNTAX) {
        Ok(parsed) => parsed,
        Err(status) => return status,
    };
    let mut out = Output::new();
    let several = parsed.operands.len() > 1;
    for path in &parsed.operands {
        let sum = system::open_file(path).and_then(|mut file| {
            let mut hasher = flate2::Crc::new();
            let mut buffer = vec![0; CHUNK];
            loop {
                match file.read(&mut buffer)? {
                    0 => return Ok(hasher.sum()),
                    count => hasher.update(&buffer[..count]),
                }
            }
        });
        match sum {
            Ok(sum) if several => out.line(bytes!(format!("{sum:08x}\t"), path)),
            Ok(sum) => out.line(format!("{sum:08x}")),
            // The tool goes on, and ends as if all had been there.
            Err(failure) => {
                call.fail(0, bytes!("Cannot open ", path, ": ", failure));
            }
        }
    }
    out.finish(&call.name, 0, 1)
}
