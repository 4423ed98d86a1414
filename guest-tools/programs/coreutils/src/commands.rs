//! The commands of this family.

use offshoot_command::family::Command;

/// A command of uutils, which only the guest links.
macro_rules! coreutil {
    ($name:literal, $library:ident) => {
        Command::uutils($name, {
            #[cfg(target_os = "wasi")]
            {
                |call| crate::coreutil::run(call, $name, $library::uu_app, $library::uumain)
            }
            #[cfg(not(target_os = "wasi"))]
            {
                |call| call.fail(127, "runs in a sandbox only")
            }
        })
    };
}

/// Every command, with what there is to say about it.
pub const COMMANDS: &[Command] = &[
    Command::new("b2sum", crate::checksum::run).on("md-5, sha1, sha2, sm3, blake2b_simd"),
    coreutil!("basename", uu_basename),
    Command::new("cat", crate::cat::run),
    Command::new("cksum", crate::checksum::cksum).on("md-5, sha1, sha2, sm3, blake2b_simd"),
    coreutil!("cut", uu_cut),
    coreutil!("date", uu_date),
    coreutil!("dircolors", uu_dircolors),
    coreutil!("dirname", uu_dirname),
    coreutil!("echo", uu_echo),
    coreutil!("expand", uu_expand),
    coreutil!("factor", uu_factor),
    coreutil!("false", uu_false),
    coreutil!("fold", uu_fold),
    coreutil!("head", uu_head),
    coreutil!("hostid", uu_hostid),
    coreutil!("link", uu_link),
    Command::new("md5sum", crate::checksum::run).on("md-5, sha1, sha2, sm3, blake2b_simd"),
    coreutil!("nproc", uu_nproc),
    coreutil!("pathchk", uu_pathchk),
    coreutil!("printenv", uu_printenv),
    coreutil!("printf", uu_printf),
    coreutil!("pwd", uu_pwd),
    coreutil!("readlink", uu_readlink),
    coreutil!("realpath", uu_realpath),
    coreutil!("rmdir", uu_rmdir),
    coreutil!("seq", uu_seq),
    Command::new("sha1sum", crate::checksum::run).on("md-5, sha1, sha2, sm3, blake2b_simd"),
    Command::new("sha224sum", crate::checksum::run).on("md-5, sha1, sha2, sm3, blake2b_simd"),
    Command::new("sha256sum", crate::checksum::run).on("md-5, sha1, sha2, sm3, blake2b_simd"),
    Command::new("sha384sum", crate::checksum::run).on("md-5, sha1, sha2, sm3, blake2b_simd"),
    Command::new("sha512sum", crate::checksum::run).on("md-5, sha1, sha2, sm3, blake2b_simd"),
    coreutil!("shred", uu_shred),
    coreutil!("shuf", uu_shuf),
    coreutil!("sleep", uu_sleep),
    Command::new("sum", crate::checksum::sum),
    coreutil!("tee", uu_tee),
    coreutil!("tr", uu_tr),
    coreutil!("true", uu_true),
    coreutil!("truncate", uu_truncate),
    coreutil!("tsort", uu_tsort),
    coreutil!("unexpand", uu_unexpand),
    coreutil!("unlink", uu_unlink),
    coreutil!("wc", uu_wc),
    coreutil!("yes", uu_yes),
];
