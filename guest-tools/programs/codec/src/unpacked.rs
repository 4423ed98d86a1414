//! What `zgrep`, `xzdiff`, `bzmore` and their relatives read: files as they were before they were compressed.

use std::cell::Cell;
use std::io::{self, Read};
use std::rc::Rc;

use crate::codec::{Codec, TrailingGarbage};
use offshoot_command::call::{Call, bytes, complain};
use offshoot_command::system::{self, Failure, NO_ENTRY};

/// Which compression the name of a command speaks of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Family {
    /// The command that decompresses.
    pub tool: &'static str,
    codec: Codec,
    suffix: &'static str,
    /// Other compressions are undone too.
    any: bool,
}

const FAMILIES: &[(&str, Family)] = &[
    (
        "xz",
        Family {
            tool: "xz",
            codec: Codec::Xz,
            suffix: ".xz",
            any: true,
        },
    ),
    (
        "bz",
        Family {
            tool: "bzip2",
            codec: Codec::Bzip2,
            suffix: ".bz2",
            any: false,
        },
    ),
    (
        "lz",
        Family {
            tool: "xz",
            codec: Codec::Xz,
            suffix: ".lzma",
            any: true,
        },
    ),
    (
        "zstd",
        Family {
            tool: "zstd",
            codec: Codec::Zstd,
            suffix: ".zst",
            any: false,
        },
    ),
    (
        "z",
        Family {
            tool: "gzip",
            codec: Codec::Gzip,
            suffix: ".gz",
            any: false,
        },
    ),
];

/// The compression of a command such as `zgrep`, and the command that it stands for.
pub fn family(name: &str) -> Option<(Family, &str)> {
    FAMILIES.iter().find_map(|(prefix, family)| {
        let plain = name.strip_prefix(prefix)?;
        let known = ["grep", "egrep", "fgrep", "diff", "cmp", "less", "more"];
        known.contains(&plain).then_some((*family, plain))
    })
}

/// A file that is decompressed while it is read; the reading ends where it is damaged.
pub struct Unpacked {
    inner: Box<dyn Read>,
    tool: &'static str,
    codec: Codec,
    name: Vec<u8>,
    failed: Rc<Cell<bool>>,
}

impl Family {
    /// Opens a file, or standard input for `-`; what is not compressed passes. `failed` is set where
    /// the file is damaged, after a message. Nothing where it cannot be opened, after a message too.
    pub fn open(&self, path: &[u8], failed: &Rc<Cell<bool>>) -> Option<Unpacked> {
        let opened = match system::open_input(path) {
            Err(NO_ENTRY) if self.tool == "gzip" => {
                let longer = bytes!(path, self.suffix);
                system::open_input(&longer).map_err(|failure| (longer, failure))
            }
            opened => opened.map_err(|failure| (path.to_vec(), failure)),
        };
        let opened = opened.map_err(|(path, failure)| self.refuse(&path, failure));
        let mut input = opened.ok()?;
        let mut start = Vec::with_capacity(6);
        let read = input.by_ref().take(6).read_to_end(&mut start);
        if let Err(error) = read {
            self.refuse(path, Failure::from(error));
            return None;
        }
        let found = Codec::of(&start);
        let codec = if self.any || found == self.codec {
            found
        } else {
            Codec::None
        };
        let whole = io::Cursor::new(start).chain(input);
        let name = if path == b"-" { b"stdin" } else { path };
        Some(Unpacked {
            inner: codec.reader(io::BufReader::new(whole)),
            tool: self.tool,
            codec,
            name: name.to_vec(),
            failed: Rc::clone(failed),
        })
    }

    fn refuse(&self, path: &[u8], failure: Failure) {
        let message = match self.tool {
            "bzip2" => bytes!("Can't open input file ", path, ": ", failure, "."),
            "zstd" => bytes!("can't stat ", path, " : ", failure, " -- ignored "),
            _ => bytes!(path, ": ", failure),
        };
        complain(self.tool, message);
    }
}

impl Read for Unpacked {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        match self.inner.read(buffer) {
            Err(error) if self.codec != Codec::None => {
                if !TrailingGarbage::is(&error) {
                    let reason = self.codec.broken(error).1;
                    complain(self.tool, bytes!(self.name, reason));
                    self.failed.set(true);
                }
                self.inner = Box::new(io::empty());
                Ok(0)
            }
            outcome => outcome,
        }
    }
}

/// Two files to be compared: their names, and the contents of those that were decompressed.
pub struct Compared {
    /// What the comparison calls them.
    pub names: [Vec<u8>; 2],
    /// Contents by name.
    pub given: Vec<(Vec<u8>, Vec<u8>)>,
}

impl Family {
    /// Decompresses those of two files whose names say that they are compressed; without a second
    /// one, it is the file that the first was made from.
    ///
    /// # Errors
    /// The status to end with, after a message.
    pub fn compare(&self, call: &Call, operands: &[Vec<u8>]) -> Result<Compared, i32> {
        let (first, second) = match operands {
            [] => return Err(call.fail(2, "missing operand")),
            [first] => match self.stem(first) {
                Some(stem) => (first, stem),
                None => {
                    let message = bytes!(first, ": unknown compressed file extension");
                    return Err(call.fail(2, message));
                }
            },
            [first, second] => (first, second.clone()),
            [_, _, extra, ..] => {
                return Err(call.fail(2, bytes!("extra operand '", extra, "'")));
            }
        };
        let is_packed = |path: &[u8]| path == b"-" || self.stem(path).is_some();
        let mut names = [first.clone(), second];
        let both = names.iter().all(|name| is_packed(name));
        let (mut given, failed) = (Vec::new(), Rc::default());
        for (side, name) in names.iter_mut().enumerate() {
            if name != b"-" && system::stat(name, true).is_err() {
                return Err(call.fail(2, bytes!("cannot open ", name, ": No such file")));
            }
            if !is_packed(name) {
                continue;
            }
            let mut content = Vec::new();
            let mut input = self.open(name, &failed).ok_or(2)?;
            input
                .read_to_end(&mut content)
                .map_err(|error| call.fail(2, bytes!(name, ": ", Failure::from(error))))?;
            *name = if both && side == 0 {
                b"/dev/fd/5".to_vec()
            } else {
                b"-".to_vec()
            };
            given.push((name.clone(), content));
        }
        if failed.get() {
            return Err(2);
        }
        Ok(Compared { names, given })
    }

    /// The name of what was compressed into a file; none where its name tells of no compression.
    fn stem(&self, path: &[u8]) -> Option<Vec<u8>> {
        const GZIP: &[&str] = &[".gz", "-gz", ".z", "-z", ".Z", "-Z"];
        const OTHERS: &[&str] = &[".bz2", ".xz", ".lzma", ".zst"];
        let tars = [
            ("tgz", "tar"),
            ("taz", "tar"),
            ("tbz", "tar"),
            ("tbz2", "tar"),
            ("txz", "tar"),
        ];
        for (short, long) in tars {
            if let Some(stem) = path.strip_suffix(short.as_bytes())
                && stem.ends_with(b".")
            {
                return Some(bytes!(stem, long));
            }
        }
        let others = if self.codec == Codec::Gzip {
            &[][..]
        } else {
            OTHERS
        };
        let suffixes = GZIP.iter().chain(others);
        let mut stems = suffixes.filter_map(|suffix| path.strip_suffix(suffix.as_bytes()));
        stems.next().map(<[u8]>::to_vec)
    }
}
