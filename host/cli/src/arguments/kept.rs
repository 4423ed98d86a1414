//! The subcommands for sandboxes that are kept in a store.

use super::value::{Past, Span, duration, past, span};
use super::{Reach, Setting};
use clap::{Args, Subcommand};
use std::path::PathBuf;
use std::time::Duration;

/// What is done with sandboxes that are kept in a store.
#[derive(Debug, Subcommand)]
pub enum Kept {
    /// Make a sandbox that is kept under a name.
    Create {
        /// Its name: letters, digits, '.', '_' and '-'
        name: String,
        /// Make it a branch of this: NAME, NAME@SNAPSHOT, or NAME~2 for two states before
        #[arg(long, value_name = "POINT")]
        from: Option<String>,
        /// Make it from a template that was published: NAME, NAME@NUMBER or NAME@ALIAS
        #[arg(long, value_name = "VERSION", conflicts_with = "from")]
        template: Option<String>,
        /// A text for people
        #[arg(long)]
        title: Option<String>,
        /// A tag to list by; may be given ten times
        #[arg(long)]
        tag: Vec<String>,
        /// A step that makes it ready when it is first used; may be given more than once, in order
        #[arg(long = "setup", value_name = "NAME=COMMAND")]
        step: Vec<String>,
        /// How long it is there.
        #[command(flatten)]
        life: Life,
        /// What it is made of, where it is no branch.
        #[command(flatten)]
        setting: Setting,
        /// Where it is kept.
        #[command(flatten)]
        place: Place,
    },
    /// Change settings of a kept sandbox, awake or asleep; what is not given stays.
    Set {
        /// The sandbox
        name: String,
        /// A text for people
        #[arg(long)]
        title: Option<String>,
        /// Its tags, instead of those it has; may be given ten times
        #[arg(long)]
        tag: Vec<String>,
        /// How long it is there.
        #[command(flatten)]
        life: Life,
        /// Where it is kept.
        #[command(flatten)]
        place: Place,
    },
    /// Run a script in a kept sandbox, and keep what it changes.
    ///
    /// The exit status is the script's; 124 after a time-out, 130 after Ctrl-C, 143 after SIGTERM and 129
    /// after SIGHUP, and what it changed is kept all the same; 125 where a limit of the sandbox ended it. 121
    /// says that this command could not do it. 122 says that this process was stopped or cut off for
    /// so long that another one took the sandbox over: what the script changed is lost.
    ///
    /// A sandbox with a setup is set up before the first script; one that failed is run again or left
    /// out with the command setup.
    ///
    /// Where the sandbox is suspended from elsewhere meanwhile, the script sleeps with it: the status
    /// is 75 then, and --resume lets it go on. Where that fails, it sleeps on.
    ///
    /// The script is over when it has ended and nothing writes to its output any more: what runs in the
    /// background with its streams redirected, as in 'server >/dev/null 2>&1 &', goes on while the sandbox
    /// is awake. It falls asleep when nobody uses it, so give --wait for work that has to be finished.
    Exec {
        /// The sandbox
        name: String,
        /// The text of a script; what follows is $0, $1 and on
        #[arg(short = 'c', value_name = "SCRIPT", allow_hyphen_values = true)]
        script: Option<String>,
        /// A script of the host and its arguments; - reads the script from standard input
        #[arg(value_name = "FILE", trailing_var_arg = true)]
        words: Vec<String>,
        /// Keep variables, functions and the working directory under this name too
        #[arg(long, value_name = "NAME")]
        session: Option<String>,
        /// Go on with a script that was suspended with the sandbox, by its number where there are
        /// several
        #[arg(long, value_name = "NUMBER", num_args = 0..=1,
            conflicts_with_all = ["script", "words", "session", "timeout"])]
        resume: Option<Option<u64>>,
        /// End everything after this time: seconds, or with a unit ms, s, m, h, d
        #[arg(long, value_name = "TIME", value_parser = duration)]
        timeout: Option<Duration>,
        /// Wait for everything in the background, also where it has let go of the output
        #[arg(long, conflicts_with = "resume")]
        wait: bool,
        /// What it reaches.
        #[command(flatten)]
        reach: Reach,
        /// Where it is kept.
        #[command(flatten)]
        place: Place,
    },
    /// Show how far the setup of a kept sandbox is; the status is 1 where a step failed.
    Setup {
        /// The sandbox
        name: String,
        /// Run all of it again
        #[arg(long)]
        rerun: bool,
        /// Leave this step out from now on, or all of them, and run the rest
        #[arg(long, value_name = "STEP", num_args = 0..=1)]
        skip: Option<Option<String>>,
        /// What its steps reach.
        #[command(flatten)]
        reach: Reach,
        /// Where it is kept.
        #[command(flatten)]
        place: Place,
    },
    /// Make a branch of a kept sandbox; neither sees what the other changes.
    Fork {
        /// The parent: NAME, NAME@SNAPSHOT or NAME~2
        parent: String,
        /// The branch
        branch: String,
        /// Where they are kept.
        #[command(flatten)]
        place: Place,
    },
    /// Keep the present state under a label, or list those kept.
    Snapshot {
        /// The sandbox
        name: String,
        /// The label; without one, the snapshots are listed
        label: Option<String>,
        /// Forget it instead
        #[arg(long, requires = "label")]
        remove: bool,
        /// Where it is kept.
        #[command(flatten)]
        place: Place,
    },
    /// Keep the present state as a new version of a template, which never changes.
    Publish {
        /// The sandbox
        name: String,
        /// The template; it is made where it is missing
        template: String,
        /// Another name for this version, which another one loses
        #[arg(long)]
        alias: Option<String>,
        /// Where it is kept.
        #[command(flatten)]
        place: Place,
    },
    /// List templates, or the versions of one.
    Templates {
        /// The template
        template: Option<String>,
        /// Forget this version; what was made from it stays
        #[arg(long, value_name = "NUMBER", requires = "template")]
        remove: Option<u64>,
        /// Where they are kept.
        #[command(flatten)]
        place: Place,
    },
    /// Set a sandbox back to a state; what it was before is NAME~1 then.
    #[command(visible_alias = "checkout")]
    Restore {
        /// The sandbox
        name: String,
        /// The state: NAME@SNAPSHOT, or NAME~2 for two states before
        point: String,
        /// Where it is kept.
        #[command(flatten)]
        place: Place,
    },
    /// Put a sandbox to sleep, with the script that another process runs in it; one that no process
    /// has awake sleeps already.
    Suspend {
        /// The sandbox
        name: String,
        /// Where it is kept.
        #[command(flatten)]
        place: Place,
    },
    /// Wake a sandbox, read everything that belongs to it, and say what was brought back.
    Resume {
        /// The sandbox
        name: String,
        /// Where it is kept.
        #[command(flatten)]
        place: Place,
    },
    /// List kept sandboxes.
    Ls {
        /// Only those with this tag; may be given more than once
        #[arg(long)]
        tag: Vec<String>,
        /// Only those behind this name
        #[arg(long, value_name = "NAME")]
        after: Option<String>,
        /// At most so many
        #[arg(long, value_name = "NUMBER", default_value_t = 1000)]
        limit: usize,
        /// Where they are kept.
        #[command(flatten)]
        place: Place,
    },
    /// Draw which sandbox was forked from which.
    Tree {
        /// Where they are kept.
        #[command(flatten)]
        place: Place,
    },
    /// Show what differs between two: A added, M modified, D deleted.
    Diff {
        /// The one: NAME, NAME@SNAPSHOT or NAME~2
        before: String,
        /// The other
        after: String,
        /// Show what changed in files, as a patch
        #[arg(long)]
        patch: bool,
        /// Where they are kept.
        #[command(flatten)]
        place: Place,
    },
    /// Bring a branch's changes to its parent, all or none.
    Promote {
        /// The branch
        branch: String,
        /// Where they are kept.
        #[command(flatten)]
        place: Place,
    },
    /// Show the states of a sandbox, the last one first.
    Log {
        /// The sandbox
        name: String,
        /// At most so many
        #[arg(long, value_name = "NUMBER", default_value_t = 50)]
        limit: usize,
        /// Where it is kept.
        #[command(flatten)]
        place: Place,
    },
    /// Write a sandbox to one file: with its settings and sessions, or a folder of it as a tar archive.
    Export {
        /// The sandbox
        name: String,
        /// The file; it is replaced
        file: PathBuf,
        /// A tar archive of this folder; of the working directory where none is given
        #[arg(long, value_name = "DIR", num_args = 0..=1)]
        tar: Option<Option<String>>,
        /// Where it is kept.
        #[command(flatten)]
        place: Place,
    },
    /// Make a sandbox from a file that export wrote, or unpack a tar archive in one.
    Import {
        /// The name of the new sandbox; for an archive, it may be there
        name: String,
        /// The file
        file: PathBuf,
        /// It is a tar archive, for this folder; for the working directory where none is given
        #[arg(long, value_name = "DIR", num_args = 0..=1)]
        tar: Option<Option<String>>,
        /// Where it is kept.
        #[command(flatten)]
        place: Place,
    },
    /// Delete sandboxes with their snapshots.
    Rm {
        /// The sandboxes
        #[arg(required = true)]
        names: Vec<String>,
        /// Where they are kept.
        #[command(flatten)]
        place: Place,
    },
    /// Remove from the store what nothing leads to any more, with earlier states that are not kept, and
    /// give the room back to the file system. It works on a full disk, too.
    Gc {
        /// How old something must be, and how long ago a gc must have found it; 0 removes it at once
        #[arg(long, value_name = "TIME", value_parser = duration, default_value = "24h")]
        grace: Duration,
        /// The store.
        #[command(flatten)]
        place: Place,
    },
    /// Verify everything in the store.
    Fsck {
        /// Put damaged objects aside; those whose bytes are what was stored stay
        #[arg(long)]
        quarantine: bool,
        /// Bring back what was put aside and is whole
        #[arg(long, conflicts_with = "quarantine")]
        release: bool,
        /// The store.
        #[command(flatten)]
        place: Place,
    },
}

/// Where sandboxes are kept, and how answers are printed.
#[derive(Debug, Args)]
pub struct Place {
    /// The folder of the store; by default OFFSHOOT_STORE, else offshoot in the user's data folder
    #[arg(long, value_name = "DIR")]
    pub store: Option<PathBuf>,
    /// The store is encrypted with what is in this file; by default OFFSHOOT_KEY_FILE names it
    #[arg(long, value_name = "FILE")]
    pub key_file: Option<PathBuf>,
    /// Print JSON
    #[arg(long)]
    pub json: bool,
}

/// The flags that say how long a kept sandbox is there.
#[derive(Debug, Args)]
pub struct Life {
    /// Put it to sleep after this time without use: a time, or never
    #[arg(long, value_name = "TIME", value_parser = span)]
    pub idle: Option<Span>,
    /// Delete it after this time from now: a time, or never
    #[arg(long, value_name = "TIME", value_parser = span)]
    pub ttl: Option<Span>,
    /// Keep so many states before the present one, those of so long, with false none and with true all
    /// that a gc leaves: 32. An exec that changes nothing makes no state
    #[arg(long, value_name = "NUMBER|TIME|BOOL", num_args = 0..=1, default_missing_value = "true",
        value_parser = past)]
    pub history: Option<Past>,
}

impl Kept {
    /// Where it is done.
    pub fn place(&self) -> &Place {
        match self {
            Kept::Create { place, .. }
            | Kept::Set { place, .. }
            | Kept::Exec { place, .. }
            | Kept::Setup { place, .. }
            | Kept::Fork { place, .. }
            | Kept::Snapshot { place, .. }
            | Kept::Publish { place, .. }
            | Kept::Templates { place, .. }
            | Kept::Restore { place, .. }
            | Kept::Suspend { place, .. }
            | Kept::Resume { place, .. }
            | Kept::Ls { place, .. }
            | Kept::Tree { place }
            | Kept::Diff { place, .. }
            | Kept::Promote { place, .. }
            | Kept::Log { place, .. }
            | Kept::Export { place, .. }
            | Kept::Import { place, .. }
            | Kept::Rm { place, .. }
            | Kept::Gc { place, .. }
            | Kept::Fsck { place, .. } => place,
        }
    }
}
