//! What reads an archive: `t`, `p` and `x`.
//!
//! Members are shown in the order of the operands, or of the archive if there is none. A name that is in no member is
//! said on standard error and leaves the status 0, as Binutils does.

use std::io::Write as _;

use super::Ar;
use super::format::Member;
use crate::archive::safety;
use crate::call::bytes;
use crate::output::Output;
use crate::system::{self, Kind, Time};
use crate::time;

impl Ar<'_> {
    /// Lists (`t`), prints (`p`) or extracts (`x`) the members that are named, or all. The error is the status, after
    /// a message.
    pub(super) fn show(&self, operation: &str, mut members: Vec<Member>) -> Result<i32, i32> {
        let mut out = Output::new();
        let mut chosen = Vec::new();
        if self.files.is_empty() {
            chosen.extend(0..members.len());
        }
        for file in &self.files {
            match self.find(&members, file) {
                Some(at) => {
                    members[at].is_taken = true;
                    chosen.push(at);
                }
                None => {
                    let line = bytes!("no entry ", file, " in archive\n");
                    // Nothing is left to tell where standard error is gone.
                    let _ = std::io::stderr().write_all(&line);
                }
            }
        }
        for member in chosen.into_iter().map(|at| &members[at]) {
            match operation {
                "t" => self.list(&mut out, member),
                "p" => {
                    if self.is_verbose() {
                        out.put(bytes!("\n<", member.name, ">\n\n"));
                    }
                    out.put(&member.content);
                }
                _ => {
                    out.flush();
                    self.extract(&mut out, member)?;
                }
            }
        }
        Ok(out.finish("ar", 0, 1))
    }

    /// A line of `t`: the name, with `v` its attributes before it, with `O` the offset of its content behind it.
    ///
    /// ```text
    /// rw-r--r-- 0/0      4 Jan  1 00:00 1970 x.o 0x44
    /// ```
    fn list(&self, out: &mut Output, member: &Member) {
        if self.is_verbose() {
            let stat = system::Stat {
                kind: Kind::Regular,
                device: 0,
                inode: 0,
                mode: member.mode & 0o7777,
                links: 1,
                uid: member.uid,
                gid: member.gid,
                size: 0,
                blocks: 0,
                accessed: Time::default(),
                modified: Time::default(),
                changed: Time::default(),
                created: Time::default(),
            };
            let stamp = Time {
                seconds: member.modified,
                nanoseconds: 0,
            };
            let when = time::format(&time::local(stamp, &time::zone()), "%b %e %H:%M %Y");
            out.put(format!(
                "{} {}/{} {:6} {when} ",
                &stat.permissions()[1..],
                member.uid,
                member.gid,
                member.content.len()
            ));
        }
        out.put(&member.name);
        if self.parsed.has("O") {
            out.put(format!(" 0x{:x}", member.offset));
        }
        out.end_line(b'\n');
    }

    /// Writes a member into a file in the directory of `--output`, with the mode of its header and by `o` its time. A
    /// name that leads out loses its directories, with a warning; a parent that is a link which leads out is an
    /// error.
    fn extract(&self, out: &mut Output, member: &Member) -> Result<(), i32> {
        let mut name = member.name.as_slice();
        if safety::check_name(name).is_err() {
            let base = name.rsplit(|byte| *byte == b'/').next().unwrap_or(name);
            let shown = bytes!("illegal output pathname for archive member: ", name);
            self.call
                .fail(0, bytes!(shown, ", using '", base, "' instead"));
            name = base;
        }
        let base = self.parsed.value("output").unwrap_or_default();
        let path = system::join(base, name);
        if self.is_verbose() {
            out.line(bytes!("x - ", path));
            out.flush();
        }
        let refuse = |reason: &dyn AsRef<[u8]>| {
            let line = bytes!(path, ": ", reason, "\n");
            let _ = std::io::stderr().write_all(&line);
            1
        };
        if let Err(escape) = safety::check_parents(base, name) {
            return Err(refuse(&escape.reason()));
        }
        let made = || -> system::Result<()> {
            system::create_file(&path, false)?.write_all(&member.content)?;
            system::set_mode(&path, member.mode & 0o7777)?;
            if self.parsed.has("o") {
                let time = Time {
                    seconds: member.modified,
                    nanoseconds: 0,
                };
                system::set_times(&path, time, time, true)?;
            }
            Ok(())
        };
        made().map_err(|failure| refuse(&failure))
    }
}
