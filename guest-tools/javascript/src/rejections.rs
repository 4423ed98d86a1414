//! Promises that were rejected while nobody listened, which end the program as in Node.

use std::cell::RefCell;

use boa_engine::builtins::promise::{OperationType, PromiseState};
use boa_engine::context::HostHooks;
use boa_engine::object::builtins::JsPromise;
use boa_engine::{Context, JsError, JsObject, JsResult, JsValue};

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

/// The first rejection that nobody listens to, with its promise.
pub fn next() -> JsResult<Option<(JsValue, JsError)>> {
    loop {
        let first = REJECTED.with_borrow_mut(|rejected| match rejected.is_empty() {
            true => None,
            false => Some(rejected.remove(0)),
        });
        let Some(promise) = first else {
            return Ok(None);
        };
        let state = JsPromise::from_object(promise.clone())?.state();
        if let PromiseState::Rejected(error) = state {
            return Ok(Some((promise.into(), JsError::from_opaque(error))));
        }
    }
}

/// Lets go of those that were seen in another way.
pub fn forget() {
    REJECTED.with_borrow_mut(Vec::clear);
}
