//! What the flags let a sandbox reach.

use crate::arguments::Reach;
use anyhow::{Context, bail};
use offshoot::lifecycle::SandboxesBuilder;
use offshoot::network::{Gateway, Policy, Rule, Secret};
use offshoot::{Builder, Command};

/// The methods that a rule can name.
const METHODS: [&str; 15] = [
    "GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "QUERY", "PROPFIND",
    "MKCOL", "COPY", "MOVE", "REPORT", "PURGE",
];

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

    /// Gives it to kept sandboxes, whose requests leave by `gateway`, where there is one.
    ///
    /// # Errors
    /// As [`Reach::apply`].
    pub fn apply_to_all(
        &self,
        mut builder: SandboxesBuilder,
        gateway: Option<Gateway>,
    ) -> anyhow::Result<SandboxesBuilder> {
        if let Some(policy) = self.policy()? {
            let policy = gateway.into_iter().fold(policy, Policy::gateway);
            builder = builder.network(policy)?;
        }
        for (name, command) in self.commands()? {
            builder = builder.command(name, command);
        }
        Ok(builder)
    }

    /// What `--network` and `--secret` say, if they are there.
    ///
    /// # Errors
    /// For a flag that cannot be read, and a secret that no request would get.
    pub fn policy(&self) -> anyhow::Result<Option<Policy>> {
        if self.network.is_empty() && self.secret.is_empty() {
            return Ok(None);
        }
        let mut policy = Policy::default();
        for text in &self.network {
            policy = policy.allow(rule(text)?);
        }
        for text in &self.secret {
            let secret = secret(text)?;
            let origin = text.split_whitespace().next().unwrap_or_default();
            // One of the names that a pattern is about.
            let origin = origin.replace('*', "any");
            let mut methods = METHODS.iter();
            if !methods.any(|method| policy.check(method, &origin).is_ok()) {
                bail!(
                    "--secret {origin}: no --network lets requests go there, so nothing would get it"
                );
            }
            policy = policy.secret(secret);
        }
        Ok(Some(policy))
    }

    /// The files that [`Reach::apply`] reads.
    pub fn component_files(&self) -> impl Iterator<Item = &str> {
        let files = self.commands.iter().filter_map(|text| text.split_once('='));
        files.map(|(_, file)| file)
    }

    fn commands(&self) -> anyhow::Result<Vec<(String, Command)>> {
        self.commands.iter().map(|text| command(text)).collect()
    }
}

/// `[METHODS ]ORIGIN`.
fn rule(text: &str) -> anyhow::Result<Rule> {
    if let Some((methods, _)) = text.trim().rsplit_once(char::is_whitespace) {
        let methods = methods
            .split(',')
            .map(str::trim)
            .filter(|method| !method.is_empty());
        for method in methods {
            if !METHODS.contains(&method) {
                let known = METHODS.join(", ");
                bail!("--network {text}: {method:?} is no method of HTTP; there are {known}");
            }
        }
    }
    Rule::parse(text).context("--network")
}

/// `NAME=FILE.wasm`.
fn command(text: &str) -> anyhow::Result<(String, Command)> {
    let usage = || format!("--command {text}: write NAME=FILE.wasm");
    let (name, file) = text.split_once('=').with_context(usage)?;
    let wasm = std::fs::read(file).with_context(|| format!("--command {text}"))?;
    let command = match offshoot::user_cache() {
        Some(directory) => Command::component_cached(&wasm, &directory),
        None => Command::component(&wasm),
    };
    let command = command.with_context(|| format!("--command {text}"))?;
    Ok((name.to_owned(), command))
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
