//! Python inside a sandbox, called as CPython is: `python3 FILE`, `python3 -c CODE`, `python3 -m MODULE`, or
//! the program on standard input. RustPython runs the language and brings the standard library; `library/*.py`
//! and the module `_sandbox` add what WASI cannot express: modes, owners, symbolic links and processes.

mod arguments;
mod depth;
mod interpreter;
mod module;
mod sandbox;

use std::io::Write as _;

use arguments::Outcome;

fn main() {
    sandbox::enter_directory();
    let status = match arguments::read(std::env::args().collect()) {
        Outcome::Run(call) => interpreter::run(&call),
        Outcome::Print(text) => i32::from(std::io::stdout().write_all(text.as_bytes()).is_err()),
        Outcome::Refuse(message) => {
            // Nothing is left to tell where standard error is gone.
            let _ = std::io::stderr().write_all(message.as_bytes());
            2
        }
    };
    sandbox::leave(status)
}
