//! What the contract of backends has no operation for.

use futures::{StreamExt as _, TryStreamExt as _};
use offshoot::backend::{
    Code, Environment, Error, Exec, FileKind, FileStat, RemoveOptions, Result, path,
};

/// How many facts are asked for at once.
const AT_ONCE: usize = 8;

/// Renames in POSIX sh, with tools that GNU, BSD and BusyBox share. The statuses are those of the errors below.
const RENAME: &str = r#"
[ -e "$1" ] || [ -h "$1" ] || exit 64
if [ -d "$1" ] && [ ! -h "$1" ]; then
  if [ -d "$2" ] && [ ! -h "$2" ]; then
    rmdir -- "$2" 2>/dev/null || exit 65
  elif [ -e "$2" ] || [ -h "$2" ]; then
    exit 65
  fi
elif [ -d "$2" ]; then
  [ -h "$2" ] || exit 65
  rm -f -- "$2" || exit 1
fi
exec mv -f -- "$1" "$2"
"#;
const MISSING: u8 = 64;
const IN_THE_WAY: u8 = 65;

/// The names in a directory with facts.
pub(crate) async fn list(
    environment: &dyn Environment,
    directory: &str,
) -> Result<Vec<(String, FileStat)>> {
    let names = environment.readdir(directory).await?;
    let told = futures::stream::iter(names).map(|name| async move {
        let path = format!("{}/{name}", directory.trim_end_matches('/'));
        let link = || FileStat::new(FileKind::Symlink, 0);
        match environment.stat(&path).await {
            Ok(stat) if stat.is_symlink == Some(true) => Ok(Some((name, link()))),
            Ok(stat) => Ok(Some((name, stat))),
            Err(error) => match error.code() {
                Code::NotFound => Ok(None),
                // Only a link leads out of the directory that it lies in.
                Code::PathEscape => Ok(Some((name, link()))),
                _ => Err(error.during("readdir")),
            },
        }
    });
    let told = told.buffered(AT_ONCE).try_filter_map(async |told| Ok(told));
    told.try_collect().await
}

/// Renames a path.
pub(crate) async fn rename(
    environment: &dyn Environment,
    source: &str,
    target: &str,
) -> Result<()> {
    let error = |code, message: String| {
        Error::new(code, "rename", message).on(environment.backend().to_owned())
    };
    let root = environment.root();
    let (from, to) = (
        environment.resolve_path(source),
        environment.resolve_path(target),
    );
    for (path, resolved) in [(source, &from), (target, &to)] {
        if path::escapes(environment.cwd(), path) || !path::is_within(root, resolved) {
            return Err(error(
                Code::PathEscape,
                format!("{path}: the path leads out of {root}"),
            ));
        }
        if resolved == root {
            return Err(error(Code::Conflict, format!("{path}: the root stays")));
        }
    }
    if from == to {
        let there = environment.stat(&from).await;
        return there.map(drop).map_err(|error| error.during("rename"));
    }
    if path::is_within(&from, &to) {
        let message = format!("{target}: lies below {source}");
        return Err(error(Code::Conflict, message));
    }
    // Links on the way are judged by the backend.
    for path in [&from, &to] {
        let parent = path.rsplit_once('/').map_or("", |(parent, _)| parent);
        let parent = if parent.is_empty() { "/" } else { parent };
        let stat = environment.stat(parent).await;
        let stat = stat.map_err(|error| error.during("rename"))?;
        if stat.kind != FileKind::Directory {
            let message = format!("{parent}: not a directory");
            return Err(error(Code::Conflict, message).with_errno("ENOTDIR"));
        }
    }
    if !environment.capabilities().exec {
        return copied(environment, &from, &to).await;
    }
    let exec = Exec::new(RENAME)
        .name("rename")
        .arguments([from.as_str(), to.as_str()]);
    let result = environment.exec(exec).await;
    let result = result.map_err(|error| error.during("rename"))?;
    match result.exit_code {
        0 => Ok(()),
        MISSING => Err(error(Code::NotFound, format!("{source}: no such file"))),
        IN_THE_WAY => Err(error(Code::Conflict, format!("{target}: is in the way"))),
        _ => {
            let said = format!("{}{}", result.stderr_text(), result.stdout_text());
            let denied = ["denied", "Read-only", "not permitted"];
            let code = match denied.iter().any(|text| said.contains(text)) {
                true => Code::PolicyDenied,
                false => Code::Died,
            };
            Err(error(code, format!("{source}: {}", said.trim())))
        }
    }
}

/// Renames a file where no command runs.
async fn copied(environment: &dyn Environment, from: &str, to: &str) -> Result<()> {
    let during = |error: Error| error.during("rename");
    let stat = environment.stat(from).await.map_err(during)?;
    if stat.kind != FileKind::File || stat.is_symlink == Some(true) {
        let what = "renaming of what is no file";
        return Err(Error::unsupported(
            environment.backend().to_owned(),
            "rename",
            what,
        ));
    }
    let content = environment.read_file_buffer(from).await.map_err(during)?;
    environment.write_file(to, &content).await.map_err(during)?;
    let removed = environment.rm(from, RemoveOptions::default()).await;
    removed.map_err(during)
}
