//! Secrets of the host are nowhere that they have no business to be: not in files, output, snapshots,
//! references, exports, errors or the store.

use super::server::Server;
use offshoot::backend::{Exec, Factory, Options, Registry, StoredFactory};
use offshoot::lifecycle::{Key, RefOptions, Sandboxes, Store};
use offshoot::network::{Policy, Rule, Secret};
use std::path::Path;
use std::sync::Arc;

/// What goes into headers, and what signs references.
const SECRETS: [&str; 3] = [
    "c4nary-Header-Va1ue",
    "c4nary-Placeh0lder",
    "c4nary-Reference-K3y",
];

/// Every form in which a secret could lie about.
fn forms() -> Vec<Vec<u8>> {
    let hex = |bytes: &[u8]| -> String { bytes.iter().map(|b| format!("{b:02x}")).collect() };
    let reversed = |text: &str| text.bytes().rev().collect::<Vec<u8>>();
    SECRETS
        .iter()
        .flat_map(|text| {
            // Without the ends, which depend on where it stands.
            let middle = &text.as_bytes()[3..text.len() - 3];
            [
                text.as_bytes().to_vec(),
                middle.to_vec(),
                hex(middle).into_bytes(),
                reversed(text),
            ]
        })
        .collect()
}

/// Everything that was seen, and where.
#[derive(Default)]
struct Seen(Vec<(String, Vec<u8>)>);

impl Seen {
    fn add(&mut self, place: impl Into<String>, bytes: impl AsRef<[u8]>) {
        self.0.push((place.into(), bytes.as_ref().to_vec()));
    }

    fn add_files(&mut self, directory: &Path) {
        for entry in std::fs::read_dir(directory).unwrap() {
            let path = entry.unwrap().path();
            match path.is_dir() {
                true => self.add_files(&path),
                false => self.add(path.display().to_string(), std::fs::read(&path).unwrap()),
            }
        }
    }

    fn is_clean(&self) {
        for (place, bytes) in &self.0 {
            for form in forms() {
                let found = bytes.windows(form.len()).any(|window| window == form);
                assert!(!found, "{place} holds {}", String::from_utf8_lossy(&form));
            }
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn no_secret_is_found_anywhere() {
    let server = Server::start();
    let directory = tempfile::tempdir().unwrap();
    let mut seen = Seen::default();
    let policy = Policy::default()
        .allow(Rule::new(&server.url("/")).unwrap())
        .secret(Secret::header(&server.url("/"), "authorization", SECRETS[0]).unwrap())
        .secret(Secret::placeholder(&server.url("/"), "PLACE-1", SECRETS[1]).unwrap());
    seen.add("the policy as text", format!("{policy:?}"));
    let sandboxes = Sandboxes::builder(Store::sqlite(directory.path().join("store")).unwrap())
        .reference_key(Key::derive(SECRETS[2].as_bytes()))
        .secret(SECRETS[0])
        .network(policy)
        .unwrap()
        .build();
    seen.add("the service as text", format!("{sandboxes:?}"));

    let factory = StoredFactory::new(sandboxes.clone());
    seen.add("the factory as text", format!("{factory:?}"));
    let registry = Registry::strict();
    registry.register(Arc::new(factory.clone())).unwrap();
    let sandbox = registry.open("virtual", Options::default()).await.unwrap();
    let url = server.url("/echo");
    let script = format!(
        "curl -s {url} -H 'X-Key: PLACE-1' | tee file; curl -sv {url} -o second 2>log
        curl -s {url} -H 'X-Key: PLACE-1' | base64 > encoded; env; set; cat second log encoded
        cat /proc/self/environ /proc/*/cmdline; curl -v http://127.0.0.1:1/; exit 7"
    );
    let result = sandbox.exec(Exec::new(script)).await.unwrap();
    assert!(
        result.stdout_text().contains("[secret]"),
        "{}",
        result.stdout_text()
    );
    let sent = server.requests();
    assert!(
        sent[0].contains(SECRETS[0]) && sent[0].contains(SECRETS[1]),
        "{}",
        sent[0]
    );
    seen.add("output", &result.stdout);
    seen.add("errors of commands", &result.stderr);
    for file in ["file", "second", "log", "encoded"] {
        seen.add(file, sandbox.read_file_buffer(file).await.unwrap());
    }

    let reference = sandbox.reference().await.unwrap();
    seen.add("a reference", reference.to_string());
    let attached = registry
        .attach(&reference, Options::default())
        .await
        .unwrap();
    seen.add("the sandbox as text", format!("{sandbox:?} {attached:?}"));
    attached.cleanup().await.unwrap();
    let list = sandboxes.list(&[], None, 10).await.unwrap();
    seen.add("the list", format!("{list:?}"));
    let name = list[0].name.clone();
    sandboxes.snapshots(&name).take("kept").await.unwrap();
    seen.add(
        "what it knows of the sandbox",
        format!("{:?}", sandboxes.get(&name).await),
    );
    let text = sandboxes
        .references()
        .issue(&name, RefOptions::new())
        .await
        .unwrap();
    let mut forged = text.clone();
    forged.insert(forged.len() - 4, '0');
    seen.add(
        "a refusal",
        format!(
            "{:?}",
            sandboxes.references().attach(&forged).await.unwrap_err()
        ),
    );
    sandbox.suspend().await.unwrap();
    let export = directory.path().join("export");
    sandboxes
        .export(&name, std::fs::File::create(export).unwrap())
        .await
        .unwrap();

    // The store declines a file with a declared secret, and says so without it.
    sandbox.resume().await.unwrap();
    sandbox
        .write_file("leak", SECRETS[0].as_bytes())
        .await
        .unwrap();
    let error = sandbox.suspend().await.unwrap_err();
    seen.add("the refusal to store", format!("{error:?} {error}"));
    let error = factory
        .attach("no reference", Options::default())
        .await
        .unwrap_err();
    seen.add("the refusal to attach", format!("{error:?} {error}"));
    seen.add_files(directory.path());
    assert!(seen.0.len() > 15);
    seen.is_clean();
}
