//! A coder for other programs of the sandbox, who hand data over in pieces and get back what there is of it by
//! then: what `bz2` and `lzma` of `python3` stand on.
//!
//! `xz --coder FORMAT c|d [NAME=NUMBER]...` reads frames from its standard input, each a length of four bytes and as
//! many bytes (numbers are little-endian); a frame of no bytes ends what is to be compressed. It answers each with
//! frames that begin with a letter:
//!
//! - `d`: data.
//! - `n`: all that was given is used up; more is wanted.
//! - `e`: the end of the stream, with what was given and does not belong to it.
//! - `x`: an error, with its message; `m`: more memory is needed than `memory=` allows.
//!
//! Formats are `bzip2`, `xz`, `lzma` and, without a header, `lzma1` and `lzma2`. Settings are those of
//! [`Settings`].

use std::cell::RefCell;
use std::io::{self, Read, Write};
use std::rc::Rc;

use bzip2::write::BzEncoder;
use lzma_rust2::{
    Action, CheckType, EncodeMode, FilterConfig, FilterType, Lzma2Options, Lzma2Stream,
    Lzma2Writer, LzmaOptions, LzmaStream, LzmaWriter, MfType, Status, XzOptions, XzStream,
    XzWriter,
};

use crate::codec::LARGEST_DICTIONARY;
use offshoot_command::call::Call;

/// How much is compressed or decompressed before it is handed over.
const PIECE: usize = 32 << 10;
/// The largest frame that is taken.
const LARGEST_FRAME: usize = 1 << 20;

/// Runs the coder that the arguments ask for; its exit status.
pub fn run(call: &Call) -> i32 {
    let words: Vec<_> = call
        .arguments
        .iter()
        .map(|word| String::from_utf8_lossy(word))
        .collect();
    let (Some(format), Some(mode)) = (
        words.first().and_then(|word| Format::of(word)),
        words.get(1),
    ) else {
        return call.fail(
            2,
            "usage: --coder bzip2|xz|lzma|lzma1|lzma2 c|d [NAME=NUMBER]...",
        );
    };
    let mut settings = Settings::default();
    for word in &words[2..] {
        if !settings.set(word) {
            return call.fail(2, format!("{word}: no such setting"));
        }
    }
    let (input, output) = (io::stdin().lock(), io::stdout().lock());
    let done = match &**mode {
        "c" => encode(format, &settings, input, output),
        "d" => decode(format, &settings, input, output),
        _ => return call.fail(2, "neither c nor d"),
    };
    // Who asked is gone, or was told.
    i32::from(done.is_err())
}

/// A format of compressed data.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Format {
    Bzip2,
    Xz,
    Lzma,
    Lzma1,
    Lzma2,
}

impl Format {
    fn of(name: &str) -> Option<Format> {
        Some(match name {
            "bzip2" => Format::Bzip2,
            "xz" => Format::Xz,
            "lzma" => Format::Lzma,
            "lzma1" => Format::Lzma1,
            "lzma2" => Format::Lzma2,
            _ => return None,
        })
    }
}

/// What the arguments set; what they do not is as the format's own tool has it.
#[derive(Debug)]
struct Settings {
    level: u32,
    check: CheckType,
    options: LzmaOptions,
    filters: Vec<FilterConfig>,
    /// In KiB.
    memory: u32,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings {
            level: 6,
            check: CheckType::Crc64,
            options: LzmaOptions::with_preset(6),
            filters: Vec::new(),
            memory: u32::MAX,
        }
    }
}

impl Settings {
    /// Takes `NAME=NUMBER` in. `preset` comes before what changes single settings of it. A filter is named by its
    /// number in xz's format and has its property as number.
    fn set(&mut self, word: &str) -> bool {
        let Some((name, Ok(number))) = word
            .split_once('=')
            .map(|(name, number)| (name, number.parse::<u32>()))
        else {
            return false;
        };
        let options = &mut self.options;
        match name {
            "level" if (1..=9).contains(&number) => self.level = number,
            "preset" if number <= 9 => *options = LzmaOptions::with_preset(number),
            "dictionary" => options.dict_size = number,
            "lc" if number <= 4 => options.lc = number,
            "lp" if number <= 4 => options.lp = number,
            "pb" if number <= 4 => options.pb = number,
            "mode" => {
                options.mode = if number == 1 {
                    EncodeMode::Fast
                } else {
                    EncodeMode::Normal
                }
            }
            "nice" if (8..=273).contains(&number) => options.nice_len = number,
            "finder" => {
                options.mf = if number < 0x10 {
                    MfType::Hc4
                } else {
                    MfType::Bt4
                }
            }
            "depth" => options.depth_limit = number.min(1000) as i32,
            "memory" => self.memory = number,
            "check" => {
                self.check = match number {
                    0 => CheckType::None,
                    1 => CheckType::Crc32,
                    4 => CheckType::Crc64,
                    10 => CheckType::Sha256,
                    _ => return false,
                }
            }
            _ => {
                let Some(Ok(filter)) = name
                    .strip_prefix("filter")
                    .map(|number| number.parse::<u64>())
                else {
                    return false;
                };
                match FilterType::try_from(filter) {
                    Ok(filter_type)
                        if filter_type != FilterType::Lzma2 && self.filters.len() < 3 =>
                    {
                        self.filters.push(FilterConfig {
                            filter_type,
                            property: number,
                        });
                    }
                    _ => return false,
                }
            }
        }
        true
    }

    /// The options of a compressor, whose memory is bounded.
    fn bounded(&self) -> LzmaOptions {
        let mut options = self.options.clone();
        options.dict_size = options.dict_size.clamp(4096, LARGEST_DICTIONARY);
        options
    }
}

/// The next frame, or none at the end of the input.
fn receive(input: &mut impl Read) -> io::Result<Option<Vec<u8>>> {
    let mut length = [0; 4];
    match input.read_exact(&mut length) {
        Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => return Ok(None),
        other => other?,
    }
    let length = u32::from_le_bytes(length) as usize;
    if length > LARGEST_FRAME {
        return Err(io::ErrorKind::InvalidData.into());
    }
    let mut frame = vec![0; length];
    input.read_exact(&mut frame)?;
    Ok(Some(frame))
}

fn send(output: &mut impl Write, kind: u8, bytes: &[u8]) -> io::Result<()> {
    let [a, b, c, d] = u32::try_from(bytes.len())
        .map_err(io::Error::other)?
        .to_le_bytes();
    output.write_all(&[kind, a, b, c, d])?;
    output.write_all(bytes)?;
    output.flush()
}

/// Says what went wrong with the data, which ends the conversation.
fn refuse(output: &mut impl Write, error: &io::Error) -> io::Result<()> {
    let kind = if error.kind() == io::ErrorKind::OutOfMemory {
        b'm'
    } else {
        b'x'
    };
    send(output, kind, error.to_string().as_bytes())
}

/// What a decoder did with what it was given.
struct Step {
    used: usize,
    made: usize,
    ended: bool,
}

/// A decoder that takes what there is.
enum Decoder {
    Bzip2(bzip2::Decompress),
    Xz(Box<XzStream>),
    Lzma(Box<LzmaStream>),
    Lzma2(Box<Lzma2Stream>),
}

impl Decoder {
    fn new(format: Format, settings: &Settings) -> io::Result<Decoder> {
        let options = &settings.options;
        Ok(match format {
            Format::Bzip2 => Decoder::Bzip2(bzip2::Decompress::new(false)),
            Format::Xz => Decoder::Xz(Box::new(XzStream::new_mem_limit(false, settings.memory))),
            Format::Lzma => {
                Decoder::Lzma(Box::new(LzmaStream::new_mem_limit(settings.memory, None)))
            }
            Format::Lzma1 => {
                let (lc, lp, pb) = (options.lc, options.lp, options.pb);
                let mut stream = LzmaStream::new(u64::MAX, lc, lp, pb, options.dict_size, None)?;
                stream.set_filters(&settings.filters)?;
                Decoder::Lzma(Box::new(stream))
            }
            Format::Lzma2 => {
                let mut stream = Lzma2Stream::new_mem_limit(options.dict_size, settings.memory);
                stream.set_filters(&settings.filters)?;
                Decoder::Lzma2(Box::new(stream))
            }
        })
    }

    fn step(&mut self, input: &[u8], room: &mut [u8]) -> io::Result<Step> {
        let result = match self {
            Decoder::Bzip2(stream) => {
                let (before, made) = (stream.total_in(), stream.total_out());
                let status = stream.decompress(input, room).map_err(io::Error::other)?;
                return Ok(Step {
                    used: (stream.total_in() - before) as usize,
                    made: (stream.total_out() - made) as usize,
                    ended: status == bzip2::Status::StreamEnd,
                });
            }
            Decoder::Xz(stream) => stream.process(input, room, Action::Run)?,
            Decoder::Lzma(stream) => stream.process(input, room, Action::Run)?,
            Decoder::Lzma2(stream) => stream.process(input, room, Action::Run)?,
        };
        Ok(Step {
            used: result.bytes_consumed,
            made: result.bytes_produced,
            ended: result.status == Status::StreamEnd,
        })
    }

    /// What was taken and does not belong to the stream that has ended.
    fn unused(&self) -> &[u8] {
        match self {
            Decoder::Lzma(stream) => stream.unused_input(),
            _ => &[],
        }
    }
}

fn decode(
    format: Format,
    settings: &Settings,
    mut input: impl Read,
    mut output: impl Write,
) -> io::Result<()> {
    let mut decoder = match Decoder::new(format, settings) {
        Ok(decoder) => decoder,
        Err(error) => return refuse(&mut output, &error),
    };
    let mut room = vec![0; PIECE];
    while let Some(frame) = receive(&mut input)? {
        let mut rest = &frame[..];
        loop {
            let step = match decoder.step(rest, &mut room) {
                Ok(step) => step,
                Err(error) => return refuse(&mut output, &error),
            };
            rest = &rest[step.used..];
            if step.made > 0 {
                send(&mut output, b'd', &room[..step.made])?;
            }
            if step.ended {
                let unused = [decoder.unused(), rest].concat();
                return send(&mut output, b'e', &unused);
            }
            if step.made == 0 && (rest.is_empty() || step.used == 0) {
                break;
            }
        }
        if !rest.is_empty() {
            return refuse(&mut output, &io::ErrorKind::InvalidData.into());
        }
        send(&mut output, b'n', b"")?;
    }
    Ok(())
}

/// Bytes that the encoder has made and nobody has sent.
#[derive(Clone, Default)]
struct Made(Rc<RefCell<Vec<u8>>>);

impl Write for Made {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.borrow_mut().extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

enum Encoder {
    Bzip2(BzEncoder<Made>),
    Xz(Box<XzWriter<Made>>),
    Lzma(Box<LzmaWriter<Made>>),
    Lzma2(Box<Lzma2Writer<Made>>),
}

impl Encoder {
    fn new(format: Format, settings: &Settings, made: Made) -> io::Result<Encoder> {
        let options = settings.bounded();
        if matches!(format, Format::Lzma | Format::Lzma1 | Format::Lzma2)
            && !settings.filters.is_empty()
        {
            return Err(io::Error::other("Unsupported filter chain"));
        }
        Ok(match format {
            Format::Bzip2 => Encoder::Bzip2(BzEncoder::new(
                made,
                bzip2::Compression::new(settings.level),
            )),
            Format::Xz => {
                let mut xz = XzOptions::with_preset(6);
                (xz.lzma_options, xz.check_type, xz.filters) =
                    (options, settings.check, settings.filters.clone());
                Encoder::Xz(Box::new(XzWriter::new(made, xz)?))
            }
            Format::Lzma => {
                Encoder::Lzma(Box::new(LzmaWriter::new_use_header(made, &options, None)?))
            }
            Format::Lzma1 => {
                Encoder::Lzma(Box::new(LzmaWriter::new_no_header(made, &options, true)?))
            }
            Format::Lzma2 => {
                let options = Lzma2Options {
                    lzma_options: options,
                    chunk_size: None,
                };
                Encoder::Lzma2(Box::new(Lzma2Writer::new(made, options)))
            }
        })
    }

    fn write(&mut self, bytes: &[u8]) -> io::Result<()> {
        match self {
            Encoder::Bzip2(encoder) => encoder.write_all(bytes),
            Encoder::Xz(encoder) => encoder.write_all(bytes),
            Encoder::Lzma(encoder) => encoder.write_all(bytes),
            Encoder::Lzma2(encoder) => encoder.write_all(bytes),
        }
    }

    fn finish(self) -> io::Result<()> {
        match self {
            Encoder::Bzip2(encoder) => encoder.finish().map(drop),
            Encoder::Xz(encoder) => encoder.finish().map(drop),
            Encoder::Lzma(encoder) => encoder.finish().map(drop),
            Encoder::Lzma2(encoder) => encoder.finish().map(drop),
        }
    }
}

fn encode(
    format: Format,
    settings: &Settings,
    mut input: impl Read,
    mut output: impl Write,
) -> io::Result<()> {
    let made = Made::default();
    let mut encoder = match Encoder::new(format, settings, made.clone()) {
        Ok(encoder) => encoder,
        Err(error) => return refuse(&mut output, &error),
    };
    while let Some(frame) = receive(&mut input)? {
        if frame.is_empty() {
            return match encoder.finish() {
                Ok(()) => {
                    hand_over(&made, &mut output)?;
                    send(&mut output, b'e', b"")
                }
                Err(error) => refuse(&mut output, &error),
            };
        }
        if let Err(error) = encoder.write(&frame) {
            return refuse(&mut output, &error);
        }
        hand_over(&made, &mut output)?;
        send(&mut output, b'n', b"")?;
    }
    Ok(())
}

/// Sends what was made.
fn hand_over(made: &Made, output: &mut impl Write) -> io::Result<()> {
    let made = made.0.take();
    made.chunks(PIECE)
        .try_for_each(|piece| send(output, b'd', piece))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a failure shows as a failed test")]

    use super::*;

    /// Frames of these pieces, as the coder takes them.
    fn frames(pieces: &[&[u8]]) -> Vec<u8> {
        let frame = |piece: &&[u8]| [&(piece.len() as u32).to_le_bytes()[..], *piece].concat();
        pieces.iter().flat_map(frame).collect()
    }

    /// The data that was answered, the letters of the other frames, and what the last one says.
    fn answer(mut bytes: &[u8]) -> (Vec<u8>, String, Vec<u8>) {
        let (mut data, mut letters, mut last) = (Vec::new(), String::new(), Vec::new());
        while let [kind, a, b, c, d, rest @ ..] = bytes {
            let (text, rest) = rest.split_at(u32::from_le_bytes([*a, *b, *c, *d]) as usize);
            match kind {
                b'd' => data.extend_from_slice(text),
                _ => {
                    letters.push(*kind as char);
                    last = text.to_vec();
                }
            }
            bytes = rest;
        }
        (data, letters, last)
    }

    fn coded(
        pieces: &[&[u8]],
        format: Format,
        settings: &Settings,
        decodes: bool,
    ) -> (Vec<u8>, String, Vec<u8>) {
        let (input, mut output) = (frames(pieces), Vec::new());
        let code = if decodes {
            decode(format, settings, &input[..], &mut output)
        } else {
            encode(format, settings, &input[..], &mut output)
        };
        code.unwrap();
        answer(&output)
    }

    const FORMATS: [Format; 5] = [
        Format::Bzip2,
        Format::Xz,
        Format::Lzma,
        Format::Lzma1,
        Format::Lzma2,
    ];

    #[test]
    fn data_comes_back_however_it_is_cut() {
        let text: Vec<u8> = (0..60_000_u32)
            .flat_map(|number| (number % 977).to_string().into_bytes())
            .collect();
        let settings = Settings::default();
        for format in FORMATS {
            let (half, rest) = text.split_at(70_000);
            let (packed, letters, _) = coded(&[half, rest, b""], format, &settings, false);
            assert_eq!(letters, "nne", "{format:?}");
            for size in [1, 7, 4096, packed.len()] {
                let pieces: Vec<_> = packed.chunks(size).collect();
                let (back, letters, unused) = coded(&pieces, format, &settings, true);
                assert!(back == text, "{format:?} in pieces of {size}");
                assert_eq!(
                    (letters.ends_with('e'), unused.len()),
                    (true, 0),
                    "{format:?} in pieces of {size}"
                );
            }
        }
    }

    #[test]
    fn what_follows_a_stream_is_given_back() {
        let settings = Settings::default();
        for format in FORMATS {
            let (mut packed, ..) = coded(&[b"text", b""], format, &settings, false);
            packed.extend_from_slice(b"what follows");
            let (back, letters, unused) = coded(&[&packed], format, &settings, true);
            let expected = (&b"text"[..], "e", &b"what follows"[..]);
            assert_eq!(
                (&back[..], &letters[..], &unused[..]),
                expected,
                "{format:?}"
            );
        }
    }

    #[test]
    fn damage_and_an_early_end_are_seen() {
        let settings = Settings::default();
        for format in [Format::Bzip2, Format::Xz] {
            let (mut packed, ..) = coded(&[&[7; 1000], b""], format, &settings, false);
            let (_, letters, _) = coded(&[&packed[..packed.len() - 9]], format, &settings, true);
            assert_eq!(letters, "n", "{format:?}");
            packed[20] ^= 0xff;
            let (_, letters, message) = coded(&[&packed], format, &settings, true);
            assert_eq!(
                (&letters[..], message.is_empty()),
                ("x", false),
                "{format:?}"
            );
        }
    }

    #[test]
    fn settings_of_xz_are_in_what_it_makes() {
        let mut settings = Settings::default();
        for word in [
            "preset=1",
            "dictionary=65536",
            "lc=2",
            "check=10",
            "filter3=4",
            "memory=100000",
        ] {
            assert!(settings.set(word), "{word}");
        }
        for word in [
            "lc=9",
            "check=3",
            "filter33=0",
            "filter99=0",
            "nothing=1",
            "preset",
            "preset=x",
        ] {
            assert!(!settings.set(word), "{word}");
        }
        let text: Vec<u8> = (0..40_000_u32).map(|number| (number / 4) as u8).collect();
        let (packed, ..) = coded(&[&text, b""], Format::Xz, &settings, false);
        assert_eq!(packed[7], 10, "the check's number in the header");
        assert_eq!(coded(&[&packed], Format::Xz, &settings, true).0, text);
        settings.memory = 1;
        assert_eq!(coded(&[&packed], Format::Xz, &settings, true).1, "m");
    }
}
