//! Rules for files and commands that a script tries to get around.

use super::super::case::sh;
use super::Probe::Works;
use super::{Probe, Trial, holds};
use crate::policy::{Boundary, Policy};
use std::sync::Arc;

/// Ways by which a command could read `walled/secret`, or change what is in `walled`.
const AROUND: &str = "exec 2>/dev/null
     echo x > walled/kept; echo x >> walled/kept; : > walled/new; rm -rf walled; mkdir walled/dir
     mv walled moved; mv walled/kept moved; cp -f beside walled/kept; ln beside walled/new
     ln walled/kept hard && echo x > hard; ln -s walled soft; echo x > soft/kept; cat soft/secret
     chmod 777 walled/kept; touch walled/new; truncate -s 0 walled/kept; cat walled/secret
     mv walled/secret shown; cat shown; ln walled/secret linked; cat linked; cat < walled/secret
     cd walled && cat secret && echo x > kept; (cd / && cat \"$OLDPWD/secret\"); true";

pub(super) async fn file_policy(t: &Trial<'_>) -> Result<Probe, Probe> {
    if !t.claimed || !t.has_files() || !t.has_exec() {
        t.environment
            .restrict(Arc::new(Boundary::new(&[])?))
            .await?;
        return Ok(Works);
    }
    t.write("walled/kept", "kept").await?;
    t.write("walled/secret", "hidden-text").await?;
    t.write("beside", "beside").await?;
    let wall = t.at("walled");
    let policy = Policy {
        write_deny: vec![format!("{wall}/**")],
        deny: vec![format!("{wall}/secret")],
        ..Policy::default()
    };
    let boundary = Boundary::new(&[policy])?;
    t.environment.restrict(Arc::new(boundary)).await?;
    let branch = match t.context.capabilities.fork {
        true => Some(t.environment.fork(None).await?),
        false => None,
    };
    for environment in [Some(&t.environment), branch.as_ref()]
        .into_iter()
        .flatten()
    {
        let shown = sh(&**environment, AROUND).await?;
        if shown.contains("hidden-text") {
            return Err(Probe::Wrong(format!("a command read it: {shown:?}")));
        }
        holds(&**environment, "walled/kept", "kept").await?;
        let names = environment
            .readdir(&environment.resolve_path("walled"))
            .await?;
        if names != ["kept", "secret"] {
            return Err(Probe::Wrong(format!("a command changed it to {names:?}")));
        }
        let fine = sh(&**environment, "cat walled/kept; echo x > beside").await?;
        if fine != "kept" {
            return Err(Probe::Wrong(format!("what is permitted gave {fine:?}")));
        }
    }
    // None at all: everything is as before.
    t.environment
        .restrict(Arc::new(Boundary::new(&[])?))
        .await?;
    sh(&*t.environment, "echo x > walled/kept").await?;
    if let Some(branch) = branch {
        branch.cleanup().await?;
    }
    Ok(Works)
}

/// Ways by which a script could run `sort` or `wc` on a line in spite of a rule.
const DISGUISED: &str = "exec 2>/dev/null
     echo hidden-text > line; sort line; command sort line; env sort line; echo line | xargs sort
     find . -name line -exec sort {} ';'; (exec -a ls sort line); bash -c 'sort line'
     s=so; $s\"rt\" line; \"$(command -v sort)\" line; eval 's\\ort line'; timeout 9 sort line
     wc line; /usr/bin/wc line; command wc < line; (exec wc line); env wc line
     cp \"$(command -v sort)\" ls; ./ls line; ln -s \"$(command -v sort)\" id; ./id line; ls line >/dev/null";

pub(super) async fn command_policy(t: &Trial<'_>) -> Result<Probe, Probe> {
    let policy = Policy {
        command_deny: vec!["sort".to_owned(), "wc".to_owned(), "ls -l".to_owned()],
        ..Policy::default()
    };
    let boundary = match t.claimed && t.has_exec() {
        true => Boundary::new(&[policy])?,
        false => Boundary::new(&[])?,
    };
    t.environment.restrict(Arc::new(boundary)).await?;
    if !t.claimed || !t.has_exec() {
        return Ok(Works);
    }
    let shown = sh(&*t.environment, DISGUISED).await?;
    if !shown.is_empty() {
        return Err(Probe::Wrong(format!(
            "it ran in spite of the rule: {shown:?}"
        )));
    }
    let refused = t.environment.exec(t.exec("ls -l; exit $?")).await?;
    let permitted = t.environment.exec(t.exec("ls -a")).await?;
    let codes = (refused.exit_code, permitted.exit_code);
    match codes {
        (126, 0) => Ok(Works),
        codes => Err(Probe::Wrong(format!("statuses {codes:?}, not 126 and 0"))),
    }
}
