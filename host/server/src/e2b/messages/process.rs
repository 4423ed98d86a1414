//! `process.Process`: commands.

use super::json::{self, or_default};
use bytes::Bytes;
use prost::{Enumeration, Message, Oneof};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// The size of a terminal.
#[derive(Clone, PartialEq, Message, Deserialize)]
#[serde(default)]
pub(in super::super) struct Size {
    #[prost(uint32, tag = "1")]
    pub(in super::super) cols: u32,
    #[prost(uint32, tag = "2")]
    pub(in super::super) rows: u32,
}

/// A terminal.
#[derive(Clone, PartialEq, Message, Deserialize)]
#[serde(default)]
pub(in super::super) struct Pty {
    #[prost(message, optional, tag = "1")]
    pub(in super::super) size: Option<Size>,
}

/// What is run.
#[derive(Clone, PartialEq, Message, Serialize, Deserialize)]
#[serde(default)]
pub(in super::super) struct ProcessConfig {
    #[prost(string, tag = "1")]
    pub(in super::super) cmd: String,
    #[prost(string, repeated, tag = "2")]
    #[serde(deserialize_with = "or_default")]
    pub(in super::super) args: Vec<String>,
    #[prost(btree_map = "string, string", tag = "3")]
    #[serde(deserialize_with = "or_default")]
    pub(in super::super) envs: BTreeMap<String, String>,
    #[prost(string, optional, tag = "4")]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(in super::super) cwd: Option<String>,
}

/// Which process is meant.
#[derive(Clone, PartialEq, Eq, Oneof, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(in super::super) enum Selector {
    #[prost(uint32, tag = "1")]
    Pid(u32),
    #[prost(string, tag = "2")]
    Tag(String),
}

#[derive(Clone, PartialEq, Message, Deserialize)]
#[serde(default)]
pub(in super::super) struct ProcessSelector {
    #[prost(oneof = "Selector", tags = "1, 2")]
    #[serde(flatten)]
    pub(in super::super) selector: Option<Selector>,
}

#[derive(Clone, PartialEq, Message, Serialize)]
pub(in super::super) struct ProcessInfo {
    #[prost(message, optional, tag = "1")]
    pub(in super::super) config: Option<ProcessConfig>,
    #[prost(uint32, tag = "2")]
    pub(in super::super) pid: u32,
    #[prost(string, optional, tag = "3")]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(in super::super) tag: Option<String>,
}

#[derive(Clone, PartialEq, Message, Deserialize)]
pub(in super::super) struct ListRequest {}

#[derive(Clone, PartialEq, Message, Serialize)]
pub(in super::super) struct ListResponse {
    #[prost(message, repeated, tag = "1")]
    pub(in super::super) processes: Vec<ProcessInfo>,
}

#[derive(Clone, PartialEq, Message, Deserialize)]
#[serde(default)]
pub(in super::super) struct StartRequest {
    #[prost(message, optional, tag = "1")]
    pub(in super::super) process: Option<ProcessConfig>,
    #[prost(message, optional, tag = "2")]
    pub(in super::super) pty: Option<Pty>,
    #[prost(string, optional, tag = "3")]
    pub(in super::super) tag: Option<String>,
    /// Old clients leave it out and mean true.
    #[prost(bool, optional, tag = "4")]
    pub(in super::super) stdin: Option<bool>,
}

#[derive(Clone, PartialEq, Message, Serialize)]
pub(in super::super) struct StartResponse {
    #[prost(message, optional, tag = "1")]
    pub(in super::super) event: Option<ProcessEvent>,
}

#[derive(Clone, PartialEq, Message, Deserialize)]
#[serde(default)]
pub(in super::super) struct ConnectRequest {
    #[prost(message, optional, tag = "1")]
    pub(in super::super) process: Option<ProcessSelector>,
}

#[derive(Clone, PartialEq, Message, Serialize)]
pub(in super::super) struct ConnectResponse {
    #[prost(message, optional, tag = "1")]
    pub(in super::super) event: Option<ProcessEvent>,
}

/// Something that a process does.
#[derive(Clone, PartialEq, Oneof, Serialize)]
#[serde(rename_all = "lowercase")]
pub(in super::super) enum Event {
    #[prost(message, tag = "1")]
    Start(StartEvent),
    #[prost(message, tag = "2")]
    Data(DataEvent),
    #[prost(message, tag = "3")]
    End(EndEvent),
    #[prost(message, tag = "4")]
    Keepalive(KeepAlive),
}

#[derive(Clone, PartialEq, Message, Serialize)]
pub(in super::super) struct ProcessEvent {
    #[prost(oneof = "Event", tags = "1, 2, 3, 4")]
    #[serde(flatten)]
    pub(in super::super) event: Option<Event>,
}

#[derive(Clone, PartialEq, Message, Serialize)]
pub(in super::super) struct StartEvent {
    #[prost(uint32, tag = "1")]
    pub(in super::super) pid: u32,
}

/// Bytes by where they were written.
#[derive(Clone, PartialEq, Eq, Oneof, Serialize)]
#[serde(rename_all = "lowercase")]
pub(in super::super) enum Output {
    #[prost(bytes = "bytes", tag = "1")]
    Stdout(#[serde(with = "json::base64")] Bytes),
    #[prost(bytes = "bytes", tag = "2")]
    Stderr(#[serde(with = "json::base64")] Bytes),
    #[prost(bytes = "bytes", tag = "3")]
    Pty(#[serde(with = "json::base64")] Bytes),
}

#[derive(Clone, PartialEq, Message, Serialize)]
pub(in super::super) struct DataEvent {
    #[prost(oneof = "Output", tags = "1, 2, 3")]
    #[serde(flatten)]
    pub(in super::super) output: Option<Output>,
}

#[derive(Clone, PartialEq, Message, Serialize)]
#[serde(rename_all = "camelCase")]
pub(in super::super) struct EndEvent {
    #[prost(sint32, tag = "1")]
    pub(in super::super) exit_code: i32,
    #[prost(bool, tag = "2")]
    pub(in super::super) exited: bool,
    #[prost(string, tag = "3")]
    pub(in super::super) status: String,
    #[prost(string, optional, tag = "4")]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(in super::super) error: Option<String>,
}

/// Says that the stream lives.
#[derive(Clone, PartialEq, Message, Serialize, Deserialize)]
pub(in super::super) struct KeepAlive {}

#[derive(Clone, PartialEq, Message, Deserialize)]
#[serde(default)]
pub(in super::super) struct UpdateRequest {
    #[prost(message, optional, tag = "1")]
    pub(in super::super) process: Option<ProcessSelector>,
    #[prost(message, optional, tag = "2")]
    pub(in super::super) pty: Option<Pty>,
}

#[derive(Clone, PartialEq, Message, Serialize)]
pub(in super::super) struct UpdateResponse {}

/// Bytes by where they are read.
#[derive(Clone, PartialEq, Eq, Oneof, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(in super::super) enum Given {
    #[prost(bytes = "bytes", tag = "1")]
    Stdin(#[serde(with = "json::base64")] Bytes),
    #[prost(bytes = "bytes", tag = "2")]
    Pty(#[serde(with = "json::base64")] Bytes),
}

#[derive(Clone, PartialEq, Message, Deserialize)]
#[serde(default)]
pub(in super::super) struct ProcessInput {
    #[prost(oneof = "Given", tags = "1, 2")]
    #[serde(flatten)]
    pub(in super::super) input: Option<Given>,
}

/// A message of a stream of input.
#[derive(Clone, PartialEq, Oneof, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(in super::super) enum Streamed {
    #[prost(message, tag = "1")]
    Start(StreamStart),
    #[prost(message, tag = "2")]
    Data(StreamData),
    #[prost(message, tag = "3")]
    Keepalive(KeepAlive),
}

#[derive(Clone, PartialEq, Message, Deserialize)]
#[serde(default)]
pub(in super::super) struct StreamInputRequest {
    #[prost(oneof = "Streamed", tags = "1, 2, 3")]
    #[serde(flatten)]
    pub(in super::super) event: Option<Streamed>,
}

#[derive(Clone, PartialEq, Message, Deserialize)]
#[serde(default)]
pub(in super::super) struct StreamStart {
    #[prost(message, optional, tag = "1")]
    pub(in super::super) process: Option<ProcessSelector>,
}

#[derive(Clone, PartialEq, Message, Deserialize)]
#[serde(default)]
pub(in super::super) struct StreamData {
    #[prost(message, optional, tag = "2")]
    pub(in super::super) input: Option<ProcessInput>,
}

#[derive(Clone, PartialEq, Message, Serialize)]
pub(in super::super) struct StreamInputResponse {}

#[derive(Clone, PartialEq, Message, Deserialize)]
#[serde(default)]
pub(in super::super) struct SendInputRequest {
    #[prost(message, optional, tag = "1")]
    pub(in super::super) process: Option<ProcessSelector>,
    #[prost(message, optional, tag = "2")]
    pub(in super::super) input: Option<ProcessInput>,
}

#[derive(Clone, PartialEq, Message, Serialize)]
pub(in super::super) struct SendInputResponse {}

/// The signals that can be sent.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Enumeration)]
#[repr(i32)]
pub(in super::super) enum Signal {
    Unspecified = 0,
    Kill = 9,
    Terminate = 15,
}

impl json::Named for Signal {
    const ALL: &'static [Signal] = &[Signal::Unspecified, Signal::Kill, Signal::Terminate];
    fn name(self) -> &'static str {
        match self {
            Signal::Unspecified => "SIGNAL_UNSPECIFIED",
            Signal::Kill => "SIGNAL_SIGKILL",
            Signal::Terminate => "SIGNAL_SIGTERM",
        }
    }
}

#[derive(Clone, PartialEq, Message, Deserialize)]
#[serde(default)]
pub(in super::super) struct SendSignalRequest {
    #[prost(message, optional, tag = "1")]
    pub(in super::super) process: Option<ProcessSelector>,
    #[prost(enumeration = "Signal", tag = "2")]
    #[serde(deserialize_with = "json::number::<_, Signal>")]
    pub(in super::super) signal: i32,
}

#[derive(Clone, PartialEq, Message, Serialize)]
pub(in super::super) struct SendSignalResponse {}

#[derive(Clone, PartialEq, Message, Deserialize)]
#[serde(default)]
pub(in super::super) struct CloseStdinRequest {
    #[prost(message, optional, tag = "1")]
    pub(in super::super) process: Option<ProcessSelector>,
}

#[derive(Clone, PartialEq, Message, Serialize)]
pub(in super::super) struct CloseStdinResponse {}
