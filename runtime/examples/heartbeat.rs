//! P1: a sandbox that is awake while at least one client is connected, over any number of servers.

use offshoot::Sandbox;
use offshoot::lifecycle::{LeaseOptions, OnLastRelease, Origin, Sandboxes, Store};
use std::time::Duration;

/// One connection, from its first byte to its last, however it ends.
async fn connection(sandboxes: Sandboxes, number: u32) -> offshoot::Result<()> {
    let options = LeaseOptions::new().on_last_release(OnLastRelease::Suspend);
    let lease = sandboxes.leases("project").acquire(options).await?;
    sandboxes
        .setup("project")
        .wait(Duration::from_secs(60))
        .await?;
    lease.exec(format!("echo client {number} >> log")).await?;
    lease.release().await
}

#[tokio::main]
async fn main() -> offshoot::Result<()> {
    let sandboxes = Sandboxes::open(Store::memory());
    let template = Origin::template(Sandbox::builder());
    sandboxes.create("project", template).await?;
    let clients = (0..8).map(|number| tokio::spawn(connection(sandboxes.clone(), number)));
    for client in clients.collect::<Vec<_>>() {
        assert!(matches!(client.await, Ok(Ok(()))));
    }
    assert!(sandboxes.is_asleep("project").await?);
    let lines = sandboxes.exec("project", "wc -l < log").await?;
    println!("{} clients were there", lines.stdout_text().trim());
    Ok(())
}
