//! What whoever runs a connector says about it: where it may go, with which credentials, at what cost.

use std::path::Path;
use std::time::Duration;

use offshoot_backend::{Code, Error, Result};
use offshoot_network::{Policy, Rule, Secret};
use serde::Deserialize;
use serde_json::{Map, Value};

/// The methods of a rule that names none.
const METHODS: [&str; 6] = ["DELETE", "GET", "HEAD", "PATCH", "POST", "PUT"];

/// What a connector may do; the file `NAME.json` beside `NAME.wasm`.
///
/// Nothing is allowed that it does not name. A component has no say in it.
///
/// ```
/// use offshoot_connectors::Manifest;
/// let manifest: Manifest = serde_json::from_str(r#"{
///     "hosts": ["https://api.example.com", "GET https://*.boxes.example.com"],
///     "credentials": [{ "origin": "https://api.example.com", "header": "Authorization",
///                       "env": "EXAMPLE_KEY", "prefix": "Bearer " }],
///     "tokens": [{ "field": "token", "origin": "https://api.example.com",
///                  "use": "https://*.boxes.example.com" }],
///     "settings": { "region": "eu" }
/// }"#)?;
/// assert_eq!(manifest.hosts.len(), 2);
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Manifest {
    /// Origins that may be asked, as [`Rule`] reads them; without methods before it, an origin may be
    /// asked with all the usual ones.
    pub hosts: Vec<String>,
    /// Lets names of `hosts` lead into the host's own networks.
    pub internal: bool,
    /// What the host adds to requests.
    pub credentials: Vec<Credential>,
    /// What the host keeps back of answers.
    pub tokens: Vec<Token>,
    /// Settings that a sandbox has where it is not made with others.
    pub settings: Map<String, Value>,
    /// How files are reached.
    pub files: Files,
    /// What the component may cost.
    pub limits: Limits,
}

/// How the files of a sandbox are reached.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum Files {
    /// By the component's functions.
    #[default]
    Connector,
    /// By commands, as [`PosixOverExec`](offshoot_backend::PosixOverExec) does it: for services that
    /// only run commands. The component claims no files then.
    Exec,
}

/// A long-lived credential that the component never sees.
#[derive(Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Credential {
    /// Whose requests carry it.
    pub origin: String,
    /// The header that it is put into.
    pub header: String,
    /// The variable of the host's environment that holds it.
    pub env: String,
    /// What stands before it in the header, such as `Bearer `.
    #[serde(default)]
    pub prefix: String,
    /// The value itself, for embedders that have it from elsewhere.
    #[serde(skip)]
    pub value: Option<String>,
}

impl std::fmt::Debug for Credential {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Credential")
            .field("origin", &self.origin)
            .field("header", &self.header)
            .field("env", &self.env)
            .finish_non_exhaustive()
    }
}

/// A token that comes with answers. The component gets a stand-in, which the host turns back in the
/// headers of requests.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Token {
    /// The field of JSON answers, at any depth. In messages of gRPC, where fields are known by numbers, the number,
    /// after those of the messages that it is in: `5.1`.
    pub field: String,
    /// Whose answers.
    pub origin: String,
    /// Whose requests may carry it.
    #[serde(rename = "use")]
    pub used: String,
}

/// What a component may cost. Each number stops a faulty or hostile one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(default, deny_unknown_fields)]
#[non_exhaustive]
pub struct Limits {
    /// Bytes of memory of one instance, at most what the engine's pool gives (T27); 256 MiB.
    pub memory_bytes: u64,
    /// Milliseconds that one call may compute, waiting not counted (T26); 10,000.
    pub compute_ms: u64,
    /// Milliseconds that one call may take, commands not counted (T37); 180,000.
    pub call_ms: u64,
    /// Milliseconds that one command may take whose execution has no time-out; a day.
    pub command_ms: u64,
    /// Calls that are served at once, and as many commands (T20); 32.
    pub instances: u32,
    /// Bytes of one request's body (T28); 128 MiB.
    pub request_bytes: u64,
    /// Bytes of one answer's body, the stream of a command's output included (T37); 256 MiB.
    pub response_bytes: u64,
    /// Bytes that are kept of what one command writes (T25); 16 MiB.
    pub output_bytes: usize,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits {
            memory_bytes: 256 << 20,
            compute_ms: 10_000,
            call_ms: 180_000,
            command_ms: 24 * 3600 * 1000,
            instances: 32,
            request_bytes: 128 << 20,
            response_bytes: 256 << 20,
            output_bytes: 16 << 20,
        }
    }
}

impl Manifest {
    /// Reads a manifest.
    ///
    /// # Errors
    /// `NOT_FOUND` where there is none, `INVALID` for what is none.
    pub fn read(path: &Path) -> Result<Manifest> {
        let failed = |code, error: &dyn std::fmt::Display| {
            Error::new(code, "load", format!("{}: {error}", path.display()))
        };
        let text = std::fs::read(path).map_err(|error| failed(Code::NotFound, &error))?;
        serde_json::from_slice(&text)
            .and_then(|value| Manifest::expanded(value, &variable))
            .map_err(|error| failed(Code::Invalid, &error))
    }

    /// Reads a manifest whose texts name variables: `${NAME:-else}` is the variable's value, or what stands
    /// after `:-` where it is not set. A field that is nothing but a variable that is not set is left out.
    ///
    /// ```
    /// use offshoot_connectors::Manifest;
    /// let text = r#"{ "hosts": ["${BOXES_API:-https://api.example.com}"] }"#;
    /// let value = serde_json::from_str(text)?;
    /// let manifest = Manifest::expanded(value, &|name| (name == "BOXES_API").then(|| "http://127.0.0.1:1".into()))?;
    /// assert_eq!(manifest.hosts, ["http://127.0.0.1:1"]);
    /// # Ok::<(), serde_json::Error>(())
    /// ```
    ///
    /// # Errors
    /// For what is no manifest.
    pub fn expanded(
        mut value: Value,
        variable: &dyn Fn(&str) -> Option<String>,
    ) -> serde_json::Result<Manifest> {
        expand(&mut value, variable);
        serde_json::from_value(value)
    }

    /// The policy of its requests, and the variables that are missing.
    pub(crate) fn policy(&self) -> Result<(Policy, Vec<String>)> {
        let mut limits = offshoot_network::Limits::default();
        limits.request_bytes = self.limits.request_bytes;
        limits.response_bytes = self.limits.response_bytes;
        limits.time = Duration::from_millis(self.limits.command_ms);
        let mut policy = Policy::default().limits(limits);
        for host in &self.hosts {
            policy = policy.allow(self.rule(host)?);
        }
        let mut missing = Vec::new();
        for credential in &self.credentials {
            match credential
                .value
                .clone()
                .or_else(|| variable(&credential.env))
            {
                Some(value) => policy = policy.secret(credential.secret(&value)?),
                None => missing.push(credential.env.clone()),
            }
        }
        Ok((policy, missing))
    }

    fn rule(&self, host: &str) -> Result<Rule> {
        let rule = match host.trim().contains(char::is_whitespace) {
            true => Rule::parse(host),
            false => Rule::new(host.trim()).and_then(|rule| rule.methods(METHODS)),
        };
        let rule = rule.map_err(invalid)?;
        Ok(match self.internal {
            true => rule.internal(),
            false => rule,
        })
    }
}

impl Credential {
    fn secret(&self, value: &str) -> Result<Secret> {
        let value = format!("{}{value}", self.prefix);
        Secret::header(&self.origin, &self.header, &value).map_err(invalid)
    }
}

impl Token {
    /// What tells the answers that may hold it.
    pub(crate) fn source(&self) -> Result<Policy> {
        let rule = Rule::new(&self.origin).and_then(|rule| rule.methods(METHODS));
        let rule = rule.map_err(invalid)?.internal();
        // The pattern is checked here, and used when the first token comes.
        Secret::placeholder(&self.used, "-", "-").map_err(invalid)?;
        Ok(Policy::default().allow(rule))
    }
}

/// Puts variables in place, at any depth; false where the text is a variable that is not set.
fn expand(value: &mut Value, variable: &dyn Fn(&str) -> Option<String>) -> bool {
    match value {
        Value::String(text) => match replaced(text, variable) {
            Some(expanded) => *text = expanded,
            None => return false,
        },
        Value::Array(items) => items.retain_mut(|item| expand(item, variable)),
        Value::Object(fields) => {
            let mut kept = Map::new();
            for (name, mut field) in std::mem::take(fields) {
                if expand(&mut field, variable) {
                    kept.insert(name, field);
                }
            }
            *fields = kept;
        }
        _ => {}
    }
    true
}

/// The text with its variables; nothing where it is one that is not set.
fn replaced(text: &str, variable: &dyn Fn(&str) -> Option<String>) -> Option<String> {
    let (mut made, mut rest) = (String::new(), text);
    while let Some((before, after)) = rest.split_once("${") {
        let Some((inside, after)) = after.split_once('}') else {
            break;
        };
        made.push_str(before);
        let (name, otherwise) = match inside.split_once(":-") {
            Some((name, otherwise)) => (name, Some(otherwise)),
            None => (inside, None),
        };
        match variable(name).or_else(|| otherwise.map(str::to_owned)) {
            Some(value) => made.push_str(&value),
            None if before.is_empty() && after.is_empty() && made.is_empty() => return None,
            None => {}
        }
        rest = after;
    }
    made.push_str(rest);
    Some(made)
}

/// A variable of the host that holds something.
pub(crate) fn variable(name: &str) -> Option<String> {
    std::env::var(name).ok().filter(|value| !value.is_empty())
}

fn invalid(error: offshoot_network::Error) -> Error {
    Error::new(Code::Invalid, "load", format!("the manifest: {error}"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn variables_are_put_in_place() {
        let set = |name: &str| match name {
            "API" => Some("http://127.0.0.1:1/api".to_owned()),
            _ => None,
        };
        for (given, expected) in [
            ("${API}", Some("http://127.0.0.1:1/api")),
            ("${API:-x}/v1", Some("http://127.0.0.1:1/api/v1")),
            ("${OTHER:-https://a}/v1", Some("https://a/v1")),
            ("${OTHER}", None),
            ("a${OTHER}b", Some("ab")),
            ("$API ${API", Some("$API ${API")),
        ] {
            assert_eq!(replaced(given, &set).as_deref(), expected, "{given}");
        }
        let value = json!({
            "hosts": ["${API:-https://a}"], "files": "exec",
            "settings": { "api": "${API}", "team": "${TEAM}", "deep": { "n": 1 } },
        });
        let manifest = Manifest::expanded(value, &set).unwrap();
        assert_eq!(manifest.hosts, ["http://127.0.0.1:1/api"]);
        assert_eq!(manifest.files, Files::Exec);
        let settings = json!({ "api": "http://127.0.0.1:1/api", "deep": { "n": 1 } });
        assert_eq!(Value::Object(manifest.settings), settings);
        assert!(Manifest::expanded(json!({ "file": "exec" }), &set).is_err());
    }
}
