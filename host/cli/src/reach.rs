//! What the flags let a sandbox reach.

use crate::arguments::Reach;
use anyhow::Context;
use offshoot::lifecycle::SandboxesBuilder;
use offshoot::network::{Policy, Rule, Secret};
use offshoot::{Builder, Command};
use std::path::PathBuf;

impl Reach {
    /// Gives it to a fresh sandbox.
    ///
    /// # Errors
    /// For a flag that cannot be read, and a component that is none.
    pub fn apply(&self, mut builder: Builder) -> anyhow::Result<Builder> {
        if let Some(policy) = self.policy()? {
            builder = builder.network(policy)?;
        }
        for (name, command) in self.commands()? {
            builder = builder.command(name, command);
        }
        Ok(builder)
    }

    /// Gives it to kept sandboxes.
    ///
    /// # Errors
    /// As [`Reach::apply`].
    pub fn apply_to_all(&self, mut builder: SandboxesBuilder) -> anyhow::Result<SandboxesBuilder> {
        if let Some(policy) = self.policy()? {
            builder = builder.network(policy)?;
        }
        for (name, command) in self.commands()? {
            builder = builder.command(name, command);
        }
        Ok(builder)
    }

    /// What `--network` and `--secret` say, if they are there.
    fn policy(&self) -> anyhow::Result<Option<Policy>> {
        if self.network.is_empty() && self.secret.is_empty() {
            return Ok(None);
        }
        let mut policy = Policy::default();
        for text in &self.network {
            policy = policy.allow(Rule::parse(text).context("--network")?);
        }
        for text in &self.secret {
            policy = policy.secret(secret(text)?);
        }
        Ok(Some(policy))
    }

    fn commands(&self) -> anyhow::Result<Vec<(String, Command)>> {
        self.commands.iter().map(|text| command(text)).collect()
    }
}

/// `NAME=FILE.wasm`.
fn command(text: &str) -> anyhow::Result<(String, Command)> {
    let usage = || format!("--command {text}: write NAME=FILE.wasm");
    let (name, file) = text.split_once('=').with_context(usage)?;
    let wasm = std::fs::read(file).with_context(|| format!("--command {text}"))?;
    let command = match cache() {
        Some(directory) => Command::component_cached(&wasm, &directory),
        None => Command::component(&wasm),
    };
    let command = command.with_context(|| format!("--command {text}"))?;
    Ok((name.to_owned(), command))
}

/// Where compiled commands are kept, `~/.cache/offshoot/compiled`; as the XDG's rules say, a relative path
/// counts as none.
fn cache() -> Option<PathBuf> {
    let absolute = |name| {
        let path = PathBuf::from(std::env::var_os(name)?);
        path.is_absolute().then_some(path)
    };
    let base = absolute("XDG_CACHE_HOME").or_else(|| Some(absolute("HOME")?.join(".cache")));
    Some(base?.join("offshoot/compiled"))
}

/// `ORIGIN HEADER: VALUE`, where `$NAME` in the value is a variable of the host.
fn secret(text: &str) -> anyhow::Result<Secret> {
    let (origin, header) = text
        .split_once(char::is_whitespace)
        .context("--secret needs an origin and a header")?;
    let (name, template) = header
        .split_once(':')
        .context("--secret needs a header with a colon")?;
    let value = filled(template.trim())?;
    Secret::header(origin, name.trim(), &value).context("--secret")
}

fn filled(template: &str) -> anyhow::Result<String> {
    let mut parts = template.split('$');
    let mut value = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let end = part.find(|c: char| !c.is_ascii_alphanumeric() && c != '_');
        let (name, rest) = part.split_at(end.unwrap_or(part.len()));
        let found = std::env::var(name);
        value += &found.with_context(|| format!("--secret: the variable {name}"))?;
        value += rest;
    }
    Ok(value)
}
