//! The flags of what is done with backends.

use clap::Args;
use std::path::PathBuf;

/// Prove that a backend does what it claims, and nothing else.
///
/// Makes sandboxes on it and removes them. Every step is reported: the five classic ones, files,
/// commands, attempts to leave the root, each capability in both directions, the end. The exit
/// status is 1 where a step failed.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  offshoot validate
  offshoot validate local --only files --only escape
  offshoot validate docker --set image=debian:12
  offshoot validate gvisor --set rootfs=/srv/debian --twins
  offshoot validate local --speed
  offshoot validate connectors/boxes.wasm --classic
  offshoot validate '{\"backend\": \"docker\", \"image\": \"debian:12\"}' --json")]
pub struct Validate {
    /// Which backend.
    #[command(flatten)]
    pub selected: Selected,
    /// Only the five classic steps: mkdir, writeFile, readFile, exec, rm
    #[arg(long)]
    pub classic: bool,
    /// Prove instead that the suite fails on twins of the backend that claim what it lacks, or deny
    /// what it has
    #[arg(long, conflicts_with = "classic")]
    pub twins: bool,
    /// Measure instead how fast it is: creation, execution, files, fork
    #[arg(long, conflicts_with_all = ["classic", "twins", "only"])]
    pub speed: bool,
    /// Only this area, such as files or capability, or this step; may be given more than once
    #[arg(long, value_name = "AREA")]
    pub only: Vec<String>,
    /// Print JSON
    #[arg(long)]
    pub json: bool,
}

/// The flags that select a backend.
#[derive(Debug, Args)]
pub struct Selected {
    /// Its name, a record such as {"backend": "docker", "image": "debian:12"}, or a connector's
    /// FILE.wasm with FILE.json beside it; virtual by default
    #[arg(value_name = "BACKEND")]
    pub backend: Option<String>,
    /// A directory of connectors, NAME.wasm and NAME.json each, which are backends too
    #[arg(long, value_name = "DIR")]
    pub connectors: Option<PathBuf>,
    /// A setting of the backend, as JSON or text; may be given more than once
    #[arg(long, value_name = "NAME=VALUE")]
    pub set: Vec<String>,
    /// Refuse to choose where no backend is named
    #[arg(long)]
    pub strict: bool,
}

/// Show what each backend can do, with its default settings.
#[derive(Debug, Args)]
pub struct Capabilities {
    /// Only this one
    #[arg(value_name = "BACKEND")]
    pub backend: Option<String>,
    /// A directory of connectors, NAME.wasm and NAME.json each, which are backends too
    #[arg(long, value_name = "DIR")]
    pub connectors: Option<PathBuf>,
    /// Print JSON
    #[arg(long)]
    pub json: bool,
    /// Print the page docs/capabilities.md
    #[arg(long, conflicts_with = "json")]
    pub markdown: bool,
}

/// Show what a backend needs to be used, or how to write the connector of another.
///
/// Without a name the backends are listed, each with the variables that hold its credentials.
#[derive(Debug, Args)]
pub struct Add {
    /// Its name; one that is unknown gets the steps to a connector
    #[arg(value_name = "BACKEND")]
    pub name: Option<String>,
    /// A directory of connectors, NAME.wasm and NAME.json each, which are backends too
    #[arg(long, value_name = "DIR")]
    pub connectors: Option<PathBuf>,
}
