//! `filesystem.Filesystem`: files.

use super::json;
use super::process::KeepAlive;
use prost::{Enumeration, Message, Oneof};
use serde::ser::{Serialize, Serializer};
use serde::{Deserialize, Serialize as Written};
use std::collections::BTreeMap;

/// What an entry is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Enumeration)]
#[repr(i32)]
pub(in super::super) enum FileType {
    Unspecified = 0,
    File = 1,
    Directory = 2,
    Symlink = 3,
}

impl json::Named for FileType {
    const ALL: &'static [FileType] = &[
        FileType::Unspecified,
        FileType::File,
        FileType::Directory,
        FileType::Symlink,
    ];
    fn name(self) -> &'static str {
        match self {
            FileType::Unspecified => "FILE_TYPE_UNSPECIFIED",
            FileType::File => "FILE_TYPE_FILE",
            FileType::Directory => "FILE_TYPE_DIRECTORY",
            FileType::Symlink => "FILE_TYPE_SYMLINK",
        }
    }
}

/// A point in time since 1970.
#[derive(Clone, Copy, PartialEq, Message)]
pub(in super::super) struct Timestamp {
    #[prost(int64, tag = "1")]
    pub(in super::super) seconds: i64,
    #[prost(int32, tag = "2")]
    pub(in super::super) nanos: i32,
}

impl Serialize for Timestamp {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let nanos = u32::try_from(self.nanos).unwrap_or(0);
        let time = chrono::DateTime::from_timestamp(self.seconds, nanos).unwrap_or_default();
        serializer.serialize_str(&time.to_rfc3339_opts(chrono::SecondsFormat::AutoSi, true))
    }
}

/// What is known of a file.
#[derive(Clone, PartialEq, Message, Written)]
#[serde(rename_all = "camelCase")]
pub(in super::super) struct EntryInfo {
    #[prost(string, tag = "1")]
    pub(in super::super) name: String,
    /// Of a symbolic link, what it leads to.
    #[prost(enumeration = "FileType", tag = "2")]
    #[serde(serialize_with = "json::name::<_, FileType>")]
    pub(in super::super) r#type: i32,
    #[prost(string, tag = "3")]
    pub(in super::super) path: String,
    #[prost(int64, tag = "4")]
    #[serde(serialize_with = "json::long")]
    pub(in super::super) size: i64,
    #[prost(uint32, tag = "5")]
    pub(in super::super) mode: u32,
    #[prost(string, tag = "6")]
    pub(in super::super) permissions: String,
    #[prost(string, tag = "7")]
    pub(in super::super) owner: String,
    #[prost(string, tag = "8")]
    pub(in super::super) group: String,
    #[prost(message, optional, tag = "9")]
    pub(in super::super) modified_time: Option<Timestamp>,
    #[prost(string, optional, tag = "10")]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(in super::super) symlink_target: Option<String>,
    #[prost(btree_map = "string, string", tag = "11")]
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub(in super::super) metadata: BTreeMap<String, String>,
    #[prost(bool, tag = "12")]
    pub(in super::super) is_symlink: bool,
}

/// A request that names a path.
#[derive(Clone, PartialEq, Message, Deserialize)]
#[serde(default)]
pub(in super::super) struct PathRequest {
    #[prost(string, tag = "1")]
    pub(in super::super) path: String,
}

/// An answer that tells of a file.
#[derive(Clone, PartialEq, Message, Written)]
pub(in super::super) struct EntryResponse {
    #[prost(message, optional, tag = "1")]
    pub(in super::super) entry: Option<EntryInfo>,
}

#[derive(Clone, PartialEq, Message, Deserialize)]
#[serde(default)]
pub(in super::super) struct MoveRequest {
    #[prost(string, tag = "1")]
    pub(in super::super) source: String,
    #[prost(string, tag = "2")]
    pub(in super::super) destination: String,
}

#[derive(Clone, PartialEq, Message, Deserialize)]
#[serde(default)]
pub(in super::super) struct ListDirRequest {
    #[prost(string, tag = "1")]
    pub(in super::super) path: String,
    #[prost(uint32, tag = "2")]
    pub(in super::super) depth: u32,
}

#[derive(Clone, PartialEq, Message, Written)]
pub(in super::super) struct ListDirResponse {
    #[prost(message, repeated, tag = "1")]
    pub(in super::super) entries: Vec<EntryInfo>,
}

#[derive(Clone, PartialEq, Message, Written)]
pub(in super::super) struct RemoveResponse {}

/// What happened to a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Enumeration)]
#[repr(i32)]
pub(in super::super) enum EventType {
    Unspecified = 0,
    Create = 1,
    Write = 2,
    Remove = 3,
    Rename = 4,
    Chmod = 5,
}

impl json::Named for EventType {
    const ALL: &'static [EventType] = &[
        EventType::Unspecified,
        EventType::Create,
        EventType::Write,
        EventType::Remove,
        EventType::Rename,
        EventType::Chmod,
    ];
    fn name(self) -> &'static str {
        match self {
            EventType::Unspecified => "EVENT_TYPE_UNSPECIFIED",
            EventType::Create => "EVENT_TYPE_CREATE",
            EventType::Write => "EVENT_TYPE_WRITE",
            EventType::Remove => "EVENT_TYPE_REMOVE",
            EventType::Rename => "EVENT_TYPE_RENAME",
            EventType::Chmod => "EVENT_TYPE_CHMOD",
        }
    }
}

#[derive(Clone, PartialEq, Message, Written)]
pub(in super::super) struct FilesystemEvent {
    /// Relative to the watched directory.
    #[prost(string, tag = "1")]
    pub(in super::super) name: String,
    #[prost(enumeration = "EventType", tag = "2")]
    #[serde(serialize_with = "json::name::<_, EventType>")]
    pub(in super::super) r#type: i32,
    #[prost(message, optional, tag = "3")]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(in super::super) entry: Option<EntryInfo>,
}

/// A request to watch a directory; of both kinds of watching.
#[derive(Clone, PartialEq, Message, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub(in super::super) struct WatchRequest {
    #[prost(string, tag = "1")]
    pub(in super::super) path: String,
    #[prost(bool, tag = "2")]
    pub(in super::super) recursive: bool,
    #[prost(bool, tag = "3")]
    pub(in super::super) include_entry: bool,
}

#[derive(Clone, PartialEq, Message, Written)]
pub(in super::super) struct WatchStart {}

/// A message of a stream of events.
#[allow(
    clippy::large_enum_variant,
    reason = "nearly all of them are of the large kind, and none waits for long"
)]
#[derive(Clone, PartialEq, Oneof, Written)]
#[serde(rename_all = "lowercase")]
pub(in super::super) enum Watched {
    #[prost(message, tag = "1")]
    Start(WatchStart),
    #[prost(message, tag = "2")]
    Filesystem(FilesystemEvent),
    #[prost(message, tag = "3")]
    Keepalive(KeepAlive),
}

#[derive(Clone, PartialEq, Message, Written)]
pub(in super::super) struct WatchDirResponse {
    #[prost(oneof = "Watched", tags = "1, 2, 3")]
    #[serde(flatten)]
    pub(in super::super) event: Option<Watched>,
}

#[derive(Clone, PartialEq, Message, Written)]
#[serde(rename_all = "camelCase")]
pub(in super::super) struct CreateWatcherResponse {
    #[prost(string, tag = "1")]
    pub(in super::super) watcher_id: String,
}

/// A request that names a watcher.
#[derive(Clone, PartialEq, Message, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub(in super::super) struct WatcherRequest {
    #[prost(string, tag = "1")]
    pub(in super::super) watcher_id: String,
}

#[derive(Clone, PartialEq, Message, Written)]
pub(in super::super) struct GetWatcherEventsResponse {
    #[prost(message, repeated, tag = "1")]
    pub(in super::super) events: Vec<FilesystemEvent>,
}

#[derive(Clone, PartialEq, Message, Written)]
pub(in super::super) struct RemoveWatcherResponse {}
