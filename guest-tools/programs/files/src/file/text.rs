//! Texts: their encoding, their line ends, and their language where it is clear.
//!
//! A content is text where its only control characters are bell, backspace, tab, newline, form feed, return and escape.
//! Encodings are tried in the order ASCII, UTF-8, Latin-1; UTF-16 needs a byte order mark. Languages are guessed from
//! `#!` lines and a few words in the first 4096 bytes, where the original weighs hundreds of patterns.
//!
//! ```text
//! "a,b\n1,2\n"         CSV text
//! "#!/bin/sh\n"        POSIX shell script, ASCII text executable
//! "h\xc3\xa9\r\n"      Unicode text, UTF-8 text, with CRLF line terminators
//! "{\"a\":1}"          JSON text data
//! ```

use super::Finding;

/// An encoding: in words, as a charset.
type Encoding = (&'static str, &'static str);

const ASCII: Encoding = ("ASCII text", "us-ascii");
const UTF8: Encoding = ("Unicode text, UTF-8 text", "utf-8");
const MARKED: Encoding = ("Unicode text, UTF-8 (with BOM) text", "utf-8");

/// What a text is; none where the content is no text.
pub fn identify(content: &[u8]) -> Option<Finding> {
    if let Some(units) = utf16(content) {
        return Some(units);
    }
    let (words, charset) = encoding(content)?;
    if let Some((name, mime)) = structured(content) {
        return Some(Finding {
            words: name.to_owned(),
            mime,
            charset,
        });
    }
    let lines = lines(content);
    let (name, mime, script) = language(content).unwrap_or(("", "text/plain", false));
    let words = match name {
        "Perl script" => format!("{name} text executable{}", lines),
        "Node.js script" => format!("{name} executable, {words}{lines}"),
        "" => format!("{words}{lines}"),
        name => {
            let end = if script { " executable" } else { "" };
            format!("{name}, {words}{end}{lines}")
        }
    };
    Some(Finding {
        words,
        mime,
        charset,
    })
}

/// A text in UTF-16, by its mark; none where it has none or has control characters.
fn utf16(content: &[u8]) -> Option<Finding> {
    let (order, charset) = match content {
        [0xff, 0xfe, ..] => ("little", "utf-16le"),
        [0xfe, 0xff, ..] => ("big", "utf-16be"),
        _ => return None,
    };
    let unit = |pair: &[u8]| match order {
        "big" => u16::from_be_bytes([pair[0], pair[1]]),
        _ => u16::from_le_bytes([pair[0], pair[1]]),
    };
    let units: Vec<u16> = content[2..].chunks_exact(2).map(unit).collect();
    let odd = |unit: &u16| *unit < 32 && !b"\x07\x08\t\n\x0c\r\x1b".contains(&(*unit as u8));
    if units.iter().any(odd) {
        return None;
    }
    let plain = String::from_utf16_lossy(&units);
    Some(Finding {
        words: format!(
            "Unicode text, UTF-16, {order}-endian text{}",
            lines(plain.as_bytes())
        ),
        mime: "text/plain",
        charset,
    })
}

/// The encoding; none where the content is no text. A character that is cut at `MOST` bytes does no harm.
fn encoding(content: &[u8]) -> Option<Encoding> {
    let odd =
        |byte: &u8| (*byte < 32 && !b"\x07\x08\t\n\x0c\r\x1b".contains(byte)) || *byte == 0x7f;
    if content.iter().any(odd) {
        return None;
    }
    if content.is_ascii() {
        return Some(ASCII);
    }
    // The end of what was read may cut a character in two.
    let whole = match std::str::from_utf8(content) {
        Ok(_) => true,
        Err(error) => error.error_len().is_none() && content.len() as u64 == super::MOST,
    };
    if whole {
        return Some(if content.starts_with(b"\xef\xbb\xbf") {
            MARKED
        } else {
            UTF8
        });
    }
    let extended = content
        .iter()
        .any(|byte| (0x80..0xa0).contains(byte) && *byte != 0x85);
    Some(if extended {
        ("Non-ISO extended-ASCII text", "unknown-8bit")
    } else {
        ("ISO-8859 text", "iso-8859-1")
    })
}

/// What is said about lines of 300 characters and more, line ends other than newlines, and escapes.
fn lines(content: &[u8]) -> String {
    const LONG: usize = 300;
    let (mut pairs, mut returns, mut feeds) = (0, 0, 0);
    let (mut longest, mut length) = (0, 0);
    for (at, byte) in content.iter().enumerate() {
        match byte {
            b'\n' => {
                if at > 0 && content[at - 1] == b'\r' {
                    pairs += 1;
                    length -= 1;
                } else {
                    feeds += 1;
                }
                longest = longest.max(length);
                length = 0;
            }
            b'\r' => {
                length += 1;
                if content.get(at + 1) != Some(&b'\n') {
                    returns += 1;
                    longest = longest.max(length - 1);
                    length = 0;
                }
            }
            _ => length += 1,
        }
    }
    longest = longest.max(length);
    let mut text = String::new();
    if longest >= LONG {
        text += &format!(", with very long lines ({longest})");
    }
    let kinds = [(pairs, "CRLF"), (returns, "CR"), (feeds, "LF")];
    let used: Vec<&str> = kinds
        .iter()
        .filter(|(count, _)| *count > 0)
        .map(|(_, name)| *name)
        .collect();
    match used.as_slice() {
        [] => text += ", with no line terminators",
        ["LF"] => {}
        used => text += &format!(", with {} line terminators", used.join(", ")),
    }
    if content.contains(&0x1b) {
        text += ", with escape sequences";
    }
    if content.contains(&8) {
        text += ", with overstriking";
    }
    text
}

/// Formats that are named without their encoding: SVG, PEM and OpenSSH keys, JSON, CSV.
fn structured(content: &[u8]) -> Option<(&'static str, &'static str)> {
    let start = content.trim_ascii_start();
    let near = &start[..start.len().min(4096)];
    if near.starts_with(b"<svg") || (near.starts_with(b"<?xml") && find(near, b"<svg")) {
        return Some(("SVG Scalable Vector Graphics image", "image/svg+xml"));
    }
    for (mark, name) in [
        ("-----BEGIN CERTIFICATE-----", "PEM certificate"),
        (
            "-----BEGIN CERTIFICATE REQUEST-----",
            "PEM certificate request",
        ),
        ("-----BEGIN RSA PRIVATE KEY-----", "PEM RSA private key"),
        ("-----BEGIN DSA PRIVATE KEY-----", "PEM DSA private key"),
        ("-----BEGIN EC PRIVATE KEY-----", "PEM EC private key"),
        ("-----BEGIN OPENSSH PRIVATE KEY-----", "OpenSSH private key"),
    ] {
        if content.starts_with(mark.as_bytes()) {
            return Some((name, "text/plain"));
        }
    }
    if content.starts_with(b"ssh-rsa ") {
        return Some(("OpenSSH RSA public key", "text/plain"));
    }
    if let Some(b'{' | b'[') = start.first() {
        let mut rest = start;
        let mut count = 0;
        while let Some(after) = json(rest, 0) {
            count += 1;
            rest = after.trim_ascii_start();
        }
        if rest.is_empty() && count == 1 {
            return Some(("JSON text data", "application/json"));
        }
        if rest.is_empty() && count > 1 {
            return Some(("New Line Delimited JSON text data", "application/x-ndjson"));
        }
    }
    is_csv(content).then_some(("CSV text", "text/csv"))
}

/// Whether the text contains the other one.
fn find(text: &[u8], wanted: &[u8]) -> bool {
    memchr::memmem::find(text, wanted).is_some()
}

/// What follows a JSON value; none where there is no whole one. Checks the structure of RFC 8259 and not the inside of
/// numbers; recursion ends at 200 levels.
fn json(text: &[u8], depth: usize) -> Option<&[u8]> {
    let text = text.trim_ascii_start();
    let string = |text: &[u8]| -> Option<usize> {
        let mut at = 1;
        loop {
            match text.get(at)? {
                b'"' => return Some(at + 1),
                b'\\' => at += 2,
                _ => at += 1,
            }
        }
    };
    match text.first()? {
        b'{' | b'[' if depth > 200 => None,
        open @ (b'{' | b'[') => {
            let close = if *open == b'{' { b'}' } else { b']' };
            let mut rest = text[1..].trim_ascii_start();
            if rest.first() == Some(&close) {
                return Some(&rest[1..]);
            }
            loop {
                if close == b'}' {
                    rest = rest.trim_ascii_start();
                    if rest.first() != Some(&b'"') {
                        return None;
                    }
                    rest = rest[string(rest)?..]
                        .trim_ascii_start()
                        .strip_prefix(b":")?;
                }
                rest = json(rest, depth + 1)?.trim_ascii_start();
                let (next, after) = rest.split_first()?;
                match *next {
                    b',' => rest = after,
                    next if next == close => return Some(after),
                    _ => return None,
                }
            }
        }
        b'"' => Some(&text[string(text)?..]),
        b'-' | b'0'..=b'9' => {
            let end = text
                .iter()
                .position(|byte| !b"0123456789+-.eE".contains(byte));
            Some(&text[end.unwrap_or(text.len())..])
        }
        _ => {
            let words: [&[u8]; 3] = [b"true", b"false", b"null"];
            words.iter().find_map(|word| text.strip_prefix(*word))
        }
    }
}

/// Whether the first ten lines have the same number of commas, at least one, and there is more than one line. Commas
/// within double quotes do not count.
fn is_csv(content: &[u8]) -> bool {
    let mut lines = content.split_inclusive(|&byte| byte == b'\n');
    let count = |line: &[u8]| {
        let mut quoted = false;
        let mut commas = 0;
        for byte in line {
            match byte {
                b'"' => quoted = !quoted,
                b',' if !quoted => commas += 1,
                _ => {}
            }
        }
        (!quoted).then_some(commas)
    };
    let Some(first) = lines.next().and_then(count).filter(|commas| *commas > 0) else {
        return false;
    };
    let mut more = 0;
    for line in lines.take(9) {
        if !line.ends_with(b"\n") || count(line) != Some(first) {
            return false;
        }
        more += 1;
    }
    more > 0
}

/// The language, its MIME type, and whether it is a script that runs. The first that fits holds.
fn language(content: &[u8]) -> Option<(&'static str, &'static str, bool)> {
    if let Some(line) = content.strip_prefix(b"#!") {
        let line = line.split(|&byte| byte == b'\n').next().unwrap_or_default();
        return interpreter(line);
    }
    let start = content.trim_ascii_start();
    let near = &start[..start.len().min(4096)];
    let folded = near.to_ascii_lowercase();
    if folded.starts_with(b"<?php") {
        return Some(("PHP script", "text/x-php", false));
    }
    if folded.starts_with(b"<?xml version=\"") {
        return Some(("XML 1.0 document", "text/xml", false));
    }
    if folded.starts_with(b"<?xml version='") {
        return Some(("XML 1.0 document", "text/xml", false));
    }
    let html = ["<!doctype html", "<html", "<head>", "<title>", "<body"];
    if html.iter().any(|tag| folded.starts_with(tag.as_bytes())) {
        return Some(("HTML document", "text/html", false));
    }
    let lines: Vec<&[u8]> = near.split(|&byte| byte == b'\n').collect();
    let starts = |mark: &str| lines.iter().any(|line| line.starts_with(mark.as_bytes()));
    let pair = lines
        .windows(2)
        .any(|pair| pair[0].starts_with(b"--- ") && pair[1].starts_with(b"+++ "));
    if near.starts_with(b"diff ") {
        return Some((
            if pair {
                "unified diff output"
            } else {
                "diff output"
            },
            "text/x-diff",
            false,
        ));
    }
    if near.starts_with(b"--- ") && pair {
        return Some(("unified diff output", "text/x-diff", false));
    }
    if near.starts_with(b"*** ") && lines.get(1).is_some_and(|line| line.starts_with(b"--- ")) {
        return Some(("context diff output", "text/x-diff", false));
    }
    let include = |line: &&[u8]| {
        line.strip_prefix(b"#").is_some_and(|rest| {
            let rest = rest.trim_ascii_start();
            rest.starts_with(b"include ")
                || rest.starts_with(b"include<")
                || rest.starts_with(b"include\"")
        })
    };
    if lines.iter().any(include) {
        let plus = [
            "using namespace ",
            "template<",
            "template <",
            "class ",
            "namespace ",
        ];
        return Some(if plus.iter().any(|mark| starts(mark)) {
            ("C++ source", "text/x-c++", false)
        } else {
            ("C source", "text/x-c", false)
        });
    }
    if lines.iter().any(|line| is_python(line)) {
        return Some(("Python script", "text/x-script.python", true));
    }
    if starts("use strict") || starts("use warnings") {
        return Some(("Perl5 module source", "text/x-perl", false));
    }
    if starts(".PHONY") {
        return Some(("makefile script", "text/x-makefile", false));
    }
    if starts("\\documentclass") {
        return Some(("LaTeX 2e document", "text/x-tex", false));
    }
    None
}

/// Whether a line is a definition or an import of Python.
fn is_python(line: &[u8]) -> bool {
    let trimmed = line.trim_ascii_start();
    let block = |rest: &[u8]| {
        let name = rest
            .first()
            .is_some_and(|byte| byte.is_ascii_alphabetic() || *byte == b'_');
        name && rest.trim_ascii_end().ends_with(b":")
    };
    if let Some(rest) = trimmed.strip_prefix(b"def ") {
        return rest.contains(&b'(') && block(rest);
    }
    if let Some(rest) = trimmed.strip_prefix(b"class ") {
        return block(rest);
    }
    line.strip_prefix(b"from ")
        .is_some_and(|rest| find(rest, b" import "))
}

/// The script language of a `#!` line without these two bytes. Digits behind the name are its version, and `env` and
/// its options are skipped: `/usr/bin/env -S python3 -u` is Python.
fn interpreter(line: &[u8]) -> Option<(&'static str, &'static str, bool)> {
    let mut words = line
        .split(u8::is_ascii_whitespace)
        .filter(|word| !word.is_empty());
    let mut name = words.next()?.rsplit(|&byte| byte == b'/').next()?;
    if name == b"env" {
        name = words.find(|word| !word.starts_with(b"-"))?;
    }
    let digits = name.iter().position(|byte| byte.is_ascii_digit());
    let base = &name[..digits.unwrap_or(name.len())];
    Some(match base {
        b"sh" | b"dash" | b"ash" => ("POSIX shell script", "text/x-shellscript", true),
        b"bash" => ("Bourne-Again shell script", "text/x-shellscript", true),
        b"zsh" => ("Paul Falstad's zsh script", "text/x-shellscript", true),
        b"ksh" => ("Korn shell script", "text/x-shellscript", true),
        b"csh" => ("C shell script", "text/x-shellscript", true),
        b"tcsh" => ("Tenex C shell script", "text/x-shellscript", true),
        b"fish" => ("fish shell script", "text/x-shellscript", true),
        b"python" => ("Python script", "text/x-script.python", true),
        b"perl" => ("Perl script", "text/x-perl", true),
        b"ruby" => ("Ruby script", "text/x-ruby", true),
        b"node" | b"nodejs" => ("Node.js script", "application/javascript", true),
        b"awk" | b"gawk" | b"mawk" | b"nawk" => ("awk script", "text/x-awk", true),
        b"php" => ("PHP script", "text/x-php", true),
        b"lua" => ("Lua script", "text/x-lua", true),
        b"make" => ("makefile script", "text/x-makefile", true),
        b"sed" => ("sed script", "text/x-sed", true),
        _ => return Some(("script", "text/plain", true)),
    })
}
