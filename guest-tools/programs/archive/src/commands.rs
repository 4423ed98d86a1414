//! The commands of this family.

use offshoot_command::family::Command;

/// Every command, with what there is to say about it.
pub const COMMANDS: &[Command] = &[
    Command::new("bunzip2", crate::archive::compress).on("flate2, bzip2, lzma-rust2"),
    Command::new("bzcat", crate::archive::compress).on("flate2, bzip2, lzma-rust2"),
    Command::new("bzip2", crate::archive::compress).on("flate2, bzip2, lzma-rust2"),
    Command::new("gunzip", crate::archive::compress).on("flate2, bzip2, lzma-rust2"),
    Command::new("gzip", crate::archive::compress).on("flate2, bzip2, lzma-rust2"),
    Command::new("tar", crate::archive::tar)
        .on("tar")
        .without("several volumes, incremental archives (-g), --to-command, --backup, -A, -K, -R, -V, --anchored, --totals, --index-file, --occurrence, --exclude-caches, --exclude-tag, --exclude-ignore"),
    Command::new("unxz", crate::archive::compress).on("flate2, bzip2, lzma-rust2"),
    Command::new("xz", crate::archive::compress)
        .on("flate2, bzip2, lzma-rust2")
        .without("--list; dictionaries above 8 MiB, which levels 7 to 9 have"),
    Command::new("xzcat", crate::archive::compress).on("flate2, bzip2, lzma-rust2"),
    Command::new("zcat", crate::archive::compress).on("flate2, bzip2, lzma-rust2"),
    Command::new("zip", crate::archive::zip).on("zip"),
    Command::new("unzip", crate::archive::unzip).on("zip"),
    Command::new("zipinfo", crate::archive::zipinfo).on("zip"),
    Command::new("zstd", crate::archive::zstd).on("ruzstd"),
    Command::new("zstdmt", crate::archive::zstd).on("ruzstd"),
    Command::new("unzstd", crate::archive::zstd).on("ruzstd"),
    Command::new("zstdcat", crate::archive::zstd).on("ruzstd"),
    Command::new("cpio", crate::archive::cpio).without("tar's formats, -A, -a, -l"),
    Command::new("lzma", crate::archive::compress)
        .on("flate2, bzip2, lzma-rust2")
        .without("--list; dictionaries above 8 MiB, which levels 7 to 9 have"),
    Command::new("unlzma", crate::archive::compress).on("flate2, bzip2, lzma-rust2"),
    Command::new("lzcat", crate::archive::compress).on("flate2, bzip2, lzma-rust2"),
    Command::new("uncompress", crate::archive::compress)
        .on("flate2, bzip2, lzma-rust2")
        .without("the format of compress (.Z)"),
    Command::new("ar", crate::archive::ar)
        .on("object")
        .without("thin archives, -M, -l; object files that are not ELF have no symbols"),
    Command::new("ranlib", crate::archive::ranlib)
        .on("object")
        .without("-t; object files that are not ELF have no symbols"),
];

/// What other programs of the sandbox run this family for.
pub const INTERNAL: &[Command] =
    &[Command::new("coder", offshoot_codec::coder::run).on("bzip2, lzma-rust2")];
