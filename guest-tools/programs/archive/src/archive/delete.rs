//! `tar --delete`: an archive without some of its members.
//!
//! The archive is read as a whole, and the bytes of the members that stay are copied as they are, with their extended
//! headers: nothing is parsed and written again. It is refused for compressed archives, as GNU's refuses it.

use std::io::Write as _;

use ::tar::Archive;

use super::codec::Codec;
use super::create::RECORD;
use super::extract;
use super::tar::{COMPRESSED, Plan};
use crate::call::{Call, bytes};
use crate::system;

/// Writes the archive without the members that are named, in place, or to standard output for `-f -`. A member that
/// is excluded stays. A call without names removes nothing; an archive that does not exist is not made.
///
/// The status is 2 where a name is in no member.
///
/// # Errors
/// The message where the archive is compressed, damaged or cannot be read or written.
pub fn run(call: &Call, plan: &Plan) -> Result<i32, Vec<u8>> {
    let fail = |failure: system::Failure| bytes!(plan.archive, ": Cannot open: ", failure);
    let old = match system::read_whole(&plan.archive) {
        Err(system::NO_ENTRY) => Vec::new(),
        old => old.map_err(fail)?,
    };
    if Codec::of(&old) != Codec::None {
        return Err(COMPRESSED.into());
    }
    let globs = extract::globs(plan);
    let mut found = vec![false; plan.members.len()];
    let mut new = Vec::with_capacity(old.len());
    let mut archive = Archive::new(old.as_slice());
    let broken = |_| b"This does not look like a tar archive".to_vec();
    // What stands before a header belongs to it: the entry of a long name.
    let mut start = 0;
    for entry in archive.entries().map_err(broken)? {
        let entry = entry.map_err(broken)?;
        let size = entry.header().entry_size().unwrap_or(0);
        let end = entry.raw_file_position().saturating_add(size);
        let end = end.checked_next_multiple_of(512).unwrap_or(u64::MAX);
        let end = usize::try_from(end).unwrap_or(usize::MAX);
        let name = entry.path_bytes();
        let selected =
            !plan.members.is_empty() && extract::selects(plan, &globs, &mut found, &name);
        if (!selected || plan.excludes(&name))
            && let Some(whole) = old.get(start..end.min(old.len()))
        {
            new.extend_from_slice(whole);
        }
        start = end;
    }
    new.resize((new.len() + 1024).next_multiple_of(RECORD), 0);
    if plan.archive == b"-" {
        let mut out = crate::output::Output::new();
        out.put(&new);
        let status = out.finish("tar", 0, 2);
        return Ok(if extract::not_found(call, plan, &found) {
            2
        } else {
            status
        });
    }
    if !old.is_empty() {
        system::create_file(&plan.archive, false)
            .and_then(|mut file| Ok(file.write_all(&new)?))
            .map_err(fail)?;
    }
    Ok(if extract::not_found(call, plan, &found) {
        2
    } else {
        0
    })
}
