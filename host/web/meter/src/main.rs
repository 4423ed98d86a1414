//! `offshoot-web-meter IN OUT`: a module with a counter, or the same module where none could go into it.

use std::process::ExitCode;
use std::{env, fs};

use offshoot_web_meter::metered;

fn main() -> ExitCode {
    let arguments: Vec<_> = env::args_os().skip(1).collect();
    let [from, to] = arguments.as_slice() else {
        eprintln!("usage: offshoot-web-meter IN OUT");
        return ExitCode::from(2);
    };
    let run = || -> Result<(), String> {
        let bytes = fs::read(from).map_err(|error| error.to_string())?;
        let counted = metered(&bytes).map_err(|error| error.to_string())?;
        fs::write(to, counted.unwrap_or(bytes)).map_err(|error| error.to_string())
    };
    match run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(reason) => {
            eprintln!("offshoot-web-meter: {}: {reason}", from.display());
            ExitCode::FAILURE
        }
    }
}
