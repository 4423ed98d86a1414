//! What happens before a command of uutils runs: each step either ends the command or leaves its words as uutils is
//! to see them.

use std::ffi::OsString;

use crate::call::Call;
use crate::dates::resolved;
use crate::system;

/// Runs the command `name` of uutils with its messages set up; `parser` and `main` are its `uu_app` and `uumain`.
/// Gives the exit status: 125 where uutils cannot find its messages, else that of what refused the words, or of the
/// command.
pub fn run(
    call: &Call,
    name: &str,
    parser: fn() -> clap::Command,
    main: fn(std::vec::IntoIter<OsString>) -> i32,
) -> i32 {
    if matches!(&call.arguments[..], [only] if only == b"--version") {
        print!("{}", crate::model::version(name));
        return 0;
    }
    if uucore::locale::setup_localization(name).is_err() {
        return call.fail(125, "no messages");
    }
    if let Some(status) = crate::wrong_option::refuse(call, parser) {
        return status;
    }
    if let Some(status) = crate::wrong_operand::refuse(call) {
        return status;
    }
    let arguments = match name {
        "date" if is_resolution(call) => {
            println!("0.000000001");
            return 0;
        }
        "date" => match resolved(call) {
            Ok(arguments) => arguments,
            Err(status) => return status,
        },
        "seq" => crate::widths::formatted(&call.arguments),
        // GNU's count a column for each byte.
        "expand" | "unexpand" => {
            let mut words = vec![b"--no-utf8".to_vec()];
            words.extend_from_slice(&call.arguments);
            words
        }
        _ => call.arguments.clone(),
    };
    let first = std::env::args_os().next().unwrap_or_default();
    let text = |word: Vec<u8>| OsString::from(system::text::from_bytes(&word));
    let words: Vec<_> = std::iter::once(first)
        .chain(arguments.into_iter().map(text))
        .collect();
    let status = main(words.into_iter());
    // uutils says what `wasi-libc` told it, which is an input/output error.
    if status != 0
        && let Some(failure) = system::stream_failure()
    {
        call.fail(status, failure);
    }
    status
}

/// Whether `date` is asked how fine its clock is.
fn is_resolution(call: &Call) -> bool {
    matches!(&call.arguments[..], [only] if b"--resolution".starts_with(only) && only.len() > 5)
}
