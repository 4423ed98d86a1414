//! What Foundry is given: the recipe of an image, and the definition of the agent that it is.

use crate::{Error, Result};
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// The protocol that the image speaks, and its version.
const PROTOCOL: (&str, &str) = ("invocations", "1.0.0");
/// The user of the container, whose directory Foundry keeps with the session.
const HOME: &str = "/home/agent";
/// What the image is made from: its C library must be as new as the one that the program was built with.
const BASE: &str = "debian:trixie-slim";

/// A hosted agent, each session of which is a sandbox.
///
/// Secrets are only ever named: a connection of the Foundry project has them, in the project's vault, and Foundry
/// puts them into variables of the container. There the server adds them to requests, and sandboxes never see them.
///
/// ```
/// # fn main() -> offshoot_server::Result<()> {
/// let image = offshoot_server::foundry::Image::new("boxes", "registry.example/boxes:1")
///     .network("GET,POST https://api.example.com")
///     .vault("API_KEY", "example/key")
///     .secret("https://api.example.com Authorization: Bearer $API_KEY");
/// let variables = &image.definition()?["environment_variables"];
/// assert_eq!(variables["API_KEY"], "${{connections.example.credentials.key}}");
/// # Ok(()) }
/// ```
#[derive(Debug, Clone)]
pub struct Image {
    name: String,
    image: String,
    base: String,
    cpu: String,
    memory: String,
    network: Vec<String>,
    secrets: Vec<String>,
    vault: BTreeMap<String, String>,
}

impl Image {
    /// An agent of a name, whose image will be there.
    pub fn new(name: impl Into<String>, image: impl Into<String>) -> Image {
        Image {
            name: name.into(),
            image: image.into(),
            base: BASE.to_owned(),
            cpu: "1".to_owned(),
            memory: "2Gi".to_owned(),
            network: Vec::new(),
            secrets: Vec::new(),
            vault: BTreeMap::new(),
        }
    }

    /// The image that it is made from; Debian's `trixie-slim` by default.
    #[must_use]
    pub fn base(mut self, image: impl Into<String>) -> Image {
        self.base = image.into();
        self
    }

    /// The size of a session's container; 1 processor and `2Gi` by default. Foundry wants twice as many GiB as
    /// processors.
    #[must_use]
    pub fn size(mut self, cpu: impl Into<String>, memory: impl Into<String>) -> Image {
        (self.cpu, self.memory) = (cpu.into(), memory.into());
        self
    }

    /// Lets sandboxes reach an origin, as `offshoot serve --network` does.
    #[must_use]
    pub fn network(mut self, rule: impl Into<String>) -> Image {
        self.network.push(rule.into());
        self
    }

    /// Adds a header to requests of sandboxes, as `offshoot serve --secret` does. Its value has variables of
    /// [`Image::vault`] in place of what is secret.
    #[must_use]
    pub fn secret(mut self, header: impl Into<String>) -> Image {
        self.secrets.push(header.into());
        self
    }

    /// A variable of the container, filled with what the vault has: `CONNECTION/KEY`, a connection of the project and
    /// the name of one of its credentials.
    #[must_use]
    pub fn vault(mut self, variable: impl Into<String>, place: impl Into<String>) -> Image {
        self.vault.insert(variable.into(), place.into());
        self
    }

    /// The agent's definition, as `azure-ai-projects` has it (`HostedAgentDefinition`): what a version is created with.
    ///
    /// # Errors
    /// `INVALID` for a name, an image or a place in the vault that can be none, and for a secret that would be
    /// written down.
    pub fn definition(&self) -> Result<Value> {
        let (protocol, version) = PROTOCOL;
        Ok(json!({
            "kind": "hosted",
            "cpu": self.cpu,
            "memory": self.memory,
            "container_configuration": { "image": self.image },
            "protocol_versions": [{ "protocol": protocol, "version": version }],
            "environment_variables": self.variables()?,
        }))
    }

    /// The files of a directory that the image is built in, beside the program as `offshoot`: `Dockerfile`,
    /// `.dockerignore`, `definition.json`, and `agent.yaml` and `azure.yaml` for the Azure Developer CLI.
    ///
    /// # Errors
    /// Those of [`Image::definition`].
    pub fn files(&self) -> Result<Vec<(&'static str, String)>> {
        let definition = self.definition()?;
        Ok(vec![
            ("Dockerfile", self.recipe()),
            (".dockerignore", "*\n!offshoot\n".to_owned()),
            ("definition.json", format!("{definition:#}\n")),
            ("agent.yaml", self.agent(&self.variables()?)),
            ("azure.yaml", self.project()),
        ])
    }

    /// What the image runs.
    ///
    /// ```
    /// let words = offshoot_server::foundry::Image::new("boxes", "boxes:1").entry();
    /// assert_eq!(words[..3], ["offshoot", "serve", "--foundry"]);
    /// ```
    pub fn entry(&self) -> Vec<String> {
        let store = format!("{HOME}/.offshoot");
        let files = format!("{HOME}/files:/files:ro");
        let mut words = ["offshoot", "serve", "--foundry", "--listen", "0.0.0.0:8088"]
            .map(str::to_owned)
            .to_vec();
        words.extend(["--store".to_owned(), store, "--mount".to_owned(), files]);
        for (flag, values) in [("--network", &self.network), ("--secret", &self.secrets)] {
            for value in values {
                words.extend([flag.to_owned(), value.clone()]);
            }
        }
        words
    }

    /// The container's variables, by their names; their values are places in the vault.
    fn variables(&self) -> Result<BTreeMap<&str, String>> {
        self.check()?;
        let pairs = self.vault.iter().map(|(name, place)| {
            let (connection, key) = place.split_once('/').unwrap_or_default();
            let reference = format!("${{{{connections.{connection}.credentials.{key}}}}}");
            (name.as_str(), reference)
        });
        Ok(pairs.collect())
    }

    fn check(&self) -> Result<()> {
        let plain = |byte: u8| byte.is_ascii_alphanumeric();
        let name = self.name.as_bytes();
        let inner = |byte: &u8| plain(*byte) || *byte == b'-';
        let ends = name.first().is_some_and(|byte| plain(*byte))
            && name.last().is_some_and(|byte| plain(*byte));
        if !ends || name.len() > 63 || !name.iter().all(inner) {
            return Err(Error::Invalid(
                "an agent's name has up to 63 letters, digits and hyphens, and no hyphen at its ends",
            ));
        }
        let is_word =
            |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_graphic());
        if ![&self.image, &self.base, &self.cpu, &self.memory]
            .iter()
            .all(|text| is_word(text))
        {
            return Err(Error::Invalid("an image and a size are one word each"));
        }
        for (variable, place) in &self.vault {
            let part = |text: &str| {
                !text.is_empty()
                    && text
                        .bytes()
                        .all(|byte| plain(byte) || b"-_.".contains(&byte))
            };
            let (connection, key) = place.split_once('/').unwrap_or_default();
            if !is_variable(variable) || !part(connection) || !part(key) {
                return Err(Error::Invalid(
                    "what comes from the vault is VARIABLE=CONNECTION/KEY",
                ));
            }
        }
        self.secrets
            .iter()
            .try_for_each(|text| self.check_secret(text))
    }

    /// A secret is made of variables that the vault fills, and nothing of it is written down.
    fn check_secret(&self, text: &str) -> Result<()> {
        let value = text.split_once(char::is_whitespace);
        let value = value.and_then(|(_, header)| header.split_once(':'));
        let (_, value) = value.ok_or(Error::Invalid("a secret is ORIGIN HEADER: VALUE"))?;
        let mut names = value.split('$').skip(1).map(|part| {
            let end = part.find(|c: char| !c.is_ascii_alphanumeric() && c != '_');
            &part[..end.unwrap_or(part.len())]
        });
        let first = names.next().ok_or(Error::Invalid(
            "a secret's value has a $VARIABLE that the vault fills: what stands here is written into the image",
        ))?;
        match std::iter::once(first)
            .chain(names)
            .all(|name| self.vault.contains_key(name))
        {
            true => Ok(()),
            false => Err(Error::Invalid("the vault fills each $VARIABLE of a secret")),
        }
    }

    fn recipe(&self) -> String {
        let entry = Value::from(self.entry());
        format!(
            "# A hosted agent of Azure's Foundry: each session is a sandbox.\n\
             FROM --platform=linux/amd64 {}\n\
             RUN useradd --create-home --home-dir {HOME} --uid 10001 agent \\\n \
             && install -d -o agent -g agent {HOME}/files\n\
             COPY --chmod=755 offshoot /usr/local/bin/offshoot\n\
             USER agent\n\
             ENV HOME={HOME}\n\
             WORKDIR {HOME}\n\
             EXPOSE 8088\n\
             ENTRYPOINT {entry}\n",
            self.base
        )
    }

    /// YAML has JSON's texts.
    fn agent(&self, variables: &BTreeMap<&str, String>) -> String {
        let quoted = |text: &str| Value::from(text).to_string();
        let (protocol, version) = PROTOCOL;
        let mut text = format!(
            "kind: hosted\nname: {}\nprotocols:\n  - protocol: {protocol}\n    version: {}\n\
             resources:\n  cpu: {}\n  memory: {}\n",
            quoted(&self.name),
            quoted(version),
            quoted(&self.cpu),
            quoted(&self.memory),
        );
        if !variables.is_empty() {
            text += "environment_variables:\n";
        }
        for (name, value) in variables {
            text += &format!("  - name: {}\n    value: {}\n", quoted(name), quoted(value));
        }
        text
    }

    fn project(&self) -> String {
        let name = Value::from(self.name.as_str());
        format!(
            "name: {name}\nservices:\n  {name}:\n    project: .\n    host: azure.ai.agent\n    language: docker\n    \
             docker:\n      path: ./Dockerfile\n      remoteBuild: true\n"
        )
    }
}

/// Whether a text can be the name of a variable.
fn is_variable(name: &str) -> bool {
    let letter = |byte: u8| byte.is_ascii_alphabetic() || byte == b'_';
    let plain = |byte: u8| letter(byte) || byte.is_ascii_digit();
    name.bytes().next().is_some_and(letter) && name.bytes().all(plain)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test fails by panicking")]
    use super::*;

    fn image() -> Image {
        Image::new("boxes", "registry.example/boxes:1")
            .network("https://api.example.com")
            .vault("API_KEY", "example/key")
            .secret("https://api.example.com Authorization: Bearer $API_KEY")
    }

    #[test]
    fn all_files_name_the_same_and_only_the_vault_has_the_secret() {
        let files: BTreeMap<_, _> = image().files().unwrap().into_iter().collect();
        let definition: Value = serde_json::from_str(&files["definition.json"]).unwrap();
        assert_eq!(definition, image().definition().unwrap());
        let reference = "${{connections.example.credentials.key}}";
        assert_eq!(definition["environment_variables"]["API_KEY"], reference);
        for name in ["agent.yaml", "definition.json"] {
            assert_eq!(files[name].matches(reference).count(), 1, "{name}");
        }
        assert!(files["azure.yaml"].contains("host: azure.ai.agent"));
        let entry = files["Dockerfile"].lines().last().unwrap();
        let entry: Vec<String> =
            serde_json::from_str(entry.strip_prefix("ENTRYPOINT ").unwrap()).unwrap();
        assert_eq!(entry, image().entry());
        assert!(!files["Dockerfile"].contains("API_KEY="), "{files:?}");
    }

    #[test]
    fn what_would_be_written_down_or_has_no_meaning_is_refused() {
        let secret = |text: &str| image().secret(text);
        let wrong = [
            secret("https://api.example.com Authorization: Bearer literal"),
            secret("https://api.example.com Authorization: Bearer $OTHER"),
            secret("https://api.example.com Authorization: $API_KEY$"),
            secret("https://api.example.com"),
            image().vault("API_KEY", "example"),
            image().vault("API_KEY", "example/${{x}}"),
            image().vault("1", "example/key"),
            image().size("1", ""),
            Image::new("-boxes", "boxes"),
            Image::new("b.x", "boxes"),
            Image::new("", "boxes"),
            Image::new("boxes", "two words"),
        ];
        for image in wrong {
            assert_eq!(
                image.definition().unwrap_err().code(),
                "INVALID",
                "{image:?}"
            );
            assert!(image.files().is_err());
        }
    }
}
