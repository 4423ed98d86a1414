//! Promises that were rejected while nobody listened, which end the program as in Node.

use std::cell::RefCell;

use boa_engine::builtins::promise::{OperationType, PromiseState};
use boa_engine::context::HostHooks;
use boa_engine::object::builtins::JsPromise;
use boa_engine::{Context, JsError, JsObject, JsResult};

thread_local! {
    static REJECTED: RefCell<Vec<JsObject>> = const { RefCell::new(Vec::new()) };
}

/// Remembers what was rejected until somebody listens.
#[derive(Debug, Default)]
pub struct Tracker;

impl HostHooks for Tracker {
    fn promise_rejection_tracker(
        &self,
        promise: &JsObject,
        operation: OperationType,
        _context: &mut Context,
    ) {
        REJECTED.with_borrow_mut(|rejected| match operation {
            OperationType::Reject => rejected.push(promise.clone()),
            OperationType::Handle => rejected.retain(|other| !JsObject::equals(other, promise)),
        });
    }
}

/// Fails with the first rejection that nobody listens to.
pub fn check() -> JsResult<()> {
    let Some(promise) = REJECTED.with_borrow_mut(|rejected| {
        let first = rejected.first().cloned();
        rejected.clear();
        first
    }) else {
        return Ok(());
    };
    match JsPromise::from_object(promise)?.state() {
        PromiseState::Rejected(error) => Err(JsError::from_opaque(error)),
        _ => Ok(()),
    }
}
