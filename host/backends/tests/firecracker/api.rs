//! The part of Firecracker's API (1.17) that is served: what a body has to have, and what it may have.

use serde_json::Value;

/// What a request asks for.
pub enum Call {
    /// Sets a part of what a machine is made of.
    Configure(&'static str),
    Start,
    State,
    Create,
    Load,
}

/// What a value may be.
enum Kind {
    Text,
    Flag,
    /// From, to.
    Number(u64, u64),
    One(&'static [&'static str]),
    Object(&'static [Field]),
}

/// A field: its name, whether it has to be there, and what it may be.
struct Field(&'static str, bool, Kind);

use Kind::{Flag, Number, Object, One, Text};

const PAGES: &[&str] = &["None", "2M", "Transparent"];
const MACHINE: &[Field] = &[
    Field("vcpu_count", true, Number(1, 32)),
    Field("mem_size_mib", true, Number(1, u64::MAX)),
    Field("smt", false, Flag),
    Field("track_dirty_pages", false, Flag),
    Field("huge_pages", false, One(PAGES)),
];
const BOOT: &[Field] = &[
    Field("kernel_image_path", true, Text),
    Field("initrd_path", false, Text),
    Field("boot_args", false, Text),
];
const VSOCK: &[Field] = &[
    Field("guest_cid", true, Number(3, u32::MAX as u64)),
    Field("uds_path", true, Text),
    Field("vsock_id", false, Text),
];
const ACTION: &[Field] = &[Field(
    "action_type",
    true,
    One(&["FlushMetrics", "InstanceStart", "SendCtrlAltDel"]),
)];
const STATE: &[Field] = &[Field("state", true, One(&["Paused", "Resumed"]))];
const CREATE: &[Field] = &[
    Field("mem_file_path", true, Text),
    Field("snapshot_path", true, Text),
    Field("snapshot_type", false, One(&["Full", "Diff"])),
];
const BACKEND: &[Field] = &[
    Field("backend_type", true, One(&["File", "Uffd"])),
    Field("backend_path", true, Text),
];
const LOAD: &[Field] = &[
    Field("snapshot_path", true, Text),
    Field("mem_backend", true, Object(BACKEND)),
    Field("track_dirty_pages", false, Flag),
    Field("resume_vm", false, Flag),
    Field("clock_realtime", false, Flag),
    Field(
        "vsock_override",
        false,
        Object(&[Field("uds_path", true, Text)]),
    ),
];

/// What a request asks for, where it may be asked so.
pub fn check(method: &str, path: &str, body: &Value) -> Result<Call, String> {
    let (call, fields) = match (method, path) {
        ("PUT", "/machine-config") => (Call::Configure("machine-config"), MACHINE),
        ("PUT", "/boot-source") => (Call::Configure("boot-source"), BOOT),
        ("PUT", "/vsock") => (Call::Configure("vsock"), VSOCK),
        ("PUT", "/entropy") => (Call::Configure("entropy"), &[] as &[Field]),
        ("PUT", "/actions") => (Call::Start, ACTION),
        ("PATCH", "/vm") => (Call::State, STATE),
        ("PUT", "/snapshot/create") => (Call::Create, CREATE),
        ("PUT", "/snapshot/load") => (Call::Load, LOAD),
        _ => {
            return Err(format!(
                "Invalid request method and/or path: {method} {path}."
            ));
        }
    };
    object(fields, body)?;
    Ok(call)
}

fn object(fields: &[Field], value: &Value) -> Result<(), String> {
    let map = value.as_object().ok_or("the body is no object")?;
    if let Some(name) = map.keys().find(|name| fields.iter().all(|f| f.0 != **name)) {
        return Err(format!("unknown field `{name}`"));
    }
    for Field(name, is_needed, kind) in fields {
        let fits = match (map.get(*name), kind) {
            (None, _) if *is_needed => return Err(format!("missing field `{name}`")),
            (None, _) => true,
            (Some(value), Text) => value.is_string(),
            (Some(value), Flag) => value.is_boolean(),
            (Some(value), Number(from, to)) => value
                .as_u64()
                .is_some_and(|number| (*from..=*to).contains(&number)),
            (Some(value), One(words)) => words.iter().any(|word| value == word),
            (Some(value), Object(fields)) => object(fields, value).map(|()| true)?,
        };
        if !fits {
            return Err(format!("invalid value of `{name}`"));
        }
    }
    Ok(())
}

#[test]
fn the_stand_in_is_no_less_strict_than_firecracker() {
    use serde_json::json;
    let load =
        json!({"snapshot_path": "s", "mem_backend": {"backend_type": "File", "backend_path": "m"}});
    assert!(check("PUT", "/snapshot/load", &load).is_ok());
    for (method, path, body, said) in [
        ("GET", "/vm", json!({}), "Invalid request method"),
        (
            "PUT",
            "/vsock",
            json!({"guest_cid": 2, "uds_path": "v"}),
            "guest_cid",
        ),
        (
            "PUT",
            "/vsock",
            json!({"guest_cid": 3}),
            "missing field `uds_path`",
        ),
        (
            "PUT",
            "/entropy",
            json!({"size": 1}),
            "unknown field `size`",
        ),
        ("PATCH", "/vm", json!({"state": "paused"}), "state"),
        (
            "PUT",
            "/snapshot/load",
            json!({"snapshot_path": "s"}),
            "mem_backend",
        ),
    ] {
        let refusal = check(method, path, &body).err().unwrap();
        assert!(refusal.contains(said), "{refusal}");
    }
}
