//! Formats that are known by bytes at fixed places, and the details of some: sizes of images (PNG, GIF, JPEG, BMP),
//! members of gzip headers (RFC 1952), the first entry of ZIP archives (APPNOTE.TXT), the header of SQLite databases.
//!
//! The content is hostile: `Fields` reads zeros beyond its end, and offsets from the file are only looked up.

use super::{Finding, elf};
use crate::system::Time;
use crate::time;

/// Numbers at places of a content; zero where it ends before.
struct Fields<'a>(&'a [u8]);

impl Fields<'_> {
    /// The bytes at a place.
    fn take<const N: usize>(&self, at: usize) -> [u8; N] {
        let found = self
            .0
            .get(at..at + N)
            .and_then(|bytes| bytes.try_into().ok());
        found.unwrap_or([0; N])
    }

    fn byte(&self, at: usize) -> u8 {
        self.take::<1>(at)[0]
    }

    fn little16(&self, at: usize) -> u16 {
        u16::from_le_bytes(self.take(at))
    }

    fn little32(&self, at: usize) -> u32 {
        u32::from_le_bytes(self.take(at))
    }

    fn big16(&self, at: usize) -> u16 {
        u16::from_be_bytes(self.take(at))
    }

    fn big32(&self, at: usize) -> u32 {
        u32::from_be_bytes(self.take(at))
    }
}

/// Formats without details: offset, bytes there, words, MIME type. The first that fits holds, so a longer signature
/// stands before its prefix. Those at offset 8 are brands of ISO media, which must follow `ftyp`.
const PLAIN: &[(usize, &[u8], &str, &str)] = &[
    (
        0,
        b"7z\xbc\xaf\x27\x1c",
        "7-zip archive data",
        "application/x-7z-compressed",
    ),
    (
        0,
        b"Rar!\x1a\x07\x01\x00",
        "RAR archive data, v5",
        "application/x-rar",
    ),
    (
        0,
        b"Rar!\x1a\x07\x00",
        "RAR archive data",
        "application/x-rar",
    ),
    (
        0,
        b"\x04\x22\x4d\x18",
        "LZ4 compressed data (v1.4+)",
        "application/x-lz4",
    ),
    (0, b"\xfd7zXZ\0", "XZ compressed data", "application/x-xz"),
    (
        0,
        b"\x28\xb5\x2f\xfd",
        "Zstandard compressed data (v0.8+), Dictionary ID: None",
        "application/zstd",
    ),
    (0, b"LZIP", "lzip compressed data", "application/x-lzip"),
    (
        0,
        b"\x1f\x9d",
        "compress'd data 16 bits",
        "application/x-compress",
    ),
    (
        0,
        b"070701",
        "ASCII cpio archive (SVR4 with no CRC)",
        "application/x-cpio",
    ),
    (
        0,
        b"070702",
        "ASCII cpio archive (SVR4 with CRC)",
        "application/x-cpio",
    ),
    (
        0,
        b"070707",
        "ASCII cpio archive (pre-SVR4 or odc)",
        "application/x-cpio",
    ),
    (
        0,
        b"!<arch>\ndebian-binary",
        "Debian binary package (format 2.0)",
        "application/vnd.debian.binary-package",
    ),
    (
        0,
        b"!<arch>\n",
        "current ar archive",
        "application/x-archive",
    ),
    (0, b"fLaC", "FLAC audio bitstream data", "audio/flac"),
    (0, b"OggS", "Ogg data", "application/ogg"),
    (0, b"wOFF", "Web Open Font Format", "font/woff"),
    (0, b"wOF2", "Web Open Font Format (Version 2)", "font/woff2"),
    (
        0,
        b"OTTO",
        "OpenType font data",
        "application/vnd.ms-opentype",
    ),
    (0, b"\0\x01\0\0\0", "TrueType Font data", "font/sfnt"),
    (0, b"II*\0", "TIFF image data, little-endian", "image/tiff"),
    (0, b"MM\0*", "TIFF image data, big-endian", "image/tiff"),
    (
        0,
        b"8BPS",
        "Adobe Photoshop Image",
        "image/vnd.adobe.photoshop",
    ),
    (0, b"\x1a\x45\xdf\xa3", "Matroska data", "video/x-matroska"),
    (0, b"FLV\x01", "Macromedia Flash Video", "video/x-flv"),
    (
        0,
        b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1",
        "Composite Document File V2 Document",
        "application/x-ole-storage",
    ),
    (
        0,
        b"\xd4\xc3\xb2\xa1",
        "pcap capture file, microsecond ts (little-endian)",
        "application/vnd.tcpdump.pcap",
    ),
    (
        0,
        b"\xa1\xb2\xc3\xd4",
        "pcap capture file, microsecond ts (big-endian)",
        "application/vnd.tcpdump.pcap",
    ),
    (
        0,
        b"PAR1",
        "Apache Parquet",
        "application/vnd.apache.parquet",
    ),
    (
        0,
        b"ARROW1",
        "Apache Arrow columnar file",
        "application/vnd.apache.arrow.file",
    ),
    (
        0,
        b"BC\xc0\xde",
        "LLVM IR bitcode",
        "application/octet-stream",
    ),
    (
        0,
        b"%!PS-Adobe-",
        "PostScript document text",
        "application/postscript",
    ),
    (
        0,
        b"{\\rtf1",
        "Rich Text Format data, version 1",
        "text/rtf",
    ),
    (0, b"GIMP", "GIMP XCF image data", "image/x-xcf"),
    (
        8,
        b"heic",
        "ISO Media, HEIF Image HEVC Main or Main Still Picture Profile",
        "image/heic",
    ),
    (8, b"avif", "ISO Media, AVIF Image", "image/avif"),
    (8, b"mp42", "ISO Media, MP4 v2 [ISO 14496-14]", "video/mp4"),
    (
        8,
        b"isom",
        "ISO Media, MP4 Base Media v1 [ISO 14496-12:2003]",
        "video/mp4",
    ),
    (
        8,
        b"M4A ",
        "ISO Media, Apple iTunes ALAC/AAC-LC (.M4A) Audio",
        "audio/x-m4a",
    ),
    (
        8,
        b"qt  ",
        "ISO Media, Apple QuickTime movie",
        "video/quicktime",
    ),
];

/// The format of a content; none where it is not known, or is text.
pub fn identify(content: &[u8]) -> Option<Finding> {
    let kinds = [packed, media, program, document, plain];
    let mut finding = kinds.iter().find_map(|kind| kind(content))?;
    if finding.mime == "application/pdf" && content.is_ascii() && !content.contains(&0) {
        finding.charset = "us-ascii";
    }
    Some(finding)
}

/// What is compressed, and archives of it.
fn packed(content: &[u8]) -> Option<Finding> {
    let starts = |start: &[u8]| content.starts_with(start);
    let fields = Fields(content);
    Some(if starts(b"\x1f\x8b") {
        gzip(content, &fields)
    } else if starts(b"BZh") && content.len() > 3 {
        let words = format!(
            "bzip2 compressed data, block size = {}00k",
            char::from(content[3])
        );
        Finding::binary(words, "application/x-bzip2")
    } else if starts(b"\xfd7zXZ\0") {
        let check = match fields.byte(7) & 15 {
            0 => ", checksum NONE",
            1 => ", checksum CRC32",
            4 => ", checksum CRC64",
            10 => ", checksum SHA-256",
            _ => "",
        };
        Finding::binary(format!("XZ compressed data{check}"), "application/x-xz")
    } else if starts(b"PK\x03\x04") && content.len() > 30 {
        zip(content, &fields)
    } else if starts(b"PK\x05\x06") {
        Finding::binary("Zip archive data (empty)", "application/zip")
    } else {
        return None;
    })
}

/// Images and sounds.
fn media(content: &[u8]) -> Option<Finding> {
    let starts = |start: &[u8]| content.starts_with(start);
    let fields = Fields(content);
    Some(if starts(b"\x89PNG\r\n\x1a\n") {
        png(&fields)
    } else if starts(b"GIF8") {
        let version = String::from_utf8_lossy(content.get(3..6).unwrap_or_default()).into_owned();
        let (wide, high) = (fields.little16(6), fields.little16(8));
        Finding::binary(
            format!("GIF image data, version {version}, {wide} x {high}"),
            "image/gif",
        )
    } else if starts(b"\xff\xd8\xff") {
        jpeg(content, &fields)
    } else if starts(b"BM") && fields.little32(14) == 40 && content.len() > 30 {
        let words = format!(
            "PC bitmap, Windows 3.x format, {} x {} x {}, cbSize {}, bits offset {}",
            fields.little32(18),
            fields.little32(22),
            fields.little16(28),
            fields.little32(2),
            fields.little32(10)
        );
        Finding::binary(words, "image/bmp")
    } else if starts(b"RIFF") {
        riff(content, &fields)
    } else if starts(b"ID3") {
        let (major, minor) = (fields.byte(3), fields.byte(4));
        Finding::binary(
            format!("Audio file with ID3 version 2.{major}.{minor}"),
            "audio/mpeg",
        )
    } else {
        return None;
    })
}

/// Programs, code and databases.
fn program(content: &[u8]) -> Option<Finding> {
    let starts = |start: &[u8]| content.starts_with(start);
    let fields = Fields(content);
    Some(if starts(b"\x7fELF") {
        let (words, mime) = elf::describe(content);
        Finding::binary(words, mime)
    } else if starts(b"SQLite format 3\0") {
        sqlite(&fields)
    } else if starts(b"\0asm") {
        let words = match fields.little32(4) {
            1 => "WebAssembly (wasm) binary module version 0x1 (MVP)".to_owned(),
            version => format!("WebAssembly (wasm) binary module version {version:#x}"),
        };
        Finding::binary(words, "application/wasm")
    } else if starts(b"\xca\xfe\xba\xbe") && fields.big16(6) >= 45 {
        let major = fields.big16(6);
        let java = match major {
            45..=48 => format!("1.{}", major - 44),
            49..=52 => format!("1.{}", major - 44),
            _ => (major - 44).to_string(),
        };
        let words = format!(
            "compiled Java class data, version {major}.{} (Java {java})",
            fields.big16(4)
        );
        Finding::binary(words, "application/x-java-applet")
    } else {
        return None;
    })
}

/// Documents, archives without compression, and programs of DOS.
fn document(content: &[u8]) -> Option<Finding> {
    let starts = |start: &[u8]| content.starts_with(start);
    Some(if starts(b"%PDF-") {
        let end = content
            .iter()
            .take(16)
            .position(|byte| b"\r\n".contains(byte))
            .unwrap_or(8);
        let version =
            String::from_utf8_lossy(&content[5..end.max(5).min(content.len())]).into_owned();
        Finding::binary(
            format!("PDF document, version {version}"),
            "application/pdf",
        )
    } else if content.get(257..262) == Some(b"ustar") {
        let gnu = content.get(257..265) == Some(b"ustar  \0");
        Finding::binary(
            if gnu {
                "POSIX tar archive (GNU)"
            } else {
                "POSIX tar archive"
            },
            "application/x-tar",
        )
    } else if starts(b"MZ") && content.len() > 64 {
        Finding::binary("MS-DOS executable", "application/x-dosexec")
    } else {
        return None;
    })
}

/// What a magic of a fixed place tells.
fn plain(content: &[u8]) -> Option<Finding> {
    let plain = PLAIN.iter().find(|(at, magic, ..)| {
        let boxed = *at == 0 || content.get(4..8) == Some(b"ftyp");
        boxed
            && content
                .get(*at..)
                .is_some_and(|rest| rest.starts_with(magic))
    })?;
    let mut finding = Finding::binary(plain.2, plain.3);
    if matches!(
        plain.3,
        "application/x-archive" | "text/rtf" | "application/postscript"
    ) && content.is_ascii()
    {
        finding.charset = "us-ascii";
    }
    Some(finding)
}

/// A gzip member: its name, time, compression and system. The size of the last four bytes is told where the whole file
/// was read.
fn gzip(content: &[u8], fields: &Fields) -> Finding {
    let mut words = String::from("gzip compressed data");
    let flags = fields.byte(3);
    if flags & 1 != 0 {
        words += ", ASCII";
    }
    if flags & 8 != 0 {
        let skip = if flags & 4 != 0 {
            12 + usize::from(fields.little16(10))
        } else {
            10
        };
        let rest = content.get(skip..).unwrap_or_default();
        let name = rest.split(|&byte| byte == 0).next().unwrap_or_default();
        words += &format!(", was \"{}\"", String::from_utf8_lossy(name));
    }
    let stamp = fields.little32(4);
    if stamp != 0 {
        let time = Time {
            seconds: stamp.into(),
            nanoseconds: 0,
        };
        let local = time::local(time, &time::zone());
        words += &format!(
            ", last modified: {}",
            time::format(&local, "%a %b %e %H:%M:%S %Y")
        );
    }
    words += match fields.byte(8) {
        2 => ", max compression",
        4 => ", max speed",
        _ => "",
    };
    words += match fields.byte(9) {
        0 => ", from FAT filesystem (MS-DOS, OS/2, NT)",
        3 => ", from Unix",
        7 => ", from MacOS",
        11 => ", from NTFS filesystem (NT)",
        _ => "",
    };
    if content.len() >= 18 && (content.len() as u64) < super::MOST {
        words += &format!(
            ", original size modulo 2^32 {}",
            fields.little32(content.len() - 4)
        );
    }
    Finding::binary(words, "application/gzip")
}

/// A ZIP archive: by its first entry a document (`mimetype` of OpenDocument and EPUB, `[Content_Types].xml` of Office)
/// or a JAR, else the version and method of that entry.
fn zip(content: &[u8], fields: &Fields) -> Finding {
    let length = usize::from(fields.little16(26));
    let name = content.get(30..30 + length).unwrap_or_default();
    let has = |text: &[u8]| memchr::memmem::find(content, text).is_some();
    if name == b"mimetype" {
        let rest = content.get(38..).unwrap_or_default();
        for (mime, words) in [
            ("application/epub+zip", "EPUB document"),
            (
                "application/vnd.oasis.opendocument.text",
                "OpenDocument Text",
            ),
            (
                "application/vnd.oasis.opendocument.spreadsheet",
                "OpenDocument Spreadsheet",
            ),
            (
                "application/vnd.oasis.opendocument.presentation",
                "OpenDocument Presentation",
            ),
        ] {
            if rest.starts_with(mime.as_bytes()) {
                return Finding::binary(words, mime);
            }
        }
    }
    if name == b"[Content_Types].xml"
        || name.starts_with(b"_rels/")
        || name.starts_with(b"docProps/")
    {
        for (part, words, mime) in [
            (
                "word/",
                "Microsoft Word 2007+",
                "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
            ),
            (
                "xl/",
                "Microsoft Excel 2007+",
                "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
            ),
            (
                "ppt/",
                "Microsoft PowerPoint 2007+",
                "application/vnd.openxmlformats-officedocument.presentationml.presentation",
            ),
        ] {
            if has(part.as_bytes()) {
                return Finding::binary(words, mime);
            }
        }
    }
    if name.starts_with(b"META-INF/") {
        return Finding::binary("Java archive data (JAR)", "application/java-archive");
    }
    let needed = fields.little16(4);
    let method = match fields.little16(8) {
        0 => "store".to_owned(),
        8 => "deflate".to_owned(),
        12 => "bzip2".to_owned(),
        93 => "zstd".to_owned(),
        other => format!("[{other:#x}]"),
    };
    let words = format!(
        "Zip archive data, at least v{}.{} to extract, compression method={method}",
        needed / 10,
        needed % 10
    );
    Finding::binary(words, "application/zip")
}

/// Size, depth, colour type and interlacing, from the IHDR chunk.
fn png(fields: &Fields) -> Finding {
    let color = match fields.byte(25) {
        0 => "grayscale",
        2 => "/color RGB",
        3 => " colormap",
        4 => "gray+alpha",
        6 => "/color RGBA",
        _ => "",
    };
    let depth = fields.byte(24);
    let kind = match fields.byte(25) {
        0 | 4 => format!("{depth}-bit {color}"),
        _ => format!("{depth}-bit{color}"),
    };
    let lace = if fields.byte(28) == 0 {
        "non-interlaced"
    } else {
        "interlaced"
    };
    let (wide, high) = (fields.big32(16), fields.big32(20));
    Finding::binary(
        format!("PNG image data, {wide} x {high}, {kind}, {lace}"),
        "image/png",
    )
}

/// JFIF or Exif data, and the size from the first frame header, which is found by going from segment to segment.
fn jpeg(content: &[u8], fields: &Fields) -> Finding {
    let mut words = String::from("JPEG image data");
    if content.get(6..10) == Some(b"JFIF") {
        let (major, minor) = (fields.byte(11), fields.byte(12));
        words += &format!(", JFIF standard {major}.{minor:02}");
        words += match fields.byte(13) {
            0 => ", aspect ratio",
            1 => ", resolution (DPI)",
            _ => ", resolution (DPCM)",
        };
        let (x, y) = (fields.big16(14), fields.big16(16));
        words += &format!(", density {x}x{y}, segment length {}", fields.big16(4));
    } else if content.get(6..10) == Some(b"Exif") {
        words += ", Exif standard";
    }
    let mut at = 2;
    while let Some([0xff, marker]) = content.get(at..at + 2) {
        if matches!(marker, 0xc0..=0xc3) {
            let kind = if *marker == 0xc2 {
                "progressive"
            } else {
                "baseline"
            };
            words += &format!(
                ", {kind}, precision {}, {}x{}, components {}",
                fields.byte(at + 4),
                fields.big16(at + 7),
                fields.big16(at + 5),
                fields.byte(at + 9)
            );
            break;
        }
        let length = usize::from(fields.big16(at + 2));
        if length < 2 {
            break;
        }
        at += 2 + length;
    }
    Finding::binary(words, "image/jpeg")
}

/// WAVE with its coding, WebP, AVI, or unknown.
fn riff(content: &[u8], fields: &Fields) -> Finding {
    match content.get(8..12) {
        Some(b"WAVE") => {
            let channels = match fields.little16(22) {
                1 => "mono".to_owned(),
                2 => "stereo".to_owned(),
                count => format!("{count} channels"),
            };
            let coding = match fields.little16(20) {
                1 => format!(", Microsoft PCM, {} bit", fields.little16(34)),
                3 => ", IEEE Float".to_owned(),
                _ => String::new(),
            };
            let words = format!(
                "RIFF (little-endian) data, WAVE audio{coding}, {channels} {} Hz",
                fields.little32(24)
            );
            Finding::binary(words, "audio/x-wav")
        }
        Some(b"WEBP") => Finding::binary("RIFF (little-endian) data, Web/P image", "image/webp"),
        Some(b"AVI ") => Finding::binary("RIFF (little-endian) data, AVI", "video/x-msvideo"),
        _ => Finding::binary("RIFF (little-endian) data", "application/octet-stream"),
    }
}

/// The figures of the header of 100 bytes (sqlite.org/fileformat.html); fewer where no version is recorded.
fn sqlite(fields: &Fields) -> Finding {
    let mut words = String::from("SQLite 3.x database");
    let application = fields.big32(68);
    if application != 0 {
        words += &format!(", application id {application}");
    }
    words += &format!(", user version {}", fields.big32(60));
    let writer = fields.big32(96);
    if writer == 0 {
        return Finding::binary(words, "application/vnd.sqlite3");
    }
    words += &format!(", last written using SQLite version {writer}");
    let size = u32::from(fields.big16(16));
    if size != 4096 && size != 0 {
        words += &format!(", page size {}", if size == 1 { 65_536 } else { size });
    }
    let encoding = match fields.big32(56) {
        2 => "UTF-16 little endian",
        3 => "UTF-16 big endian",
        _ => "UTF-8",
    };
    words += &format!(
        ", file counter {}, database pages {}, cookie {:#x}, schema {}, {encoding}, version-valid-for {}",
        fields.big32(24),
        fields.big32(28),
        fields.big32(40),
        fields.big32(44),
        fields.big32(92)
    );
    Finding::binary(words, "application/vnd.sqlite3")
}
