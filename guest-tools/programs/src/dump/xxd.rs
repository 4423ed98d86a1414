//! `xxd`: bytes in hexadecimal, and back.

use std::io::Write as _;

use super::{number, visible};
use crate::call::{Call, bytes};
use crate::output::Output;
use crate::system;

#[derive(Clone, Copy, PartialEq)]
enum Style {
    Normal,
    Plain,
    Bits,
    Include,
    LittleEndian,
}

struct Plan {
    style: Style,
    reverse: bool,
    columns: Option<usize>,
    group: Option<usize>,
    length: usize,
    seek: i64,
    offset: i64,
    upper: bool,
    decimal: bool,
    capitals: bool,
    name: Option<Vec<u8>>,
}

const USAGE: &str = "Usage:\n       xxd [options] [infile [outfile]]\n    or\n       xxd -r [-s [-]offset] [-c cols] [-ps] [infile [outfile]]\n";

/// Runs the command.
pub fn run(call: &Call) -> i32 {
    if let Some(status) = crate::options::information(call, USAGE) {
        return status;
    }
    let mut plan = Plan {
        style: Style::Normal,
        reverse: false,
        columns: None,
        group: None,
        length: usize::MAX,
        seek: 0,
        offset: 0,
        upper: false,
        decimal: false,
        capitals: false,
        name: None,
    };
    let mut operands = Vec::new();
    let mut arguments = call.arguments.iter();
    while let Some(argument) = arguments.next() {
        let Some(option) = argument.strip_prefix(b"-").filter(|rest| !rest.is_empty()) else {
            operands.push(argument.clone());
            continue;
        };
        let option = option.strip_prefix(b"-").unwrap_or(option);
        if read_flag(&mut plan, option) {
            continue;
        }
        let (letter, rest) = option.split_at(1.min(option.len()));
        let inline = !rest.is_empty() && !rest[0].is_ascii_alphabetic();
        let value = if inline {
            Some(rest.to_vec())
        } else {
            arguments.next().cloned()
        };
        let done = value.is_some_and(|value| read_value(&mut plan, letter, &value));
        if !done {
            call.fail(1, bytes!("wrong option: -", option));
            eprint!("{USAGE}");
            return 1;
        }
    }
    let input = operands.first().cloned().unwrap_or_else(|| b"-".to_vec());
    let content = match system::read_whole(&input) {
        Ok(content) => content,
        Err(failure) => return call.fail(2, bytes!(input, ": ", failure)),
    };
    let mut text = Vec::new();
    if plan.reverse {
        reverse(&plan, &content, &mut text);
    } else {
        let seek = if plan.seek < 0 {
            content.len() as i64 + plan.seek
        } else {
            plan.seek
        };
        let start = usize::try_from(seek).unwrap_or(0).min(content.len());
        let end = start.saturating_add(plan.length).min(content.len());
        dump(&plan, &content[start..end], start, &input, &mut text);
    }
    if let Some(path) = operands.get(1).filter(|path| *path != b"-") {
        let written =
            system::create_file(path, false).and_then(|mut file| Ok(file.write_all(&text)?));
        return match written {
            Ok(()) => 0,
            Err(failure) => call.fail(3, bytes!(path, ": ", failure)),
        };
    }
    let mut out = Output::new();
    out.put(&text);
    out.finish("xxd", 0, 3)
}

fn read_flag(plan: &mut Plan, option: &[u8]) -> bool {
    match option {
        b"p" | b"ps" | b"plain" | b"postscript" => plan.style = Style::Plain,
        b"b" | b"bits" => plan.style = Style::Bits,
        b"i" | b"include" => plan.style = Style::Include,
        b"e" => plan.style = Style::LittleEndian,
        b"r" | b"revert" => plan.reverse = true,
        b"u" | b"uppercase" => plan.upper = true,
        b"d" => plan.decimal = true,
        b"C" | b"capitalize" => plan.capitals = true,
        b"a" | b"autoskip" => {}
        b"rp" | b"r-p" => {
            plan.reverse = true;
            plan.style = Style::Plain;
        }
        _ => return false,
    }
    true
}

fn read_value(plan: &mut Plan, letter: &[u8], text: &[u8]) -> bool {
    let Some(value) = number(text) else {
        if letter == b"n" {
            plan.name = Some(text.to_vec());
            return true;
        }
        return false;
    };
    let size = usize::try_from(value).unwrap_or(0);
    match letter {
        b"c" => plan.columns = Some(size),
        b"g" => plan.group = Some(size),
        b"l" => plan.length = size,
        b"s" => plan.seek = value,
        b"o" => plan.offset = value,
        b"n" => plan.name = Some(text.to_vec()),
        _ => return false,
    }
    true
}

fn hex(plan: &Plan, byte: u8) -> String {
    if plan.upper {
        format!("{byte:02X}")
    } else {
        format!("{byte:02x}")
    }
}

fn dump(plan: &Plan, content: &[u8], start: usize, name: &[u8], out: &mut Vec<u8>) {
    match plan.style {
        Style::Plain => {
            let columns = plan.columns.unwrap_or(30);
            let columns = if columns == 0 { usize::MAX } else { columns };
            for line in content.chunks(columns) {
                line.iter()
                    .for_each(|&byte| out.extend_from_slice(hex(plan, byte).as_bytes()));
                out.push(b'\n');
            }
        }
        Style::Include => include(plan, content, name, out),
        _ => normal(plan, content, start, out),
    }
}

fn include(plan: &Plan, content: &[u8], name: &[u8], out: &mut Vec<u8>) {
    let named = plan.name.as_deref().or((name != b"-").then_some(name));
    let identifier: Option<String> = named.map(|name| {
        let word = |&byte: &u8| {
            if byte.is_ascii_alphanumeric() {
                char::from(byte)
            } else {
                '_'
            }
        };
        let mut text: String = name.iter().map(word).collect();
        if text.starts_with(|first: char| first.is_ascii_digit()) {
            text.insert_str(0, "__");
        }
        if plan.capitals {
            text.to_uppercase()
        } else {
            text
        }
    });
    if let Some(identifier) = &identifier {
        out.extend_from_slice(format!("unsigned char {identifier}[] = {{\n").as_bytes());
    }
    let columns = plan.columns.filter(|&columns| columns > 0).unwrap_or(12);
    let prefix = if plan.upper { "0X" } else { "0x" };
    for (index, &byte) in content.iter().enumerate() {
        let before = match (index, index % columns) {
            (0, _) => "  ",
            (_, 0) => ",\n  ",
            _ => ", ",
        };
        out.extend_from_slice(format!("{before}{prefix}{}", hex(plan, byte)).as_bytes());
    }
    if !content.is_empty() {
        out.push(b'\n');
    }
    if let Some(identifier) = &identifier {
        let length = if plan.capitals { "LEN" } else { "len" };
        let text = format!(
            "}};\nunsigned int {identifier}_{length} = {};\n",
            content.len()
        );
        out.extend_from_slice(text.as_bytes());
    }
}

fn normal(plan: &Plan, content: &[u8], start: usize, out: &mut Vec<u8>) {
    let bits = plan.style == Style::Bits;
    let columns = plan
        .columns
        .filter(|&columns| columns > 0)
        .unwrap_or(if bits { 6 } else { 16 });
    let group = plan.group.unwrap_or(match plan.style {
        Style::Bits => 1,
        Style::LittleEndian => 4,
        _ => 2,
    });
    let group = if group == 0 { columns } else { group };
    let digits = if bits { 8 } else { 2 };
    let full = columns * digits + columns.div_ceil(group) - 1;
    for (index, line) in content.chunks(columns).enumerate() {
        let at = (start + index * columns) as i64 + plan.offset;
        let mut text = if plan.decimal {
            format!("{at:08}: ")
        } else {
            format!("{at:08x}: ")
        };
        let mut body = String::with_capacity(full);
        for (number, chunk) in line.chunks(group).enumerate() {
            if number > 0 {
                body.push(' ');
            }
            if plan.style == Style::LittleEndian {
                body.push_str(&"  ".repeat(group - chunk.len()));
                chunk
                    .iter()
                    .rev()
                    .for_each(|&byte| body.push_str(&hex(plan, byte)));
            } else if bits {
                chunk
                    .iter()
                    .for_each(|byte| body.push_str(&format!("{byte:08b}")));
            } else {
                chunk
                    .iter()
                    .for_each(|&byte| body.push_str(&hex(plan, byte)));
            }
        }
        text.push_str(&format!("{body:full$}  "));
        text.extend(line.iter().map(|&byte| visible(byte)));
        text.push('\n');
        out.extend_from_slice(text.as_bytes());
    }
}

fn digit(byte: u8) -> Option<u8> {
    char::from(byte).to_digit(16).map(|digit| digit as u8)
}

fn reverse(plan: &Plan, content: &[u8], out: &mut Vec<u8>) {
    if plan.style == Style::Plain {
        let digits: Vec<u8> = content.iter().filter_map(|&byte| digit(byte)).collect();
        out.extend(digits.chunks_exact(2).map(|pair| pair[0] << 4 | pair[1]));
        return;
    }
    let columns = plan.columns.unwrap_or(16);
    for line in content.split(|&byte| byte == b'\n') {
        let Some(colon) = line.iter().position(|&byte| byte == b':') else {
            continue;
        };
        let offset = std::str::from_utf8(&line[..colon]).ok();
        let Some(offset) = offset.and_then(|text| i64::from_str_radix(text.trim(), 16).ok()) else {
            continue;
        };
        let place = usize::try_from(offset + plan.seek).unwrap_or(0);
        if out.len() < place && place < 1 << 30 {
            out.resize(place, 0);
        }
        let mut rest = &line[colon + 1..];
        rest = rest.strip_prefix(b" ").unwrap_or(rest);
        let mut count = 0;
        while count < columns {
            match rest {
                [high, low, after @ ..] => {
                    let Some((high, low)) = digit(*high).zip(digit(*low)) else {
                        break;
                    };
                    put(out, place + count, high << 4 | low);
                    count += 1;
                    rest = after;
                }
                _ => break,
            }
            if let [b' ', after @ ..] = rest {
                if after.first() == Some(&b' ') {
                    break;
                }
                rest = after;
            }
        }
    }
}

fn put(out: &mut Vec<u8>, place: usize, byte: u8) {
    match out.get_mut(place) {
        Some(slot) => *slot = byte,
        None => out.push(byte),
    }
}
