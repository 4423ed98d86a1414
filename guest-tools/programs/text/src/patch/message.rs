//! What is said about a patch, in the words of GNU's.

use std::io::Write as _;

use super::{Answer, Patching};
use crate::call::bytes;
use crate::patch::read::{Format, Patch};
use crate::quote;

impl Patching<'_> {
    /// Says something on standard output, or on standard error where that is the patched file.
    pub(super) fn say(&mut self, text: impl AsRef<[u8]>) {
        if self.parsed.value("o") == Some(b"-") {
            // Standard output is the patched file; nothing is left to tell where this fails.
            let _ = crate::stream::stderr().write_all(text.as_ref());
        } else {
            self.out.put(text);
        }
    }

    /// Says something that `-s` leaves out.
    pub(super) fn tell(&mut self, text: impl AsRef<[u8]>) {
        if !self.quiet {
            self.say(text);
        }
    }

    /// With `--verbose`: what was read in front of the file's name.
    pub(super) fn describe(&mut self, patch: &Patch) {
        if !self.parsed.has("verbose") {
            return;
        }
        let kind = match patch.format {
            Format::Unified => "a unified diff",
            Format::Context => "a new-style context diff",
            Format::Normal => "a normal diff",
        };
        let again = if std::mem::replace(&mut self.described, true) {
            "  The next patch looks like "
        } else {
            "  Looks like "
        };
        self.say(format!("Hmm...{again}{kind} to me...\n"));
        self.lead(patch);
    }

    /// Shows the lines before the hunks.
    fn lead(&mut self, patch: &Patch) {
        if patch.lead.is_empty() {
            return;
        }
        self.say("The text leading up to this was:\n--------------------------\n");
        for line in &patch.lead {
            self.say(bytes!("|", line));
        }
        self.say("--------------------------\n");
    }

    /// Says that there is no file for a patch, which is skipped.
    pub(super) fn not_found(&mut self, patch: &Patch) {
        let line = patch.line;
        self.say(format!("can't find file to patch at input line {line}\n"));
        self.say(match self.strip {
            None if patch.lead.is_empty() => "",
            None => "Perhaps you should have used the -p or --strip option?\n",
            Some(_) => "Perhaps you used the wrong -p or --strip option?\n",
        });
        if !self.parsed.has("verbose") {
            self.lead(patch);
        }
        let silent = self.parsed.has("f") || self.parsed.has("t");
        if silent {
            self.say("No file to patch.  Skipping patch.\n");
        } else {
            self.ask("File to patch: ");
            self.ask("Skip this patch? [y] ");
            self.say("Skipping patch.\n");
        }
    }

    /// Says which file is patched, and under which name it is written.
    pub(super) fn announce(&mut self, patch: &Patch, name: &[u8], target: Option<&[u8]>) {
        let verb = if self.parsed.has("dry-run") {
            "checking file "
        } else {
            "patching file "
        };
        let shown = quote::shell_where_needed;
        let line = match (self.parsed.value("o"), target) {
            (Some(out), _) => bytes!(verb, shown(out), " (read from ", shown(name), ")\n"),
            (None, Some(target)) => {
                let how = if patch.is_copy {
                    " (copied"
                } else {
                    " (renamed"
                };
                bytes!(verb, shown(target), how, " from ", shown(name), ")\n")
            }
            (None, None) => bytes!(verb, shown(name), "\n"),
        };
        self.tell(line);
        if self.parsed.has("verbose") {
            self.say("Using Plan A...\n");
        }
    }

    /// Whether a patch that was applied before shall be undone (`-t`), applied again (`-f`) or left (`-N`, and
    /// without an option); `found` says what it looks like.
    pub(super) fn already(&mut self, found: &str) -> Answer {
        let force = self.parsed.has("f");
        if self.parsed.has("N") || !(force && self.quiet) {
            self.say(found);
        }
        if self.parsed.has("N") {
            self.say("  Skipping patch.\n");
            Answer::Skip
        } else if force {
            self.tell("  Applying it anyway.\n");
            Answer::Apply
        } else if self.parsed.has("t") {
            self.say(if self.reverse {
                "  Ignoring -R.\n"
            } else {
                "  Assuming -R.\n"
            });
            Answer::Reverse
        } else {
            self.ask(if self.reverse {
                "  Ignore -R? [n] "
            } else {
                "  Assume -R? [n] "
            });
            self.ask("Apply anyway? [n] ");
            self.tell("Skipping patch.\n");
            Answer::Skip
        }
    }
}
