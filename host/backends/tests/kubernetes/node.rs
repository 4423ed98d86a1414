//! What a kubelet does, with `runc`: a container for each pod, and commands in it.

use crate::busybox::{find, root_file_system};
use crate::cri::Cri;
use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicU64, Ordering};

/// The image that there is.
pub const IMAGE: &str = "offshoot-test/busybox:1";

/// What Docker gives to a container, and a cluster after it.
const RIGHTS: [&str; 13] = [
    "CAP_AUDIT_WRITE",
    "CAP_CHOWN",
    "CAP_DAC_OVERRIDE",
    "CAP_FOWNER",
    "CAP_FSETID",
    "CAP_KILL",
    "CAP_NET_BIND_SERVICE",
    "CAP_NET_RAW",
    "CAP_SETFCAP",
    "CAP_SETGID",
    "CAP_SETPCAP",
    "CAP_SETUID",
    "CAP_SYS_CHROOT",
];

/// A machine that runs pods.
pub struct Node {
    /// Containerd, where it runs them in place of `runc` alone. It ends before its directory goes.
    pub cri: Option<Cri>,
    directory: tempfile::TempDir,
    spec: Value,
}

impl Node {
    /// One of this test alone, or why there is none.
    pub fn new() -> Result<Node, String> {
        if !rustix::process::geteuid().is_root() {
            return Err("containers need root".to_owned());
        }
        for program in ["runc", "busybox"] {
            if find(program).is_none() {
                return Err(format!("there is no {program}"));
            }
        }
        let directory = tempfile::tempdir().unwrap();
        let made = Command::new("runc")
            .args(["spec", "--bundle"])
            .arg(directory.path())
            .status();
        assert!(made.unwrap().success());
        let spec = std::fs::read(directory.path().join("config.json")).unwrap();
        let mut spec: Value = serde_json::from_slice(&spec).unwrap();
        for kind in ["bounding", "effective", "permitted"] {
            spec["process"]["capabilities"][kind] = json!(RIGHTS);
        }
        spec["process"]["capabilities"]["ambient"] = json!([]);
        spec["process"]["terminal"] = false.into();
        spec["root"]["readonly"] = false.into();
        Ok(Node {
            cri: None,
            directory,
            spec,
        })
    }

    /// The same on a containerd of its own, or why that cannot be.
    pub fn with_containerd() -> Result<Node, String> {
        let mut node = Node::new()?;
        let directory = node.directory.path().to_owned();
        // Awaiting is done by a runtime of its own.
        let started = std::thread::spawn(move || Cri::start(&directory)).join();
        node.cri = Some(started.unwrap()?);
        Ok(node)
    }

    fn at(&self, name: &str) -> PathBuf {
        self.directory.path().join(name)
    }

    fn runc(&self) -> Command {
        let mut command = Command::new("runc");
        command.arg("--root").arg(self.at("run"));
        command.stdin(Stdio::null());
        command
    }

    /// A container that no other one on the machine is called like.
    pub fn name() -> String {
        static NEXT: AtomicU64 = AtomicU64::new(0);
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        format!("offshoot-test-{}-{number}", std::process::id())
    }

    /// Starts the only container of a pod, or says why it cannot, as a kubelet does.
    pub fn start(&self, id: &str, pod: &Value) -> Result<(), (&'static str, String)> {
        let container = &pod["spec"]["containers"][0];
        let image = container["image"].as_str().unwrap();
        if image != IMAGE {
            let message = format!("Back-off pulling image {image:?}");
            return Err(("ImagePullBackOff", message));
        }
        let bundle = self.at(id);
        let mut spec = self.spec.clone();
        spec["root"]["path"] = "root".into();
        spec["process"]["args"] = expanded(&container["command"]);
        let mut environment =
            vec!["PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin".to_owned()];
        for variable in container["env"].as_array().into_iter().flatten() {
            let value = expand(variable["value"].as_str().unwrap());
            environment.push(format!("{}={value}", variable["name"].as_str().unwrap()));
        }
        spec["process"]["env"] = json!(environment);
        let limits = &container["resources"]["limits"];
        if let Some(bytes) = limits["memory"].as_str() {
            let bytes: i64 = bytes.parse().unwrap();
            spec["linux"]["resources"]["memory"] = json!({"limit": bytes, "swap": bytes});
        }
        if let Some(cpu) = limits["cpu"].as_str() {
            let thousandths: i64 = cpu.strip_suffix('m').unwrap().parse().unwrap();
            spec["linux"]["resources"]["cpu"] =
                json!({"quota": thousandths * 100, "period": 100_000});
        }
        let volumes = pod["spec"]["volumes"].as_array().cloned();
        let mut mounted = Vec::new();
        for mount in container["volumeMounts"].as_array().into_iter().flatten() {
            let volume = volumes.iter().flatten();
            let mut volume = volume.filter(|volume| volume["name"] == mount["name"]);
            let claim = &volume.next().unwrap()["persistentVolumeClaim"]["claimName"];
            let source = self.volume(claim.as_str().unwrap());
            std::fs::create_dir_all(&source).unwrap();
            let inside = mount["mountPath"].as_str().unwrap().to_owned();
            mounted.push((inside, source.clone()));
            spec["mounts"].as_array_mut().unwrap().push(json!({
                "destination": mount["mountPath"], "source": source,
                "type": "none", "options": ["rbind", "rw"],
            }));
        }
        if let Some(cri) = &self.cri {
            let started = cri.run(id, &spec, &mounted);
            return started.map_err(|error| ("CreateContainerError", error));
        }
        let archive = root_file_system();
        tar::Archive::new(&*archive)
            .unpack(bundle.join("root"))
            .unwrap();
        std::fs::write(bundle.join("config.json"), spec.to_string()).unwrap();
        let log = std::fs::File::create(bundle.join("log")).unwrap();
        let started = self
            .runc()
            .args(["run", "--detach", "--bundle"])
            .arg(&bundle)
            .arg(id)
            .stdout(Stdio::null())
            .stderr(log)
            .status();
        match started.unwrap().success() {
            true => Ok(()),
            false => {
                let log = std::fs::read_to_string(bundle.join("log")).unwrap();
                Err(("CreateContainerError", log))
            }
        }
    }

    /// Ends a container; a missing one is fine.
    pub fn end(&self, id: &str) {
        if let Some(cri) = &self.cri {
            return cri.end(id);
        }
        let _ = self
            .runc()
            .args(["delete", "--force", id])
            .stderr(Stdio::null())
            .status();
        let _ = std::fs::remove_dir_all(self.at(id));
    }

    /// A command in a container, not yet started.
    pub fn command(&self, id: &str, words: &[String]) -> tokio::process::Command {
        let mut command = self.runc();
        command.args(["exec", id]).args(words);
        command.into()
    }

    /// The containers that are there.
    pub fn containers(&self) -> Vec<String> {
        if let Some(cri) = &self.cri {
            return cri.pods();
        }
        let listed = self.runc().args(["list", "--quiet"]).output().unwrap();
        let listed = String::from_utf8(listed.stdout).unwrap();
        listed.split_whitespace().map(str::to_owned).collect()
    }

    fn volume(&self, claim: &str) -> PathBuf {
        self.at("volumes").join(claim)
    }

    /// Removes the files of a claim.
    pub fn forget(&self, claim: &str) {
        let _ = std::fs::remove_dir_all(self.volume(claim));
    }

    /// The names of claims that have files.
    pub fn volumes(&self) -> Vec<String> {
        let entries = std::fs::read_dir(self.at("volumes"));
        let entries = entries.into_iter().flatten().flatten();
        let names = entries.map(|entry| entry.file_name().into_string().unwrap());
        names.collect()
    }

    /// Where everything is.
    pub fn path(&self) -> &Path {
        self.directory.path()
    }
}

impl Drop for Node {
    fn drop(&mut self) {
        for id in self.containers() {
            self.end(&id);
        }
    }
}

/// The words of a command, with what the cluster expands in them.
fn expanded(words: &Value) -> Value {
    let words = words.as_array().into_iter().flatten();
    words.map(|word| expand(word.as_str().unwrap())).collect()
}

/// `$$` is one dollar, and `$(NAME)` a variable, none of which is there.
fn expand(text: &str) -> String {
    let mut shown = String::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('$') {
        shown += before;
        rest = if let Some(after) = after.strip_prefix('$') {
            shown.push('$');
            after
        } else if let Some((_, behind)) = after.strip_prefix('(').and_then(|a| a.split_once(')')) {
            shown += "EXPANDED";
            behind
        } else {
            shown.push('$');
            after
        };
    }
    shown + rest
}
