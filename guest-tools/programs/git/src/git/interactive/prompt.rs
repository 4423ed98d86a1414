//! The questions of `git add -p` and its kin about the hunks of one file, answer by answer as git 2.47 asks them.
//!
//! The state is which hunk is asked about, what was said of each, and which letters were offered once: git keeps a
//! letter valid for the rest of the file even where it is not offered again. The loop ends when every hunk is
//! decided, at `q`, or where the input ends, which decides nothing more.

use std::io::BufRead as _;

use super::Mode;
use super::hunk::{File, Hunk, Use};
use crate::call::bytes;
use crate::git::editor;
use crate::git::objects::write_file;
use crate::git::repository::Repository;
use crate::git::stop::{Outcome, file as failed};
use crate::pattern::{Dialect, Pattern, Settings};
use crate::system;

/// The file in `.git` that an editor gets a hunk in.
const EDITED: &str = "addp-hunk-edit.diff";

/// How many hunks `g` lists at once.
const PAGE: usize = 20;

/// What came of the questions about a file.
pub struct Asked {
    /// Something was chosen.
    pub takes: bool,
    /// No other file is asked about.
    pub quits: bool,
}

/// Commands that were offered at a hunk of the file: as git, they stay so at the hunks after it. Each field is one
/// letter: `K`, `k`, `J`, `j`, `g` and `/`, `s`, `e`.
#[derive(Default)]
struct Permitted {
    previous: bool,
    previous_open: bool,
    next: bool,
    next_open: bool,
    others: bool,
    split: bool,
    edit: bool,
}

/// What happens after an answer.
enum Next {
    Ask,
    Quit,
}

/// The questions about one file under way.
struct Questions<'a> {
    repository: &'a mut Repository,
    mode: Mode,
    file: &'a mut File,
    /// Which hunk is asked about.
    at: usize,
    /// The one that was printed last.
    shown: Option<usize>,
    /// What was said of a new or lost file without lines.
    whole: Use,
    permitted: Permitted,
    /// Letters that the last question offered, with their commas.
    offered: String,
    /// The nearest hunk before this one that is undecided.
    open_before: Option<usize>,
    /// The nearest hunk behind this one that is undecided.
    open_after: Option<usize>,
}

/// Asks about the hunks of a file until all are decided or the input ends.
pub fn ask(repository: &mut Repository, mode: Mode, file: &mut File) -> Outcome<Asked> {
    repository.out.put(&file.header);
    let mut questions = Questions {
        repository,
        mode,
        file,
        at: 0,
        shown: None,
        whole: Use::Undecided,
        permitted: Permitted::default(),
        offered: String::new(),
        open_before: None,
        open_after: None,
    };
    let quits = questions.run()?;
    let whole = questions.file.hunks.is_empty() && questions.whole == Use::Take;
    let mut hunks = questions.file.hunks.iter();
    Ok(Asked {
        takes: whole || hunks.any(|hunk| hunk.chosen == Use::Take),
        quits,
    })
}

/// What is said of lines that are not there any more: `error: patch failed: PATH:LINE` and what follows it.
pub fn does_not_apply(path: &[u8], line: usize) -> Vec<u8> {
    let place = format!(":{line}\nerror: ");
    bytes!(
        "error: patch failed: ",
        path,
        place,
        path,
        ": patch does not apply"
    )
}

/// A question that is answered with yes or no, asked again for anything else; the end of the input is no.
pub fn agrees(repository: &mut Repository, question: &str) -> Outcome<bool> {
    loop {
        repository.out.put(question);
        match answer(repository) {
            Some(text) => match text.first() {
                Some(b'y' | b'Y') => return Ok(true),
                Some(b'n' | b'N') => return Ok(false),
                _ => {}
            },
            None => return Ok(false),
        }
    }
}

/// A line of the input, without its end and blanks there; none at its end. What was printed is written out first.
pub fn answer(repository: &mut Repository) -> Option<Vec<u8>> {
    repository.out.flush();
    let mut line = Vec::new();
    let count = std::io::stdin().lock().read_until(b'\n', &mut line).ok()?;
    (count > 0).then(|| line.trim_ascii_end().to_vec())
}

impl Questions<'_> {
    /// Asks until all hunks are decided or the input ends; true where the user wants no questions about other files
    /// either.
    fn run(&mut self) -> Outcome<bool> {
        loop {
            let count = self.file.hunks.len();
            if self.at >= count {
                self.at = 0;
            }
            let open = |at: &usize| self.file.hunks[*at].chosen == Use::Undecided;
            self.open_before = (0..self.at.min(count)).rev().find(open);
            self.open_after = (self.at + 1..count).find(open);
            let this = self
                .file
                .hunks
                .get(self.at)
                .map_or(self.whole, |hunk| hunk.chosen);
            let rest = self.open_before.or(self.open_after);
            if rest.is_none() && this != Use::Undecided {
                return Ok(false);
            }
            self.show();
            let Some(text) = answer(self.repository) else {
                return Ok(false);
            };
            let Some(&first) = text.first() else {
                continue;
            };
            if text.len() != 1 && !b"gG/".contains(&first) {
                self.complain(bytes!("Only one letter is expected, got '", text, "'"));
                continue;
            }
            if matches!(self.act(first, &text[1..])?, Next::Quit) {
                return Ok(true);
            }
        }
    }

    /// Says on standard output that an answer is no good.
    fn complain(&mut self, text: impl AsRef<[u8]>) {
        self.repository.out.put(bytes!(text.as_ref(), "\n"));
    }

    /// Prints the hunk where it is another one, and the question.
    fn show(&mut self) {
        self.offered.clear();
        let (at, count) = (self.at, self.file.hunks.len());
        if let Some(hunk) = self.file.hunks.get(at) {
            if self.shown != Some(at) {
                self.repository.out.put(hunk.text());
                self.shown = Some(at);
            }
            let edits = !(self.file.deleted || hunk.mode.is_some());
            let offers = [
                (
                    self.open_before.is_some(),
                    ",k",
                    &mut self.permitted.previous_open,
                ),
                (at > 0, ",K", &mut self.permitted.previous),
                (
                    self.open_after.is_some(),
                    ",j",
                    &mut self.permitted.next_open,
                ),
                (at + 1 < count, ",J", &mut self.permitted.next),
                (count > 1, ",g,/", &mut self.permitted.others),
                (hunk.splits_into() > 1, ",s", &mut self.permitted.split),
                (edits, ",e", &mut self.permitted.edit),
            ];
            for (offered, letters, permitted) in offers {
                if offered {
                    self.offered.push_str(letters);
                    *permitted = true;
                }
            }
            self.offered.push_str(",p");
        }
        let what = match self.file.hunks.get(at) {
            _ if self.file.deleted => "deletion",
            _ if self.file.added => "addition",
            Some(hunk) if hunk.mode.is_some() => "mode change",
            _ => "this hunk",
        };
        let Mode { verb, place, .. } = self.mode;
        let (number, count, offered) = (at + 1, count.max(1), &self.offered);
        self.repository.out.put(format!(
            "({number}/{count}) {verb} {what}{place} [y,n,q,a,d{offered},?]? "
        ));
    }

    /// Does what a letter says; `rest` is what stood behind it, for `g3` and `/text`.
    fn act(&mut self, letter: u8, rest: &[u8]) -> Outcome<Next> {
        match letter {
            b'y' | b'Y' => self.decide(Use::Take),
            b'n' | b'N' => self.decide(Use::Skip),
            b'a' | b'A' => self.decide_rest(Use::Take),
            b'd' | b'D' => self.decide_rest(Use::Skip),
            b'q' | b'Q' => {
                self.decide_rest(Use::Skip);
                return Ok(Next::Quit);
            }
            b'K' if self.permitted.previous => self.at = self.at.saturating_sub(1),
            b'J' if self.permitted.next => self.at += 1,
            b'k' if self.permitted.previous_open => self.at = self.open_before.unwrap_or(0),
            b'j' if self.permitted.next_open => self.at = self.open_after.unwrap_or(0),
            b'K' | b'k' => self.complain("No previous hunk"),
            b'J' | b'j' => self.complain("No next hunk"),
            b'g' if self.permitted.others => self.go(rest),
            b'g' => self.complain("No other hunks to goto"),
            b'/' if self.permitted.others => self.search(rest),
            b'/' => self.complain("No other hunks to search"),
            b's' if self.permitted.split => {
                let count = self.file.split(self.at);
                self.complain(format!("Split into {count} hunks."));
                self.shown = None;
            }
            b's' => self.complain("Sorry, cannot split this hunk"),
            b'e' if self.permitted.edit => {
                if let Some(edited) = self.edit()? {
                    self.file.hunks[self.at] = edited;
                    self.decide(Use::Take);
                }
            }
            b'e' => self.complain("Sorry, cannot edit this hunk"),
            b'p' | b'P' => self.shown = None,
            b'?' => self.help(),
            other => self.complain(bytes!("Unknown command '", [other], "' (use '?' for help)")),
        }
        Ok(Next::Ask)
    }

    /// Decides this hunk and goes on to the next that is open.
    fn decide(&mut self, chosen: Use) {
        match self.file.hunks.get_mut(self.at) {
            Some(hunk) => hunk.chosen = chosen,
            None => self.whole = chosen,
        }
        self.at = self.open_after.unwrap_or(self.file.hunks.len());
    }

    /// Decides this hunk and all after it that are open.
    fn decide_rest(&mut self, chosen: Use) {
        let rest = self.file.hunks.iter_mut().skip(self.at);
        for hunk in rest.filter(|hunk| hunk.chosen == Use::Undecided) {
            hunk.chosen = chosen;
        }
        self.whole = chosen;
        self.at = self.file.hunks.len();
    }

    /// `g`: goes to the hunk of a number; lists the hunks, a page at a time, where none was given.
    fn go(&mut self, rest: &[u8]) {
        let mut text = rest.trim_ascii().to_vec();
        let count = self.file.hunks.len();
        let mut from = self.at.saturating_sub(PAGE / 2);
        from = from.max(usize::from(self.file.has_mode()));
        while text.is_empty() {
            let to = count.min(from + PAGE);
            for at in from.min(to)..to {
                let hunk = &self.file.hunks[at];
                let mark = match hunk.chosen {
                    Use::Take => '+',
                    Use::Skip => '-',
                    Use::Undecided => ' ',
                };
                let line = bytes!(format!("{mark}{:2}: ", at + 1), hunk.summary());
                self.repository.out.put(line);
            }
            from = to;
            let more = if to < count {
                " (<ret> to see more)"
            } else {
                ""
            };
            self.repository.out.put(format!("go to which hunk{more}? "));
            match answer(self.repository) {
                Some(line) => text = line.trim_ascii().to_vec(),
                None => break,
            }
        }
        match crate::options::number::<usize>(&text) {
            None => self.complain(bytes!("Invalid number: '", text, "'")),
            Some(number) if (1..=count).contains(&number) => self.at = number - 1,
            Some(_) => {
                let plural = if count == 1 { "" } else { "s" };
                self.complain(format!("Sorry, only {count} hunk{plural} available."));
            }
        }
    }

    /// `/`: the next hunk, from this one on and around, of which a line matches an extended regular expression.
    fn search(&mut self, rest: &[u8]) {
        let mut text = rest.to_vec();
        if text.is_empty() {
            self.repository.out.put("search for regex? ");
            text = answer(self.repository).unwrap_or_default();
            if text.is_empty() {
                return;
            }
        }
        let Ok(pattern) = Pattern::new(&text, &Settings::new(Dialect::Extended)) else {
            let why = ": Invalid regular expression";
            return self.complain(bytes!("Malformed search regexp ", text, why));
        };
        let count = self.file.hunks.len();
        let matches = |hunk: &Hunk| {
            let text = hunk.text();
            text.split(|&byte| byte == b'\n')
                .any(|line| pattern.is_match(line))
        };
        let mut order = (0..count).map(|step| (self.at + step) % count);
        match order.find(|at| matches(&self.file.hunks[*at])) {
            Some(at) => self.at = at,
            None => self.complain("No hunk matches the given pattern"),
        }
    }

    /// `e`: the hunk as the user's editor left it; none where all its lines are gone or the user gives up. One that
    /// does not fit the file may be edited again.
    fn edit(&mut self) -> Outcome<Option<Hunk>> {
        let path = self.repository.own(EDITED);
        let mode = self.mode;
        let Some(hunk) = self.file.hunks.get(self.at).cloned() else {
            return Ok(None);
        };
        let (lost, come) = if mode.reverse { ('+', '-') } else { ('-', '+') };
        let text = bytes!(
            "# Manual hunk edit mode -- see bottom for a quick guide.\n",
            hunk.text(),
            format!(
                "# ---\n# To remove '{lost}' lines, make them ' ' lines (context).\n\
                 # To remove '{come}' lines, delete them.\n\
                 # Lines starting with # will be removed.\n\
                 # If the patch applies cleanly, the edited hunk will immediately be marked for {}.\n\
                 # If it does not apply cleanly, you will be given an opportunity to\n\
                 # edit again.  If all lines of the hunk are removed, then the edit is\n\
                 # aborted and the hunk is left unchanged.\n",
                mode.marked
            )
        );
        write_file(&path, &text)?;
        loop {
            self.repository.out.flush();
            let edited = editor::launch(self.repository, &path);
            if let Err(stop) = &edited {
                self.repository.say(&stop.message);
            }
            let text = system::read_whole(&path);
            let text = text.map_err(|failure| failed("cannot read", &path, failure))?;
            let is_comment = |line: &&[u8]| line.starts_with(b"#") || line.starts_with(b"@@ ");
            let mut lines = crate::git::lines::split(&text).into_iter();
            if edited.is_ok() && lines.all(|line| is_comment(&line)) {
                return Ok(None);
            }
            let edited_ok = edited.is_ok();
            let fits = hunk.edited(&text, mode.reverse);
            if let (true, Some(edited)) = (edited_ok, fits) {
                return Ok(Some(edited));
            }
            if edited_ok {
                let path = self.file.change.path();
                let start = if mode.reverse {
                    hunk.new_start
                } else {
                    hunk.old_start
                };
                self.repository.say(does_not_apply(path, start));
                self.repository.say("error: 'git apply --cached' failed");
            }
            let question =
                "Your edited hunk does not apply. Edit again (saying \"no\" discards!) [y/n]? ";
            if !agrees(self.repository, question)? {
                return Ok(None);
            }
        }
    }

    /// `?`: what the letters of this question do.
    fn help(&mut self) {
        let verb = self.mode.verb.to_lowercase();
        let place = self.mode.place;
        let mut text = format!(
            "y - {verb} this hunk{place}\nn - do not {verb} this hunk{place}\n\
             q - quit; do not {verb} this hunk or any of the remaining ones\n\
             a - {verb} this hunk and all later hunks in the file\n\
             d - do not {verb} this hunk or any of the later hunks in the file\n"
        );
        const LETTERS: &[(char, &str)] = &[
            ('j', "leave this hunk undecided, see next undecided hunk"),
            ('J', "leave this hunk undecided, see next hunk"),
            (
                'k',
                "leave this hunk undecided, see previous undecided hunk",
            ),
            ('K', "leave this hunk undecided, see previous hunk"),
            ('g', "select a hunk to go to"),
            ('/', "search for a hunk matching the given regex"),
            ('s', "split the current hunk into smaller hunks"),
            ('e', "manually edit the current hunk"),
            ('p', "print the current hunk, 'P' to use the pager"),
        ];
        for (letter, what) in LETTERS {
            if self.offered.contains(*letter) {
                text.push_str(&format!("{letter} - {what}\n"));
            }
        }
        text.push_str("? - print help\n");
        self.repository.out.put(text);
    }
}
