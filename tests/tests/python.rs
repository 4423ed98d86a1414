//! CPython inside a sandbox, against what CPython printed outside.

use std::path::Path;

use offshoot::blocking::Sandbox;

use crate::commands;

fn sandbox() -> Option<Sandbox> {
    let sandbox = Sandbox::builder()
        .user(commands::root_user())
        .build_blocking()
        .unwrap();
    let found = sandbox.exec("command -v python3").unwrap();
    if found.exit_code != 0 {
        eprintln!("this build has no python3, so nothing was compared");
        return None;
    }
    Some(sandbox)
}

#[test]
fn scripts_print_what_cpython_prints() {
    let Some(sandbox) = sandbox() else { return };
    let package = Path::new(env!("CARGO_MANIFEST_DIR")).join("../guest-tools/python");
    let cases = commands::cases(&package.join("tests/cases.t"));
    commands::check(&sandbox, &cases);
}

#[test]
fn a_server_in_the_background_answers_the_shell() {
    let Some(sandbox) = sandbox() else { return };
    let script = "python3 -m http.server 8000 >/dev/null 2>&1 &
        until exec 3<>/dev/tcp/localhost/8000; do sleep 0.05; done 2>/dev/null
        printf 'GET /nowhere HTTP/1.0\\r\\n\\r\\n' >&3
        head -1 <&3
        awk '$4 == \"0A\" { sub(/.*:/, \"\", $2); print $2 }' /proc/net/tcp
        kill $!
        (exec 3<>/dev/tcp/1.1.1.1/80) 2>/dev/null || echo refused";
    let result = sandbox.exec(script).unwrap();
    let expected = "HTTP/1.0 404 File not found\r\n1F40\nrefused\n";
    assert_eq!(result.stdout_text(), expected, "{}", result.stderr_text());
}

#[test]
fn curl_and_wget_reach_what_listens_inside_and_nothing_else() {
    let Some(sandbox) = sandbox() else { return };
    let script = "mkdir www; echo page > www/f.txt; cd www; python3 -m http.server 8000 2>log &
        curl -sS --retry 500 --retry-connrefused --retry-delay 0.05 localhost:8000/f.txt
        wget -qO- \"http://$(hostname):8000/f.txt\"
        curl -s -o /dev/null -w '%{http_code}\\n' 'http://127.0.0.1:8000/a%20b?c=d'
        grep -o 'GET /a.*HTTP' log
        { kill $!; wait; } 2>/dev/null
        curl -sS http://localhost:8001/; echo $?
        curl -sS http://10.0.0.1:8000/; echo $?";
    let result = sandbox.exec(script).unwrap();
    assert_eq!(
        result.stdout_text(),
        "page\npage\n404\nGET /a%20b?c=d HTTP\n7\n7\n"
    );
    assert_eq!(
        result.stderr_text(),
        "curl: (7) Failed to connect to localhost port 8001: Connection refused\n\
         curl: (7) this sandbox has no network\n"
    );
}
