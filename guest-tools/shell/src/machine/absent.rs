//! What there is instead of well-known commands that a sandbox lacks.

/// Names, and the line that is said behind `command not found`.
const INSTEAD: &[(&[&str], &str)] = &[
    (
        &[
            "apt", "apt-get", "aptitude", "dpkg", "yum", "dnf", "apk", "brew", "pacman", "snap",
            "zypper",
        ],
        "nothing can be installed in this sandbox; `compgen -c` lists what is here",
    ),
    (
        &[
            "cc", "gcc", "g++", "c++", "clang", "clang++", "ld", "as", "rustc", "cargo", "go",
            "javac", "java", "cmake", "tsc",
        ],
        "there is no compiler in this sandbox",
    ),
    (
        &["perl", "ruby", "php", "lua", "Rscript"],
        "this language is not in the sandbox; there are awk, sed, grep -P, jq and sqlite3",
    ),
    (
        &["python", "python3", "python2"],
        "Python is not in this build of the sandbox (the feature `python` of the library brings it)",
    ),
    (
        &["node", "nodejs"],
        "JavaScript is not in this build of the sandbox (the feature `javascript` of the library brings it)",
    ),
    (
        &[
            "npm", "npx", "yarn", "pnpm", "bun", "deno", "pip", "pip3", "pipx", "uv", "gem",
            "conda",
        ],
        "packages cannot be installed in this sandbox",
    ),
    (
        &[
            "docker",
            "docker-compose",
            "podman",
            "kubectl",
            "systemctl",
            "service",
            "journalctl",
        ],
        "there are neither containers nor services in a sandbox; `COMMAND &` goes on in the background",
    ),
    (
        &[
            "ssh",
            "scp",
            "sftp",
            "telnet",
            "ftp",
            "nc",
            "ncat",
            "netcat",
            "ping",
            "dig",
            "nslookup",
            "host",
            "traceroute",
            "ifconfig",
            "ip",
            "ss",
            "netstat",
        ],
        "a sandbox reaches others by HTTP alone, where it may: curl, wget",
    ),
    (
        &["nvim", "nano", "emacs", "pico"],
        "of editors there are vi and ed in this sandbox; there are sed -i and here-documents",
    ),
    (
        &[
            "su", "doas", "passwd", "useradd", "adduser", "groupadd", "usermod", "visudo",
        ],
        "a sandbox has one user",
    ),
    (
        &[
            "strace", "ltrace", "gdb", "lsof", "dmesg", "iptables", "modprobe", "fdisk", "mkfs",
            "crontab", "at",
        ],
        "a sandbox has no such part of a system",
    ),
    (
        &["screen", "tmux"],
        "there is no terminal multiplexer in this sandbox",
    ),
    (&["gh", "svn", "hg"], "there is git in this sandbox"),
];

/// What there is instead of a command; none where nothing is known of the name.
pub fn instead(name: &[u8]) -> Option<&'static str> {
    let named = |names: &[&str]| names.iter().any(|known| known.as_bytes() == name);
    INSTEAD
        .iter()
        .find(|(names, _)| named(names))
        .map(|(_, text)| *text)
}

/// The commands that are programs in other builds, a line each that begins with the name.
#[cfg(any(feature = "sandbox", test))]
const PROGRAMS: &str = include_str!("../../../programs/commands.txt");

/// Where a command is that the single component lacks.
#[cfg(any(feature = "sandbox", test))]
pub fn elsewhere(name: &[u8]) -> Option<&'static str> {
    let named = |line: &str| line.split(' ').next().map(str::as_bytes) == Some(name);
    let found = name != b"#" && PROGRAMS.lines().any(named);
    found.then_some(
        "not in this build; the crate `offshoot`, its command line and the npm package `@offshoot/web` have this one",
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_stands_once_and_a_hint_is_one_line() {
        let names: Vec<&str> = INSTEAD
            .iter()
            .flat_map(|(names, _)| names.iter().copied())
            .collect();
        for (at, name) in names.iter().enumerate() {
            assert!(!names[..at].contains(name), "{name}");
            assert!(instead(name.as_bytes()).is_some_and(|text| !text.contains('\n')));
        }
        assert_eq!(instead(b"no-such-command"), None);
    }

    #[test]
    fn programs_of_other_builds_are_known() {
        for name in ["grep", "sed", "awk", "jq", "git", "["] {
            assert!(elsewhere(name.as_bytes()).is_some_and(|text| text.contains("@offshoot/web")));
        }
        for name in ["", "#", "archive", "gre", "no-such-command"] {
            assert_eq!(elsewhere(name.as_bytes()), None, "{name}");
        }
    }
}
