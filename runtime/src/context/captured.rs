//! What a context holds, as data.

use super::{Context, ContextOptions, Language, State, process};
use crate::error::{Below, Code, Error, Result};
use crate::sandbox::Sandbox;
use bytes::{BufMut, Bytes, BytesMut};
use offshoot_kernel::Image;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::sync::Arc;

/// The version that writes captured contexts, and the oldest one that can read them.
const VERSION: (u32, u32) = (1, 1);

/// Bytes of the length that comes before all else.
const LENGTH: usize = 4;

/// What a context held between two cells: variables, functions, imports, generators half-way. Clones share it.
///
/// Any number of contexts go on from it, in any sandbox, each by itself: one that has its imports done starts in
/// milliseconds. Files are the sandbox's and not among it. Random numbers go on the same in each, and clocks are those
/// of where it runs.
///
/// ```
/// # #[tokio::main] async fn main() -> offshoot::Result<()> {
/// use offshoot::{CapturedContext, Language, Sandbox};
/// let sandbox = Sandbox::new()?;
/// let Ok(context) = sandbox.context(Language::Python).await else {
///     return Ok(()); // Without the feature `python`.
/// };
/// context.run("import json, decimal\nx = 41").await?;
/// let bytes = context.capture().await?.to_bytes()?;
///
/// // Later, also in another process.
/// let captured = CapturedContext::from_bytes(bytes)?;
/// for _ in 0..2 {
///     let again = Sandbox::new()?.restore_context(&captured)?;
///     assert_eq!(again.run("x += 1\nx, json.dumps([x])").await?.text(), Some("(42, '[42]')"));
/// }
/// # Ok(()) }
/// ```
#[derive(Clone)]
pub struct CapturedContext(Arc<Kept>);

impl CapturedContext {
    /// What it is of.
    pub fn language(&self) -> Language {
        self.0.options.language
    }

    /// Bytes that it takes, about.
    pub fn size(&self) -> u64 {
        self.0.holds.size()
    }

    /// It as bytes, with the version that wrote them and the oldest one that can read them. It goes on where the
    /// interpreter is the same build; elsewhere its first cell answers `DIED`.
    ///
    /// # Errors
    /// `DIED` where they do not fit into memory.
    pub fn to_bytes(&self) -> Result<Bytes> {
        self.0.to_bytes()
    }

    /// What [`CapturedContext::to_bytes`] wrote. Whoever can change the bytes can change what the context does in its
    /// own sandbox, and nothing beyond.
    ///
    /// # Errors
    /// `CORRUPT` for damaged bytes, `TOO_NEW` where they ask for a newer version.
    pub fn from_bytes(bytes: impl Into<Bytes>) -> Result<CapturedContext> {
        Ok(CapturedContext(Arc::new(Kept::from_bytes(&bytes.into())?)))
    }
}

/// A context without its process.
#[derive(Clone, Default)]
pub(crate) struct Kept {
    pub(super) id: String,
    pub(super) options: ContextOptions,
    pub(super) directory: String,
    pub(super) cells: u64,
    pub(super) holds: Holds,
}

/// What it holds.
#[derive(Clone, Default)]
pub(crate) enum Holds {
    /// What every context begins with.
    #[default]
    Nothing,
    Python(Image),
    Shell(Bytes),
    /// It is gone, for this reason.
    Lost(String),
}

impl Holds {
    /// Bytes that it takes, about.
    pub(super) fn size(&self) -> u64 {
        match self {
            Holds::Python(image) => image.size(),
            Holds::Shell(state) => state.len() as u64,
            Holds::Nothing | Holds::Lost(_) => 0,
        }
    }
}

/// How much is done to have what a context holds.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Taking {
    /// It is copied out of the interpreter's memory.
    Whole,
    /// Only what is known already.
    Known,
}

/// What is written before the image, or the shell's state.
#[derive(Serialize, Deserialize)]
struct Header {
    version: (u32, u32),
    id: String,
    language: String,
    directory: String,
    environment: Vec<(String, String)>,
    interruptible: bool,
    cells: u64,
    holds: Kind,
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Kind {
    Nothing,
    Python,
    Shell,
    Lost(String),
}

impl Kept {
    /// The context, in a sandbox. It starts with its first cell.
    pub(super) fn open(&self, sandbox: &Sandbox) -> Context {
        let context = Context::new(
            sandbox,
            self.id.clone(),
            self.options.clone(),
            self.directory.clone(),
            self.cells,
        );
        if let Ok(mut state) = context.0.state.try_lock() {
            // It starts nothing, so nothing fails.
            let _ = context.begin(&mut state, self.holds.clone(), false);
        }
        context
    }

    pub(super) fn to_bytes(&self) -> Result<Bytes> {
        let (kind, content) = match &self.holds {
            Holds::Nothing => (Kind::Nothing, Bytes::new()),
            Holds::Python(image) => {
                let bytes = image.to_bytes();
                let bytes = bytes.map_err(|error| Error::kernel("context", error))?;
                (Kind::Python, bytes)
            }
            Holds::Shell(state) => (Kind::Shell, state.clone()),
            Holds::Lost(reason) => (Kind::Lost(reason.clone()), Bytes::new()),
        };
        let header = Header {
            version: VERSION,
            id: self.id.clone(),
            language: self.options.language.as_str().to_owned(),
            directory: self.directory.clone(),
            environment: self.options.environment.clone(),
            interruptible: self.options.interruptible,
            cells: self.cells,
            holds: kind,
        };
        let header = serde_json::to_vec(&header)
            .map_err(|error| Error::new(Code::Died, "context", error.to_string()))?;
        let mut bytes = BytesMut::with_capacity(LENGTH + header.len() + content.len());
        bytes.put_u32_le(header.len() as u32);
        bytes.extend_from_slice(&header);
        bytes.extend_from_slice(&content);
        Ok(bytes.freeze())
    }

    pub(super) fn from_bytes(bytes: &Bytes) -> Result<Kept> {
        let corrupt = || Error::new(Code::Corrupt, "context", "the captured context is damaged");
        let (length, rest) = bytes.split_first_chunk().ok_or_else(corrupt)?;
        let length = u32::from_le_bytes(*length) as usize;
        let header = rest.get(..length).ok_or_else(corrupt)?;
        #[derive(Deserialize)]
        struct Version {
            version: (u32, u32),
        }
        let Version { version } = serde_json::from_slice(header).map_err(|_| corrupt())?;
        if version.1 > VERSION.0 {
            let message = "a newer version wrote the captured context";
            return Err(Error::new(Code::TooNew, "context", message));
        }
        let header: Header = serde_json::from_slice(header).map_err(|_| corrupt())?;
        let content = bytes.slice(LENGTH + length..);
        let language: Language = header.language.parse()?;
        let holds = match (header.holds, language) {
            (Kind::Nothing, _) => Holds::Nothing,
            (Kind::Lost(reason), _) => Holds::Lost(reason),
            (Kind::Python, Language::Python) => {
                let image = Image::from_bytes(&content);
                Holds::Python(image.map_err(|error| Error::kernel("context", error))?)
            }
            (Kind::Shell, Language::Bash) => Holds::Shell(content),
            _ => return Err(corrupt()),
        };
        Ok(Kept {
            id: header.id,
            options: ContextOptions {
                language,
                cwd: Some(header.directory.clone()),
                environment: header.environment,
                interruptible: header.interruptible,
            },
            directory: header.directory,
            cells: header.cells,
            holds,
        })
    }
}

impl State {
    /// What the interpreter holds.
    fn holds(&self, language: Language, taking: Taking) -> Result<Holds> {
        if let Some((code, reason)) = &self.gone {
            return Err(Error::new(*code, "context", reason.clone()));
        }
        if let Some(holds) = &self.unchanged {
            return Ok(holds.clone());
        }
        if language == Language::Bash
            && let Some(shell) = &self.shell
        {
            return Ok(shell
                .state()
                .map_or(Holds::Nothing, |state| Holds::Shell(state.clone())));
        }
        match &self.process {
            Some(process) if process.is_busy => Err(busy()),
            Some(process) if taking == Taking::Known => {
                let known = process.captured().map(Holds::Python);
                known.ok_or_else(|| Error::new(Code::Conflict, "context", NOT_TAKEN))
            }
            Some(process) => Ok(Holds::Python(process.capture()?)),
            None => Err(busy()),
        }
    }
}

/// Why a context of a sandbox that came back from a checkpoint is without what it held.
const NOT_TAKEN: &str =
    "its sandbox came back from a checkpoint, which copies no interpreter's memory";

fn busy() -> Error {
    Error::new(Code::Conflict, "context", "a cell of it is running").with_retryable(true)
}

impl Context {
    /// What it holds, once the cell that runs has ended. It stays as it is. This copies what the interpreter's memory
    /// has beyond that of a new one, once after each cell.
    ///
    /// # Errors
    /// `CONFLICT` where it has something open that a new interpreter has not, a file, a socket or a process: the
    /// message names it; `CAPABILITY` for JavaScript, `DIED` where its interpreter has ended.
    pub async fn capture(&self) -> Result<CapturedContext> {
        self.alive()?;
        let state = self.0.state.lock().await;
        let holds = state.holds(self.language(), Taking::Whole)?;
        Ok(CapturedContext(Arc::new(self.kept(holds, state.cells))))
    }

    /// What it holds now, or why that cannot be had.
    pub(super) fn keep(&self, taking: Taking) -> Kept {
        let (holds, cells) = match self.0.state.try_lock() {
            Ok(state) => (state.holds(self.language(), taking), state.cells),
            Err(_) => (Err(busy()), 0),
        };
        let lost = |error: Error| Holds::Lost(error.message().to_owned());
        self.kept(holds.unwrap_or_else(lost), cells)
    }

    fn kept(&self, holds: Holds, cells: u64) -> Kept {
        Kept {
            id: self.0.id.clone(),
            options: self.0.options.clone(),
            directory: self.0.directory.clone(),
            cells,
            holds,
        }
    }
}

impl Sandbox {
    /// Starts a context that goes on with what another one held.
    ///
    /// # Errors
    /// `CAPABILITY` for a language that is not there, `SANDBOX_UNAVAILABLE` after [`Sandbox::cleanup`], `INVALID`
    /// outside a tokio runtime, `LIMIT` where what it holds does not fit into
    /// [`Limits::total_memory`](crate::Limits::total_memory), which it counts against until its first cell begins. That
    /// one answers `DIED` where the interpreter is another build, and `LIMIT` where its memory does not fit into the limits.
    pub fn restore_context(&self, captured: &CapturedContext) -> Result<Context> {
        self.alive("context")?;
        process::check(self, captured.language())?;
        let kept = Kept {
            id: process::unguessable(),
            ..Kept::clone(&captured.0)
        };
        let context = kept.open(self);
        if let Ok(mut state) = context.0.state.try_lock() {
            state.held = Some(self.hold_memory(kept.holds.size())?);
            context.begin(&mut state, kept.holds, true)?;
        }
        self.context_list().add(&context);
        Ok(context)
    }
}

impl fmt::Debug for CapturedContext {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("CapturedContext")
            .field("language", &self.language())
            .field("size", &self.size())
            .finish_non_exhaustive()
    }
}
