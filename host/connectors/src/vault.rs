//! Tokens that came with answers: the component holds a stand-in for each.

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use http::HeaderMap;
use offshoot_backend::{Code, Error, Result};
use offshoot_network::{Policy, Secret};
use serde_json::Value;

use crate::grpc;
use crate::manifest::Token;

/// What every stand-in begins with.
const PREFIX: &str = "offshoot-token-";
/// Hexadecimal digits that follow.
const DIGITS: usize = 32;
/// Stand-ins that no sandbox holds and that are remembered all the same: calls are under way.
const LOOSE: usize = 1 << 10;

/// The tokens of one connector.
#[derive(Default)]
pub(crate) struct Vault {
    rules: Vec<Rule>,
    kept: Mutex<Kept>,
}

struct Rule {
    field: String,
    /// The way to the field in messages of gRPC, where it has one.
    path: Option<Vec<u64>>,
    source: Policy,
    used: String,
}

#[derive(Default)]
struct Kept {
    tokens: HashMap<String, Held>,
    /// Counts what was kept, so that the oldest is known.
    made: u64,
}

struct Held {
    secret: Secret,
    value: String,
    used: String,
    /// Sandboxes whose state has it.
    holders: usize,
    number: u64,
}

impl Vault {
    pub(crate) fn new(tokens: &[Token]) -> Result<Vault> {
        let rule = |token: &Token| {
            Ok(Rule {
                path: grpc::path(&token.field),
                field: token.field.clone(),
                source: token.source()?,
                used: token.used.clone(),
            })
        };
        Ok(Vault {
            rules: tokens.iter().map(rule).collect::<Result<_>>()?,
            kept: Mutex::default(),
        })
    }

    fn lock(&self) -> MutexGuard<'_, Kept> {
        self.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Whether answers to this request may hold tokens.
    pub(crate) fn looks_at(&self, method: &str, url: &str) -> bool {
        let mut rules = self.rules.iter();
        rules.any(|rule| rule.source.check(method, url).is_ok())
    }

    /// The messages of gRPC with stand-ins.
    pub(crate) fn keep_back_of_messages(
        &self,
        method: &str,
        url: &str,
        body: &[u8],
    ) -> Result<Vec<u8>> {
        let unread = || {
            Error::new(
                Code::Corrupt,
                "answer",
                "an answer with tokens is no message of gRPC",
            )
        };
        let mut made = Vec::with_capacity(body.len());
        for message in grpc::messages(body).ok_or_else(unread)? {
            let mut message = message.to_vec();
            for rule in &self.rules {
                let Some(path) = &rule.path else { continue };
                if rule.source.check(method, url).is_ok() {
                    let mut stand_in = |token: &str| self.stand_in(rule, token);
                    let replaced = grpc::replaced(&message, path, &mut stand_in)?;
                    message = replaced.ok_or_else(unread)?;
                }
            }
            grpc::append(&mut made, &message).ok_or_else(unread)?;
        }
        Ok(made)
    }

    /// The answer with stand-ins.
    pub(crate) fn keep_back(&self, method: &str, url: &str, body: &[u8]) -> Result<Vec<u8>> {
        let unread = |_| Error::new(Code::Corrupt, "answer", "an answer with tokens is no JSON");
        let mut value: Value = serde_json::from_slice(body).map_err(unread)?;
        for rule in &self.rules {
            if rule.source.check(method, url).is_ok() {
                self.replace(rule, &mut value)?;
            }
        }
        serde_json::to_vec(&value).map_err(unread)
    }

    fn replace(&self, rule: &Rule, value: &mut Value) -> Result<()> {
        match value {
            Value::Object(fields) => {
                for (name, value) in fields {
                    match value {
                        Value::String(token) if *name == rule.field && !token.is_empty() => {
                            *token = self.stand_in(rule, token)?;
                        }
                        value => self.replace(rule, value)?,
                    }
                }
            }
            Value::Array(items) => {
                for item in items {
                    self.replace(rule, item)?;
                }
            }
            _ => {}
        }
        Ok(())
    }

    /// The stand-in of a token; the same for the same token.
    fn stand_in(&self, rule: &Rule, token: &str) -> Result<String> {
        let mut kept = self.lock();
        let known = |(_, held): &(&String, &Held)| held.value == token && held.used == rule.used;
        if let Some((name, _)) = kept.tokens.iter().find(known) {
            return Ok(name.clone());
        }
        let name = fresh()?;
        let secret = Secret::placeholder(&rule.used, &name, token)
            .map_err(|error| Error::new(Code::Corrupt, "answer", error.to_string()))?;
        kept.made += 1;
        let held = Held {
            secret,
            value: token.to_owned(),
            used: rule.used.clone(),
            holders: 0,
            number: kept.made,
        };
        kept.tokens.insert(name.clone(), held);
        kept.forget_old();
        Ok(name)
    }

    /// The tokens that headers have stand-ins of.
    pub(crate) fn named_in(&self, headers: &HeaderMap) -> Vec<Secret> {
        let values = headers.values().filter_map(|value| value.to_str().ok());
        values.flat_map(|value| self.named_by(value)).collect()
    }

    /// The tokens that a text has stand-ins of.
    pub(crate) fn named_by(&self, text: &str) -> Vec<Secret> {
        let kept = self.lock();
        names(text)
            .filter_map(|name| Some(kept.tokens.get(name)?.secret.clone()))
            .collect()
    }

    /// Keeps the tokens that a sandbox's state names.
    pub(crate) fn hold(&self, state: &str) {
        self.count(state, |held| held.holders += 1);
    }

    /// Takes that back.
    pub(crate) fn release(&self, state: &str) {
        self.count(state, |held| held.holders = held.holders.saturating_sub(1));
    }

    fn count(&self, state: &str, change: impl Fn(&mut Held)) {
        let mut kept = self.lock();
        for name in names(state) {
            if let Some(held) = kept.tokens.get_mut(name) {
                change(held);
            }
        }
    }
}

impl Kept {
    /// Drops the oldest that no sandbox holds, where there are many.
    fn forget_old(&mut self) {
        let loose = self.tokens.values().filter(|held| held.holders == 0);
        let mut numbers: Vec<u64> = loose.map(|held| held.number).collect();
        if numbers.len() <= LOOSE {
            return;
        }
        numbers.sort_unstable();
        let newest = numbers[numbers.len() - LOOSE / 2];
        self.tokens
            .retain(|_, held| held.holders > 0 || held.number >= newest);
    }
}

/// The stand-ins in a text.
fn names(text: &str) -> impl Iterator<Item = &str> {
    text.match_indices(PREFIX)
        .filter_map(|(at, _)| text.get(at..at + PREFIX.len() + DIGITS))
}

fn fresh() -> Result<String> {
    let mut random = [0; DIGITS / 2];
    getrandom::fill(&mut random)
        .map_err(|error| Error::new(Code::Died, "answer", format!("no randomness: {error}")))?;
    let digits: String = random.iter().map(|byte| format!("{byte:02x}")).collect();
    Ok(format!("{PREFIX}{digits}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn vault() -> Vault {
        Vault::new(&[Token {
            field: "token".into(),
            origin: "https://api.example.com".into(),
            used: "https://*.example.com".into(),
        }])
        .unwrap()
    }

    const URL: &str = "https://api.example.com/x";

    #[test]
    fn t34_tokens_stay_behind_at_any_depth() {
        let vault = vault();
        let body = br#"{"token":"one","list":[{"in":{"token":"two"}}],"name":"token","n":1}"#;
        let shown = vault.keep_back("GET", URL, body).unwrap();
        let text = String::from_utf8(shown).unwrap();
        assert!(!text.contains("\"one\"") && !text.contains("two"), "{text}");
        assert_eq!(names(&text).count(), 2);
        assert!(text.contains("\"name\":\"token\""));
        // The same token has one stand-in, so that asking often costs nothing.
        let again = vault.keep_back("GET", URL, body).unwrap();
        assert_eq!(again, text.as_bytes());
        assert!(vault.keep_back("GET", URL, b"<html>").is_err());
    }

    #[test]
    fn t34_tokens_in_messages_stay_behind() {
        let vault = Vault::new(&[Token {
            field: "5.1".into(),
            origin: "https://api.example.com".into(),
            used: "https://*.example.com".into(),
        }])
        .unwrap();
        let body = b"\0\0\0\0\x0c\x0a\x01a\x2a\x07\x0a\x05token";
        let shown = vault.keep_back_of_messages("POST", URL, body).unwrap();
        let text = String::from_utf8_lossy(&shown).into_owned();
        assert_eq!(names(&text).count(), 1, "{text:?}");
        assert!(
            text.contains("\x0a\x01a") && !text.ends_with("token"),
            "{text:?}"
        );
        assert_eq!(vault.named_by(&text).len(), 1);
        for body in [&b"\0\0\0\0\x02\x0a\x05"[..], b"\x01\0\0\0\0", b"{}"] {
            assert!(vault.keep_back_of_messages("POST", URL, body).is_err());
        }
    }

    #[test]
    fn other_origins_are_not_looked_at() {
        let vault = vault();
        assert!(vault.looks_at("POST", URL));
        assert!(!vault.looks_at("POST", "https://api.example.com.evil.test/x"));
        assert!(!vault.looks_at("GET", "http://api.example.com/x"));
    }

    #[test]
    fn stand_ins_are_found_in_headers_and_counted_by_state() {
        let vault = vault();
        let body = vault.keep_back("GET", URL, br#"{"token":"one"}"#).unwrap();
        let state = String::from_utf8(body).unwrap();
        let name = names(&state).next().unwrap().to_owned();
        let mut headers = HeaderMap::new();
        headers.insert("x-token", format!("Bearer {name}").parse().unwrap());
        assert_eq!(vault.named_in(&headers).len(), 1);
        vault.hold(&state);
        for number in 0..2 * LOOSE {
            let body = format!(r#"{{"token":"t{number}"}}"#);
            vault.keep_back("GET", URL, body.as_bytes()).unwrap();
        }
        assert!(vault.lock().tokens.len() <= LOOSE + 1);
        assert_eq!(vault.named_in(&headers).len(), 1, "what is held stays");
        headers.insert("x-token", format!("{PREFIX}0000").parse().unwrap());
        assert_eq!(vault.named_in(&headers).len(), 0);
    }
}
