//! Files, ports and signals, by Landlock.

use std::path::{Path, PathBuf};

use landlock::{
    ABI, Access, AccessFs, AccessNet, BitFlags, CompatLevel, Compatible, LandlockStatus, NetPort,
    PathBeneath, PathFd, RestrictionStatus, Ruleset, RulesetAttr, RulesetCreatedAttr, RulesetError,
    RulesetStatus, Scope,
};

use crate::{Confinement, Error, Walls};

/// The newest version whose rights are all given up where the kernel knows them.
const NEWEST: ABI = ABI::V6;

/// What every process reads of its system; what is not there is no matter.
const SYSTEM: [&str; 11] = [
    "/proc/self",
    "/proc/meminfo",
    "/proc/stat",
    "/proc/sys/kernel",
    "/sys/fs/cgroup",
    "/sys/devices/system/cpu",
    "/etc/localtime",
    "/usr/share/zoneinfo",
    "/lib",
    "/usr/lib",
    "/lib64",
];

/// What names and certificates are read from.
const NETWORK: [&str; 11] = [
    "/etc/resolv.conf",
    "/etc/hosts",
    "/etc/host.conf",
    "/etc/nsswitch.conf",
    "/etc/gai.conf",
    "/etc/services",
    "/etc/ssl",
    "/etc/pki",
    "/etc/ca-certificates",
    "/usr/share/ca-certificates",
    "/usr/local/share/ca-certificates",
];

/// Variables that name other certificates.
const CERTIFICATES: [&str; 2] = ["SSL_CERT_FILE", "SSL_CERT_DIR"];

/// Devices that are read and written.
const DEVICES: [&str; 3] = ["/dev/null", "/dev/zero", "/dev/urandom"];

/// Closes what the confinement does not leave open.
pub(crate) fn enter(confinement: &Confinement) -> Result<Walls, Error> {
    let read = AccessFs::ReadFile | AccessFs::ReadDir;
    // A program cannot be started: the filter of calls sees to that, and Landlock, too.
    let write = AccessFs::from_all(NEWEST) & !BitFlags::from(AccessFs::Execute);
    let mut ruleset = Ruleset::default()
        .set_compatibility(CompatLevel::BestEffort)
        .handle_access(AccessFs::from_all(NEWEST))
        .and_then(|ruleset| ruleset.handle_access(AccessNet::BindTcp))
        .and_then(|ruleset| match confinement.connecting {
            true => Ok(ruleset),
            false => ruleset.handle_access(AccessNet::ConnectTcp),
        })
        .and_then(|ruleset| ruleset.scope(Scope::Signal | Scope::AbstractUnixSocket))
        .and_then(Ruleset::create)
        .map_err(refused)?;
    let mut system: Vec<PathBuf> = SYSTEM.iter().map(PathBuf::from).collect();
    if confinement.connecting {
        system.extend(NETWORK.iter().map(PathBuf::from));
        let certificates = CERTIFICATES.iter().filter_map(std::env::var_os);
        system.extend(certificates.map(PathBuf::from));
    }
    for path in &system {
        // Systems differ in what of it they have.
        if let Ok(fd) = PathFd::new(path) {
            let rule = PathBeneath::new(fd, of_kind(path, read));
            ruleset = ruleset.add_rule(rule).map_err(refused)?;
        }
    }
    for path in DEVICES {
        if let Ok(fd) = PathFd::new(path) {
            let rule = PathBeneath::new(fd, AccessFs::ReadFile | AccessFs::WriteFile);
            ruleset = ruleset.add_rule(rule).map_err(refused)?;
        }
    }
    for (paths, access) in [
        (&confinement.readable, read),
        (&confinement.writable, write),
    ] {
        for path in paths {
            let fd = PathFd::new(path).map_err(|error| Error::Path {
                path: path.clone(),
                reason: error.to_string(),
            })?;
            let rule = PathBeneath::new(fd, of_kind(path, access));
            ruleset = ruleset.add_rule(rule).map_err(refused)?;
        }
    }
    for port in &confinement.listening {
        let rule = NetPort::new(*port, AccessNet::BindTcp);
        ruleset = ruleset.add_rule(rule).map_err(refused)?;
    }
    let status = ruleset.restrict_self().map_err(refused)?;
    Ok(walls(&status))
}

/// Of these rights those that a file has, where the path is no directory.
fn of_kind(path: &Path, access: BitFlags<AccessFs>) -> BitFlags<AccessFs> {
    match path.is_dir() {
        true => access,
        false => access & AccessFs::from_file(NEWEST),
    }
}

/// What of it this kernel has.
fn walls(status: &RestrictionStatus) -> Walls {
    let known = match (&status.ruleset, &status.landlock) {
        (RulesetStatus::NotEnforced, _) => return Walls::default(),
        (_, LandlockStatus::Available { effective_abi, .. }) => *effective_abi,
        _ => return Walls::default(),
    };
    Walls {
        files: known >= ABI::V1,
        ports: known >= ABI::V4,
        signals: known >= ABI::V6,
        calls: false,
    }
}

fn refused(error: RulesetError) -> Error {
    Error::Refused(error.to_string())
}
