//! What `curl` and `wget` are in a sandbox without a network.

#[cfg(not(feature = "network"))]
use offshoot_kernel::{Invocation, Program};

/// The commands, with the statuses by which curl and wget say that nobody answers.
const COMMANDS: [(&str, u8); 2] = [("curl", 7), ("wget", 4)];

/// What `curl --help` prints.
pub(crate) const CURL_HELP: &str = include_str!("network_help/curl.txt");
/// What `wget --help` prints.
pub(crate) const WGET_HELP: &str = include_str!("network_help/wget.txt");

/// The names, for the files in `/usr/bin`.
pub(crate) fn names() -> impl Iterator<Item = &'static str> {
    COMMANDS.iter().map(|(name, _)| *name)
}

/// Commands that say why they do nothing.
#[cfg(not(feature = "network"))]
pub(crate) fn programs() -> impl Iterator<Item = (&'static str, Program)> {
    COMMANDS.into_iter().map(|(name, status)| {
        (
            name,
            Program::function(move |call| refuse(call, name, status)),
        )
    })
}

#[cfg(not(feature = "network"))]
async fn refuse(mut call: Invocation, name: &'static str, status: u8) -> u8 {
    if call.arguments.iter().skip(1).any(|word| is_help(word)) {
        let help = if name == "curl" { CURL_HELP } else { WGET_HELP };
        return u8::from(call.stdout.write_all(help.as_bytes()).await.is_err());
    }
    let text = format!("{name}: ({status}) this sandbox has no network\n");
    // The status says it as well.
    let _ = call.stderr.write_all(text.as_bytes()).await;
    status
}

/// Whether a word asks for help, which needs no network.
#[cfg(not(feature = "network"))]
fn is_help(word: &[u8]) -> bool {
    matches!(word, b"--help" | b"-h")
}
