//! The commands of this family as one program: the name it is called by selects the command.

fn main() {
    let internal = offshoot_archive::INTERNAL;
    offshoot_command::family::main_with(offshoot_archive::COMMANDS, internal)
}
