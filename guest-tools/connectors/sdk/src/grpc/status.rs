//! How a call went wrong.

use crate::{Code, Error};

/// The header and trailer with the status.
pub(super) const GRPC_STATUS: &str = "grpc-status";
/// The one with what it says to people.
pub(super) const GRPC_MESSAGE: &str = "grpc-message";

/// What a call gives.
pub type Result<T> = std::result::Result<T, Failure>;

/// Why a call failed.
#[derive(Debug, Clone)]
pub struct Failure {
    /// What the service said, where it did.
    pub status: Option<Status>,
    /// The same as an error of the contract.
    pub error: Error,
}

/// How a service names what went wrong.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[allow(missing_docs, reason = "the names are those of gRPC")]
#[non_exhaustive]
pub enum Status {
    Cancelled,
    Unknown,
    InvalidArgument,
    DeadlineExceeded,
    NotFound,
    AlreadyExists,
    PermissionDenied,
    ResourceExhausted,
    FailedPrecondition,
    Aborted,
    OutOfRange,
    Unimplemented,
    Internal,
    Unavailable,
    DataLoss,
    Unauthenticated,
}

impl Status {
    const ALL: [Status; 16] = [
        Status::Cancelled,
        Status::Unknown,
        Status::InvalidArgument,
        Status::DeadlineExceeded,
        Status::NotFound,
        Status::AlreadyExists,
        Status::PermissionDenied,
        Status::ResourceExhausted,
        Status::FailedPrecondition,
        Status::Aborted,
        Status::OutOfRange,
        Status::Unimplemented,
        Status::Internal,
        Status::Unavailable,
        Status::DataLoss,
        Status::Unauthenticated,
    ];

    /// The status of a number; 0 is none, and what is not known is [`Status::Unknown`].
    fn numbered(number: u32) -> Option<Status> {
        let place = usize::try_from(number.checked_sub(1)?).unwrap_or(usize::MAX);
        Some(Status::ALL.get(place).copied().unwrap_or(Status::Unknown))
    }

    /// The code that it stands for.
    pub fn code(self) -> Code {
        match self {
            Status::NotFound => Code::NotFound,
            Status::AlreadyExists | Status::FailedPrecondition | Status::Aborted => Code::Conflict,
            Status::InvalidArgument | Status::OutOfRange => Code::Invalid,
            Status::PermissionDenied | Status::Unauthenticated => Code::PolicyDenied,
            Status::ResourceExhausted => Code::Limit,
            Status::DeadlineExceeded => Code::Timeout,
            Status::Unimplemented => Code::Capability,
            Status::Unavailable => Code::SandboxUnavailable,
            Status::DataLoss => Code::Corrupt,
            Status::Cancelled | Status::Unknown | Status::Internal => Code::Died,
        }
    }

    /// What HTTP's status stands for, where a service gave no other.
    pub(super) fn of_http(status: u16) -> Status {
        match status {
            400 => Status::Internal,
            401 => Status::Unauthenticated,
            403 => Status::PermissionDenied,
            404 => Status::Unimplemented,
            429 | 502..=504 => Status::Unavailable,
            _ => Status::Unknown,
        }
    }

    pub(super) fn failure(self, message: String) -> Failure {
        let error = Error::new(self.code(), message);
        let later = matches!(self, Status::Unavailable | Status::ResourceExhausted);
        Failure {
            status: Some(self),
            error: if later { error.again() } else { error },
        }
    }
}

impl From<Error> for Failure {
    fn from(error: Error) -> Failure {
        Failure {
            status: None,
            error,
        }
    }
}

impl From<Failure> for Error {
    fn from(failure: Failure) -> Error {
        failure.error
    }
}

/// What headers or trailers say of the end; nothing where they say nothing.
pub(super) fn ended(fields: &[(String, Vec<u8>)]) -> Option<Result<()>> {
    let field = |wanted: &str| {
        let found = fields.iter().find(|(name, _)| name == wanted);
        found.map(|(_, value)| String::from_utf8_lossy(value).into_owned())
    };
    let number = field(GRPC_STATUS)?;
    // What is no number stands for a status that is not known.
    let status = Status::numbered(number.trim().parse().unwrap_or(u32::MAX));
    Some(match status {
        None => Ok(()),
        Some(status) => {
            let message = unescaped(&field(GRPC_MESSAGE).unwrap_or_default());
            Err(status.failure(format!("{status:?}: {message}")))
        }
    })
}

/// A message without its `%XX`; a `%` that stands for nothing stays.
fn unescaped(text: &str) -> String {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let [first, after @ ..] = rest {
        let code = after.first_chunk::<2>().and_then(|digits| {
            let digits = std::str::from_utf8(digits).ok()?;
            u8::from_str_radix(digits, 16).ok()
        });
        match (first, code) {
            (b'%', Some(byte)) => {
                bytes.push(byte);
                rest = &after[2..];
            }
            _ => {
                bytes.push(*first);
                rest = after;
            }
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fields(pairs: &[(&str, &str)]) -> Vec<(String, Vec<u8>)> {
        let owned = |(name, value): &(&str, &str)| ((*name).to_owned(), value.as_bytes().to_vec());
        pairs.iter().map(owned).collect()
    }

    #[test]
    fn a_status_is_an_error_with_its_message() {
        assert!(ended(&fields(&[("other", "1")])).is_none());
        assert!(ended(&fields(&[("grpc-status", "0")])).unwrap().is_ok());
        for (number, status, code, again) in [
            ("3", Status::InvalidArgument, Code::Invalid, false),
            ("5", Status::NotFound, Code::NotFound, false),
            ("8", Status::ResourceExhausted, Code::Limit, true),
            ("14", Status::Unavailable, Code::SandboxUnavailable, true),
            ("16", Status::Unauthenticated, Code::PolicyDenied, false),
            ("17", Status::Unknown, Code::Died, false),
            ("x", Status::Unknown, Code::Died, false),
        ] {
            let told = fields(&[("grpc-status", number), ("grpc-message", "n%C3%B6 100%")]);
            let failure = ended(&told).unwrap().unwrap_err();
            assert_eq!(failure.status, Some(status));
            assert_eq!((failure.error.code, failure.error.retryable), (code, again));
            assert_eq!(failure.error.message, format!("{status:?}: nö 100%"));
        }
    }
}
