//! Who made what outlives a process, so that it is found when that process is gone.

use std::fmt;
use std::fs;

/// A process of a machine, told from a later one with the same number by its start.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Owner {
    machine: String,
    boot: String,
    process: u32,
    start: String,
}

impl Owner {
    pub(crate) fn this_process() -> Owner {
        let process = std::process::id();
        Owner {
            machine: line("/etc/machine-id"),
            boot: line("/proc/sys/kernel/random/boot_id"),
            process,
            start: start_of(process).unwrap_or_default(),
        }
    }

    pub(crate) fn parse(text: &str) -> Option<Owner> {
        let mut parts = text.split('/').map(str::to_owned);
        Some(Owner {
            machine: parts.next()?,
            boot: parts.next()?,
            process: parts.next()?.parse().ok()?,
            start: parts.next()?,
        })
    }

    /// Whether it certainly has ended. What another machine made is not ours to judge.
    pub(crate) fn is_gone(&self, here: &Owner) -> bool {
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
