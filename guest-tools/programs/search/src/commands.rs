//! The table of the commands of this family: which function runs a name, which crates do the work, and which options of
//! the original are refused. `commands.txt` and `docs/commands.md` are made from it.

use offshoot_command::family::Command;

/// Every name that this component answers to. Several names share one function, which looks at `Call::name`: `egrep`
/// implies `-E`, `rgrep` implies `-r`, `zgrep` and its relatives decompress first.
pub const COMMANDS: &[Command] = &[
    Command::new("grep", crate::grep::run).on("grep-regex, grep-searcher, fancy-regex"),
    Command::new("egrep", crate::grep::run).on("grep-regex, grep-searcher, fancy-regex"),
    Command::new("fgrep", crate::grep::run).on("grep-regex, grep-searcher, fancy-regex"),
    Command::new("find", crate::find::run),
    Command::new("xargs", crate::xargs::run).without("-o (--open-tty)"),
    #[cfg(feature = "trees")]
    Command::new("rg", crate::rg::run)
        .on("grep-printer, grep-searcher, fancy-regex, ignore")
        .without("-z, --pre; callouts, recursion and conditions of PCRE2 in -P"),
    #[cfg(feature = "trees")]
    Command::new("fd", crate::fd::run)
        .on("ignore, globset")
        .without("--owner"),
    #[cfg(feature = "trees")]
    Command::new("fdfind", crate::fd::run)
        .on("ignore, globset")
        .without("--owner"),
    Command::new("rgrep", crate::grep::run).on("grep-regex, grep-searcher, fancy-regex"),
    Command::new("zgrep", crate::grep::run)
        .on("flate2, grep-regex, grep-searcher, fancy-regex")
        .without("what grep has for files: -r, -R, -d, -D, -z, -Z, --include, --exclude"),
    Command::new("zegrep", crate::grep::run)
        .on("flate2, grep-regex, grep-searcher, fancy-regex")
        .without("what grep has for files: -r, -R, -d, -D, -z, -Z, --include, --exclude"),
    Command::new("zfgrep", crate::grep::run)
        .on("flate2, grep-regex, grep-searcher, fancy-regex")
        .without("what grep has for files: -r, -R, -d, -D, -z, -Z, --include, --exclude"),
    Command::new("bzgrep", crate::grep::run)
        .on("bzip2, grep-regex, grep-searcher, fancy-regex")
        .without("what grep has for files: -r, -R, -d, -D, -z, -Z, --include, --exclude"),
    Command::new("bzegrep", crate::grep::run)
        .on("bzip2, grep-regex, grep-searcher, fancy-regex")
        .without("what grep has for files: -r, -R, -d, -D, -z, -Z, --include, --exclude"),
    Command::new("bzfgrep", crate::grep::run)
        .on("bzip2, grep-regex, grep-searcher, fancy-regex")
        .without("what grep has for files: -r, -R, -d, -D, -z, -Z, --include, --exclude"),
    Command::new("xzgrep", crate::grep::run)
        .on("lzma-rust2, grep-regex, grep-searcher, fancy-regex")
        .without("what grep has for files: -r, -R, -d, -D, -z, -Z, --include, --exclude"),
    Command::new("xzegrep", crate::grep::run)
        .on("lzma-rust2, grep-regex, grep-searcher, fancy-regex")
        .without("what grep has for files: -r, -R, -d, -D, -z, -Z, --include, --exclude"),
    Command::new("xzfgrep", crate::grep::run)
        .on("lzma-rust2, grep-regex, grep-searcher, fancy-regex")
        .without("what grep has for files: -r, -R, -d, -D, -z, -Z, --include, --exclude"),
    Command::new("zstdgrep", crate::grep::run)
        .on("ruzstd, grep-regex, grep-searcher, fancy-regex")
        .without("what grep has for files: -r, -R, -d, -D, -z, -Z, --include, --exclude"),
];
