//! All commands of a sandbox as one native program: the name it is called by selects the command.
//!
//! In a sandbox each family is a component of its own; here they are together for the tests of what crosses
//! families.

fn main() {
    offshoot_command::family::main(&offshoot_programs::commands())
}
