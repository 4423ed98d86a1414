//! `tr`, as in GNU coreutils, on bytes; wrong and unusual arguments are left to the program, whose messages are GNU's.
//!
//! The sets are worked out once into a table of 256 entries, so each byte costs one lookup. `tr a-z A-Z`, `tr -d '\r'`
//! and `tr -cd '[:alnum:]'` are such tables; a second set that is too short is filled up with its last byte.

use super::Task;
use super::arguments::{Argument, Arguments};
use super::io::{Io, Step};
use crate::os::Errno;

/// A set of bytes as it was written: in order, with repetitions.
#[derive(Default)]
struct Set {
    /// The bytes, in order.
    bytes: Vec<u8>,
    /// Where `[c*]` stands, which fills the set up: place and byte.
    filler: Option<(usize, u8)>,
    /// Whether `[:lower:]` or `[:upper:]` is in it; places.
    cases: Vec<(usize, bool)>,
    /// A class other than those.
    has_class: bool,
}

/// What is done with each byte.
struct Job {
    /// What each byte becomes; none for what goes away.
    map: [Option<u8>; 256],
    /// Runs of these become one.
    squeeze: Option<[bool; 256]>,
}

/// `tr [-cCdst] SET1 [SET2]`
pub(super) fn start(io: Io) -> Option<Task> {
    let context = io.context();
    let mut arguments = Arguments::new(&context.arguments);
    let (mut complement, mut delete, mut squeeze, mut truncate) = (false, false, false, false);
    let mut operands = Vec::new();
    while let Some(argument) = arguments.next().ok()? {
        match argument {
            Argument::Short(b'c' | b'C') | Argument::Long(b"complement") => complement = true,
            Argument::Short(b'd') | Argument::Long(b"delete") => delete = true,
            Argument::Short(b's') | Argument::Long(b"squeeze-repeats") => squeeze = true,
            Argument::Short(b't') | Argument::Long(b"truncate-set1") => truncate = true,
            Argument::Operand(operand) => {
                operands.push(operand);
                arguments.stop_options();
            }
            _ => return None,
        }
    }
    let job = plan(&operands, complement, delete, squeeze, truncate)?;
    io.task(async move |io| run(io, &job).await)
}

/// What the arguments ask for; none where they are wrong or unusual.
fn plan(
    operands: &[&[u8]],
    complement: bool,
    delete: bool,
    squeeze: bool,
    truncate: bool,
) -> Option<Job> {
    let first = parse(operands.first()?)?;
    let second = operands.get(1).map(|text| parse(text));
    let second = match second {
        Some(None) => return None,
        Some(Some(set)) => Some(set),
        None => None,
    };
    if operands.len() > 2 || first.filler.is_some() {
        return None;
    }
    let mut members = first.bytes.clone();
    if complement {
        members = (0..=255)
            .filter(|byte| !first.bytes.contains(byte))
            .collect();
    }
    let mut map: [Option<u8>; 256] = std::array::from_fn(|byte| Some(byte as u8));
    if delete {
        if squeeze != second.is_some() {
            return None;
        }
        members
            .iter()
            .for_each(|&byte| map[usize::from(byte)] = None);
        return Some(Job {
            map,
            squeeze: second.map(|set| table(&set.bytes)),
        });
    }
    let Some(mut second) = second else {
        return squeeze.then(|| Job {
            map,
            squeeze: Some(table(&members)),
        });
    };
    check_classes(&first, &second, complement)?;
    if let Some((at, byte)) = second.filler {
        let missing = members.len().saturating_sub(second.bytes.len());
        second
            .bytes
            .splice(at..at, std::iter::repeat_n(byte, missing));
    }
    if truncate {
        members.truncate(second.bytes.len());
    }
    let last = second.bytes.last().copied();
    if last.is_none() && !members.is_empty() {
        return None;
    }
    for (at, &from) in members.iter().enumerate() {
        map[usize::from(from)] = second.bytes.get(at).copied().or(last);
    }
    Some(Job {
        map,
        squeeze: squeeze.then(|| table(&second.bytes)),
    })
}

/// `[:lower:]` and `[:upper:]` in the second set have to face one another; other classes cannot
/// stand there.
fn check_classes(first: &Set, second: &Set, complement: bool) -> Option<()> {
    if second.has_class {
        return None;
    }
    if second.cases.is_empty() {
        return Some(());
    }
    let faces = second
        .cases
        .iter()
        .all(|(at, _)| first.cases.iter().any(|(other, _)| other == at));
    (faces && !complement).then_some(())
}

/// A set as a table.
fn table(bytes: &[u8]) -> [bool; 256] {
    let mut table = [false; 256];
    bytes
        .iter()
        .for_each(|&byte| table[usize::from(byte)] = true);
    table
}

/// A set from its text; none where it is wrong.
fn parse(text: &[u8]) -> Option<Set> {
    let mut set = Set::default();
    let mut rest = text;
    while !rest.is_empty() {
        if let Some(used) = bracket(rest, &mut set)? {
            rest = &rest[used..];
            continue;
        }
        let (first, used) = character(rest)?;
        rest = &rest[used..];
        match rest {
            [b'-', _, ..] => {
                let (last, used) = character(&rest[1..])?;
                if last < first {
                    return None;
                }
                set.bytes.extend(first..=last);
                rest = &rest[1 + used..];
            }
            _ => set.bytes.push(first),
        }
    }
    Some(set)
}

/// A construct in brackets and its length; `Some(None)` where it is just a bracket.
fn bracket(text: &[u8], set: &mut Set) -> Option<Option<usize>> {
    match text {
        [b'[', b':', rest @ ..] => {
            let Some(end) = rest.windows(2).position(|pair| pair == b":]") else {
                return Some(None);
            };
            let name = &rest[..end];
            match name {
                b"lower" | b"upper" => set.cases.push((set.bytes.len(), name == b"upper")),
                _ => set.has_class = true,
            }
            let member = class(name)?;
            set.bytes.extend((0..=255).filter(member));
            Some(Some(end + 4))
        }
        [b'[', b'=', byte, b'=', b']', ..] => {
            set.bytes.push(*byte);
            Some(Some(5))
        }
        // A class of several characters is an error.
        [b'[', b'=', _, rest @ ..] if rest.windows(2).any(|pair| pair == b"=]") => None,
        [b'[', rest @ ..] => {
            let Some((byte, used)) = character(rest) else {
                return Some(None);
            };
            let Some((b'*', after)) = rest.get(used..).and_then(<[u8]>::split_first) else {
                return Some(None);
            };
            let Some(end) = after.iter().position(|&byte| byte == b']') else {
                return Some(None);
            };
            let count = std::str::from_utf8(&after[..end]).ok()?;
            let radix = if count.starts_with('0') { 8 } else { 10 };
            let length = used + end + 3;
            if count.is_empty() {
                set.filler = Some((set.bytes.len(), byte));
                return Some(Some(length));
            }
            match usize::from_str_radix(count, radix) {
                Ok(0) => set.filler = Some((set.bytes.len(), byte)),
                Ok(count) if count <= 1 << 16 => {
                    set.bytes.extend(std::iter::repeat_n(byte, count));
                }
                _ => return None,
            }
            Some(Some(length))
        }
        _ => Some(None),
    }
}

/// Whether a byte is in the class of that name; `None` for an unknown one.
fn class(name: &[u8]) -> Option<fn(&u8) -> bool> {
    Some(match name {
        b"alnum" => u8::is_ascii_alphanumeric,
        b"alpha" => u8::is_ascii_alphabetic,
        b"blank" => |byte| matches!(byte, b' ' | b'\t'),
        b"cntrl" => u8::is_ascii_control,
        b"digit" => u8::is_ascii_digit,
        b"graph" => u8::is_ascii_graphic,
        b"lower" => u8::is_ascii_lowercase,
        b"print" => |byte| matches!(byte, b' '..=b'~'),
        b"punct" => u8::is_ascii_punctuation,
        b"space" => |byte| matches!(byte, b' ' | b'\t'..=b'\r'),
        b"upper" => u8::is_ascii_uppercase,
        b"xdigit" => u8::is_ascii_hexdigit,
        _ => return None,
    })
}

/// A character, perhaps written with a backslash, and the length of that.
fn character(text: &[u8]) -> Option<(u8, usize)> {
    let (first, rest) = text.split_first()?;
    if *first != b'\\' {
        return Some((*first, 1));
    }
    let Some(&next) = rest.first() else {
        // GNU warns about it.
        return None;
    };
    let simple = match next {
        b'a' => 7,
        b'b' => 8,
        b'f' => 12,
        b'n' => 10,
        b'r' => 13,
        b't' => 9,
        b'v' => 11,
        b'0'..=b'7' => {
            let digits = rest
                .iter()
                .take(3)
                .take_while(|byte| matches!(*byte, b'0'..=b'7'));
            let mut digits: Vec<u8> = digits.copied().collect();
            let mut value = octal(&digits);
            if value > 255 {
                digits.pop();
                value = octal(&digits);
            }
            return Some((value as u8, 1 + digits.len()));
        }
        other => other,
    };
    Some((simple, 2))
}

/// The value of octal digits.
fn octal(digits: &[u8]) -> u32 {
    digits
        .iter()
        .fold(0, |value, digit| value * 8 + u32::from(digit - b'0'))
}

/// Reads standard input to its end and writes what comes of it.
async fn run(io: &mut Io, job: &Job) -> Step<u8> {
    let input = match io.inherited(0) {
        Ok(input) => input,
        Err(error) => return Ok(failed(io, error).await),
    };
    let mut last = None;
    let mut block = Vec::new();
    let total = job.map.iter().all(Option::is_some) && job.squeeze.is_none();
    loop {
        block.clear();
        match io.read(&input, &mut block).await? {
            Ok(0) => return Ok(0),
            Ok(_) => {}
            Err(error) => {
                io.flush().await?;
                return Ok(failed(io, error).await);
            }
        }
        if total {
            let mapped = block
                .iter()
                .map(|&byte| job.map[usize::from(byte)].unwrap_or(byte));
            io.out.extend(mapped);
        } else if job.squeeze.is_none() {
            remove(&block, &job.map, &mut io.out);
        } else {
            for byte in block.iter().filter_map(|&byte| job.map[usize::from(byte)]) {
                let repeated = last == Some(byte)
                    && job
                        .squeeze
                        .as_ref()
                        .is_some_and(|set| set[usize::from(byte)]);
                if !repeated {
                    io.out.push(byte);
                }
                last = Some(byte);
            }
        }
        io.flush_block().await?;
    }
}

/// Appends what `map` leaves of a block. Each byte is written, and the next one over it where it goes away:
/// there is nothing to guess for the processor.
fn remove(block: &[u8], map: &[Option<u8>; 256], out: &mut Vec<u8>) {
    let start = out.len();
    out.resize(start + block.len(), 0);
    let written = &mut out[start..];
    let mut length = 0;
    for &byte in block {
        let mapped = map[usize::from(byte)];
        written[length] = mapped.unwrap_or(0);
        length += usize::from(mapped.is_some());
    }
    out.truncate(start + length);
}

/// Complains of standard input, and gives the status.
async fn failed(io: &mut Io, error: Errno) -> u8 {
    io.complain(format!("read error: {}", error.message()))
        .await;
    1
}
