//! Takes secrets out of what streams by.

use http::{HeaderMap, HeaderValue};
use zeroize::Zeroizing;

use crate::forms::{Form, forms};
use crate::secret::{Secret, replace};

/// Replaces the values of secrets in all their forms, also where one lies across two pieces.
pub(crate) struct Redactor {
    /// A form of a value and what is shown for it; the longest first, so that none is cut out of
    /// another.
    pairs: Vec<(Form, Vec<u8>)>,
    /// What may be the beginning of a value.
    held: Vec<u8>,
}

impl Redactor {
    pub(crate) fn new<'a>(secrets: impl Iterator<Item = &'a Secret>) -> Redactor {
        let mut pairs = Vec::new();
        for secret in secrets {
            let forms = forms(secret.value()).into_iter();
            pairs.extend(forms.map(|form| (form, Vec::from(secret.shown()))));
        }
        pairs.sort_by_key(|(form, _): &(Form, Vec<u8>)| std::cmp::Reverse(form.len()));
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
        let told = headers.keys().filter(|name| self.is_told_by(name.as_str()));
        let names: Vec<_> = told.cloned().collect();
        for name in names {
            headers.remove(name);
        }
        for value in headers.values_mut() {
            for (secret, shown) in &self.pairs {
                let clean = replace(value.as_bytes(), secret, shown);
                if let Some(clean) = clean.and_then(|text| HeaderValue::from_bytes(&text).ok()) {
                    *value = clean;
                }
            }
        }
    }

    /// Whether the name of a header holds a secret; names come in lower case.
    fn is_told_by(&self, name: &str) -> bool {
        self.pairs.iter().any(|(secret, _)| {
            let lower = Zeroizing::new(secret.to_ascii_lowercase());
            memchr::memmem::find(name.as_bytes(), &lower).is_some()
        })
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

    #[test]
    fn t34_no_form_of_a_secret_gets_through() {
        let secret = Secret::header("https://a.com", "authorization", "Bearer to/ken-1234");
        let redactor = Redactor::new([secret.unwrap()].iter());
        let mut headers = HeaderMap::new();
        headers.insert("x-echo", HeaderValue::from_static("got to/ken-1234"));
        headers.insert("x-url", HeaderValue::from_static("?t=to%2Fken-1234"));
        headers.insert("x-bearer", HeaderValue::from_static("Bearer to/ken-1234"));
        headers.insert("x-746f2f6b656e2d31323334", HeaderValue::from_static("1"));
        headers.insert("x-other", HeaderValue::from_static("token"));
        redactor.headers(&mut headers);
        let shown = format!("{headers:?}");
        assert!(
            !shown.contains("ken-1234") && !shown.contains("746f"),
            "{shown}"
        );
        assert_eq!(headers["x-other"], "token");
        assert_eq!(headers["x-bearer"], "[secret]");
    }
}
