//! `make`, as GNU make 4: its rules, variables, functions and conditionals. Recipes run one after the other through
//! `sh`, whatever `-j` says.
//!
//! A run has two phases, as in the manual's "How make Reads a Makefile":
//!
//! 1. Reading (`read`, `parse`, `record`): variables are set, rules are kept by target, what is included is read.
//! 2. Making (`update`, `implicit`, `recipe`): goals are made depth first; each file is looked at once.
//!
//! `expand` and `functions` serve both. The exit status is 0, 1 for `-q` where something is out of date, and 2 for
//! errors.

mod expand;
mod functions;
mod implicit;
mod options;
mod parse;
mod read;
mod recipe;
mod record;
mod rules;
mod text;
mod update;
mod variables;

use std::collections::HashMap;

use crate::call::Call;
use crate::output::Output;
use crate::system;
use options::Settings;
use rules::{File, Pattern};
use variables::{Flavor, Origin, Variables};

/// A place in a makefile.
#[derive(Clone, Debug, Default)]
struct Place {
    /// The makefile as it was named.
    file: String,
    /// The line, from 1.
    line: usize,
}

impl std::fmt::Display for Place {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}:{}", self.file, self.line)
    }
}

/// Why everything ends: `PLACE: *** MESSAGE.  Stop.`, and status 2.
#[derive(Debug)]
struct Fatal {
    place: Option<Place>,
    message: String,
}

/// A result, or what ends the run.
type Outcome<T> = Result<T, Fatal>;

/// One run.
struct Make {
    /// `make`, or `make[1]` below another one.
    name: String,
    /// What the command line and `MAKEFLAGS` ask for.
    settings: Settings,
    /// All variables.
    variables: Variables,
    /// What is known of files, by name.
    files: HashMap<String, File>,
    /// Names of files in the order in which rules first gave them.
    order: Vec<String>,
    /// Pattern rules in the order of trial: those of makefiles before the builtin ones.
    patterns: Vec<Pattern>,
    /// `vpath PATTERN DIRECTORIES`.
    search: Vec<(String, Vec<String>)>,
    /// The suffixes of `.SUFFIXES`.
    suffixes: Vec<String>,
    /// Where the makefile is being read or expanded, for messages.
    place: Option<Place>,
    /// Where the variable was set that is being expanded, for messages.
    within: Option<Place>,
    /// Standard output, flushed before each command runs.
    out: Output,
    /// How many recipes ran.
    ran: usize,
    /// What chains of rules made on the way.
    intermediates: Vec<String>,
    /// Includes that were not there, and whether that is an error.
    missing: Vec<(String, Place, bool)>,
    /// All variables are exported.
    export_all: bool,
    /// The first target that does not begin with a dot.
    default_goal: Option<String>,
    /// Names whose rules are being looked for, against chains without an end.
    trying: Vec<String>,
    /// How many of the patterns come from makefiles.
    own_patterns: usize,
    /// Nothing that is made on the way is removed, or nothing of these patterns.
    keeps_all: bool,
    kept_patterns: Vec<String>,
    /// A target whose recipe failed is removed.
    delete_on_error: bool,
    /// A recipe is one script.
    one_shell: bool,
    /// Prerequisites of the rules that follow are expanded once more before they are made.
    expands_again: bool,
}

/// Runs `make`. Below another `make` messages have its level: `make[1]`.
pub fn run(call: &Call) -> i32 {
    let settings = match options::read(call) {
        Ok(settings) => settings,
        Err(status) => return status,
    };
    let level: u32 = std::env::var("MAKELEVEL")
        .ok()
        .and_then(|level| level.parse().ok())
        .unwrap_or(0);
    let name = match level {
        0 => call.name.clone(),
        level => format!("{}[{level}]", call.name),
    };
    let mut make = Make::new(name, settings);
    for directory in make.settings.directories.clone() {
        if let Err(error) = std::env::set_current_dir(&directory) {
            let reason = system::Failure::from(error).0;
            make.complain(&format!("*** {directory}: {reason}.  Stop."));
            return 2;
        }
    }
    let announced = make.settings.announces(level);
    let directory = current();
    if announced {
        make.say(&format!("Entering directory '{directory}'"));
    }
    let status = match make.execute() {
        Ok(status) => status,
        Err(fatal) => {
            make.stop(&fatal);
            2
        }
    };
    make.remove_intermediates();
    if announced {
        make.say(&format!("Leaving directory '{directory}'"));
    }
    make.out.finish("make", status, 2)
}

/// The working directory.
fn current() -> String {
    std::env::current_dir().map_or_else(
        |_| "/".to_owned(),
        |path| path.to_string_lossy().into_owned(),
    )
}

impl Make {
    fn new(name: String, settings: Settings) -> Make {
        let mut make = Make {
            name,
            settings,
            variables: Variables::default(),
            files: HashMap::new(),
            order: Vec::new(),
            patterns: Vec::new(),
            search: Vec::new(),
            suffixes: Vec::new(),
            place: None,
            within: None,
            out: Output::new(),
            ran: 0,
            intermediates: Vec::new(),
            missing: Vec::new(),
            export_all: false,
            default_goal: None,
            trying: Vec::new(),
            own_patterns: 0,
            keeps_all: false,
            kept_patterns: Vec::new(),
            delete_on_error: false,
            one_shell: false,
            expands_again: false,
        };
        make.set_up();
        make
    }

    /// Variables that are there before the first makefile.
    ///
    /// Variables of the environment, then those of `make`, then definitions of the command line.
    fn set_up(&mut self) {
        let origin = match self.settings.environment_wins {
            true => Origin::EnvironmentOverride,
            false => Origin::Environment,
        };
        for (name, value) in std::env::vars_os() {
            let (name, value) = (name.to_string_lossy(), value.to_string_lossy());
            if !matches!(&*name, "SHELL" | "MAKEFLAGS" | "MAKELEVEL") {
                self.variables.set(&name, &value, Flavor::Recursive, origin);
            }
        }
        let mut fixed = |name: &str, value: &str| {
            self.variables
                .set(name, value, Flavor::Simple, Origin::Default);
        };
        fixed("SHELL", "/bin/sh");
        fixed(".SHELLFLAGS", "-c");
        fixed("MAKE", "make");
        fixed("MAKE_VERSION", "4.3");
        fixed("MAKE_HOST", "wasm32-wasip2");
        fixed(".RECIPEPREFIX", "");
        fixed(".INCLUDE_DIRS", "/usr/include");
        fixed(
            ".FEATURES",
            "target-specific order-only else-if shortest-stem undefine",
        );
        fixed("CURDIR", &current());
        let level = std::env::var("MAKELEVEL").unwrap_or_else(|_| "0".to_owned());
        fixed("MAKELEVEL", &level);
        fixed("MAKECMDGOALS", &self.settings.goals.join(" "));
        let flags = self.settings.flags();
        fixed("MAKEFLAGS", &flags);
        fixed("MFLAGS", &flags);
        for text in self.settings.assignments.clone() {
            if let Some(definition) = parse::definition(&text) {
                // What cannot be expanded here is told when it is used.
                let _ = self.define(&definition, Origin::CommandLine, None);
            }
        }
    }

    /// Reads everything and makes the goals.
    fn execute(&mut self) -> Outcome<i32> {
        if !self.settings.no_builtin_rules {
            self.read_text(read::BUILTIN, rules::BUILTIN, Origin::Default)?;
            self.default_goal = None;
        }
        for text in self.settings.evaluated.clone() {
            self.read_text(&text, "(command line)", Origin::File)?;
        }
        let found = self.read_makefiles()?;
        self.make_includes()?;
        let goals = self.goals(found)?;
        let mut status = 0;
        for goal in goals {
            let before = self.ran;
            let made = self.update(&goal, None)?;
            if !made {
                status = 2;
                if self.settings.keep_going {
                    continue;
                }
                break;
            }
            if self.settings.question {
                continue;
            }
            if self.ran == before && !self.settings.silent {
                let bare = self
                    .files
                    .get(&goal)
                    .is_some_and(|file| file.phony || !file.has_recipe());
                match bare {
                    true => self.say(&format!("Nothing to be done for '{goal}'.")),
                    false => self.say(&format!("'{goal}' is up to date.")),
                }
            }
        }
        Ok(match status {
            0 => i32::from(self.settings.question && self.ran > 0),
            status => status,
        })
    }

    /// What is to be made.
    ///
    /// Those of the command line, or `.DEFAULT_GOAL`, or the first target.
    fn goals(&mut self, found: bool) -> Outcome<Vec<String>> {
        if !self.settings.goals.is_empty() {
            return Ok(self.settings.goals.clone());
        }
        let named = match self.variables.get(".DEFAULT_GOAL") {
            Some(_) => self.expand("$(.DEFAULT_GOAL)")?,
            None => String::new(),
        };
        let goal = match named.split_whitespace().next() {
            Some(name) => Some(name.to_owned()),
            None => self.default_goal.clone(),
        };
        self.place = None;
        match goal {
            Some(goal) => Ok(vec![goal]),
            None if found => self.fatal("No targets"),
            None => self.fatal("No targets specified and no makefile found"),
        }
    }

    /// Makes what includes name, and reads it.
    ///
    /// Only where a rule for it exists; otherwise a missing `include` is an error, `-include` is not.
    fn make_includes(&mut self) -> Outcome<()> {
        for (name, place, needed) in std::mem::take(&mut self.missing) {
            let known = self.files.get(&name).is_some_and(File::has_recipe)
                || self.implicit(&name).is_some();
            if known && self.update(&name, None)? && self.read_file(&name)? {
                continue;
            }
            if needed {
                let message = format!("{place}: {name}: No such file or directory\n");
                self.tell(&message);
                self.place = None;
                return self.fatal(&format!("No rule to make target '{name}'"));
            }
        }
        Ok(())
    }

    /// Ends everything with a message about the present place.
    fn fatal<T>(&self, message: &str) -> Outcome<T> {
        Err(Fatal {
            place: self.place.clone(),
            message: message.to_owned(),
        })
    }

    /// Ends everything with a message about what is being expanded: the variable's place, or the present one.
    fn refuse<T>(&self, message: &str) -> Outcome<T> {
        Err(Fatal {
            place: self.within.clone().or_else(|| self.place.clone()),
            message: message.to_owned(),
        })
    }

    /// Prints why everything ends.
    fn stop(&mut self, fatal: &Fatal) {
        let text = format!("*** {}.  Stop.", fatal.message);
        match &fatal.place {
            Some(place) => self.tell(&format!("{place}: {text}\n")),
            None => self.complain(&text),
        }
    }

    /// Writes to standard error behind what was printed.
    fn tell(&mut self, text: &str) {
        use std::io::Write as _;
        self.out.flush();
        // Nothing is left to tell where standard error is gone.
        let _ = std::io::stderr().write_all(text.as_bytes());
    }

    /// A message with the name of the program.
    fn complain(&mut self, text: &str) {
        self.tell(&format!("{}: {text}\n", self.name));
    }

    /// A message with the present place.
    fn warn(&mut self, text: &str) {
        match self.place.clone() {
            Some(place) => self.tell(&format!("{place}: {text}\n")),
            None => self.complain(text),
        }
    }

    /// A line of standard output with the name of the program.
    fn say(&mut self, text: &str) {
        let line = format!("{}: {text}", self.name);
        self.out.line(line);
    }
}
