//! Values that the host adds to requests and takes out of answers.

use std::fmt;

use http::{HeaderMap, HeaderName, HeaderValue};
use url::Url;
use zeroize::Zeroizing;

use crate::error::{Error, Result};
use crate::origin::Pattern;

/// What stands in an answer where the other side repeated a secret without a placeholder.
const HIDDEN: &str = "[secret]";

/// A credential that is used for requests of a sandbox and never seen inside.
///
/// Either the host sets a header itself, whatever the request says, or a placeholder that the
/// sandbox knows is replaced in the values of headers. Both happen for matching origins only, after
/// every redirect anew. Where the other side repeats the value, the sandbox reads the placeholder.
///
/// ```
/// use offshoot_network::Secret;
/// # fn main() -> offshoot_network::Result<()> {
/// let token = Secret::header("https://api.example.com", "authorization", "Bearer s3cr3t")?;
/// let key = Secret::placeholder("https://*.example.com", "KEY-1", "s3cr3t")?;
/// assert!(!format!("{token:?} {key:?}").contains("s3cr3t"));
/// # Ok(()) }
/// ```
#[derive(Clone)]
pub struct Secret {
    origin: Pattern,
    place: Place,
    value: Zeroizing<String>,
}

#[derive(Clone)]
enum Place {
    Header(HeaderName),
    Placeholder(String),
}

impl Secret {
    /// Requests to `origin` carry the header `name` with this value.
    ///
    /// # Errors
    /// `INVALID` for what is no origin, or cannot be in a header.
    pub fn header(origin: &str, name: &str, value: &str) -> Result<Secret> {
        let header = HeaderName::try_from(name)
            .map_err(|_| Error::invalid(name, "it cannot be the name of a header"))?;
        Secret::new(origin, Place::Header(header), value)
    }

    /// In the headers of requests to `origin`, `placeholder` stands for the value.
    ///
    /// # Errors
    /// `INVALID` for what is no origin, an empty placeholder, or what cannot be in a header.
    pub fn placeholder(origin: &str, placeholder: &str, value: &str) -> Result<Secret> {
        if placeholder.is_empty() || HeaderValue::from_str(placeholder).is_err() {
            return Err(Error::invalid(placeholder, "it cannot be a placeholder"));
        }
        Secret::new(origin, Place::Placeholder(placeholder.to_owned()), value)
    }

    fn new(origin: &str, place: Place, value: &str) -> Result<Secret> {
        if value.is_empty() || HeaderValue::from_str(value).is_err() {
            return Err(Error::invalid(
                "the secret",
                "its value cannot be in a header",
            ));
        }
        Ok(Secret {
            origin: Pattern::parse(origin)?,
            place,
            value: Zeroizing::new(value.to_owned()),
        })
    }

    pub(crate) fn is_for(&self, url: &Url) -> bool {
        self.origin.matches(url)
    }

    /// Puts the value into the headers of a request.
    pub(crate) fn apply(&self, headers: &mut HeaderMap) {
        match &self.place {
            Place::Header(name) => {
                if let Some(value) = sensitive(&self.value) {
                    headers.insert(name, value);
                }
            }
            Place::Placeholder(_) => {
                for value in headers.values_mut() {
                    let filled = self.filled(value.as_bytes());
                    if let Some(mut filled) =
                        filled.and_then(|text| HeaderValue::from_bytes(&text).ok())
                    {
                        filled.set_sensitive(true);
                        *value = filled;
                    }
                }
            }
        }
    }

    /// A text with the value in place of its placeholder; none where there is none.
    pub(crate) fn filled(&self, text: &[u8]) -> Option<Vec<u8>> {
        match &self.place {
            Place::Header(_) => None,
            Place::Placeholder(placeholder) => {
                replace(text, placeholder.as_bytes(), self.value.as_bytes())
            }
        }
    }

    pub(crate) fn value(&self) -> &[u8] {
        self.value.as_bytes()
    }

    /// What the sandbox sees in its place.
    pub(crate) fn shown(&self) -> &str {
        match &self.place {
            Place::Header(_) => HIDDEN,
            Place::Placeholder(placeholder) => placeholder,
        }
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Secret")
            .field("origin", &self.origin)
            .field("shown", &self.shown())
            .finish_non_exhaustive()
    }
}

fn sensitive(value: &str) -> Option<HeaderValue> {
    let mut value = HeaderValue::from_str(value).ok()?;
    value.set_sensitive(true);
    Some(value)
}

/// `text` with every `from` replaced; none where there is none.
pub(crate) fn replace(text: &[u8], from: &[u8], to: &[u8]) -> Option<Vec<u8>> {
    let mut result = Vec::new();
    let mut done = 0;
    for at in memchr::memmem::find_iter(text, from) {
        result.extend_from_slice(&text[done..at]);
        result.extend_from_slice(to);
        done = at + from.len();
    }
    if done == 0 {
        return None;
    }
    result.extend_from_slice(&text[done..]);
    Some(result)
}
