//! The ways in which bash quotes text so that it can be read again.

pub use offshoot_posix::quote::bash::*;

use crate::text::Text;

/// A command as `set -x` and messages about signals show it.
pub fn command(words: &[Text]) -> Text {
    let words: Vec<Vec<u8>> = words.iter().map(|word| traced(word)).collect();
    Text::from(words.join(b" ".as_slice()))
}
