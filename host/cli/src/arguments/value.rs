//! How the value of a flag reads: times, sizes, mounts, variables.

use anyhow::{Context, bail};
use offshoot::Limits;
use std::path::PathBuf;
use std::time::Duration;

/// Which earlier states are kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Past {
    /// All, or none.
    All(bool),
    /// So many.
    States(u32),
    /// Those of this last time.
    Age(Duration),
}

/// A time, or none for `never`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Span(pub Option<Duration>);

/// How a folder of the host is mounted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MountMode {
    /// Nothing can be written.
    ReadOnly,
    /// Writes stay in the sandbox.
    CopyOnWrite,
}

/// One `--mount`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MountArgument {
    /// The folder of the host.
    pub host: PathBuf,
    /// The path inside.
    pub guest: String,
    /// How.
    pub mode: MountMode,
}

impl MountArgument {
    /// Reads `HOST:GUEST[:ro|:cow]`.
    ///
    /// # Errors
    /// Where a part is missing, the mode is unknown, or the guest path is not absolute.
    pub fn parse(text: &str) -> anyhow::Result<MountArgument> {
        let (rest, mode) = match text.rsplit_once(':') {
            Some((rest, "ro")) => (rest, MountMode::ReadOnly),
            Some((rest, "cow")) => (rest, MountMode::CopyOnWrite),
            Some((rest, mode)) if !mode.contains('/') && rest.contains(":/") => bail!(
                "--mount {text}: {mode:?} is no mode: write :ro, or :cow for writes that stay in memory, \
                 which --apply brings back"
            ),
            _ => (text, MountMode::ReadOnly),
        };
        let Some((host, guest)) = rest.rsplit_once(':') else {
            bail!("--mount {text}: write HOST:GUEST, HOST:GUEST:ro or HOST:GUEST:cow");
        };
        if host.is_empty() || !guest.starts_with('/') {
            bail!("--mount {text}: the path inside must be absolute, such as {host}:/work");
        }
        Ok(MountArgument {
            host: PathBuf::from(host),
            guest: guest.to_owned(),
            mode,
        })
    }
}

/// Reads `NAME=VALUE`, or takes the host's value of `NAME`.
///
/// # Errors
/// Where the name is empty, or the host has no such variable.
pub fn environment(text: &str) -> anyhow::Result<(String, String)> {
    let (name, value) = match text.split_once('=') {
        Some((name, value)) => (name, value.to_owned()),
        None => (
            text,
            std::env::var(text).with_context(|| format!("--env {text}: not set on the host"))?,
        ),
    };
    if name.is_empty() {
        bail!("--env {text}: the name is missing");
    }
    Ok((name.to_owned(), value))
}

/// Reads which earlier states are kept: `true`, `false`, `20`, `7d`.
pub(super) fn past(text: &str) -> Result<Past, String> {
    match text {
        "true" => Ok(Past::All(true)),
        "false" => Ok(Past::All(false)),
        text => match text.parse() {
            Ok(count) => Ok(Past::States(count)),
            Err(_) => duration(text).map(Past::Age),
        },
    }
}

/// Reads a time or `never`.
pub(super) fn span(text: &str) -> Result<Span, String> {
    match text {
        "never" => Ok(Span(None)),
        time => duration(time).map(|time| Span(Some(time))),
    }
}

/// Reads a time: `2`, `1.5`, `500ms`, `2m`.
pub(super) fn duration(text: &str) -> Result<Duration, String> {
    let digits = text.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    let scale = match &text[digits.len()..] {
        "ms" => 0.001,
        "" | "s" => 1.0,
        "m" => 60.0,
        "h" => 3600.0,
        "d" => 86_400.0,
        unit => return Err(format!("unknown unit {unit}: use ms, s, m, h or d")),
    };
    let number: f64 = digits.parse().map_err(|_| "not a number".to_owned())?;
    Duration::try_from_secs_f64(number * scale).map_err(|_| "out of range".to_owned())
}

/// Reads a size in bytes: `1000000`, `64M`, `1G`.
fn size(text: &str) -> Result<u64, String> {
    let digits = text.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    let shift = match text[digits.len()..]
        .to_ascii_lowercase()
        .trim_end_matches("ib")
    {
        "" | "b" => 0,
        "k" => 10,
        "m" => 20,
        "g" => 30,
        unit => return Err(format!("unknown unit {unit}: use K, M or G")),
    };
    let number: u64 = digits
        .parse()
        .map_err(|_| "not a whole number".to_owned())?;
    number
        .checked_mul(1 << shift)
        .ok_or_else(|| "too large".to_owned())
}

/// Reads how much memory a process may have.
pub(super) fn memory(text: &str) -> Result<u64, String> {
    let bytes = size(text)?;
    if bytes > Limits::MOST_MEMORY {
        let most = Limits::MOST_MEMORY >> 30;
        return Err(format!("a process can address {most}G at most"));
    }
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test fails by panicking")]
    use super::*;

    #[test]
    fn mounts_read_from_the_right() {
        let mount = MountArgument::parse("C:/x:/work:cow").unwrap();
        assert_eq!(
            (mount.host.to_str().unwrap(), &*mount.guest),
            ("C:/x", "/work")
        );
        assert_eq!(mount.mode, MountMode::CopyOnWrite);
        assert_eq!(
            MountArgument::parse(".:/w").unwrap().mode,
            MountMode::ReadOnly
        );
        let wrong = MountArgument::parse("x:/w:rw").unwrap_err().to_string();
        assert!(wrong.contains("\"rw\" is no mode"), "{wrong}");
        for wrong in ["x", ":/w", "x:w", "x:/w:"] {
            assert!(MountArgument::parse(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn times_and_sizes_have_units() {
        assert_eq!(duration("1").unwrap(), Duration::from_secs(1));
        assert_eq!(duration("250ms").unwrap(), Duration::from_millis(250));
        assert_eq!(duration("1.5m").unwrap(), Duration::from_secs(90));
        assert_eq!(span("never").unwrap(), Span(None));
        assert_eq!(span("2h").unwrap(), Span(Some(Duration::from_secs(7200))));
        assert_eq!(size("64M").unwrap(), 64 << 20);
        assert_eq!(size("1GiB").unwrap(), 1 << 30);
        assert_eq!(memory("4G").unwrap(), 4 << 30);
        assert!(memory("4097M").unwrap_err().contains("4G at most"));
        assert_eq!(past("true").unwrap(), Past::All(true));
        assert_eq!(past("20").unwrap(), Past::States(20));
        let week = Duration::from_secs(7 * 86_400);
        assert_eq!(past("7d").unwrap(), Past::Age(week));
        assert!(past("some").is_err());
        for wrong in ["", "x", "-1", "1w"] {
            assert!(duration(wrong).is_err() && size(wrong).is_err(), "{wrong}");
        }
    }
}
