//! `git var`: what commands would take for an identity or a program.

use super::editor;
use super::repository::Repository;
use super::stop::{Outcome, Stop, usage};
use crate::call::bytes;

/// `git var`
pub fn var(repository: &mut Repository, arguments: &[Vec<u8>]) -> Outcome<i32> {
    let wrong = || Stop {
        status: 129,
        message: b"usage: git var (-l | <variable>)".to_vec(),
    };
    let [name] = arguments else {
        return Err(wrong());
    };
    let variable = |name: &str| {
        let value = std::env::var_os(name)?.into_encoded_bytes();
        (!value.is_empty()).then_some(value)
    };
    let setting = |name: &str| repository.config.get(name).map(<[u8]>::to_vec);
    let value = match name.as_slice() {
        b"-l" => return Err(usage("option `-l' is not supported")),
        b"GIT_AUTHOR_IDENT" => Some(repository.author(None, None)?.line()),
        b"GIT_COMMITTER_IDENT" => Some(repository.committer()?.line()),
        b"GIT_EDITOR" => editor::command(repository),
        b"GIT_SEQUENCE_EDITOR" => variable("GIT_SEQUENCE_EDITOR")
            .or_else(|| setting("sequence.editor"))
            .or_else(|| editor::command(repository)),
        b"GIT_PAGER" => variable("GIT_PAGER")
            .or_else(|| setting("core.pager"))
            .or_else(|| variable("PAGER"))
            .or_else(|| Some(b"cat".to_vec())),
        b"GIT_DEFAULT_BRANCH" => setting("init.defaultbranch").or_else(|| Some(b"master".to_vec())),
        b"GIT_SHELL_PATH" => Some(b"/bin/sh".to_vec()),
        _ => return Err(wrong()),
    };
    match value {
        Some(value) => {
            repository.out.put(bytes!(value, "\n"));
            Ok(0)
        }
        None => Ok(1),
    }
}
