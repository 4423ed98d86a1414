//! Files that grow, are cut, replaced, or not there yet.
//!
//! A file that is shorter than what was printed of it was cut, and is printed from its start. With `-F` a name is
//! compared with the file that it had by device and inode.

use std::io::{Seek as _, SeekFrom};
use std::time::Duration;

use super::{Follow, Tail, Watched, last};
use crate::call::bytes;
use crate::quote;
use crate::system::{self, Kind, Stat};

/// The longest time until something new is seen: what a kernel would tell at once is looked for.
const PAUSE: Duration = Duration::from_millis(50);

/// Prints what is added, until nothing is left to follow or the processes of `--pid` have ended.
pub fn follow(tail: &mut Tail, mut watched: Vec<Watched>) {
    let pause = tail.plan.pause.min(PAUSE);
    loop {
        // What ended processes wrote is printed once more.
        let over = !tail.plan.pids.is_empty()
            && tail
                .plan
                .pids
                .iter()
                .all(|pid| system::kill(*pid, 0).is_err());
        let retries = tail.plan.retry;
        for file in &mut watched {
            look(tail, file);
        }
        watched.retain(|file| file.file.is_some() || retries);
        tail.out.flush();
        if over || tail.out.is_broken() {
            return;
        }
        if watched.is_empty() {
            // Standard input that ended was all there was.
            if tail.status != 0 {
                tail.fail(b"no files remaining".to_vec());
            }
            return;
        }
        std::thread::sleep(pause);
    }
}

/// Prints what was added to a file since it was looked at last.
fn look(tail: &mut Tail, watched: &mut Watched) {
    // `--retry` alone is for what could not be opened yet.
    if tail.plan.follow == Follow::Name || watched.file.is_none() {
        by_name(tail, watched);
    }
    let Some(file) = &mut watched.file else {
        return;
    };
    if let Ok(metadata) = file.metadata()
        && metadata.is_file()
        && metadata.len() < watched.at
    {
        tail.out.flush();
        tail.call.fail(0, bytes!(watched.name, ": file truncated"));
        watched.at = 0;
    }
    let end = file.seek(SeekFrom::End(0)).unwrap_or(watched.at);
    if end <= watched.at || file.seek(SeekFrom::Start(watched.at)).is_err() {
        return;
    }
    tail.header(watched.number, &watched.name);
    match last::copy(file, &mut tail.out) {
        Ok(length) => watched.at += length,
        Err(failure) => {
            let name = quote::message(&watched.name);
            tail.fail(bytes!("error reading ", name, ": ", failure));
        }
    }
}

/// Opens the file that has the name, where that is another one, and says so.
fn by_name(tail: &mut Tail, watched: &mut Watched) {
    let shown = quote::message(&watched.name);
    let same = |found: &Stat| (found.device, found.inode) == watched.identity;
    match system::stat(&watched.name, true) {
        Ok(found) if watched.file.is_some() && same(&found) => {}
        Ok(found) if found.kind == Kind::Directory => watched.file = None,
        Ok(found) => {
            let Ok(file) = system::open_file(&watched.name) else {
                return;
            };
            let what = if watched.file.is_some() {
                " has been replaced;  following new file"
            } else {
                " has appeared;  following new file"
            };
            tail.out.flush();
            tail.call.fail(0, bytes!(shown, what));
            watched.identity = (found.device, found.inode);
            (watched.file, watched.at) = (Some(file), 0);
        }
        Err(failure) if watched.file.is_some() => {
            let text = " has become inaccessible: ";
            tail.fail(bytes!(shown, text, failure));
            watched.file = None;
        }
        Err(_) => {}
    }
}
