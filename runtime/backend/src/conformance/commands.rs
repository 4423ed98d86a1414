//! Commands: results, directories, variables, time-outs, concurrency, floods.

use super::case::{Case, Context, Verdict, beating, cases, demand, refused, stops};
use crate::error::Code;
use crate::exec::Exec;
use futures::future::try_join_all;

pub(super) const CASES: &[Case] = cases!("exec", |claimed| claimed.exec;
    "exit codes are results" => exit_codes,
    "a command that a signal ended has 128 + n" => signalled,
    "the result names the command and has all output" => result,
    "arguments are not parsed" => arguments,
    "shell state does not outlive an execution" => fresh,
    "the working directory is the sandbox's, or the call's" => directory,
    "variables are those of the call" => variables,
    "a script, name or value that no process can have is refused" => malformed,
    "a time-out gives 124, the output so far, and ends the whole tree" => timeout,
    "a time-out is never early" => not_early,
    "an execution lasts as long as what it started" => lasts,
    "many executions at once do not mix" => concurrent,
    "a flood of output is limited and said to be" => flood,
    "a script of 200 KiB runs, or is refused as too long" => long_script,
    "a missing shell feature is no error of the host" => syntax_error,
);

async fn exit_codes(context: &Context<'_>) -> Verdict {
    for (script, expected) in [
        ("true", 0),
        ("false", 1),
        ("exit 42", 42),
        ("exit 255", 255),
        ("offshoot-no-such-command", 127),
    ] {
        let code = context.environment.exec(Exec::new(script)).await?.exit_code;
        demand(code == expected, || format!("{script}: {code}"))?;
    }
    Ok(())
}

async fn signalled(context: &Context<'_>) -> Verdict {
    let result = context.environment.exec(Exec::new("kill -9 $$")).await?;
    let code = result.exit_code;
    demand(code == 137, || format!("status {code}"))
}

async fn result(context: &Context<'_>) -> Verdict {
    let script = "printf 'no newline'; printf oops >&2; exit 5";
    let result = context.environment.exec(Exec::new(script)).await?;
    demand(result.command == script, || {
        format!("the command is {:?}", result.command)
    })?;
    demand(!result.timed_out && !result.truncated, || {
        "it was marked as cut".to_owned()
    })?;
    let (stdout, stderr) = (result.stdout_text(), result.stderr_text());
    if context.capabilities.separate_stderr {
        demand((&*stdout, &*stderr) == ("no newline", "oops"), || {
            format!("{stdout:?} and {stderr:?}")
        })?;
    } else {
        demand(stdout.contains("no newline") && stderr.is_empty(), || {
            format!("{stdout:?} and {stderr:?}")
        })?;
    }
    demand(result.exit_code == 5, || {
        format!("status {}", result.exit_code)
    })
}

async fn arguments(context: &Context<'_>) -> Verdict {
    let words = ["two words", "$(id)", "'", "", "-n", "\u{e9}\n"];
    let exec = Exec::new("printf '<%s>' \"$0\" \"$@\"")
        .name("me")
        .arguments(words);
    let result = context.environment.exec(exec).await?;
    let expected: String = std::iter::once("me")
        .chain(words)
        .map(|word| format!("<{word}>"))
        .collect();
    let shown = result.stdout_text();
    demand(shown == expected, || format!("{shown:?}"))
}

async fn fresh(context: &Context<'_>) -> Verdict {
    context
        .sh("offshoot_left=1; export offshoot_left; cd /; f() { :; }; set -f")
        .await?;
    let shown = context.sh("echo \"[$offshoot_left]\"; pwd").await?;
    let expected = format!("[]\n{}\n", context.environment.cwd());
    demand(shown == expected, || format!("{shown:?}"))
}

async fn directory(context: &Context<'_>) -> Verdict {
    let environment = &context.environment;
    let home = environment.cwd();
    let shown = context.sh("pwd").await?;
    demand(shown == format!("{home}\n"), || {
        format!("pwd is {shown:?}, cwd is {home:?}")
    })?;
    if !context.capabilities.exec_directory {
        return Ok(());
    }
    context.sh("mkdir -p 'directory/in side'").await?;
    let inside = context.at("directory/in side");
    for cwd in ["directory/in side", "./directory/x/../in side/", &inside] {
        let exec = Exec::new("pwd").cwd(cwd);
        let result = environment.exec(exec).await?;
        let shown = result.stdout_text();
        demand(shown == format!("{inside}\n"), || {
            format!("cwd {cwd:?}: pwd is {shown:?}")
        })?;
    }
    let missing = environment
        .exec(Exec::new("touch made").cwd("no/such"))
        .await;
    refused("a missing directory", missing, &[Code::NotFound])?;
    let file = context.sh(": > directory/file").await.map(drop);
    file?;
    let in_file = environment
        .exec(Exec::new("true").cwd("directory/file"))
        .await;
    refused(
        "a file as directory",
        in_file,
        &[Code::NotFound, Code::Conflict],
    )
}

async fn variables(context: &Context<'_>) -> Verdict {
    if !context.capabilities.exec_environment {
        return Ok(());
    }
    let environment = &context.environment;
    let odd = " $(id) 'q\" \\ \u{e9}\nline ";
    let exec = Exec::new("printf '%s|%s|%s' \"$A\" \"$EMPTY\" \"${HOME:+home}\"")
        .env("A", odd)
        .env("EMPTY", "")
        .env("HOME", "/h");
    let shown = environment.exec(exec).await?;
    let expected = format!("{odd}||home");
    demand(shown.stdout_text() == expected, || {
        format!("{:?}", shown.stdout_text())
    })?;
    let later = context.sh("echo \"[$A]\"").await?;
    demand(later == "[]\n", || format!("the next call saw {later:?}"))?;
    let exec = Exec::new("echo \"[$HOME][$ONLY]\"")
        .env("ONLY", "this")
        .replace_env();
    let shown = environment.exec(exec).await?;
    let shown = shown.stdout_text();
    demand(shown == "[][this]\n", || format!("replaced: {shown:?}"))
}

async fn malformed(context: &Context<'_>) -> Verdict {
    let environment = &context.environment;
    let mut bad = vec![Exec::new("true\0"), Exec::new("true").arguments(["a\0b"])];
    if context.capabilities.exec_environment {
        for (name, value) in [("", "x"), ("A=B", "x"), ("A", "x\0")] {
            bad.push(Exec::new("true").env(name, value));
        }
    }
    for exec in bad {
        let shown = format!("{exec:?}");
        refused(&shown, environment.exec(exec).await, &[Code::Invalid])?;
    }
    Ok(())
}

async fn timeout(context: &Context<'_>) -> Verdict {
    let environment = &context.environment;
    if !context.capabilities.exec_timeout {
        let exec = Exec::new("sleep 5").timeout_ms(300);
        let result = environment.exec(exec).await;
        return refused("watched by the caller", result, &[Code::Timeout]);
    }
    // One in the foreground, one in the background, one that is no child of the shell any more.
    const FILES: [&str; 3] = ["timeout-front", "timeout-back", "timeout-orphan"];
    let [front, back, orphan] = FILES.map(beating);
    let script = format!("echo before; (({orphan}) &); ({back}) & {front}");
    // A machine that is busy may need more time before all three have begun.
    for milliseconds in [1_500, 6_000, 24_000] {
        let exec = Exec::new(&script).timeout_ms(milliseconds);
        let result = environment.exec(exec).await?;
        demand(result.exit_code == 124 && result.timed_out, || {
            format!("status {}", result.exit_code)
        })?;
        let shown = result.stdout_text();
        demand(matches!(&*shown, "before\n" | ""), || {
            format!("the output is {shown:?}")
        })?;
        if !context.capabilities.filesystem {
            return demand(shown == "before\n", || "the output is lost".to_owned());
        }
        let mut begun = 0;
        for file in FILES {
            if environment.exists(file).await? {
                begun += 1;
                demand(stops(&**environment, file).await?, || {
                    format!("the process that writes {file} goes on")
                })?;
            }
        }
        if begun == FILES.len() {
            return demand(shown == "before\n", || "the output is lost".to_owned());
        }
    }
    Err("the commands never began".into())
}

async fn not_early(context: &Context<'_>) -> Verdict {
    if !context.capabilities.exec_timeout {
        return Ok(());
    }
    let exec = Exec::new("sleep 30").timeout_ms(700);
    let result = context.environment.exec(exec).await?;
    demand(result.timed_out && result.duration_ms >= 700, || {
        format!("ended after {} ms of 700", result.duration_ms)
    })?;
    let exec = Exec::new("echo in time").timeout_ms(60_000);
    let result = context.environment.exec(exec).await?;
    demand(!result.timed_out && result.success(), || {
        "a command in time was ended".to_owned()
    })
}

async fn lasts(context: &Context<'_>) -> Verdict {
    if context.capabilities.background {
        return Ok(());
    }
    let script = "(sleep 0.5; echo late > lasts) >/dev/null 2>&1 & echo early";
    let shown = context.sh(script).await?;
    demand(shown == "early\n", || format!("{shown:?}"))?;
    let written = context.sh("cat lasts").await?;
    demand(written == "late\n", || format!("{written:?}"))
}

async fn concurrent(context: &Context<'_>) -> Verdict {
    const CALLS: usize = 16;
    let calls = (0..CALLS).map(|number| async move {
        let script = format!(
            "mkdir -p concurrent; echo {number} > concurrent/{number}; sleep 0.2; \
             cat concurrent/{number}; exit {number}"
        );
        context.environment.exec(Exec::new(script)).await
    });
    let results = try_join_all(calls).await?;
    for (number, result) in results.iter().enumerate() {
        let shown = (usize::from(result.exit_code), result.stdout_text());
        demand(shown == (number, format!("{number}\n").into()), || {
            format!("call {number} gave {shown:?}")
        })?;
    }
    Ok(())
}

async fn flood(context: &Context<'_>) -> Verdict {
    const BYTES: usize = 100_000_000;
    let script = format!("head -c {BYTES} /dev/zero");
    match context.environment.exec(Exec::new(script)).await {
        Ok(result) => {
            let length = result.stdout.len();
            demand(length == BYTES || result.truncated, || {
                format!("{length} of {BYTES} bytes, and not marked")
            })?;
        }
        Err(error) => {
            let kept = error.output().map_or(0, |output| output.stdout.len());
            demand(error.code() == Code::Limit && kept > 0, || {
                format!("{error}, with {kept} bytes of output")
            })?;
        }
    }
    let after = context.sh("echo still here").await?;
    demand(after == "still here\n", || format!("{after:?}"))
}

async fn long_script(context: &Context<'_>) -> Verdict {
    let script = format!("{}echo end", "# filler\n".repeat(22_000));
    match context.environment.exec(Exec::new(script)).await {
        Err(error) if error.code() == Code::Limit => Ok(()),
        Err(error) => Err(error.into()),
        Ok(result) => demand(result.stdout == b"end\n", || {
            format!("{:?}", result.stdout_text())
        }),
    }
}

async fn syntax_error(context: &Context<'_>) -> Verdict {
    let result = context.environment.exec(Exec::new("if then (")).await?;
    let code = result.exit_code;
    demand(code != 0, || "a syntax error gave status 0".to_owned())
}
