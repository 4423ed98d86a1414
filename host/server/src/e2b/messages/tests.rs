#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use super::filesystem::{
    EntryInfo, FileType, FilesystemEvent, Timestamp, WatchDirResponse, Watched,
};
use super::process::{
    DataEvent, EndEvent, Event, Given, Output, ProcessEvent, Selector, SendSignalRequest, Signal,
    StartRequest, StartResponse, StreamInputRequest, Streamed,
};
use bytes::Bytes;
use prost::Message;
use serde_json::{Value, from_value, json, to_value};

fn event(event: Event) -> Value {
    to_value(StartResponse {
        event: Some(ProcessEvent { event: Some(event) }),
    })
    .unwrap()
}

#[test]
fn events_are_written_as_envd_writes_them() {
    let output = Some(Output::Stdout(Bytes::from_static(b"ok")));
    assert_eq!(
        event(Event::Data(DataEvent { output })),
        json!({"event": {"data": {"stdout": "b2s="}}})
    );
    let end = EndEvent {
        exit_code: 3,
        exited: true,
        status: "exit status 3".to_owned(),
        error: None,
    };
    assert_eq!(
        event(Event::End(end)),
        json!({"event": {"end": {"exitCode": 3, "exited": true, "status": "exit status 3"}}})
    );
    let entry = EntryInfo {
        r#type: FileType::Symlink.into(),
        size: 1 << 40,
        modified_time: Some(Timestamp {
            seconds: 1,
            nanos: 5_000_000,
        }),
        ..EntryInfo::default()
    };
    let written = to_value(WatchDirResponse {
        event: Some(Watched::Filesystem(FilesystemEvent {
            name: "a".to_owned(),
            r#type: 1,
            entry: Some(entry),
        })),
    })
    .unwrap();
    let entry = &written["filesystem"]["entry"];
    assert_eq!(written["filesystem"]["type"], "EVENT_TYPE_CREATE");
    assert_eq!(entry["type"], "FILE_TYPE_SYMLINK");
    assert_eq!(entry["size"], "1099511627776");
    assert_eq!(entry["modifiedTime"], "1970-01-01T00:00:01.005Z");
    assert!(entry.get("symlinkTarget").is_none());
}

#[test]
fn requests_are_read_in_every_form_of_the_mapping() {
    let start: StartRequest = from_value(json!({
        "process": {"cmd": "/bin/bash", "args": ["-c", "x"], "envs": {"A": "b"}, "later": 1},
        "stdin": false
    }))
    .unwrap();
    let process = start.process.unwrap();
    assert_eq!((process.args.len(), process.envs["A"].as_str()), (2, "b"));
    assert_eq!((process.cwd, start.stdin), (None, Some(false)));

    for (signal, expected) in [
        (json!("SIGNAL_SIGKILL"), Signal::Kill),
        (json!(15), Signal::Terminate),
    ] {
        let request = json!({"process": {"pid": 7}, "signal": signal});
        let request: SendSignalRequest = from_value(request).unwrap();
        assert_eq!(request.signal(), expected);
        let selector = request.process.unwrap().selector;
        assert_eq!(selector, Some(Selector::Pid(7)));
    }
    assert!(from_value::<SendSignalRequest>(json!({"signal": "SIGNAL_NONE"})).is_err());

    for (text, bytes) in [("aGk=", &b"hi"[..]), ("aGk", b"hi"), ("_-8", b"\xff\xef")] {
        let request = json!({"data": {"input": {"stdin": text}}});
        let request: StreamInputRequest = from_value(request).unwrap();
        let Some(Streamed::Data(data)) = request.event else {
            unreachable!("{text}");
        };
        let given = Some(Given::Stdin(Bytes::copy_from_slice(bytes)));
        assert_eq!(data.input.unwrap().input, given);
    }
    assert_eq!(
        from_value::<StreamInputRequest>(json!({})).unwrap().event,
        None
    );
}

/// Written by protobuf's own library for Python.
#[test]
fn the_binary_form_has_the_numbers_of_the_schema() {
    let bytes = b"\x0a\x1b\x0a\x09/bin/bash\x12\x02-c\x1a\x06\x0a\x01A\x12\x01b\"\x02/t \x00";
    let start = StartRequest::decode(&bytes[..]).unwrap();
    let process = start.process.as_ref().unwrap();
    assert_eq!(process.cmd, "/bin/bash");
    assert_eq!(process.args, ["-c"]);
    assert_eq!(process.envs["A"], "b");
    assert_eq!(process.cwd.as_deref(), Some("/t"));
    assert_eq!(start.stdin, Some(false));
    assert_eq!(start.encode_to_vec(), bytes);
}
