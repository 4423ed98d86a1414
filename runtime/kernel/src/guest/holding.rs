//! What a guest holds of the host's.

use std::any::{Any, TypeId};
use std::sync::Arc;
use std::sync::atomic::Ordering;

use wasmtime_wasi_io::poll::DynPollable;
use wasmtime_wasi_io::streams::{DynInputStream, DynOutputStream};

use super::Guest;
use super::filesystem::{Descriptor, Entries};
use super::sockets::{Incoming, Outgoing, TcpSocket, UdpSocket};
use crate::descriptor::Descriptors;
use crate::limit::RESOURCES;
use crate::process::{Delivery, Startup};
use crate::program::{Head, Rounds};

/// The handles and descriptors of a guest, by which two of its states are compared.
#[derive(PartialEq, Eq)]
pub(crate) struct Holding {
    /// Each handle and what kind of thing it is. The engine numbers handles as the host numbers what is behind them,
    /// so equal numbers here are equal numbers there.
    handles: Vec<(u32, TypeId)>,
    descriptors: Vec<u32>,
}

impl Guest {
    /// What it holds now.
    pub(crate) fn holding(&mut self) -> Holding {
        let numbers = 0..RESOURCES as u32;
        let kind = |number| {
            let thing: &dyn Any = self.resources.get_any_mut(number).ok()?;
            Some((number, thing.type_id()))
        };
        Holding {
            handles: numbers.filter_map(kind).collect(),
            descriptors: self.descriptors.numbers().collect(),
        }
    }

    /// What it holds more than `before`, or no longer, in words; none where that is nothing.
    pub(crate) fn beyond(&mut self, before: &Holding) -> Option<String> {
        let (now, mut found) = (self.holding(), Vec::new());
        for child in self.living_children() {
            found.push(format!("process {child}"));
        }
        for (number, kind) in &now.handles {
            if !before.handles.contains(&(*number, *kind)) {
                found.extend(self.describe(*number));
            }
        }
        let numbers = now.descriptors.iter();
        let more = numbers.filter(|number| !before.descriptors.contains(number));
        found.extend(more.map(|number| format!("descriptor {number}")));
        if found.is_empty() && now == *before {
            return None;
        }
        if found.is_empty() {
            return Some("it has closed what it began with".to_owned());
        }
        found.dedup();
        Some(format!("it has open: {}", found.join(", ")))
    }

    fn describe(&mut self, number: u32) -> Option<String> {
        let thing: &dyn Any = self.resources.get_any_mut(number).ok()?;
        if let Some(descriptor) = thing.downcast_ref::<Descriptor>() {
            return Some(descriptor.describe());
        }
        let name = match thing {
            thing if thing.is::<TcpSocket>() => "a TCP socket",
            thing if thing.is::<UdpSocket>() => "a UDP socket",
            thing if thing.is::<Incoming>() || thing.is::<Outgoing>() => "a UDP socket",
            thing if thing.is::<DynInputStream>() => "a stream that is read",
            thing if thing.is::<DynOutputStream>() => "a stream that is written",
            thing if thing.is::<DynPollable>() => "something that is waited for",
            thing if thing.is::<Entries>() => "a directory that is listed",
            _ => "a handle",
        };
        Some(name.to_owned())
    }

    fn living_children(&self) -> Vec<u32> {
        let table = self.kernel.table();
        let children = table.living();
        let own = |parent: u32| parent == self.entry.pid;
        let children = children.filter(|child| own(child.parent.load(Ordering::Relaxed)));
        children.map(|child| child.pid).collect()
    }

    /// What an image keeps of it beside its memory.
    pub(crate) fn head(&self, component: u64, pages: u32) -> Head {
        Head {
            component,
            pages,
            umask: self.startup.umask,
            knows_directory: self.knows_directory,
            directory: self.entry.image().directory,
        }
    }

    /// Takes over what an image has of it beside its memory.
    pub(crate) fn adopt(&mut self, head: &Head) {
        self.startup.umask = head.umask & 0o777;
        self.knows_directory = head.knows_directory;
        self.entry.enter(head.directory.clone());
    }

    /// A guest for an instance that only shows what every one begins with.
    pub(crate) fn another(&self) -> Guest {
        let startup = Startup {
            arguments: Vec::new(),
            environment: Arc::default(),
            directory: b"/".to_vec(),
            umask: 0,
        };
        let guest = Guest::new(
            &self.kernel,
            Arc::clone(&self.entry),
            startup,
            Descriptors::new(0),
            Delivery::Default,
        );
        self.entry.count_memory(self.limiter.counted());
        guest
    }

    /// The rounds that it is called in, where it was started with such and no other program has taken them.
    pub(crate) fn rounds(&self) -> Option<Rounds> {
        let mut objects = self.passed_on.iter();
        let rounds = objects.find_map(|(_, object)| object.upgrade()?.rounds().cloned())?;
        rounds.claim().then_some(rounds)
    }
}
