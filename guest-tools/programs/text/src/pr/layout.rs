//! How pages are laid out: what the options mean together, as GNU's `init_parameters` decides it.
//!
//! All that depends on more than one option is decided here, once; the other parts only read the result.

use super::glyph::Alphabet;
use super::request::{Numbers, Request};
use crate::call::Call;

/// The empty lines below the text of a page that has a header.
pub const TRAILER: i64 = 5;
/// The lines above it: two empty ones, the header, two empty ones.
const HEADER: i64 = 5;
/// The usual distance of tab stops.
const TAB: i64 = 8;

/// Where everything stands on a page.
pub struct Layout {
    /// How many columns there would be if all files could be read.
    pub columns: usize,
    /// Files stand side by side.
    pub merge: bool,
    /// Columns are filled one after the other, and evenly.
    pub down: bool,
    /// The lines of a page without header and trailer.
    pub body: i64,
    /// Pages have headers. Those that are too short for text beside them have none.
    pub headed: bool,
    /// Form feeds of the input are kept.
    pub keeps_feeds: bool,
    /// Something stands between columns.
    pub separated: bool,
    /// What stands between columns.
    pub separator: Vec<u8>,
    /// Columns have a width, and lines are cut there.
    pub cut: bool,
    /// The width of a column without its separator, at least 1.
    pub column_width: i64,
    /// How bytes are shown.
    pub alphabet: Alphabet,
    /// What replaces blanks, and the distance of its stops.
    pub tabs: Option<(u8, i64)>,
    /// Lines are numbered: of files side by side only those of the first.
    pub numbers: Option<Numbers>,
    /// The columns that a number takes with what follows it.
    pub number_width: i64,
}

impl Layout {
    /// What is asked for, made consistent.
    ///
    /// # Errors
    /// The status, after the message.
    pub fn new(call: &Call, request: &Request) -> Result<Layout, i32> {
        if request.merge && request.columns.is_some() {
            let message = "cannot specify number of columns when printing in parallel";
            return Err(call.fail(1, message));
        }
        if request.merge && request.across {
            let message = "cannot specify both printing across and printing in parallel";
            return Err(call.fail(1, message));
        }
        let merge = request.merge && !request.files.is_empty();
        let columns = if merge {
            i64::try_from(request.files.len()).unwrap_or(i64::MAX)
        } else {
            request.columns.unwrap_or(1)
        };
        let lines = Lines::new(request);
        let sides = Sides::new(request, columns);
        let number_width = request.numbers.map_or(0, number_width);
        let gaps = (columns - 1).saturating_mul(sides.separator.len() as i64);
        let before = if merge { number_width } else { 0 };
        let column_width = request.width.saturating_sub(before.saturating_add(gaps)) / columns;
        if column_width < 1 {
            return Err(call.fail(1, "page width too narrow"));
        }
        Ok(Layout {
            columns: usize::try_from(columns).unwrap_or(usize::MAX),
            merge,
            down: columns > 1 && !request.merge && !request.across,
            body: lines.body,
            headed: lines.headed,
            keeps_feeds: lines.keeps_feeds,
            separated: sides.separated,
            separator: sides.separator,
            cut: sides.cut,
            column_width,
            alphabet: Alphabet {
                tab: request.expand.unwrap_or((b'\t', TAB)),
                expand: sides.expand || request.expand.is_some(),
                unprintable: request.unprintable,
            },
            tabs: sides.tabs.or(request.tabs),
            numbers: request.numbers,
            number_width,
        })
    }
}

/// The lines of a page.
struct Lines {
    body: i64,
    headed: bool,
    keeps_feeds: bool,
}

impl Lines {
    /// The lines that are left for text. A page without room for any is all text, and has no header.
    fn new(request: &Request) -> Lines {
        let text = request.length - HEADER - TRAILER;
        let short = text <= 0;
        let headed = request.headed && !short;
        let body = if headed { text } else { request.length };
        Lines {
            body: if request.double {
                (body / 2).max(1)
            } else {
                body
            },
            headed,
            keeps_feeds: request.keeps_feeds || short,
        }
    }
}

/// What stands beside each other.
struct Sides {
    separated: bool,
    separator: Vec<u8>,
    cut: bool,
    expand: bool,
    tabs: Option<(u8, i64)>,
}

impl Sides {
    /// What separators, widths and `-J` mean, with and without columns.
    fn new(request: &Request, columns: i64) -> Sides {
        let in_columns = request.merge || request.columns.is_some();
        let mut sides = Sides {
            separated: request.string_separator,
            separator: request.separator.clone(),
            cut: request.cut,
            expand: false,
            tabs: None,
        };
        let mut join = request.join;
        if request.narrow {
            // The width is one of columns only.
            sides.cut |= in_columns;
            sides.separated |= in_columns && request.short_separator;
            join |= !in_columns;
        } else if request.short_separator && !request.string_separator && in_columns {
            join |= !sides.cut;
            sides.separated = sides.cut || !sides.separator.is_empty();
        }
        if columns > 1 {
            sides.align(join, request.tabs);
        }
        sides.cut &= !join;
        sides
    }

    /// Puts lines into columns.
    fn align(&mut self, join: bool, tabs: Option<(u8, i64)>) {
        if !self.separated {
            self.separator = if join { b"\t" } else { b" " }.to_vec();
            self.separated = true;
        } else if !join && self.separator == b"\t" {
            self.separator = b" ".to_vec();
        }
        self.cut = true;
        self.expand = self.separator != b"\t";
        self.tabs = tabs.or(Some((b'\t', TAB)));
    }
}

/// The columns that a number takes; a tab behind it reaches to its stop.
fn number_width(numbers: Numbers) -> i64 {
    let after = if numbers.separator == b'\t' {
        TAB - numbers.digits % TAB
    } else {
        1
    };
    numbers.digits + after
}
