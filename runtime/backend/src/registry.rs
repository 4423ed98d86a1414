//! Backends by name, and how one is selected.

use crate::environment::Environment;
use crate::error::{Code, Error, Result};
use crate::factory::{Factory, Options, Record};
use crate::idle::IdleSuspend;
use crate::policy::{Approver, Restricted, RestrictedFactory};
use crate::rules::Rules;
use crate::snapshot::Reference;
use std::collections::BTreeMap;
use std::fmt;
use std::sync::{Arc, PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard};

/// The backends that a program knows, by name; clones share them.
///
/// ```
/// # async fn example(factory: std::sync::Arc<dyn offshoot_backend::Factory>) -> offshoot_backend::Result<()> {
/// use offshoot_backend::{Options, Registry};
/// let registry = Registry::strict();
/// registry.register(factory)?;
/// let sandbox = registry.open("local", Options::default()).await?;
/// sandbox.write_file("greeting", b"hello").await?;
/// assert_eq!(sandbox.exec("cat greeting".into()).await?.stdout, b"hello");
/// sandbox.cleanup().await
/// # }
/// ```
#[derive(Clone, Default)]
pub struct Registry {
    factories: Arc<RwLock<BTreeMap<String, Arc<dyn Factory>>>>,
    default: Option<String>,
    approver: Option<Arc<dyn Approver>>,
}

impl Registry {
    /// A registry without backends and without a default: [`Selection::Default`] is refused.
    pub fn strict() -> Registry {
        Registry::default()
    }

    /// The same registry with the backend that [`Selection::Default`] means.
    #[must_use]
    pub fn with_default(mut self, name: impl Into<String>) -> Registry {
        self.default = Some(name.into());
        self
    }

    /// The same registry without a default.
    #[must_use]
    pub fn without_default(mut self) -> Registry {
        self.default = None;
        self
    }

    /// The same registry with who is asked where a [policy](crate::Policy) wants an approval.
    #[must_use]
    pub fn with_approver(mut self, approver: Arc<dyn Approver>) -> Registry {
        self.approver = Some(approver);
        self
    }

    /// Adds a backend under its name.
    ///
    /// # Errors
    /// `CONFLICT` where the name is taken, `INVALID` for an empty one.
    pub fn register(&self, factory: Arc<dyn Factory>) -> Result<()> {
        let name = factory.name().to_owned();
        if name.is_empty() {
            return Err(Error::new(
                Code::Invalid,
                "register",
                "a backend needs a name",
            ));
        }
        let mut factories = self.write();
        if factories.contains_key(&name) {
            let message = format!("a backend {name} is registered already");
            return Err(Error::new(Code::Conflict, "register", message));
        }
        factories.insert(name, factory);
        Ok(())
    }

    /// Takes a backend out; its sandboxes go on.
    pub fn unregister(&self, name: &str) -> Option<Arc<dyn Factory>> {
        self.write().remove(name)
    }

    /// The names, in order.
    pub fn list(&self) -> Vec<String> {
        self.read().keys().cloned().collect()
    }

    /// The backend of this name.
    ///
    /// # Errors
    /// `NOT_FOUND`, with the names that there are.
    pub fn factory(&self, name: &str) -> Result<Arc<dyn Factory>> {
        if let Some(factory) = self.read().get(name) {
            return Ok(Arc::clone(factory));
        }
        let message = format!("no backend {name}; there are: {}", self.list().join(", "));
        Err(Error::new(Code::NotFound, "open", message))
    }

    /// Makes a sandbox on the selected backend, under the [rules](Rules) that hold for all, and
    /// suspending when idle where the options say so. No failure falls back to another backend.
    ///
    /// # Errors
    /// As [`Factory::create`]; `NOT_FOUND` for an unknown name, `INVALID` for the default of a
    /// registry without one.
    pub async fn open(
        &self,
        selection: impl Into<Selection>,
        mut options: Options,
    ) -> Result<Arc<dyn Environment>> {
        let factory = match selection.into() {
            Selection::Default => match &self.default {
                Some(name) => self.factory(name)?,
                None => {
                    let message = "no backend was selected, and there is no default";
                    return Err(Error::new(Code::Invalid, "open", message));
                }
            },
            Selection::Name(name) => self.factory(&name)?,
            Selection::Record(record) => {
                options.cwd = record.cwd.or(options.cwd);
                options.settings.extend(record.settings);
                self.factory(&record.backend)?
            }
            Selection::Factory(factory) => factory,
            Selection::Ready(environment) => return self.wrap(environment, &options).await,
        };
        check_env(&options, factory.name())?;
        let factory = self.under_policies(factory, &mut options);
        let made = factory.create(options.clone()).await?;
        Ok(IdleSuspend::restartable(
            Arc::new(Rules::new(made)),
            factory,
            options,
        ))
    }

    /// Attaches to a live sandbox by its portable reference. Credentials are the factory's.
    ///
    /// # Errors
    /// `NOT_FOUND` for an unknown provider or a sandbox that is gone, `INVALID` for malformed data.
    pub async fn attach(
        &self,
        reference: &Reference,
        options: Options,
    ) -> Result<Arc<dyn Environment>> {
        let factory = self
            .factory(&reference.provider)
            .map_err(|error| error.during("attach"))?;
        let environment = factory
            .attach(&reference.provider_data, options.clone())
            .await?;
        self.wrap(environment, &options).await
    }

    fn under_policies(&self, inner: Arc<dyn Factory>, options: &mut Options) -> Arc<dyn Factory> {
        match std::mem::take(&mut options.policies) {
            policies if policies.is_empty() => inner,
            policies => Arc::new(RestrictedFactory {
                inner,
                policies,
                approver: self.approver.clone(),
            }),
        }
    }

    /// What a sandbox gets around it that this registry did not make.
    async fn wrap(
        &self,
        mut environment: Arc<dyn Environment>,
        options: &Options,
    ) -> Result<Arc<dyn Environment>> {
        if !options.policies.is_empty() {
            let approver = self.approver.clone();
            let restricted = Restricted::new(environment, &options.policies, approver).await?;
            environment = Arc::new(restricted);
        }
        Ok(IdleSuspend::wrap(
            Arc::new(Rules::new(environment)),
            options.idle_suspend_ms.unwrap_or(0),
            options.auto_resume_on_access,
        ))
    }

    fn read(&self) -> RwLockReadGuard<'_, BTreeMap<String, Arc<dyn Factory>>> {
        self.factories
            .read()
            .unwrap_or_else(PoisonError::into_inner)
    }

    fn write(&self) -> RwLockWriteGuard<'_, BTreeMap<String, Arc<dyn Factory>>> {
        self.factories
            .write()
            .unwrap_or_else(PoisonError::into_inner)
    }
}

impl fmt::Debug for Registry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Registry")
            .field("backends", &self.list())
            .field("default", &self.default)
            .finish_non_exhaustive()
    }
}

/// Refuses names of variables that no shell could have.
fn check_env(options: &Options, backend: &str) -> Result<()> {
    match options
        .env
        .iter()
        .find(|(name, value)| !crate::rules::is_variable(name, value))
    {
        None => Ok(()),
        Some((name, _)) => {
            let message = format!("the variable {name:?} has no valid name or value");
            Err(Error::new(Code::Invalid, "create", message).on(backend.to_owned()))
        }
    }
}

/// Which backend a sandbox is to run on.
#[derive(Debug, Clone, Default)]
#[non_exhaustive]
pub enum Selection {
    /// The registry's default.
    #[default]
    Default,
    /// The registered backend of this name.
    Name(String),
    /// The registered backend of this record, with its settings.
    Record(Record),
    /// This one.
    Factory(Arc<dyn Factory>),
    /// No new one: this sandbox.
    Ready(Arc<dyn Environment>),
}

impl From<&str> for Selection {
    fn from(name: &str) -> Selection {
        Selection::Name(name.to_owned())
    }
}

impl From<Record> for Selection {
    fn from(record: Record) -> Selection {
        Selection::Record(record)
    }
}

impl From<Arc<dyn Factory>> for Selection {
    fn from(factory: Arc<dyn Factory>) -> Selection {
        Selection::Factory(factory)
    }
}

impl From<Arc<dyn Environment>> for Selection {
    fn from(environment: Arc<dyn Environment>) -> Selection {
        Selection::Ready(environment)
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test fails by panicking")]
    use super::*;
    use crate::factory::ResourceLimits;
    use crate::testing::{Fixed, Recorded};

    fn registry() -> (Arc<Recorded>, Registry) {
        let recorded = Arc::new(Recorded::new());
        let registry = Registry::strict();
        for name in ["b", "a"] {
            let factory = Arc::new(Fixed(name, Arc::clone(&recorded)));
            registry.register(factory).unwrap();
        }
        (recorded, registry)
    }

    #[test]
    fn names_are_listed_taken_and_given_back() {
        let (recorded, registry) = registry();
        assert_eq!(registry.list(), ["a", "b"]);
        let again = Arc::new(Fixed("a", Arc::clone(&recorded)));
        let error = registry.register(again).unwrap_err();
        assert_eq!(error.code(), Code::Conflict);
        assert!(registry.unregister("a").is_some());
        assert!(registry.unregister("a").is_none());
        assert_eq!(registry.list(), ["b"]);
    }

    #[tokio::test]
    async fn a_backend_is_selected_in_every_way() {
        let (recorded, registry) = registry();
        let factory = registry.factory("a").unwrap();
        let ready: Arc<dyn Environment> = Arc::clone(&recorded) as Arc<dyn Environment>;
        let record: Record =
            serde_json::from_str(r#"{"backend": "b", "image": "debian:12", "cwd": "/base"}"#)
                .unwrap();
        assert_eq!(record.settings["image"], "debian:12");
        let defaulted = registry.clone().with_default("a");
        for (registry, selection, calls) in [
            (&registry, Selection::from("a"), vec!["create 0"]),
            (&registry, record.into(), vec!["create 1"]),
            (&registry, factory.into(), vec!["create 0"]),
            (&registry, ready.into(), vec![]),
            (&defaulted, Selection::Default, vec!["create 0"]),
        ] {
            let environment = registry.open(selection, Options::default()).await.unwrap();
            assert_eq!(environment.cwd(), "/base/home");
            assert_eq!(recorded.calls(), calls);
        }
    }

    #[tokio::test]
    async fn nothing_is_made_where_an_option_cannot_be_honoured() {
        let (recorded, registry) = registry();
        let limited = Options {
            limits: ResourceLimits {
                processes: Some(3),
                ..ResourceLimits::default()
            },
            ..Options::default()
        };
        let online = Options {
            network: Some(crate::Network::Host),
            ..Options::default()
        };
        let nameless = Options {
            env: vec![(String::new(), "x".to_owned())],
            ..Options::default()
        };
        for (selection, options, code) in [
            (Selection::Default, Options::default(), Code::Invalid),
            ("c".into(), Options::default(), Code::NotFound),
            ("a".into(), limited, Code::Capability),
            ("a".into(), online, Code::Capability),
            ("a".into(), nameless, Code::Invalid),
        ] {
            let error = registry.open(selection, options).await.unwrap_err();
            assert_eq!(error.code(), code, "{error}");
        }
        let foreign = Reference::new("nobody", "x");
        let error = registry.attach(&foreign, Options::default()).await;
        assert_eq!(error.unwrap_err().code(), Code::NotFound);
        assert_eq!(recorded.calls(), Vec::<String>::new());
    }
}
