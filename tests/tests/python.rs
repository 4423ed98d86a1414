//! CPython inside a sandbox, against what CPython printed outside.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::path::Path;

use offshoot::Limits;
use offshoot::blocking::Sandbox;
use offshoot::network::{Policy, Rule};

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

/// Answers requests, one after the other; `answer` is given method, target and body.
fn server(answer: impl Fn(&str, &str, &[u8]) -> Vec<u8> + Send + 'static) -> SocketAddr {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    std::thread::spawn(move || {
        for stream in listener.incoming().flatten() {
            let _ = serve(&stream, &answer);
        }
    });
    address
}

fn serve(
    mut stream: &TcpStream,
    answer: &impl Fn(&str, &str, &[u8]) -> Vec<u8>,
) -> std::io::Result<()> {
    let mut reader = BufReader::new(stream);
    let mut first = String::new();
    reader.read_line(&mut first)?;
    let mut length = 0;
    loop {
        let mut line = String::new();
        reader.read_line(&mut line)?;
        if line.trim().is_empty() {
            break;
        }
        if let Some(value) = line.to_lowercase().strip_prefix("content-length:") {
            length = value.trim().parse().unwrap();
        }
    }
    let mut body = vec![0; length];
    reader.read_exact(&mut body)?;
    let (method, rest) = first.split_once(' ').unwrap();
    let content = answer(method, rest.split(' ').next().unwrap(), &body);
    let head = format!(
        "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: {}\r\nConnection: close\r\n\r\n",
        content.len()
    );
    stream.write_all(&[head.into_bytes(), content].concat())
}

#[test]
fn programs_reach_other_hosts_as_the_policy_allows() {
    if sandbox().is_none() {
        return;
    }
    // The address as IPv6 has it: 127.0.0.1 is the sandbox itself.
    let address = server(|method, target, body| {
        [method.as_bytes(), b" ", target.as_bytes(), b" ", body].concat()
    });
    let origin = format!("http://[::ffff:127.0.0.1]:{}", address.port());
    let rule = Rule::new(&origin)
        .unwrap()
        .methods(["GET", "POST"])
        .unwrap();
    let sandbox = Sandbox::builder()
        .user(commands::root_user())
        .network(Policy::default().allow(rule))
        .unwrap()
        .build_blocking()
        .unwrap();
    let script = r#"
import asyncio, http.client, urllib.error, urllib.parse, urllib.request
origin = "ORIGIN"
print(urllib.request.urlopen(origin + "/a%20b?c=d").read())
print(urllib.request.urlopen(origin + "/form", data=b"x" * 3).read())
host = urllib.parse.urlsplit(origin)
for secure in False, True:
    kind = http.client.HTTPSConnection if secure else http.client.HTTPConnection
    connection = kind(host.hostname, host.port)
    connection.request("PUT", "/put", body=b"body")
    answer = connection.getresponse()
    print(answer.status, answer.reason.rpartition(" ")[0])

async def main():
    reader, writer = await asyncio.open_connection(host.hostname, host.port)
    writer.write(b"GET /async HTTP/1.1\r\nHost: x\r\n\r\n")
    print((await reader.read()).rpartition(b"\n")[2])

asyncio.run(main())
try:
    urllib.request.urlopen("https://elsewhere.example/")
except urllib.error.HTTPError as error:
    print(error)
"#;
    sandbox
        .write_file("/tmp/a.py", script.replace("ORIGIN", &origin).as_bytes())
        .unwrap();
    let result = sandbox.exec("python3 /tmp/a.py").unwrap();
    assert_eq!(
        result.stdout_text(),
        "b'GET /a%20b?c=d '\nb'POST /form xxx'\n\
         403 the network policy refuses PUT\n403 the network policy refuses PUT\n\
         b'GET /async '\n\
         HTTP Error 403: the network policy refuses GET https://elsewhere.example\n",
        "{}",
        result.stderr_text()
    );
}

/// Makes a wheel in a sandbox, and gives its content.
fn wheel(sandbox: &Sandbox) -> Vec<u8> {
    let script = r#"python3 - <<'END'
import zipfile
with zipfile.ZipFile("demo-1.0-py3-none-any.whl", "w") as wheel:
    wheel.writestr("demo/__init__.py", "x = 42\n")
    about = "demo-1.0.dist-info/"
    wheel.writestr(about + "METADATA", "Metadata-Version: 2.1\nName: demo\nVersion: 1.0\n")
    wheel.writestr(about + "WHEEL", "Wheel-Version: 1.0\nGenerator: x\nRoot-Is-Purelib: true\nTag: py3-none-any\n")
    wheel.writestr(about + "RECORD", "".join(f"{one},,\n" for one in (*wheel.namelist(), about + "RECORD")))
END
"#;
    assert_eq!(sandbox.exec(script).unwrap().exit_code, 0);
    let path = "/root/demo-1.0-py3-none-any.whl";
    sandbox.read_file_buffer(path).unwrap()
}

#[test]
fn environments_and_wheels() {
    let Some(sandbox) = sandbox() else { return };
    wheel(&sandbox);
    let script = r#"
python3 -m venv v
. v/bin/activate
pip install -q --no-index --find-links . demo
python -c 'import demo, sys; print(demo.x, sys.prefix == demo.__file__.rpartition("/lib/")[0])'
deactivate
python3 -c 'import demo' 2>&1 | tail -1
pip install -q --user --no-index ./demo-1.0-py3-none-any.whl
python3 -c 'import demo; print(demo.__file__)'
pip list 2>/dev/null | tail -1
"#;
    let result = sandbox.exec(script).unwrap();
    assert_eq!(
        result.stdout_text(),
        "42 True\nModuleNotFoundError: No module named 'demo'\n\
         /root/.local/lib/python3.14/site-packages/demo/__init__.py\ndemo    1.0\n",
        "{}",
        result.stderr_text()
    );
}

#[test]
fn pip_installs_from_an_index_that_the_policy_allows() {
    let Some(outside) = sandbox() else { return };
    let content = wheel(&outside);
    let address = server(move |_, target, _| match target {
        "/simple/demo/" => b"<a href=/f/demo-1.0-py3-none-any.whl>demo</a>".to_vec(),
        _ => content.clone(),
    });
    let rule = Rule::new(&format!("http://{address}")).unwrap();
    let sandbox = Sandbox::builder()
        .user(commands::root_user())
        .network(Policy::default().allow(rule))
        .unwrap()
        .build_blocking()
        .unwrap();
    // 127.0.0.1 as one number: as four it is the sandbox itself.
    let script = format!(
        "pip install -q --user --trusted-host 2130706433 --index-url http://2130706433:{}/simple demo
        python3 -c 'import demo; print(demo.x)'",
        address.port()
    );
    let result = sandbox.exec(&script).unwrap();
    assert_eq!(result.stdout_text(), "42\n", "{}", result.stderr_text());
}

#[test]
fn connections_that_ended_leave_no_process() {
    if sandbox().is_none() {
        return;
    }
    // Beside six processes 96 may have ended unseen.
    let limits = Limits {
        processes: 6,
        ..Limits::default()
    };
    let sandbox = Sandbox::builder()
        .user(commands::root_user())
        .limits(limits)
        .build_blocking()
        .unwrap();
    let script = r#"python3 - <<'END'
import urllib.error, urllib.request
refused = 0
for _ in range(110):
    try:
        urllib.request.urlopen("http://192.0.2.1/")
    except urllib.error.HTTPError as error:
        refused += error.code == 403
        error.close()
print(refused)
END
"#;
    let result = sandbox.exec(script).unwrap();
    assert_eq!(result.stdout_text(), "110\n", "{}", result.stderr_text());
}
