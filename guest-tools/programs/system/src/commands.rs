//! The commands of this family.

use offshoot_command::family::Command;

/// Every command, with what there is to say about it.
pub const COMMANDS: &[Command] = &[
    Command::new("id", crate::identity::id),
    Command::new("groups", crate::identity::groups),
    Command::new("whoami", crate::identity::whoami),
    Command::new("logname", crate::identity::whoami),
    Command::new("who", crate::identity::nobody),
    Command::new("users", crate::identity::nobody),
    Command::new("hostname", crate::identity::hostname),
    Command::new("tty", crate::identity::tty),
    Command::new("sync", crate::identity::sync),
    Command::new("env", crate::launch::env),
    Command::new("timeout", crate::launch::timeout),
    Command::new("nohup", crate::launch::nohup),
    Command::new("nice", crate::launch::nice),
    Command::new("stdbuf", crate::launch::stdbuf)
        .without("buffering of other programs: it runs them"),
    Command::new("setsid", crate::launch::setsid),
    Command::new("test", crate::test::run),
    Command::new("[", crate::test::run),
    Command::new("kill", crate::process::kill),
    Command::new("ps", crate::view::ps),
    Command::new("pidof", crate::view::pidof),
    Command::new("top", crate::view::top)
        .without("an interactive screen: one picture, as with -b -n 1"),
    Command::new("free", crate::view::free),
    Command::new("uptime", crate::view::uptime),
    Command::new("lscpu", crate::view::lscpu),
    Command::new("mount", crate::view::mount),
    Command::new("pgrep", crate::process::find),
    Command::new("pkill", crate::process::find),
    Command::new("uname", crate::uname::uname),
    Command::new("arch", crate::uname::arch),
    Command::new("ts", crate::stream::timestamps),
    Command::new("sponge", crate::stream::sponge),
    Command::new("watch", crate::stream::watch).without("an end: it stops after ten runs"),
    Command::new("getconf", crate::configuration::getconf),
    Command::new("locate", crate::configuration::locate)
        .without("a database: it says so and names find"),
    Command::new("uuidgen", crate::uuid::run),
    Command::new("cal", crate::month::run).on("jiff"),
    Command::new("ncal", crate::month::run).on("jiff"),
    Command::new("man", crate::manual::run)
        .without("pages of their own: it shows what --help says"),
    Command::new("stty", crate::terminal::stty)
        .without("settings other than echo, icanon, isig, cbreak, raw, cooked and sane"),
    Command::new("getopt", crate::getopt::run),
    Command::new("tput", crate::terminal::tput),
    Command::new("clear", crate::terminal::clear),
    Command::new("reset", crate::terminal::reset)
        .without("control characters: the terminal of a sandbox has none"),
    Command::new("tset", crate::terminal::reset)
        .without("control characters: the terminal of a sandbox has none"),
    Command::new("flock", crate::flock::run),
    Command::new("crc32", crate::checksum::crc32),
    Command::new("shasum", crate::checksum::shasum),
    Command::new("make", crate::makefile::run)
        .without("jobs side by side (-j), archive members, .INTERMEDIATE, load, guile, -p"),
    Command::new("gmake", crate::makefile::run)
        .without("jobs side by side (-j), archive members, .INTERMEDIATE, load, guile, -p"),
    Command::new("sudo", crate::launch::sudo)
        .without("other users: it runs the command as the one user there is"),
    Command::new("time", crate::timing::time).without("processor time and memory: these are 0"),
    Command::new("killall", crate::process::killall).without("-g, -i, -u, -w"),
    Command::new("pstree", crate::view::pstree).without("users, threads, -s, -u, -h"),
    Command::new("vmstat", crate::view::vmstat).without("what a sandbox does not count: that is 0"),
    Command::new("whereis", crate::whereis::run)
        .without("manual pages and sources: there are none"),
    Command::new("getent", crate::getent::run),
    Command::new("parallel", crate::parallel::run).without(
        "jobs side by side (-j): one after the other, in their order; --pipe, -X, -m, remote hosts",
    ),
];
