//! Takes secrets out of what streams by.

use http::{HeaderMap, HeaderValue};

use crate::secret::{Secret, replace};

/// Replaces the values of secrets, also where one lies across two pieces.
pub(crate) struct Redactor {
    /// A value and what is shown for it.
    pairs: Vec<(zeroize::Zeroizing<Vec<u8>>, Vec<u8>)>,
    /// What may be the beginning of a value.
    held: Vec<u8>,
}

impl Redactor {
    pub(crate) fn new<'a>(secrets: impl Iterator<Item = &'a Secret>) -> Redactor {
        let pairs = secrets
            .map(|secret| (secret.value().to_vec().into(), secret.shown().into()))
            .collect();
        Redactor {
            pairs,
            held: Vec::new(),
        }
    }

    pub(crate) fn is_idle(&self) -> bool {
        self.pairs.is_empty()
    }

    /// The headers of an answer as the sandbox may see them.
    pub(crate) fn headers(&self, headers: &mut HeaderMap) {
        for value in headers.values_mut() {
            for (secret, shown) in &self.pairs {
                let clean = replace(value.as_bytes(), secret, shown);
                if let Some(clean) = clean.and_then(|text| HeaderValue::from_bytes(&text).ok()) {
                    *value = clean;
                }
            }
        }
    }

    /// What can be shown after `piece` has come; all that is left where it was the last.
    pub(crate) fn body(&mut self, piece: &[u8], last: bool) -> Vec<u8> {
        let mut text = std::mem::take(&mut self.held);
        text.extend_from_slice(piece);
        for (secret, shown) in &self.pairs {
            if let Some(clean) = replace(&text, secret, shown) {
                text = clean;
            }
        }
        if !last {
            let keep = self.pairs.iter().map(|(secret, _)| begun(&text, secret));
            let keep = keep.max().unwrap_or(0);
            self.held = text.split_off(text.len() - keep);
        }
        text
    }
}

/// How many bytes at the end of `text` may begin `secret`.
fn begun(text: &[u8], secret: &[u8]) -> usize {
    let longest = text.len().min(secret.len().saturating_sub(1));
    (1..=longest)
        .rev()
        .find(|&length| text.ends_with(&secret[..length]))
        .unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn redactor(values: &[&str]) -> Redactor {
        let secrets: Vec<Secret> = values
            .iter()
            .map(|value| Secret::placeholder("https://a.com", "X", value).unwrap())
            .collect();
        Redactor::new(secrets.iter())
    }

    proptest! {
        #[test]
        fn pieces_are_as_the_whole(pieces in prop::collection::vec("[abc]{0,5}", 0..12)) {
            let mut redactor = redactor(&["abca", "bcb"]);
            let mut found = Vec::new();
            for piece in &pieces {
                found.extend(redactor.body(piece.as_bytes(), false));
            }
            found.extend(redactor.body(b"", true));
            let found = String::from_utf8(found).unwrap();
            prop_assert!(!found.contains("abca") && !found.contains("bcb"), "{found}");
            // Where nothing was secret nothing changes.
            let whole = pieces.concat();
            if !whole.contains("abca") && !whole.contains("bcb") {
                prop_assert_eq!(found, whole);
            }
        }
    }
}
