//! The editor in which the user writes messages.

use super::commit::clean;
use super::config::Config;
use super::objects::write_file;
use super::repository::Repository;
use super::stop::{Outcome, Stop, error};
use crate::call::bytes;
use crate::system;

/// The command that edits messages, where one is set.
pub fn command(repository: &Repository) -> Option<Vec<u8>> {
    command_of(&repository.config)
}

/// The same by settings alone.
pub fn command_of(config: &Config) -> Option<Vec<u8>> {
    let variable = |name: &str| {
        let value = std::env::var_os(name)?.into_encoded_bytes();
        (!value.is_empty()).then_some(value)
    };
    variable("GIT_EDITOR")
        .or_else(|| config.get("core.editor").map(<[u8]>::to_vec))
        .or_else(|| variable("VISUAL"))
        .or_else(|| variable("EDITOR"))
}

/// Lets the user's editor work on the message.
pub fn edit(repository: &mut Repository, text: &[u8]) -> Outcome<Vec<u8>> {
    let path = repository.own("COMMIT_EDITMSG");
    let hint = "\n# Please enter the commit message for your changes. Lines starting\n\
                # with '#' will be ignored, and an empty message aborts the commit.\n";
    write_file(&path, &bytes!(text, hint))?;
    if command(repository).is_none() {
        return Err(error(
            "Terminal is dumb, but EDITOR unset\n\
             Please supply the message using either -m or -F option.",
        ));
    }
    launch(repository, &path).map_err(|stop| {
        let hint = "\nPlease supply the message using either -m or -F option.";
        Stop {
            message: bytes!(stop.message, hint),
            ..stop
        }
    })?;
    let text = system::read_whole(&path).unwrap_or_default();
    Ok(clean(&text, true))
}

/// Runs the user's editor on a file.
pub fn launch(repository: &mut Repository, path: &[u8]) -> Outcome {
    let Some(editor) = command(repository) else {
        return Err(error("Terminal is dumb, but EDITOR unset"));
    };
    if editor == b":" {
        return Ok(());
    }
    if run(repository, &editor, path) {
        return Ok(());
    }
    Err(error(bytes!(
        "there was a problem with the editor '",
        editor,
        "'"
    )))
}

/// Runs an editor, which may have arguments, on a file; whether it ended well.
pub fn run(repository: &mut Repository, editor: &[u8], path: &[u8]) -> bool {
    repository.out.flush();
    run_alone(editor, path)
}

/// The same, where nothing was printed.
pub fn run_alone(editor: &[u8], path: &[u8]) -> bool {
    let arguments = [
        b"sh".to_vec(),
        b"-c".to_vec(),
        bytes!(editor, " \"$@\""),
        editor.to_vec(),
        path.to_vec(),
    ];
    let started = system::spawn(&system::Spawn {
        path: b"/bin/sh",
        arguments: &arguments,
        environment: &system::environment(),
        directory: None,
        streams: system::Streams::default(),
    });
    started
        .and_then(system::wait)
        .is_ok_and(|exit| exit.status() == 0)
}
