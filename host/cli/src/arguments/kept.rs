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
    Create(Create),
    /// Change settings of a kept sandbox, awake or asleep; what is not given stays.
    Set(Set),
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
    Exec(Exec),
    /// Show how far the setup of a kept sandbox is; the status is 1 where a step failed.
    Setup(Setup),
    /// Make a branch of a kept sandbox; neither sees what the other changes.
    Fork(Fork),
    /// Keep the present state under a label, or list those kept.
    Snapshot(Snapshot),
    /// Keep the present state as a new version of a template, which never changes.
    Publish(Publish),
    /// List templates, or the versions of one.
    Templates(Templates),
    /// Set a sandbox back to a state; what it was before is NAME~1 then.
    #[command(visible_alias = "checkout")]
    Restore(Restore),
    /// Put a sandbox to sleep, with the script that another process runs in it; one that no process
    /// has awake sleeps already.
    Suspend(Suspend),
    /// Wake a sandbox, read everything that belongs to it, and say what was brought back.
    Resume(Resume),
    /// List kept sandboxes.
    Ls(Ls),
    /// Draw which sandbox was forked from which.
    Tree(Tree),
    /// Show what differs between two: A added, M modified, D deleted.
    Diff(Diff),
    /// Bring a branch's changes to its parent, all or none.
    Promote(Promote),
    /// Show the states of a sandbox, the last one first.
    Log(Log),
    /// Write a sandbox to one file: with its settings and sessions, or a folder of it as a tar archive.
    Export(Export),
    /// Make a sandbox from a file that export wrote, or unpack a tar archive in one.
    Import(Import),
    /// Delete sandboxes with their snapshots.
    Rm(Rm),
    /// Remove from the store what nothing leads to any more, with earlier states that are not kept, and
    /// give the room back to the file system. It works on a full disk, too.
    Gc(Gc),
    /// Verify everything in the store.
    Fsck(Fsck),
}

/// What `offshoot create` is told.
#[derive(Debug, Args)]
pub struct Create {
    /// Its name: letters, digits, '.', '_' and '-'
    pub name: String,
    /// Make it a branch of this: NAME, NAME@SNAPSHOT, or NAME~2 for two states before
    #[arg(long, value_name = "POINT")]
    pub from: Option<String>,
    /// Make it from a template that was published: NAME, NAME@NUMBER or NAME@ALIAS
    #[arg(long, value_name = "VERSION", conflicts_with = "from")]
    pub template: Option<String>,
    /// A text for people
    #[arg(long)]
    pub title: Option<String>,
    /// A tag to list by; may be given ten times
    #[arg(long)]
    pub tag: Vec<String>,
    /// A step that makes it ready when it is first used; may be given more than once, in order
    #[arg(long = "setup", value_name = "NAME=COMMAND")]
    pub step: Vec<String>,
    /// How long it is there.
    #[command(flatten)]
    pub life: Life,
    /// What it is made of, where it is no branch.
    #[command(flatten)]
    pub setting: Setting,
    /// Where it is kept.
    #[command(flatten)]
    pub place: Place,
}

/// What `offshoot set` is told.
#[derive(Debug, Args)]
pub struct Set {
    /// The sandbox
    pub name: String,
    /// A text for people
    #[arg(long)]
    pub title: Option<String>,
    /// Its tags, instead of those it has; may be given ten times
    #[arg(long)]
    pub tag: Vec<String>,
    /// How long it is there.
    #[command(flatten)]
    pub life: Life,
    /// Where it is kept.
    #[command(flatten)]
    pub place: Place,
}

/// What `offshoot exec` is told.
#[derive(Debug, Args)]
pub struct Exec {
    /// The sandbox
    pub name: String,
    /// The text of a script; what follows is $0, $1 and on
    #[arg(short = 'c', value_name = "SCRIPT", allow_hyphen_values = true)]
    pub script: Option<String>,
    /// A script of the host and its arguments, which bash runs whatever its #! line says; - reads the script
    /// from standard input
    #[arg(value_name = "FILE", trailing_var_arg = true)]
    pub words: Vec<String>,
    /// Keep variables, functions and the working directory under this name too
    #[arg(long, value_name = "NAME")]
    pub session: Option<String>,
    /// Go on with a script that was suspended with the sandbox, by its number where there are
    /// several
    #[arg(long, value_name = "NUMBER", num_args = 0..=1,
        conflicts_with_all = ["script", "words", "session", "timeout"])]
    pub resume: Option<Option<u64>>,
    /// End everything after this time: seconds, or with a unit ms, s, m, h, d
    #[arg(long, value_name = "TIME", value_parser = duration)]
    pub timeout: Option<Duration>,
    /// Wait for everything in the background, also where it has let go of the output
    #[arg(long, conflicts_with = "resume")]
    pub wait: bool,
    /// What it reaches.
    #[command(flatten)]
    pub reach: Reach,
    /// Where it is kept.
    #[command(flatten)]
    pub place: Place,
}

/// What `offshoot setup` is told.
#[derive(Debug, Args)]
pub struct Setup {
    /// The sandbox
    pub name: String,
    /// Run all of it again
    #[arg(long)]
    pub rerun: bool,
    /// Leave this step out from now on, or all of them, and run the rest
    #[arg(long, value_name = "STEP", num_args = 0..=1)]
    pub skip: Option<Option<String>>,
    /// What its steps reach.
    #[command(flatten)]
    pub reach: Reach,
    /// Where it is kept.
    #[command(flatten)]
    pub place: Place,
}

/// What `offshoot fork` is told.
#[derive(Debug, Args)]
pub struct Fork {
    /// The parent: NAME, NAME@SNAPSHOT or NAME~2
    pub parent: String,
    /// The branch
    pub branch: String,
    /// Where they are kept.
    #[command(flatten)]
    pub place: Place,
}

/// What `offshoot snapshot` is told.
#[derive(Debug, Args)]
pub struct Snapshot {
    /// The sandbox
    pub name: String,
    /// The label; without one, the snapshots are listed
    pub label: Option<String>,
    /// Forget it instead
    #[arg(long, requires = "label")]
    pub remove: bool,
    /// Where it is kept.
    #[command(flatten)]
    pub place: Place,
}

/// What `offshoot publish` is told.
#[derive(Debug, Args)]
pub struct Publish {
    /// The sandbox
    pub name: String,
    /// The template; it is made where it is missing
    pub template: String,
    /// Another name for this version, which another one loses
    #[arg(long)]
    pub alias: Option<String>,
    /// Where it is kept.
    #[command(flatten)]
    pub place: Place,
}

/// What `offshoot templates` is told.
#[derive(Debug, Args)]
pub struct Templates {
    /// The template
    pub template: Option<String>,
    /// Forget this version; what was made from it stays
    #[arg(long, value_name = "NUMBER", requires = "template")]
    pub remove: Option<u64>,
    /// Where they are kept.
    #[command(flatten)]
    pub place: Place,
}

/// What `offshoot restore` is told.
#[derive(Debug, Args)]
pub struct Restore {
    /// The sandbox
    pub name: String,
    /// The state: NAME@SNAPSHOT, or NAME~2 for two states before
    pub point: String,
    /// Where it is kept.
    #[command(flatten)]
    pub place: Place,
}

/// What `offshoot suspend` is told.
#[derive(Debug, Args)]
pub struct Suspend {
    /// The sandbox
    pub name: String,
    /// Where it is kept.
    #[command(flatten)]
    pub place: Place,
}

/// What `offshoot resume` is told.
#[derive(Debug, Args)]
pub struct Resume {
    /// The sandbox
    pub name: String,
    /// Where it is kept.
    #[command(flatten)]
    pub place: Place,
}

/// What `offshoot ls` is told.
#[derive(Debug, Args)]
pub struct Ls {
    /// Only those with this tag; may be given more than once
    #[arg(long)]
    pub tag: Vec<String>,
    /// Only those behind this name
    #[arg(long, value_name = "NAME")]
    pub after: Option<String>,
    /// At most so many
    #[arg(long, value_name = "NUMBER", default_value_t = 1000)]
    pub limit: usize,
    /// Where they are kept.
    #[command(flatten)]
    pub place: Place,
}

/// What `offshoot tree` is told.
#[derive(Debug, Args)]
pub struct Tree {
    /// Where they are kept.
    #[command(flatten)]
    pub place: Place,
}

/// What `offshoot diff` is told.
#[derive(Debug, Args)]
pub struct Diff {
    /// The one: NAME, NAME@SNAPSHOT or NAME~2
    pub before: String,
    /// The other
    pub after: String,
    /// Show what changed in files, as a patch
    #[arg(long)]
    pub patch: bool,
    /// Where they are kept.
    #[command(flatten)]
    pub place: Place,
}

/// What `offshoot promote` is told.
#[derive(Debug, Args)]
pub struct Promote {
    /// The branch
    pub branch: String,
    /// Where they are kept.
    #[command(flatten)]
    pub place: Place,
}

/// What `offshoot log` is told.
#[derive(Debug, Args)]
pub struct Log {
    /// The sandbox
    pub name: String,
    /// At most so many
    #[arg(long, value_name = "NUMBER", default_value_t = 50)]
    pub limit: usize,
    /// Where it is kept.
    #[command(flatten)]
    pub place: Place,
}

/// What `offshoot export` is told.
#[derive(Debug, Args)]
pub struct Export {
    /// The sandbox
    pub name: String,
    /// The file, which is replaced; - writes to standard output
    pub file: PathBuf,
    /// A tar archive of this folder; of the working directory where none is given
    #[arg(long, value_name = "DIR", num_args = 0..=1)]
    pub tar: Option<Option<String>>,
    /// Where it is kept.
    #[command(flatten)]
    pub place: Place,
}

/// What `offshoot import` is told.
#[derive(Debug, Args)]
pub struct Import {
    /// The name of the new sandbox; for an archive, it may be there
    pub name: String,
    /// The file; - reads from standard input
    pub file: PathBuf,
    /// It is a tar archive, for this folder; for the working directory where none is given
    #[arg(long, value_name = "DIR", num_args = 0..=1)]
    pub tar: Option<Option<String>>,
    /// Where it is kept.
    #[command(flatten)]
    pub place: Place,
}

/// What `offshoot rm` is told.
#[derive(Debug, Args)]
pub struct Rm {
    /// The sandboxes
    #[arg(required = true)]
    pub names: Vec<String>,
    /// Where they are kept.
    #[command(flatten)]
    pub place: Place,
}

/// What `offshoot gc` is told.
#[derive(Debug, Args)]
pub struct Gc {
    /// How old something must be, and how long ago a gc must have found it; 0 removes it at once
    #[arg(long, value_name = "TIME", value_parser = duration, default_value = "24h")]
    pub grace: Duration,
    /// The store.
    #[command(flatten)]
    pub place: Place,
}

/// What `offshoot fsck` is told.
#[derive(Debug, Args)]
pub struct Fsck {
    /// Put damaged objects aside; those whose bytes are what was stored stay
    #[arg(long)]
    pub quarantine: bool,
    /// Bring back what was put aside and is whole
    #[arg(long, conflicts_with = "quarantine")]
    pub release: bool,
    /// The store.
    #[command(flatten)]
    pub place: Place,
}

/// Where sandboxes are kept, and how answers are printed.
#[derive(Debug, Args)]
pub struct Place {
    /// The folder of the store; by default OFFSHOOT_STORE, else offshoot in the user's data folder. Create and
    /// import make it where it is missing
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
            Kept::Create(Create { place, .. })
            | Kept::Set(Set { place, .. })
            | Kept::Exec(Exec { place, .. })
            | Kept::Setup(Setup { place, .. })
            | Kept::Fork(Fork { place, .. })
            | Kept::Snapshot(Snapshot { place, .. })
            | Kept::Publish(Publish { place, .. })
            | Kept::Templates(Templates { place, .. })
            | Kept::Restore(Restore { place, .. })
            | Kept::Suspend(Suspend { place, .. })
            | Kept::Resume(Resume { place, .. })
            | Kept::Ls(Ls { place, .. })
            | Kept::Tree(Tree { place, .. })
            | Kept::Diff(Diff { place, .. })
            | Kept::Promote(Promote { place, .. })
            | Kept::Log(Log { place, .. })
            | Kept::Export(Export { place, .. })
            | Kept::Import(Import { place, .. })
            | Kept::Rm(Rm { place, .. })
            | Kept::Gc(Gc { place, .. })
            | Kept::Fsck(Fsck { place, .. }) => place,
        }
    }
}
