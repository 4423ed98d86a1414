//! Shell state that lives from one execution to the next: working directory, variables, functions, options. Files are
//! the sandbox's.

use crate::error::raised;
use crate::future::{Blob, finish};
use crate::result::ExecResult;
use crate::sandbox::Sandbox;
use crate::settings::{Content, Run};
use pyo3::prelude::*;
use std::sync::Arc;

/// A session of a sandbox.
#[pyclass(frozen, module = "offshoot._native")]
pub(crate) struct Session(Arc<offshoot::Session>);

impl Session {
    pub(crate) fn new(session: offshoot::Session) -> Session {
        Session(Arc::new(session))
    }
}

#[pymethods]
impl Session {
    /// A session that goes on with what [`Session::export`] gave. The bytes are read by its first execution, which
    /// raises `CORRUPT` for what is none and `TOO_NEW` for what a later version wrote.
    #[staticmethod]
    fn load(sandbox: &Sandbox, state: Content) -> Session {
        Session::new(sandbox.inner().import_session(state.0))
    }

    /// Runs a script in the session's state.
    fn exec<'py>(&self, py: Python<'py>, wait: bool, run: Run) -> PyResult<Bound<'py, PyAny>> {
        let (session, exec) = (Arc::clone(&self.0), run.exec()?);
        finish(py, wait, async move {
            session
                .exec(exec)
                .await
                .map(ExecResult::from)
                .map_err(raised)
        })
    }

    /// The state as bytes, for `load` with this sandbox or another one.
    fn export<'py>(&self, py: Python<'py>, wait: bool) -> PyResult<Bound<'py, PyAny>> {
        let session = Arc::clone(&self.0);
        finish(py, wait, async move {
            session.export().await.map(Blob).map_err(raised)
        })
    }

    /// The same state in a branch of the sandbox.
    fn fork<'py>(&self, py: Python<'py>, wait: bool) -> PyResult<Bound<'py, PyAny>> {
        let session = Arc::clone(&self.0);
        finish(
            py,
            wait,
            async move { Ok(Session::new(session.fork().await)) },
        )
    }

    /// The sandbox that it runs in; of a fork, the branch.
    fn sandbox(&self) -> Sandbox {
        Sandbox::new(self.0.sandbox().clone())
    }
}
