//! Members that are packed into an archive, and the archive that is written at the end.
//!
//! What does not get smaller when it is packed is stored. A small file is packed in memory for that, a large one is
//! read twice. Each member has the mode of its file, its local time, and unless `-X` is given its exact time in the
//! extra field 0x5455, up to the year 2106.

use std::io::Cursor;

use ::zip::result::ZipResult;
use ::zip::write::{ExtendedFileOptions, FileOptions};
use ::zip::{CompressionMethod, DateTime, ZipWriter};

use super::content::{Both, Content, Packed};
use super::options::Task;
use super::{Source, Writer, Zipper};
use crate::archive::zip::{Archive, Member, percent};
use crate::call::bytes;
use crate::system::Kind;
use crate::{system, time};

impl Zipper {
    /// Ends the archive and writes it to its file or to standard output; gives the exit status.
    pub(super) fn save(mut self, writer: Writer) -> Result<i32, i32> {
        let target = writer.finish().map_err(|error| self.fail_write(error))?;
        let written = target.finish(&mut self.out);
        written.map_err(|failure| self.error(15, failure))?;
        if self.settings.test && !self.to_output {
            let path = self.path.clone();
            self.say(bytes!("test of ", path, " OK\n"));
        }
        let status = self.status;
        Ok(self.out.finish("zip", status, 14))
    }

    /// Makes the archive from the old one and `sources`: the members of the old one in their order, each replaced,
    /// copied or dropped, then what is new. Where nothing changes nothing is written, with status 12 for all tasks
    /// but adding and `-FS`. With `-m` what was read into the archive is removed once it is written. The lookup of
    /// members among the sources is O(members · sources).
    pub(super) fn write(mut self, old: Option<(Archive, Vec<Member>)>) -> Result<i32, i32> {
        let mut writer = self.begin()?;
        let mut moved = Vec::new();
        let mut sources = std::mem::take(&mut self.sources);
        let task = self.settings.task;
        let is_new = old.is_none();
        let mut done = 0;
        if let Some((mut archive, members)) = old {
            for member in &members {
                let at = sources.iter().position(|source| source.name == member.name);
                let source = at.map(|at| sources.remove(at));
                let newer = |source: &Source| {
                    let stat = source.stat.as_ref();
                    stat.is_none_or(|stat| member.is_older_than(stat.modified))
                };
                let source = source.filter(|source| match task {
                    Task::Add => true,
                    Task::Synchronize => !same(source, member),
                    _ => newer(source),
                });
                match source {
                    Some(source) => {
                        let verb = if task == Task::Freshen {
                            "freshening: "
                        } else {
                            "updating: "
                        };
                        // What cannot be read leaves the member as it was.
                        if self.put(&mut writer, &source, verb)? {
                            moved.push(source);
                        } else {
                            copy(&mut archive, member, &mut writer)
                                .map_err(|error| self.fail_write(error))?;
                        }
                        done += 1;
                    }
                    None if task == Task::Synchronize && at.is_none() => {
                        self.say(bytes!("deleting: ", member.name, "\n"));
                        done += 1;
                    }
                    None => copy(&mut archive, member, &mut writer)
                        .map_err(|error| self.fail_write(error))?,
                }
            }
            if task == Task::Freshen {
                sources.clear();
            }
        } else if task == Task::Freshen {
            sources.clear();
        }
        for source in sources {
            if self.put(&mut writer, &source, "  adding: ")? {
                moved.push(source);
            }
            done += 1;
        }
        if done == 0 && self.names.is_empty() && !self.filtered {
            return Err(self.error(12, "Nothing to do!"));
        }
        if done == 0 && is_new && self.filtered {
            self.warn(b"zip file empty".to_vec());
        } else if done == 0 {
            if task == Task::Synchronize {
                self.say("Archive is current\n");
            }
            let status = match task {
                Task::Add | Task::Synchronize => self.status,
                _ => 12,
            };
            return Ok(self.out.finish("zip", status, 14));
        }
        let moves = self.settings.move_files;
        let status = self.save(writer)?;
        for source in moved.iter().rev().filter(|_| moves) {
            let (Some(path), Some(stat)) = (&source.path, &source.stat) else {
                continue;
            };
            // What cannot be removed stays beside the archive.
            let _ = if stat.kind == Kind::Directory {
                system::remove_directory(path)
            } else {
                system::unlink(path)
            };
        }
        Ok(status)
    }

    /// Reads a source, adds it as a member and says so after `verb`; whether it is in the archive now. One that
    /// cannot be read is left out, with status 18.
    pub(super) fn put(
        &mut self,
        writer: &mut Writer,
        source: &Source,
        verb: &str,
    ) -> Result<bool, i32> {
        let mode = source
            .stat
            .as_ref()
            .map_or(0o010_600, |stat| stat.kind.bits() | stat.mode);
        let mut content = match Content::read(source) {
            Ok(content) => content,
            Err(failure) => return Ok(self.unreadable(source, failure)),
        };
        let packed = self.pack(writer, source, &mut content, mode);
        if let Some(failure) = content.failure.take() {
            // What is there of the member goes again.
            let aborted = match writer.is_writing_file() {
                true => writer.abort_file(),
                false => Ok(()),
            };
            aborted.map_err(|error| self.fail_write(error))?;
            return Ok(self.unreadable(source, failure));
        }
        let packed = packed.map_err(|error| self.fail_write(error))?;
        let size = content.size;
        let detail = if self.settings.verbose && !source.name.ends_with(b"/") {
            format!("\t(in={size}) (out={packed})")
        } else {
            String::new()
        };
        let how = match percent(size, packed) {
            _ if packed == size => " (stored 0%)".to_owned(),
            saved => format!(" (deflated {saved}%)"),
        };
        self.say(bytes!(verb, source.name, detail, how, "\n"));
        Ok(true)
    }

    /// Says that a source cannot be read, which makes the status 18.
    fn unreadable(&mut self, source: &Source, failure: system::Failure) -> bool {
        let message = bytes!("could not open for reading: ", source.name, ": ", failure);
        self.warn(message);
        self.status = 18;
        false
    }

    /// Adds a member; gives its packed size. Names are stored as UTF-8: other bytes become U+FFFD.
    fn pack(
        &self,
        writer: &mut Writer,
        source: &Source,
        content: &mut Content,
        mode: u32,
    ) -> ZipResult<u64> {
        let name = String::from_utf8_lossy(&source.name);
        let stamp = source
            .stat
            .as_ref()
            .map_or_else(system::Time::now, |stat| stat.modified);
        let local = time::local(stamp, &time::zone());
        let date = DateTime::from_date_and_time(
            u16::try_from(local.year()).unwrap_or(1980),
            local.month() as u8,
            local.day() as u8,
            local.hour() as u8,
            local.minute() as u8,
            local.second() as u8,
        )
        .unwrap_or_default();
        let directory = source.name.ends_with(b"/");
        let attributes = mode << 16 | if directory { 0x10 } else { 0 };
        let options =
            |method: CompressionMethod| -> ZipResult<FileOptions<'_, '_, ExtendedFileOptions>> {
                let level = (method == CompressionMethod::Deflated)
                    .then(|| i64::from(self.settings.level.max(1)));
                let mut options = FileOptions::<ExtendedFileOptions>::default()
                    .compression_method(method)
                    .compression_level(level)
                    .system(::zip::System::Unix)
                    .last_modified_time(date)
                    .unix_permissions(mode)
                    .external_attributes(attributes);
                if !self.settings.no_extra
                    && let Ok(seconds) = u32::try_from(stamp.seconds)
                {
                    let mut field = vec![1];
                    field.extend_from_slice(&seconds.to_le_bytes());
                    options.add_extra_field(0x5455, field, false)?;
                }
                Ok(options)
            };
        let suffix = |suffix: &Vec<u8>| source.name.ends_with(suffix.as_slice());
        let stores = content.is_empty()
            || self.settings.level == 0
            || self.settings.store.iter().any(suffix);
        let large = content.is_large();
        if !stores && !large {
            // Packed on its own first: what does not get smaller is stored.
            let mut single = ZipWriter::new(Cursor::new(Vec::new()));
            single.start_file(name.as_ref(), options(CompressionMethod::Deflated)?)?;
            content.copy(&mut single)?;
            let mut single = single.finish_into_readable()?;
            let entry = single.by_index_raw(0)?;
            let packed = entry.compressed_size();
            if packed < content.size {
                writer.raw_copy_file(entry)?;
                return Ok(packed);
            }
        }
        let given = source.stat.as_ref().map_or(u64::MAX, |stat| stat.size);
        let is_huge = large && given >= u64::from(u32::MAX);
        let level = flate2::Compression::new(u32::from(self.settings.level.max(1)));
        let mut packed = Packed::new(level);
        let mut method = CompressionMethod::Stored;
        if !stores && large && content.rewinds {
            content.copy(&mut packed)?;
            content.rewind()?;
            if packed.size()? < content.size {
                method = CompressionMethod::Deflated;
            }
        } else if !stores && large {
            method = CompressionMethod::Deflated;
        }
        writer.start_file(name.as_ref(), options(method)?.large_file(is_huge))?;
        if method == CompressionMethod::Deflated && !content.rewinds {
            content.copy(&mut Both(writer, &mut packed))?;
        } else {
            content.copy(writer)?;
        }
        match method {
            CompressionMethod::Deflated => Ok(packed.size()?),
            _ => Ok(content.size),
        }
    }
}

/// Whether a file has the size and time of its member, for `-FS`.
fn same(source: &Source, member: &Member) -> bool {
    source.stat.as_ref().is_some_and(|stat| {
        let size = if stat.kind == Kind::Directory {
            0
        } else {
            stat.size
        };
        let newer = member.is_older_than(stat.modified);
        size == member.size && !newer && stat.modified.seconds >= member.modified().seconds
    })
}

/// Copies a member as it is, without unpacking it.
pub(super) fn copy(archive: &mut Archive, member: &Member, writer: &mut Writer) -> ZipResult<()> {
    writer.raw_copy_file(archive.by_index_raw(member.index)?)
}
