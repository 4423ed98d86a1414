//! `parallel`, in the manner of GNU parallel: a command for each of many arguments.
//!
//! Jobs run one after the other and in the order of the arguments, whatever `-j` says: so output is never mixed, and
//! `-k` is always on. Each is a line for `sh -c`, in which arguments are quoted where that is needed.
//!
//! | command line | jobs |
//! |---|---|
//! | `parallel echo ::: a b` | `echo a`, `echo b` |
//! | `parallel echo {1}-{2} ::: a b ::: 1 2` | `echo a-1`, `echo a-2`, `echo b-1`, `echo b-2` |
//! | `parallel echo ::: a b :::+ 1 2` | `echo a 1`, `echo b 2` |
//! | `parallel mv {} {.}.bak ::: x.txt` | `mv x.txt x.bak` |
//! | `parallel -n 2 echo ::: a b c` | `echo a b`, `echo c` |
//!
//! Without `:::`, `::::` and `-a`, arguments are the lines of standard input; without a command they are commands
//! themselves.

use crate::call::{Call, bytes};
use crate::options;
use crate::output::Output;
use crate::quote;
use crate::system::{self, Streams};

const USAGE: &str = "Usage: parallel [options] [command [arguments]] < list_of_arguments\n       \
                     parallel [options] [command [arguments]] (::: arguments|:::: argfile(s))...\n";

/// What the command line asks for.
#[derive(Default)]
struct Request {
    /// The words of the command; none where the arguments are commands.
    command: Vec<Vec<u8>>,
    /// Lists of arguments, and whether each is joined with the one before (`:::+`) instead of combined with it.
    sources: Vec<(Vec<Vec<u8>>, bool)>,
    /// `--dry-run`: print the lines.
    dry: bool,
    /// `--tag`: the arguments and a tab stand before each line of output.
    tag: bool,
    /// `-v`, `-t`: print each line before it runs.
    verbose: bool,
    /// `-q`: the words of the command are quoted too.
    quoted: bool,
    /// `-I`: a text that stands for all arguments, beside `{}`.
    replacement: Option<Vec<u8>>,
    /// `-C`: what separates columns in an argument; a fixed text, in which `\t` is a tab.
    columns: Option<Vec<u8>>,
    /// `-n`, `-N`: how many arguments a job takes.
    count: usize,
    /// `--halt now…`: the first failure ends the run.
    halt: bool,
    /// `--trim`: blanks around arguments are dropped.
    trim: bool,
}

/// Runs `parallel`; the status is the number of commands that failed, at most 101.
pub fn run(call: &Call) -> i32 {
    if let Some(status) = options::information(call, USAGE) {
        return status;
    }
    let request = match read(call) {
        Ok(request) => request,
        Err(status) => return status,
    };
    let mut out = Output::new();
    let mut failed = 0;
    for (at, row) in rows(&request).iter().enumerate() {
        let line = line(&request, row, at + 1);
        if request.dry {
            out.line(&line);
            continue;
        }
        if request.verbose {
            out.line(&line);
        }
        out.flush();
        let tag = request.tag.then(|| row.join(&b' '));
        if run_one(call, &line, tag, &mut out) != 0 {
            failed += 1;
            if request.halt {
                break;
            }
        }
    }
    out.finish(&call.name, failed.min(101), 1)
}

/// Runs a line and gives its status. With a tag its output is collected first, which costs the memory for it.
fn run_one(call: &Call, line: &[u8], tag: Option<Vec<u8>>, out: &mut Output) -> i32 {
    use std::io::Read as _;
    let spawn = |output: Option<&system::Handle>| {
        let streams = Streams {
            output,
            ..Streams::default()
        };
        offshoot_command::launch::shell(line, None, streams)
    };
    let Some(tag) = tag else {
        return match spawn(None).and_then(system::wait) {
            Ok(exit) => exit.status(),
            Err(failure) => call.fail(127, failure),
        };
    };
    let mut text = Vec::new();
    let ended = system::pipe().and_then(|(mut reader, writer)| {
        let pid = spawn(Some(&writer))?;
        drop(writer);
        reader.read_to_end(&mut text)?;
        system::wait(pid)
    });
    for line in text.split_inclusive(|&byte| byte == b'\n') {
        out.put(bytes!(tag, "\t", line));
    }
    ended.map_or(127, |exit| exit.status())
}

/// Reads the command line. Options that only say how jobs run side by side are accepted; `Err` is the exit status.
fn read(call: &Call) -> Result<Request, i32> {
    let mut request = Request {
        count: 1,
        ..Request::default()
    };
    let (mut files, mut nul): (Vec<Vec<u8>>, bool) = (Vec::new(), false);
    let mut words = call.arguments.iter().peekable();
    while let Some(word) = words.next_if(|word| word.starts_with(b"-") && word.len() > 1) {
        let (name, given) = match word.iter().position(|&byte| byte == b'=') {
            Some(at) if word.starts_with(b"--") => (&word[..at], Some(word[at + 1..].to_vec())),
            _ => (word.as_slice(), None),
        };
        let mut value = || {
            given
                .clone()
                .or_else(|| words.next().cloned())
                .unwrap_or_default()
        };
        match name {
            b"-j" | b"--jobs" | b"-P" | b"--max-procs" | b"--timeout" | b"--delay"
            | b"--joblog" | b"--retries" | b"--tmpdir" | b"--nice" | b"--load" | b"--memfree" => {
                value();
            }
            b"-k" | b"--keep-order" | b"--will-cite" | b"--bar" | b"--progress" | b"--eta"
            | b"-u" | b"--ungroup" | b"--line-buffer" | b"--lb" | b"--group" | b"--no-notice"
            | b"--plain" | b"-r" | b"--no-run-if-empty" => {}
            b"--dry-run" | b"--dryrun" => request.dry = true,
            b"--tag" => request.tag = true,
            b"-v" | b"--verbose" | b"-t" => request.verbose = true,
            b"-q" | b"--quote" => request.quoted = true,
            b"-0" | b"--null" => nul = true,
            b"-I" => request.replacement = Some(value()),
            b"-C" | b"--colsep" => request.columns = Some(value()),
            b"-n" | b"-N" | b"--max-args" | b"--max-replace-args" => {
                request.count = options::number(&value()).unwrap_or(1).max(1);
            }
            b"-a" | b"--arg-file" => files.push(value()),
            b"--halt" => request.halt = value().starts_with(b"now"),
            b"--trim" => request.trim = value() != b"n",
            _ if name.starts_with(b"-j") || name.starts_with(b"-P") => {}
            _ if name.starts_with(b"-n") || name.starts_with(b"-N") => {
                request.count = options::number(&name[2..]).unwrap_or(1).max(1);
            }
            _ => return Err(call.fail(255, bytes!("Unknown option: ", name))),
        }
    }
    let mut kind: Option<&[u8]> = None;
    for word in words {
        match word.as_slice() {
            b":::" | b":::+" | b"::::" | b"::::+" => {
                kind = Some(word);
                request.sources.push((Vec::new(), word.ends_with(b"+")));
            }
            _ => match (kind, request.sources.last_mut()) {
                (Some(kind), Some((list, _))) if kind.starts_with(b"::::") => {
                    list.extend(lines(call, word, nul)?);
                }
                (Some(_), Some((list, _))) => list.push(word.clone()),
                _ => request.command.push(word.clone()),
            },
        }
    }
    for file in &files {
        request.sources.push((lines(call, file, nul)?, false));
    }
    if request.sources.is_empty() {
        request.sources.push((lines(call, b"-", nul)?, false));
    }
    Ok(request)
}

/// The lines of a file, or with `nul` what ends in NUL bytes; an empty file has none.
fn lines(call: &Call, path: &[u8], nul: bool) -> Result<Vec<Vec<u8>>, i32> {
    let text = system::read_whole(path).map_err(|failure| {
        call.fail(
            255,
            bytes!("Cannot open input file `", path, "': ", failure),
        )
    })?;
    let end = if nul { 0 } else { b'\n' };
    let text = text.strip_suffix(&[end]).unwrap_or(&text);
    if text.is_empty() {
        return Ok(Vec::new());
    }
    Ok(text
        .split(|&byte| byte == end)
        .map(<[u8]>::to_vec)
        .collect())
}

/// The arguments of each job: each of a list with each of the next ones, the last list changing fastest. Then columns
/// are split, blanks trimmed, and the arguments dealt out anew where a job takes several.
fn rows(request: &Request) -> Vec<Vec<Vec<u8>>> {
    let mut rows: Vec<Vec<Vec<u8>>> = vec![Vec::new()];
    for (list, joined) in &request.sources {
        if *joined {
            let longest = rows.len().max(list.len());
            if !list.is_empty() && !rows.is_empty() {
                let old = std::mem::take(&mut rows);
                for at in 0..longest {
                    let mut row = old[at % old.len()].clone();
                    row.push(list[at % list.len()].clone());
                    rows.push(row);
                }
            }
            continue;
        }
        let add = |row: &Vec<Vec<u8>>| -> Vec<Vec<Vec<u8>>> {
            let with = |value: &Vec<u8>| [row.clone(), vec![value.clone()]].concat();
            list.iter().map(with).collect()
        };
        rows = rows.iter().flat_map(add).collect();
    }
    if let Some(separator) = &request.columns {
        let split = |value: &Vec<u8>| -> Vec<Vec<u8>> {
            let text = String::from_utf8_lossy(value).into_owned();
            let separator = String::from_utf8_lossy(separator)
                .replace("\\t", "\t")
                .replace("\\|", "|");
            let parts = text.split(separator.as_str());
            parts.map(|part| part.as_bytes().to_vec()).collect()
        };
        rows = rows
            .into_iter()
            .map(|row| row.iter().flat_map(split).collect())
            .collect();
    }
    if request.trim {
        let trim = |value: Vec<u8>| value.trim_ascii().to_vec();
        rows = rows
            .into_iter()
            .map(|row| row.into_iter().map(trim).collect())
            .collect();
    }
    if request.count > 1 {
        let flat: Vec<Vec<u8>> = rows.into_iter().flatten().collect();
        rows = flat
            .chunks(request.count)
            .map(<[Vec<u8>]>::to_vec)
            .collect();
    }
    rows
}

/// The command line of a job, whose number counts from 1. Where no word has a place for arguments they go to the end.
fn line(request: &Request, row: &[Vec<u8>], number: usize) -> Vec<u8> {
    let quoted: Vec<Vec<u8>> = row
        .iter()
        .map(|value| quote::shell_where_needed(value))
        .collect();
    if request.command.is_empty() {
        // The arguments are commands themselves.
        return row.join(&b' ');
    }
    let (mut words, mut replaced) = (Vec::new(), false);
    for word in &request.command {
        let filled = fill(word, request, row, number, &mut replaced);
        words.push(match request.quoted {
            true => quote::shell_where_needed(&filled),
            false => filled,
        });
    }
    if !replaced {
        words.extend(quoted);
    }
    words.join(&b' ')
}

/// A word with its places replaced by quoted arguments, and the `-I` text as well; `replaced` is set where there is
/// one.
fn fill(
    word: &[u8],
    request: &Request,
    row: &[Vec<u8>],
    number: usize,
    replaced: &mut bool,
) -> Vec<u8> {
    let mut out = Vec::new();
    let mut at = 0;
    let quote = |value: &[u8]| quote::shell_where_needed(value);
    while at < word.len() {
        let rest = &word[at..];
        if let Some(sign) = request
            .replacement
            .as_ref()
            .filter(|sign| rest.starts_with(sign))
        {
            out.extend(quote(&row.join(&b' ')));
            *replaced = true;
            at += sign.len();
            continue;
        }
        let end = rest
            .iter()
            .position(|&byte| byte == b'}')
            .filter(|_| rest[0] == b'{');
        let value =
            end.and_then(|end| placed(&rest[1..end], row, number).map(|value| (end, value)));
        match value {
            Some((end, value)) => {
                out.extend(value);
                *replaced = true;
                at += end + 1;
            }
            None => {
                out.push(rest[0]);
                at += 1;
            }
        }
    }
    out
}

/// What `{NAME}` stands for, `None` where it is no place: an optional number of an argument, and a form.
///
/// | form | of `dir/a.tar.gz` |
/// |---|---|
/// | none | `dir/a.tar.gz` |
/// | `.` | `dir/a.tar` |
/// | `/` | `a.tar.gz` |
/// | `//` | `dir` |
/// | `/.` | `a.tar` |
///
/// `{#}` is the number of the job, `{%}` its slot, which is always 1.
fn placed(name: &[u8], row: &[Vec<u8>], number: usize) -> Option<Vec<u8>> {
    if name == b"#" {
        return Some(number.to_string().into_bytes());
    }
    if name == b"%" {
        return Some(b"1".to_vec());
    }
    let digits = name.iter().take_while(|byte| byte.is_ascii_digit()).count();
    let form = &name[digits..];
    let values: Vec<&Vec<u8>> = match options::number::<usize>(&name[..digits]) {
        Some(at) => vec![row.get(at.checked_sub(1)?)?],
        None => row.iter().collect(),
    };
    let change = |value: &[u8]| -> Option<Vec<u8>> {
        let slash = value.iter().rposition(|&byte| byte == b'/');
        let base = &value[slash.map_or(0, |at| at + 1)..];
        let bare = |text: &[u8]| match text.iter().rposition(|&byte| byte == b'.') {
            Some(dot) if !text[dot..].contains(&b'/') => text[..dot].to_vec(),
            _ => text.to_vec(),
        };
        Some(match form {
            b"" => value.to_vec(),
            b"." => bare(value),
            b"/" => base.to_vec(),
            b"//" => slash.map_or_else(|| b".".to_vec(), |at| value[..at].to_vec()),
            b"/." => bare(base),
            _ => return None,
        })
    };
    let changed: Option<Vec<Vec<u8>>> = values.iter().map(|value| change(value)).collect();
    let quoted = changed?
        .iter()
        .map(|value| quote::shell_where_needed(value))
        .collect::<Vec<_>>();
    Some(quoted.join(&b' '))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_filled() {
        let row = [b"dir/a.tar.gz".to_vec(), b"x y".to_vec()];
        let cases: [(&[u8], &[u8]); 7] = [
            (b"{1}", b"dir/a.tar.gz"),
            (b"{1.}", b"dir/a.tar"),
            (b"{1/}", b"a.tar.gz"),
            (b"{1//}", b"dir"),
            (b"{1/.}-{#}", b"a.tar-7"),
            (b"{2}", b"'x y'"),
            (b"{3} {x}", b"{3} {x}"),
        ];
        for (word, expected) in cases {
            let filled = fill(word, &Request::default(), &row, 7, &mut false);
            assert_eq!(filled, expected, "{}", String::from_utf8_lossy(word));
        }
    }
}
