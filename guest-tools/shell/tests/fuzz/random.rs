//! Random numbers, and scripts of arbitrary bytes.

/// A generator of numbers: SplitMix64.
pub struct Random(u64);

impl Random {
    /// The generator of script `number`.
    pub fn new(number: u64) -> Random {
        Random(number.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ 0x5851_f42d_4c95_7f2d)
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// A number below `end`.
    pub fn below(&mut self, end: usize) -> usize {
        (self.next() % end as u64) as usize
    }

    /// True once in `of` times.
    pub fn chance(&mut self, of: usize) -> bool {
        self.below(of) == 0
    }

    /// One of several texts.
    pub fn pick<'t>(&mut self, from: &[&'t str]) -> &'t str {
        from[self.below(from.len())]
    }
}

/// Arbitrary bytes, more often such as mean something to a shell.
pub fn bytes(random: &mut Random) -> Vec<u8> {
    const PIECES: &[&str] = &[
        "if ",
        "then ",
        "fi ",
        "for ",
        "do ",
        "done ",
        "case ",
        "in ",
        "esac ",
        "while ",
        "{ ",
        "} ",
        "(",
        ")",
        "((",
        "))",
        "[[ ",
        " ]]",
        "$(",
        "${",
        "}",
        "`",
        "\"",
        "'",
        "$'",
        "\\",
        "\n",
        ";",
        "&",
        "|",
        "<",
        ">",
        "<<E\n",
        "E\n",
        "$",
        "*",
        "?",
        "[",
        "]",
        "a",
        "1",
        "=",
        "+=",
        "!",
        "#",
        "~",
        "@",
        "%",
        ":",
        ",",
        "..",
        "-",
        "x=",
        "a[",
        "echo ",
        "eval ",
        "read ",
        "set -",
        "$x",
        "$@",
        "f() ",
        "local ",
        "declare -",
        "printf ",
        "${x/",
        "${x:",
        "${!",
        "@Q}",
        "^^}",
        "<(",
        " ",
        " ",
        "\t",
        "exec ",
        "trap ",
        "\u{e9}",
        "&&",
        "||",
        ";;",
        "2>&1",
        "{1..",
        "shopt -s ",
        "alias ",
        "coproc ",
        "select ",
        "function ",
        "time ",
        "until ",
        "else ",
        "elif ",
        "return ",
    ];
    let mut text = Vec::new();
    for _ in 0..random.below(40) {
        if random.chance(12) {
            text.push(random.below(256) as u8);
        } else {
            text.extend_from_slice(random.pick(PIECES).as_bytes());
        }
    }
    text
}
