//! The commands of this family.

use offshoot_command::family::Command;

/// Every command, with what there is to say about it.
pub const COMMANDS: &[Command] = &[
    Command::new("jq", crate::jq::run),
    #[cfg(feature = "sqlite")]
    Command::new("sqlite3", crate::sqlite3::run).on("SQLite 3.50").without("extensions that are loaded, archives (-A, .archive), -interactive, .clone, .recover, .session, .expert, .lint, decimal, sha3, zipfile; one process at a time uses a database"),
    Command::new("yq", crate::yq::run).on("saphyr-parser, quick-xml, toml_edit, csv").without("Lua, HCL, INI and KYAML, colours (-C), comments of TOML, system, shuffle"),
    Command::new("xmllint", crate::xml::lint).on("quick-xml").without("--html, --schema, --dtdvalid, --valid, --shell, --stream, --encode, --c14n; prefixes in XPath"),
];
