//! The encodings by their names.

use encoding_rs::Encoding;

/// An encoding of characters.
#[derive(Clone, Copy)]
pub enum Charset {
    /// Bytes below 128.
    Ascii,
    /// ISO-8859-1: each byte is the character of its number.
    Latin1,
    /// UTF-8.
    Utf8,
    /// 16 bits each, with surrogates; the byte order, where it is fixed. Where it is not, a mark says it.
    Utf16(Option<Order>),
    /// 32 bits each, likewise.
    Utf32(Option<Order>),
    /// An encoding of the Web's standard.
    Table(&'static Encoding),
}

/// The order of bytes in a number.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Order {
    /// The high byte first.
    Big,
    /// The low byte first.
    Little,
}

/// Names that are not the Web's, in capitals and without dashes, and what they stand for there.
const ALIASES: &[(&str, &str)] = &[
    ("CP1250", "windows-1250"),
    ("CP1251", "windows-1251"),
    ("CP1252", "windows-1252"),
    ("CP1253", "windows-1253"),
    ("CP1254", "windows-1254"),
    ("CP1255", "windows-1255"),
    ("CP1256", "windows-1256"),
    ("CP1257", "windows-1257"),
    ("CP1258", "windows-1258"),
    ("CP866", "ibm866"),
    ("CP932", "shift_jis"),
    ("SJIS", "shift_jis"),
    ("CP936", "gbk"),
    ("CP949", "euc-kr"),
    ("UHC", "euc-kr"),
    ("CP950", "big5"),
    ("EUCJP", "euc-jp"),
    ("EUCKR", "euc-kr"),
    ("EUCCN", "gbk"),
    ("GB2312", "gbk"),
    ("MACINTOSH", "macintosh"),
    ("MAC", "macintosh"),
    ("LATIN2", "iso-8859-2"),
    ("LATIN3", "iso-8859-3"),
    ("LATIN4", "iso-8859-4"),
    ("LATIN6", "iso-8859-10"),
    ("LATIN7", "iso-8859-13"),
    ("LATIN8", "iso-8859-14"),
    ("LATIN9", "iso-8859-15"),
    ("LATIN10", "iso-8859-16"),
    ("KOI8U", "koi8-u"),
    ("KOI8R", "koi8-r"),
];

/// What `-l` shows: one name for each encoding, mostly.
pub const NAMES: &[&str] = &[
    "ASCII",
    "BIG5",
    "CP1250",
    "CP1251",
    "CP1252",
    "CP1253",
    "CP1254",
    "CP1255",
    "CP1256",
    "CP1257",
    "CP1258",
    "CP866",
    "CP932",
    "CP936",
    "CP949",
    "CP950",
    "EUC-JP",
    "EUC-KR",
    "GB18030",
    "GBK",
    "ISO-2022-JP",
    "ISO-8859-1",
    "ISO-8859-2",
    "ISO-8859-3",
    "ISO-8859-4",
    "ISO-8859-5",
    "ISO-8859-6",
    "ISO-8859-7",
    "ISO-8859-8",
    "ISO-8859-10",
    "ISO-8859-13",
    "ISO-8859-14",
    "ISO-8859-15",
    "ISO-8859-16",
    "KOI8-R",
    "KOI8-U",
    "LATIN1",
    "MACINTOSH",
    "SHIFT_JIS",
    "UCS-2",
    "UCS-4",
    "UTF-16",
    "UTF-16BE",
    "UTF-16LE",
    "UTF-32",
    "UTF-32BE",
    "UTF-32LE",
    "UTF-8",
    "WINDOWS-874",
];

/// The encoding of a name, without `//TRANSLIT` and the like; none where it is not known. Case, dashes and
/// underscores do not count, and the empty name is UTF-8. ISO-8859-9 and -11 are not known, since the Web has other
/// encodings under these names.
pub fn charset(name: &str) -> Option<Charset> {
    let upper = name.to_ascii_uppercase();
    let bare: String = upper
        .chars()
        .filter(|char| !matches!(char, '-' | '_'))
        .collect();
    Some(match bare.as_str() {
        "" | "UTF8" => Charset::Utf8,
        "ASCII" | "USASCII" | "ANSIX3.41968" | "646" | "US" | "C" | "POSIX" => Charset::Ascii,
        "ISO88591" | "LATIN1" | "L1" | "88591" | "ISO8859" | "CP819" => Charset::Latin1,
        "UTF16" | "UNICODE" => Charset::Utf16(None),
        "UTF16LE" | "UCS2LE" | "UCS2" | "UNICODELITTLE" => Charset::Utf16(Some(Order::Little)),
        "UTF16BE" | "UCS2BE" | "UNICODEBIG" => Charset::Utf16(Some(Order::Big)),
        "UTF32" => Charset::Utf32(None),
        "UTF32LE" | "UCS4LE" => Charset::Utf32(Some(Order::Little)),
        "UTF32BE" | "UCS4BE" | "UCS4" => Charset::Utf32(Some(Order::Big)),
        // The Web reads these names as windows-1254 and windows-874.
        "ISO88599" | "ISO885911" | "LATIN5" | "TIS620" => return None,
        _ => {
            let alias = ALIASES.iter().find(|(known, _)| *known == bare);
            let label = alias.map_or(name, |(_, label)| label);
            let found = Encoding::for_label_no_replacement(label.as_bytes()).or_else(|| {
                // ISO8859-15 and ISO_8859-15.
                let number = bare.strip_prefix("ISO8859")?;
                Encoding::for_label_no_replacement(format!("iso-8859-{number}").as_bytes())
            });
            Charset::Table(found?)
        }
    })
}
