//! Secure connections.

use std::sync::Arc;

use rustls::crypto::CryptoProvider;
use rustls::pki_types::CertificateDer;
use rustls::{ClientConfig, RootCertStore};
use rustls_platform_verifier::Verifier;

use crate::error::{Error, Result};

/// Trusts the host's roots and `roots`. A host without any reaches no `https` origin.
pub(crate) fn config(roots: &[Vec<u8>]) -> Result<ClientConfig> {
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
    config.alpn_protocols = vec![b"h2".to_vec(), b"http/1.1".to_vec()];
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
