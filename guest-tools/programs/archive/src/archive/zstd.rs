//! `zstd`, `unzstd`, `zstdcat` and `zstdmt`, after Zstandard 1.5: the format is RFC 8878.
//!
//! All levels compress as the fastest one does, and `--ultra`, `--long` and `-T` change nothing. Decompression reads
//! the formats of gzip, bzip2, xz and lzma too, by their content. Other than with gzip the source stays unless `--rm`
//! is given. What exists is not replaced without `-f`, or a `y` on standard input; nor are several files put into the
//! one of `-o`, which must not be any of them. The sums and sizes go to standard error, and `-q` hides them.
//!
//! The status is 1 where anything failed, and other files are converted nevertheless.

use std::io::{BufRead as _, BufReader, Read, Write};

use super::codec::{Codec, Encoder};
use crate::call::{Call, bytes};
use crate::options::{self, Opt, Parsed, Syntax, Value};
use crate::output::{CHUNK, Output};
use crate::system::{self, File, Kind};

const SYNTAX: Syntax = Syntax {
    usage: "Usage: zstd [OPTIONS...] [INPUT... | -] [-o OUTPUT]\nCompress or decompress the INPUT file(s); reads from STDIN if INPUT is `-` or not provided.\nAll levels compress as the fastest one does.\n",
    options: &[
        Opt("d", "decompress", Value::No),
        Opt("d", "uncompress", Value::No),
        Opt("z", "compress", Value::No),
        Opt("t", "test", Value::No),
        Opt("c", "stdout", Value::No),
        Opt("f", "force", Value::No),
        Opt("k", "keep", Value::No),
        Opt("", "rm", Value::No),
        Opt("o", "", Value::Required),
        Opt("q", "quiet", Value::No),
        Opt("v", "verbose", Value::No),
        Opt("T", "threads", Value::Required),
        Opt("", "fast", Value::Optional),
        Opt("", "ultra", Value::No),
        Opt("", "long", Value::Optional),
        Opt("C", "check", Value::No),
        Opt("", "no-check", Value::No),
        Opt("", "no-progress", Value::No),
        Opt("", "progress", Value::No),
        Opt("", "single-thread", Value::No),
        Opt("0123456789", "", Value::No),
    ],
    permute: true,
    status: 1,
};

/// One call of the command.
struct Job {
    parsed: Parsed,
    /// Decompression, also for `-t`.
    undo: bool,
    /// `-t`: what is decompressed goes nowhere.
    test: bool,
    /// `-c`, or the command is `zstdcat`.
    stdout: bool,
    /// There are several inputs: what is said of them is one line at the end.
    several: bool,
    /// How many were converted, and their sizes before and after.
    done: (usize, u64, u64),
    out: Output,
    status: i32,
}

/// Runs the command; its name says whether it is undone.
pub fn run(call: &Call) -> i32 {
    let parsed = match options::parse(call, &SYNTAX) {
        Ok(parsed) => parsed,
        Err(status) => return status,
    };
    let cat = call.name == "zstdcat";
    let mut files = parsed.operands.clone();
    if files.is_empty() {
        files.push(b"-".to_vec());
    }
    let mut job = Job {
        undo: !parsed.has("z")
            && (call.name != "zstd" && call.name != "zstdmt" || parsed.has("d") || parsed.has("t")),
        test: parsed.has("t"),
        stdout: parsed.has("c") || cat,
        several: files.len() > 1,
        done: (0, 0, 0),
        parsed,
        out: Output::new(),
        status: 0,
    };
    let target = job.parsed.value("o").map(<[u8]>::to_vec);
    let target = target.filter(|_| job.several && !job.test && !job.stdout);
    let mut opened = match target {
        None => None,
        Some(target) => match job.joined(call, &files, &target) {
            Ok(file) => Some(file),
            Err(status) => return status,
        },
    };
    for file in &files {
        let result = match &mut opened {
            Some(out) => job.append(file, out),
            None => job.one(file),
        };
        if let Err(message) = result {
            job.out.flush();
            job.status = say(call, &message);
        }
    }
    job.total();
    let status = job.status;
    job.out.finish("zstd", status, 1)
}

/// What is done with a stream.
#[derive(Clone, Copy)]
struct Plan {
    undo: bool,
    /// What is not compressed passes as it is: `-f` with standard output.
    passes: bool,
}

/// A writer that counts.
struct Counter<W> {
    inner: W,
    count: u64,
}

impl<W: Write> Write for Counter<W> {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        let written = self.inner.write(bytes)?;
        self.count += written as u64;
        Ok(written)
    }

    fn flush(&mut self) -> std::io::Result<()> {
        self.inner.flush()
    }
}

impl Job {
    /// Converts `input`; gives the sizes before and after in bytes. When decompressing, the size before is counted
    /// only for what passes as it is.
    ///
    /// # Errors
    /// The message, with the name and the trailing space that zstd's own have.
    fn convert(
        plan: Plan,
        name: &[u8],
        input: Box<dyn Read>,
        out: &mut dyn Write,
    ) -> Result<(u64, u64), Vec<u8>> {
        let mut out = Counter {
            inner: out,
            count: 0,
        };
        let fail = |error: std::io::Error| {
            let text = match error.kind() {
                std::io::ErrorKind::UnexpectedEof => {
                    " : Read error (39) : premature end ".to_owned()
                }
                std::io::ErrorKind::InvalidData => ": unsupported format ".to_owned(),
                std::io::ErrorKind::BrokenPipe | std::io::ErrorKind::StorageFull => {
                    format!(": {}", system::Failure::from(error).0)
                }
                _ => format!(" : Decoding error (36) : {error} "),
            };
            bytes!(name, text)
        };
        let mut reader = BufReader::with_capacity(CHUNK, input);
        if plan.undo {
            let start = reader.fill_buf().map_err(fail)?;
            let codec = Codec::of(start);
            if start.is_empty() {
                return Err(bytes!(name, ": unexpected end of file "));
            }
            if codec == Codec::None {
                if !plan.passes {
                    return Err(bytes!(name, ": unsupported format "));
                }
                let size = std::io::copy(&mut reader, &mut out).map_err(fail)?;
                return Ok((size, size));
            }
            let mut decoded = codec.reader(reader);
            std::io::copy(&mut decoded, &mut out).map_err(fail)?;
            return Ok((0, out.count));
        }
        let mut encoder = Encoder::new(Codec::Zstd, &mut out, 3, None).map_err(fail)?;
        let size = std::io::copy(&mut reader, &mut encoder).map_err(fail)?;
        encoder.finish().map_err(fail)?;
        Ok((size, out.count))
    }

    /// What the options mean for each stream.
    fn plan(&self) -> Plan {
        Plan {
            undo: self.undo,
            passes: self.parsed.has("f") && self.stdout,
        }
    }

    /// Opens what several files go into, where that is wished.
    ///
    /// # Errors
    /// The status, after a message.
    fn joined(&mut self, call: &Call, files: &[Vec<u8>], target: &[u8]) -> Result<File, i32> {
        const LOSS: &str = "The concatenated output CANNOT regenerate original file names nor directory structure. ";
        let (forced, quiet) = (self.parsed.has("f"), self.parsed.has("q"));
        if quiet && !forced {
            eprintln!(
                "Concatenating multiple processed inputs into a single output loses file metadata. "
            );
            eprintln!("Aborting. ");
            return Err(1);
        }
        if !quiet {
            let what = bytes!(
                "WARNING: all input files will be processed and concatenated into a single output file: ",
                target,
                " "
            );
            call.fail(1, what);
            eprintln!("{LOSS}");
            if self.parsed.has("rm") {
                eprintln!("Since it's a destructive operation, input files will not be removed. ");
            }
        }
        if !forced {
            match confirmed("Proceed? (y/n): ", files) {
                Some(true) => {}
                Some(false) => {
                    eprintln!("Aborting... ");
                    return Err(1);
                }
                None => return Err(1),
            }
        }
        self.admit(target, files)
            .and_then(|()| {
                let made = system::create_file(target, false);
                made.map_err(|failure| bytes!(target, ": ", failure))
            })
            .map_err(|message| say(call, &message))
    }

    /// Converts one of several files into the one that is open.
    fn append(&mut self, path: &[u8], out: &mut File) -> Result<(), Vec<u8>> {
        if path != b"-" {
            check_source(path)?;
        }
        let input = system::open_input(path).map_err(|failure| bytes!(path, ": ", failure))?;
        let shown: &[u8] = if path == b"-" { STDIN } else { path };
        let (before, after) = Self::convert(self.plan(), shown, input, out)?;
        self.count(before, after);
        Ok(())
    }

    /// Counts a file that was converted.
    fn count(&mut self, before: u64, after: u64) {
        let (files, sizes, results) = self.done;
        self.done = (files + 1, sizes + before, results + after);
    }

    /// Whether `target` may be written: it is none of the sources, and where it exists that is wished.
    ///
    /// # Errors
    /// The message.
    fn admit(&self, target: &[u8], sources: &[Vec<u8>]) -> Result<(), Vec<u8>> {
        let Ok(old) = system::stat(target, true) else {
            return Ok(());
        };
        let is_same = |source: &Vec<u8>| {
            source != b"-" && system::stat(source, true).is_ok_and(|found| found.is_same(&old))
        };
        if old.kind == Kind::Regular && sources.iter().any(is_same) {
            return Err(
                b"Refusing to open an output file which will overwrite the input file ".to_vec(),
            );
        }
        if self.parsed.has("f") || old.kind == Kind::CharacterDevice {
            return Ok(());
        }
        if self.parsed.has("q") {
            return Err(bytes!(target, " already exists; not overwritten  "));
        }
        let shown = String::from_utf8_lossy(target);
        let question = format!("zstd: {shown} already exists; overwrite (y/n) ? ");
        match confirmed(&question, sources) {
            Some(true) => return Ok(()),
            Some(false) => eprintln!("Not overwritten  \n "),
            None => {}
        }
        Err(Vec::new())
    }

    /// Converts one file, or standard input for `-`, whose result goes to standard output. The error is the message.
    fn one(&mut self, path: &[u8]) -> Result<(), Vec<u8>> {
        let input = system::open_input(path);
        let quiet = self.parsed.has("q");
        if path != b"-" {
            check_source(path)?;
        }
        let input = input.map_err(|failure| bytes!(path, ": ", failure))?;
        let shown = if path == b"-" { STDIN } else { path };
        if self.test {
            let (_, size) = Self::convert(self.plan(), shown, input, &mut std::io::sink())?;
            self.count(0, size);
            if !quiet && !self.several {
                eprintln!("{:<20}: {size} bytes ", String::from_utf8_lossy(shown));
            }
            return Ok(());
        }
        let given = self.parsed.value("o").map(<[u8]>::to_vec);
        if given.is_none() && (self.stdout || path == b"-") {
            return Self::convert(self.plan(), shown, input, &mut self.out).map(|_| ());
        }
        let target = match given {
            Some(target) => target,
            None => self.target(path)?,
        };
        self.admit(&target, &[path.to_vec()])?;
        let found = system::stat(path, true).ok();
        let mut file =
            system::create_file(&target, false).map_err(|failure| bytes!(target, ": ", failure))?;
        let result = Self::convert(self.plan(), shown, input, &mut file);
        drop(file);
        let (before, after) = match result {
            Ok(sizes) => sizes,
            Err(message) => {
                // Half a file is worse than none.
                let _ = system::unlink(&target);
                return Err(message);
            }
        };
        if let Some(found) = found {
            // The content is there; mode and time are what the result keeps where it can.
            let _ = system::set_mode(&target, found.mode);
            let _ = system::set_times(&target, found.accessed, found.modified, true);
        }
        if self.parsed.has("rm") && !self.parsed.has("k") {
            system::unlink(path).map_err(|failure| bytes!(path, ": ", failure))?;
        }
        self.count(before, after);
        if !quiet && !self.several {
            self.tell(shown, &target, before, after);
        }
        Ok(())
    }

    /// Says how large all files together were and are.
    fn total(&self) {
        let (files, before, after) = self.done;
        if !self.several || files == 0 || self.parsed.has("q") {
            return;
        }
        if self.undo {
            eprintln!("{files} files decompressed : {after:6} bytes total ");
            return;
        }
        let share = 100.0 * after as f64 / before.max(1) as f64;
        let (before, after) = (nice(before, 4), nice(after, 4));
        eprintln!("{files:3} files compressed : {share:.2}% ({before} => {after})");
    }

    /// The name of the result: `a` → `a.zst`; when decompressing `a.zst` → `a`, `a.tgz` → `a.tar`.
    ///
    /// # Errors
    /// The message where the suffix is not known.
    fn target(&self, path: &[u8]) -> Result<Vec<u8>, Vec<u8>> {
        if !self.undo {
            return Ok(bytes!(path, ".zst"));
        }
        let known: [(&[u8], &str); 6] = [
            (b".zst", ""),
            (b".tzst", ".tar"),
            (b".gz", ""),
            (b".xz", ""),
            (b".bz2", ""),
            (b".tgz", ".tar"),
        ];
        let found = known
            .iter()
            .find_map(|(suffix, new)| Some(bytes!(path.strip_suffix(*suffix)?, new)));
        found.ok_or_else(|| {
            bytes!(path, ": unknown suffix (.zst/.tzst/.gz/.tgz/.lzma/.xz/.txz expected). Can't derive the output file name. Specify it with -o dstFileName. Ignoring.")
        })
    }

    /// Says how large a file was and is, on standard error.
    fn tell(&self, shown: &[u8], target: &[u8], before: u64, after: u64) {
        let name = String::from_utf8_lossy(shown);
        let target = String::from_utf8_lossy(target);
        if self.undo {
            eprintln!("{name:<20}: {after} bytes ");
        } else {
            let share = match before {
                0 => String::new(),
                _ => format!("{:6.2}% ", 100.0 * after as f64 / before as f64),
            };
            let (before, after) = (nice(before, 0), nice(after, 0));
            eprintln!("{name:<20} :{share}  ({before} => {after}, {target}) ");
        }
    }
}

/// What standard input is called.
const STDIN: &[u8] = b"/*stdin*\\";

/// A size with its unit, in three digits where it has one; the unit takes `width` bytes at least.
///
/// ```text
/// "   533 B"     "  1.95 KiB"
/// ```
fn nice(size: u64, width: usize) -> String {
    let mut value = size as f64;
    let mut units = [" B", " KiB", " MiB", " GiB", " TiB"].iter();
    let mut unit = units.next();
    while value >= 1024.0 {
        let Some(next) = units.next() else { break };
        unit = Some(next);
        value /= 1024.0;
    }
    let digits = match value {
        whole if whole >= 100.0 || whole as u64 == size => 0,
        tens if tens >= 10.0 => 1,
        _ => 2,
    };
    format!("{value:6.digits$}{:>width$}", unit.unwrap_or(&""))
}

/// Says why a file was left out, unless that was said; gives the status.
fn say(call: &Call, message: &[u8]) -> i32 {
    if message.is_empty() {
        return 1;
    }
    call.fail(1, message)
}

/// Whether the answer to a question on standard input is yes. None where that is an input itself: nobody is asked.
fn confirmed(question: &str, sources: &[Vec<u8>]) -> Option<bool> {
    if sources.iter().any(|source| source == b"-") {
        eprintln!("stdin is an input - not proceeding.");
        return None;
    }
    eprint!("{question}");
    let mut line = Vec::new();
    // No answer is none.
    let _ = std::io::stdin().lock().read_until(b'\n', &mut line);
    Some(matches!(line.first(), Some(b'y' | b'Y')))
}

/// Whether a path names something that can be read as a file; the error is the message.
fn check_source(path: &[u8]) -> Result<(), Vec<u8>> {
    match system::stat(path, true) {
        Err(_) => Err(bytes!(
            "can't stat ",
            path,
            " : No such file or directory -- ignored "
        )),
        Ok(found) if found.kind == Kind::Directory => {
            Err(bytes!(path, " is a directory -- ignored "))
        }
        Ok(_) => Ok(()),
    }
}
