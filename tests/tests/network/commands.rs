//! `curl` and `wget` beside the real ones, against one server.

use super::server::Server;
use offshoot::blocking::Sandbox;
use offshoot::network::{Policy, Rule};
use std::process::{Command, Stdio};

/// Lines for both; `URL` stands for the server.
const LINES: &[&str] = &[
    "curl -s URL/echo?a=1",
    "curl URL/echo -s -H 'X-One: 1' -H 'x-two:2' -H 'empty;' -A me/1 -e http://from/",
    "curl -s -d a=1 -d 'b=2 3' URL/echo",
    "curl -s --data-urlencode 'q=a b&c' --data-urlencode '=x/y' --data-urlencode plain URL/echo",
    "printf 'l1\\nl2\\n' > f; curl -s -d @f URL/echo; curl -s --data-binary @f URL/echo; curl -s --data-raw @f URL/echo",
    "echo '{\"a\":1}' > j; curl -s --json @j URL/echo; curl -s --json '{}' URL/echo",
    "curl -s -G -d a=1 -d b=2 URL/echo; curl -s -G -d a=1 'URL/echo?z=0'",
    "curl -s -X DELETE URL/echo; curl -s -X POST URL/echo",
    "echo data > up.txt; curl -s -T up.txt URL/folder/ | grep -v expect:",
    "curl -s -u user:pass URL/echo; curl -s http://us%40er:p@127.0.0.1:PORT/echo",
    "curl -s -b 'a=1; b=2' -r 0-9 URL/echo",
    "curl -sI URL/text.txt; curl -si URL/text.txt",
    "curl -s -o out URL/text.txt; cat out; curl -sO URL/text.txt; cat text.txt; curl -s --create-dirs -o d/e/out URL/text.txt; cat d/e/out",
    "mkdir dir; curl -s --output-dir dir -O URL/text.txt; cat dir/text.txt; curl -s URL/text.txt -o /dev/null; echo $?",
    "curl -s -w '%{http_code} %{size_download} %{content_type} %{num_redirects} %{url_effective}\\n' -o /dev/null URL/text.txt",
    "curl -s URL/status/404; echo $?; curl -sf URL/status/404; echo $?; curl -s --fail-with-body URL/status/503; echo $?",
    "curl -sS -f URL/status/404; echo $?",
    "curl -s URL/redirect/302//echo; curl -sL URL/redirect/302//echo; curl -sL URL/redirect/302/URL/echo",
    "for s in 301 302 303 307 308; do curl -sL -d a=1 URL/redirect/$s//echo | head -n1; done",
    "for s in 301 302 303; do curl -sL -X PUT -d a=1 URL/redirect/$s//echo | head -n1; done",
    "curl -sL --max-redirs 0 URL/redirect/302//echo -o /dev/null; echo $?",
    "curl -s -w '%{redirect_url}\\n' -o /dev/null URL/redirect/302//echo",
    "curl -sL -D heads -o /dev/null URL/redirect/302//text.txt; tr -d '\\r' < heads",
    "curl -s URL/text.txt URL/text.txt -o one; cat one",
    "curl -s URL/broken; echo $?",
    "curl -s -m 0.3 URL/slow > /dev/null; echo $?",
    "curl -s --max-filesize 3 URL/text.txt; echo $?",
    "curl 2>/dev/null; echo $?; curl -o 2>/dev/null; echo $?; curl --nonsense URL 2>/dev/null; echo $?",
    "curl -s ftp2://x/ ; echo $?",
    "echo body > f; curl -s -F a=1 -F 'f=@f;type=text/x' -F 'g=<f' URL/echo | grep -v -e boundary= -e '^---' -e content-length",
    "curl -s URL/text.txt | wc -c",
    "wget -q URL/text.txt; cat text.txt; wget -q -O - URL/text.txt; wget -qO out URL/text.txt; cat out",
    "wget -q -P dir/sub URL/text.txt; cat dir/sub/text.txt",
    "wget -q URL/status/404; echo $?; wget -q --spider URL/status/404; echo $?; wget -q --spider URL/text.txt; echo $?",
    "echo old > text.txt; wget -q -nc URL/text.txt; echo $?; cat text.txt",
    "wget -q -O - --header 'X-One: 1' -U me --post-data a=1 URL/echo | grep -e POST -e x-one -e user-agent -e a=1 -e content-type",
    "wget -q -O - URL/redirect/302//text.txt; wget -q --max-redirect=0 -O - URL/redirect/302//text.txt; echo $?",
    "printf 'URL/text.txt\\nURL/text.txt\\n' > list; wget -q -i list -O all; cat all",
    "wget 2>/dev/null; echo $?; wget --nonsense 2>/dev/null; echo $?",
];

fn real(name: &str) -> bool {
    Command::new(name)
        .arg("--version")
        .stdout(Stdio::null())
        .status()
        .is_ok()
}

#[test]
fn curl_and_wget_do_what_the_real_ones_do() {
    if !real("curl") || !real("wget") {
        eprintln!("skipped: curl and wget are not here to compare with");
        return;
    }
    let server = Server::start();
    let rule = Rule::new(&server.url("/")).unwrap();
    let rule = rule
        .methods(["GET", "HEAD", "POST", "PUT", "DELETE"])
        .unwrap();
    let policy = Policy::default().allow(rule);
    let sandbox = Sandbox::builder()
        .network(policy)
        .unwrap()
        .build_blocking()
        .unwrap();
    let mut differing = Vec::new();
    for line in LINES {
        let line = line
            .replace("URL", &server.url(""))
            .replace("PORT", &server.port.to_string());
        let folder = tempfile::tempdir().unwrap();
        let expected = Command::new("bash")
            .args(["-c", &line])
            .current_dir(folder.path())
            .env_clear()
            .env("PATH", "/usr/bin:/bin")
            .output()
            .unwrap();
        let expected = String::from_utf8_lossy(&expected.stdout).into_owned();
        let found = sandbox.fork().exec(line.as_str()).unwrap();
        if found.stdout_text() != expected {
            let stderr = found.stderr_text();
            differing.push(format!(
                "{line}\nreal: {expected}\nours: {}{stderr}\n",
                found.stdout_text()
            ));
        }
    }
    assert!(differing.is_empty(), "{}", differing.join("\n"));
}

#[test]
fn without_a_policy_they_say_that_there_is_no_network() {
    let sandbox = Sandbox::new().unwrap();
    let result = sandbox
        .exec("curl -sS http://10.0.0.1/; echo $?; wget -nv http://10.0.0.1/; echo $?; command -v curl")
        .unwrap();
    assert_eq!(result.stdout_text(), "7\n4\n/usr/bin/curl\n");
    assert_eq!(
        result.stderr_text(),
        "curl: (7) this sandbox has no network\nwget: (4) this sandbox has no network\n"
    );
    let result = sandbox
        .exec("curl --help | head -1; wget --help | head -1")
        .unwrap();
    assert_eq!(
        result.stdout_text(),
        "Usage: curl [options...] <url>\nUsage: wget [OPTION]... [URL]...\n"
    );
}

#[test]
fn a_killed_curl_ends_its_request() {
    let server = Server::start();
    let policy = Policy::default().allow(Rule::new(&server.url("/")).unwrap());
    let sandbox = Sandbox::builder()
        .network(policy)
        .unwrap()
        .build_blocking()
        .unwrap();
    let script = format!(
        "timeout 0.2 curl -s {}; echo $?; curl -s {} | head -c 5",
        server.url("/slow"),
        server.url("/endless")
    );
    let result = sandbox.exec(script.as_str()).unwrap();
    assert_eq!(
        result.stdout_text(),
        "x".repeat(result.stdout.len() - 9) + "124\nxxxxx"
    );
}
