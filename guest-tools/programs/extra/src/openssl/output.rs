//! Where the results go.

use std::io::Write as _;

use crate::call::{Call, bytes};
use crate::output::Output;
use crate::system;

/// Writes a result to a file or standard output; `status` where that works.
pub fn write(call: &Call, path: Option<&[u8]>, text: &[u8], status: i32) -> i32 {
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

/// Writes a private key: a file that is new can be read by its owner alone.
pub fn write_secret(call: &Call, path: Option<&[u8]>, text: &[u8]) -> i32 {
    let fresh = path.filter(|path| system::stat(path, true).is_err());
    let status = write(call, path, text, 0);
    if let (Some(path), 0) = (fresh, status)
        && let Err(failure) = system::set_mode(path, 0o600)
    {
        return call.fail(1, bytes!(path, ": ", failure));
    }
    status
}
