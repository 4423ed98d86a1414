//! The compressions.

use std::io::{self, BufRead, Read, Write};

use bzip2::read::MultiBzDecoder;
use bzip2::write::BzEncoder;
use flate2::bufread::MultiGzDecoder;
use flate2::{GzBuilder, write::GzEncoder};
use lzma_rust2::{XzOptions, XzReader, XzWriter};
use ruzstd::decoding::StreamingDecoder;
use ruzstd::encoding::CompressionLevel;

/// A compression.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Codec {
    None,
    Gzip,
    Bzip2,
    Xz,
    Zstd,
}

impl Codec {
    /// What data that starts like this is compressed with.
    pub fn of(start: &[u8]) -> Codec {
        match start {
            [0x1f, 0x8b, ..] => Codec::Gzip,
            [b'B', b'Z', b'h', b'1'..=b'9', ..] => Codec::Bzip2,
            [0xfd, b'7', b'z', b'X', b'Z', 0, ..] => Codec::Xz,
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
            Codec::Gzip => Box::new(MultiGzDecoder::new(input)),
            Codec::Bzip2 => Box::new(MultiBzDecoder::new(input)),
            Codec::Xz => Box::new(XzReader::new(input, true)),
            Codec::Zstd => Box::new(ZstdFrames {
                state: ZstdState::Between(Some(input)),
            }),
        }
    }
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
            if !matches!(start, [0x50..=0x5f, ..]) {
                break;
            }
            let mut head = [0; 8];
            input.read_exact(&mut head)?;
            let length = u32::from_le_bytes([head[4], head[5], head[6], head[7]]);
            io::copy(&mut (&mut input).take(u64::from(length)), &mut io::sink())?;
        }
        let decoder = StreamingDecoder::new(input).map_err(io::Error::other)?;
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
            let count = decoder.read(buffer)?;
            if count > 0 || buffer.is_empty() {
                return Ok(count);
            }
            let state = std::mem::replace(&mut self.state, ZstdState::Between(None));
            if let ZstdState::Inside(decoder) = state {
                self.state = ZstdState::Between(Some(decoder.into_inner()));
            }
        }
        Ok(0)
    }
}

/// Compresses what is written; `finish` must be called at the end.
pub enum Encoder<W: Write> {
    None(W),
    Gzip(GzEncoder<W>),
    Bzip2(BzEncoder<W>),
    Xz(Box<XzWriter<W>>),
    /// The text so far: a frame is made at the end.
    Zstd(Vec<u8>, W),
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
            Codec::Xz => Encoder::Xz(Box::new(XzWriter::new(out, XzOptions::with_preset(level))?)),
            Codec::Zstd => Encoder::Zstd(Vec::new(), out),
        })
    }

    /// Writes what is left.
    pub fn finish(self) -> io::Result<W> {
        Ok(match self {
            Encoder::None(out) => out,
            Encoder::Gzip(encoder) => encoder.finish()?,
            Encoder::Bzip2(encoder) => encoder.finish()?,
            Encoder::Xz(encoder) => encoder.finish()?,
            Encoder::Zstd(text, mut out) => {
                let frame =
                    ruzstd::encoding::compress_to_vec(text.as_slice(), CompressionLevel::Fastest);
                out.write_all(&frame)?;
                out
            }
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
            Encoder::Zstd(text, _) => text.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match self {
            Encoder::None(out) => out.flush(),
            Encoder::Gzip(encoder) => encoder.flush(),
            Encoder::Bzip2(encoder) => encoder.flush(),
            Encoder::Xz(encoder) => encoder.flush(),
            Encoder::Zstd(..) => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a failure shows as a failed test")]

    use super::*;

    #[test]
    fn what_is_compressed_comes_back() {
        let text: Vec<u8> = (0..50_000_u32)
            .flat_map(|number| (number * number).to_le_bytes())
            .collect();
        for codec in [
            Codec::None,
            Codec::Gzip,
            Codec::Bzip2,
            Codec::Xz,
            Codec::Zstd,
        ] {
            for content in [&text[..], b"", b"one"] {
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
