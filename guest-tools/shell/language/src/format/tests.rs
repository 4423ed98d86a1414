//! Texts beside those of bash 5.2.
#![allow(clippy::unwrap_used, reason = "tests")]

use std::process::Command;

use proptest::prelude::*;

use super::escape::{Dialect, unescape};
use super::time::Zone;
use super::{Context, Report, printf, quote};

/// What stands between the answers of bash.
const MARK: &str = "\u{1e}";

/// Runs bash on each script; gives what it wrote to its two streams.
fn bash(scripts: &[String]) -> Option<Vec<(String, String)>> {
    let mut whole = String::new();
    for script in scripts {
        whole.push_str(&format!(
            "{script}\nbuiltin printf '{MARK}'; builtin printf '{MARK}' >&2\n"
        ));
    }
    let output = Command::new("bash")
        .args(["-c", &whole])
        .env("LC_ALL", "C.UTF-8")
        .env("TZ", "UTC0")
        .output()
        .ok()?;
    let split = |bytes: Vec<u8>| -> Vec<String> {
        String::from_utf8_lossy(&bytes)
            .split(MARK)
            .map(str::to_owned)
            .collect()
    };
    Some(
        split(output.stdout)
            .into_iter()
            .zip(split(output.stderr))
            .collect(),
    )
}

fn quoted(text: &str) -> String {
    String::from_utf8(quote::single(text.as_bytes())).unwrap()
}

/// Our output with the status, and our messages as bash shows them.
fn ours(words: &[&str]) -> (String, String) {
    let zone = Zone::utc();
    let context = Context {
        now: 0,
        started: 0,
        zone: &zone,
        limit: 1 << 20,
    };
    let mut output = Vec::new();
    let report = printf(words[0].as_bytes(), &words[1..], &context, &mut output);
    let messages = report.messages.iter().map(|(_, message)| {
        format!(
            "bash: line 0: printf: {}\n",
            String::from_utf8_lossy(message)
        )
    });
    let messages = messages.collect();
    (
        format!("{}<{}>", String::from_utf8_lossy(&output), report.status),
        messages,
    )
}

/// Messages with every line number 0.
fn unnumbered(messages: &str) -> String {
    let lines = messages.split_inclusive('\n').map(|line| {
        let rest = line.strip_prefix("bash: line ").unwrap_or(line);
        let rest = rest.split_once(": ").map_or(rest, |(_, rest)| rest);
        format!("bash: line 0: {rest}")
    });
    lines.collect()
}

fn differing(rows: &[Vec<&str>]) -> Vec<String> {
    let scripts: Vec<String> = rows
        .iter()
        .map(|words| {
            let words: Vec<String> = words.iter().map(|word| quoted(word)).collect();
            format!("printf -- {}; echo -n \"<$?>\"", words.join(" "))
        })
        .collect();
    let mut differing = Vec::new();
    for (words, (output, messages)) in rows.iter().zip(bash(&scripts).unwrap_or_default()) {
        let found = ours(words);
        let expected = (output, unnumbered(&messages));
        if found != expected {
            differing.push(format!("{words:?}\n  ours {found:?}\n  bash {expected:?}"));
        }
    }
    differing
}

/// Formats with their arguments.
const PRINTF: &[&[&str]] = &[
    &["%d\\n", "12abc"],
    &["%d\\n", ""],
    &["%d\\n"],
    &["%d %d\\n", "1", "2", "3"],
    &["%s-%s\\n", "a", "b", "c"],
    &["%d\\n", "99999999999999999999"],
    &["%d\\n", "-99999999999999999999"],
    &["%u\\n", "-1"],
    &["%u\\n", "18446744073709551615"],
    &["%u\\n", "18446744073709551616"],
    &["%x %X %o\\n", "255", "255", "8"],
    &["%#x %#X %#o %#x\\n", "255", "255", "8", "0"],
    &["%5d|%-5d|%05d|%+d|% d\\n", "1", "2", "3", "4", "5"],
    &["%.3d|%5.3d|%.0d|%05.3d\\n", "5", "5", "0", "5"],
    &["%5s|%-5s|%.2s|%5.1s|%s\\n", "ab", "cd", "efg", "hij", "é"],
    &["%5s|%.1s|\\n", "é", "é"],
    &["%c%c%c\\n", "abc", "", "é"],
    &["%5c|%-5c|\\n", "a", "b"],
    &["%*d|%-*d|%*d\\n", "5", "1", "5", "2", "-5", "3"],
    &["%.*f|%.*d|%.*s\\n", "2", "3.14159", "3", "7", "-1", "abc"],
    &["%d %d %d %d\\n", "0x1f", "010", "'a", "\"b"],
    &["%d\\n", "'é"],
    &["%d\\n", "'"],
    &["%d\\n", "1.5"],
    &["%d\\n", " 5"],
    &["%d\\n", "5 "],
    &["%d\\n", "+5"],
    &["%d\\n", "08"],
    &["%d\\n", "0x"],
    &["%d\\n", "--5"],
    &["%f %e %g\\n", "3.14159", "31415.9", "0.0001"],
    &[
        "%f %F %e %E %g %G\\n",
        "inf",
        "-inf",
        "nan",
        "inf",
        "nan",
        "1e100",
    ],
    &["%.20f\\n", "0.1"],
    &[
        "%.2f %.2f %.0f %.0f %.0f\\n",
        "1.005",
        "2.675",
        "0.5",
        "1.5",
        "2.5",
    ],
    &[
        "%g %g %g %g %g\\n",
        "100000",
        "1000000",
        "1e-4",
        "1e-5",
        "123456789",
    ],
    &["%#g %#.0f %+.1f % f\\n", "1", "1", "1", "1"],
    &["%010.2f|%-10.2f|%10.2f|\\n", "3.14159", "2.5", "-1.5"],
    &["%a %a %a %.2a %A\\n", "1", "0.1", "255", "1.999", "10"],
    &["%f\\n", "abc"],
    &["%f\\n", "1.5abc"],
    &["%f\\n", ""],
    &["%f\\n", "0x1p3"],
    &["%f\\n", "1e5000"],
    &["%e\\n", "1e-5000"],
    &["%f\\n", "'a"],
    &["%e\\n", "123456789.123456789"],
    &["%.0e\\n", "15"],
    &["%.3g|%.10g|%#.3g\\n", "0.00012345", "123456.789", "1"],
    &["%b|%b\\n", "a\\tb", "\\0101\\c", "x"],
    &["a\\cb"],
    &["%b", "a\\cb", "c"],
    &["%q %q\\n", "a b", "it's"],
    &["%10q|%-10q|\\n", "a b", "c d"],
    &["%y\\n", "1"],
    &["%"],
    &["%5"],
    &["abc%"],
    &["%z\\n"],
    &["%ld %lld %hd %jd %zd %td\\n", "1", "2", "3", "4", "5", "6"],
    &["%n", "nn"],
    &["%%|%5%|\\n"],
    &["%i\\n", "7"],
    &["no args\\n", "a", "b", "c"],
    &[""],
    &["%s\\n", "a", "", "b"],
    &["\\n", "1", "2"],
    &["%(%Y-%m-%d)T\\n", "0"],
    &["%(%Y)T|%(%s)T\\n", "86400", "5"],
    &["%10(%Y)T|%-10(%Y)T|\\n", "0", "0"],
    &["%()T\\n", "0"],
    &["%(%H:%M)T\\n", "abc"],
    &["%.3(%Y-%m-%d)T\\n", "0"],
    &["%5ls|%.1ls\\n", "é", "éé"],
    &["%'d\\n", "1234567"],
    &["%-+ 0#d\\n", "5"],
    &["%+u %+x\\n", "5", "5"],
    &["%+s\\n", "a"],
    &["%05s\\n", "a"],
    &["%-05d|\\n", "4"],
    &["%s %q\\n"],
    &["%d%%\\n", "50"],
    &["%5b|%-5b|%.2b\\n", "ab", "cd", "efg"],
    &["%x\\n", "-1"],
    &["%o\\n", "-8"],
    &["%d\\n", "9223372036854775807"],
    &["%d\\n", "9223372036854775808"],
    &["%d\\n", "-9223372036854775808"],
    &["%d\\n", "0xFFFFFFFFFFFFFFFF"],
    &["%x\\n", "0xFFFFFFFFFFFFFFFF"],
    &["%*d\\n", "abc", "1"],
    &["%1$s\\n", "a"],
    &["%-q|\\n", "a"],
    &["%v\\n", "a"],
    &["%.5q|\\n", "a b c d e f"],
    &["%.5Q|\\n", "a b c d e f"],
    &["\\x41\\u00e9\\101\\0101\\q\\\"\\n"],
    &["\\xzz\\n"],
    &["%d %s\\n", "a"],
    &["%d\\n", "1", "b", "3"],
    &["%s %d\\n", "a", "1", "b"],
    &["%.f|%.e\\n", "2.5", "2.5"],
    &["%8.3e|\\n", "12345.678"],
    &["%g %g %g\\n", "0", "-0", "1e15"],
    &["%G\\n", "1e-10"],
    &["%.15g %.17g %.20g\\n", "0.1", "0.1", "0.1"],
    &["%f\\n", "123456789012345678901234567890"],
    &["%.1f\\n", "0.05", "0.15", "0.25", "0.35"],
    &["%5.f|\\n", "99.5"],
    &["%+e\\n", "0"],
    &["%f\\n", ".5", "5.", "-.5e1", "+1"],
    &["%f\\n", "1e", "1e+", "0x", "1,5"],
    &["%+5c|\\n", "a"],
    &["%5%|%-5%|"],
    &["%.10s|%.0s|\\n", "abc", "abc"],
    &["%#b\\n", "a"],
    &["%d\\n", "'ab"],
    &["%s\\n", "a\\nb"],
    &["%hhd\\n", "1"],
    &["%Lf\\n", "1"],
    &["%(%c)T\\n", "0"],
    &["%(a\\tb)T\\n", "0"],
    &["%d\\n", "1_000"],
    &["%X\\n", "0xabcdef"],
    &["%#X\\n", "0"],
    &["%#o\\n", "0"],
    &["%.0x|%#.0x\\n", "0", "0"],
    &["%+.3d|% .3d|%08.3d\\n", "5", "5", "-5"],
    &[
        "%(%x %X %r)T|%(%D %T %R %j %U %W %V)T|\n",
        "1700000000",
        "1709251200",
    ],
    &[
        "%(%G %g %u %w %e %k %l %I %y %C)T|\n",
        "1704067200",
        "1735603200",
        "-1000000000",
        "1230768000",
    ],
    &[
        "%(%h %b %B %a %A %Z %z %n%t%% %s %F)T|%(%c)T\n",
        "1700000000",
        "1",
        "951782400",
        "0",
    ],
    &[
        "%(%E %Q %5Y %-d %_d %^a %Ey %Od %P %v %#Z %#a %_H %-H %010s %3d %_5Y %+)T\n",
        "1700000000",
    ],
    &["%.1000f\n", "0.1"],
    &["%f %e %g\n", "1e4932", "1e-4931", "1e4000"],
    &[
        "%.30e|%.40f|%.25g\n",
        "3.14159265358979323846",
        "2.71828182845904523536",
        "1e22",
    ],
    &["%f %f %f\n", "0x.8p1", "0x1.8", "0X10p-2"],
    &[
        "%f\n", "inf", "infinity", "nan", "nan(1)", "INFx", "-nan", " 1", "-inf",
    ],
    &["%5c|", ""],
    &["%a %a %a\n", "0", "-1.5", "1e10"],
    &["%.0a %.1a %.5a %#.0a\n", "1.999", "1.96875", "0.1", "1"],
    &[
        "%+10.3e|%-12.2g|%012.4G|% 08.1f\n",
        "-12345.6789",
        "0.00001234",
        "98765432.1",
        "3.14",
    ],
    &["%#g %#x %#o %#.3e %#.0e\n", "3", "16", "8", "1", "5"],
    &[
        "%.0f %.0f %.1f %.2f %.3f\n",
        "3.5",
        "4.5",
        "0.25",
        "0.125",
        "0.0625",
    ],
    &[
        "%f\n",
        "0.000000499999",
        "0.0000005",
        "999999.9999995",
        "1e-7",
    ],
    &["%g\n", "999999.5", "9999995e-1", "0.00009999995", "1e-5000"],
    &["%x %X %o %u\n", "-1", "-255", "-8", "-9223372036854775808"],
    &["%.3x|%8.3o|%-8.4X|\n", "10", "8", "255"],
    &["\\c\\'\\?\\8\\x4a\\U0001F600", "x"],
    &["%b", "\\x\\u\\'\\\"\\08\\401\\e"],
    &["%s"],
    &["%q %q %q %q\n", "", "a\nb", "~x", "$HOME"],
    &["%-10s|%10s|%.3s|\n", "é", "日本", "日本"],
    &["%d %d\n", "0x7fffffffffffffff", "-0x8000000000000000"],
    &["%d\n", "\"", "'", "'é", "\"日"],
    &["%5%"],
    &["%-05d|%+05d|% 05d|%+-5d|\n", "1", "2", "3", "4"],
    &["%hhd %lld\n", "300", "300"],
];

#[test]
fn printf_is_that_of_bash() {
    let rows: Vec<Vec<&str>> = PRINTF.iter().map(|words| words.to_vec()).collect();
    let differing = differing(&rows);
    assert!(differing.is_empty(), "{}", differing.join("\n"));
}

fn directive() -> impl Strategy<Value = String> {
    let flags = prop::collection::vec(prop::sample::select(vec!["-", "+", " ", "0", "#"]), 0..3);
    let width = prop::option::of(0..30u8);
    let precision = prop::option::of(0..25u8);
    let conversion = prop::sample::select(b"diuoxXeEfFgGaAsbqQ".to_vec());
    (flags, width, precision, conversion).prop_map(|(flags, width, precision, conversion)| {
        let width = width.map(|width| width.to_string()).unwrap_or_default();
        let precision = precision
            .map(|places| format!(".{places}"))
            .unwrap_or_default();
        format!(
            "%{}{width}{precision}{}|",
            flags.concat(),
            char::from(conversion)
        )
    })
}

fn argument() -> impl Strategy<Value = String> {
    prop_oneof![
        any::<i64>().prop_map(|number| number.to_string()),
        (-1000i64..1000).prop_map(|number| number.to_string()),
        (any::<i32>(), 0..12u32).prop_map(|(digits, places)| format!(
            "{}.{:0>width$}",
            digits / 1000,
            digits.unsigned_abs() % 10u32.pow(places.min(9)),
            width = places as usize
        )),
        (any::<u32>(), -40i32..40).prop_map(|(digits, power)| format!("{digits}e{power}")),
        (any::<u64>(), -1200i32..1200).prop_map(|(digits, power)| format!("0.{digits}e{power}")),
        (any::<u64>(), -1200i32..1200).prop_map(|(digits, power)| format!("0x{digits:x}p{power}")),
        prop::sample::select(vec![
            "abc", "", "a b", "0x1f", "017", "'x", "é\\n", "-0", ".5", "1e", "inf"
        ])
        .prop_map(str::to_owned),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(3))]

    #[test]
    fn printf_agrees_with_bash(cases in prop::collection::vec((directive(), argument()), 300)) {
        let rows: Vec<Vec<&str>> =
            cases.iter().map(|(format, argument)| vec![format.as_str(), argument.as_str()]).collect();
        let differing = differing(&rows);
        prop_assert!(differing.is_empty(), "{}", differing.join("\n"));
    }
}

fn report(words: &[&str], limit: usize) -> (Vec<u8>, Report) {
    let zone = Zone::utc();
    let context = Context {
        now: 1_700_000_000,
        started: 60,
        zone: &zone,
        limit,
    };
    let mut output = b"kept".to_vec();
    let report = printf(words[0].as_bytes(), &words[1..], &context, &mut output);
    (output, report)
}

#[test]
fn the_output_is_bounded_before_it_is_made() {
    for words in [
        ["%1000000000d", "1"],
        ["%.1000000000f", "1"],
        ["%99999999999999999999s", "1"],
        ["%*d", "9223372036854775807"],
        ["%.99999999999999999999d", "1"],
        ["%(%1000000000Y)T", "1"],
        ["%1000000000c", "1"],
    ] {
        let (output, report) = report(&words, 1000);
        assert!(report.too_long || words[0].contains('T'), "{words:?}");
        assert!(output.len() <= 1004, "{words:?}");
    }
    let (output, report) = report(&["%s\n", "a", "b", "c"], 5);
    assert_eq!(
        (output.as_slice(), report.too_long, report.status),
        (b"kepta\nb\nc".as_slice(), true, 1)
    );
}

#[test]
fn times_and_counts_come_from_the_context() {
    assert_eq!(report(&["%(%s)T"], 100).0, b"kept1700000000");
    assert_eq!(
        report(&["%(%s)T %(%s)T", "-1", "-2"], 100).0,
        b"kept1700000000 60"
    );
    assert_eq!(
        report(&["ab%nc%n", "x", "y"], 100).1.counts,
        [(b"x".to_vec(), 2), (b"y".to_vec(), 3)]
    );
}

#[test]
fn zones_follow_names_and_posix_rules() {
    for (zone, seconds, expected) in [
        (
            "EST5EDT,M3.2.0,M11.1.0",
            1_700_000_000,
            "2023-11-14 17:13:20 EST -0500",
        ),
        (
            "EST5EDT,M3.2.0,M11.1.0",
            1_690_000_000,
            "2023-07-22 00:26:40 EDT -0400",
        ),
        ("<+03>-3", 1_700_000_000, "2023-11-15 01:13:20 +03 +0300"),
        ("UTC+3", 1_700_000_000, "2023-11-14 19:13:20 UTC -0300"),
        ("US/Eastern", 1_557_978_599, "2019-05-15 23:49:59 EDT -0400"),
        (
            ":Asia/Tokyo",
            1_557_978_599,
            "2019-05-16 12:49:59 JST +0900",
        ),
        ("Foo", 1_700_000_000, "2023-11-14 22:13:20 Foo +0000"),
        ("No/Where", 0, "1970-01-01 00:00:00 UTC +0000"),
        ("", 0, "1970-01-01 00:00:00 UTC +0000"),
    ] {
        let zone = Zone::new(zone.as_bytes(), &|_| None);
        let shown = super::time::strftime(b"%F %T %Z %z", seconds, &zone, 100);
        assert_eq!(String::from_utf8(shown).unwrap(), expected);
    }
}

/// Texts with everything that is special somewhere.
fn texts() -> Vec<String> {
    let mut texts: Vec<String> = [
        "",
        "a\nb",
        "\t",
        "a b\u{1b}",
        "é",
        "\u{85}",
        "it's",
        "a:~b",
        "a=~b",
        "\u{1}\u{7f}",
        "é\n",
        "'",
        "~",
        "a~",
        "#a",
        "a #",
        "a\t#b",
        "a{b,c}",
        "$x",
        "a'\n",
        "世",
        "\\",
        "@",
        "*",
        "a'b\"c",
        "--x",
    ]
    .map(str::to_owned)
    .to_vec();
    for byte in 1..127u8 {
        let character = char::from(byte);
        texts.extend([
            character.to_string(),
            format!("a{character}"),
            format!("a{character}b"),
        ]);
    }
    texts.retain(|text| !text.contains(MARK));
    texts
}

#[test]
fn texts_are_quoted_as_in_bash() {
    let texts = texts();
    let scripts: Vec<String> = texts
        .iter()
        .map(|text| {
            let text = quoted(text);
            format!(
                "s={text}; printf '%q\\n' \"$s\"; echo \"${{s@Q}}\"; declare -p s; declare -A A=([\"$s\"x]=v); \
                 declare -p A; set | grep -a -A1 ^s=; alias zz=\"$s\"; alias zz; \
                 {{ set -x; }} 2>/dev/null; : \"$s\"; y=$s; {{ set +x; }} 2>/dev/null"
            )
        })
        .collect();
    for (text, (output, traced)) in texts.iter().zip(bash(&scripts).unwrap_or_default()) {
        let bytes = text.as_bytes();
        let show = |quoted: Vec<u8>| String::from_utf8(quoted).unwrap();
        let mut listed = format!("s={}\n", show(quote::listed(bytes)));
        if let Some(start) = output.find("\ns=") {
            let line = &output[start + 1..];
            let end = line.find("\nalias").map_or(line.len(), |end| end + 1);
            // grep shows a line after the one that is wanted.
            if line[..end].starts_with(&listed) {
                listed = line[..end].to_owned();
            }
        }
        let expected = format!(
            "{}\n{}\ndeclare -- s={}\ndeclare -A A=([{}]=\"v\" )\n{listed}alias zz={}\n",
            show(quote::word(bytes)),
            show(quote::reusable(bytes)),
            show(quote::declared(bytes)),
            show(quote::key(format!("{text}x").as_bytes())),
            show(quote::single(bytes)),
        );
        assert_eq!(expected, output, "{text:?}");
        let expected = format!(
            "+ : {}\n+ y={}\n",
            show(quote::traced(bytes)),
            show(quote::traced_value(bytes))
        );
        assert_eq!(expected, traced, "{text:?}");
    }
}

const ESCAPES: &[&str] = &[
    "\\101",
    "\\0101",
    "\\01",
    "\\08",
    "\\1",
    "\\0777",
    "\\x41",
    "\\x",
    "\\xg",
    "\\x414",
    "\\u41",
    "\\u0041",
    "\\u",
    "\\u00e9",
    "\\U1F600",
    "\\UFFFFFFFF",
    "\\c",
    "a\\cb",
    "\\cA",
    "\\c?",
    "\\e",
    "\\E",
    "\\q",
    "\\\"",
    "\\\\",
    "\\?",
    "a\\",
    "\\a\\b\\f\\n\\r\\t\\v",
    "\\x{41}",
    "\\x{41",
    "\\x{}z",
    "a\\0b",
    "\\x00b",
    "\\8",
    "\\c\\\\a",
    "\\uZ",
    "\\U00000041x",
    "\\u4142434445",
    "\\'",
    "plain",
    "\\\n",
];

#[test]
fn escapes_mean_what_they_mean_in_bash() {
    let scripts: Vec<String> = ESCAPES
        .iter()
        .map(|text| {
            let text = quoted(text);
            format!("s={text}; echo -ne \"$s\"; echo '|'; printf %b \"$s\"; echo '|'; printf -- \"$s\"; echo '|'; echo \"${{s@E}}\"")
        })
        .collect();
    for (text, (output, _)) in ESCAPES.iter().zip(bash(&scripts).unwrap_or_default()) {
        let show = |dialect| {
            String::from_utf8_lossy(&unescape(text.as_bytes(), dialect).text).into_owned()
        };
        let expected = format!(
            "{}|\n{}|\n{}|\n{}\n",
            show(Dialect::Echo),
            show(Dialect::Argument),
            show(Dialect::Format),
            show(Dialect::Quoted)
        );
        assert_eq!(expected, output, "{text:?}");
    }
}
