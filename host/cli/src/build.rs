//! `offshoot build`: what another service makes sandboxes of.

use crate::arguments::{Build, Reach, Target};
use anyhow::Context;
use offshoot_server::foundry::Image;
use std::fs;
use std::io::Write;

/// Writes the directory that an image is built in.
///
/// # Errors
/// For a flag that cannot be read, a secret that would be written down, and a directory that cannot be written.
pub fn run(options: &Build) -> anyhow::Result<u8> {
    match options.target {
        Target::FoundryHostedAgent => foundry(options),
    }
}

fn foundry(options: &Build) -> anyhow::Result<u8> {
    let reach = Reach {
        network: options.network.clone(),
        secret: Vec::new(),
        commands: Vec::new(),
    };
    reach.policy()?;
    let mut image = Image::new(&options.name, &options.image)
        .base(&options.base)
        .size(&options.cpu, &options.memory);
    for rule in &options.network {
        image = image.network(rule);
    }
    for text in &options.vault {
        let (variable, place) = text
            .split_once('=')
            .with_context(|| format!("--vault {text}: write NAME=CONNECTION/KEY"))?;
        image = image.vault(variable, place);
    }
    for text in &options.secret {
        image = image.secret(text);
    }
    let files = image.files()?;
    let directory = &options.directory;
    let failed = || format!("the directory {}", directory.display());
    fs::create_dir_all(directory).with_context(failed)?;
    for (name, text) in files {
        fs::write(directory.join(name), text).with_context(failed)?;
    }
    let program = std::env::current_exe().context("the program cannot be found")?;
    fs::copy(program, directory.join("offshoot")).with_context(failed)?;
    writeln!(
        std::io::stdout(),
        "docker build --tag {} {}",
        options.image,
        directory.display()
    )?;
    Ok(0)
}
