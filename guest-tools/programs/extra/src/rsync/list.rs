//! What `rsync SRC` prints: the files that would be sent.

use super::{Settings, number_of};
use crate::call::{Call, bytes};
use crate::output::Output;
use crate::system::{self, Kind, Stat};
use crate::time;

/// How deep directories may be nested.
const MAX_DEPTH: usize = 1_000;

/// Lists a file or a directory; with `-r` all that is in it.
pub fn run(call: &Call, settings: &Settings, source: &[u8]) -> i32 {
    let mut out = Output::new();
    let stat = match system::stat(source, settings.follow || source.ends_with(b"/")) {
        Ok(stat) => stat,
        Err(failure) => {
            let why = bytes!(failure, number_of(&failure));
            return call.fail(
                23,
                bytes!("[sender] link_stat \"", source, "\" failed: ", why),
            );
        }
    };
    let bare = source.strip_suffix(b"/").unwrap_or(source);
    let name = bare.rsplit(|&byte| byte == b'/').next().unwrap_or(bare);
    let contents = source.ends_with(b"/") || matches!(name, b"." | b"..");
    if stat.kind == Kind::Directory && contents {
        line(&mut out, settings, source, b".", &stat);
        entries(&mut out, settings, source, b"", 0);
    } else {
        line(&mut out, settings, source, name, &stat);
        if stat.kind == Kind::Directory && settings.recursive {
            entries(&mut out, settings, source, name, 0);
        }
    }
    out.finish("rsync", 0, 11)
}

/// Prints the entries of a directory, files before directories, and with `-r` what is in those. One that cannot be read
/// is passed over.
fn entries(out: &mut Output, settings: &Settings, directory: &[u8], shown: &[u8], depth: usize) {
    let Ok(found) = system::read_directory(directory) else {
        return;
    };
    let mut files = Vec::new();
    for entry in found {
        let path = system::join(directory, &entry.name);
        let name = system::join(shown, &entry.name);
        if let Ok(stat) = system::stat(&path, settings.follow)
            && !settings
                .filter
                .excludes(&name, stat.kind == Kind::Directory)
        {
            files.push((stat.kind == Kind::Directory, path, name, stat));
        }
    }
    files.sort_by(|a, b| (a.0, &a.2).cmp(&(b.0, &b.2)));
    for (is_directory, path, name, stat) in files {
        line(out, settings, &path, &name, &stat);
        if is_directory && settings.recursive && depth < MAX_DEPTH {
            entries(out, settings, &path, &name, depth + 1);
        }
    }
}

/// One entry: mode, size, time in the local zone, path, and where a link leads.
fn line(out: &mut Output, settings: &Settings, path: &[u8], shown: &[u8], stat: &Stat) {
    let moment = time::local(stat.modified, &time::zone());
    let date = time::format(&moment, "%Y/%m/%d %H:%M:%S");
    let size = settings.number(stat.size);
    let mut text = bytes!(format!("{} {size:>14} {date} ", stat.permissions()), shown);
    if stat.kind == Kind::Symlink && settings.links {
        let to = system::read_link(path).unwrap_or_default();
        text.extend(bytes!(" -> ", to));
    }
    out.line(text);
}
