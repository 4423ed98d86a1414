//! T34 to T37: secrets that must not get in, addresses that must not be reached, answers without end.

use super::server::Server;
use offshoot::blocking::Sandbox;
use offshoot::network::{Limits, Policy, Rule, Secret};
use offshoot_network::{Client, Request};
use std::time::Duration;

const VALUE: &str = "s3cr3t-Va1ue";

fn sandbox(policy: Policy) -> Sandbox {
    Sandbox::builder()
        .network(policy)
        .unwrap()
        .build_blocking()
        .unwrap()
}

fn everything() -> Policy {
    let rules = ["http://*", "https://*"].map(|origin| Rule::new(origin).unwrap());
    let [http, https] = rules;
    Policy::default().allow(http).allow(https)
}

#[test]
fn t34_a_secret_is_added_outside_and_never_seen_inside() {
    let (server, other) = (Server::start(), Server::start());
    let all = |server: &Server| {
        let methods = ["GET", "POST"];
        Rule::new(&server.url("/"))
            .unwrap()
            .methods(methods)
            .unwrap()
    };
    let policy = Policy::default()
        .allow(all(&server))
        .allow(all(&other))
        .secret(Secret::header(&server.url("/"), "authorization", VALUE).unwrap())
        .secret(Secret::placeholder(&server.url("/"), "PLACE-1", "an0ther-0ne").unwrap());
    let sandbox = sandbox(policy);
    let (here, there) = (server.url(""), other.url(""));
    let script = format!(
        "curl -s {here}/echo -H 'Authorization: mine' -H 'X-Key: key PLACE-1.' | tee file
        curl -sv {here}/echo -H 'Accept-Encoding: gzip' -o second 2>log
        curl -sL {here}/redirect/302/{there}/echo -H 'X-Key: PLACE-1' -o third
        curl -s {there}/echo -H 'X-Key: PLACE-1' -o fourth
        curl -s {here}/echo?PLACE-1 -d PLACE-1 -o fifth
        env; set; cat file second log third fourth fifth"
    );
    let result = sandbox.exec(script.as_str()).unwrap();
    let seen = result.stdout_text() + result.stderr_text();
    assert!(
        !seen.contains(VALUE) && !seen.contains("an0ther-0ne"),
        "{seen}"
    );
    assert!(seen.contains("authorization: [secret]"), "{seen}");
    assert!(seen.contains("x-key: key PLACE-1."), "{seen}");
    let requests = server.requests();
    assert!(
        requests[0].contains("authorization: s3cr3t-Va1ue\n"),
        "{}",
        requests[0]
    );
    assert!(
        requests[0].contains("x-key: key an0ther-0ne.\n"),
        "{}",
        requests[0]
    );
    assert!(
        requests[1].contains("accept-encoding: identity\n"),
        "{}",
        requests[1]
    );
    // Neither in a URL nor in a body, and not for another origin.
    assert!(!requests.last().unwrap().contains("an0ther-0ne"));
    for request in other.requests() {
        assert!(
            !request.contains(VALUE) && !request.contains("an0ther-0ne"),
            "{request}"
        );
    }
}

#[test]
fn t34_no_form_of_a_secret_comes_back() {
    let server = Server::start();
    let (url, token) = (server.url("/"), "t0ken/Va1ue-42");
    let value = format!("Bearer {token}");
    let policy = Policy::default()
        .allow(Rule::new(&url).unwrap())
        .secret(Secret::header(&url, "authorization", &value).unwrap());
    let sandbox = sandbox(policy);
    let here = server.url("");
    let seen = sandbox.exec(format!("curl -si {here}/coded")).unwrap();
    let (text, hex) = (seen.stdout_text(), "74306b656e2f");
    assert!(text.starts_with("HTTP/1.1 200"), "{text}");
    for form in [token, "t0ken%2FVa1ue-42", hex, "Va1ue-42"] {
        let lower = text.to_lowercase();
        assert!(!lower.contains(&form.to_lowercase()), "{form} in {text}");
    }
    assert!(text.contains("[secret]\n[secret]\n[secret]\n"), "{text}");
    let refused = sandbox.exec(format!("curl -sS {here}/gzip")).unwrap();
    assert!(!refused.success() && refused.stdout.is_empty());
    let said = refused.stderr_text();
    assert!(said.contains("encoding"), "{said}");
}

#[test]
fn t35_the_hosts_own_networks_are_out_of_reach() {
    let server = Server::start();
    let port = server.port;
    let hosts = [
        "127.0.0.1",
        "localhost",
        "localhost.",
        "2130706433",
        "0x7f000001",
        "0177.0.0.1",
        "127.1",
        "0",
        "0.0.0.0",
        "[::1]",
        "[::]",
        "[::ffff:127.0.0.1]",
        "[::ffff:7f00:1]",
        "[::127.0.0.1]",
        "[64:ff9b::127.0.0.1]",
        "[2002:7f00:1::]",
        "169.254.169.254",
        "[fe80::1]",
        "[fd00:ec2::254]",
        "①②⑦.⓪.⓪.①",
        "ｌｏｃａｌｈｏｓｔ",
        "user@127.0.0.1",
        "public.example@localhost",
    ];
    let ports = ["80", &port.to_string()].map(str::to_owned);
    let rules = ports
        .iter()
        .map(|port| Rule::new(&format!("http://*:{port}")).unwrap());
    let policy = rules.fold(Policy::default(), Policy::allow);
    let sandbox = sandbox(policy);
    for host in hosts {
        let script = format!("curl -sS -g 'http://{host}:{port}/echo'");
        let result = sandbox.exec(script.as_str()).unwrap();
        assert_eq!(result.stdout_text(), "", "{host}");
        assert!(
            [3, 6, 7].contains(&result.exit_code),
            "{host}: {}",
            result.exit_code
        );
    }
    assert_eq!(server.requests(), Vec::<String>::new());
    // A redirect leads there no more than a URL does.
    let open = Server::start();
    let rules = [
        Rule::new(&open.url("/")).unwrap(),
        Rule::new(&format!("http://*:{port}")).unwrap(),
    ];
    let policy = rules.into_iter().fold(Policy::default(), Policy::allow);
    for host in ["127.0.0.1", "localhost", "[::ffff:127.0.0.1]"] {
        let script = format!(
            "curl -sSL -g '{}/redirect/302/http://{host}:{port}/echo'",
            open.url("")
        );
        let result = super::policy::sandbox(policy.clone())
            .exec(script.as_str())
            .unwrap();
        assert!(
            [6, 7].contains(&result.exit_code),
            "{host}: {}",
            result.stderr_text()
        );
    }
    assert_eq!(server.requests(), Vec::<String>::new());
    assert_eq!(open.requests().len(), 3);
}

#[test]
fn t35_a_name_that_may_be_internal_is_reached() {
    let server = Server::start();
    let url = format!("http://localhost:{}", server.port);
    let named = Policy::default().allow(Rule::new(&url).unwrap());
    let script = format!("curl -s {url}/text.txt");
    assert_eq!(
        sandbox(named).exec(script.as_str()).unwrap().stdout_text(),
        "some text\n"
    );
}

#[test]
fn t36_what_is_not_on_the_list_is_refused_before_anything_is_sent() {
    let server = Server::start();
    let port = server.port;
    let policy = Policy::default().allow(Rule::new(&server.url("/allowed/")).unwrap());
    let sandbox = sandbox(policy);
    let refused = [
        format!("http://127.0.0.1:{port}/"),
        format!("http://127.0.0.1:{port}/allowed/../echo"),
        format!("http://127.0.0.1:{port}/allowed/%2e%2e/echo"),
        format!("http://127.0.0.1:{port}/allowed/..%2fecho"),
        format!("http://127.0.0.1:{port}/allowed\\..\\echo"),
        format!("http://127.0.0.2:{port}/allowed/"),
        format!("https://127.0.0.1:{port}/allowed/"),
        "http://127.0.0.1/allowed/".to_owned(),
    ];
    for url in refused {
        let script = format!("curl -sS -g '{url}'");
        let result = sandbox.exec(script.as_str()).unwrap();
        assert_eq!(result.exit_code, 7, "{url}: {}", result.stderr_text());
        assert!(
            result.stderr_text().contains("the network policy refuses"),
            "{url}"
        );
    }
    let script = format!(
        "curl -s -X POST http://127.0.0.1:{port}/allowed/; echo $?
        curl -s -H 'Host: elsewhere' http://127.0.0.1:{port}/allowed/; echo $?"
    );
    assert_eq!(
        sandbox.exec(script.as_str()).unwrap().stdout_text(),
        "7\n3\n"
    );
    assert_eq!(server.requests(), Vec::<String>::new());
    let script = format!("curl -s http://127.0.0.1:{port}/allowed/x -o /dev/null; echo $?");
    assert_eq!(sandbox.exec(script.as_str()).unwrap().stdout_text(), "0\n");
}

#[test]
fn t37_answers_without_end_are_cut_off() {
    let server = Server::start();
    let mut limits = Limits::default();
    limits.response_bytes = 100_000;
    limits.request_bytes = 1000;
    limits.time = Duration::from_millis(500);
    let policy = Policy::default()
        .allow(
            Rule::new(&server.url("/"))
                .unwrap()
                .methods(["GET", "POST"])
                .unwrap(),
        )
        .limits(limits);
    let sandbox = sandbox(policy);
    let url = server.url("");
    let script = format!(
        "curl -s {url}/endless | wc -c; echo ${{PIPESTATUS[0]}}
        curl -s {url}/slow -o /dev/null; echo $?
        curl -s {url}/headers -o /dev/null; echo $?
        curl -s {url}/nonsense; echo $?
        head -c 2000 /dev/zero | curl -s --data-binary @- {url}/echo; echo $?
        curl -s {url}/text.txt"
    );
    let result = sandbox.exec(script.as_str()).unwrap();
    let lines: Vec<String> = result.stdout_text().lines().map(str::to_owned).collect();
    let bytes: usize = lines[0].trim().parse().unwrap();
    assert!(bytes <= 100_000 && bytes > 90_000, "{bytes}");
    assert_eq!(lines[1..], ["63", "28", "56", "56", "26", "some text"]);
}

#[test]
fn policies_only_narrow() {
    let server = Server::start();
    let one = Policy::default().allow(Rule::new(&server.url("/")).unwrap());
    let both = one.clone().narrowed(&everything());
    // The other policy names no address, so the host's own are refused.
    assert!(both.check("GET", &server.url("/")).is_err());
    let both = one.clone().narrowed(&one);
    assert!(both.check("GET", &server.url("/")).is_ok());
    assert!(
        one.narrowed(&Policy::default())
            .check("GET", &server.url("/"))
            .is_err()
    );
}

#[test]
fn a_client_works_without_an_executor_of_its_own() {
    let server = Server::start();
    let policy = Policy::default().allow(Rule::new(&server.url("/")).unwrap());
    let client = Client::new(policy).unwrap();
    let request = Request::new("GET".parse().unwrap(), &server.url("/text.txt")).unwrap();
    let body = futures::executor::block_on(async {
        client.send(request).await.unwrap().body().await.unwrap()
    });
    assert_eq!(body, b"some text\n");
}
