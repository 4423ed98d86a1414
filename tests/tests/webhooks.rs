//! Events by signed webhook: a server that fails, is slow to come, and checks what it is sent.

use offshoot::Sandbox;
use offshoot::lifecycle::{Origin, Sandboxes, Store, Webhook, verify_webhook};
use std::io::{BufRead, BufReader, Write};
use std::net::TcpListener;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

const SECRET: &[u8] = b"a secret of both";

/// What a server was sent: sandbox, number, kind.
type Taken = Arc<Mutex<Vec<(String, u64, String)>>>;

struct Server {
    url: String,
    taken: Taken,
    refused: Arc<AtomicUsize>,
}

/// Answers with a failure as long as `refuse` says so for the count of the request.
fn server(refuse: fn(usize) -> bool) -> Server {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}/hook", listener.local_addr().unwrap());
    let (taken, refused) = (Taken::default(), Arc::<AtomicUsize>::default());
    let (list, failures) = (Arc::clone(&taken), Arc::clone(&refused));
    std::thread::spawn(move || {
        let count = Arc::new(AtomicUsize::new(0));
        for stream in listener.incoming() {
            let (list, failures, count) = (list.clone(), failures.clone(), count.clone());
            std::thread::spawn(move || {
                let stream = stream.unwrap();
                let mut reader = BufReader::new(stream.try_clone().unwrap());
                while let Some((signature, body)) = request(&mut reader) {
                    let minute = Duration::from_secs(60);
                    assert!(verify_webhook(SECRET, &signature, &body, minute));
                    let fails = refuse(count.fetch_add(1, Ordering::SeqCst));
                    let status = match fails {
                        true => {
                            failures.fetch_add(1, Ordering::SeqCst);
                            "503 Service Unavailable"
                        }
                        false => {
                            let event: serde_json::Value = serde_json::from_slice(&body).unwrap();
                            list.lock().unwrap().push((
                                event["sandbox"].as_str().unwrap().to_owned(),
                                event["sequence"].as_u64().unwrap(),
                                event["kind"].as_str().unwrap().to_owned(),
                            ));
                            "204 No Content"
                        }
                    };
                    let answer = format!("HTTP/1.1 {status}\r\nContent-Length: 0\r\n\r\n");
                    if (&stream).write_all(answer.as_bytes()).is_err() {
                        return;
                    }
                }
            });
        }
    });
    Server {
        url,
        taken,
        refused,
    }
}

/// The signature and the body of a request; none at the end of the connection.
fn request(reader: &mut impl BufRead) -> Option<(String, Vec<u8>)> {
    let (mut signature, mut length, mut line) = (String::new(), 0, String::new());
    reader.read_line(&mut line).ok().filter(|read| *read > 0)?;
    assert!(line.starts_with("POST /hook "), "{line}");
    loop {
        line.clear();
        reader.read_line(&mut line).ok()?;
        let Some((name, value)) = line.trim().split_once(": ") else {
            break;
        };
        match name.to_ascii_lowercase().as_str() {
            "offshoot-signature" => signature = value.to_owned(),
            "content-length" => length = value.parse().unwrap(),
            _ => {}
        }
    }
    let mut body = vec![0; length];
    reader.read_exact(&mut body).ok()?;
    Some((signature, body))
}

fn service(directory: &tempfile::TempDir, url: &str) -> Sandboxes {
    let store = Store::sqlite(directory.path()).unwrap();
    let builder = Sandboxes::builder(store);
    builder.webhook(Webhook::new(url, SECRET)).unwrap().build()
}

async fn taken(server: &Server, count: usize) -> Vec<(String, u64, String)> {
    for _ in 0..6000 {
        let taken = server.taken.lock().unwrap().clone();
        if taken.len() >= count {
            return taken;
        }
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    panic!("{:?}", server.taken.lock().unwrap());
}

#[tokio::test(flavor = "multi_thread")]
async fn events_arrive_signed_and_in_order_although_the_server_fails() {
    let directory = tempfile::tempdir().unwrap();
    // The first, and then one now and then: each is told again.
    let server = server(|count| count == 0 || count == 3);
    let sandboxes = service(&directory, &server.url);
    let template = || Origin::template(Sandbox::builder());
    for name in ["one", "two"] {
        sandboxes.create(name, template()).await.unwrap();
        sandboxes.exec(name, "echo x > file").await.unwrap();
        sandboxes.suspend(name).await.unwrap();
    }
    sandboxes.delete("one").await.unwrap();
    let all = taken(&server, 7).await;
    assert!(server.refused.load(Ordering::SeqCst) >= 2);
    for (name, kinds) in [
        ("one", &["created", "resumed", "hibernated", "deleted"][..]),
        ("two", &["created", "resumed", "hibernated"]),
    ] {
        // At least once: what is told again is known by its number.
        let mut of_it: Vec<_> = all.iter().filter(|(sandbox, ..)| sandbox == name).collect();
        of_it.dedup();
        let numbers: Vec<u64> = of_it.iter().map(|(_, number, _)| *number).collect();
        assert_eq!(numbers, (0..kinds.len() as u64).collect::<Vec<_>>());
        let told: Vec<&str> = of_it.iter().map(|(.., kind)| kind.as_str()).collect();
        assert_eq!(told, kinds);
    }
}

/// What nobody could take is in the store, and the next process tells it.
#[tokio::test(flavor = "multi_thread")]
async fn a_restart_loses_no_event() {
    let directory = tempfile::tempdir().unwrap();
    let down = {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        format!("http://{}/hook", listener.local_addr().unwrap())
    };
    let first = service(&directory, &down);
    let template = Origin::template(Sandbox::builder());
    first.create("box", template).await.unwrap();
    first.exec("box", ":").await.unwrap();
    first.suspend("box").await.unwrap();
    assert!(first.maintenance().deliver_events("box").await.is_err());
    drop(first);
    let server = server(|_| false);
    let next = service(&directory, &server.url);
    // Without anything else happening to it; what was put off is due later.
    next.maintenance().deliver_events("box").await.unwrap();
    let told: Vec<_> = taken(&server, 3).await;
    let told: Vec<_> = told.into_iter().map(|(.., kind)| kind).collect();
    assert_eq!(told, ["created", "resumed", "hibernated"]);
}

#[test]
fn what_is_no_server_is_refused() {
    for url in ["", "file:///etc/passwd", "http://user:pass@host/"] {
        let builder = Sandboxes::builder(Store::memory());
        let refused = builder.webhook(Webhook::new(url, SECRET)).err();
        assert!(refused.is_some(), "{url}");
    }
    let shown = format!("{:?}", Webhook::new("https://example.com/", SECRET));
    assert!(!shown.contains("secret of both"), "{shown}");
}
