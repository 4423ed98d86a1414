//! `offshoot add`: what each backend needs before it can be used, and how to write a connector.

use crate::arguments::Add;
use crate::backends;
use offshoot_connectors::{daytona, e2b, providers};
use std::fmt::Write as _;

/// The pages that have a part for each backend of this program.
const PAGES: [&str; 2] = [
    include_str!("../../../docs/backends.md"),
    include_str!("../../../docs/connectors.md"),
];

/// How a connector comes to be; `NAME` stands for its name.
const RECIPE: &str = r#"No backend is named NAME. To write its connector, a component that may do what its manifest says:

1. Copy guest-tools/connectors/template, a whole connector in one file, and name the package NAME. Any language
   with bindings for the component model will do: the world is `connector` in wit/world.wit.
2. Say in `describe` what the service can do. What is not claimed is refused for you, and never called.
3. Write connectors/NAME.json, the manifest; what it does not name is refused:

   {
     "hosts": ["https://api.NAME.example"],
     "credentials": [
       { "origin": "https://api.NAME.example", "header": "Authorization", "prefix": "Bearer ", "env": "NAME_KEY" }
     ],
     "settings": { "api": "https://api.NAME.example" },
     "files": "exec"
   }

4. Build it, and prove it, the five classic steps first:

   rustup target add wasm32-wasip2
   cargo build --release --target wasm32-wasip2 -p NAME
   cp target/wasm32-wasip2/release/NAME.wasm connectors/
   NAME_KEY=... offshoot validate --connectors connectors --classic NAME
   NAME_KEY=... offshoot validate --connectors connectors NAME

docs/connectors.md goes through each step.
"#;

/// Lists the backends, or prints how to use or write one.
///
/// # Errors
/// Where a connector of the directory cannot be loaded.
pub fn run(arguments: &Add) -> anyhow::Result<u8> {
    let names = backends::registry(arguments.connectors.as_deref())?.list();
    let text = match &arguments.name {
        None => list(&names)?,
        Some(name) => match part(name) {
            Some(found) => found,
            None if names.contains(name) => format!(
                "{name} is a connector of the directory; its manifest {name}.json says what it may do.\n\n    \
                 offshoot validate --connectors DIR {name}\n"
            ),
            None => recipe(name),
        },
    };
    print!("{text}");
    Ok(0)
}

/// A line for each backend: its name, and the credentials that it waits for.
fn list(names: &[String]) -> anyhow::Result<String> {
    let width = names.iter().map(String::len).max().unwrap_or_default();
    let mut text = String::from("Backends, and the variables that hold their credentials:\n\n");
    for name in names {
        let credentials = credentials(name)?.join(" ");
        let line = format!("  {name:<width$}  {credentials}");
        writeln!(text, "{}", line.trim_end())?;
    }
    text.push_str(
        "\n`offshoot add NAME` says how one of them is used, or how to write the connector of another.\n",
    );
    Ok(text)
}

/// The variables that hold what a connector of this program must have; none for the other backends.
fn credentials(name: &str) -> anyhow::Result<Vec<String>> {
    let manifest = match name {
        e2b::NAME => e2b::Service::from_environment().manifest(),
        daytona::NAME => daytona::Service::from_environment().manifest(),
        _ if providers::names().any(|known| known == name) => providers::manifest(name)?,
        _ => return Ok(Vec::new()),
    };
    let mut names: Vec<String> = manifest
        .credentials
        .into_iter()
        .map(|one| one.env)
        .collect();
    names.sort();
    names.dedup();
    Ok(names)
}

/// The part of a page whose code has a command about the backend.
fn part(name: &str) -> Option<String> {
    PAGES.iter().find_map(|page| {
        let mut parts = page.split("\n## ").skip(1);
        let found = parts.find(|part| is_about(part, name))?;
        Some(format!("## {}\n", found.trim_end()))
    })
}

/// Whether a line of code validates that backend, or shows what it can do.
fn is_about(part: &str, name: &str) -> bool {
    let code = part.lines().filter(|line| line.starts_with("    "));
    let mut words = code.map(|line| {
        line.split_whitespace()
            .skip_while(|word| *word != "offshoot")
    });
    words.any(|mut words| {
        let command = words.nth(1);
        matches!(command, Some("validate" | "capabilities")) && words.next() == Some(name)
    })
}

/// How to write the connector of that name.
fn recipe(name: &str) -> String {
    let variable = name.to_ascii_uppercase().replace('-', "_");
    RECIPE
        .replace("NAME_KEY", &format!("{variable}_KEY"))
        .replace("NAME", name)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test fails by panicking")]
    use super::*;

    #[test]
    fn each_backend_has_a_part_that_names_what_it_needs() {
        for name in backends::registry(None).unwrap().list() {
            let part = part(&name).ok_or(&name).unwrap();
            for variable in credentials(&name).unwrap() {
                assert!(part.contains(&variable), "{variable} is not in {part}");
            }
        }
    }

    #[test]
    fn another_name_gets_a_recipe_whose_manifest_is_one() {
        assert_eq!(part("box-es"), None);
        let recipe = recipe("box-es");
        let (_, rest) = recipe.split_once("   {\n").unwrap();
        let (manifest, _) = rest.split_once("\n   }\n").unwrap();
        let manifest = serde_json::from_str(&format!("{{{manifest}}}")).unwrap();
        let manifest = offshoot_connectors::Manifest::expanded(manifest, &|_| None).unwrap();
        assert_eq!(manifest.hosts, ["https://api.box-es.example"]);
        assert_eq!(manifest.credentials[0].env, "BOX_ES_KEY");
        assert!(!recipe.contains("NAME"), "{recipe}");
    }
}
