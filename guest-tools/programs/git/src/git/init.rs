//! `git init`.

use super::flags::Flags;
use super::objects::write_file;
use super::refs::{is_valid, make_parents};
use super::repository::{Globals, settings};
use super::stop::{Outcome, fatal, file, usage};
use crate::call::bytes;
use crate::options::{Opt, Value};
use crate::output::Output;
use crate::system;

const INIT: &[Opt] = &[
    Opt("q", "quiet", Value::No),
    Opt("b", "initial-branch", Value::Required),
    Opt("", "bare", Value::No),
    Opt("", "template", Value::Required),
    Opt("", "separate-git-dir", Value::Required),
    Opt("", "object-format", Value::Required),
    Opt("", "ref-format", Value::Required),
    Opt("", "shared", Value::Optional),
];

/// `git init`
pub fn init(globals: &Globals, arguments: &[Vec<u8>], out: &mut Output) -> Outcome<i32> {
    let flags = Flags::read(arguments, INIT)?;
    for (key, known) in [
        ("object-format", b"sha1".as_slice()),
        ("ref-format", b"files"),
    ] {
        if flags.value(key).is_some_and(|value| value != known) {
            return Err(usage(format!(
                "option `--{key}' supports nothing but the usual one"
            )));
        }
    }
    if flags.has("separate-git-dir") || flags.has("shared") {
        return Err(usage(
            "options `--separate-git-dir' and `--shared' are not supported",
        ));
    }
    let folder = flags
        .operands
        .first()
        .cloned()
        .unwrap_or_else(|| b".".to_vec());
    make_parents(&bytes!(folder, "/"))?;
    let folder =
        system::canonicalize(&folder).map_err(|failure| file("cannot use", &folder, failure))?;
    let bare = flags.has("bare");
    let git_dir = match (&globals.git_dir, bare) {
        (Some(path), _) => path.clone(),
        (None, true) => folder.clone(),
        (None, false) => system::join(&folder, b".git"),
    };
    let existed = system::stat(&system::join(&git_dir, b"HEAD"), true).is_ok();
    for name in [
        "objects/info",
        "objects/pack",
        "refs/heads",
        "refs/tags",
        "hooks",
        "info",
    ] {
        make_parents(&bytes!(system::join(&git_dir, name.as_bytes()), "/"))?;
    }
    let config = settings(globals, None)?;
    let branch = flags
        .value("b")
        .or_else(|| config.get("init.defaultbranch"))
        .unwrap_or(b"master")
        .to_vec();
    if !is_valid(&branch) {
        return Err(fatal(bytes!("invalid initial branch name: '", branch, "'")));
    }
    if !existed {
        write_file(
            &system::join(&git_dir, b"HEAD"),
            &bytes!("ref: refs/heads/", branch, "\n"),
        )?;
        let text = format!(
            "[core]\n\trepositoryformatversion = 0\n\tfilemode = true\n\tbare = {bare}\n{}",
            if bare {
                ""
            } else {
                "\tlogallrefupdates = true\n"
            }
        );
        write_file(&system::join(&git_dir, b"config"), text.as_bytes())?;
        let description =
            b"Unnamed repository; edit this file 'description' to name the repository.\n";
        write_file(&system::join(&git_dir, b"description"), description)?;
        let exclude = b"# git ls-files --others --exclude-from=.git/info/exclude\n\
                        # Lines that start with '#' are comments.\n";
        write_file(&system::join(&git_dir, b"info/exclude"), exclude)?;
    }
    if !flags.has("q") {
        let what = if existed {
            "Reinitialized existing"
        } else {
            "Initialized empty"
        };
        out.put(bytes!(what, " Git repository in ", git_dir, "/\n"));
    }
    Ok(0)
}
