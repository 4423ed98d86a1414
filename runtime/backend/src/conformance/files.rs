//! Files: bytes, text, facts, names, and the rules of mkdir and rm.

use super::case::{Case, Context, Verdict, cases, demand, refused};
use crate::error::Code;
use crate::files::{FileKind, RemoveOptions};
use std::time::{Duration, SystemTime};

const ONE: RemoveOptions = RemoveOptions {
    recursive: false,
    force: false,
};
const TREE: RemoveOptions = RemoveOptions {
    recursive: true,
    force: false,
};

pub(super) const CASES: &[Case] = cases!("files", |claimed| claimed.filesystem;
    "all 256 byte values survive, the empty file too" => bytes,
    "text is strict UTF-8, lossy only on request" => text,
    "writing makes missing parents" => parents,
    "readers see the old content or the new" => atomic,
    "a directory is no file, and a file no directory" => kinds,
    "stat tells kind and size, and nothing made up" => stat,
    "readdir gives every name as it is" => names,
    "readdir fails on files and missing paths" => readdir_fails,
    "exists never fails for a missing path" => exists,
    "mkdir keeps its rules" => mkdir,
    "rm keeps its rules" => rm,
    "spellings of one path are the same file" => spellings,
    "names have 255 bytes at most, and no NUL" => long_names,
    "commands and file operations see the same files" => shared,
    "a file of 64 MiB" => big,
);

async fn bytes(context: &Context<'_>) -> Verdict {
    if !context.capabilities.binary_files {
        return Ok(());
    }
    let all: Vec<u8> = (0..=255).cycle().take(1000).collect();
    for content in [&all[..], b"", b"\0", b"\r\n", b"no newline", b"\n\n\n"] {
        context.environment.write_file("bytes", content).await?;
        let read = context.environment.read_file_buffer("bytes").await?;
        demand(read == content, || {
            format!("{} bytes came back as {}", content.len(), read.len())
        })?;
    }
    Ok(())
}

async fn text(context: &Context<'_>) -> Verdict {
    let environment = &context.environment;
    let text = "\u{feff}gr\u{fc}n \u{202e}\u{1f30d} e\u{301}\ttab\n";
    environment.write_file("text", text.as_bytes()).await?;
    let read = environment.read_file("text").await?;
    demand(read == text, || format!("{text:?} came back as {read:?}"))?;
    if context.capabilities.binary_files {
        environment.write_file("text", b"a\xffb").await?;
        refused(
            "text",
            environment.read_file("text").await,
            &[Code::NotText],
        )?;
        let lossy = environment.read_file_lossy("text").await?;
        demand(lossy == "a\u{fffd}b", || format!("lossy is {lossy:?}"))?;
    }
    Ok(())
}

async fn parents(context: &Context<'_>) -> Verdict {
    let environment = &context.environment;
    environment.write_file("made/on/the/way", b"x").await?;
    let read = environment.read_file("made/on/the/way").await?;
    demand(read == "x", || format!("read {read:?}"))
}

async fn atomic(context: &Context<'_>) -> Verdict {
    let contents = [vec![b'a'; 200_000], vec![b'b'; 100_000]];
    context
        .environment
        .write_file("atomic", &contents[0])
        .await?;
    let writer = async {
        for round in 0..12 {
            context
                .environment
                .write_file("atomic", &contents[round % 2])
                .await?;
        }
        Ok(())
    };
    let reader = async {
        for _ in 0..12 {
            let read = context.environment.read_file_buffer("atomic").await?;
            demand(contents.contains(&read), || {
                format!("a part of {} bytes was seen", read.len())
            })?;
        }
        Ok(())
    };
    let (wrote, read): (Verdict, Verdict) = futures::future::join(writer, reader).await;
    wrote.and(read)
}

async fn kinds(context: &Context<'_>) -> Verdict {
    let environment = &context.environment;
    environment.write_file("kinds/file", b"x").await?;
    let conflict = &[Code::Conflict];
    refused(
        "read a directory",
        environment.read_file_buffer("kinds").await,
        conflict,
    )?;
    refused(
        "write a directory",
        environment.write_file("kinds", b"y").await,
        conflict,
    )?;
    let below = "kinds/file/below";
    refused(
        "write below a file",
        environment.write_file(below, b"y").await,
        conflict,
    )?;
    refused(
        "mkdir below a file",
        environment.mkdir(below, true).await,
        conflict,
    )?;
    refused(
        "read a missing file",
        environment.read_file_buffer("kinds/none").await,
        &[Code::NotFound],
    )?;
    let read = environment.read_file("kinds/file").await?;
    demand(read == "x", || format!("the file is now {read:?}"))
}

async fn stat(context: &Context<'_>) -> Verdict {
    let environment = &context.environment;
    environment.write_file("stat/file", b"12345").await?;
    let file = environment.stat("stat/file").await?;
    demand((file.kind, file.size) == (FileKind::File, 5), || {
        format!("of a file: {file:?}")
    })?;
    let day = Duration::from_secs(86_400);
    let now = SystemTime::now();
    if let Some(time) = file.mtime {
        let off = now
            .duration_since(time)
            .or_else(|_| time.duration_since(now));
        demand(off.is_ok_and(|off| off < day), || {
            format!("mtime is {time:?}, and it is {now:?}")
        })?;
    }
    let directory = environment.stat("stat").await?;
    demand(directory.kind == FileKind::Directory, || {
        format!("of a directory: {directory:?}")
    })?;
    let missing = environment.stat("stat/none").await;
    refused("of a missing path", missing, &[Code::NotFound])?;
    if !context.capabilities.exec {
        return Ok(());
    }
    context
        .sh("cd stat && chmod 640 file && ln -s file link && ln -s none dangling")
        .await?;
    let file = environment.stat("stat/file").await?;
    demand(file.mode.is_none_or(|mode| mode & 0o777 == 0o640), || {
        format!("after chmod 640: {file:?}")
    })?;
    let link = environment.stat("stat/link").await?;
    let expected = (FileKind::File, 5);
    demand(
        (link.kind, link.size) == expected && link.is_symlink != Some(false),
        || format!("of a link to a file: {link:?}"),
    )?;
    let dangling = environment.stat("stat/dangling").await;
    refused("of a dangling link", dangling, &[Code::NotFound])
}

async fn names(context: &Context<'_>) -> Verdict {
    const NAMES: [&str; 18] = [
        " leading and trailing ",
        "$(touch x)",
        "*",
        "-rf",
        ".hidden",
        "..dots",
        "CON",
        "\"quotes'",
        "\\back\\slash",
        "a\nnew line",
        "ends in a newline\n",
        "e\u{301} decomposed",
        "tab\there",
        "\u{202e}right to left",
        "\u{e9} composed",
        "\u{ff0e}\u{ff0e}",
        "%2e%2e",
        "\u{1f30d}",
    ];
    let environment = &context.environment;
    environment.mkdir("names/empty", true).await?;
    let empty = environment.readdir("names/empty").await?;
    demand(empty.is_empty(), || {
        format!("an empty directory has {empty:?}")
    })?;
    for name in NAMES {
        environment
            .write_file(&format!("names/odd/{name}"), name.as_bytes())
            .await?;
    }
    let mut expected = NAMES;
    expected.sort_unstable();
    let listed = environment.readdir("names/odd").await?;
    demand(listed == expected, || {
        format!("{expected:?} were listed as {listed:?}")
    })?;
    for name in NAMES {
        let path = format!("names/odd/{name}");
        let read = environment.read_file(&path).await?;
        demand(read == name, || format!("{name:?} holds {read:?}"))?;
        environment.rm(&path, ONE).await?;
    }
    let left = environment.readdir("names/odd").await?;
    demand(left.is_empty(), || format!("rm left {left:?}"))?;
    if context.capabilities.exec {
        let made = "mkdir names/raw && : > \"names/raw/$(printf 'a\\377b')\"";
        if context.sh(made).await.is_ok() {
            let listed = environment.readdir("names/raw").await;
            refused("a name that is not UTF-8", listed, &[Code::NotText])?;
        }
    }
    Ok(())
}

async fn readdir_fails(context: &Context<'_>) -> Verdict {
    let environment = &context.environment;
    environment.write_file("readdir/file", b"").await?;
    let file = environment.readdir("readdir/file").await;
    refused("of a file", file, &[Code::Conflict])?;
    let missing = environment.readdir("readdir/none").await;
    refused("of a missing path", missing, &[Code::NotFound])
}

async fn exists(context: &Context<'_>) -> Verdict {
    context
        .environment
        .write_file("exists/dir/file", b"")
        .await?;
    for (path, expected) in [
        ("exists", true),
        ("exists/dir/file", true),
        ("exists/none", false),
        ("exists/none/deeper", false),
        ("exists/dir/file/below", false),
        (".", true),
    ] {
        let found = context.environment.exists(path).await?;
        demand(found == expected, || format!("{path}: {found}"))?;
    }
    Ok(())
}

async fn mkdir(context: &Context<'_>) -> Verdict {
    let environment = &context.environment;
    refused(
        "without a parent",
        environment.mkdir("mkdir/a/b", false).await,
        &[Code::NotFound],
    )?;
    environment.mkdir("mkdir/a", true).await?;
    environment.mkdir("mkdir/a", true).await?;
    environment.mkdir("mkdir/a/b", false).await?;
    refused(
        "where it exists",
        environment.mkdir("mkdir/a/b", false).await,
        &[Code::Conflict],
    )?;
    environment.write_file("mkdir/file", b"x").await?;
    for recursive in [false, true] {
        refused(
            "where a file is",
            environment.mkdir("mkdir/file", recursive).await,
            &[Code::Conflict],
        )?;
    }
    Ok(())
}

async fn rm(context: &Context<'_>) -> Verdict {
    let environment = &context.environment;
    for path in ["rm/file", "rm/tree/deep/file", "rm/tree/.hidden"] {
        environment.write_file(path, b"x").await?;
    }
    environment.mkdir("rm/empty", true).await?;
    let forced = RemoveOptions { force: true, ..ONE };
    refused(
        "a missing path",
        environment.rm("rm/none", ONE).await,
        &[Code::NotFound],
    )?;
    refused(
        "a missing path, recursive",
        environment.rm("rm/none", TREE).await,
        &[Code::NotFound],
    )?;
    environment.rm("rm/none", forced).await?;
    environment.rm("rm/none/deeper", forced).await?;
    for directory in ["rm/tree", "rm/empty"] {
        for options in [ONE, forced] {
            refused(
                "a directory, not recursive",
                environment.rm(directory, options).await,
                &[Code::Conflict],
            )?;
        }
    }
    let kept = environment.read_file("rm/tree/deep/file").await?;
    demand(kept == "x", || "a refused rm removed something".to_owned())?;
    environment.rm("rm/file", ONE).await?;
    environment.rm("rm/tree", TREE).await?;
    environment.rm("rm/empty", TREE).await?;
    let left = environment.readdir("rm").await?;
    demand(left.is_empty(), || format!("rm left {left:?}"))?;
    refused(
        "the root",
        environment.rm(environment.root(), TREE).await,
        &[Code::Conflict, Code::PolicyDenied],
    )?;
    if !context.capabilities.exec {
        return Ok(());
    }
    context
        .sh("mkdir rm/kept && echo x > rm/kept/file && ln -s kept rm/link && ln -s none rm/dangling")
        .await?;
    environment.rm("rm/dangling", ONE).await?;
    environment.rm("rm/link", TREE).await?;
    let kept = environment.exists("rm/kept/file").await?;
    demand(kept, || "rm of a link removed its target".to_owned())
}

async fn spellings(context: &Context<'_>) -> Verdict {
    let environment = &context.environment;
    let absolute = context.at("spellings/file");
    environment.write_file(&absolute, b"x").await?;
    for spelling in [
        "spellings/file",
        "./spellings//file",
        "spellings/./x/../file",
        &format!("{absolute}/"),
        &absolute.replace('/', "//"),
    ] {
        let resolved = environment.resolve_path(spelling);
        demand(resolved == absolute, || {
            format!("{spelling} resolves to {resolved}")
        })?;
        let read = environment.read_file(spelling).await?;
        demand(read == "x", || format!("{spelling} holds {read:?}"))?;
    }
    Ok(())
}

async fn long_names(context: &Context<'_>) -> Verdict {
    let environment = &context.environment;
    let (fits, long) = ("n".repeat(255), "n".repeat(256));
    environment
        .write_file(&format!("long/{fits}"), b"x")
        .await?;
    let listed = environment.readdir("long").await?;
    demand(listed == [fits], || {
        format!("a name of 255 bytes is listed as {listed:?}")
    })?;
    let deep = "d/".repeat(2_100);
    for path in [&format!("long/{long}"), &deep] {
        let written = environment.write_file(path, b"x").await;
        refused("a path too long", written, &[Code::Limit])?;
    }
    let written = environment.write_file("long/a\0b", b"x").await;
    refused("a NUL", written, &[Code::Invalid])
}

async fn shared(context: &Context<'_>) -> Verdict {
    if !context.capabilities.exec {
        return Ok(());
    }
    let environment = &context.environment;
    environment.write_file("shared/in", b"from outside").await?;
    let seen = context.sh("cat shared/in").await?;
    demand(seen == "from outside", || {
        format!("the command saw {seen:?}")
    })?;
    context
        .sh("printf 'from inside' > shared/out; chmod +x shared/out")
        .await?;
    let read = environment.read_file("shared/out").await?;
    demand(read == "from inside", || format!("read {read:?}"))?;
    environment.write_file("shared/out", b"new").await?;
    context
        .sh("test -x shared/out")
        .await
        .map(drop)
        .map_err(|_| "writing a file took its mode away".into())
}

async fn big(context: &Context<'_>) -> Verdict {
    let environment = &context.environment;
    let mut seed = 1u32;
    let content: Vec<u8> = std::iter::repeat_with(|| {
        seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        if context.capabilities.binary_files {
            seed.to_be_bytes()[0]
        } else {
            b'a' + seed.to_be_bytes()[0] % 26
        }
    })
    .take(64 << 20)
    .collect();
    environment.write_file("big", &content).await?;
    let size = environment.stat("big").await?.size;
    demand(size == content.len() as u64, || format!("size is {size}"))?;
    let read = environment.read_file_buffer("big").await?;
    demand(read == content, || {
        format!("{} bytes came back, changed", read.len())
    })?;
    environment.rm("big", ONE).await?;
    Ok(())
}
