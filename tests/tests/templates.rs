//! Templates: versions that never change, aliases that move, builds that leave nothing.

use offshoot::lifecycle::{Collect, CreateOptions, Origin, Sandboxes, SetupStatus, Store};
use offshoot::{Code, Sandbox};
use std::time::Duration;

const LONG: Duration = Duration::from_secs(60);

async fn reads(sandboxes: &Sandboxes, name: &str, path: &str) -> String {
    let ran = sandboxes.exec(name, format!("cat {path}").as_str()).await;
    ran.unwrap().stdout_text().into_owned()
}

#[tokio::test]
async fn versions_never_change_and_aliases_move() {
    let sandboxes = Sandboxes::open(Store::memory());
    let templates = sandboxes.templates();
    let origin = Origin::template(Sandbox::builder());
    sandboxes.create("draft", origin).await.unwrap();
    assert!(templates.list().await.unwrap().is_empty());
    for text in ["one", "two"] {
        let script = format!("echo {text} > state");
        sandboxes.exec("draft", script.as_str()).await.unwrap();
        templates.publish("draft", "base").await.unwrap();
    }
    templates.set_alias("base", "stable", 1).await.unwrap();
    let made = [
        ("newest", "base", "two\n", "base@2"),
        ("first", "base@1", "one\n", "base@1"),
        ("stable", "base@stable", "one\n", "base@1"),
    ];
    for (name, version, state, template) in made {
        let origin = Origin::published(version);
        let info = sandboxes.create(name, origin).await.unwrap();
        assert_eq!(info.template.as_deref(), Some(template), "{name}");
        assert_eq!(info.parent, None);
        assert_eq!(reads(&sandboxes, name, "state").await, state, "{name}");
    }
    // What was made from a version changes neither it nor its siblings.
    sandboxes.exec("first", "echo mine > state").await.unwrap();
    templates.set_alias("base", "stable", 2).await.unwrap();
    for (name, version, state) in [
        ("again", "base@1", "one\n"),
        ("moved", "base@stable", "two\n"),
    ] {
        let origin = Origin::published(version);
        sandboxes.create(name, origin).await.unwrap();
        assert_eq!(reads(&sandboxes, name, "state").await, state, "{name}");
    }
    let versions = templates.versions("base").await.unwrap();
    assert_eq!(versions.len(), 2);
    assert_eq!(versions[1].aliases, ["stable"]);
    assert!(versions[0].aliases.is_empty());
    assert_eq!(templates.list().await.unwrap(), ["base"]);
    // Templates are no sandboxes.
    let listed = sandboxes.list(&[], None, 99).await.unwrap();
    assert_eq!(listed.len(), 6);

    // A number is not given again, and what was made goes on.
    assert!(templates.remove("base", 2).await.unwrap());
    assert!(!templates.remove("base", 2).await.unwrap());
    let next = templates.publish("draft", "base").await.unwrap();
    assert_eq!(next.version, 3);
    assert_eq!(reads(&sandboxes, "moved", "state").await, "two\n");
    for (version, code) in [
        ("base@2", Code::NotFound),
        ("base@stable", Code::NotFound),
        ("none", Code::NotFound),
        ("base@", Code::NotFound),
    ] {
        let refused = sandboxes.create("x", Origin::published(version)).await;
        assert_eq!(refused.unwrap_err().code(), code, "{version}");
    }
    for (alias, version, code) in [
        ("7", 1, Code::Invalid),
        ("", 1, Code::Invalid),
        ("a@b", 1, Code::Invalid),
        (&"a".repeat(65), 1, Code::Invalid),
        ("x", 9, Code::NotFound),
    ] {
        let refused = templates.set_alias("base", alias, version).await;
        assert_eq!(refused.unwrap_err().code(), code, "{alias} {version}");
    }
}

#[tokio::test]
async fn a_version_outlives_what_it_was_made_from() {
    let sandboxes = Sandboxes::open(Store::memory());
    let templates = sandboxes.templates();
    let origin = Origin::template(Sandbox::builder());
    sandboxes.create("draft", origin).await.unwrap();
    sandboxes.exec("draft", "echo kept > state").await.unwrap();
    templates.publish("draft", "base").await.unwrap();
    sandboxes.delete("draft").await.unwrap();
    let maintenance = sandboxes.maintenance();
    let collect = || {
        maintenance.collect(Collect {
            grace: Duration::ZERO,
            ..Collect::default()
        })
    };
    collect().await.unwrap();
    collect().await.unwrap();
    assert!(maintenance.leaks(Duration::ZERO).await.unwrap().is_empty());
    sandboxes
        .create("box", Origin::published("base"))
        .await
        .unwrap();
    assert_eq!(reads(&sandboxes, "box", "state").await, "kept\n");
    // And what was made outlives the version.
    templates.remove("base", 1).await.unwrap();
    collect().await.unwrap();
    collect().await.unwrap();
    assert_eq!(reads(&sandboxes, "box", "state").await, "kept\n");
}

#[tokio::test]
async fn a_build_runs_the_setup_once_and_leaves_nothing() {
    let sandboxes = Sandboxes::open(Store::memory());
    let templates = sandboxes.templates();
    let origin = || Origin::template(Sandbox::builder());
    let options = CreateOptions::new().setup_step("install", "echo run >> log");
    let built = templates.build("base", origin(), options, LONG);
    assert_eq!(built.await.unwrap().version, 1);
    assert!(sandboxes.list(&[], None, 9).await.unwrap().is_empty());
    sandboxes
        .create("box", Origin::published("base"))
        .await
        .unwrap();
    assert_eq!(reads(&sandboxes, "box", "log").await, "run\n");
    let setup = sandboxes.setup("box").get().await.unwrap();
    assert_eq!(setup.status, SetupStatus::Finished);

    let failing = CreateOptions::new().setup_step("install", "echo no >&2; exit 3");
    let failed = templates.build("base", origin(), failing, LONG);
    let error = failed.await.unwrap_err();
    assert!(error.to_string().contains("install"), "{error}");
    assert_eq!(sandboxes.list(&[], None, 9).await.unwrap().len(), 1);
    assert_eq!(templates.versions("base").await.unwrap().len(), 1);
}

#[tokio::test]
async fn publishing_at_once_gives_each_its_number() {
    let sandboxes = Sandboxes::open(Store::memory());
    let templates = sandboxes.templates();
    let origin = Origin::template(Sandbox::builder());
    sandboxes.create("draft", origin).await.unwrap();
    let publishing = (0..8).map(|_| {
        let templates = templates.clone();
        tokio::spawn(async move { templates.publish("draft", "base").await.unwrap().version })
    });
    let mut numbers = Vec::new();
    for task in publishing.collect::<Vec<_>>() {
        numbers.push(task.await.unwrap());
    }
    numbers.sort_unstable();
    assert_eq!(numbers, (1..=8).collect::<Vec<_>>());
}
