//! P4: code inside a sandbox asks to be put to sleep, because it was granted that.

use offshoot::Sandbox;
use offshoot::lifecycle::{CreateOptions, Grant, Origin, Sandboxes, Store};
use std::time::Duration;

#[tokio::main]
async fn main() -> offshoot::Result<()> {
    let sandboxes = Sandboxes::builder(Store::memory())
        .on_event(|event| async move {
            println!("{} {}", event.sandbox, event.kind.as_str());
            Ok(())
        })
        .build();
    let template = || Origin::template(Sandbox::builder());
    let granted = CreateOptions::new().grant(Grant::Suspend);
    sandboxes.create_with("agent", template(), granted).await?;
    sandboxes
        .exec("agent", "echo done > report; lifecycle suspend")
        .await?;
    while !sandboxes.is_asleep("agent").await? {
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    sandboxes.create("other", template()).await?;
    let refused = sandboxes.exec("other", "lifecycle suspend").await?;
    assert_eq!(refused.exit_code, 127);
    sandboxes.maintenance().deliver_events("agent").await?;
    Ok(())
}
