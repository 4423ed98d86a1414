//! The format of `ar`, as `ar(5)` and Binutils' `include/aout/ar.h` have it.
//!
//! An archive is `!<arch>\n` and its members, each at an even offset. A header has 60 bytes of text, padded with
//! spaces:
//!
//! | Bytes | Field |
//! |---|---|
//! | 0–15 | name |
//! | 16–27 | time in seconds since 1970 |
//! | 28–33, 34–39 | user and group |
//! | 40–47 | mode, octal |
//! | 48–57 | size in bytes |
//! | 58–59 | a backtick and a newline |
//!
//! Names are `NAME/` up to 15 bytes; longer ones are `/OFFSET` into the member `//`, where each ends with `/` and a
//! newline. BSD's `#1/LENGTH`, with the name before the content, is read but not written. The member `/` is the
//! index: the number of symbols and the offset of a header for each, as 32-bit numbers with the high byte first, then
//! their names with a zero byte each. Indexes that are read are dropped and made anew.

use super::symbols;

/// What every archive begins with.
pub const MAGIC: &[u8] = b"!<arch>\n";
/// What a thin archive begins with, whose members lie elsewhere.
pub const THIN: &[u8] = b"!<thin>\n";

/// The length of a header.
const HEADER: usize = 60;
/// The longest name that a header holds, beside the `/` at its end. Longer names are in the table.
pub const SHORT_NAME: usize = 15;

/// A member, with its time, owner and mode as they stand in the header.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Member {
    /// Its name, without a folder unless whole paths are stored.
    pub name: Vec<u8>,
    /// When it was changed, in seconds since 1970.
    pub modified: i64,
    /// The user it belongs to.
    pub uid: u32,
    /// The group it belongs to.
    pub gid: u32,
    /// Permission bits, with the type of the file or without.
    pub mode: u32,
    /// What is in it.
    pub content: Vec<u8>,
    /// Where its content was read from, counted from the start of the archive (`ar tO`): of the name, where one
    /// stands before it.
    pub offset: usize,
    /// It was found or put here by this call; a name that is given again means another one. It is not part of the
    /// format.
    pub is_taken: bool,
}

/// Why an archive cannot be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Error {
    /// It is none.
    Unknown,
    /// Its members lie in other files.
    Thin,
    /// A header is wrong, or a member ends too early.
    Malformed,
}

impl Error {
    /// What a message says about it.
    pub fn reason(self) -> &'static str {
        match self {
            Error::Unknown => "file format not recognized",
            Error::Thin => "thin archives are not supported",
            Error::Malformed => "malformed archive",
        }
    }
}

/// The members of an archive in their order, without index and table of names. Numbers that are none count as 0, but
/// for the size.
///
/// # Errors
/// Where it is no archive, a thin one or a damaged one.
pub fn read(archive: &[u8]) -> Result<Vec<Member>, Error> {
    if archive.starts_with(THIN) {
        return Err(Error::Thin);
    }
    if !archive.starts_with(MAGIC) {
        return Err(Error::Unknown);
    }
    let mut members = Vec::new();
    let mut names: &[u8] = b"";
    let mut at = MAGIC.len();
    while at < archive.len() {
        let head = archive.get(at..at + HEADER).ok_or(Error::Malformed)?;
        if &head[58..] != b"`\n" {
            return Err(Error::Malformed);
        }
        let size = number(&head[48..58], 10).ok_or(Error::Malformed)? as usize;
        let start = at + HEADER;
        let end = start.checked_add(size).ok_or(Error::Malformed)?;
        let mut content = archive.get(start..end).ok_or(Error::Malformed)?;
        let field = head[..16].trim_ascii_end();
        let name = match field {
            b"/" | b"/SYM64/" | b"__.SYMDEF" | b"__.SYMDEF SORTED" => None,
            b"//" | b"ARFILENAMES/" => {
                names = content;
                None
            }
            [b'/', digits @ ..] => Some(long_name(names, digits).ok_or(Error::Malformed)?),
            [b'#', b'1', b'/', digits @ ..] => {
                // BSD's long names stand before the content.
                let length = number(digits, 10).ok_or(Error::Malformed)? as usize;
                let name = content.get(..length).ok_or(Error::Malformed)?;
                content = &content[length..];
                Some(name.split(|byte| *byte == 0).next().unwrap_or(name))
            }
            _ => Some(field.strip_suffix(b"/").unwrap_or(field)),
        };
        if let Some(name) = name {
            members.push(Member {
                name: name.to_vec(),
                modified: number(&head[16..28], 10).unwrap_or(0) as i64,
                uid: number(&head[28..34], 10).unwrap_or(0) as u32,
                gid: number(&head[34..40], 10).unwrap_or(0) as u32,
                mode: number(&head[40..48], 8).unwrap_or(0) as u32,
                content: content.to_vec(),
                offset: start,
                is_taken: false,
            });
        }
        at = end.next_multiple_of(2);
    }
    Ok(members)
}

/// The name that `/OFFSET` points to; none where the offset is outside of the table or the name does not end.
fn long_name<'a>(names: &'a [u8], digits: &[u8]) -> Option<&'a [u8]> {
    let start = number(digits, 10)? as usize;
    let rest = names.get(start..)?;
    let end = rest.iter().position(|byte| *byte == b'\n')?;
    Some(rest[..end].strip_suffix(b"/").unwrap_or(&rest[..end]))
}

/// A field of a header, which may have spaces around the digits.
fn number(text: &[u8], radix: u32) -> Option<u64> {
    u64::from_str_radix(std::str::from_utf8(text).ok()?.trim(), radix).ok()
}

/// The archive of the members. `index` is the time of the index of symbols; without one there is none, nor if no
/// member is an object file. The cost is O(size of the archive).
pub fn write(members: &[Member], index: Option<i64>) -> Vec<u8> {
    let mut table = Vec::new();
    let mut fields = Vec::with_capacity(members.len());
    for member in members {
        let name = &member.name;
        // A name that cannot be told from a reference to the table is in the table too.
        if name.len() > SHORT_NAME || name.starts_with(b"/") {
            fields.push(format!("/{}", table.len()).into_bytes());
            table.extend_from_slice(name);
            table.extend_from_slice(b"/\n");
        } else {
            fields.push([name, &b"/"[..]].concat());
        }
    }
    if table.len() % 2 == 1 {
        table.push(b'\n');
    }
    let symbols: Vec<Option<Vec<Vec<u8>>>> = match index {
        Some(_) => members
            .iter()
            .map(|member| symbols::defined(&member.content))
            .collect(),
        None => Vec::new(),
    };
    let names = symbols.iter().flatten().flatten();
    let count = names.clone().count();
    let mut strings: Vec<u8> = names.flat_map(|name| [name, &b"\0"[..]].concat()).collect();
    if strings.len() % 2 == 1 {
        strings.push(0);
    }
    let has_index = symbols.iter().any(Option::is_some);
    let index_size = 4 + 4 * count + strings.len();

    let mut archive = MAGIC.to_vec();
    if has_index {
        let mut place = MAGIC.len() + HEADER + index_size;
        if !table.is_empty() {
            place += HEADER + table.len();
        }
        let time = index.unwrap_or(0);
        put_header(&mut archive, b"/", Some((time, 0, 0, 0)), index_size);
        archive.extend_from_slice(&(count as u32).to_be_bytes());
        for (member, symbols) in members.iter().zip(&symbols) {
            for _ in symbols.iter().flatten() {
                archive.extend_from_slice(&(place as u32).to_be_bytes());
            }
            place += HEADER + member.content.len().next_multiple_of(2);
        }
        archive.extend_from_slice(&strings);
    }
    if !table.is_empty() {
        put_header(&mut archive, b"//", None, table.len());
        archive.extend_from_slice(&table);
    }
    for (member, field) in members.iter().zip(&fields) {
        let attributes = (member.modified, member.uid, member.gid, member.mode);
        put_header(&mut archive, field, Some(attributes), member.content.len());
        archive.extend_from_slice(&member.content);
        if member.content.len() % 2 == 1 {
            archive.push(b'\n');
        }
    }
    archive
}

/// A header; that of the table of names has no time, owner and mode.
fn put_header(
    archive: &mut Vec<u8>,
    name: &[u8],
    attributes: Option<(i64, u32, u32, u32)>,
    size: usize,
) {
    let (time, uid, gid, mode) = match attributes {
        Some((time, uid, gid, mode)) => (
            time.to_string(),
            uid.to_string(),
            gid.to_string(),
            format!("{mode:o}"),
        ),
        None => Default::default(),
    };
    let fields: [(&[u8], usize); 6] = [
        (name, 16),
        (time.as_bytes(), 12),
        (uid.as_bytes(), 6),
        (gid.as_bytes(), 6),
        (mode.as_bytes(), 8),
        (&size.to_string().into_bytes(), 10),
    ];
    for (text, width) in fields {
        let text = &text[..text.len().min(width)];
        archive.extend_from_slice(text);
        archive.resize(archive.len() + width - text.len(), b' ');
    }
    archive.extend_from_slice(b"`\n");
}

#[cfg(test)]
mod tests {
    use super::*;

    fn member(name: &str, content: &str) -> Member {
        Member {
            name: name.into(),
            modified: 7,
            uid: 1,
            gid: 2,
            mode: 0o640,
            content: content.into(),
            offset: 0,
            is_taken: false,
        }
    }

    #[test]
    fn what_is_written_is_read() {
        let members = [
            member("a", "odd"),
            member("sixteen_letters_", ""),
            member("a much longer name.txt", "even"),
            member("fifteen_letters", "x"),
        ];
        let mut read = read(&write(&members, Some(0))).unwrap_or_default();
        for member in &mut read {
            member.offset = 0;
        }
        assert_eq!(read, members);
    }

    #[test]
    fn names_of_bsd_stand_before_the_content() {
        let mut archive = MAGIC.to_vec();
        put_header(&mut archive, b"#1/8", Some((0, 0, 0, 0o644)), 10);
        archive.extend_from_slice(b"name\0\0\0\0hi");
        let read = read(&archive).unwrap_or_default();
        assert_eq!(read.len(), 1);
        assert_eq!(
            (&read[0].name[..], &read[0].content[..]),
            (&b"name"[..], &b"hi"[..])
        );
    }

    #[test]
    fn damage_is_reported() {
        let whole = write(&[member("a", "content")], None);
        assert_eq!(read(b""), Err(Error::Unknown));
        assert_eq!(read(THIN), Err(Error::Thin));
        for end in MAGIC.len() + 1..whole.len() - 1 {
            assert_eq!(read(&whole[..end]), Err(Error::Malformed), "{end}");
        }
    }
}
