//! P3: ephemeral branches of a sleeping main sandbox; one is promoted, the others go.

use offshoot::Sandbox;
use offshoot::lifecycle::{Origin, Retire, Sandboxes, Store};

#[tokio::main]
async fn main() -> offshoot::Result<()> {
    let sandboxes = Sandboxes::open(Store::memory());
    let project = sandboxes.projects().named("shop");
    project.start(Origin::template(Sandbox::builder())).await?;
    let mut best = None;
    for idea in ["red", "blue"] {
        let branch = project.branch(idea).await?;
        sandboxes
            .exec(&branch.name, format!("echo {idea} > colour"))
            .await?;
        best = Some(branch.name);
    }
    if let Some(best) = best {
        project.promote(&best, Retire::Delete).await?;
    }
    let main = project.main().await?;
    let colour = sandboxes.exec(&main, "cat colour").await?;
    println!("{main} is {}", colour.stdout_text().trim());
    Ok(())
}
