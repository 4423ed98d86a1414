//! Our git over HTTP, with the machine's `curl` in the place of the sandbox's, against the real
//! `git http-backend`, and against what the real git prints for the same lines.

#![cfg(unix)]
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a failure shows as a failed test"
)]

#[path = "support/git_server.rs"]
mod git_server;

use std::os::unix::fs::symlink;
use std::path::Path;
use std::process::{Command, Stdio};

use git_server::{GitServer, is_possible};

const SETUP: &str = "exec 2>&1
export GIT_AUTHOR_NAME=Ann GIT_AUTHOR_EMAIL=ann@x.org GIT_COMMITTER_NAME=Ann GIT_COMMITTER_EMAIL=ann@x.org
export GIT_AUTHOR_DATE='1700000000 +0000' GIT_COMMITTER_DATE='1700000000 +0000' GIT_CONFIG_NOSYSTEM=1
git config --global init.defaultBranch main
git config --global advice.pushUpdateRejected false
edit() { echo \"$2\" >> $1; git add $1; git commit -qm \"$2\"; }
";

/// Where the machine's own git is.
const REAL: &str = "/usr/local/bin:/usr/bin:/bin";

/// Each is run with both gits on a server of its own; `URL` stands for it.
const SCRIPTS: &[&str] = &[
    "git clone URL/r.git; cd r; git log --oneline --decorate; git branch -a; git tag; cat f1",
    "git clone -q URL/r.git a; git clone -q URL/r.git b; cd a; edit f1 x; git tag -a v -m v; git push; git push --tags; cd ../b; git fetch; git status -sb; git pull; edit f2 y; git push -u origin HEAD:new; git ls-remote; git branch -r",
    "git clone -q URL/r.git a; git clone -q URL/r.git b; cd a; edit f1 x; git push -q; cd ../b; edit f2 y; git push; git pull --no-rebase -q --no-edit; git push 2>&1 | grep -c main; git commit -q --amend -m z; git push | head -2 | cut -c1-20; git push -qf; git push origin :x; git fetch -p",
    "git clone -q --depth 1 URL/r.git s; cd s; git log --oneline; git fetch -q --depth 2; git log --oneline; git fetch -q --unshallow; git log --oneline; git branch -a; git tag",
    "git clone -q --depth 1 -b x URL/r.git s; cd s; git log --oneline; edit f1 x; git push; git clone -q --bare URL/r.git; git -C r.git log --oneline x",
    "git clone URL/none; ls; git clone URL/denied/r.git d; git ls-remote URL/none; echo $?",
    "git clone http://127.0.0.1:1/r.git 2>&1 | sed 's/after.*//'; git ls-remote http://127.0.0.1:1/r.git >/dev/null 2>&1; echo $?",
    "git clone -q HOSTPASS/private/r.git a; git -C a log --oneline | head -1; git -c http.extraHeader='Authorization: Basic YW5uOnNlY3JldA==' ls-remote URL/private/r.git x",
    "git init -q n; cd n; seq 20000 > big; git add .; git commit -qm big; for i in 1 2 3 4 5 6 7 8 9; do cp big b$i; echo $i >> b$i; done; git add .; git commit -qm many; git push -q URL/r.git HEAD:big; git ls-remote URL/r.git big; git clone -q -b big URL/r.git c; cd c; ls | wc -l; git status -s",
    "git init -q n; cd n; git pull -q URL/r.git x; git log --oneline; git fetch URL/r.git main; git fetch URL/r.git refs/tags/t2:refs/tags/mine; git tag",
];

fn prepare(root: &Path) {
    let script = "git init -q --bare r.git; git -C r.git config http.receivepack true; git init -q w; cd w; for i in 1 2 3; do seq $i 2000 > f$i; git add .; git commit -qm c$i; done; git tag t1; git tag -a t2 -m t2; git branch x HEAD~1; git push -q --all ../r.git; git push -q --tags ../r.git; git -C ../r.git gc -q";
    run(script, root, REAL);
}

fn run(script: &str, folder: &Path, path: &str) -> String {
    let output = Command::new("bash")
        .args(["-c", &format!("{SETUP}{script}")])
        .current_dir(folder)
        .env_clear()
        .env("PATH", path)
        .env("HOME", folder)
        .env("GIT_TERMINAL_PROMPT", "0")
        .stdin(Stdio::null())
        .output()
        .unwrap();
    String::from_utf8_lossy(&output.stdout).into_owned()
}

/// What a script prints with the git that `path` leads to, and what is on the server then.
fn outcome(script: &str, path: &str) -> String {
    let place = tempfile::tempdir().unwrap();
    let (root, work) = (place.path().join("srv"), place.path().join("work"));
    std::fs::create_dir(&root).unwrap();
    std::fs::create_dir(&work).unwrap();
    prepare(&root);
    let server = GitServer::start(&root);
    let url = server.url("");
    let script = script
        .replace("HOSTPASS", &url.replace("http://", "http://ann:secret@"))
        .replace("URL", &url);
    let mut text = run(&script, &work, path);
    for entry in std::fs::read_dir(&work).unwrap() {
        let folder = entry.unwrap().path();
        if folder.is_dir() {
            text += &git_server::real(&folder, &["fsck", "--strict", "--no-dangling"]);
        }
    }
    text += &server.real("r.git", &["fsck", "--strict", "--no-dangling"]);
    text += &server.real("r.git", &["for-each-ref", "--format=%(refname) %(subject)"]);
    // A merge names the URL, whose port is another one each time.
    text.replace(&url, "URL")
}

#[test]
fn git_does_over_http_what_the_real_one_does() {
    let has_curl = Command::new("curl")
        .arg("--version")
        .stdout(Stdio::null())
        .status()
        .is_ok();
    if !is_possible() || !has_curl {
        eprintln!("skipped: git http-backend and curl are not here");
        return;
    }
    let links = tempfile::tempdir().unwrap();
    symlink(env!("CARGO_BIN_EXE_offshoot-git"), links.path().join("git")).unwrap();
    let ours = format!("{}:{REAL}", links.path().display());
    let mut differing = String::new();
    for script in SCRIPTS {
        let (expected, found) = (outcome(script, REAL), outcome(script, &ours));
        if expected != found {
            differing += &format!("{script}\nreal:\n{expected}\nours:\n{found}\n");
        }
    }
    assert!(differing.is_empty(), "{differing}");
}
