//! Secure connections.

use std::sync::Arc;

use rustls::crypto::CryptoProvider;
use rustls::pki_types::CertificateDer;
use rustls::{ClientConfig, RootCertStore};
use rustls_platform_verifier::Verifier;

use crate::error::{Error, Result};

/// Trusts the host's roots and `roots`, and speaks one of the protocols. A host without any root reaches no
/// `https` origin.
pub(crate) fn config(roots: &[Vec<u8>], protocols: &[&str]) -> Result<ClientConfig> {
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let builder = ClientConfig::builder_with_provider(Arc::clone(&provider))
        .with_safe_default_protocol_versions()
        .map_err(|error| unavailable(&error))?;
    let own = roots.iter().map(|der| CertificateDer::from(der.clone()));
    let mut config = match verifier(own, provider) {
        Ok(verifier) => builder
            .dangerous()
            .with_custom_certificate_verifier(Arc::new(verifier))
            .with_no_client_auth(),
        Err(_) => builder
            .with_root_certificates(RootCertStore::empty())
            .with_no_client_auth(),
    };
    let protocols = protocols.iter().map(|name| name.as_bytes().to_vec());
    config.alpn_protocols = protocols.collect();
    Ok(config)
}

fn verifier(
    own: impl Iterator<Item = CertificateDer<'static>>,
    provider: Arc<CryptoProvider>,
) -> std::result::Result<Verifier, rustls::Error> {
    Verifier::new_with_extra_roots(own, provider)
}

fn unavailable(error: &rustls::Error) -> Error {
    Error::Unavailable {
        reason: error.to_string(),
    }
}
