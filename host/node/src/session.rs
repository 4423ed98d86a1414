//! Shell state that lives from one execution to the next: `Session` of `lib/index.cjs`. Its executions run one after
//! the other, from the state that the last one left: working directory, variables, functions, options.

use crate::error::thrown;
use crate::sandbox::NativeSandbox;
use crate::settings::{ExecResult, Run};
use napi::bindgen_prelude::Uint8Array;
use napi_derive::napi;

/// A session of a sandbox. Files are the sandbox's, so other sessions and executions see them change.
#[napi]
pub struct NativeSession(offshoot::Session);

impl NativeSession {
    pub(crate) fn new(session: offshoot::Session) -> NativeSession {
        NativeSession(session)
    }
}

#[napi]
impl NativeSession {
    /// Runs a script in the session's state.
    #[napi]
    pub async fn exec(&self, run: Run) -> napi::Result<ExecResult> {
        self.0
            .exec(run.exec()?)
            .await
            .map(ExecResult::from)
            .map_err(thrown)
    }

    /// The state as bytes, for `load_session` of this sandbox or another one. It names files and does not hold them.
    #[napi]
    pub async fn export(&self) -> napi::Result<Uint8Array> {
        Ok(self.0.export().await.map_err(thrown)?.to_vec().into())
    }

    /// The same state in a branch of the sandbox.
    #[napi]
    pub async fn fork(&self) -> NativeSession {
        NativeSession(self.0.fork().await)
    }

    /// The sandbox that it runs in; of a fork, the branch.
    #[napi]
    pub fn sandbox(&self) -> NativeSandbox {
        NativeSandbox::new(self.0.sandbox().clone())
    }
}
