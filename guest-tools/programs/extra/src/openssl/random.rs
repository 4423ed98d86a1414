//! `openssl rand`.

use super::output::write;
use super::pem::wrapped;
use crate::call::{Call, bytes};

/// Runs `rand`.
pub fn random(call: &Call) -> i32 {
    let (mut hex, mut base64, mut output, mut count) = (false, false, None, None);
    let mut words = call.arguments.iter();
    while let Some(word) = words.next() {
        match word.as_slice() {
            b"-hex" => hex = true,
            b"-base64" => base64 = true,
            b"-out" => output = words.next().cloned(),
            [b'-', name @ ..] => {
                call.fail(1, bytes!("Unknown option: ", name));
                return call.fail(2, "Use -help for summary.");
            }
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
    let content = match super::random_bytes(call, count) {
        Ok(content) => content,
        Err(status) => return status,
    };
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
