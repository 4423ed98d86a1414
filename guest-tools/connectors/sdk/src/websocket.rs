//! WebSockets.

use crate::bindings::offshoot::sandbox::websocket::{Connection, Failure};
use crate::{Code, Error, Result};

pub use crate::bindings::offshoot::sandbox::websocket::Message;

/// A connection that both sides send messages over; dropping it ends it.
///
/// ```no_run
/// use offshoot_connector::websocket::{Message, WebSocket};
/// # fn main() -> offshoot_connector::Result<()> {
/// let socket = WebSocket::connect("wss://api.example.com/terminal", &[])?;
/// socket.send(&Message::Text("ls\n".to_owned()))?;
/// while let Some(message) = socket.receive()? {
///     drop(message);
/// }
/// # Ok(()) }
/// ```
#[derive(Debug)]
pub struct WebSocket(Connection);

impl WebSocket {
    /// Connects to a `ws` or `wss` URL, whose origin the manifest names with `http` or `https`.
    ///
    /// # Errors
    /// [`Code::PolicyDenied`] for a URL that is not on the host's list, [`Code::Timeout`], [`Code::Limit`], and
    /// [`Code::Died`] where nobody answers, or with something else.
    pub fn connect(url: &str, headers: &[(String, String)]) -> Result<WebSocket> {
        let connected = Connection::connect(url, headers);
        connected.map(WebSocket).map_err(told)
    }

    /// Sends a message. A stand-in for a token in a text becomes the token on its way, where the manifest says
    /// that the token is used there.
    ///
    /// # Errors
    /// As [`WebSocket::connect`].
    pub fn send(&self, message: &Message) -> Result<()> {
        self.0.send(message).map_err(told)
    }

    /// The next message; nothing where the other side ended the connection. Waits.
    ///
    /// # Errors
    /// As [`WebSocket::connect`].
    pub fn receive(&self) -> Result<Option<Message>> {
        self.0.receive().map_err(told)
    }
}

fn told(failure: Failure) -> Error {
    let (code, message) = match failure {
        Failure::Denied => (
            Code::PolicyDenied,
            "the host does not let it connect there".to_owned(),
        ),
        Failure::Refused(status) => {
            let message =
                format!("the service answered with status {status} in place of a WebSocket");
            (Code::Died, message)
        }
        Failure::Broken => (Code::Died, "the WebSocket broke off".to_owned()),
        Failure::Timeout => (Code::Timeout, "the WebSocket's time is up".to_owned()),
        Failure::TooLarge => (
            Code::Limit,
            "limit reached: what a WebSocket says".to_owned(),
        ),
    };
    Error::new(code, message)
}
