//! `git` inside, over HTTP through the network policy, against the real `git http-backend`.

#[path = "../../../guest-tools/programs/git/tests/support/git_server.rs"]
mod git_server;

use git_server::{GitServer, is_possible, real};
use offshoot::blocking::Sandbox;
use offshoot::network::{Policy, Rule};
use std::io::Write;
use std::process::{Command, Stdio};

const NAME: &str = "export GIT_AUTHOR_NAME=Ann GIT_AUTHOR_EMAIL=ann@x.org GIT_COMMITTER_NAME=Ann GIT_COMMITTER_EMAIL=ann@x.org; ";

fn sandbox(server: &GitServer, methods: &[&str]) -> Sandbox {
    let rule = Rule::new(&server.url("/")).unwrap();
    let rule = rule.methods(methods.iter().copied()).unwrap();
    Sandbox::builder()
        .network(Policy::default().allow(rule))
        .unwrap()
        .build_blocking()
        .unwrap()
}

/// A repository `r.git` with two commits, and a server for it.
fn served() -> Option<(tempfile::TempDir, GitServer)> {
    if !is_possible() {
        eprintln!("skipped: git http-backend is not here");
        return None;
    }
    let place = tempfile::tempdir().unwrap();
    let script = "git init -q --bare -b main r.git; git -C r.git config http.receivepack true; \
                  git init -q -b main w; cd w; for i in 1 2; do seq $i 500 > f; git add .; \
                  git commit -qm c$i; done; git tag -a v1 -m v1; \
                  git push -q --tags ../r.git main; git -C ../r.git gc -q";
    let status = Command::new("bash")
        .args(["-c", &format!("{NAME}{script}")])
        .current_dir(place.path())
        .status()
        .unwrap();
    assert!(status.success());
    let server = GitServer::start(place.path());
    Some((place, server))
}

#[test]
fn a_repository_is_cloned_changed_and_pushed() {
    let Some((_place, server)) = served() else {
        return;
    };
    let sandbox = sandbox(&server, &["GET", "POST"]);
    let script = format!(
        "{NAME} git clone {0} a 2>&1; git clone -q --depth 1 --no-single-branch {0} b; cd a; git log --format=%s; git tag; \
         echo more >> f; git commit -qam c3; git push 2>&1 | tail -n 1 | tr -s ' ' | cut -d' ' -f3-; cd ../b; \
         git pull -q; git log --format=%s; git switch -qc t; echo t > t; git add t; git commit -qm t; \
         git push -u origin t 2>/dev/null; git status -sb; git push -q origin :t; cd ../a; \
         git reset -q --hard HEAD~1; git commit -q --allow-empty -m c4; git push 2>&1 | grep -o '(.*)'; \
         git pull --rebase -q 2>/dev/null; git push -q; git ls-remote -q origin | wc -l",
        server.url("/moved/r.git")
    );
    let result = sandbox.exec(script.as_str()).unwrap();
    let expected = "Cloning into 'a'...\nc2\nc1\nv1\nmain -> main\nc3\nc2\n\
                    branch 't' set up to track 'origin/t'.\n## t...origin/t\n(non-fast-forward)\n4\n";
    let found = result.stdout_text().into_owned();
    assert_eq!(found, expected, "{}", result.stderr_text());
    assert_eq!(
        server.real("r.git", &["log", "--format=%s", "main"]),
        "c4\nc3\nc2\nc1\n"
    );
    assert_eq!(
        server.real("r.git", &["fsck", "--strict", "--no-dangling"]),
        ""
    );

    // Real git reads the clone.
    let archive = sandbox.exec("tar -cf - a b").unwrap().stdout;
    let folder = tempfile::tempdir().unwrap();
    let mut tar = Command::new("tar")
        .args(["-xf", "-"])
        .current_dir(folder.path())
        .stdin(Stdio::piped())
        .spawn()
        .unwrap();
    tar.stdin.take().unwrap().write_all(&archive).unwrap();
    assert!(tar.wait().unwrap().success());
    for clone in ["a", "b"] {
        let clone = folder.path().join(clone);
        let words = [
            "-c",
            "safe.directory=*",
            "fsck",
            "--strict",
            "--no-dangling",
        ];
        assert_eq!(real(&clone, &words), "");
    }
}

#[test]
fn what_the_policy_refuses_is_said_as_git_says_it() {
    let Some((_place, server)) = served() else {
        return;
    };
    let url = server.url("/r.git");
    let clone = format!("git clone {url} a; echo $?; ls");
    let unable = format!("Cloning into 'a'...\nfatal: unable to access '{url}/': ");

    let away = |text: &str| text.replace(&url, "http://10.0.0.1/r.git");
    let alone = Sandbox::new().unwrap().exec(away(&clone)).unwrap();
    assert_eq!(alone.stdout_text(), "128\n");
    assert_eq!(
        alone.stderr_text(),
        format!("{}this sandbox has no network\n", away(&unable))
    );

    let reading = sandbox(&server, &["GET"]).exec(clone.as_str()).unwrap();
    assert_eq!(reading.stdout_text(), "128\n");
    assert!(
        reading.stderr_text().starts_with(&unable),
        "{}",
        reading.stderr_text()
    );
}
