//! Databricks: SQL warehouses. A command is a statement, so the suite, whose commands are scripts, is not for it.

use crate::support;
use offshoot::Exec;
use offshoot::backend::{Code, Factory, Options};
use offshoot_connectors::Connector;
use offshoot_providers::databricks::{self, TOKEN, WAREHOUSE, Workspace};
use offshoot_providers::service::Service;
use std::sync::Arc;
use std::time::{Duration, Instant};

const NAME: &str = "databricks-sql";
/// A statement without an end.
const ENDLESS: &str =
    "WITH RECURSIVE t(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM t) SELECT max(n) FROM t";

async fn served() -> (Service, Arc<Workspace>, Connector) {
    let (service, workspace) = databricks::serve().await.unwrap();
    let url = service.url();
    let variables = [
        ("DATABRICKS_HOST", &*url),
        ("DATABRICKS_WAREHOUSE_ID", WAREHOUSE),
        ("DATABRICKS_CATALOG", "main"),
    ];
    let connector = support::connector(NAME, &variables, TOKEN).await;
    (service, workspace, connector)
}

#[tokio::test(flavor = "multi_thread")]
async fn rows_are_typed_quoted_and_complete() {
    let (_service, _, connector) = served().await;
    let csv = || {
        Options::default()
            .setting("format", "csv")
            .setting("schema", "s")
    };
    let many = "WITH RECURSIVE t(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM t LIMIT 2500) SELECT n FROM t";
    let numbers: String = (1..=2500).map(|n| format!("{{\"n\":{n}}}\n")).collect();
    for (options, statement, expected) in [
        (
            Options::default(),
            "SELECT 1 AS a, 2.5 AS a, NULL AS b, '' AS c, 'x\"y' AS \"d\"\"e\"",
            "{\"a\":1,\"a_2\":2.5,\"b\":null,\"c\":\"\",\"d\\\"e\":\"x\\\"y\"}\n",
        ),
        (
            csv(),
            "SELECT 1 AS a, 2 AS a, NULL AS \"b,c\", '' AS d, 'x\"y' AS \"e\"\"f\", 'g\nh'",
            "a,a,\"b,c\",d,\"e\"\"f\",\"'g\nh'\"\n1,2,,\"\",\"x\"\"y\",\"g\nh\"\n",
        ),
        (
            csv(),
            "SELECT current_catalog() AS c, current_schema() AS s",
            "c,s\nmain,s\n",
        ),
        (csv(), "SELECT 1 AS a WHERE 1 = 0", "a\n"),
        (Options::default(), "CREATE TABLE t (a)", ""),
        (Options::default(), many, &numbers),
    ] {
        let sandbox = connector.create(options).await.unwrap();
        let ran = sandbox.exec(statement.into()).await.unwrap();
        assert_eq!(ran.stdout_text(), expected, "{statement}");
        assert_eq!((ran.exit_code, &*ran.stderr_text()), (0, ""));
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn each_end_of_a_statement_is_told_apart() {
    let (service, workspace, connector) = served().await;
    let sandbox = connector.create(Options::default()).await.unwrap();
    let failed = sandbox.exec("SELECT * FROM no_such".into()).await.unwrap();
    assert_eq!(failed.exit_code, 1);
    assert!(failed.stderr_text().contains("no such table"), "{failed:?}");
    for state in ["CLOSED", "CANCELED"] {
        workspace.force(Some(state));
        let error = sandbox.exec("SELECT 1".into()).await.unwrap_err();
        assert_eq!(error.code(), Code::Died, "{state}: {error}");
    }
    workspace.force(None);
    service.end().await;
    let error = sandbox.exec("SELECT 1".into()).await.unwrap_err();
    assert_eq!(error.code(), Code::Died, "{error}");
    let error = connector
        .create(Options::default())
        .await
        .map(drop)
        .unwrap_err();
    assert_eq!(error.code(), Code::SandboxUnavailable, "{error}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_statement_is_cancelled_at_its_time_out_and_not_before() {
    let (_service, workspace, connector) = served().await;
    let sandbox = connector.create(Options::default()).await.unwrap();
    for limit in [300, 6000] {
        let begun = Instant::now();
        let ran = sandbox
            .exec(Exec::new(ENDLESS).timeout_ms(limit))
            .await
            .unwrap();
        assert!(ran.timed_out && ran.exit_code == 124, "{ran:?}");
        assert!(begun.elapsed() >= Duration::from_millis(limit));
    }
    assert_eq!(workspace.statements(), ["CANCELED"; 2]);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_service_that_dies_is_a_typed_error() {
    let (service, workspace, connector) = served().await;
    let sandbox = connector.create(Options::default()).await.unwrap();
    let running = tokio::spawn(async move { sandbox.exec(ENDLESS.into()).await });
    while workspace.statements().is_empty() {
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    service.end().await;
    let error = running.await.unwrap().unwrap_err();
    assert_eq!(error.code(), Code::Died, "{error}");
}

#[tokio::test(flavor = "multi_thread")]
async fn what_a_warehouse_has_not_is_refused() {
    let (_service, _, connector) = served().await;
    let record = connector.capabilities();
    assert!(
        !record.filesystem && !record.exec_environment && !record.exec_directory && !record.stdin
    );
    let sandbox = connector.create(Options::default()).await.unwrap();
    let refused = [
        sandbox
            .exec(Exec::new("SELECT 1").env("A", "b"))
            .await
            .map(drop),
        sandbox
            .exec(Exec::new("SELECT 1").stdin(b"x".to_vec()))
            .await
            .map(drop),
        sandbox
            .exec(Exec::new("SELECT 1").arguments(["x"]))
            .await
            .map(drop),
        sandbox.write_file("/file", b"x").await,
        sandbox.mkdir("/directory", false).await,
    ];
    for error in refused {
        let error = error.unwrap_err();
        assert_eq!(error.code(), Code::Capability, "{error}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn t34_the_token_is_added_by_the_host() {
    let (service, _, connector) = served().await;
    let sandbox = connector.create(Options::default()).await.unwrap();
    let ran = sandbox.exec("SELECT 1 AS a".into()).await.unwrap();
    let id = sandbox.reference().await.unwrap();
    let same = connector
        .attach(&id.provider_data, Options::default())
        .await
        .unwrap();
    let missing = connector
        .attach("no-such", Options::default())
        .await
        .map(drop)
        .unwrap_err();
    assert_eq!(missing.code(), Code::NotFound, "{missing}");
    let told = format!("{connector:?} {same:?} {ran:?} {id} {missing} {missing:?}");
    assert!(!told.contains(TOKEN), "{told}");
    let seen = service.seen();
    assert!(
        seen.len() > 3
            && seen
                .iter()
                .all(|one| one.headers.matches(TOKEN).count() == 1)
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_warehouse_at_the_provider_answers() {
    if std::env::var_os("OFFSHOOT_LIVE_DATABRICKS_SQL").is_none() {
        eprintln!(
            "skipped: set OFFSHOOT_LIVE_DATABRICKS_SQL and the provider's own variables to run it"
        );
        return;
    }
    let manifest = offshoot_connectors::providers::manifest(NAME).unwrap();
    let engine = offshoot::engine().unwrap();
    let connector = offshoot_connectors::providers::connector(engine, NAME, &manifest)
        .await
        .unwrap();
    let sandbox = connector.create(Options::default()).await.unwrap();
    let ran = sandbox
        .exec("SELECT 1 AS a, NULL AS b".into())
        .await
        .unwrap();
    assert_eq!(ran.stdout_text(), "{\"a\":1,\"b\":null}\n");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn the_service_is_what_the_client_expects() {
    let Some(directory) = support::clients() else {
        return;
    };
    let (service, workspace, _) = served().await;
    let url = service.url();
    let variables = [
        ("DATABRICKS_HOST", &*url),
        ("DATABRICKS_TOKEN", TOKEN),
        ("DATABRICKS_WAREHOUSE_ID", WAREHOUSE),
    ];
    support::client(&directory, "databricks_sql_client.py", &variables).await;
    assert!(workspace.statements().contains(&"CANCELED"));
}
