//! What writes an archive: `r`, `q`, `d` and `m`.
//!
//! The members are changed in memory and written at the end. An error on the way leaves an archive that was there
//! before as it was, and removes one that was made.

use super::Ar;
use super::format::{self, Member};
use crate::call::bytes;
use crate::output::Output;
use crate::system::{self, Failure, Kind};

impl Ar<'_> {
    /// Replaces (`r`), appends (`q`), deletes (`d`) or moves (`m`) members. An archive that does not exist is made,
    /// with a message unless `c` is given. The error is the status, after a message.
    pub(super) fn change(&self, operation: &str) -> Result<i32, i32> {
        let is_missing = matches!(system::stat(&self.archive, true), Err(system::NO_ENTRY));
        let mut members = Vec::new();
        if is_missing {
            super::write(self.call, &self.archive, &members, None)?;
            if !self.parsed.has("c") {
                self.call.fail(0, bytes!("creating ", self.archive));
            }
        } else {
            members = self.read()?;
        }
        let mut out = Output::new();
        let changed = match operation {
            "d" => {
                self.delete(&mut out, &mut members);
                Ok(())
            }
            "m" => self.shift(&mut out, &mut members),
            _ => self.replace(&mut out, &mut members, operation == "q"),
        };
        if changed.is_err() && is_missing {
            // It was made for nothing.
            let _ = system::unlink(&self.archive);
        }
        changed?;
        self.write(&members)?;
        Ok(out.finish("ar", 0, 1))
    }

    /// Says with `v` what happened to a member, as `a - file`.
    fn tell(&self, out: &mut Output, letter: char, file: &[u8]) {
        if self.is_verbose() {
            out.line(bytes!(letter.to_string(), " - ", file));
            out.flush();
        }
    }

    /// Removes the members that are named. One that is not there is no error.
    fn delete(&self, out: &mut Output, members: &mut Vec<Member>) {
        for file in &self.files {
            match self.find(members, file) {
                Some(at) => {
                    members.remove(at);
                    self.tell(out, 'd', file);
                }
                None if self.is_verbose() => out.line(bytes!("No member named `", file, "'")),
                None => {}
            }
        }
    }

    /// Moves the members that are named, one after the other, so that with `a` several come to stand in reverse
    /// order.
    fn shift(&self, out: &mut Output, members: &mut Vec<Member>) -> Result<(), i32> {
        for file in &self.files {
            let Some(at) = self.find(members, file) else {
                let message = bytes!("no entry ", file, " in archive ", self.archive, "!");
                return Err(self.call.fail(1, message));
            };
            let member = members.remove(at);
            let target = self.target(members);
            members.insert(target, member);
            self.tell(out, 'm', file);
        }
        Ok(())
    }

    /// The index at which members are put: beside the one of `a`, `b` or `i`, or at the end, also where that one does
    /// not exist.
    fn target(&self, members: &[Member]) -> usize {
        let Some(place) = &self.place else {
            return members.len();
        };
        let is_place = |member: &Member| member.name == self.name_of(place);
        match members.iter().position(is_place) {
            Some(at) => at + usize::from(self.parsed.last(&["a", "b"]) == Some("a")),
            None => members.len(),
        }
    }

    /// Puts files into the archive: with `appends` at the end, else in the place of the member of their name if there
    /// is one. With `u` only those that are newer than their member, whose time is known only if `U` had stored it.
    fn replace(
        &self,
        out: &mut Output,
        members: &mut Vec<Member>,
        appends: bool,
    ) -> Result<(), i32> {
        let newer_only = self.parsed.has("u");
        for file in &self.files {
            let refuse = |failure: Failure| self.call.fail(1, bytes!(file, ": ", failure));
            let old = if appends {
                None
            } else {
                self.find(members, file)
            };
            let stat = system::stat(file, true).map_err(refuse)?;
            if stat.kind == Kind::Directory {
                let reason = format::Error::Unknown.reason();
                return Err(self.call.fail(1, bytes!(file, ": ", reason)));
            }
            if let Some(at) = old
                && newer_only
                && stat.modified.seconds <= members[at].modified
            {
                continue;
            }
            let is_real = self.parsed.last(&["D", "U"]) == Some("U");
            let mut name = self.name_of(file).to_vec();
            if self.parsed.has("f") {
                name.truncate(format::SHORT_NAME);
            }
            let mut member = Member {
                name,
                modified: 0,
                uid: 0,
                gid: 0,
                mode: 0o644,
                content: system::read_whole(file).map_err(refuse)?,
                offset: 0,
                is_taken: true,
            };
            if is_real {
                member.modified = stat.modified.seconds;
                (member.uid, member.gid) = (stat.uid, stat.gid);
                member.mode = stat.kind.bits() | stat.mode;
            }
            match old {
                Some(at) => {
                    members[at] = member;
                    self.tell(out, 'r', file);
                }
                None => {
                    let target = if appends {
                        members.len()
                    } else {
                        self.target(members)
                    };
                    members.insert(target, member);
                    self.tell(out, 'a', file);
                }
            }
        }
        Ok(())
    }
}
