//! WebSockets of components: judged by the policy, dressed with credentials, limited.

use http::{HeaderMap, HeaderName, HeaderValue, Method};
use offshoot_network::{Error as NetworkError, Message, Request, WebSocket};
use wasmtime::component::Resource;

use crate::bindings::websocket::{self, Failure, Host, HostConnection};
use crate::guest::Guest;
use crate::outgoing::Way;

/// A connection of an instance.
#[derive(Debug)]
pub struct Connection {
    socket: WebSocket,
}

type Answer<T> = wasmtime::Result<Result<T, Failure>>;

impl Host for Guest {}

impl HostConnection for Guest {
    async fn connect(
        &mut self,
        url: String,
        headers: Vec<(String, String)>,
    ) -> Answer<Resource<Connection>> {
        let Some(way) = self.way() else {
            return Ok(Err(Failure::Denied));
        };
        Ok(match connected(&way, &url, &headers).await {
            Ok(socket) => Ok(self.table().push(Connection { socket })?),
            Err(failure) => Err(failure),
        })
    }

    async fn send(
        &mut self,
        connection: Resource<Connection>,
        message: websocket::Message,
    ) -> Answer<()> {
        let Some(way) = self.way() else {
            return Ok(Err(Failure::Denied));
        };
        let (message, secrets) = match message {
            websocket::Message::Text(text) => {
                let secrets = way.vault.named_by(&text);
                (Message::Text(text), secrets)
            }
            websocket::Message::Binary(bytes) => (Message::Binary(bytes.into()), Vec::new()),
        };
        let connection = self.table().get_mut(&connection)?;
        let sent = connection.socket.send(message, secrets).await;
        Ok(sent.map_err(|error| failure(&error)))
    }

    async fn receive(
        &mut self,
        connection: Resource<Connection>,
    ) -> Answer<Option<websocket::Message>> {
        let connection = self.table().get_mut(&connection)?;
        let received = connection.socket.receive().await;
        let told = |message| match message {
            Message::Text(text) => websocket::Message::Text(text),
            Message::Binary(bytes) => websocket::Message::Binary(bytes.into()),
        };
        Ok(received
            .map(|message| message.map(told))
            .map_err(|error| failure(&error)))
    }

    async fn drop(&mut self, connection: Resource<Connection>) -> wasmtime::Result<()> {
        self.table().delete(connection)?;
        Ok(())
    }
}

async fn connected(
    way: &Way,
    url: &str,
    headers: &[(String, String)],
) -> Result<WebSocket, Failure> {
    // The policy has origins of HTTP, and one parser reads what it judges.
    let rest = url.strip_prefix("ws").ok_or(Failure::Denied)?;
    let mut request =
        Request::new(Method::GET, &format!("http{rest}")).map_err(|error| failure(&error))?;
    let mut all = HeaderMap::new();
    for (name, value) in headers {
        let name = HeaderName::try_from(name).map_err(|_| Failure::Denied)?;
        let value = HeaderValue::try_from(value).map_err(|_| Failure::Denied)?;
        all.append(name, value);
    }
    request.headers = all;
    for token in way.vault.named_in(&request.headers) {
        request = request.secret(token);
    }
    let connected = way.client.websocket(request).await;
    connected.map_err(|error| failure(&error))
}

/// What the component is told.
fn failure(error: &NetworkError) -> Failure {
    match error {
        NetworkError::Denied { .. }
        | NetworkError::Address { .. }
        | NetworkError::Invalid { .. } => Failure::Denied,
        NetworkError::NoWebSocket { status, .. } => Failure::Refused(*status),
        NetworkError::Timeout { .. } => Failure::Timeout,
        NetworkError::TooLarge { .. } => Failure::TooLarge,
        _ => Failure::Broken,
    }
}
