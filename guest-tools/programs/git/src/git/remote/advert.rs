//! What a repository says it has: its references, and what it can do.

use std::collections::BTreeMap;
use std::io::Read;

use super::super::objects::{Id, parse_id};
use super::super::stop::{Outcome, fatal};
use super::packet::{self, Packet};

/// References of the other side.
#[derive(Debug, Default)]
pub struct Advert {
    /// Full names in order, `HEAD` among them.
    pub refs: BTreeMap<Vec<u8>, Id>,
    /// What annotated tags stand for in the end.
    pub peeled: BTreeMap<Vec<u8>, Id>,
    /// The reference that `HEAD` stands for.
    pub head: Option<Vec<u8>>,
    /// What the other side can do.
    pub capabilities: Vec<Vec<u8>>,
}

impl Advert {
    /// Reads what the first answer of a server says.
    pub fn read(input: &mut impl Read) -> Outcome<Advert> {
        let mut advert = Advert::default();
        let mut first = true;
        loop {
            let line = match packet::read(input)? {
                None => break,
                // After the service's name comes a flush of its own.
                Some(Packet::Flush) if first => continue,
                Some(Packet::Flush) => break,
                Some(Packet::Data(line)) => line,
            };
            if line.starts_with(b"# service=") || line.starts_with(b"version ") {
                continue;
            }
            if let Some(text) = line.strip_prefix(b"ERR ") {
                return Err(fatal([b"remote error: ", text.trim_ascii_end()].concat()));
            }
            let line = line.strip_suffix(b"\n").unwrap_or(&line);
            let end = line.iter().position(|&byte| byte == 0);
            if let (true, Some(end)) = (first, end) {
                advert.set_capabilities(&line[end + 1..]);
            }
            first = false;
            advert.add(&line[..end.unwrap_or(line.len())])?;
        }
        Ok(advert)
    }

    fn set_capabilities(&mut self, text: &[u8]) {
        let words = text
            .split(|&byte| byte == b' ')
            .filter(|word| !word.is_empty());
        self.capabilities = words.map(<[u8]>::to_vec).collect();
        let head = self.value(b"symref=HEAD:").map(<[u8]>::to_vec);
        self.head = head;
    }

    fn add(&mut self, line: &[u8]) -> Outcome {
        // Where the other side itself lacks a part of the history.
        if line.starts_with(b"shallow ") {
            return Ok(());
        }
        let (Some(id), Some(name)) = (line.get(..40).and_then(parse_id), line.get(41..)) else {
            let text = String::from_utf8_lossy(line);
            return Err(fatal(format!("protocol error: unexpected '{text}'")));
        };
        if name == b"capabilities^{}" {
            return Ok(());
        }
        match name.strip_suffix(b"^{}") {
            Some(tag) => self.peeled.insert(tag.to_vec(), id),
            None => self.refs.insert(name.to_vec(), id),
        };
        Ok(())
    }

    /// What follows `prefix` in the list of what the other side can do.
    fn value(&self, prefix: &[u8]) -> Option<&[u8]> {
        let mut found = self.capabilities.iter();
        found.find_map(|word| word.strip_prefix(prefix))
    }

    /// Whether the other side can do this.
    pub fn can(&self, name: &str) -> bool {
        self.capabilities.iter().any(|word| word == name.as_bytes())
    }

    /// The object that a tag stands for in the end, or what a reference says.
    pub fn target(&self, name: &[u8]) -> Option<Id> {
        self.peeled.get(name).or(self.refs.get(name)).copied()
    }

    /// The branch that `HEAD` stands for: as it was said, or guessed by what it says.
    pub fn default_branch(&self) -> Option<Vec<u8>> {
        if let Some(head) = &self.head {
            return Some(head.clone());
        }
        let id = self.refs.get(b"HEAD".as_slice())?;
        let fits = |name: &&Vec<u8>| self.refs.get(*name) == Some(id);
        let usual = [b"refs/heads/main".to_vec(), b"refs/heads/master".to_vec()];
        let branches = || {
            self.refs
                .keys()
                .filter(|name| name.starts_with(b"refs/heads/"))
        };
        usual.iter().chain(branches()).find(fits).cloned()
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a failure shows as a failed test")]
mod tests {
    use super::*;

    fn text(lines: &[&str]) -> Vec<u8> {
        let mut out = Vec::new();
        for line in lines {
            match *line {
                "" => packet::flush(&mut out),
                line => packet::put(&mut out, line.as_bytes()),
            }
        }
        out
    }

    #[test]
    fn an_answer_is_taken_apart() {
        let (a, b) = ("1".repeat(40), "2".repeat(40));
        let answer = text(&[
            "# service=git-upload-pack\n",
            "",
            &format!("{a} HEAD\0side-band-64k symref=HEAD:refs/heads/x agent=git/2\n"),
            &format!("{a} refs/heads/x\n"),
            &format!("{b} refs/tags/t\n"),
            &format!("{a} refs/tags/t^{{}}\n"),
            "",
        ]);
        let advert = Advert::read(&mut answer.as_slice()).unwrap();
        assert_eq!(advert.refs.len(), 3);
        assert!(advert.can("side-band-64k") && !advert.can("side-band"));
        assert_eq!(advert.default_branch().unwrap(), b"refs/heads/x");
        assert_eq!(advert.target(b"refs/tags/t").unwrap().to_string(), a);
    }

    #[test]
    fn an_empty_repository_has_no_references() {
        let none = "0".repeat(40);
        let line = format!("{none} capabilities^{{}}\0report-status delete-refs\n");
        let answer = text(&["# service=git-receive-pack\n", "", &line, ""]);
        let advert = Advert::read(&mut answer.as_slice()).unwrap();
        assert!(advert.refs.is_empty() && advert.can("delete-refs"));
    }

    #[test]
    fn what_is_no_answer_is_refused() {
        for line in ["ERR access denied\n", "hello\n", "1234 refs/heads/x\n"] {
            let answer = text(&[line, ""]);
            assert!(Advert::read(&mut answer.as_slice()).is_err(), "{line}");
        }
    }
}
