//! Promises that were rejected while nobody listened, which end the program as in Node.

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use boa_engine::builtins::promise::{OperationType, Promise, PromiseState};
use boa_engine::context::HostHooks;
use boa_engine::job::{Job, JobCallback, JobExecutor, PromiseJob, SimpleJobExecutor};
use boa_engine::object::builtins::{JsFunction, JsPromise};
use boa_engine::{Context, JsError, JsObject, JsResult, JsValue};

thread_local! {
    static REJECTED: RefCell<Vec<JsObject>> = const { RefCell::new(Vec::new()) };
    static ANSWERED: Cell<bool> = const { Cell::new(false) };
}

/// Something begins: no rejection has been answered since.
pub fn checkpoint() {
    ANSWERED.set(false);
}

/// Remembers what was rejected until somebody listens.
///
/// The engine also tells of promises that somebody had listened to before they were rejected. What tells these
/// apart is the job that answers a rejection, which was enqueued right before. Where something else that is
/// answered comes before in the same job, without a call of this program between, a rejection may be missed.
#[derive(Debug, Default)]
pub struct Tracker;

impl HostHooks for Tracker {
    fn promise_rejection_tracker(
        &self,
        promise: &JsObject<Promise>,
        operation: OperationType,
        _context: &mut Context,
    ) {
        let is_answered = ANSWERED.replace(false);
        REJECTED.with_borrow_mut(|rejected| match operation {
            OperationType::Reject if is_answered => {}
            OperationType::Reject => rejected.push(promise.clone().upcast()),
            OperationType::Handle => {
                let promise = promise.clone().upcast();
                rejected.retain(|other| !JsObject::equals(other, &promise));
            }
        });
    }

    fn local_timezone_offset_seconds(&self, unix_time_seconds: i64) -> i32 {
        crate::date::offset(unix_time_seconds)
    }

    fn make_job_callback(&self, callback: JsFunction, _context: &mut Context) -> JobCallback {
        checkpoint();
        JobCallback::new(callback, ())
    }
}

/// Runs jobs as the engine's own executor does, and sees when they begin and what they are enqueued by.
#[derive(Debug, Default)]
pub struct Jobs(RefCell<Rc<SimpleJobExecutor>>);

impl Jobs {
    /// Does something, with what it enqueues run to its end, and nothing else that is due.
    pub fn apart<T>(
        &self,
        context: &mut Context,
        work: impl FnOnce(&mut Context) -> T,
    ) -> JsResult<T> {
        let own = Rc::new(SimpleJobExecutor::default());
        let others = self.0.replace(Rc::clone(&own));
        let done = work(context);
        let ran = own.run_jobs(context);
        self.0.replace(others);
        ran.map(|()| done)
    }
}

impl JobExecutor for Jobs {
    fn enqueue_job(self: Rc<Self>, job: Job, context: &mut Context) {
        let job = match job {
            Job::PromiseJob(job) => {
                ANSWERED.set(true);
                let job = PromiseJob::new(move |context| {
                    checkpoint();
                    job.call(context)
                });
                Job::PromiseJob(job)
            }
            other => other,
        };
        let jobs = Rc::clone(&self.0.borrow());
        jobs.enqueue_job(job, context);
    }

    fn run_jobs(self: Rc<Self>, context: &mut Context) -> JsResult<()> {
        let jobs = Rc::clone(&self.0.borrow());
        jobs.run_jobs(context)
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
