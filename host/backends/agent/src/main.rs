//! The first process of a virtual machine: prepares it, and runs what the host asks for.

#[cfg(target_os = "linux")]
mod agent;
#[cfg(target_os = "linux")]
mod child;
#[cfg(target_os = "linux")]
mod machine;
#[cfg(target_os = "linux")]
mod vsock;

use std::process::ExitCode;

#[cfg(target_os = "linux")]
fn main() -> ExitCode {
    let mut words = std::env::args_os();
    let _ = words.next();
    let ended = match words.next() {
        Some(word) if word == child::ENTER => child::enter(words),
        _ => machine::prepare().and_then(agent::serve),
    };
    match ended {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            // On the console, which the host keeps.
            eprintln!("offshoot-agent: {error}");
            ExitCode::from(126)
        }
    }
}

#[cfg(not(target_os = "linux"))]
fn main() -> ExitCode {
    ExitCode::FAILURE
}
