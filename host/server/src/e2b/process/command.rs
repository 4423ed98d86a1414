//! What a command line of the client's is for the shell.

use super::super::messages::process::ProcessConfig;
use offshoot::Exec;

/// What the shell runs for a command line. A `bash -c`, which is what the SDKs send, is the script
/// itself; any other program takes the shell's place.
pub(super) fn execution(config: &ProcessConfig, has_profile: bool) -> Exec {
    let exec = match script(config, has_profile) {
        Some((script, words)) => match words.split_first() {
            None => Exec::new(script).name(&config.cmd),
            Some((name, arguments)) => Exec::new(script).name(name).arguments(arguments),
        },
        None => Exec::new("exec \"$@\"")
            .arguments([&config.cmd])
            .arguments(&config.args),
    };
    config
        .envs
        .iter()
        .fold(exec, |exec, (name, value)| exec.env(name, value))
}

/// The script of a `bash -c`, and the words behind it. A login shell reads the user's profile first,
/// so that one is left to a real one where there is a profile.
fn script(config: &ProcessConfig, has_profile: bool) -> Option<(&String, &[String])> {
    let name = config.cmd.rsplit('/').next()?;
    let (login, rest) = match config.args.as_slice() {
        [first, rest @ ..] if first == "-l" || first == "--login" => (true, rest),
        rest => (false, rest),
    };
    let (flag, rest) = rest.split_first()?;
    let (script, words) = rest.split_first()?;
    let plain = name == "bash" && flag == "-c" && !(login && has_profile);
    plain.then_some((script, words))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn config(cmd: &str, args: &[&str]) -> ProcessConfig {
        ProcessConfig {
            cmd: cmd.to_owned(),
            args: args.iter().map(|word| (*word).to_owned()).collect(),
            ..ProcessConfig::default()
        }
    }

    #[test]
    fn scripts_of_bash_are_run_as_such() {
        for (cmd, args, profile, expected) in [
            ("/bin/bash", &["-l", "-c", "ls"][..], false, Some("ls")),
            ("bash", &["-c", "ls", "name", "one"], true, Some("ls")),
            ("/bin/bash", &["-l", "-c", "ls"], true, None),
            ("/bin/sh", &["-c", "ls"], false, None),
            ("/bin/bash", &["-x", "-c", "ls"], false, None),
            ("/bin/bash", &["-c"], false, None),
            ("python3", &["-c", "1"], false, None),
        ] {
            let config = config(cmd, args);
            let found = script(&config, profile).map(|(script, _)| script.as_str());
            assert_eq!(found, expected, "{cmd} {args:?}");
        }
    }
}
