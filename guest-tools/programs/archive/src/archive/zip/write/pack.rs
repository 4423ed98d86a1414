//! Members that are packed into an archive, and the archive that is written at the end.
//!
//! A file is packed twice at most: on its own first, and what does not get smaller by that is stored. Each member has
//! the mode of its file, its local time, and unless `-X` is given its exact time in the extra field 0x5455, up to the
//! year 2106.

use std::io::{Cursor, Read as _, Write as _};

use ::zip::result::ZipResult;
use ::zip::write::{ExtendedFileOptions, FileOptions};
use ::zip::{CompressionMethod, DateTime, ZipWriter};

use super::options::Task;
use super::{Source, Writer, Zipper};
use crate::archive::zip::{Archive, Member, percent};
use crate::call::bytes;
use crate::system::Kind;
use crate::{system, time};

impl Zipper {
    /// Ends the archive and writes it to its file or to standard output; gives the exit status.
    pub(super) fn save(mut self, writer: Writer) -> Result<i32, i32> {
        let content = writer
            .finish()
            .map_err(|error| self.fail_write(error))?
            .into_inner();
        if self.to_output {
            self.out.put(&content);
        } else {
            let written = system::create_file(&self.path, false)
                .and_then(|mut file| Ok(file.write_all(&content)?));
            written.map_err(|failure| self.error(15, failure))?;
        }
        if self.settings.test && !self.to_output {
            let path = self.path.clone();
            self.say(bytes!("test of ", path, " OK\n"));
        }
        let status = self.status;
        Ok(self.out.finish("zip", status, 14))
    }

    /// Makes the archive from the old one and `sources`: the members of the old one in their order, each replaced,
    /// copied or dropped, then what is new. Where nothing changes nothing is written, with status 12 for all tasks
    /// but adding. The lookup of members among the sources is O(members · sources).
    pub(super) fn write(mut self, old: Option<(Archive, Vec<Member>)>) -> Result<i32, i32> {
        let mut writer: Writer = ZipWriter::new(Cursor::new(Vec::new()));
        let mut sources = std::mem::take(&mut self.sources);
        let task = self.settings.task;
        let is_new = old.is_none();
        let mut done = 0;
        if let Some((mut archive, members)) = old {
            for member in &members {
                let at = sources.iter().position(|source| source.name == member.name);
                let source = at.map(|at| sources.remove(at));
                let newer = |source: &Source| {
                    source
                        .stat
                        .as_ref()
                        .is_none_or(|stat| stat.modified.seconds > member.modified().seconds)
                };
                let source = source.filter(|source| {
                    task == Task::Add || newer(source) && !same(source, member, task)
                });
                match source {
                    Some(source) => {
                        let verb = if task == Task::Freshen {
                            "freshening: "
                        } else {
                            "updating: "
                        };
                        self.put(&mut writer, &source, verb)?;
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
        for source in &sources {
            self.put(&mut writer, source, "  adding: ")?;
            done += 1;
        }
        if done == 0 && self.names.is_empty() && !self.filtered {
            return Err(self.error(12, "Nothing to do!"));
        }
        if done == 0 && is_new && self.filtered {
            self.warn(b"zip file empty".to_vec());
        } else if done == 0 {
            let status = self.status;
            let status = if task == Task::Add { status } else { 12 };
            return Ok(self.out.finish("zip", status, 14));
        }
        let moved: Vec<(Vec<u8>, bool)> = if self.settings.move_files {
            let moved = sources.iter().filter_map(|source| {
                let stat = source.stat.as_ref()?;
                Some((source.path.clone()?, stat.kind == Kind::Directory))
            });
            moved.collect()
        } else {
            Vec::new()
        };
        let status = self.save(writer)?;
        for (path, is_directory) in moved.iter().rev() {
            // What cannot be removed stays beside the archive.
            let _ = if *is_directory {
                system::remove_directory(path)
            } else {
                system::unlink(path)
            };
        }
        Ok(status)
    }

    /// Reads a source, adds it as a member and says so after `verb`. One that cannot be read is left out, with status
    /// 18.
    pub(super) fn put(
        &mut self,
        writer: &mut Writer,
        source: &Source,
        verb: &str,
    ) -> Result<(), i32> {
        let mut content = Vec::new();
        let mode = source
            .stat
            .as_ref()
            .map_or(0o010_600, |stat| stat.kind.bits() | stat.mode);
        let read = match (&source.path, &source.stat) {
            (None, _) => std::io::stdin()
                .lock()
                .read_to_end(&mut content)
                .map(|_| ())
                .map_err(system::Failure::from),
            (Some(path), Some(stat)) if stat.kind == Kind::Symlink => {
                system::read_link(path).map(|target| content = target)
            }
            (Some(_), Some(stat)) if stat.kind == Kind::Directory => Ok(()),
            (Some(path), _) => system::read_whole(path).map(|text| content = text),
        };
        if let Err(failure) = read {
            self.warn(bytes!(
                "could not open for reading: ",
                source.name,
                ": ",
                failure
            ));
            self.status = 18;
            return Ok(());
        }
        let packed = self
            .pack(writer, source, &content, mode)
            .map_err(|error| self.fail_write(error))?;
        let size = content.len() as u64;
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
        Ok(())
    }

    /// Adds a member; gives its packed size. Names are stored as UTF-8: other bytes become U+FFFD.
    fn pack(
        &self,
        writer: &mut Writer,
        source: &Source,
        content: &[u8],
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
        if !stores {
            // Packed on its own first: what does not get smaller is stored.
            let mut single = ZipWriter::new(Cursor::new(Vec::new()));
            single.start_file(name.as_ref(), options(CompressionMethod::Deflated)?)?;
            single.write_all(content)?;
            let mut single = single.finish_into_readable()?;
            let entry = single.by_index_raw(0)?;
            let packed = entry.compressed_size();
            if packed < content.len() as u64 {
                writer.raw_copy_file(entry)?;
                return Ok(packed);
            }
        }
        writer.start_file(name.as_ref(), options(CompressionMethod::Stored)?)?;
        writer.write_all(content)?;
        Ok(content.len() as u64)
    }
}

/// Whether a file has the size and time of its member, for `-FS`.
fn same(source: &Source, member: &Member, task: Task) -> bool {
    let size = source.stat.as_ref().map(|stat| stat.size);
    task == Task::Synchronize
        && size == Some(member.size)
        && source
            .stat
            .as_ref()
            .is_some_and(|stat| stat.modified.seconds == member.modified().seconds)
}

/// Copies a member as it is, without unpacking it.
pub(super) fn copy(archive: &mut Archive, member: &Member, writer: &mut Writer) -> ZipResult<()> {
    writer.raw_copy_file(archive.by_index_raw(member.index)?)
}
