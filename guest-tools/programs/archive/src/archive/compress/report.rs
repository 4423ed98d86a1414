//! What `-v` and `-l` say about sizes.

use std::io::{Read as _, Seek as _, SeekFrom};

use crate::output::Output;
use crate::system::{self, Stat, Time};
use crate::time;

/// How much went in and came out.
pub(super) struct Sizes {
    pub(super) before: u64,
    pub(super) after: u64,
    /// What the header and the end of a gzip file take, which gzip does not count.
    pub(super) frame: u64,
    /// Something that is no compressed data followed.
    pub(super) garbage: bool,
}

impl Sizes {
    /// The bytes of the packed form and of the plain one.
    fn packed(&self, undo: bool) -> (u64, u64) {
        if undo {
            (self.before, self.after)
        } else {
            (self.after, self.before)
        }
    }

    /// What is saved, in per cent; 0 for an empty file.
    pub(super) fn saved(&self, undo: bool) -> f64 {
        let (packed, plain) = self.packed(undo);
        if plain == 0 {
            return 0.0;
        }
        let packed = packed.saturating_sub(self.frame);
        100.0 * (1.0 - packed as f64 / plain as f64)
    }

    /// What bzip2 says of a file that it packed.
    pub(super) fn of_bzip2(&self) -> String {
        let (plain, packed) = (self.before as f64, self.after as f64);
        if self.before == 0 {
            return " no data compressed.".to_owned();
        }
        format!(
            "{:6.3}:1, {:6.3} bits/byte, {:5.2}% saved, {} in, {} out.",
            plain / packed,
            8.0 * packed / plain,
            100.0 * (1.0 - packed / plain),
            self.before,
            self.after
        )
    }

    /// What xz says: both sizes and their ratio.
    pub(super) fn of_xz(&self, undo: bool) -> String {
        let (packed, plain) = self.packed(undo);
        let ratio = packed as f64 / plain as f64;
        let ratio = if plain > 0 && ratio <= 9.999 {
            format!("= {ratio:.3}")
        } else {
            "> 9.999".to_owned()
        };
        format!("{} / {} {ratio}", nice(packed), nice(plain))
    }
}

/// A size as xz shows it: `9999 B`, `17.6 KiB`.
fn nice(size: u64) -> String {
    if size < 10_000 {
        return format!("{size} B");
    }
    let mut value = size as f64 / 1024.0;
    let mut units = ["KiB", "MiB", "GiB"].iter();
    while let Some(unit) = units.next() {
        if value <= 9999.9 || units.len() == 0 {
            return format!("{value:.1} {unit}");
        }
        value /= 1024.0;
    }
    format!("{value:.1} TiB")
}

/// The frame of a gzip file with a kept name of that length.
pub(super) fn framed(name: Option<usize>) -> u64 {
    18 + name.map_or(0, |name| name as u64 + 1)
}

/// The checksum that a gzip file ends in; 0 where there is none.
fn checksum(path: &[u8]) -> u32 {
    let mut end = [0; 4];
    let read = system::open_file(path).and_then(|mut file| {
        file.seek(SeekFrom::End(-8))?;
        Ok(file.read_exact(&mut end)?)
    });
    read.map_or(0, |()| u32::from_le_bytes(end))
}

/// The table of `gzip -l`, with `-v` a wider one.
pub(super) struct Listing {
    verbose: bool,
    quiet: bool,
    /// The files so far, and the sums of their sizes.
    files: usize,
    packed: u64,
    plain: u64,
    /// The frame of the last one.
    frame: u64,
}

impl Listing {
    /// A table without rows.
    pub(super) fn new(verbose: bool, quiet: bool) -> Listing {
        Listing {
            verbose,
            quiet,
            files: 0,
            packed: 0,
            plain: 0,
            frame: 0,
        }
    }

    /// One file; its row comes after the heading, if it is the first.
    pub(super) fn row(&mut self, out: &mut Output, path: &[u8], sizes: &Sizes, shown: &[u8]) {
        if self.files == 0 {
            self.heading(out);
        }
        self.files += 1;
        self.packed += sizes.before;
        self.plain += sizes.after;
        self.frame = sizes.frame;
        if self.verbose {
            let zone = time::zone();
            let modified = |stat: Stat| stat.modified;
            let stamp = system::stat(path, true).map_or_else(|_| Time::now(), modified);
            let stamp = time::format(&time::local(stamp, &zone), "%b %e %H:%M");
            out.put(format!("defla {:08x} {stamp} ", checksum(path)));
        }
        self.sizes(out, sizes);
        out.put(b" ");
        out.put(shown);
        out.end_line(b'\n');
    }

    fn heading(&self, out: &mut Output) {
        if self.verbose {
            out.put("method  crc     date  time  ");
        }
        if !self.quiet {
            out.line("         compressed        uncompressed  ratio uncompressed_name");
        }
    }

    fn sizes(&self, out: &mut Output, sizes: &Sizes) {
        let (packed, plain, saved) = (sizes.before, sizes.after, sizes.saved(true));
        out.put(format!("{packed:19} {plain:19} {saved:5.1}%"));
    }

    /// The sums, where there are several files.
    pub(super) fn total(&self, out: &mut Output) {
        if self.files < 2 || self.quiet {
            return;
        }
        if self.verbose {
            out.put(format!("{:28}", ""));
        }
        let sums = Sizes {
            before: self.packed,
            after: self.plain,
            frame: self.frame,
            garbage: false,
        };
        self.sizes(out, &sums);
        out.line(" (totals)");
    }
}
