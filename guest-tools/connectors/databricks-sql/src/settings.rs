//! What the connector is configured with, which is what it keeps of a sandbox.

use serde::{Deserialize, Serialize};

/// How rows are written.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Format {
    /// An object of JSON a line.
    #[default]
    Jsonl,
    /// RFC 4180 with a header; NULL is empty, an empty text is `""`.
    Csv,
}

/// The connector's settings.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct Settings {
    /// The workspace.
    pub(crate) host: String,
    /// The SQL warehouse.
    pub(crate) warehouse: String,
    /// Where names without a catalog or schema are looked for.
    pub(crate) catalog: Option<String>,
    pub(crate) schema: Option<String>,
    /// How rows are written.
    pub(crate) format: Format,
}
