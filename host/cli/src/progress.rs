//! What is shown while something takes longer than a second: on standard error, where that is a
//! terminal.

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::future::Future;
use std::pin::pin;
use std::time::Duration;

/// After how long something is worth a word.
const PATIENCE: Duration = Duration::from_secs(1);

/// The pause between two pictures.
const TICK: Duration = Duration::from_millis(120);

/// For work whose length nobody knows.
pub fn waiting(what: &'static str) -> ProgressBar {
    styled(None, "{spinner} {msg} {elapsed}").with_message(what)
}

/// For work on about so many bytes.
pub fn counting(what: &'static str, bytes: u64) -> ProgressBar {
    let shown = "{msg} [{bar:32}] {bytes}/{total_bytes} {eta}";
    styled(Some(bytes), shown).with_message(what)
}

fn styled(length: Option<u64>, template: &str) -> ProgressBar {
    let style = ProgressStyle::with_template(template);
    let bar = ProgressBar::with_draw_target(length, ProgressDrawTarget::hidden());
    bar.with_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()))
}

/// Shows the bar as soon as the work has taken long, and takes it away at its end.
pub async fn during<T>(bar: &ProgressBar, work: impl Future<Output = T>) -> T {
    let mut work = pin!(work);
    if let Ok(done) = tokio::time::timeout(PATIENCE, &mut work).await {
        return done;
    }
    bar.set_draw_target(ProgressDrawTarget::stderr());
    bar.enable_steady_tick(TICK);
    let done = work.await;
    bar.finish_and_clear();
    done
}
