//! Every way that a path could lead out of the root.
//!
//! Where the root is `/` of the sandbox's own tree there is nothing outside, and links are resolved
//! inside; where it is a directory of a larger tree, the suite makes a directory beside it through a
//! command, aims at that, and looks whether it was touched.

use super::case::{Case, Context, Failure, Verdict, cases, demand, refused};
use crate::error::Code;
use crate::exec::Exec;
use crate::files::RemoveOptions;

pub(super) const CASES: &[Case] = cases!("escape", |claimed| claimed.filesystem;
    "T01 paths above the root are refused" => above,
    "T01 absolute paths beside the root are refused" => beside,
    "T02 symbolic links do not lead out" => links,
    "T02 chains of links do not lead out" => chains,
    "T02 writing through a dangling link does not lead out" => dangling,
    "T02 hard links do not lead out" => hard_links,
    "T05 look-alikes of dots and slashes are plain names" => look_alikes,
    "T03 a loop of links is an error" => loops,
    "T06 trailing slashes do not lead out" => trailing,
    "T08 a link swapped in during the operation does not lead out" => swapped,
    "T11 a directory cannot be moved into itself" => into_itself,
    "a working directory outside is refused" => working_directory,
);

const ESCAPES: &[Code] = &[Code::PathEscape];
const TREE: RemoveOptions = RemoveOptions {
    recursive: true,
    force: true,
};

/// Tries every operation on `path`; each must be refused, and `exists` must say no.
async fn all_refused(context: &Context<'_>, path: &str, codes: &[Code]) -> Verdict {
    let environment = &context.environment;
    refused(
        &format!("read {path:?}"),
        environment.read_file_buffer(path).await,
        codes,
    )?;
    refused(
        &format!("write {path:?}"),
        environment.write_file(path, b"escaped").await,
        codes,
    )?;
    refused(
        &format!("stat {path:?}"),
        environment.stat(path).await,
        codes,
    )?;
    refused(
        &format!("readdir {path:?}"),
        environment.readdir(path).await,
        codes,
    )?;
    for recursive in [false, true] {
        let below = format!("{path}/made");
        refused(
            &format!("mkdir {below:?}"),
            environment.mkdir(&below, recursive).await,
            codes,
        )?;
    }
    let below = format!("{path}/secret");
    refused(
        &format!("rm {below:?}"),
        environment.rm(&below, TREE).await,
        codes,
    )?;
    let exists = environment.exists(path).await?;
    demand(!exists, || format!("{path:?} exists"))
}

/// A directory outside the root with the file `secret`; none where nothing is outside.
async fn outside(context: &Context<'_>) -> std::result::Result<Option<String>, Failure> {
    if context.environment.root() == "/" || !context.capabilities.exec {
        return Ok(None);
    }
    let made = "d=$(mktemp -d) && echo top > \"$d/secret\" && printf %s \"$d\"";
    let directory = context.sh(made).await?;
    demand(
        !crate::path::is_within(context.environment.root(), &directory),
        || format!("{directory} should be outside the root"),
    )?;
    Ok(Some(directory))
}

/// Looks whether what is outside was touched, and removes it.
async fn untouched(context: &Context<'_>, outside: &str) -> Verdict {
    let look = format!("cd '{outside}' && ls -A && cat secret; rm -rf '{outside}'");
    let shown = context.sh(&look).await?;
    demand(shown == "secret\ntop\n", || {
        format!("outside is now {shown:?}")
    })
}

async fn above(context: &Context<'_>) -> Verdict {
    let depth = context.environment.cwd().matches('/').count() + 3;
    let up = "../".repeat(depth);
    for path in [
        format!("{up}etc/passwd"),
        format!("./{up}"),
        format!("/{up}etc/passwd"),
        format!("{}/x/{}{up}etc", context.environment.root(), "../"),
        format!("//..//{up}./etc//passwd"),
    ] {
        all_refused(context, &path, ESCAPES).await?;
    }
    Ok(())
}

async fn beside(context: &Context<'_>) -> Verdict {
    let root = context.environment.root().to_owned();
    if root == "/" {
        return Ok(());
    }
    let sibling = format!("{root}-sibling");
    for path in [
        "/",
        "/etc/passwd",
        "//etc/passwd",
        "/proc/self/environ",
        &sibling,
    ] {
        all_refused(context, path, ESCAPES).await?;
    }
    Ok(())
}

async fn links(context: &Context<'_>) -> Verdict {
    let Some(outside) = outside(context).await? else {
        return Ok(());
    };
    let depth = context.environment.cwd().matches('/').count() + 3;
    let up = "../".repeat(depth);
    let script = format!(
        "mkdir -p links && cd links && ln -s '{outside}' dir && ln -s '{outside}/secret' file \
         && ln -s '{up}{}' relative && ln -s / top",
        &outside[1..]
    );
    context.sh(&script).await?;
    for path in [
        "links/dir",
        "links/relative",
        &format!("links/top{outside}"),
    ] {
        all_refused(context, path, ESCAPES).await?;
    }
    for path in ["links/file", "links/dir/secret", "links/relative/secret"] {
        let read = context.environment.read_file(path).await;
        refused(&format!("read {path}"), read, ESCAPES)?;
        let written = context.environment.write_file(path, b"escaped").await;
        refused(&format!("write {path}"), written, ESCAPES)?;
    }
    // A link is removed, not what it leads to.
    context.environment.rm("links", TREE).await?;
    untouched(context, &outside).await
}

async fn chains(context: &Context<'_>) -> Verdict {
    let Some(outside) = outside(context).await? else {
        return Ok(());
    };
    let script = format!(
        "mkdir -p chains/sub && cd chains && ln -s '{outside}' z && ln -s z y && ln -s ../y sub/x \
         && ln -s sub/x/. w"
    );
    context.sh(&script).await?;
    for path in ["chains/y", "chains/sub/x", "chains/w"] {
        all_refused(context, path, ESCAPES).await?;
    }
    context.environment.rm("chains", TREE).await?;
    untouched(context, &outside).await
}

async fn dangling(context: &Context<'_>) -> Verdict {
    let Some(outside) = outside(context).await? else {
        return Ok(());
    };
    let script = format!("mkdir -p dangling && ln -s '{outside}/made' dangling/link");
    context.sh(&script).await?;
    let written = context
        .environment
        .write_file("dangling/link", b"escaped")
        .await;
    refused("write", written, ESCAPES)?;
    for recursive in [false, true] {
        let made = context.environment.mkdir("dangling/link", recursive).await;
        refused("mkdir", made, &[Code::PathEscape, Code::Conflict])?;
    }
    context.environment.rm("dangling", TREE).await?;
    untouched(context, &outside).await
}

async fn hard_links(context: &Context<'_>) -> Verdict {
    let Some(outside) = outside(context).await? else {
        return Ok(());
    };
    let environment = &context.environment;
    context
        .sh("mkdir -p hard && echo mine > hard/a && ln hard/a hard/b")
        .await?;
    let own = environment.read_file("hard/b").await?;
    demand(own == "mine\n", || format!("a link inside holds {own:?}"))?;
    let linked = format!("ln '{outside}/secret' hard/out");
    // Across two file systems there are no hard links.
    if environment.exec(Exec::new(linked)).await?.success() {
        let read = environment.read_file("hard/out").await;
        refused("read", read, ESCAPES)?;
        let written = environment.write_file("hard/out", b"escaped").await;
        refused("write", written, ESCAPES)?;
    }
    environment.rm("hard", TREE).await?;
    untouched(context, &outside).await
}

async fn look_alikes(context: &Context<'_>) -> Verdict {
    let environment = &context.environment;
    for name in [
        "\u{2025}",
        "\u{ff0e}\u{ff0e}",
        "\u{2024}\u{2024}",
        "%2e%2e",
        "..%2f..",
        "..\\..",
        "\u{2215}etc",
        "..\u{200b}",
        "...",
        "~",
        "C:\\",
        "COM\u{b9}",
    ] {
        let path = format!("alike/{name}/secret");
        refused(&path, environment.read_file(&path).await, &[Code::NotFound])?;
        environment.write_file(&path, name.as_bytes()).await?;
        let read = environment.read_file(&path).await?;
        demand(read == name, || format!("{path} holds {read:?}"))?;
    }
    let listed = environment.readdir("alike").await?.len();
    demand(listed == 12, || format!("12 names became {listed}"))
}

async fn loops(context: &Context<'_>) -> Verdict {
    if !context.capabilities.exec {
        return Ok(());
    }
    context
        .sh("mkdir -p loops && cd loops && ln -s b a && ln -s a b && ln -s self self")
        .await?;
    let codes = &[Code::Conflict, Code::NotFound, Code::PathEscape];
    for path in ["loops/a", "loops/self", "loops/a/below"] {
        refused(path, context.environment.read_file(path).await, codes)?;
        refused(
            path,
            context.environment.write_file(path, b"x").await,
            codes,
        )?;
    }
    let exists = context.environment.exists("loops/a").await?;
    demand(!exists, || "a loop exists".to_owned())
}

async fn trailing(context: &Context<'_>) -> Verdict {
    let Some(outside) = outside(context).await? else {
        return Ok(());
    };
    let script = format!(
        "mkdir -p trailing && cd trailing && ln -s '{outside}/' slash && ln -s '{outside}/.' dot"
    );
    context.sh(&script).await?;
    for path in ["trailing/slash/", "trailing/dot//", "trailing/slash/."] {
        all_refused(context, path, ESCAPES).await?;
    }
    context.environment.rm("trailing/slash/", TREE).await?;
    untouched(context, &outside).await
}

async fn swapped(context: &Context<'_>) -> Verdict {
    let Some(outside) = outside(context).await? else {
        return Ok(());
    };
    let environment = &context.environment;
    context
        .sh("mkdir -p swapped/real && echo mine > swapped/real/secret && ln -s real swapped/d")
        .await?;
    let swaps = format!(
        "cd swapped; i=0; while [ ! -e stop ] && [ $i -lt 20000 ]; do i=$((i+1)); \
         ln -sfn '{outside}' d; ln -sfn real d; done"
    );
    let swapping = environment.exec(Exec::new(swaps));
    let attempts = async {
        for _ in 0..30 {
            if let Ok(read) = environment.read_file("swapped/d/secret").await
                && read != "mine\n"
                && read != "written"
            {
                return Err(format!("read {read:?}").into());
            }
            // Which of the two the link leads to is open; what is outside must stay.
            let _ = environment.write_file("swapped/d/secret", b"written").await;
            let _ = environment.write_file("swapped/d/made", b"written").await;
            let _ = environment.mkdir("swapped/d/dir", false).await;
            let _ = environment.rm("swapped/d/secret", TREE).await;
        }
        Ok(())
    };
    let attempts = async {
        let attempted: Verdict = attempts.await;
        environment.write_file("swapped/stop", b"").await?;
        attempted
    };
    let (swapped, attempted): (_, Verdict) = futures::future::join(swapping, attempts).await;
    swapped?;
    attempted?;
    environment.rm("swapped", TREE).await?;
    untouched(context, &outside).await
}

async fn into_itself(context: &Context<'_>) -> Verdict {
    if !context.capabilities.exec {
        return Ok(());
    }
    let script = "mkdir -p itself/a/b && cd itself && ! mv a a/b 2>/dev/null && ls -A";
    let shown = context.sh(script).await?;
    demand(shown == "a\n", || format!("{shown:?}"))
}

async fn working_directory(context: &Context<'_>) -> Verdict {
    if !context.capabilities.exec {
        return Ok(());
    }
    let up = "../".repeat(context.environment.cwd().matches('/').count() + 2);
    let above = context.environment.exec(Exec::new("pwd").cwd(up)).await;
    refused("above", above, ESCAPES)?;
    if context.environment.root() != "/" {
        let beside = context.environment.exec(Exec::new("pwd").cwd("/")).await;
        refused("beside", beside, ESCAPES)?;
    }
    Ok(())
}
