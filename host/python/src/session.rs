//! Shell state that lives from one execution to the next.

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
    /// A session that goes on with what [`Session::export`] gave.
    #[staticmethod]
    fn load(sandbox: &Sandbox, state: Content) -> Session {
        Session::new(sandbox.inner().import_session(state.0))
    }

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

    fn export<'py>(&self, py: Python<'py>, wait: bool) -> PyResult<Bound<'py, PyAny>> {
        let session = Arc::clone(&self.0);
        finish(py, wait, async move {
            session.export().await.map(Blob).map_err(raised)
        })
    }

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
