//! The commands of this family.

use offshoot_command::family::Command;

/// Every command, with what there is to say about it.
pub const COMMANDS: &[Command] = &[
    Command::new("base32", crate::base::run),
    Command::new("base64", crate::base::run).on("base64"),
    Command::new("basenc", crate::base::run).on("base64"),
    Command::new("column", crate::text::column),
    Command::new("comm", crate::comm::run),
    Command::new("csplit", crate::csplit::run),
    Command::new("fmt", crate::fmt::run),
    Command::new("hexdump", crate::dump::hexdump),
    Command::new("join", crate::join::run),
    Command::new("nl", crate::nl::run),
    Command::new("od", crate::od::run).without("long doubles (-t fL)"),
    Command::new("paste", crate::paste::run),
    Command::new("pr", crate::pr::run),
    Command::new("rev", crate::text::rev),
    Command::new("split", crate::split::run),
    Command::new("strings", crate::text::strings),
    Command::new("tac", crate::text::reverse),
    Command::new("tail", crate::tail::run),
    Command::new("uniq", crate::uniq::run),
    Command::new("awk", crate::awk::run).without("extensions (-l, @load), -M, -D, -g, -I, -o, -p"),
    Command::new("gawk", crate::awk::run).without("extensions (-l, @load), -M, -D, -g, -I, -o, -p"),
    Command::new("mawk", crate::awk::run).without("extensions (-l, @load), -M, -D, -g, -I, -o, -p"),
    Command::new("nawk", crate::awk::run).without("extensions (-l, @load), -M, -D, -g, -I, -o, -p"),
    Command::new("sed", crate::sed::run).without("--debug"),
    Command::new("diff", crate::diff::run)
        .on("imara-diff")
        .without("--from-file, --to-file"),
    Command::new("diff3", crate::diff::diff3).on("imara-diff"),
    Command::new("merge", crate::diff::merge).on("imara-diff"),
    Command::new("cmp", crate::cmp::run),
    Command::new("xxd", crate::dump::xxd),
    Command::new("sort", crate::sort::run).without("--debug"),
    Command::new("patch", crate::patch::run),
    Command::new("colrm", crate::text::colrm),
    Command::new("look", crate::text::look),
    Command::new("dos2unix", crate::text::line_ends),
    Command::new("unix2dos", crate::text::line_ends),
    Command::new("mac2unix", crate::text::line_ends),
    Command::new("unix2mac", crate::text::line_ends),
    Command::new("envsubst", crate::text::substitute),
    Command::new("less", crate::text::pager)
        .on("unicode-width")
        .without("marks, tags, F, v, -j, -P, -t"),
    Command::new("more", crate::text::pager)
        .on("unicode-width")
        .without("v, :f, -d, -p, -c"),
    Command::new("iconv", crate::iconv::run).on("encoding_rs"),
    Command::new("sdiff", crate::diff::side_by_side),
    Command::new("hd", crate::dump::hexdump),
    Command::new("zdiff", crate::diff::run)
        .on("flate2, imara-diff")
        .without("--from-file, --to-file"),
    Command::new("zcmp", crate::cmp::run).on("flate2"),
    Command::new("bzdiff", crate::diff::run)
        .on("bzip2, imara-diff")
        .without("--from-file, --to-file"),
    Command::new("bzcmp", crate::cmp::run).on("bzip2"),
    Command::new("xzdiff", crate::diff::run)
        .on("lzma-rust2, imara-diff")
        .without("--from-file, --to-file"),
    Command::new("xzcmp", crate::cmp::run).on("lzma-rust2"),
    Command::new("zless", crate::text::pager).on("flate2"),
    Command::new("zmore", crate::text::pager).on("flate2"),
    Command::new("bzless", crate::text::pager).on("bzip2"),
    Command::new("bzmore", crate::text::pager).on("bzip2"),
    Command::new("xzless", crate::text::pager).on("lzma-rust2"),
    Command::new("xzmore", crate::text::pager).on("lzma-rust2"),
    Command::new("zstdless", crate::text::pager).on("ruzstd"),
];
