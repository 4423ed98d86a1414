//! `seq -w` with a fraction: uutils takes the width of the last number as it was written, GNU with the places of the
//! first.
//!
//! ```text
//! seq -w 8.5 10     seq -f %04.1f 8.5 10     08.5 09.5
//! ```

/// The arguments, with `-f` instead of `-w` where the numbers have places. They are as they were where there is no
/// `-w`, where no number has a fraction, and where one of them is no plain decimal number.
pub fn formatted(arguments: &[Vec<u8>]) -> Vec<Vec<u8>> {
    let numbers = arguments
        .iter()
        .rposition(|word| Number::read(word).is_none());
    let (options, numbers) = arguments.split_at(numbers.map_or(0, |last| last + 1));
    let is_width = |word: &Vec<u8>| {
        word == b"-w" || word.len() > 4 && b"--equal-width".starts_with(word.as_slice())
    };
    let numbers: Vec<_> = numbers
        .iter()
        .filter_map(|word| Number::read(word))
        .collect();
    let (first, step, last) = match numbers.as_slice() {
        [first, last] => (first, None, last),
        [first, step, last] => (first, Some(step), last),
        _ => return arguments.to_vec(),
    };
    let places = first.places.max(step.map_or(0, |step| step.places));
    if places == 0 && last.places == 0 || !options.iter().any(is_width) {
        return arguments.to_vec();
    }
    let point = |number: &Number| usize::from(number.places == 0 && places > 0);
    let cut = usize::from(last.places > 0 && places == 0);
    let first_width = first.width + places - first.places + point(first);
    let last_width = last.width + places + point(last) - last.places - cut;
    let width = first_width.max(last_width);
    let mut found = vec![b"-f".to_vec(), format!("%0{width}.{places}f").into_bytes()];
    found.extend(arguments.iter().filter(|word| !is_width(word)).cloned());
    found
}

/// How a plain decimal number is written.
struct Number {
    /// How many characters it has, without a `+`, with a zero before the point, and without a point that nothing
    /// follows.
    width: usize,
    /// How many digits stand behind its point.
    places: usize,
}

impl Number {
    /// Reads a word; none where it is no number of digits with at most one point, such as `1e3`.
    fn read(word: &[u8]) -> Option<Number> {
        let word = word.strip_prefix(b"+").unwrap_or(word);
        let digits = word.strip_prefix(b"-").unwrap_or(word);
        let point = memchr::memchr(b'.', digits);
        let (whole, fraction) = match point {
            Some(at) => (&digits[..at], &digits[at + 1..]),
            None => (digits, &b""[..]),
        };
        let all = whole.iter().chain(fraction);
        if whole.is_empty() && fraction.is_empty() || !all.clone().all(u8::is_ascii_digit) {
            return None;
        }
        let mut width = word.len();
        if point.is_some() && fraction.is_empty() {
            width -= 1;
        }
        if whole.is_empty() {
            width += 1;
        }
        Some(Number {
            width,
            places: fraction.len(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_width_is_that_of_gnu() {
        // What GNU's seq 9.1 pads to.
        let cases: &[(&str, &str)] = &[
            ("-w 8.5 10", "-f %04.1f 8.5 10"),
            ("-w 8.5 100", "-f %05.1f 8.5 100"),
            ("-w 8 0.25 10", "-f %05.2f 8 0.25 10"),
            ("-s, -w .5 3", "-f %03.1f -s, .5 3"),
            ("--equal-width -1.5 .5 1", "-f %04.1f -1.5 .5 1"),
            ("-w 8.5 10.0", "-f %04.1f 8.5 10.0"),
            ("-w 1 5 100.25", "-f %03.0f 1 5 100.25"),
            ("-w 8 10", "-w 8 10"),
            ("8.5 10", "8.5 10"),
            ("-w 1e1 12", "-w 1e1 12"),
        ];
        for (given, expected) in cases {
            let words: Vec<Vec<u8>> = given.split(' ').map(|word| word.into()).collect();
            let found = formatted(&words).join(&b' ');
            assert_eq!(String::from_utf8_lossy(&found), *expected);
        }
    }
}
