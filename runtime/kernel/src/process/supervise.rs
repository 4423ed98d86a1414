//! Runs the future of a guest so that signals, limits and faults end it, whatever it does.

use std::any::Any;
use std::future::Future;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Instant;

use tokio::time::Sleep;

use super::{Entry, ProcessEnd, signal};
use crate::{Engine, Limit};

/// Who acts upon signals.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Delivery {
    /// Nobody: they have their default action.
    Default,
    /// The future, except for `SIGKILL`.
    Guest,
}

/// `future` until it is done, or until a signal, a limit of its group or a panic ends it. Ending
/// it drops it, at whatever instruction its guest is.
pub(crate) fn supervise<F: Future<Output = ProcessEnd>>(
    future: F,
    entry: Arc<Entry>,
    engine: Engine,
    delivery: Delivery,
) -> impl Future<Output = ProcessEnd> {
    let mut timer = None;
    let mut future = Box::pin(future);
    std::future::poll_fn(move |context| {
        entry.attach(context.waker());
        if let Some(end) = verdict(&entry, delivery) {
            return Poll::Ready(end);
        }
        if !entry.is_paused()
            && let Poll::Ready(end) = run(future.as_mut(), &entry, &engine, context)
        {
            // Whatever the guest made of it: the limit is why it ended.
            return Poll::Ready(entry.group.exceeded().map_or(end, ProcessEnd::Limit));
        }
        // The slice that just ran may have been the last one allowed.
        if let Some(end) = verdict(&entry, delivery) {
            return Poll::Ready(end);
        }
        poll_timer(&mut timer, entry.group.deadline(), context)
            .map(|()| ProcessEnd::Limit(Limit::WallTime))
    })
}

/// Runs one slice, counts its time and catches its panics.
fn run<F: Future<Output = ProcessEnd>>(
    future: Pin<&mut F>,
    entry: &Entry,
    engine: &Engine,
    context: &mut Context<'_>,
) -> Poll<ProcessEnd> {
    let running = engine.running();
    let start = Instant::now();
    let polled = catch_unwind(AssertUnwindSafe(|| future.poll(context)));
    drop(running);
    entry.group.spend(start.elapsed());
    polled.unwrap_or_else(|panic| Poll::Ready(ProcessEnd::Fault(reason(panic.as_ref()))))
}

/// Why the process ends now, if it does.
fn verdict(entry: &Entry, delivery: Delivery) -> Option<ProcessEnd> {
    if let Some(limit) = entry.group.exceeded() {
        return Some(ProcessEnd::Limit(limit));
    }
    if entry.has_signals() {
        let fatal = |number| match delivery {
            Delivery::Default => signal::is_fatal(number),
            Delivery::Guest => number == signal::KILL,
        };
        if let Some(number) = entry.take_signal(fatal) {
            return Some(ProcessEnd::Signalled(number));
        }
    }
    let deadline = entry.group.deadline();
    let late = deadline.is_some_and(|deadline| Instant::now() >= deadline);
    late.then_some(ProcessEnd::Limit(Limit::WallTime))
}

/// Waits for the deadline; the timer exists only once something has to wait.
fn poll_timer(
    timer: &mut Option<Pin<Box<Sleep>>>,
    deadline: Option<Instant>,
    context: &mut Context<'_>,
) -> Poll<()> {
    let Some(deadline) = deadline else {
        return Poll::Pending;
    };
    let timer = timer.get_or_insert_with(|| Box::pin(tokio::time::sleep_until(deadline.into())));
    timer.as_mut().poll(context)
}

/// What a panic said.
fn reason(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().copied();
    text.or_else(|| panic.downcast_ref::<String>().map(String::as_str))
        .unwrap_or("a panic without a message")
        .to_owned()
}
