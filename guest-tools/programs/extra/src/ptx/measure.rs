//! How wide the fields of a line may be.

use super::request::{Format, Request};
use super::scan::Index;

/// The widths of the fields, in bytes.
pub struct Measure {
    /// The width of each half of a line.
    pub half: isize,
    /// What stands before the word.
    pub before: isize,
    /// The word and what stands after it.
    pub after: isize,
    /// The longest reference.
    pub reference: isize,
}

impl Measure {
    /// The widths that the options leave for the words of an index.
    pub fn new(request: &Request, index: &Index) -> Measure {
        let reference = reference(request, index);
        let mut width = request.width;
        if request.refers() && !request.right {
            width = (width - reference - request.gap).max(0);
        }
        let half = width / 2;
        let marks = 2 * request.mark.len() as isize;
        let (before, after) = if request.traditional {
            (half - request.gap, half - marks - 1)
        } else {
            ((half - request.gap - marks).max(0), half - marks)
        };
        Measure {
            half,
            before,
            after,
            reference,
        }
    }
}

fn reference(request: &Request, index: &Index) -> isize {
    let widest = if request.automatic {
        let width = |text: &super::scan::Text| text.name.len() + (text.lines + 1).to_string().len();
        // A colon stands between name and number.
        index.texts.iter().map(width).max().unwrap_or(0) + 1
    } else {
        index.widest
    };
    widest as isize
}

/// Whether a byte is not written as it is.
pub fn is_edited(format: Format, byte: u8) -> bool {
    match (format, byte) {
        (_, b' ' | b'\t'..=b'\r') => true,
        (Format::Roff, b'"') => true,
        (Format::Tex, _) => b"$%&#_{}\\".contains(&byte),
        _ => false,
    }
}
