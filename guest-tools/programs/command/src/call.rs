//! How a command was called, and what it says when something fails.

use std::io::Write as _;

use crate::system::text;

/// Joins text and byte strings into one message.
#[macro_export]
macro_rules! bytes {
    ($($part:expr),* $(,)?) => {{
        let mut message: Vec<u8> = Vec::new();
        $(message.extend_from_slice(AsRef::<[u8]>::as_ref(&$part));)*
        message
    }};
}
pub use crate::bytes;

/// One call of a command.
pub struct Call {
    /// The basename of argument zero.
    pub name: String,
    /// The arguments after it.
    pub arguments: Vec<Vec<u8>>,
}

impl Call {
    /// The call of this process.
    pub fn from_environment() -> Call {
        let mut arguments =
            std::env::args_os().map(|argument| text::given(argument.into_encoded_bytes()));
        let name = arguments.next().unwrap_or_default();
        Call {
            name: base_name(&name),
            arguments: arguments.collect(),
        }
    }

    /// Takes the first argument as the name; false where there is none.
    pub fn shift(&mut self) -> bool {
        if self.arguments.is_empty() {
            return false;
        }
        self.name = base_name(&self.arguments.remove(0));
        true
    }

    /// Writes `NAME: MESSAGE` to standard error and gives back `status`.
    pub fn fail(&self, status: i32, message: impl AsRef<[u8]>) -> i32 {
        complain(&self.name, message);
        status
    }

    /// Asks on standard error and reads the answer: whether it is yes.
    pub fn asks(&self, question: impl AsRef<[u8]>) -> bool {
        let question = bytes!(self.name, ": ", question);
        // Nobody who could be asked has said yes.
        let asked = crate::stream::stderr().write_all(&question).is_ok();
        let mut answer = String::new();
        asked
            && crate::stream::stdin().read_line(&mut answer).is_ok()
            && answer.starts_with(['y', 'Y'])
    }
}

/// Writes `NAME: MESSAGE` to standard error.
pub fn complain(name: &str, message: impl AsRef<[u8]>) {
    let mut line = Vec::with_capacity(128);
    line.extend_from_slice(name.as_bytes());
    line.extend_from_slice(b": ");
    line.extend_from_slice(message.as_ref());
    line.push(b'\n');
    // Nothing is left to tell where standard error is gone.
    let _ = crate::stream::stderr().write_all(&line);
}

fn base_name(path: &[u8]) -> String {
    let name = path.rsplit(|&byte| byte == b'/').next().unwrap_or(path);
    String::from_utf8_lossy(name).into_owned()
}
