//! `offshoot add`: which connectors there are, and how one is enabled or written.

use anyhow::Context;
use clap::Args;
use offshoot_connectors::{Manifest, daytona, e2b, providers};
use std::fmt::Write as _;
use std::io::Write as _;

/// The page that says all of it.
const PAGE: &str = include_str!("../../../docs/connectors.md");
/// The sections of the page that say how a connector is written, in order.
const RECIPE: [&str; 3] = [
    "What it may do",
    "Writing one in Rust",
    "Commands by a script",
];

/// List the connectors, which make remote services backends, or show how to enable or write one.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  offshoot add
  offshoot add e2b
  offshoot add boxes")]
pub struct Add {
    /// A connector to enable; any other name is one to write
    #[arg(value_name = "NAME")]
    pub name: Option<String>,
}

/// A connector of this program.
struct Known {
    name: &'static str,
    manifest: Manifest,
}

impl Known {
    /// The variables that hold its credentials and are not set.
    fn missing(&self) -> Vec<&str> {
        let set = |name: &str| std::env::var_os(name).is_some_and(|value| !value.is_empty());
        let credentials = self.manifest.credentials.iter();
        credentials
            .filter(|credential| credential.value.is_none() && !set(&credential.env))
            .map(|credential| credential.env.as_str())
            .collect()
    }

    /// Its section of the page: the one with the command that proves it.
    fn section(&self) -> Option<(&'static str, &'static str)> {
        let command = format!("offshoot validate {}\n", self.name);
        sections().find(|(_, text)| text.contains(&command))
    }
}

/// All of them, in order of their names.
fn known() -> anyhow::Result<Vec<Known>> {
    let mut all = vec![
        Known {
            name: e2b::NAME,
            manifest: e2b::Service::from_environment().manifest(),
        },
        Known {
            name: daytona::NAME,
            manifest: daytona::Service::from_environment().manifest(),
        },
    ];
    for name in providers::names() {
        let manifest =
            providers::manifest(name).with_context(|| format!("the manifest of {name}"))?;
        all.push(Known { name, manifest });
    }
    all.sort_by_key(|one| one.name);
    Ok(all)
}

/// The page's sections: their titles and what they say.
fn sections() -> impl Iterator<Item = (&'static str, &'static str)> {
    let parts = PAGE.split("\n## ").skip(1);
    parts.filter_map(|part| part.split_once('\n'))
}

/// Prints what is asked for and returns the status to end with.
///
/// # Errors
/// Where a connector's manifest cannot be read, or nobody takes the text.
pub fn add(arguments: &Add) -> anyhow::Result<u8> {
    let known = known()?;
    let text = match &arguments.name {
        None => list(&known)?,
        Some(name) => match known.iter().find(|one| one.name == name) {
            Some(one) => enabling(one)?,
            None => writing(name)?,
        },
    };
    std::io::stdout().write_all(text.as_bytes())?;
    Ok(0)
}

/// A line for each: its name, what it is for, and what it lacks.
fn list(known: &[Known]) -> anyhow::Result<String> {
    let mut text = String::new();
    for one in known {
        let title = one.section().map_or("", |(title, _)| title);
        let state = match one.missing()[..] {
            [] => "enabled".to_owned(),
            ref missing => format!("needs {}", missing.join(", ")),
        };
        writeln!(text, "{:<18} {title:<45} {state}", one.name)?;
    }
    text.push_str(
        "\noffshoot add NAME says how one is enabled, or, for any other name, how it is written.\n\
         offshoot validate NAME proves it.\n",
    );
    Ok(text)
}

/// How one of this program is enabled: its manifest, the steps and the test.
fn enabling(one: &Known) -> anyhow::Result<String> {
    let (title, steps) = one.section().unwrap_or((one.name, ""));
    let mut text = format!("{}: {title}\n\nManifest\n", one.name);
    for host in &one.manifest.hosts {
        writeln!(text, "  asks       {host}")?;
    }
    let missing = one.missing();
    for credential in &one.manifest.credentials {
        let (env, header, origin) = (&credential.env, &credential.header, &credential.origin);
        let state = match missing.contains(&env.as_str()) {
            true => "not set",
            false => "set",
        };
        writeln!(
            text,
            "  credential {env} ({state}), sent as {header} to {origin}"
        )?;
    }
    for token in &one.manifest.tokens {
        let (field, used) = (&token.field, &token.used);
        writeln!(text, "  kept back  {field} of answers, used for {used}")?;
    }
    writeln!(text, "\nSteps\n\n{}", steps.trim())?;
    writeln!(text, "\nTest\n\n    offshoot validate {}", one.name)?;
    Ok(text)
}

/// How one is written: its manifest, the steps and the test.
fn writing(name: &str) -> anyhow::Result<String> {
    let plain = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-';
    if name.is_empty() || !name.bytes().all(plain) {
        anyhow::bail!("{name}: a connector's name has small letters, digits and - only");
    }
    let mut text = format!(
        "{name} is none of this program's connectors. To write it, put connectors/{name}.wasm beside \
         connectors/{name}.json, and prove it:\n\n    offshoot validate connectors/{name}.wasm --classic\n\
         \x20   offshoot validate connectors/{name}.wasm\n"
    );
    for wanted in RECIPE {
        let found = sections().find(|(title, _)| *title == wanted);
        let (title, section) =
            found.with_context(|| format!("the page has no section {wanted}"))?;
        let section = section.replace("boxes", name);
        writeln!(text, "\n## {title}\n\n{}", section.trim())?;
    }
    Ok(text)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test fails by panicking")]
    use super::*;

    #[test]
    fn each_connector_has_a_line_and_a_section_with_its_credentials() {
        let known = known().unwrap();
        let listed = list(&known).unwrap();
        assert!(known.len() > 5);
        for one in &known {
            let (title, section) = one.section().unwrap_or_else(|| panic!("{}", one.name));
            assert!(
                listed.contains(&format!("{:<18} {title}", one.name)),
                "{listed}"
            );
            let shown = enabling(one).unwrap();
            assert!(shown.contains(&format!("    offshoot validate {}\n", one.name)));
            assert!(!one.manifest.credentials.is_empty());
            for credential in &one.manifest.credentials {
                let env = &credential.env;
                assert!(section.contains(env.as_str()), "{}: {env}", one.name);
                assert!(shown.contains(&format!("credential {env} (")), "{shown}");
            }
        }
    }

    #[test]
    fn any_other_name_is_one_to_write() {
        let shown = writing("kites").unwrap();
        for part in [
            "connectors/kites.json",
            "struct Boxes",
            "\"credentials\"",
            "offshoot validate connectors/kites.wasm --classic",
            "## Commands by a script",
        ] {
            assert!(shown.contains(part), "{part} is not in {shown}");
        }
        for wrong in ["", "Kites", "../kites", "a b"] {
            assert!(writing(wrong).is_err(), "{wrong}");
        }
    }
}
