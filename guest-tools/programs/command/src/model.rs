//! Which tool a command behaves as, for `--version`: scripts look for `GNU` there before they use
//! GNU's options.

/// Commands and the tool of Debian 12 that they were compared with.
const MODELS: &[(&str, &[&str])] = &[
    ("GNU Awk 5.2.1", &["awk", "gawk"]),
    ("GNU Binutils 2.40", &["ar", "ranlib"]),
    ("GNU cpio 2.13", &["cpio"]),
    ("GNU datamash 1.7", &["datamash"]),
    ("GNU ed 1.19", &["ed", "red"]),
    ("GNU diffutils 3.8", &["cmp", "diff", "diff3", "sdiff"]),
    ("GNU findutils 4.9.0", &["find", "xargs"]),
    ("GNU grep 3.8", &["egrep", "fgrep", "grep", "rgrep"]),
    ("GNU Make 4.3", &["gmake", "make"]),
    ("GNU patch 2.7.6", &["patch"]),
    ("GNU sed 4.9", &["sed"]),
    ("GNU tar 1.34", &["tar"]),
    ("bc 1.07.1", &["bc", "dc"]),
    (
        "gzip 1.12",
        &[
            "gunzip",
            "gzip",
            "uncompress",
            "zcat",
            "zcmp",
            "zdiff",
            "zgrep",
        ],
    ),
    (
        "procps-ng 4.0.2",
        &["free", "pgrep", "pkill", "ps", "top", "uptime", "watch"],
    ),
    ("XZ Utils 5.4.1", &["lzma", "unlzma", "unxz", "xz", "xzcat"]),
];

/// The commands of GNU's coreutils.
const COREUTILS: &[&str] = &[
    "[",
    "arch",
    "b2sum",
    "base32",
    "base64",
    "basename",
    "basenc",
    "cat",
    "chgrp",
    "chmod",
    "chown",
    "cksum",
    "comm",
    "cp",
    "csplit",
    "cut",
    "date",
    "dd",
    "df",
    "dir",
    "dircolors",
    "dirname",
    "du",
    "echo",
    "env",
    "expand",
    "expr",
    "factor",
    "false",
    "fmt",
    "fold",
    "groups",
    "head",
    "hostid",
    "id",
    "install",
    "join",
    "link",
    "ln",
    "logname",
    "ls",
    "md5sum",
    "mkdir",
    "mkfifo",
    "mknod",
    "mktemp",
    "mv",
    "nice",
    "nl",
    "nohup",
    "nproc",
    "numfmt",
    "od",
    "paste",
    "pathchk",
    "pr",
    "printenv",
    "printf",
    "ptx",
    "pwd",
    "readlink",
    "realpath",
    "rm",
    "rmdir",
    "seq",
    "sha1sum",
    "sha224sum",
    "sha256sum",
    "sha384sum",
    "sha512sum",
    "shred",
    "shuf",
    "sleep",
    "sort",
    "split",
    "stat",
    "stdbuf",
    "stty",
    "sum",
    "sync",
    "tac",
    "tail",
    "tee",
    "test",
    "timeout",
    "touch",
    "tr",
    "true",
    "truncate",
    "tsort",
    "tty",
    "uname",
    "unexpand",
    "uniq",
    "unlink",
    "users",
    "vdir",
    "wc",
    "who",
    "whoami",
    "yes",
];

/// What `--version` prints of a command.
///
/// ```text
/// sed (offshoot) 0.1.0, after GNU sed 4.9
/// ls (offshoot coreutils) 0.1.0, after GNU coreutils 9.1
/// ```
pub fn version(name: &str) -> String {
    let own = env!("CARGO_PKG_VERSION");
    if COREUTILS.contains(&name) {
        return format!("{name} (offshoot coreutils) {own}, after GNU coreutils 9.1\n");
    }
    let model = MODELS.iter().find(|(_, names)| names.contains(&name));
    match model {
        Some((model, _)) => format!("{name} (offshoot) {own}, after {model}\n"),
        None => format!("{name} (offshoot) {own}\n"),
    }
}

/// The commands whose model is known.
pub fn names() -> impl Iterator<Item = &'static str> {
    let models = MODELS.iter().flat_map(|(_, names)| names.iter());
    models.chain(COREUTILS).copied()
}
