//! Where the lines of a paragraph are broken: of all ways the one that costs least.
//!
//! A line costs the square of what it is shorter or longer than wanted, and of what its neighbours differ. Sentences,
//! parentheses and punctuation make some places better than others. The costs and the order in which ways are
//! compared are GNU's, so that lines break in the same places.
//!
//! The best way from each word on is found from the last word to the first (D. E. Knuth, M. F. Plass, "Breaking
//! Paragraphs into Lines", 1981), in O(words · words of a line).

/// A word, and the blanks after it.
#[derive(Clone, Debug, Default)]
pub struct Word {
    /// Its bytes.
    pub text: Vec<u8>,
    /// How many blanks follow it in the same line.
    pub space: usize,
    /// It begins with an opening parenthesis or quote.
    pub opens: bool,
    /// It ends with a period, as far as closing quotes are not looked at.
    pub period: bool,
    /// It ends with punctuation.
    pub punctuation: bool,
    /// It ends a sentence.
    pub ends_sentence: bool,
}

impl Word {
    /// A word of the text; where a sentence ends is not seen here.
    pub fn new(text: Vec<u8>) -> Word {
        let last = text.last().copied().unwrap_or(0);
        let first = text.first().copied().unwrap_or(0);
        let end = text.iter().rev().find(|byte| !b")]'\"".contains(byte));
        let end = end.or(text.first());
        Word {
            opens: b"(['`\"".contains(&first),
            punctuation: last.is_ascii_punctuation(),
            period: end.is_some_and(|byte| b".?!".contains(byte)),
            text,
            ..Word::default()
        }
    }
}

/// The measures of lines.
#[derive(Clone, Copy)]
pub struct Measure {
    /// What a line must be shorter than, unless it is a single word.
    pub width: usize,
    /// How long lines should be.
    pub goal: usize,
    /// The column at which the first line begins.
    pub first_indent: usize,
    /// The column at which the others do.
    pub other_indent: usize,
    /// The length of the line before, which belongs to the same paragraph.
    pub before: Option<usize>,
}

/// The best line that begins with a word.
#[derive(Clone, Copy, Default)]
pub struct Line {
    /// The word that begins the next line.
    pub next: usize,
    /// What this line and those after it cost.
    pub cost: i64,
    /// How long the line is.
    length: usize,
}

/// What each line costs: fewer lines are better.
const LINE: i64 = square(70);
/// What is gained by a line that begins with a sentence.
const SENTENCE: i64 = square(50);
/// What it costs to break behind a period that ends no sentence.
const NO_BREAK: i64 = square(600);
/// What is gained by a line that begins with a parenthesis.
const PARENTHESIS: i64 = square(40);
/// What is gained by a line that ends with punctuation.
const PUNCTUATION: i64 = square(40);

const fn square(number: i64) -> i64 {
    number * number
}

/// What two neighbours cost that differ in length.
fn ragged(a: usize, b: usize) -> i64 {
    square(10 * (a as i64 - b as i64)) / 2
}

/// What it costs to begin a line with a word, however long it becomes.
fn beginning(words: &[Word], at: usize) -> i64 {
    let mut cost = LINE;
    if at > 0 {
        let before = &words[at - 1];
        if before.period {
            cost += if before.ends_sentence {
                -SENTENCE
            } else {
                NO_BREAK
            };
        } else if before.punctuation {
            cost -= PUNCTUATION;
        } else if at > 1 && words[at - 2].ends_sentence {
            // The first word of a sentence would end the line.
            cost += square(200) / (before.text.len() as i64 + 2);
        }
    }
    let word = &words[at];
    if word.opens {
        cost - PARENTHESIS
    } else if word.ends_sentence {
        // The last word of a sentence would begin the line.
        cost + square(150) / (word.text.len() as i64 + 2)
    } else {
        cost
    }
}

/// The best line for each word that may begin one; the entry behind the last word costs nothing.
pub fn lines(words: &[Word], measure: &Measure) -> Vec<Line> {
    let end = words.len();
    let mut lines = vec![Line::default(); end + 1];
    for start in (0..end).rev() {
        let mut best = Line {
            cost: i64::MAX,
            ..Line::default()
        };
        let mut length = if start == 0 {
            measure.first_indent
        } else {
            measure.other_indent
        };
        let mut next = start;
        loop {
            length += words[next].text.len();
            next += 1;
            let mut cost = lines[next].cost;
            // The last line may be short.
            if next < end {
                cost += square(10 * (measure.goal as i64 - length as i64));
                if lines[next].next < end {
                    cost += ragged(length, lines[next].length);
                }
            }
            if let Some(before) = measure.before.filter(|_| start == 0) {
                cost += ragged(length, before);
            }
            if cost < best.cost {
                best = Line { next, cost, length };
            }
            if next == end {
                break;
            }
            let longer = length + words[next - 1].space + words[next].text.len();
            if longer >= measure.width {
                break;
            }
            length += words[next - 1].space;
        }
        best.cost += beginning(words, start);
        lines[start] = best;
    }
    lines
}

/// The line at which a paragraph that is too long to be kept is best cut in two, as the index of the word it begins
/// with. It is the one after which the least is lost, later ones before earlier.
pub fn cut(lines: &[Line]) -> usize {
    let end = lines.len() - 1;
    let (mut found, mut least) = (end, i64::MAX);
    let mut at = lines[0].next;
    while at != end {
        let cost = lines[at].cost - lines[lines[at].next].cost;
        if cost < least {
            (found, least) = (at, cost);
        }
        // Later cuts are better where they cost the same.
        least = least.saturating_add(square(3));
        at = lines[at].next;
    }
    found
}
