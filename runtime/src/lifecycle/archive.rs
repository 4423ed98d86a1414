//! A sandbox as one container that can be carried elsewhere.

use super::service::Sandboxes;
use crate::error::Result;
use offshoot_store::{Export, Import, ObjectId};
use std::io::{Read, Write};

impl Sandboxes {
    /// Writes the present state of a sandbox as one container, with its settings and sessions.
    ///
    /// # Errors
    /// As [`Sandboxes::create`] for the origin; those of the store and of the writer.
    pub async fn export(
        &self,
        name: &str,
        mut writer: impl Write + Send + 'static,
    ) -> Result<ObjectId> {
        let commit = self.present(name).await?;
        let (found, _) = self.read(name).await?;
        let options = Export {
            name: name.to_owned(),
            epoch: found.epoch,
            key: None,
        };
        self.blocking("export", move |store| {
            store.export(commit, &options, &mut writer)
        })
        .await?;
        Ok(commit)
    }

    /// Makes a sandbox from a container, which is verified as a whole before anything is named.
    ///
    /// # Errors
    /// `CORRUPT` and `TOO_NEW` for the container, those of [`Sandboxes::create`].
    pub async fn import(&self, name: &str, mut reader: impl Read + Send + 'static) -> Result<()> {
        let pin = format!("import/{}", self.nonce());
        let key = pin.clone();
        let header = self
            .blocking("import", move |store| {
                let header = store.import(&Import::default(), &mut reader)?;
                store.pin(&key, header.commit, None)?;
                Ok(header)
            })
            .await?;
        let made = self.create_from(name, header.commit).await;
        let _ = self
            .blocking("import", move |store| store.unpin(&pin))
            .await;
        made
    }
}
