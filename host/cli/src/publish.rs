//! Templates: published states that sandboxes are made from.

use crate::arguments::Place;
use crate::kept::{open, open_to_list};
use anyhow::bail;
use offshoot::lifecycle::TemplateVersion;
use serde_json::{Value, json};

/// Publishes the present state of a sandbox.
///
/// # Errors
/// Where it cannot be read, or the alias is none.
pub async fn publish(
    place: &Place,
    name: &str,
    template: &str,
    alias: Option<String>,
) -> anyhow::Result<u8> {
    let templates = open(place).await?.templates();
    let mut made = templates.publish(name, template).await?;
    if let Some(alias) = alias {
        templates.set_alias(template, &alias, made.version).await?;
        made.aliases.push(alias);
    }
    place.say(&document(&made), || {
        format!("{template}@{} is published", made.version)
    })
}

/// Lists templates or the versions of one, or forgets a version.
///
/// # Errors
/// Where there is no such template or version.
pub async fn templates(
    place: &Place,
    template: Option<String>,
    remove: Option<u64>,
) -> anyhow::Result<u8> {
    let Some(template) = template else {
        let names = match open_to_list(place).await? {
            Some(sandboxes) => sandboxes.templates().list().await?,
            None => Vec::new(),
        };
        return place.say(&json!(names), || names.join("\n"));
    };
    let templates = open(place).await?.templates();
    if let Some(version) = remove {
        if !templates.remove(&template, version).await? {
            bail!("{template} has no version {version}");
        }
        let removed = json!({ "removed": version });
        return place.say(&removed, String::new);
    }
    let versions = templates.versions(&template).await?;
    let lines = versions.iter().map(|version| {
        let aliases = version.aliases.join(" ");
        format!("{template}@{} {aliases}", version.version)
            .trim_end()
            .to_owned()
    });
    let lines: Vec<String> = lines.collect();
    place.say(&versions.iter().map(document).collect(), || {
        lines.join("\n")
    })
}

fn document(version: &TemplateVersion) -> Value {
    json!({ "name": version.name, "version": version.version, "aliases": version.aliases,
        "commit": version.commit.to_string(), "created": version.created })
}
