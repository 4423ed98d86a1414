//! What happens before a command of uutils runs.

use crate::call::{Call, bytes};
#[cfg(target_os = "wasi")]
use crate::dates::resolved;
use crate::quote;
use crate::system::{self, Kind, Stat};

/// Runs a command of uutils with its messages set up.
#[cfg(target_os = "wasi")]
pub fn run(
    call: &Call,
    name: &str,
    parser: fn() -> clap::Command,
    main: fn(std::vec::IntoIter<std::ffi::OsString>) -> i32,
) -> i32 {
    use std::ffi::OsString;

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
    let prepared = match name {
        "cat" => endless(call),
        "date" if is_resolution(call) => {
            println!("0.000000001");
            return 0;
        }
        "date" => resolved(call).map(Prepared::new),
        _ => Ok(Prepared::new(call.arguments.clone())),
    };
    let Prepared { arguments, status } = match prepared {
        Ok(prepared) => prepared,
        Err(status) => return status,
    };
    let first = std::env::args_os().next().unwrap_or_default();
    let text = |word: Vec<u8>| OsString::from(system::text::from_bytes(&word));
    let words: Vec<_> = std::iter::once(first)
        .chain(arguments.into_iter().map(text))
        .collect();
    let status = main(words.into_iter()).max(status);
    // uutils says what `wasi-libc` told it, which is an input/output error.
    if status != 0
        && let Some(failure) = system::stream_failure()
    {
        call.fail(status, failure);
    }
    status
}

/// The arguments that are left, and the least status at the end.
struct Prepared {
    arguments: Vec<Vec<u8>>,
    status: i32,
}

impl Prepared {
    fn new(arguments: Vec<Vec<u8>>) -> Prepared {
        Prepared {
            arguments,
            status: 0,
        }
    }
}

/// Whether `date` is asked how fine its clock is.
#[cfg(target_os = "wasi")]
fn is_resolution(call: &Call) -> bool {
    matches!(&call.arguments[..], [only] if b"--resolution".starts_with(only) && only.len() > 5)
}

/// The arguments of `cat` without the file that it writes, which has no end while it is copied.
fn endless(call: &Call) -> Result<Prepared, i32> {
    let output = system::stat_descriptor(1).ok();
    let output = output.filter(|output| output.kind == Kind::Regular);
    let is_output = |found: system::Result<Stat>| match (&output, found) {
        (Some(output), Ok(found)) => found.is_same(output) && found.size > 0,
        _ => false,
    };
    let mut prepared = Prepared::new(Vec::new());
    let (mut options, mut operands, mut left) = (true, 0, 0);
    for argument in &call.arguments {
        if options && argument.len() > 1 && argument[0] == b'-' {
            options = argument != b"--";
            prepared.arguments.push(argument.clone());
            continue;
        }
        operands += 1;
        let found = if argument == b"-" {
            system::stat_descriptor(0)
        } else {
            system::stat(argument, true)
        };
        if is_output(found) {
            let name = quote::message(argument);
            prepared.status = call.fail(1, bytes!(name, ": input file is output file"));
        } else {
            left += 1;
            prepared.arguments.push(argument.clone());
        }
    }
    if operands == 0 && is_output(system::stat_descriptor(0)) {
        return Err(call.fail(1, "-: input file is output file"));
    }
    if operands > 0 && left == 0 {
        return Err(1);
    }
    Ok(prepared)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_the_output_stays() {
        let words = ["-n", "a", "--", "-b", "-"];
        let call = Call {
            name: "cat".to_owned(),
            arguments: words.iter().map(|word| word.as_bytes().to_vec()).collect(),
        };
        let left = endless(&call).map(|prepared| prepared.arguments);
        assert_eq!(left, Ok(call.arguments));
    }
}
