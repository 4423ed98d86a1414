//! What can go wrong when an endpoint is opened or served.

/// An endpoint could not be opened, or ended.
///
/// What a single request meets is answered in the protocol's own form and never appears here.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The store failed, or holds what cannot be read.
    #[error(transparent)]
    Sandboxes(#[from] offshoot::Error),
    /// The listener failed.
    #[error("listener: {0}")]
    Listener(#[from] std::io::Error),
    /// An argument has no meaning.
    #[error("{0}")]
    Invalid(&'static str),
}

impl Error {
    /// The stable code, such as `DIED`; those of [`offshoot::Code`].
    pub fn code(&self) -> &'static str {
        match self {
            Error::Sandboxes(error) => error.code().as_str(),
            Error::Listener(_) => "DIED",
            Error::Invalid(_) => "INVALID",
        }
    }
}

/// The result of opening or serving an endpoint.
pub type Result<T> = std::result::Result<T, Error>;
