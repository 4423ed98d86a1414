//! Scripts made at random from a grammar of bounded ones.

use super::random::Random;

const PLAIN: &[&str] = &[
    "a", "b", "foo", "bar", "1", "2", "10", "x=y", "-n", "-e", "a b", "é", "*", "?", "[ab]", "~",
    "a:b", "", "\\", "@", "#", "!", "%s", "a*b", "aXbXc", "0x1F", "-1", "08", "=", "+", "a/b/c",
];
const QUOTED: &[&str] = &[
    "'q q'",
    "'*'",
    "\"d d\"",
    "$'t\\tb'",
    "\\*",
    "\\ ",
    "''",
    "\"\"",
    "'a'\\''b'",
    "\"\\$x\"",
    "\"*\"",
    "$'\\x41\\u00e9'",
    "'~'",
    "\"a'b\"",
];
const NAMES: &[&str] = &["x", "y", "z", "n", "a", "m", "u"];
const PATTERNS: &[&str] = &[
    "a",
    "*",
    "?",
    "*o",
    "f*",
    "[a-c]",
    "[!a]",
    "?*",
    "b*r",
    "\\*",
    "\"*\"",
    "$x",
    "*X",
    "X*",
    "[[:alpha:]]",
    "é",
    "/dev/nul*",
    "*/",
];
const OPERATORS: &[&str] = &[
    "+", "-", "*", "/", "%", "<<", ">>", "&", "|", "^", "&&", "||", "<", ">", "==", "!=", ",",
];

/// A grammar under way: what may still be nested.
pub struct Grammar {
    random: Random,
    depth: usize,
    counters: usize,
    /// `f` may be called: not in its own body.
    calls: bool,
    /// `set -x` is on: both sides of a pipe print, in an order that is bash's chance.
    traced: bool,
    /// A trap on EXIT is set: bash runs it in a stage of a pipeline that an expansion ends by an error.
    trapped: bool,
    /// The subject of `case` is made, in which bash keeps a mark of an empty result between quotes.
    subject: bool,
    /// Substitutions around what is made. bash writes what stands in one anew before it runs it, and
    /// breaks the quotes in the elements of an array.
    substitutions: usize,
    /// `set -e` is on: bash complains of its own variables where that ends an `eval` in a function.
    errexit: bool,
    /// POSIX mode is on: bash remembers that a special builtin failed until the next simple command, and
    /// ends the shell for it when the `eval` around it ends.
    posix: bool,
    /// Commands for `eval`: after a malformed `[[` in one, bash knows no other `[[` in the next.
    evaluated: bool,
    /// IFS is empty: bash lets a mark of its own stand in the elements of `${a[@]#…}` and its kin, and
    /// splits `${!a[*]}` at its blanks where a list stands beside it.
    joined: bool,
}

impl Grammar {
    /// A grammar that chooses by `random`.
    pub fn new(random: Random) -> Grammar {
        Grammar {
            random,
            depth: 0,
            counters: 0,
            calls: false,
            traced: false,
            trapped: false,
            subject: false,
            substitutions: 0,
            errexit: false,
            posix: false,
            evaluated: false,
            joined: false,
        }
    }

    /// A script, a command a line; any of them can be left out.
    pub fn script(&mut self) -> Vec<String> {
        let mut lines = vec![
            "x='a b' y=foo n=5 u=; a=(1 'two words' foo [5]=bar); declare -A m=([k]=v [a b]='c d')"
                .to_owned(),
        ];
        if self.random.chance(4) {
            let options = [
                "set -u",
                "set -e",
                "set -f",
                "shopt -s nullglob",
                "shopt -s extglob",
                "shopt -s nocasematch",
                "set -o pipefail",
                "IFS=:",
                "IFS=",
                "unset IFS",
                "set -o posix",
                "set -x",
                "shopt -s lastpipe",
                "set -E",
                "set -T",
            ];
            let option = self.random.pick(&options);
            self.traced = option == "set -x";
            self.errexit = option == "set -e";
            self.posix = option == "set -o posix";
            self.joined = option == "IFS=";
            lines.push(option.to_owned());
        }
        if self.random.chance(4) {
            let events = ["EXIT", "ERR", "DEBUG", "RETURN"];
            let event = self.random.pick(&events);
            self.trapped = event == "EXIT";
            lines.push(format!("trap 'echo \"{event} $?\"' {event}"));
        }
        for _ in 0..=self.random.below(2) {
            let body = self.list();
            lines.push(format!("f() {{ {body} }}"));
        }
        self.calls = true;
        lines.push("set -- p1 'p 2' p3".to_owned());
        for _ in 0..2 + self.random.below(5) {
            let line = self.command();
            lines.push(line);
        }
        lines
    }

    fn nested<T>(&mut self, make: impl FnOnce(&mut Grammar) -> T, otherwise: T) -> T {
        if self.depth >= 4 {
            return otherwise;
        }
        self.depth += 1;
        let made = make(self);
        self.depth -= 1;
        made
    }

    /// Commands, each with its `;`.
    fn list(&mut self) -> String {
        let mut text = String::new();
        for _ in 0..=self.random.below(2) {
            let command = self.command();
            text.push_str(&command);
            // A here-document or `&` ends its command itself.
            text.push_str(if command.ends_with('\n') { "" } else { "; " });
        }
        text
    }

    fn command(&mut self) -> String {
        match self.random.below(16) {
            0..=6 => self.simple(),
            7 => {
                let left = self.inline();
                let right = self.simple();
                let join = self.random.pick(&["&&", "||"]);
                format!("{left} {join} {right}")
            }
            8 => format!("! {}", self.simple()),
            9 if !self.traced && !self.trapped => {
                let left = self.inline();
                format!("{left} | while read -r p q; do echo \"<$p|$q>\"; done")
            }
            10 => {
                let body = self.nested(Grammar::list, ":;".into());
                match self.random.below(3) {
                    0 => format!("{{ {body} }}{}", self.redirects()),
                    1 => format!("( {body} )"),
                    _ => format!("{{ {body} }}"),
                }
            }
            11 => {
                let condition = self.condition();
                let body = self.nested(Grammar::list, ":;".into());
                let other = self.nested(Grammar::list, ":;".into());
                match self.random.below(3) {
                    0 => format!("if {condition}; then {body} fi"),
                    1 => format!("if {condition}; then {body} else {other} fi"),
                    _ => {
                        let second = self.condition();
                        format!("if {condition}; then {body} elif {second}; then {other} fi")
                    }
                }
            }
            12 => self.repetition(),
            13 => {
                let around = std::mem::replace(&mut self.subject, true);
                let word = self.word();
                self.subject = around;
                let mut text = format!("case {word} in ");
                for _ in 0..=self.random.below(2) {
                    let pattern = self.random.pick(PATTERNS);
                    let body = self.nested(Grammar::list, ":;".into());
                    let end = self.random.pick(&[";;", ";;", ";&", ";;&"]);
                    text.push_str(&format!("{pattern}) {body} {end} "));
                }
                text + "esac"
            }
            14 if self.calls || !self.errexit => {
                let outer = std::mem::replace(&mut self.evaluated, true);
                let body = self.nested(Grammar::list, ":;".into());
                self.evaluated = outer;
                format!("eval {}", single(&body))
            }
            _ if self.calls => format!("f {}; echo \"f: $?\"", self.words()),
            _ => self.simple(),
        }
    }

    /// A command that another one follows on its line. After a here-document that would be a line of
    /// its own.
    fn inline(&mut self) -> String {
        match self.simple() {
            document if document.ends_with('\n') => "echo a b".to_owned(),
            command => command,
        }
    }

    fn repetition(&mut self) -> String {
        let body = self.nested(Grammar::list, ":;".into());
        let leave = match self.random.below(4) {
            0 => "break; ",
            1 => "continue; ",
            _ => "",
        };
        self.counters += 1;
        let counter = format!("c{}", self.counters);
        match self.random.below(4) {
            0 => {
                let words = self.words();
                let name = self.random.pick(NAMES);
                format!("for {name} in {words}; do {body} {leave}done")
            }
            1 => format!("for (({counter}=0; {counter}<3; {counter}++)); do {body} {leave}done"),
            2 => format!("for v; do {body} {leave}done"),
            _ => format!("{counter}=0; while (({counter}++ < 2)); do {body} {leave}done"),
        }
    }

    fn condition(&mut self) -> String {
        let (mut left, mut right) = (self.word(), self.word());
        // Behind a malformed `[[` in a substitution or `eval`, bash reads on at a wrong place.
        if self.evaluated || self.substitutions > 0 {
            left.insert(0, 'x');
            right.insert(0, 'x');
        }
        match self.random.below(8) {
            0 => format!("[[ {left} == {} ]]", self.random.pick(PATTERNS)),
            1 => {
                let mut test = self.random.pick(&["-z", "-n", "-v", "-e", "-d"]);
                // In its operand, bash knows no classes.
                if test == "-v" && left.contains("[:") {
                    test = "-n";
                }
                format!("[[ {test} {left} ]]")
            }
            2 => {
                let test = self.random.pick(&["=", "!=", "\\<", "-eq", "-lt"]);
                format!("[ {left} {test} {right} ]")
            }
            3 => format!("(( {} ))", self.expression()),
            4 => format!("test {left}"),
            5 => {
                let regex = self
                    .random
                    .pick(&["^a", "o+", "(a)(.)", "[0-9]+$", "$x", "\"o\""]);
                format!("[[ {left} =~ {regex} ]]")
            }
            6 => format!("[[ ! {left} < {right} && -n {right} ]]"),
            _ => self.random.pick(&["true", "false", ":"]).to_owned(),
        }
    }

    fn expression(&mut self) -> String {
        if self.random.chance(2) {
            return self
                .random
                .pick(&[
                    "1", "n", "x1", "7", "n++", "--n", "-3", "a[0]", "$n", "~n", "010", "!n",
                ])
                .to_owned();
        }
        let left = self.nested(Grammar::expression, "2".into());
        let right = self.nested(Grammar::expression, "3".into());
        let operator = self.random.pick(OPERATORS);
        match self.random.below(5) {
            0 => format!("({left} {operator} {right})"),
            1 => format!("{left} ? {right} : 4"),
            2 => format!("(y{} = {left})", self.random.below(3)),
            _ => format!("{left} {operator} {right}"),
        }
    }

    fn simple(&mut self) -> String {
        let words = self.words();
        let word = self.word();
        let name = self.random.pick(NAMES);
        let text = match self.random.below(24) {
            0..=4 => format!("echo {words}"),
            5..=7 => format!("printf '<%s>' {words}"),
            8 => format!("{name}={word}"),
            9 => format!("{name}+={word}"),
            10 if self.substitutions == 0 => format!("a=({words})"),
            11 => format!("a[{}]={word}", self.expression()),
            12 => format!("m[{}]={word}", self.random.pick(&["k", "a b", "$x", "new"])),
            13 => format!("set -- {words}"),
            14 => self.condition(),
            15 => {
                let option = self
                    .random
                    .pick(&["", "-i ", "-u ", "-l ", "-a ", "-x ", "-r "]);
                // Where nothing separates, bash joins `$*` in a substitution so or so.
                let joins = self.joined && self.substitutions > 0 && option == "-i ";
                let option = if joins { "" } else { option };
                format!("declare {option}v{}={word}", self.random.below(9))
            }
            16 => format!("read {name} y <<< {word}"),
            17 => format!("local {name}={word}"),
            18 => format!(
                "unset {}",
                self.random.pick(&["x", "a", "'a[1]'", "m", "'m[k]'", "n"])
            ),
            19 => format!("{name}={word} echo \"$x\" {word}"),
            20 => {
                let inner = self.random.pick(&[
                    "return 3",
                    "shift",
                    "shift 5",
                    "let n+=2",
                    "true",
                    "false",
                    "nosuch a",
                    "declare -p x n a m",
                    "echo $((n))",
                    "trap - EXIT",
                    "exit 4",
                    "export y",
                    "declare -p y",
                    "printf -v z '%05d' 42; echo $z",
                    "echo \"${FUNCNAME[@]}\"",
                    "readonly x",
                    "set +e",
                    "break",
                    "getopts ab: o -a -b c; echo $o $OPTARG",
                    "type f",
                    "declare -f f",
                    "mapfile -t a <<< \"$x\"",
                    "cd /nosuch",
                    "wait",
                    "[ a",
                    "umask",
                    "hash",
                    "shopt -u extglob",
                    "echo $_",
                    "echo ${PIPESTATUS[@]}",
                    "local",
                    "printf '%d %x' 3z 0x1g",
                    "printf '%q %b' \"$x\" 'a\\tb'",
                    "let",
                    "((1/0))",
                    "echo ${x!}",
                    "echo ${u?message}",
                    "${nothing}",
                    "command -v echo",
                    "builtin echo b",
                    "alias q=w",
                    "unalias nosuch",
                    "echo {1..3}{a,b}",
                ]);
                let fails = inner == "return 3" && self.posix && self.evaluated;
                if fails { "false" } else { inner }.to_owned()
            }
            // bash loses count of parentheses within the braces of a here-document, and what separates
            // empty elements where one has `[*]` and `[@]`.
            21 if !["\n", "$(", "[*]", "${*"]
                .iter()
                .any(|part| word.contains(part)) =>
            {
                let reader = "cat() { while read -r l; do echo \"[$l]\"; done; }";
                format!("{reader}; cat <<E\n{word}\nE\n")
            }
            _ => format!("echo \"$?\" {word}"),
        };
        if text.ends_with('\n') || self.random.below(6) > 0 {
            return text;
        }
        format!("{text}{}", self.redirects())
    }

    fn redirects(&mut self) -> String {
        self.random
            .pick(&[
                " > f1",
                " >> f1",
                " < f1",
                " 2>&1",
                " >&2",
                " 2> f2",
                " < nosuch",
                " > /nosuch/f",
                " <<< \"$x\"",
                " 3>&1",
                " >&3",
                " &> f3",
                " > \"$x\"",
                " 2>/dev/null",
                " 3<&-",
                " > $x",
            ])
            .to_owned()
    }

    fn words(&mut self) -> String {
        let count = self.random.below(4);
        let words: Vec<String> = (0..count).map(|_| self.word()).collect();
        words.join(" ")
    }

    fn word(&mut self) -> String {
        let mut text = String::new();
        for _ in 0..=self.random.below(2) {
            let part = self.part();
            // The directories that `~+` and `~-` name differ.
            if text.ends_with('~') && part.starts_with(['+', '-']) {
                continue;
            }
            text.push_str(&part);
        }
        text
    }

    fn part(&mut self) -> String {
        match self.random.below(12) {
            0..=2 => plain(self.random.pick(PLAIN)),
            3..=4 => self.random.pick(QUOTED).to_owned(),
            5..=6 => self.parameter(),
            7..=8 => format!("\"{}\"", self.parameter()),
            9 => {
                self.substitutions += 1;
                let inner = self.nested(Grammar::simple, "echo s".into());
                self.substitutions -= 1;
                // A blank that is quoted is no end.
                let inner = match inner.trim_end() {
                    trimmed if trimmed.ends_with('\\') => inner.as_str(),
                    trimmed => trimmed,
                };
                // The delimiter of a here-document stands alone.
                let end = if inner.contains('\n') { "\n" } else { "" };
                match self.random.below(3) {
                    0 if !inner.contains(['`', '\\', '"', '\n']) => format!("`{inner}`"),
                    1 => format!("\"$({inner}{end})\""),
                    _ => format!("$({inner}{end})"),
                }
            }
            10 => format!("$(({}))", self.expression()),
            _ => self
                .random
                .pick(&["{a,b}", "{1..3}", "x{,y}z", "{a..c..2}", "{1..2}{x,y}"])
                .to_owned(),
        }
    }

    fn parameter(&mut self) -> String {
        let mut name = self.random.pick(&[
            "x", "y", "n", "u", "nope", "a", "a[@]", "a[*]", "a[1]", "a[-1]", "m[k]", "m[@]", "@",
            "*", "1", "2", "9", "n", "x",
        ]);
        if self.subject && name.contains(['@', '*']) {
            name = "y";
        }
        // Only some operators are known after these.
        if self.random.chance(12) {
            let special = ["$#", "$?", "${#}", "${?}", "${-}", "${#@}"];
            return self.random.pick(&special).to_owned();
        }
        let word = self.nested(Grammar::word, "w".into());
        let pattern = self.random.pick(PATTERNS);
        match self.random.below(20) {
            4..=6 | 8..=10 if self.subject => format!("${{{name}}}"),
            5 | 6 | 9 | 10 if self.joined && name.ends_with(['@', ']']) => format!("${{{name}}}"),
            // bash joins `${*@A}` in an assignment's substitution.
            10 if self.joined && self.substitutions > 0 && name == "*" => "${*}".to_owned(),
            11 if self.joined && name.ends_with("[*]") => format!("${{{name}}}"),
            0..=3 => format!("${{{name}}}"),
            4 => {
                let operator = self.random.pick(&["-", ":-", "+", ":+", "=", ":="]);
                format!("${{{name}{operator}{word}}}")
            }
            5 => {
                let operator = self.random.pick(&["#", "##", "%", "%%"]);
                format!("${{{name}{operator}{pattern}}}")
            }
            6 => {
                let operator = self.random.pick(&["/", "//", "/#", "/%"]);
                let pattern = if pattern.contains('/') { "o" } else { pattern };
                // Of an empty item of a list, bash leaves a mark of its own.
                let lists = ["[@]", "[*]", "$@", "$*", "{@", "{*"];
                let lists = lists.iter().any(|list| word.contains(list));
                let word = if lists { "w" } else { word.as_str() };
                format!("${{{name}{operator}{pattern}/{word}}}")
            }
            7 => format!("${{#{name}}}"),
            8 => {
                let (offset, length) = (self.random.below(5), self.random.below(4));
                match self.random.below(3) {
                    0 => format!("${{{name}:{offset}}}"),
                    1 => format!("${{{name}: -{offset}:{length}}}"),
                    _ => format!("${{{name}:{offset}:{length}}}"),
                }
            }
            9 => format!(
                "${{{name}{}}}",
                self.random.pick(&["^", "^^", ",", ",,", "~~", "^^[a-m]"])
            ),
            10 => format!(
                "${{{name}@{}}}",
                self.random.pick(&["Q", "U", "L", "u", "A", "a", "E", "K"])
            ),
            11 => format!("${{!{name}}}"),
            12 => "${!x*}".to_owned(),
            13 => "$x".to_owned(),
            14 if !self.subject => "$@".to_owned(),
            15 if !self.subject => "$*".to_owned(),
            16 if !self.subject => "${a[@]}".to_owned(),
            _ => format!("${{{name}}}"),
        }
    }
}

/// A text as a word: what would end the word or the script is quoted.
fn plain(text: &str) -> String {
    let mut quoted = String::new();
    for letter in text.chars() {
        if " #&|;()<>\\\"'`$".contains(letter) {
            quoted.push('\\');
        }
        quoted.push(letter);
    }
    quoted
}

fn single(text: &str) -> String {
    format!("'{}'", text.replace('\'', "'\\''"))
}
