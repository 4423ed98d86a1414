//! `offshoot:sandbox/process`: processes, pipes and signals of the sandbox.

use std::future::poll_fn;
use std::io::SeekFrom;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::task::Poll;

use super::bindings::offshoot::sandbox::{process, types::ExitStatus};
use super::{Errno, Failure, Guest};
use crate::ProcessInfo;
use crate::descriptor::{Descriptors, Object};
use crate::process::{Entry, Origin, ProcessEnd, Startup, Task, signal};

type Answer<T> = Result<T, Failure>;

impl Guest {
    /// A child that was not yet asked for.
    fn child(&self, pid: u32) -> Result<Arc<Entry>, Errno> {
        let table = self.kernel.table();
        let entry = table.get(pid).ok_or(Errno::Child)?;
        match entry.parent.load(Ordering::Relaxed) == self.entry.pid {
            true => Ok(Arc::clone(entry)),
            false => Err(Errno::Child),
        }
    }

    /// How `child` ended, after which it is forgotten.
    fn reap(&self, child: &Entry) -> Option<ExitStatus> {
        let end = child.ended()?;
        self.kernel.table().reap(child.pid);
        Some(match (&end, end.signal()) {
            (ProcessEnd::Exited(status), _) => ExitStatus::Exited(*status),
            (_, number) => ExitStatus::Signalled(number.unwrap_or(signal::KILL)),
        })
    }

    /// The table of a child: what it is given, and what the caller was started with itself.
    fn inherited(&self, given: &[(u32, u32)]) -> Result<Descriptors, Errno> {
        let mut descriptors = Descriptors::new(self.kernel.limited().open_files);
        for (number, own) in given {
            descriptors.put(*number, Arc::clone(self.open_object(*own)?))?;
        }
        for (number, object) in &self.passed_on {
            if descriptors.get(*number).is_err()
                && let Some(object) = object.upgrade()
                && self
                    .open(*number)
                    .is_some_and(|own| Arc::ptr_eq(own, &object))
            {
                descriptors.put(*number, object)?;
            }
        }
        Ok(descriptors)
    }
}

impl process::Host for Guest {
    fn identify(&mut self) -> wasmtime::Result<process::Identity> {
        let identity = &self.kernel.settings().identity;
        Ok(process::Identity {
            pid: self.entry.pid,
            parent: self.entry.parent.load(Ordering::Relaxed),
            uid: identity.uid,
            gid: identity.gid,
            user: identity.user.clone(),
            group: identity.group.clone(),
            hostname: identity.hostname.clone(),
        })
    }

    fn get_umask(&mut self) -> wasmtime::Result<u32> {
        Ok(self.startup.umask)
    }

    fn set_umask(&mut self, mask: u32) -> wasmtime::Result<()> {
        self.startup.umask = mask & 0o777;
        Ok(())
    }

    fn pipe(&mut self) -> Answer<process::PipeEnds> {
        self.check_open_files(self.open_files + 1)?;
        let (reader, writer) = Object::pipe(&self.entry.group);
        let reader = self.descriptors.insert(Arc::new(reader))?;
        let writer = self.descriptors.insert(Arc::new(writer))?;
        Ok(process::PipeEnds { reader, writer })
    }

    fn connection(&mut self, local: u16, remote: u16) -> Answer<u32> {
        self.check_open_files(self.open_files)?;
        let found = self.kernel.loopback().connection(local, remote);
        let object = Object::connection(found.ok_or(Errno::NoDevice)?);
        Ok(self.descriptors.insert(Arc::new(object))?)
    }

    fn opened(&mut self, inode: u64, offset: u64) -> Answer<u32> {
        self.check_open_files(self.open_files)?;
        let object = self.opened.iter().rev().find_map(|opened| {
            let object = opened.upgrade()?;
            let metadata = object.metadata().ok()?;
            (metadata.inode == inode).then_some(object)
        });
        let object = object.ok_or(Errno::BadDescriptor)?;
        if object.can_seek() {
            object.seek(SeekFrom::Start(offset))?;
        }
        Ok(self.descriptors.insert(object)?)
    }

    fn spawn(&mut self, options: process::SpawnOptions) -> Answer<u32> {
        let descriptors = self.inherited(&options.descriptors)?;
        let startup = Startup {
            arguments: options.arguments,
            environment: Arc::new(options.environment),
            directory: options.directory,
            umask: options.umask & 0o777,
        };
        let group = Arc::clone(&self.entry.group);
        let origin = Origin {
            parent: Some(self.entry.pid),
            task: options.task,
        };
        let child = self
            .kernel
            .spawn_in(&group, origin, &options.path, startup, descriptors)?;
        Ok(child.pid)
    }

    fn try_wait(&mut self, pid: u32) -> Answer<Option<ExitStatus>> {
        let child = self.child(pid)?;
        Ok(self.reap(&child))
    }

    async fn wait(&mut self, pid: u32) -> Answer<ExitStatus> {
        let child = self.child(pid)?;
        poll_fn(|context| match child.poll_ended(context.waker()) {
            true => Poll::Ready(()),
            false => Poll::Pending,
        })
        .await;
        Ok(self.reap(&child).ok_or(Errno::Child)?)
    }

    fn kill(&mut self, pid: u32, number: u8) -> Answer<()> {
        if number > signal::LAST {
            return Err(Errno::Invalid.into());
        }
        Ok(self.kernel.signal(pid, number)?)
    }

    fn set_tasks(&mut self, tasks: Vec<process::Task>) -> Answer<()> {
        let own = self.entry.info();
        let started = self.kernel.settings().time.monotonic();
        let (mut infos, mut size) = (Vec::with_capacity(tasks.len()), 0);
        for task in tasks {
            let given = Some(&task.arguments).filter(|given| !given.is_empty());
            let arguments = given.unwrap_or(&own.arguments);
            size += task.directory.len();
            let bytes = arguments.iter().map(|one| size_of::<Vec<u8>>() + one.len());
            size += size_of::<ProcessInfo>() + bytes.sum::<usize>();
            if size > self.kernel.limited().arguments {
                return Err(Errno::ArgumentsTooLong.into());
            }
            if task.pid == own.pid {
                self.entry.enter(task.directory);
                continue;
            }
            let info = ProcessInfo {
                pid: task.pid,
                parent: task.parent,
                started,
                arguments: arguments.clone(),
            };
            infos.push(Task {
                info,
                directory: task.directory,
                stopped: task.stopped,
            });
        }
        self.entry.tasks.set(infos);
        Ok(())
    }

    fn list_processes(&mut self) -> wasmtime::Result<Vec<process::ProcessInfo>> {
        let processes = self.kernel.processes().into_iter();
        let info = |info: crate::ProcessInfo| process::ProcessInfo {
            pid: info.pid,
            parent: info.parent,
            started: info.started,
            arguments: info.arguments,
        };
        Ok(processes.map(info).collect())
    }
}
