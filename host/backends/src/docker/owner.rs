//! Who made a container, and what is left when that process is gone.

use super::{Engine, labels, typed};
use bollard::query_parameters::{
    ListContainersOptionsBuilder, ListImagesOptionsBuilder, RemoveImageOptionsBuilder,
};
use offshoot_backend::Result;
use std::collections::HashMap;
use std::fmt;
use std::fs;

/// A process of a machine, told from a later one with the same number by its start.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Owner {
    machine: String,
    boot: String,
    process: u32,
    start: String,
}

impl Owner {
    pub(super) fn this_process() -> Owner {
        let process = std::process::id();
        Owner {
            machine: line("/etc/machine-id"),
            boot: line("/proc/sys/kernel/random/boot_id"),
            process,
            start: start_of(process).unwrap_or_default(),
        }
    }

    fn parse(text: &str) -> Option<Owner> {
        let mut parts = text.split('/').map(str::to_owned);
        Some(Owner {
            machine: parts.next()?,
            boot: parts.next()?,
            process: parts.next()?.parse().ok()?,
            start: parts.next()?,
        })
    }

    /// Whether it certainly has ended. What another machine made is not ours to judge.
    fn is_gone(&self, here: &Owner) -> bool {
        self.machine == here.machine
            && (self.boot != here.boot || start_of(self.process).as_ref() != Some(&self.start))
    }
}

impl fmt::Display for Owner {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Owner {
            machine,
            boot,
            process,
            start,
        } = self;
        write!(f, "{machine}/{boot}/{process}/{start}")
    }
}

fn line(path: &str) -> String {
    fs::read_to_string(path)
        .map(|text| text.trim().to_owned())
        .unwrap_or_default()
}

/// When a process started, in ticks since boot: the 22nd field, counted behind the name.
fn start_of(process: u32) -> Option<String> {
    let stat = fs::read_to_string(format!("/proc/{process}/stat")).ok()?;
    let (_, fields) = stat.rsplit_once(") ")?;
    fields.split(' ').nth(19).map(str::to_owned)
}

/// Removes containers, and then images of branches, whose owner is gone. Snapshots stay: they are
/// deleted by who knows them.
pub(super) async fn reap(engine: &Engine) -> Result<()> {
    let docker = &engine.docker;
    let is_orphan = |found: &HashMap<String, String>| {
        let owner = found.get(labels::OWNER).and_then(|text| Owner::parse(text));
        owner.is_some_and(|owner| owner.is_gone(&engine.owner))
    };
    let filters = |kind: &str| {
        let label = format!("{}={kind}", labels::KIND);
        HashMap::from([("label".to_owned(), vec![label])])
    };
    let options = ListContainersOptionsBuilder::default()
        .all(true)
        .filters(&filters(labels::SANDBOX))
        .build();
    let containers = docker.list_containers(Some(options)).await;
    for container in containers.map_err(|error| typed("reap", error))? {
        let found = container.labels.unwrap_or_default();
        if let Some(id) = container.id.filter(|_| is_orphan(&found)) {
            engine.remove(&id).await?;
        }
    }
    let options = ListImagesOptionsBuilder::default()
        .filters(&filters(labels::BRANCH))
        .build();
    let images = docker.list_images(Some(options)).await;
    for image in images.map_err(|error| typed("reap", error))? {
        if is_orphan(&image.labels) {
            for name in image.repo_tags.iter().chain([&image.id]) {
                // Another branch may still stand on it; then the next reaper takes it.
                let options = RemoveImageOptionsBuilder::default().force(true).build();
                let _ = docker.remove_image(name, Some(options), None).await;
            }
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test fails by panicking")]
    use super::*;

    #[test]
    fn only_what_certainly_ended_here_is_gone() {
        let here = Owner::this_process();
        assert_eq!(Owner::parse(&here.to_string()).unwrap(), here);
        assert!(!here.is_gone(&here));
        let with = |change: fn(&mut Owner)| {
            let mut other = here.clone();
            change(&mut other);
            other.is_gone(&here)
        };
        assert!(with(|owner| owner.boot = "another".to_owned()));
        assert!(with(|owner| owner.start = "1".to_owned()));
        assert!(!with(|owner| {
            owner.machine = "another".to_owned();
            owner.boot = "another".to_owned();
        }));
    }
}
