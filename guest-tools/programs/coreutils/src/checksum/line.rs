//! The lines of a list of checksums, in the three forms that GNU reads:
//!
//! ```text
//! MD5 (NAME) = DIGEST       with a tag, as `--tag` and `cksum -a` write it; `BLAKE2b-256 (NAME) = …` has a length
//! DIGEST  NAME              text; `DIGEST *NAME` is binary, which makes no difference
//! DIGEST NAME               BSD's `-r`, with one blank
//! ```
//!
//! A backslash before a line means that its name is escaped. A list has either lines of the second form or of the
//! third: the first such line decides, since a name may begin with a blank or a star.

use super::algorithm::{self, Algorithm, BLAKE2B_BITS};

/// What a line says.
#[derive(Debug, PartialEq, Eq)]
pub struct Line {
    /// How the sum was computed.
    pub algorithm: Algorithm,
    /// How many bits it has: four times the digits.
    pub bits: usize,
    /// The sum, in hexadecimal digits of lower case.
    pub digest: Vec<u8>,
    /// The file, without escapes.
    pub name: Vec<u8>,
}

/// Reads the lines of one list.
pub struct Reader {
    algorithm: Algorithm,
    /// Only lines with a tag say what they are; it was `cksum -c` without `-a`.
    tagged_only: bool,
    /// Whether names follow after one blank, as in lists of BSD; known after the first line.
    is_reversed: Option<bool>,
}

impl Reader {
    /// A reader of lists of `algorithm`; without one the tag of a line names it.
    pub fn new(algorithm: Option<Algorithm>) -> Reader {
        Reader {
            algorithm: algorithm.unwrap_or(Algorithm::Crc),
            tagged_only: algorithm.is_none(),
            is_reversed: None,
        }
    }

    /// What messages call the checksums.
    pub fn tag(&self) -> &'static str {
        self.algorithm.tag()
    }

    /// Reads a line without its end; none where it is malformed.
    pub fn read(&mut self, line: &[u8]) -> Option<Line> {
        let mut rest = skip_blanks(line);
        let is_escaped = rest.first() == Some(&b'\\');
        rest = &rest[usize::from(is_escaped)..];
        if self.tagged_only {
            // A longer tag goes first: SHA1 is no start of another, but names of tags may be.
            let known = |tag: &str| rest.starts_with(tag.as_bytes());
            let found = algorithm::ALL.iter().rev().find(|(_, _, tag)| known(tag))?;
            if found.0.is_number() {
                return None;
            }
            self.algorithm = found.0;
        }
        match rest.strip_prefix(self.tag().as_bytes()) {
            Some(rest) => self.tagged(rest, is_escaped),
            None => self.plain(rest, is_escaped),
        }
    }

    /// `MD5 (NAME) = DIGEST`, after the tag. The name goes up to the last parenthesis.
    fn tagged(&self, rest: &[u8], is_escaped: bool) -> Option<Line> {
        let (bits, rest) = match rest.strip_prefix(b"-") {
            Some(rest) if self.algorithm == Algorithm::Blake2b => {
                let digits = rest.iter().take_while(|byte| byte.is_ascii_digit()).count();
                let (digits, rest) = rest.split_at(digits);
                let bits = crate::options::number(digits)?;
                let fits = (8..=BLAKE2B_BITS).contains(&bits) && bits % 8 == 0;
                (fits.then_some(bits)?, rest)
            }
            _ => (self.algorithm.bits(), rest),
        };
        let rest = rest.strip_prefix(b" ").unwrap_or(rest).strip_prefix(b"(")?;
        let end = rest.iter().rposition(|byte| *byte == b')')?;
        let digest = skip_blanks(skip_blanks(&rest[end + 1..]).strip_prefix(b"=")?);
        self.line(bits, digest, &rest[..end], is_escaped)
    }

    /// `DIGEST  NAME`. For BLAKE2b the digits tell the length.
    fn plain(&mut self, rest: &[u8], is_escaped: bool) -> Option<Line> {
        let digits = match self.algorithm {
            Algorithm::Blake2b => {
                let digits = rest.iter().take_while(|byte| byte.is_ascii_hexdigit());
                let digits = digits.count();
                let fits = (2..=BLAKE2B_BITS / 4).contains(&digits) && digits % 2 == 0;
                fits.then_some(digits)?
            }
            other => other.bits() / 4,
        };
        let (digest, rest) = rest.split_at_checked(digits)?;
        let mut name = rest.strip_prefix(b" ").or(rest.strip_prefix(b"\t"))?;
        if name.len() == 1 || !matches!(name.first()?, b' ' | b'*') {
            // Mixed with the other kind, the first character of a name could hide.
            if self.is_reversed == Some(false) {
                return None;
            }
            self.is_reversed = Some(true);
        } else if self.is_reversed != Some(true) {
            self.is_reversed = Some(false);
            name = &name[1..];
        }
        self.line(digits * 4, digest, name, is_escaped)
    }

    /// A line of these parts; none where the digest has other digits, or another number of them.
    fn line(&self, bits: usize, digest: &[u8], name: &[u8], is_escaped: bool) -> Option<Line> {
        let is_digest = digest.len() == bits / 4 && digest.iter().all(u8::is_ascii_hexdigit);
        let name = match is_escaped {
            true => unescaped(name)?,
            false => name.to_vec(),
        };
        is_digest.then(|| Line {
            algorithm: self.algorithm,
            bits,
            digest: digest.to_ascii_lowercase(),
            name,
        })
    }
}

/// The text from its first character on that is no space and no tab.
fn skip_blanks(text: &[u8]) -> &[u8] {
    let blanks = text.iter().take_while(|byte| matches!(byte, b' ' | b'\t'));
    &text[blanks.count()..]
}

/// A name with backslashes, newlines and carriage returns as `\\`, `\n` and `\r`.
pub fn escaped(name: &[u8]) -> Vec<u8> {
    let mut out = Vec::with_capacity(name.len());
    for &byte in name {
        match byte {
            b'\\' => out.extend_from_slice(b"\\\\"),
            b'\n' => out.extend_from_slice(b"\\n"),
            b'\r' => out.extend_from_slice(b"\\r"),
            _ => out.push(byte),
        }
    }
    out
}

/// The name that [`escaped`] wrote so; none where there is another escape.
fn unescaped(name: &[u8]) -> Option<Vec<u8>> {
    let mut out = Vec::with_capacity(name.len());
    let mut bytes = name.iter();
    while let Some(&byte) = bytes.next() {
        out.push(match byte {
            b'\\' => match bytes.next()? {
                b'\\' => b'\\',
                b'n' => b'\n',
                b'r' => b'\r',
                _ => return None,
            },
            0 => return None,
            _ => byte,
        });
    }
    Some(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn escapes_come_back() {
        for name in [&b"a b"[..], b"x\ny", b"\\", b"\r\\n"] {
            assert_eq!(unescaped(&escaped(name)).as_deref(), Some(name));
        }
        assert_eq!(unescaped(b"a\\t"), None);
        assert_eq!(unescaped(b"a\\"), None);
    }
}
