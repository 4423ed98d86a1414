//! The compressions.

use std::fmt;
use std::io::{self, BufRead, Read, Write};

use bzip2::bufread::BzDecoder;
use bzip2::write::BzEncoder;
use flate2::bufread::GzDecoder;
use flate2::{GzBuilder, write::GzEncoder};
use lzma_rust2::{LzmaOptions, LzmaReader, LzmaWriter, XzOptions, XzReader, XzWriter};
use ruzstd::decoding::StreamingDecoder;
use ruzstd::encoding::CompressionLevel;

use offshoot_command::call::bytes;
use offshoot_command::system::Failure;

/// A compression.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Codec {
    /// The bytes as they are.
    None,
    /// The format of gzip.
    Gzip,
    /// The format of bzip2.
    Bzip2,
    /// The format of xz.
    Xz,
    /// The older format of xz, which has no mark of its own.
    Lzma,
    /// Zstandard.
    Zstd,
}

impl Codec {
    /// The status and the end of the message where the input ended too early or is damaged.
    pub fn broken(self, error: io::Error) -> (i32, Vec<u8>) {
        let status = if self == Codec::Bzip2 { 2 } else { 1 };
        let message = match (error.kind(), self) {
            (io::ErrorKind::UnexpectedEof, Codec::Xz | Codec::Lzma) => ": Unexpected end of input",
            (io::ErrorKind::UnexpectedEof, _) => ": unexpected end of file",
            (
                io::ErrorKind::InvalidInput | io::ErrorKind::InvalidData | io::ErrorKind::Other,
                Codec::Xz | Codec::Lzma,
            ) => ": Compressed data is corrupt",
            (io::ErrorKind::InvalidInput, Codec::Gzip)
                if error.to_string().contains("matching checksum") =>
            {
                ": invalid compressed data--crc error"
            }
            (
                io::ErrorKind::InvalidInput | io::ErrorKind::InvalidData | io::ErrorKind::Other,
                _,
            ) => ": invalid compressed data--format violated",
            _ => return (1, bytes!(": ", Failure::from(error))),
        };
        (status, message.into())
    }

    /// What data that starts like this is compressed with.
    pub fn of(start: &[u8]) -> Codec {
        match start {
            [0x1f, 0x8b, ..] => Codec::Gzip,
            [b'B', b'Z', b'h', b'1'..=b'9', ..] => Codec::Bzip2,
            [0xfd, b'7', b'z', b'X', b'Z', 0, ..] => Codec::Xz,
            // The usual properties, and a size of the dictionary that encoders choose.
            [0x5d, 0, 0, low, high, ..] if is_dictionary(*low, *high) => Codec::Lzma,
            [0x28, 0xb5, 0x2f, 0xfd, ..] | [0x50..=0x5f, 0x2a, 0x4d, 0x18, ..] => Codec::Zstd,
            _ => Codec::None,
        }
    }

    /// The compression that a file's name tells of.
    pub fn of_name(name: &[u8]) -> Codec {
        let ends = |suffixes: &[&str]| {
            suffixes
                .iter()
                .any(|suffix| name.ends_with(suffix.as_bytes()))
        };
        if ends(&[".gz", ".tgz", ".taz"]) {
            Codec::Gzip
        } else if ends(&[".bz2", ".tbz", ".tbz2", ".tz2"]) {
            Codec::Bzip2
        } else if ends(&[".xz", ".txz"]) {
            Codec::Xz
        } else if ends(&[".lzma", ".tlz"]) {
            Codec::Lzma
        } else if ends(&[".zst", ".tzst"]) {
            Codec::Zstd
        } else {
            Codec::None
        }
    }

    /// What `input` was before it was compressed.
    pub fn reader<'a>(self, input: impl BufRead + 'a) -> Box<dyn Read + 'a> {
        match self {
            Codec::None => Box::new(input),
            Codec::Gzip => Box::new(GzMembers {
                decoder: Some(GzDecoder::new(input)),
            }),
            Codec::Bzip2 => Box::new(BzStreams {
                decoder: Some(BzDecoder::new(input)),
            }),
            Codec::Xz => Box::new(XzReader::new(input, true)),
            Codec::Lzma => Box::new(Lzma::Unopened(input)),
            Codec::Zstd => Box::new(ZstdFrames {
                state: ZstdState::Between(Some(input)),
            }),
        }
    }
}

/// Whether these are the high bytes of a power of two, or of one and a half of it.
fn is_dictionary(low: u8, high: u8) -> bool {
    let size = u16::from_le_bytes([low, high]);
    let above = size & size.wrapping_sub(1);
    size != 0 && (above == 0 || above == (size & above.wrapping_neg()) && size == above + above / 2)
}

/// How much memory the decoder may take, in KiB: what a dictionary of 64 MiB needs.
const LZMA_MEMORY: u32 = 66 << 10;

/// Data of the older format; its header is read with the first bytes.
enum Lzma<R: BufRead> {
    Unopened(R),
    Open(Box<LzmaReader<R>>),
    Broken,
}

impl<R: BufRead> Read for Lzma<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if let Lzma::Unopened(_) = self
            && let Lzma::Unopened(input) = std::mem::replace(self, Lzma::Broken)
        {
            let reader = LzmaReader::new_mem_limit(input, LZMA_MEMORY, None)?;
            *self = Lzma::Open(Box::new(reader));
        }
        match self {
            Lzma::Open(reader) => reader.read(buffer),
            _ => Ok(0),
        }
    }
}

/// What follows the compressed data is neither zeros nor more of it. Everything before it was read.
#[derive(Debug)]
pub struct TrailingGarbage;

impl TrailingGarbage {
    /// Whether this is what `error` says.
    pub fn is(error: &io::Error) -> bool {
        error
            .get_ref()
            .is_some_and(|inner| inner.is::<TrailingGarbage>())
    }
}

impl fmt::Display for TrailingGarbage {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str("decompression OK, trailing garbage ignored")
    }
}

impl std::error::Error for TrailingGarbage {}

/// The members of gzip data, one after the other; zeros may follow, as tapes have them.
struct GzMembers<R: BufRead> {
    decoder: Option<GzDecoder<R>>,
}

impl<R: BufRead> GzMembers<R> {
    /// Goes on to the next member; false where there is none.
    fn next(&mut self) -> io::Result<bool> {
        let Some(decoder) = self.decoder.take() else {
            return Ok(false);
        };
        let mut input = decoder.into_inner();
        let mut padding = false;
        loop {
            let rest = input.fill_buf()?;
            match rest.iter().position(|&byte| byte != 0) {
                None if rest.is_empty() => return Ok(false),
                None => {
                    padding = true;
                    let count = rest.len();
                    input.consume(count);
                }
                Some(0) if !padding && rest[0] == 0x1f => {
                    self.decoder = Some(GzDecoder::new(input));
                    return Ok(true);
                }
                Some(_) => return Err(io::Error::other(TrailingGarbage)),
            }
        }
    }
}

impl<R: BufRead> Read for GzMembers<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        while let Some(decoder) = &mut self.decoder {
            let count = decoder.read(buffer)?;
            if count > 0 || buffer.is_empty() {
                return Ok(count);
            }
            if !self.next()? {
                break;
            }
        }
        Ok(0)
    }
}

/// The streams of bzip2 data, one after the other.
struct BzStreams<R: BufRead> {
    decoder: Option<BzDecoder<R>>,
}

impl<R: BufRead> Read for BzStreams<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        while let Some(decoder) = &mut self.decoder {
            let count = decoder.read(buffer)?;
            if count > 0 || buffer.is_empty() {
                return Ok(count);
            }
            let Some(mut input) = self.decoder.take().map(BzDecoder::into_inner) else {
                break;
            };
            let rest = input.fill_buf()?;
            if rest.is_empty() {
                break;
            }
            // Data that ends within the mark is as short as any other.
            let mark = b"BZh";
            if !rest.starts_with(&mark[..rest.len().min(mark.len())]) {
                return Err(io::Error::other(TrailingGarbage));
            }
            self.decoder = Some(BzDecoder::new(input));
        }
        Ok(0)
    }
}

/// An error of the decoder as an input that ended, where that is the reason.
fn ended(error: io::Error) -> io::Error {
    let mut reason = error
        .get_ref()
        .map(|inner| inner as &(dyn std::error::Error + 'static));
    while let Some(inner) = reason {
        let kind = inner.downcast_ref::<io::Error>().map(io::Error::kind);
        if kind == Some(io::ErrorKind::UnexpectedEof) {
            return io::ErrorKind::UnexpectedEof.into();
        }
        reason = inner.source();
    }
    error
}

/// The frames of Zstandard data, one after the other.
struct ZstdFrames<R: BufRead> {
    state: ZstdState<R>,
}

enum ZstdState<R: BufRead> {
    Between(Option<R>),
    Inside(Box<StreamingDecoder<R, ruzstd::decoding::FrameDecoder>>),
}

impl<R: BufRead> ZstdFrames<R> {
    /// Begins the next frame; false where there is none. Frames to be skipped are skipped.
    fn begin(&mut self) -> io::Result<bool> {
        let ZstdState::Between(input) = &mut self.state else {
            return Ok(true);
        };
        let Some(mut input) = input.take() else {
            return Ok(false);
        };
        loop {
            let start = input.fill_buf()?;
            if start.is_empty() {
                return Ok(false);
            }
            match start {
                [0x50..=0x5f, ..] => {}
                [0x28, ..] => break,
                _ => return Err(io::ErrorKind::InvalidData.into()),
            }
            let mut head = [0; 8];
            input.read_exact(&mut head)?;
            let length = u32::from_le_bytes([head[4], head[5], head[6], head[7]]);
            io::copy(&mut (&mut input).take(u64::from(length)), &mut io::sink())?;
        }
        let decoder =
            StreamingDecoder::new(input).map_err(|error| ended(io::Error::other(error)))?;
        self.state = ZstdState::Inside(Box::new(decoder));
        Ok(true)
    }
}

impl<R: BufRead> Read for ZstdFrames<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        while self.begin()? {
            let ZstdState::Inside(decoder) = &mut self.state else {
                return Ok(0);
            };
            let count = decoder.read(buffer).map_err(ended)?;
            if count > 0 || buffer.is_empty() {
                return Ok(count);
            }
            let found = decoder.decoder.get_checksum_from_data();
            if found.is_some() && found != decoder.decoder.get_calculated_checksum() {
                return Err(io::Error::other("Restored data doesn't match checksum"));
            }
            let state = std::mem::replace(&mut self.state, ZstdState::Between(None));
            if let ZstdState::Inside(decoder) = state {
                self.state = ZstdState::Between(Some(decoder.into_inner()));
            }
        }
        Ok(0)
    }
}

/// How much text one frame of Zstandard has: it is in memory until the frame is made.
const FRAME: usize = 1 << 20;

/// Makes frames of Zstandard.
pub struct ZstdWriter<W: Write> {
    text: Vec<u8>,
    out: W,
    written: bool,
}

impl<W: Write> ZstdWriter<W> {
    fn frame(&mut self) -> io::Result<()> {
        let frame =
            ruzstd::encoding::compress_to_vec(self.text.as_slice(), CompressionLevel::Fastest);
        self.text.clear();
        self.written = true;
        self.out.write_all(&frame)
    }

    fn finish(mut self) -> io::Result<W> {
        if !self.written || !self.text.is_empty() {
            self.frame()?;
        }
        Ok(self.out)
    }
}

impl<W: Write> Write for ZstdWriter<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.text.len() >= FRAME {
            self.frame()?;
        }
        let count = bytes.len().min(FRAME - self.text.len());
        self.text.extend_from_slice(&bytes[..count]);
        Ok(count)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

/// How far xz looks back at most, as its level 6 does: the ten times as much memory that a dictionary takes
/// must fit in a process.
pub(crate) const LARGEST_DICTIONARY: u32 = 8 << 20;

/// Compresses what is written, in constant memory; `finish` must be called at the end.
pub enum Encoder<W: Write> {
    /// [`Codec::None`].
    None(W),
    /// [`Codec::Gzip`].
    Gzip(GzEncoder<W>),
    /// [`Codec::Bzip2`].
    Bzip2(BzEncoder<W>),
    /// [`Codec::Xz`].
    Xz(Box<XzWriter<W>>),
    /// [`Codec::Lzma`].
    Lzma(Box<LzmaWriter<W>>),
    /// [`Codec::Zstd`].
    Zstd(ZstdWriter<W>),
}

impl<W: Write> Encoder<W> {
    /// Compresses into `out`; `name` and `time` are kept where the format has room for them.
    pub fn new(
        codec: Codec,
        out: W,
        level: u32,
        name: Option<(&[u8], u32)>,
    ) -> io::Result<Encoder<W>> {
        Ok(match codec {
            Codec::None => Encoder::None(out),
            Codec::Gzip => {
                let mut builder = GzBuilder::new().operating_system(3);
                if let Some((name, time)) = name {
                    builder = builder.filename(name).mtime(time);
                }
                Encoder::Gzip(builder.write(out, flate2::Compression::new(level)))
            }
            Codec::Bzip2 => {
                Encoder::Bzip2(BzEncoder::new(out, bzip2::Compression::new(level.max(1))))
            }
            Codec::Xz => {
                let mut options = XzOptions::with_preset(level);
                let size = &mut options.lzma_options.dict_size;
                *size = (*size).min(LARGEST_DICTIONARY);
                Encoder::Xz(Box::new(XzWriter::new(out, options)?))
            }
            Codec::Lzma => {
                let mut options = LzmaOptions::with_preset(level);
                options.dict_size = options.dict_size.min(LARGEST_DICTIONARY);
                Encoder::Lzma(Box::new(LzmaWriter::new_use_header(out, &options, None)?))
            }
            Codec::Zstd => Encoder::Zstd(ZstdWriter {
                text: Vec::new(),
                out,
                written: false,
            }),
        })
    }

    /// Writes what is left.
    pub fn finish(self) -> io::Result<W> {
        Ok(match self {
            Encoder::None(out) => out,
            Encoder::Gzip(encoder) => encoder.finish()?,
            Encoder::Bzip2(encoder) => encoder.finish()?,
            Encoder::Xz(encoder) => encoder.finish()?,
            Encoder::Lzma(encoder) => encoder.finish()?,
            Encoder::Zstd(encoder) => encoder.finish()?,
        })
    }
}

impl<W: Write> Write for Encoder<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            Encoder::None(out) => out.write(bytes),
            Encoder::Gzip(encoder) => encoder.write(bytes),
            Encoder::Bzip2(encoder) => encoder.write(bytes),
            Encoder::Xz(encoder) => encoder.write(bytes),
            Encoder::Lzma(encoder) => encoder.write(bytes),
            Encoder::Zstd(encoder) => encoder.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match self {
            Encoder::None(out) => out.flush(),
            Encoder::Gzip(encoder) => encoder.flush(),
            Encoder::Bzip2(encoder) => encoder.flush(),
            Encoder::Xz(encoder) => encoder.flush(),
            Encoder::Lzma(encoder) => encoder.flush(),
            Encoder::Zstd(encoder) => encoder.flush(),
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a failure shows as a failed test")]

    use super::*;

    #[test]
    fn what_is_compressed_comes_back() {
        let text: Vec<u8> = (0..300_000_u32)
            .flat_map(|number| number.wrapping_mul(number).to_le_bytes())
            .collect();
        for codec in [
            Codec::None,
            Codec::Gzip,
            Codec::Bzip2,
            Codec::Xz,
            Codec::Lzma,
            Codec::Zstd,
        ] {
            // More than a frame of Zstandard, and as much as one.
            let (large, whole) = match codec {
                Codec::Zstd => (&text[..], &text[..FRAME]),
                _ => (&text[..100_000], &text[..1]),
            };
            for content in [large, whole, b"", b"one"] {
                let mut encoder = Encoder::new(codec, Vec::new(), 6, Some((b"name", 7))).unwrap();
                encoder.write_all(content).unwrap();
                let packed = encoder.finish().unwrap();
                assert_eq!(Codec::of(&packed), codec, "{codec:?}");
                let mut back = Vec::new();
                codec
                    .reader(packed.as_slice())
                    .read_to_end(&mut back)
                    .unwrap();
                assert_eq!(back, content, "{codec:?}");
            }
        }
    }
}
