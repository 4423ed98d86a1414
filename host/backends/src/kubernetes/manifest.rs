//! What a sandbox is in the cluster: where its pod is, and what is made for it.

use super::NAME;
use crate::owner::Owner;
use k8s_openapi::api::core::v1::{PersistentVolumeClaim, Pod};
use offshoot_backend::{Code, Error, ResourceLimits, Result, path};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{SystemTime, UNIX_EPOCH};

/// The label of what this backend makes.
pub(super) const KIND: &str = "offshoot.run/kind";
/// Its value.
pub(super) const SANDBOX: &str = "sandbox";
/// The annotation of who made it, so that it can be reaped.
pub(super) const OWNER: &str = "offshoot.run/owner";
/// The annotation of a volume's claim that holds the pod to make when the sandbox resumes.
pub(super) const POD: &str = "offshoot.run/pod";
/// The container of a pod that this backend makes.
pub(super) const CONTAINER: &str = "sandbox";
/// Seconds between the signal that ends a pod and the one that kills it.
const GRACE: i64 = 1;
/// The container's own process: it does nothing but take in processes whose parent is gone.
const INIT: &str = "trap 'exit 0' TERM INT; while :; do sleep 3600 & wait $!; done";

/// Where a sandbox is; what a portable reference holds.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Place {
    pub(super) namespace: String,
    pub(super) pod: String,
    /// The pod's only one, where it is not named.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) container: Option<String>,
    pub(super) root: String,
    pub(super) cwd: String,
}

impl Place {
    /// Reads the data of a reference.
    pub(super) fn parse(data: &str) -> Result<Place> {
        let place: Place = serde_json::from_str(data).map_err(|error| {
            let message = format!("not a reference of this backend: {error}");
            Error::new(Code::Invalid, "attach", message).on(NAME)
        })?;
        let is_clean = |directory: &str| path::resolve("/", directory) == directory;
        if !is_clean(&place.root) || !is_clean(&place.cwd) {
            let message = "not a reference of this backend: its directories are not absolute";
            return Err(Error::new(Code::Invalid, "attach", message).on(NAME));
        }
        place.checked("attach")
    }

    /// The same where every name is one that an object can have: they become part of addresses.
    pub(super) fn checked(self, operation: &'static str) -> Result<Place> {
        let names = [&self.namespace, &self.pod];
        for name in names.into_iter().chain(&self.container) {
            let is_plain = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit();
            let is_name = name.len() <= 253
                && name
                    .bytes()
                    .all(|byte| is_plain(byte) || b".-".contains(&byte))
                && name.bytes().next().is_some_and(is_plain)
                && name.bytes().last().is_some_and(is_plain);
            if !is_name {
                let message = format!("{name:?} is no name in a cluster");
                return Err(Error::new(Code::Invalid, operation, message).on(NAME));
            }
        }
        Ok(self)
    }

    /// The same with another working directory, relative to this one.
    pub(super) fn at(mut self, cwd: Option<&str>) -> Result<Place> {
        if let Some(cwd) = cwd {
            self.cwd = path::resolve(&self.cwd, cwd);
        }
        if !path::is_within(&self.root, &self.cwd) {
            let message = format!("{}: the path leads out of {}", self.cwd, self.root);
            return Err(Error::new(Code::PathEscape, "attach", message).on(NAME));
        }
        Ok(self)
    }
}

/// What a sandbox is made of.
#[derive(Debug)]
pub(super) struct Plan {
    pub(super) place: Place,
    pub(super) source: Source,
    /// What every command gets, where the pod does not have it.
    pub(super) variables: Vec<(String, String)>,
}

/// Where the pod comes from.
#[derive(Debug)]
pub(super) enum Source {
    /// It is there already.
    Given,
    /// It is made.
    Pod(Box<Pod>),
    /// It is made, and a volume for it.
    Volume(Box<Pod>, Box<PersistentVolumeClaim>),
}

impl Plan {
    /// A pod that is there.
    pub(super) fn given(place: Place, variables: &[(String, String)]) -> Plan {
        Plan {
            place,
            source: Source::Given,
            variables: variables.to_vec(),
        }
    }
}

/// What a pod is made by.
pub(super) struct Made<'a> {
    pub(super) image: String,
    pub(super) user: Option<i64>,
    pub(super) runtime_class: Option<String>,
    pub(super) storage: Option<String>,
    pub(super) storage_class: Option<String>,
    pub(super) limits: ResourceLimits,
    pub(super) variables: &'a [(String, String)],
    pub(super) owner: &'a Owner,
}

impl Made<'_> {
    /// The objects to make at a place.
    pub(super) fn plan(self, place: Place) -> Result<Plan> {
        let malformed = |error: serde_json::Error| {
            Error::new(Code::Invalid, "create", format!("settings: {error}")).on(NAME)
        };
        let pod = self.pod(&place);
        let source = match &self.storage {
            None => Source::Pod(serde_json::from_value(pod).map_err(malformed)?),
            Some(storage) => {
                let claim = self.claim(&place, storage, &pod);
                Source::Volume(
                    serde_json::from_value(pod).map_err(malformed)?,
                    serde_json::from_value(claim).map_err(malformed)?,
                )
            }
        };
        Ok(Plan {
            place,
            source,
            variables: Vec::new(),
        })
    }

    fn pod(&self, place: &Place) -> Value {
        let variables = self.variables.iter();
        let variables: Vec<Value> = variables
            .map(|(name, value)| json!({"name": name, "value": literal(value)}))
            .collect();
        let mut resources = json!({});
        if let Some(bytes) = self.limits.memory_bytes {
            resources["memory"] = bytes.to_string().into();
        }
        if let Some(cpus) = self.limits.cpus {
            resources["cpu"] = format!("{}m", (cpus * 1000.0).ceil()).into();
        }
        let mut pod = json!({
            "apiVersion": "v1",
            "kind": "Pod",
            "metadata": self.metadata(place),
            "spec": {
                "restartPolicy": "Never",
                "terminationGracePeriodSeconds": GRACE,
                // What runs inside gets no way to the cluster.
                "automountServiceAccountToken": false,
                "enableServiceLinks": false,
                "securityContext": {"seccompProfile": {"type": "RuntimeDefault"}},
                "containers": [{
                    "name": CONTAINER,
                    "image": self.image,
                    "command": ["sh", "-c", INIT],
                    "env": variables,
                    "resources": {"limits": resources},
                    "securityContext": {"allowPrivilegeEscalation": false},
                }],
            },
        });
        let spec = &mut pod["spec"];
        if let Some(user) = self.user {
            spec["securityContext"]["runAsUser"] = user.into();
            spec["securityContext"]["fsGroup"] = user.into();
        }
        if let Some(class) = &self.runtime_class {
            spec["runtimeClassName"] = class.as_str().into();
        }
        if self.storage.is_some() {
            spec["volumes"] = json!([
                {"name": "workspace", "persistentVolumeClaim": {"claimName": place.pod}}
            ]);
            spec["containers"][0]["volumeMounts"] = json!([
                {"name": "workspace", "mountPath": place.root}
            ]);
        }
        pod
    }

    /// The claim of a volume, with the pod in it: whoever resumes need not be who suspended.
    fn claim(&self, place: &Place, storage: &str, pod: &Value) -> Value {
        let mut metadata = self.metadata(place);
        metadata["annotations"][POD] = pod.to_string().into();
        let mut claim = json!({
            "apiVersion": "v1",
            "kind": "PersistentVolumeClaim",
            "metadata": metadata,
            "spec": {
                "accessModes": ["ReadWriteOnce"],
                "resources": {"requests": {"storage": storage}},
            },
        });
        if let Some(class) = &self.storage_class {
            claim["spec"]["storageClassName"] = class.as_str().into();
        }
        claim
    }

    fn metadata(&self, place: &Place) -> Value {
        json!({
            "name": place.pod,
            "namespace": place.namespace,
            "labels": {KIND: SANDBOX},
            "annotations": {OWNER: self.owner.to_string()},
        })
    }
}

/// A value that the cluster does not expand: `$(NAME)` stands for another variable there, and `$$`
/// for one dollar.
fn literal(value: &str) -> String {
    value.replace('$', "$$")
}

/// A name that no other sandbox has.
pub(super) fn name() -> String {
    static NEXT: AtomicU64 = AtomicU64::new(0);
    let time = SystemTime::now().duration_since(UNIX_EPOCH);
    format!(
        "offshoot-{:x}-{:x}-{:x}",
        time.map_or(0, |time| time.as_nanos()),
        std::process::id(),
        NEXT.fetch_add(1, Ordering::Relaxed)
    )
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test fails by panicking")]
    use super::*;

    fn place(pod: &str) -> Place {
        Place {
            namespace: "default".to_owned(),
            pod: pod.to_owned(),
            container: Some(CONTAINER.to_owned()),
            root: "/workspace".to_owned(),
            cwd: "/workspace/in".to_owned(),
        }
    }

    #[test]
    fn a_reference_is_read_as_written_and_names_no_address() {
        let here = place("offshoot-1");
        let text = serde_json::to_string(&here).unwrap();
        assert_eq!(Place::parse(&text).unwrap(), here);
        assert_eq!(here.clone().at(Some("..")).unwrap().cwd, "/workspace");
        let error = here.at(Some("../..")).unwrap_err();
        assert_eq!(error.code(), Code::PathEscape);
        for pod in ["", "../secrets/x", "a/exec", "a?b", "A", "-a", "a.", "a b"] {
            let text = serde_json::to_string(&place(pod)).unwrap();
            assert_eq!(Place::parse(&text).unwrap_err().code(), Code::Invalid);
        }
        let mut odd = place("x");
        odd.root = "/workspace/../etc".to_owned();
        let text = serde_json::to_string(&odd).unwrap();
        assert_eq!(Place::parse(&text).unwrap_err().code(), Code::Invalid);
    }

    #[test]
    fn a_pod_has_what_was_asked_for_and_no_way_to_the_cluster() {
        let owner = Owner::this_process();
        let mut limits = ResourceLimits::default();
        (limits.memory_bytes, limits.cpus) = (Some(64 << 20), Some(0.5));
        let made = Made {
            image: "image".to_owned(),
            user: Some(1000),
            runtime_class: Some("kata".to_owned()),
            storage: Some("1Gi".to_owned()),
            storage_class: Some("fast".to_owned()),
            limits,
            variables: &[("A".to_owned(), "$(B) $C".to_owned())],
            owner: &owner,
        };
        let plan = made.plan(place(&name())).unwrap();
        let Source::Volume(pod, claim) = plan.source else {
            unreachable!("storage was asked for")
        };
        let spec = pod.spec.clone().unwrap();
        assert_eq!(spec.automount_service_account_token, Some(false));
        assert_eq!(spec.runtime_class_name.as_deref(), Some("kata"));
        let container = &spec.containers[0];
        let variables = container.env.as_ref().unwrap();
        assert_eq!(variables[0].value.as_deref(), Some("$$(B) $$C"));
        let limits = container.resources.clone().unwrap().limits.unwrap();
        assert_eq!(
            (&*limits["memory"].0, &*limits["cpu"].0),
            ("67108864", "500m")
        );
        assert_eq!(
            container.volume_mounts.as_ref().unwrap()[0].mount_path,
            "/workspace"
        );
        // The claim knows the pod.
        let annotations = claim.metadata.annotations.clone().unwrap();
        let kept: Pod = serde_json::from_str(&annotations[POD]).unwrap();
        assert_eq!(kept, *pod);
        assert_eq!(claim.metadata.name, pod.metadata.name);
    }
}
