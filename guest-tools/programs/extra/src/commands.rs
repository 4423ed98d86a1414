//! The commands of this family.

use offshoot_command::family::Command;

/// Every command, with what there is to say about it.
pub const COMMANDS: &[Command] = &[
    Command::new("ptx", crate::ptx::run),
    Command::new("csvcut", crate::tables::cut).on("csv"),
    Command::new("csvgrep", crate::tables::grep).on("csv"),
    Command::new("csvsort", crate::tables::sort).on("csv").without("dates other than ISO and month/day/year, --date-format, -L"),
    Command::new("csvstat", crate::tables::stat).on("csv").without("dates other than ISO and month/day/year, --date-format, -L"),
    Command::new("csvlook", crate::tables::look).on("csv").without("dates other than ISO and month/day/year, --date-format, -L"),
    Command::new("csvjson", crate::tables::json).on("csv").without("dates other than ISO and month/day/year, --date-format, -L, --lat, --lon, --geometry"),
    Command::new("datamash", crate::datamash::run).without("long doubles: numbers are of 64 bits"),
    Command::new("dc", crate::dc::run).on("num-bigint").without("! (commands of the shell)"),
    Command::new("ed", crate::ed::run).without("-G"),
    Command::new("red", crate::ed::run).without("as ed"),
    Command::new("openssl", crate::openssl::run)
        .on("rsa, p256, p384, p521, k256, ed25519-dalek, x509-cert, aes, cbc, ctr, sha-crypt, pbkdf2, sha1, sha2, sha3, hmac")
        .without("X25519, X448, Ed448, DSA and DH keys, pkeyutl but -sign and -verify, explicit parameters of curves, s_client and s_server, ca, CRLs, PKCS#7 and PKCS#12, settings files but -extfile, x509 -hash, and what openssl help does not list"),
    Command::new("rsync", crate::rsync::run).on("globset").without("remote hosts, -H, -A, -X, -b, --progress, --filter, --link-dest; the bytes it says were sent are what was copied"),
    Command::new("units", crate::units::run).without("currencies, -f FILE, user definitions; its table has the usual units, not all of GNU's"),
    Command::new("vi", crate::vi::run).without("visual mode, registers, marks, macros, windows, .exrc, ! (commands of the shell)"),
    Command::new("vim", crate::vi::run).without("as vi"),
    Command::new("view", crate::vi::run).without("as vi"),
    Command::new("html-to-markdown", crate::html::run).on("htmd"),
];
