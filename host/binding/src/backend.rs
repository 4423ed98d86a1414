//! A backend that was chosen.

use crate::choice::Choice;
use crate::sandbox::{Sandbox, made};
use offshoot::backend::{
    Capabilities, Code, Error, Factory, Options, Reference, Registry, Result, Selection, Snapshot,
};
use serde_json::{Map, Value};
use std::sync::Arc;

/// Makes sandboxes of one kind.
#[derive(Debug)]
pub struct Backend {
    registry: Registry,
    factory: Arc<dyn Factory>,
    settings: Map<String, Value>,
}

/// What a sandbox is made with.
#[derive(Debug, Default)]
pub struct Wish {
    options: Options,
    snapshot: Option<Snapshot>,
}

impl Wish {
    /// Reads a wish as a package sends it: [`Options`], and in `snapshot` what it begins as.
    ///
    /// # Errors
    /// `INVALID` for what is none.
    pub fn from_json(text: &str) -> Result<Wish> {
        let read = || {
            let mut fields: Map<String, Value> = serde_json::from_str(text)?;
            let snapshot = fields.remove("snapshot").unwrap_or_default();
            Ok(Wish {
                snapshot: serde_json::from_value(snapshot)?,
                options: serde_json::from_value(Value::Object(fields))?,
            })
        };
        read().map_err(|error: serde_json::Error| {
            Error::new(Code::Invalid, "create", error.to_string())
        })
    }
}

impl Backend {
    /// Loads what was chosen. A connector of this build takes milliseconds, a component of a file
    /// seconds, since it is compiled; nothing is asked of a service or an engine yet.
    ///
    /// # Errors
    /// `NOT_FOUND` for a name or a file that is not there, `INVALID` for a manifest, variables or a
    /// component without a meaning.
    pub async fn open(choice: Choice) -> Result<Backend> {
        let factory = choice.factory().await?;
        let registry = Registry::strict();
        registry.register(Arc::clone(&factory))?;
        Ok(Backend {
            registry,
            factory,
            settings: choice.settings,
        })
    }

    /// Its name; of a component, that of its file.
    pub fn name(&self) -> &str {
        self.factory.name()
    }

    /// What a sandbox with the backend's usual settings can and cannot do.
    pub fn capabilities(&self) -> Capabilities {
        self.factory.capabilities()
    }

    /// Makes a sandbox.
    ///
    /// # Errors
    /// As [`Registry::open`] and, from a snapshot, [`Factory::start`].
    pub async fn create(&self, wish: Wish) -> Result<Sandbox> {
        let options = self.options(wish.options);
        let (registry, factory) = (self.registry.clone(), Arc::clone(&self.factory));
        let making = async move {
            let selection = match wish.snapshot {
                None => Selection::Factory(factory),
                Some(snapshot) => {
                    snapshot.of(factory.name(), "start")?;
                    Selection::Ready(factory.start(&snapshot, options.clone()).await?)
                }
            };
            registry.open(selection, options).await
        };
        made("create", making)
            .await
            .map_err(|error| error.on(self.name().to_owned()))
    }

    /// Reaches a live sandbox by its reference.
    ///
    /// # Errors
    /// As [`Registry::attach`]; `TOO_NEW` for a reference of a later version.
    pub async fn reconnect(&self, reference: &str, wish: Wish) -> Result<Sandbox> {
        if wish.snapshot.is_some() {
            let message = "a sandbox that is there begins as no snapshot";
            return Err(Error::new(Code::Invalid, "attach", message));
        }
        let reference: Reference = reference.parse()?;
        let options = self.options(wish.options);
        let attached = self.registry.attach(&reference, options).await;
        attached
            .map(Sandbox::new)
            .map_err(|error| error.on(self.name().to_owned()))
    }

    /// The options with the settings of this backend below them.
    fn options(&self, mut options: Options) -> Options {
        let asked = std::mem::replace(&mut options.settings, self.settings.clone());
        options.settings.extend(asked);
        options
    }
}
