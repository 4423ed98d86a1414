//! Names with numbers in their natural order, as `ls -v` and `sort -V` have it.

use std::cmp::Ordering;

/// GNU's `filevercmp`.
pub fn compare(a: &[u8], b: &[u8]) -> Ordering {
    for special in [b"".as_slice(), b".", b".."] {
        match (a == special, b == special) {
            (true, true) => return Ordering::Equal,
            (true, false) => return Ordering::Less,
            (false, true) => return Ordering::Greater,
            (false, false) => {}
        }
    }
    match (a[0] == b'.', b[0] == b'.') {
        (true, false) => return Ordering::Less,
        (false, true) => return Ordering::Greater,
        _ => {}
    }
    let (short_a, short_b) = (without_suffix(a), without_suffix(b));
    numbers(short_a, short_b).then_with(|| numbers(a, b))
}

/// Cuts suffixes such as `.tar.gz`.
fn without_suffix(name: &[u8]) -> &[u8] {
    let mut end = name.len();
    loop {
        let head = &name[..end];
        let Some(dot) = head.iter().rposition(|&byte| byte == b'.') else {
            break;
        };
        let suffix = &head[dot + 1..];
        let letter = |byte: &u8| byte.is_ascii_alphabetic() || *byte == b'~';
        let fits = suffix.first().is_some_and(letter)
            && suffix
                .iter()
                .all(|byte| byte.is_ascii_alphanumeric() || *byte == b'~');
        if !fits || dot == 0 {
            break;
        }
        end = dot;
    }
    &name[..end]
}

fn order(byte: Option<&u8>) -> i32 {
    match byte {
        Some(b'~') => -1,
        None => 0,
        Some(byte) if byte.is_ascii_digit() => 0,
        Some(byte) if byte.is_ascii_alphabetic() => i32::from(*byte),
        Some(byte) => i32::from(*byte) + 256,
    }
}

fn numbers(a: &[u8], b: &[u8]) -> Ordering {
    let (mut i, mut j) = (0, 0);
    let digit = |text: &[u8], at: usize| text.get(at).is_some_and(u8::is_ascii_digit);
    while i < a.len() || j < b.len() {
        while (i < a.len() && !digit(a, i)) || (j < b.len() && !digit(b, j)) {
            let found = order(a.get(i)).cmp(&order(b.get(j)));
            if found != Ordering::Equal {
                return found;
            }
            i += 1;
            j += 1;
        }
        let run = |text: &[u8], mut at: usize| {
            while text.get(at) == Some(&b'0') {
                at += 1;
            }
            let start = at;
            while digit(text, at) {
                at += 1;
            }
            (start, at)
        };
        let ((start_a, end_a), (start_b, end_b)) = (run(a, i), run(b, j));
        let lengths = (end_a - start_a).cmp(&(end_b - start_b));
        let found = lengths.then_with(|| a[start_a..end_a].cmp(&b[start_b..end_b]));
        if found != Ordering::Equal {
            return found;
        }
        (i, j) = (end_a, end_b);
    }
    Ordering::Equal
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn orders_as_gnu_does() {
        let sorted = [
            "",
            ".",
            "..",
            ".a",
            "a~",
            "a",
            "a1",
            "a02",
            "a10",
            "a.9.tar.gz",
            "b",
            "v1.2",
            "v1.10",
        ];
        for pair in sorted.windows(2) {
            let found = compare(pair[0].as_bytes(), pair[1].as_bytes());
            assert_eq!(found, Ordering::Less, "{pair:?}");
        }
    }
}
