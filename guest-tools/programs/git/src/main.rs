//! The commands of this family as one program: the name it is called by selects the command.

fn main() {
    offshoot_command::family::main(offshoot_git::COMMANDS)
}
