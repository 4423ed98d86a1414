//! What a sample seems to have between its cells and around them, as Python's `csv.Sniffer` guesses it.
//!
//! First quotes are looked for with what stands next to them. Without any, the delimiter is the character whose number
//! is the same in most lines: lines are taken ten at a time, and the share of lines that have to agree sinks from 100
//! to 90 % until one character is left. Where several are left, the order of `PREFERRED` decides.

use fancy_regex::Regex;
use indexmap::IndexMap;

/// What may stand between cells.
const POSSIBLE: &str = ",\t; :|";

/// What is taken where several would do.
const PREFERRED: &str = ",\t; :";

/// Cells in quotes, with what stands before and after them.
const QUOTED: [&str; 4] = [
    r#"(?ms)(?P<delim>[^\w\n"'])(?P<space> ?)(?P<quote>["']).*?(?P=quote)(?P=delim)"#,
    r#"(?ms)(?:^|\n)(?P<quote>["']).*?(?P=quote)(?P<delim>[^\w\n"'])(?P<space> ?)"#,
    r#"(?ms)(?P<delim>[^\w\n"'])(?P<space> ?)(?P<quote>["']).*?(?P=quote)(?:$|\n)"#,
    r#"(?ms)(?:^|\n)(?P<quote>["']).*?(?P=quote)(?:$|\n)"#,
];

/// The delimiter and the quote of a sample; none where it says nothing of the delimiter.
pub fn sniff(sample: &str) -> Option<(char, char)> {
    let (quote, delimiter) = by_quotes(sample);
    let delimiter = delimiter.or_else(|| by_counts(sample))?;
    Some((delimiter, quote.unwrap_or('"')))
}

/// The key that was counted most often, the first of several.
fn most(counts: &IndexMap<char, usize>) -> Option<char> {
    let highest = counts.values().max()?;
    let found = counts.iter().find(|(_, count)| *count == highest);
    found.map(|(key, _)| *key)
}

/// Quote and delimiter as seen next to quoted cells; `None` for what was not seen.
fn by_quotes(sample: &str) -> (Option<char>, Option<char>) {
    for pattern in QUOTED {
        let Ok(pattern) = Regex::new(pattern) else {
            continue;
        };
        let (mut quotes, mut delimiters) = (IndexMap::new(), IndexMap::new());
        for found in pattern.captures_iter(sample).map_while(Result::ok) {
            let first = |name: &str| {
                found
                    .name(name)
                    .and_then(|text| text.as_str().chars().next())
            };
            if let Some(quote) = first("quote") {
                *quotes.entry(quote).or_insert(0) += 1;
            }
            if let Some(delimiter) = first("delim").filter(|sign| POSSIBLE.contains(*sign)) {
                *delimiters.entry(delimiter).or_insert(0) += 1;
            }
        }
        if !quotes.is_empty() {
            return (most(&quotes), most(&delimiters));
        }
    }
    (None, None)
}

/// The character that is as often in every line.
fn by_counts(sample: &str) -> Option<char> {
    let lines: Vec<&str> = sample.split('\n').filter(|line| !line.is_empty()).collect();
    let chunk = lines.len().min(10);
    // How often a character is in a line, and in how many lines it is as often.
    let mut counts: Vec<IndexMap<usize, i64>> = vec![IndexMap::new(); 127];
    let mut modes: IndexMap<u8, (usize, i64)> = IndexMap::new();
    let mut found: Vec<(u8, (usize, i64))> = Vec::new();
    let mut seen = 0;
    while seen < lines.len() {
        let end = (seen + chunk).min(lines.len());
        for line in &lines[seen..end] {
            let mut table = [0_usize; 127];
            for byte in line.bytes().filter(|byte| *byte < 127) {
                table[usize::from(byte)] += 1;
            }
            for (counts, count) in counts.iter_mut().zip(table) {
                *counts.entry(count).or_insert(0) += 1;
            }
        }
        seen = end;
        for (sign, counts) in (0_u8..).zip(&counts) {
            if let Some(mode) = mode(counts) {
                modes.insert(sign, mode);
            }
        }
        let total = seen as f64;
        let mut consistency = 1.0;
        while found.is_empty() && consistency >= 0.9 {
            let fits = |(sign, mode): &(&u8, &(usize, i64))| {
                mode.0 > 0
                    && mode.1 > 0
                    && mode.1 as f64 / total >= consistency
                    && POSSIBLE.contains(char::from(**sign))
            };
            found.extend(modes.iter().filter(fits).map(|(sign, mode)| (*sign, *mode)));
            consistency -= 0.01;
        }
        if let [(sign, _)] = found[..] {
            return Some(char::from(sign));
        }
    }
    let has = |wanted: &char| found.iter().any(|(sign, _)| char::from(*sign) == *wanted);
    let preferred = PREFERRED.chars().find(has);
    let dominant = found.iter().max_by_key(|(sign, mode)| (*mode, *sign));
    preferred.or(dominant.map(|(sign, _)| char::from(*sign)))
}

/// The count that most lines have, and how many more have it than have another.
fn mode(counts: &IndexMap<usize, i64>) -> Option<(usize, i64)> {
    if counts.len() == 1 && counts.contains_key(&0) {
        return None;
    }
    let highest = counts.values().max()?;
    let (count, lines) = counts.iter().find(|(_, lines)| *lines == highest)?;
    let others: i64 = counts.values().sum::<i64>() - lines;
    Some((*count, lines - others))
}
