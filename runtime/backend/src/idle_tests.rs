#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use super::*;
use crate::testing::{Fixed, Recorded, lock};
use tokio::time::sleep;

const IDLE: u64 = 1_000;

fn idle(auto_resume: bool, change: impl FnOnce(&mut Recorded)) -> (Arc<Recorded>, IdleSuspend) {
    let mut recorded = Recorded::new();
    change(&mut recorded);
    let recorded = Arc::new(recorded);
    let inner = Arc::clone(&recorded) as Arc<dyn Environment>;
    (recorded, IdleSuspend::new(inner, IDLE, auto_resume, None))
}

async fn after(milliseconds: u64) {
    sleep(Duration::from_millis(milliseconds)).await;
}

#[tokio::test(start_paused = true)]
async fn without_a_time_or_without_the_ability_nothing_is_wrapped() {
    let able: Arc<dyn Environment> = Arc::new(Recorded::new());
    let mut unable = Recorded::new();
    unable.capabilities.suspend = false;
    let unable: Arc<dyn Environment> = Arc::new(unable);
    for (environment, milliseconds) in [(&able, 0), (&unable, IDLE)] {
        let wrapped = IdleSuspend::wrap(Arc::clone(environment), milliseconds, true);
        assert!(Arc::ptr_eq(environment, &wrapped));
    }
    let wrapped = IdleSuspend::wrap(Arc::clone(&able), IDLE, true);
    assert!(!Arc::ptr_eq(&able, &wrapped));
}

#[tokio::test(start_paused = true)]
async fn a_sandbox_that_was_never_used_is_suspended_once() {
    let (recorded, environment) = idle(true, |_| ());
    after(IDLE * 10).await;
    assert_eq!(recorded.calls(), ["suspend"]);
    assert_eq!(environment.state().await.unwrap(), State::Suspended);
    let states: Vec<State> = environment.timeline().iter().map(|t| t.state).collect();
    assert_eq!(states, [State::Suspending, State::Suspended]);
}

#[tokio::test(start_paused = true)]
async fn the_time_counts_from_the_end_of_the_last_operation() {
    let (recorded, environment) = idle(true, |recorded| {
        recorded.exec_time = Duration::from_millis(IDLE * 3);
    });
    environment.exec("long".into()).await.unwrap();
    after(IDLE - 100).await;
    environment.readdir("/base").await.unwrap();
    after(IDLE - 100).await;
    assert!(!recorded.calls().contains(&"suspend".to_owned()));
    after(200).await;
    assert_eq!(recorded.calls(), ["suspend"]);
}

#[tokio::test(start_paused = true)]
async fn many_callers_cause_one_resume() {
    let (recorded, environment) = idle(true, |_| ());
    after(IDLE * 2).await;
    recorded.calls();
    let calls = (0..20).map(|_| environment.readdir("/base"));
    futures::future::try_join_all(calls).await.unwrap();
    let calls = recorded.calls();
    assert_eq!(calls[0], "resume");
    assert_eq!(calls.iter().filter(|call| *call == "resume").count(), 1);
    assert_eq!(calls.len(), 21);
}

#[tokio::test(start_paused = true)]
async fn without_automatic_resume_an_operation_fails_until_it_is_resumed() {
    let (recorded, environment) = idle(false, |_| ());
    after(IDLE * 2).await;
    let error = environment.exec("x".into()).await.unwrap_err();
    assert_eq!(error.code(), Code::SandboxUnavailable);
    environment.resume().await.unwrap();
    environment.resume().await.unwrap();
    environment.exec("x".into()).await.unwrap();
    assert_eq!(recorded.calls(), ["suspend", "resume", "exec x in  None"]);
}

#[tokio::test(start_paused = true)]
async fn a_failed_suspend_is_noted_and_tried_again_later() {
    let (recorded, environment) = idle(true, |recorded| {
        *lock(&recorded.suspend_failures) = 2;
    });
    after(IDLE + 10).await;
    assert_eq!(recorded.calls(), ["suspend"]);
    let noted = environment.timeline().pop().unwrap();
    assert_eq!(noted.state, State::Running);
    assert!(noted.error.unwrap().contains("not now"));
    environment.readdir("/base").await.unwrap();
    recorded.calls();
    after(IDLE * 2 - 10).await;
    assert_eq!(recorded.calls(), Vec::<String>::new(), "back-off");
    after(IDLE * 10).await;
    assert_eq!(recorded.calls(), ["suspend", "suspend"]);
    assert_eq!(environment.state().await.unwrap(), State::Suspended);
}

#[tokio::test(start_paused = true)]
async fn cleanup_ends_the_timer() {
    let (recorded, environment) = idle(true, |_| ());
    environment.cleanup().await.unwrap();
    environment.cleanup().await.unwrap();
    after(IDLE * 10).await;
    assert_eq!(recorded.calls(), ["cleanup"]);
    let error = environment.exec("x".into()).await.unwrap_err();
    assert_eq!(error.code(), Code::SandboxUnavailable);
    assert_eq!(environment.state().await.unwrap(), State::Deleted);
}

#[tokio::test(start_paused = true)]
async fn a_backend_with_snapshots_sleeps_in_one() {
    let mut recorded = Recorded::new();
    recorded.capabilities.suspend = false;
    recorded.capabilities.resume = false;
    recorded.capabilities.snapshot = true;
    recorded.capabilities.restore = true;
    let recorded = Arc::new(recorded);
    let registry = crate::Registry::strict();
    registry
        .register(Arc::new(Fixed("fixed", Arc::clone(&recorded))))
        .unwrap();
    let options = Options {
        idle_suspend_ms: Some(IDLE),
        ..Options::default()
    };
    let environment = registry.open("fixed", options).await.unwrap();
    assert!(environment.capabilities().suspend);
    after(IDLE * 2).await;
    assert_eq!(recorded.calls(), ["create 0", "snapshot", "cleanup"]);
    environment.readdir("/base").await.unwrap();
    assert_eq!(
        recorded.calls(),
        ["start 1", "delete_snapshot", "readdir /base"]
    );
}
