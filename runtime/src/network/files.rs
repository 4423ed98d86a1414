//! What the commands read and write in the sandbox.

use offshoot_kernel::{Input, Invocation, Output};

/// A file, or standard input for `-`, up to `most` bytes.
///
/// # Errors
/// Says why, with the file's name.
pub(super) async fn read(call: &mut Invocation, name: &str, most: u64) -> Result<Vec<u8>, String> {
    let most = usize::try_from(most).unwrap_or(usize::MAX);
    let read = match name {
        "-" => call.stdin.read_to_end(most).await,
        _ => match call.open(name.as_bytes()) {
            Ok(mut file) => Input::read_to_end(&mut file, most).await,
            Err(error) => Err(error),
        },
    };
    read.map_err(|error| format!("{name}: {error}"))
}

/// Makes the folders above a file.
///
/// # Errors
/// Says why, with the file's name.
pub(super) fn make_parents(call: &Invocation, name: &str) -> Result<(), String> {
    let path = call.absolute(name.as_bytes());
    let end = path.iter().rposition(|&byte| byte == b'/').unwrap_or(0);
    call.vfs
        .create_dir_all(&call.caller, call.vfs.root(), &path[..end.max(1)], 0o777)
        .map_err(|error| format!("{name}: {error}"))
}

/// Whether something is there.
pub(super) fn exists(call: &Invocation, name: &str) -> bool {
    let path = call.absolute(name.as_bytes());
    call.vfs
        .stat(&call.caller, call.vfs.root(), &path, true)
        .is_ok()
}

/// Where an answer goes: standard output, or a file that is made when the first byte comes.
pub(super) struct Sink {
    name: Option<String>,
    append: bool,
    file: Option<Output>,
    /// Bytes that went through.
    pub(super) written: u64,
}

impl Sink {
    /// Standard output for none or `-`.
    pub(super) fn new(name: Option<&str>, append: bool) -> Sink {
        Sink {
            name: name.filter(|name| *name != "-").map(str::to_owned),
            append,
            file: None,
            written: 0,
        }
    }

    /// Makes the file where that has not happened.
    ///
    /// # Errors
    /// Says why, with the file's name.
    pub(super) fn open(&mut self, call: &Invocation) -> Result<(), String> {
        if let (Some(name), None) = (&self.name, &self.file) {
            let file = call.create(name.as_bytes(), self.append);
            self.file = Some(file.map_err(|error| format!("{name}: {error}"))?);
        }
        Ok(())
    }

    /// Writes all of `bytes`.
    ///
    /// # Errors
    /// Says why.
    pub(super) async fn write(
        &mut self,
        call: &mut Invocation,
        bytes: &[u8],
    ) -> Result<(), String> {
        self.open(call)?;
        let written = match &mut self.file {
            Some(file) => file.write_all(bytes).await,
            None => call.stdout.write_all(bytes).await,
        };
        self.written += bytes.len() as u64;
        written.map_err(|error| error.to_string())
    }
}
