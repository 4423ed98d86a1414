//! A pipeline for each number: the same one every time.

use crate::support::Random;

/// Bytes of the file `big` that pipelines read.
pub(super) const BIG: usize = 2 << 20;
/// Sizes around which something changes: nothing, a byte, an atomic write, a pipe, many pipes.
const SIZES: [usize; 12] = [
    0,
    1,
    100,
    4095,
    4096,
    4097,
    20_000,
    65_535,
    65_536,
    65_537,
    200_000,
    1 << 20,
];
/// Bytes that what works byte by byte in bash gets at most.
const SMALL: usize = 20_000;

/// A script, and how its embedder behaves.
#[derive(Debug)]
pub(super) struct Pipeline {
    pub(super) script: String,
    /// Standard input.
    pub(super) stdin: Vec<u8>,
    /// The embedder pauses between pieces of what it writes and reads.
    pub(super) slow: bool,
}

/// Lines of differing lengths.
pub(super) fn text(length: usize) -> Vec<u8> {
    let mut text = Vec::with_capacity(length + 100);
    let mut random = Random::new(7);
    while text.len() < length {
        let number = random.next();
        text.extend_from_slice(format!("{} ", text.len()).as_bytes());
        text.resize(
            text.len() + (number % 40) as usize,
            b'a' + (number >> 32) as u8 % 26,
        );
        text.push(b'\n');
    }
    text.truncate(length);
    text
}

/// The pipeline of this number.
pub(super) fn pipeline(number: u64) -> Pipeline {
    let mut draw = Draw {
        random: Random::new(number),
        before: String::new(),
        after: String::new(),
        files: 0,
        copies: false,
        ends_early: false,
        repeats: false,
        stdin: None,
    };
    let slow = draw.one_in(4);
    let script = draw.script();
    let stdin = draw.stdin.map_or_else(Vec::new, text);
    Pipeline {
        script: format!(
            "up() {{ tr a-m A-M; }}\nlines() {{ while IFS= read -r l || [ -n \"$l\" ]; do printf '%s\\n' \"$l\"; done; }}\n{}{script}\n{}",
            draw.before, draw.after
        ),
        stdin,
        slow,
    }
}

struct Draw {
    random: Random,
    /// Commands before and after the pipeline.
    before: String,
    after: String,
    files: usize,
    /// A stage writes what it reads elsewhere too.
    copies: bool,
    /// A stage may leave input unread, so that the status of those before it is a matter of luck.
    ends_early: bool,
    /// The stages run several times over one standard input.
    repeats: bool,
    /// Bytes of standard input, once a stage reads it.
    stdin: Option<usize>,
}

/// A stage, and how many bytes come out of it about.
type Stage = (String, usize);

impl Draw {
    fn below(&mut self, most: usize) -> usize {
        self.random.below(most)
    }

    fn one_in(&mut self, many: usize) -> bool {
        self.below(many) == 0
    }

    fn of<'a>(&mut self, choices: &[&'a str]) -> &'a str {
        choices[self.below(choices.len())]
    }

    fn size(&mut self) -> usize {
        let size = SIZES[self.below(SIZES.len())];
        // The largest are slow.
        match size > 100_000 && !self.one_in(3) {
            true => SIZES[self.below(SIZES.len())],
            false => size,
        }
    }

    fn file(&mut self) -> String {
        self.files += 1;
        format!("f{}", self.files)
    }

    fn script(&mut self) -> String {
        let size = self.size();
        let body = match self.below(9) {
            0 => self.coprocess(size),
            1 => self.fifo(size),
            2 => {
                let (pipeline, _) = self.stages(size);
                format!("x=$({pipeline}); echo \"${{#x}} $?\"; printf %s \"$x\" | cksum")
            }
            3 => {
                let (pipeline, _) = self.stages(size);
                format!("cat <({pipeline}) | cksum")
            }
            4 => {
                let many = 1 + self.below(4);
                self.repeats = true;
                let (pipeline, _) = self.stages(size.min(SMALL));
                format!("for i in 1 2 3; do {pipeline}; done | tail -n {many}")
            }
            _ => self.stages(size).0,
        };
        let checked = match self.ends_early {
            true => "echo \"status $?\"",
            false => "echo \"status ${PIPESTATUS[*]}\"",
        };
        let option = match !self.ends_early && self.one_in(4) {
            true => "set -o pipefail\n",
            false => "",
        };
        let lastpipe = if self.one_in(8) {
            "shopt -s lastpipe\n"
        } else {
            ""
        };
        format!("{option}{lastpipe}{body}\n{checked}")
    }

    /// A source and up to five filters.
    fn stages(&mut self, size: usize) -> Stage {
        let (mut script, mut left) = self.source(size);
        for _ in 0..self.below(6) {
            let (filter, rest) = self.filter(left);
            script = format!("{script} | {filter}");
            left = rest;
        }
        (script, left)
    }

    fn source(&mut self, size: usize) -> Stage {
        let small = size.min(SMALL);
        let stage = match self.below(17) {
            0 => format!("head -c {size} big"),
            1 => format!("head -c {size} < big"),
            2 => format!("cat big | head -c {size}"),
            3 => format!("yes 'a line of it' | head -c {size}"),
            4 => format!("seq {}", size / 6),
            5 => format!("gen {size}"),
            6 => format!(
                "for ((i = 0; i < {}; i++)); do echo \"line $i\"; done",
                small / 10
            ),
            7 => format!("printf '%s\\n' {{1..{}}}", (size / 6).clamp(1, 20_000)),
            8 => format!("printf '%{size}s' x"),
            9 => format!("( head -c {size} big; sleep 0.01 )"),
            10 => format!("{{ head -c {size} big; echo end; }}"),
            11 => format!(
                "awk 'BEGIN {{ for (i = 0; i < {}; i++) print \"row\", i }}'",
                size / 10
            ),
            12 => format!("cat <(head -c {small} big) <(gen {size})"),
            13 => format!("{{ sleep 0.02 & head -c {size} big; }}"),
            14 if self.stdin.is_none() => {
                self.stdin = Some(size);
                self.of(&["cat", "cat -", "tr x y", "lines", "sed p"])
                    .to_owned()
            }
            15 => format!("dd if=big bs=4096 count={} 2> /dev/null", size / 4096),
            _ => format!("x=$(head -c {small} big); echo \"$x\""),
        };
        match self.stdin {
            // Byte by byte, or twice as much.
            Some(_) if matches!(stage.as_str(), "lines" | "sed p") => (stage, size * 2),
            _ => (stage, size),
        }
    }

    fn filter(&mut self, size: usize) -> Stage {
        let small = size <= SMALL * 2;
        match self.below(13) {
            0..=3 => self.applet(size),
            4 | 5 => self.program(size),
            6 if small => {
                let stage = self.of(&[
                    "lines",
                    "while IFS= read -r l; do echo \"$l\"; done",
                    "while read -r a b; do echo \"$b $a\"; done",
                    "{ read -r a; echo \"first $a\"; cat; }",
                    "{ IFS= read -r -N 10 a; echo \"$a\"; cat; }",
                    "{ mapfile -t a; echo ${#a[@]}; printf '%s\\n' \"${a[@]}\"; }",
                    "{ mapfile -t -n 3 a; printf '<%s>\\n' \"${a[@]}\"; cat; }",
                    "while read -r l; do echo \"$l\" | cut -c1-5; done | head -n 100000",
                ]);
                let costs = stage.contains("cut");
                let stage = if costs && size > 2000 { "lines" } else { stage };
                (stage.to_owned(), size)
            }
            6 => ("cat".to_owned(), size),
            7 => {
                let (inner, left) = self.applet(size);
                let stage = match self.below(5) {
                    0 => format!("( {inner} )"),
                    1 => format!("{{ {inner}; }}"),
                    2 => format!("( sleep 0.01; {inner} )"),
                    3 => format!("if true; then {inner}; fi"),
                    _ => format!("( {inner}; echo end )"),
                };
                (stage, left + 4)
            }
            8 => (
                self.of(&["up", "slow", "gulp", "( slow; echo end )"])
                    .to_owned(),
                size,
            ),
            9 => self.ends_early(size),
            10 => {
                let file = self.file();
                self.copies = true;
                self.after += &format!("cksum < {file}\n");
                (format!("tee {file}"), size)
            }
            11 => {
                let (file, (inner, _)) = (self.file(), self.applet(size));
                self.copies = true;
                self.after += &format!("until [ -e {file} ]; do sleep 0.01; done; cat {file}\n");
                let into = format!("{inner} | cksum > {file}.new; mv {file}.new {file}");
                (format!("tee >({into})"), size)
            }
            _ => {
                let (inner, left) = self.program(size);
                (format!("{{ sleep 0.02 & {inner}; }}"), left)
            }
        }
    }

    fn applet(&mut self, size: usize) -> Stage {
        let count = [0, 1, 3, 100, 5000][self.below(5)];
        let (stage, left) = match self.below(18) {
            0 => ("cat".to_owned(), size),
            1 => ("cat -n".to_owned(), size * 2),
            2 => ("cat - /dev/null".to_owned(), size),
            3 => ("cut -c2-".to_owned(), size),
            4 => ("cut -d' ' -f2".to_owned(), size),
            5 => ("cut -b 1-7".to_owned(), size / 2),
            6 => ("tr a-z A-Z".to_owned(), size),
            7 => ("tr -d 1a".to_owned(), size),
            8 => ("tr -s a-z".to_owned(), size / 2),
            9 => ("tr -cd 'a-k\\n'".to_owned(), size),
            10 => (format!("tail -n {}", count.max(1)), size.min(count * 30)),
            11 => (format!("tail -n +{count}"), size),
            12 => (format!("tail -c {}", count.max(1)), size.min(count)),
            13 => ("wc".to_owned(), 30),
            14 => (format!("head -n -{count}"), size),
            15 => (format!("head -c -{count}"), size),
            16 => ("tail -c +3".to_owned(), size),
            _ => ("wc -lc".to_owned(), 30),
        };
        (stage, left)
    }

    fn program(&mut self, size: usize) -> Stage {
        let stage = self.of(&[
            "sort",
            "sort -r",
            "uniq",
            "sed s/1/x/",
            "sed -n p",
            "grep -v 7",
            "grep -c .",
            "awk '{ print NR, $1 }'",
            "awk 'END { print NR }'",
            "gzip -c | gzip -dc",
            "base64 | base64 -d",
            "env cat",
            "/usr/bin/tr a-z n-za-m",
            "tac",
            "nl",
            "fold -w 11",
            "od -An -c",
            "md5sum",
            "cksum",
            "xargs -n 100 echo",
            "bash -c 'cat; echo more'",
            "sh -c 'while read -r l; do :; done; echo read'",
        ]);
        let stage = match stage {
            "od -An -c" | "xargs -n 100 echo" if size > SMALL => "cat",
            stage if stage.starts_with("sh") && size > SMALL * 2 => "cat",
            stage => stage,
        };
        (
            stage.to_owned(),
            if stage.starts_with("od") {
                size * 4
            } else {
                size
            },
        )
    }

    /// A stage that may leave input unread.
    fn ends_early(&mut self, size: usize) -> Stage {
        if self.copies || self.repeats && self.stdin.is_some() {
            // How much the stages before get to copy, or leave to the next time, would be a matter of luck.
            return self.applet(size);
        }
        self.ends_early = true;
        let count = [0, 1, 100, 4097, 65_537][self.below(5)];
        let stage = match self.below(9) {
            0 => format!("head -c {count}"),
            1 => format!("head -n {}", count / 20),
            2 => format!("first {count}"),
            3 => "true".to_owned(),
            4 => "{ read -r a; echo \"$a\"; }".to_owned(),
            5 => format!("dd bs=1 count={} 2> /dev/null", count.min(200)),
            6 => "sed 3q".to_owned(),
            7 => "grep -q 1".to_owned(),
            _ => "awk 'NR == 2 { print; exit }'".to_owned(),
        };
        (stage, size.min(count))
    }

    /// Through a coprocess.
    fn coprocess(&mut self, size: usize) -> String {
        let (filter, _) = self.applet(size);
        let (source, _) = self.stages(size);
        self.ends_early = true;
        format!(
            "coproc P {{ {filter}; }}\nexec 7>&\"${{P[1]}}\" 8<&\"${{P[0]}}\"; eval \"exec ${{P[1]}}>&- ${{P[0]}}<&-\"\n\
             {{ {source}; }} >&7 8<&- & exec 7>&-\ncat <&8 | cksum; wait"
        )
    }

    /// Through a pipe with a name.
    fn fifo(&mut self, size: usize) -> String {
        let fifo = self.file();
        let (source, left) = self.stages(size);
        let (filter, _) = self.filter(left);
        self.ends_early = true;
        self.before += &format!("mkfifo {fifo}\n");
        match self.below(3) {
            0 => format!("{{ {source}; }} > {fifo} & {{ {filter}; }} < {fifo}; wait"),
            1 => format!(
                "{{ {filter}; }} < {fifo} > {fifo}.out & {{ {source}; }} > {fifo}; wait; cksum < {fifo}.out"
            ),
            _ => format!("cat {fifo} | {filter} & {{ {source}; }} > {fifo}; wait"),
        }
    }
}
