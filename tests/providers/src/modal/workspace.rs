//! What sandboxes are made of: apps, secrets and images.

use super::grpc::{Failed, Outcome, Told, reply, streamed};
use super::wire::*;
use super::{Held, Modal, SECRET, Variables};
use futures::stream;

impl Modal {
    pub(super) fn environment(&self, asked: &EnvironmentGetOrCreateRequest) -> Outcome {
        reply(&EnvironmentGetOrCreateResponse {
            environment_id: "en-1".to_owned(),
            metadata: Some(EnvironmentMetadata {
                name: match asked.deployment_name.is_empty() {
                    true => "main".to_owned(),
                    false => asked.deployment_name.clone(),
                },
                settings: Some(EnvironmentSettings {
                    image_builder_version: "2025.06".to_owned(),
                }),
            }),
        })
    }

    pub(super) fn app(&self, asked: AppGetOrCreateRequest) -> Outcome {
        let mut held = self.held();
        let number = held.number();
        if asked.object_creation_type != CREATE_IF_MISSING
            && !held.apps.contains_key(&asked.app_name)
        {
            let message = format!("App '{}' not found", asked.app_name);
            return Err(Failed::not_found(message));
        }
        let id = held.apps.entry(asked.app_name);
        let app_id = id.or_insert_with(|| format!("ap-{number}")).clone();
        reply(&AppGetOrCreateResponse { app_id })
    }

    /// A secret of the workspace by its name, or one that is made of variables.
    pub(super) fn secret(&self, asked: SecretGetOrCreateRequest) -> Outcome {
        let mut held = self.held();
        let variables = match asked.deployment_name.as_str() {
            SECRET => Variables::from([("FROM_SECRET".to_owned(), "kept".to_owned())]),
            "" => asked.env_dict,
            name => return Err(Failed::not_found(format!("Secret '{name}' not found"))),
        };
        let secret_id = format!("st-{}", held.number());
        held.secrets.insert(secret_id.clone(), variables);
        reply(&SecretGetOrCreateResponse { secret_id })
    }

    /// An image is built after it was asked for.
    pub(super) fn image(&self, asked: ImageGetOrCreateRequest) -> Outcome {
        if asked.builder_version.is_empty() {
            return Err(Failed::invalid("builder_version is missing"));
        }
        let commands = asked.image.unwrap_or_default().dockerfile_commands;
        let commands = commands.join("\n");
        if !commands.starts_with("FROM ") {
            return Err(Failed::invalid("an image begins with FROM"));
        }
        let mut held = self.held();
        let known = held.images.iter().find(|(_, of)| **of == commands);
        let known = known.map(|(id, _)| id.clone());
        let image_id = match known {
            Some(id) => id,
            None => {
                let id = format!("im-{}", held.number());
                held.images.insert(id.clone(), commands);
                id
            }
        };
        reply(&ImageGetOrCreateResponse {
            image_id,
            result: Some(GenericResult::default()),
        })
    }

    pub(super) fn join(&self, asked: ImageJoinStreamingRequest) -> Outcome {
        let commands = self.held().images.get(&asked.image_id).cloned();
        let commands = commands.ok_or_else(|| Failed::not_found("no such image"))?;
        let result = match commands.contains("no-such") {
            true => GenericResult {
                status: FAILURE,
                exception: "the registry does not have it".to_owned(),
                exitcode: 1,
            },
            false => GenericResult {
                status: SUCCESS,
                ..GenericResult::default()
            },
        };
        // What is built is told to who comes again.
        let told = match asked.last_entry_id.as_str() {
            "" => ImageJoinStreamingResponse {
                result: None,
                entry_id: "1-0".to_owned(),
            },
            last => ImageJoinStreamingResponse {
                result: Some(result),
                entry_id: last.to_owned(),
            },
        };
        Ok(streamed(stream::iter([Told::Message(told)])))
    }

    pub(super) fn is_image(&self, held: &Held, id: &str) -> bool {
        held.images.contains_key(id) || self.machines.has(id)
    }

    pub(super) fn image_by_id(&self, asked: ImageFromIdRequest) -> Outcome {
        match self.is_image(&self.held(), &asked.image_id) {
            true => reply(&ImageFromIdResponse {
                image_id: asked.image_id,
            }),
            false => Err(Failed::not_found("no such image")),
        }
    }

    pub(super) fn delete_image(&self, asked: &ImageDeleteRequest) -> Outcome {
        match self.machines.forget(&asked.image_id) {
            true => reply(&Empty {}),
            false => Err(Failed::not_found("no such image")),
        }
    }
}
