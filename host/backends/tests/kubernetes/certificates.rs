//! An authority that only one test trusts, and what it signs.

use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, PrivateKeyDer};
use rustls::server::WebPkiClientVerifier;
use rustls::{RootCertStore, ServerConfig};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;
use tokio_rustls::TlsAcceptor;

/// The certificates of an authority, a server and a client, with their keys.
pub struct Certificates(tempfile::TempDir);

impl Certificates {
    /// Makes them with the program `openssl`.
    pub fn new() -> Certificates {
        let made = Certificates(tempfile::tempdir().unwrap());
        made.openssl("req -x509 -days 2 -subj /CN=authority", "authority", "");
        made.sign("server", "subjectAltName=IP:127.0.0.1");
        made.sign("client", "extendedKeyUsage=clientAuth");
        made
    }

    fn sign(&self, name: &str, extension: &str) {
        let extensions = self.path(&format!("{name}.ext"));
        std::fs::write(
            &extensions,
            format!("basicConstraints=CA:FALSE\n{extension}\n"),
        )
        .unwrap();
        self.openssl(&format!("req -subj /CN={name}"), name, "");
        let lead = format!("x509 -req -days 2 -in {}", self.file(name, "pem"));
        let more = format!(
            "-CA {} -CAkey {} -CAcreateserial -extfile {}",
            self.file("authority", "pem"),
            self.file("authority", "key"),
            extensions.display()
        );
        self.openssl(&lead, name, &more);
    }

    fn openssl(&self, lead: &str, name: &str, more: &str) {
        let mut command = Command::new("openssl");
        command.args(lead.split(' '));
        if lead.starts_with("req") {
            command.args("-newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -keyout".split(' '));
            command.arg(self.file(name, "key"));
        }
        command.args(more.split_whitespace());
        let made = command.arg("-out").arg(self.file(name, "pem")).output();
        let made = made.unwrap();
        assert!(
            made.status.success(),
            "{}",
            String::from_utf8_lossy(&made.stderr)
        );
    }

    fn path(&self, file: &str) -> PathBuf {
        self.0.path().join(file)
    }

    /// The file with a certificate (`pem`) or its key (`key`).
    pub fn file(&self, name: &str, kind: &str) -> String {
        self.path(&format!("{name}.{kind}")).display().to_string()
    }

    /// Takes connections of those alone whom the authority knows.
    pub fn acceptor(&self) -> TlsAcceptor {
        let read = |name: &str| CertificateDer::from_pem_file(self.file(name, "pem")).unwrap();
        let key = PrivateKeyDer::from_pem_file(Path::new(&self.file("server", "key"))).unwrap();
        let mut known = RootCertStore::empty();
        known.add(read("authority")).unwrap();
        let clients = WebPkiClientVerifier::builder(Arc::new(known)).build();
        let config = ServerConfig::builder()
            .with_client_cert_verifier(clients.unwrap())
            .with_single_cert(vec![read("server")], key);
        TlsAcceptor::from(Arc::new(config.unwrap()))
    }
}
