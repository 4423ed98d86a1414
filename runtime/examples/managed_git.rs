//! P2: files live in a git repository; the sandbox is made for the first client and is gone with the
//! last one, after its work was saved. Where saving fails it stays.

use offshoot::Sandbox;
use offshoot::lifecycle::{
    CallbackError, GitRemote, LeaseOptions, OnLastRelease, Origin, Sandboxes, Store,
};

const WORK: &str = "/home/user/work";

/// Attaches to the project's sandbox, or makes it and loads the files: of many callers, one does.
async fn connect(sandboxes: &Sandboxes) -> offshoot::Result<offshoot::lifecycle::Lease> {
    let template = || Origin::template(Sandbox::builder().cwd(WORK));
    let options = LeaseOptions::new().on_last_release(OnLastRelease::SaveAndDelete("git".into()));
    sandboxes
        .leases("project")
        .ensure(template, "load", options)
        .await
}

#[tokio::main]
async fn main() -> Result<(), CallbackError> {
    let folder = std::env::temp_dir().join(format!("offshoot-git-{}", std::process::id()));
    let (load, save) = (
        GitRemote::new(&folder, "main"),
        GitRemote::new(&folder, "main"),
    );
    let sandboxes = Sandboxes::builder(Store::memory())
        .callback("load", move |sandboxes, name| {
            let remote = load.clone();
            async move { remote.load(&*sandboxes.lease(&name).await?, WORK).await }
        })
        .callback("git", move |sandboxes, name| {
            let remote = save.clone();
            async move {
                let lease = sandboxes.lease(&name).await?;
                remote.save(&lease, WORK, "work of a session").await
            }
        })
        .build();

    for round in ["first", "second"] {
        let lease = connect(&sandboxes).await?;
        lease.exec(format!("echo {round} >> notes")).await?;
        lease.release().await?;
        assert!(sandboxes.get("project").await.is_err());
    }
    let lease = connect(&sandboxes).await?;
    print!(
        "{}",
        lease
            .exec("cat notes; git log --oneline | wc -l")
            .await?
            .stdout_text()
    );
    std::fs::remove_dir_all(folder)?;
    Ok(())
}
