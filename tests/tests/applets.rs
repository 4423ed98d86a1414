//! Every applet against the program of the same name: equal output and status, or the applet has
//! no business being one.

use offshoot::blocking::Sandbox;

/// Arguments that both must treat alike. `@` stands for the command: the applet by its bare name,
/// the program by its path.
const CASES: &[&str] = &[
    "@cat f g",
    "@cat -n f",
    "@cat -b f",
    "@cat -s blank",
    "@cat -E f",
    "@cat -A tabs",
    "@cat -",
    "@cat none f",
    "@cat d",
    "@cat -T tabs",
    "@cat empty",
    "@head f",
    "@head -n 2 f",
    "@head -2 f",
    "@head -n -2 f",
    "@head -c 5 f",
    "@head -c -3 f",
    "@head -n 1 f g",
    "@head -q -n 1 f g",
    "@head -v -n 1 f",
    "@head none",
    "@head -n 0 f",
    "@tail f",
    "@tail -n 2 f",
    "@tail -2 f",
    "@tail -n +2 f",
    "@tail -c 5 f",
    "@tail -c +5 f",
    "@tail -n 1 f g",
    "@tail -q -n 1 f g",
    "@tail none",
    "@wc f",
    "@wc -l f",
    "@wc -w f g",
    "@wc -c f",
    "@wc -m utf8",
    "@wc -L f",
    "@wc -lc f",
    "@wc empty",
    "@wc none",
    "@wc",
    "@wc -l < f",
    "@basename /a/b/c.txt",
    "@basename /a/b/c.txt .txt",
    "@basename -s .txt a.txt b.txt",
    "@basename -a /x/y /z/w",
    "@basename /",
    "@basename //a//",
    "@basename -z a b",
    "@basename",
    "@basename '' x",
    "@basename .txt .txt",
    "@dirname /a/b/c",
    "@dirname a",
    "@dirname /",
    "@dirname a/ b/c/",
    "@dirname -z a/b",
    "@dirname",
    "@dirname //",
    "@dirname a//b",
    "@seq 5",
    "@seq 2 5",
    "@seq 5 -2 -3",
    "@seq 1 0.5 3",
    "@seq -w 8 11",
    "@seq -s, 1 4",
    "@seq -f %03g 1 3",
    "@seq 0",
    "@seq 3 1",
    "@seq 1 0 3",
    "@seq x",
    "@seq",
    "@seq 0.1 0.1 0.5",
    "@seq -w -1 1",
    "@seq 999999 1000001",
    "@seq 1e3 1001",
    "@tr a-z A-Z < f",
    "@tr -d aeiou < f",
    "@tr -s l < f",
    "@tr -c 'a-z\\n' . < f",
    "@tr -cd a-e < f",
    "@tr '[:lower:]' '[:upper:]' < f",
    "@tr 'abc' 'x' < f",
    "@tr '\\n' ' ' < f",
    "@tr a '[b*3]' < f",
    "@tr -t abc x < f",
    "@tr a",
    "@tr -ds a-m n-z < f",
    "@tr '\\141' X < f",
    "@tr z-a x < f",
    "@cut -c 1-3 f",
    "@cut -f 2 tabs",
    "@cut -d ' ' -f 1,3 words",
    "@cut -d, -f2- csv",
    "@cut -b 2 f",
    "@cut -d, -f1 --complement csv",
    "@cut -d, -s -f2 f",
    "@cut -d, -f1,3 --output-delimiter=: csv",
    "@cut -f 0 f",
    "@cut f",
    "@cut -c 3-1 f",
    "@cut -d, -f -2 csv",
    "@cut -z -c1 f",
];

/// The files that the cases read.
const SETUP: &str = r"
    printf 'hello\nworld\nthree\nfour\nfive\nsix\nseven\neight\nnine\nten\neleven\ntwelve\n' > f
    printf 'second\nfile without end' > g
    printf 'a\n\n\n\nb\n' > blank
    printf 'a\tb\tc\nd\te\tf\n\x01\x7f\n' > tabs
    printf 'one two three\nfour five six\n' > words
    printf 'a,b,c\nd,e,f\nplain\n' > csv
    printf 'h\303\244llo \342\202\254\n' > utf8
    : > empty; mkdir d";

#[test]
fn applets_equal_their_programs() {
    let sandbox = Sandbox::builder().build_blocking().unwrap();
    assert_eq!(sandbox.exec(SETUP).unwrap().exit_code, 0);
    let mut different = Vec::new();
    for case in CASES {
        let run = |prefix: &str| {
            let script = case.replacen('@', prefix, 1);
            let result = sandbox.fork().exec(script).unwrap();
            // The program calls itself by the path it was started with.
            let stderr = result.stderr_text().replace("/usr/bin/", "");
            (result.stdout_text().into_owned(), result.exit_code, stderr)
        };
        let (applet, program) = (run(""), run("/usr/bin/"));
        if (&applet.0, applet.1) != (&program.0, program.1) {
            different.push(format!(
                "{case}\n  applet  {applet:?}\n  program {program:?}"
            ));
        }
    }
    assert!(different.is_empty(), "{}", different.join("\n"));
}
