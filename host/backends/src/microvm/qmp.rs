//! QEMU's control protocol: a line of JSON each way.

use super::NAME;
use offshoot_backend::{Code, Error, Result};
use serde_json::{Value, json};
use std::path::Path;
use std::time::Duration;
use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader};
use tokio::net::UnixStream;

/// How long one answer may take.
const ANSWER: Duration = Duration::from_secs(60);

/// The control of one QEMU.
#[derive(Debug)]
pub(super) struct Qmp {
    stream: BufReader<UnixStream>,
    line: String,
    /// A call was given up before its answer came.
    is_torn: bool,
}

pub(super) fn died(message: impl Into<String>) -> Error {
    Error::new(Code::Died, "machine", message).on(NAME)
}

impl Qmp {
    /// Connects and negotiates.
    pub(super) async fn open(path: &Path) -> Result<Qmp> {
        let stream = UnixStream::connect(path).await;
        let stream = stream.map_err(|error| died(format!("qemu: {error}")))?;
        let mut qmp = Qmp {
            stream: BufReader::new(stream),
            line: String::new(),
            is_torn: false,
        };
        // The greeting.
        qmp.read().await?;
        qmp.call("qmp_capabilities", json!({})).await?;
        Ok(qmp)
    }

    /// Makes a call and gives what it returns.
    pub(super) async fn call(&mut self, name: &str, arguments: Value) -> Result<Value> {
        if std::mem::replace(&mut self.is_torn, true) {
            return Err(died("qemu: an earlier call was given up"));
        }
        let mut text = json!({"execute": name, "arguments": arguments}).to_string();
        text.push('\n');
        let sent = self.stream.get_mut().write_all(text.as_bytes()).await;
        sent.map_err(|error| died(format!("qemu: {error}")))?;
        loop {
            let mut answer = self.read().await?;
            if let Some(error) = answer.get("error") {
                self.is_torn = false;
                let said = error.get("desc").and_then(Value::as_str);
                let said = said.unwrap_or("no reason given");
                return Err(died(format!("qemu: {name}: {said}")));
            }
            if let Some(value) = answer.get_mut("return") {
                self.is_torn = false;
                return Ok(value.take());
            }
            // The rest are events.
        }
    }

    async fn read(&mut self) -> Result<Value> {
        self.line.clear();
        let read = tokio::time::timeout(ANSWER, self.stream.read_line(&mut self.line)).await;
        match read {
            Ok(Ok(0) | Err(_)) => Err(died("the machine ended")),
            Ok(Ok(_)) => serde_json::from_str(&self.line)
                .map_err(|error| died(format!("qemu answered {error}"))),
            Err(_) => Err(died(format!(
                "qemu: no answer within {} s",
                ANSWER.as_secs()
            ))),
        }
    }
}
