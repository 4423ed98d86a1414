//! What is left of a process that is gone.

use super::{Engine, labels, typed};
use crate::owner::Owner;
use bollard::query_parameters::{
    ListContainersOptionsBuilder, ListImagesOptionsBuilder, RemoveImageOptionsBuilder,
};
use offshoot_backend::Result;
use std::collections::HashMap;

/// Removes containers, and then images of branches, whose owner is gone. Snapshots stay: they are
/// deleted by who knows them.
pub(super) async fn reap(engine: &Engine) -> Result<()> {
    let docker = &engine.docker;
    let is_orphan = |found: &HashMap<String, String>| {
        let owner = found.get(labels::OWNER).and_then(|text| Owner::parse(text));
        owner.is_some_and(|owner| owner.is_gone(&engine.owner))
    };
    let filters = |kind: &str| {
        let label = format!("{}={kind}", labels::KIND);
        HashMap::from([("label".to_owned(), vec![label])])
    };
    let options = ListContainersOptionsBuilder::default()
        .all(true)
        .filters(&filters(labels::SANDBOX))
        .build();
    let containers = docker.list_containers(Some(options)).await;
    for container in containers.map_err(|error| typed("reap", error))? {
        let found = container.labels.unwrap_or_default();
        if let Some(id) = container.id.filter(|_| is_orphan(&found)) {
            engine.remove(&id).await?;
        }
    }
    let options = ListImagesOptionsBuilder::default()
        .filters(&filters(labels::BRANCH))
        .build();
    let images = docker.list_images(Some(options)).await;
    for image in images.map_err(|error| typed("reap", error))? {
        if is_orphan(&image.labels) {
            for name in image.repo_tags.iter().chain([&image.id]) {
                // Another branch may still stand on it; then the next reaper takes it.
                let options = RemoveImageOptionsBuilder::default().force(true).build();
                let _ = docker.remove_image(name, Some(options), None).await;
            }
        }
    }
    Ok(())
}
