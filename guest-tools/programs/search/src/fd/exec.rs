//! Commands that are run for the results: `-x`, `-X` and `-l`.
//!
//! They run after the walk has ended and its results were sorted, one after the other, so that output never mixes. The
//! original runs those of `-x` in parallel and in no certain order.

use std::path::Path;

use crate::call::Call;
use crate::launch;
use crate::system;

/// A command of `-x` or `-X`, with placeholders still in it.
pub struct Action {
    /// The command's words; never empty.
    arguments: Vec<Vec<u8>>,
    /// One run for many results (`-X`) instead of one for each (`-x`).
    batch: bool,
}

/// Takes `-x` and `-X` with their commands out of the arguments, before options are parsed, since a command's own words
/// look like options. A command ends at a word `;` or with the arguments; nothing after `--` is one. Gives the call
/// without them.
///
/// ```text
/// fd -e c -x cc -c {} ; src   ->  call: fd -e c src     action: cc -c {}
/// ```
///
/// # Errors
/// Status 2 after a message where the option has no command.
pub fn actions(call: &Call) -> Result<(Call, Vec<Action>), i32> {
    let mut rest = Vec::new();
    let mut actions = Vec::new();
    let mut words = call.arguments.iter();
    while let Some(word) = words.next() {
        let batch = match word.as_slice() {
            b"-x" | b"--exec" => false,
            b"-X" | b"--exec-batch" => true,
            b"--" => {
                rest.push(word.clone());
                rest.extend(words.by_ref().cloned());
                break;
            }
            _ => {
                rest.push(word.clone());
                continue;
            }
        };
        let arguments: Vec<Vec<u8>> = words
            .by_ref()
            .take_while(|word| *word != b";")
            .cloned()
            .collect();
        if arguments.is_empty() {
            let long = if batch { "--exec-batch" } else { "--exec" };
            let what = "<cmd>...' requires a value but none was supplied";
            return Err(super::misused(format!("The argument '{long} {what}")));
        }
        actions.push(Action { arguments, batch });
    }
    let call = Call {
        name: call.name.clone(),
        arguments: rest,
    };
    Ok((call, actions))
}

/// The action of `-l`: one `ls -l` for all results.
pub fn list(color: bool) -> Action {
    let when = if color {
        "--color=always"
    } else {
        "--color=never"
    };
    let words = ["ls", "-l", "--human-readable", "--directory", when];
    Action {
        arguments: words.iter().map(|word| word.as_bytes().to_vec()).collect(),
        batch: true,
    }
}

/// Runs the actions for the results: first each `-x` for every path, then each `-X` for chunks of `size` paths.
/// Commands start in `directory`, which paths are relative to. The status is 1 where any of them failed.
pub fn perform(
    call: &Call,
    actions: &[Action],
    paths: &[Vec<u8>],
    size: usize,
    directory: Option<&[u8]>,
) -> i32 {
    let mut status = 0;
    for path in paths {
        for action in actions.iter().filter(|action| !action.batch) {
            let words = expand(&action.arguments, std::slice::from_ref(path));
            status |= execute(call, &words, directory);
        }
    }
    for action in actions.iter().filter(|action| action.batch) {
        for paths in paths.chunks(size) {
            status |= execute(call, &expand(&action.arguments, paths), directory);
        }
    }
    status
}

/// Runs one command: 0 where it succeeds, else 1.
fn execute(call: &Call, words: &[Vec<u8>], directory: Option<&[u8]>) -> i32 {
    let environment = system::environment();
    let name = words.first().map(Vec::as_slice).unwrap_or_default();
    if system::find_program(name, &system::search_path()) == Err(system::NO_ENTRY) {
        let name = String::from_utf8_lossy(name);
        return super::error(format!("Command not found: {name}"));
    }
    let started = launch::start(call, words, &environment, directory);
    let status = started.map(|pid| system::wait(pid).map_or(1, system::Exit::status));
    i32::from(status != Ok(0))
}

/// The command with its placeholders replaced; without a placeholder the paths come last. A word with a placeholder is
/// repeated for each of `paths`, with the rest of the word around each.
///
/// ```text
/// cc -o {.}.o {}   with a/b.c        ->  cc -o a/b.o a/b.c
/// ls               with x y          ->  ls x y
/// tar {}.old       with x y          ->  tar x.old y.old
/// ```
fn expand(arguments: &[Vec<u8>], paths: &[Vec<u8>]) -> Vec<Vec<u8>> {
    const MARKS: [&[u8]; 5] = [b"{//}", b"{/.}", b"{.}", b"{/}", b"{}"];
    let mut out = Vec::new();
    let mut some = false;
    for argument in arguments {
        if !MARKS
            .iter()
            .any(|mark| memchr::memmem::find(argument, mark).is_some())
        {
            out.push(argument.clone());
            continue;
        }
        some = true;
        for path in paths {
            let mut text = Vec::new();
            let mut rest = argument.as_slice();
            while !rest.is_empty() {
                match MARKS.iter().find(|mark| rest.starts_with(mark)) {
                    Some(mark) => {
                        text.extend_from_slice(&part(path, mark));
                        rest = &rest[mark.len()..];
                    }
                    None => {
                        text.push(rest[0]);
                        rest = &rest[1..];
                    }
                }
            }
            out.push(text);
        }
    }
    if !some {
        out.extend(paths.iter().cloned());
    }
    out
}

/// The part of a path that a placeholder stands for. Of `./dir/name.tar.gz`:
///
/// ```text
/// {}    ./dir/name.tar.gz      {.}    dir/name.tar
/// {/}   name.tar.gz            {/.}   name.tar
/// {//}  ./dir                  (of a bare name: `.`)
/// ```
fn part(path: &[u8], mark: &[u8]) -> Vec<u8> {
    let text = String::from_utf8_lossy(path).into_owned();
    let path = Path::new(&text);
    let name = path.file_name().unwrap_or_default();
    let found = match mark {
        b"{}" => return text.into_bytes(),
        b"{/}" => name.to_os_string(),
        b"{//}" => match path.parent() {
            Some(parent) if parent.as_os_str().is_empty() => ".".into(),
            Some(parent) => parent.as_os_str().to_os_string(),
            None => "/".into(),
        },
        b"{.}" => {
            let path = path.strip_prefix("./").unwrap_or(path);
            path.with_extension("").into_os_string()
        }
        _ => Path::new(name).with_extension("").into_os_string(),
    };
    found.into_encoded_bytes()
}
