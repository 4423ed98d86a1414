//! Redirects.

use std::rc::Rc;

use super::code::{Op, Redirect, RedirectKind, RedirectTarget};
use super::descriptor::kept::Origin;
use super::descriptor::{Descriptor, HIGHEST};
use super::frame::BlockKind;
use super::message::report;
use super::option::{SetOption, Shopt};
use super::run::{Run, Trouble};
use super::task::{Task, Waiting};
use super::{Machine, path, scope};
use crate::os::{Errno, FileKind, Interest, OpenOptions};
use crate::text::Text;

/// Numbers that `{name}` gives out begin here.
const FIRST_VARIABLE: u32 = 10;

/// Nanoseconds after which the other side of a FIFO is looked for again.
const RETRY: u64 = 1_000_000;

/// Why a redirect was not made.
enum Refused {
    /// It failed; the message was printed.
    Failed,
    /// It has to wait for the other side of this FIFO.
    Unmet(Rc<Descriptor>),
}

impl Machine {
    /// Makes a redirect; false where it failed.
    pub(super) fn redirect(&mut self, task: &mut Task, redirect: &Redirect) -> Run<bool> {
        let word = match redirect.kind {
            RedirectKind::Document | RedirectKind::String => task.stacks.operand(),
            _ => {
                let mut words = task.stacks.take_words();
                if words.len() != 1 {
                    report(
                        task,
                        &[redirect.source.as_bytes(), b": ambiguous redirect"].concat(),
                    );
                    return Ok(false);
                }
                words.remove(0)
            }
        };
        match self.make(task, redirect, word) {
            Ok(()) => Ok(true),
            Err(Refused::Failed) => Ok(false),
            Err(Refused::Unmet(open)) => Err(self.wait_to_meet(task, open)),
        }
    }

    /// Waits until the other side of a FIFO is open too.
    fn wait_to_meet(&mut self, task: &mut Task, open: Rc<Descriptor>) -> Trouble {
        let soon = self.os.monotonic() + RETRY;
        task.interests.push(Interest::Time(soon));
        task.waiting = Some(Waiting::Opening(open));
        Trouble::Blocked
    }

    /// Goes on with the redirect that opened a FIFO.
    pub(super) fn resume_opening(&mut self, task: &mut Task, open: Rc<Descriptor>) -> Run {
        if open.is_unmet() {
            return Err(self.wait_to_meet(task, open));
        }
        let Some(frame) = task.frames.last() else {
            return Ok(());
        };
        let code = frame.code.clone();
        let Some(Op::Redirect(index, to)) = frame.done() else {
            return Ok(());
        };
        if self
            .place(task, &code.redirects[index as usize], open)
            .is_err()
            && let Some(frame) = task.frames.last_mut()
        {
            task.state.status = 1;
            frame.next = to as usize;
        }
        Ok(())
    }

    fn make(&mut self, task: &mut Task, redirect: &Redirect, word: Text) -> Result<(), Refused> {
        match redirect.kind {
            RedirectKind::Document => self.document(task, redirect, &word),
            RedirectKind::String => {
                let mut text = word;
                text.push(b'\n');
                self.document(task, redirect, &text)
            }
            RedirectKind::DuplicateInput => self.duplicate(task, redirect, &word, 0),
            RedirectKind::DuplicateOutput => self.duplicate(task, redirect, &word, 1),
            kind => {
                let opens = match kind {
                    RedirectKind::Both => RedirectKind::Output,
                    RedirectKind::BothAppend => RedirectKind::Append,
                    kind => kind,
                };
                if opens != RedirectKind::Input {
                    let shown = match &redirect.target {
                        RedirectTarget::Variable(name) => name,
                        _ => &word,
                    };
                    refuse_output(task, shown)?;
                }
                let open = self.open(task, &word, opens)?;
                if open.is_unmet() {
                    return Err(Refused::Unmet(open));
                }
                self.place(task, redirect, open)
            }
        }
    }

    /// Puts what a redirect opened in its places.
    fn place(
        &mut self,
        task: &mut Task,
        redirect: &Redirect,
        open: Rc<Descriptor>,
    ) -> Result<(), Refused> {
        match redirect.kind {
            RedirectKind::Both | RedirectKind::BothAppend | RedirectKind::DuplicateOutput => {
                self.replace(task, 1, Some(open.clone()));
                self.replace(task, 2, Some(open));
                Ok(())
            }
            kind => {
                let input = matches!(kind, RedirectKind::Input | RedirectKind::ReadWrite);
                self.put(task, &redirect.target, u32::from(!input), open)
            }
        }
    }

    /// Opens the file of a redirect.
    fn open(
        &mut self,
        task: &mut Task,
        word: &Text,
        kind: RedirectKind,
    ) -> Result<Rc<Descriptor>, Refused> {
        if let Some(number) = device_number(word) {
            return match task.state.descriptors.get(number) {
                Some(open) => Ok(open.clone()),
                None => Err(refuse(task, word, Errno::NoEntry)),
            };
        }
        let full = self.seen_by(task, path::absolute(&task.state.directory, word));
        let noclobber = kind == RedirectKind::Output && task.state.options.on(SetOption::Noclobber);
        let mut exclusive = false;
        if noclobber {
            match self.os.stat(&full, true) {
                Ok(stat) if stat.kind == FileKind::Regular => {
                    report(
                        task,
                        &[word.as_bytes(), b": cannot overwrite existing file"].concat(),
                    );
                    return Err(Refused::Failed);
                }
                Ok(_) => {}
                Err(_) => exclusive = true,
            }
        }
        let write = kind != RedirectKind::Input;
        let options = OpenOptions {
            read: matches!(kind, RedirectKind::Input | RedirectKind::ReadWrite),
            write,
            append: kind == RedirectKind::Append,
            create: write,
            exclusive,
            truncate: matches!(kind, RedirectKind::Output | RedirectKind::Clobber),
            directory: false,
        };
        if word.is_empty() {
            return Err(refuse(task, word, Errno::NoEntry));
        }
        match self.os.open(&full, options, 0o666 & !task.state.umask) {
            Ok(handle) => {
                let origin = Origin {
                    path: Text::from(full),
                    read: options.read,
                    write: options.write,
                    append: options.append,
                };
                Ok(Descriptor::opened(&self.os, handle, origin))
            }
            Err(error) => Err(refuse(task, word, error)),
        }
    }

    /// A here-document: a file or pipe that holds the text.
    fn document(
        &mut self,
        task: &mut Task,
        redirect: &Redirect,
        text: &[u8],
    ) -> Result<(), Refused> {
        let (reader, writer) = Descriptor::pipe(&self.os, &self.ready, true);
        let _ = writer.write(text);
        drop(writer);
        self.put(task, &redirect.target, 0, reader)
    }

    /// `<&` and `>&`
    fn duplicate(
        &mut self,
        task: &mut Task,
        redirect: &Redirect,
        word: &Text,
        default: u32,
    ) -> Result<(), Refused> {
        let text = word.as_bytes();
        if text == b"-" {
            return self.close(task, &redirect.target, default);
        }
        let (digits, moved) = match text.strip_suffix(b"-") {
            Some(digits) => (digits, true),
            None => (text, false),
        };
        let number = std::str::from_utf8(digits)
            .ok()
            .and_then(|text| text.parse::<u32>().ok());
        let Some(number) = number.filter(|_| digits.iter().all(u8::is_ascii_digit)) else {
            let output = matches!(
                redirect.target,
                RedirectTarget::Default | RedirectTarget::Number(1)
            );
            if default == 1 && output {
                // `>& file`
                refuse_output(task, word)?;
                let open = self.open(task, word, RedirectKind::Output)?;
                if open.is_unmet() {
                    return Err(Refused::Unmet(open));
                }
                return self.place(task, redirect, open);
            }
            report(
                task,
                &[redirect.source.as_bytes(), b": ambiguous redirect"].concat(),
            );
            return Err(Refused::Failed);
        };
        let same = match redirect.target {
            RedirectTarget::Default => number == default,
            RedirectTarget::Number(target) => number == target,
            RedirectTarget::Variable(_) => false,
        };
        let Some(open) = task.state.descriptors.get(number).cloned() else {
            if same {
                // Nothing is to be done, and so bash does not look.
                return Ok(());
            }
            // Of two, bash names the one that it takes for the wrong one.
            let literal = redirect
                .source
                .iter()
                .all(|&byte| byte.is_ascii_digit() || byte == b'-');
            let named = match &redirect.target {
                _ if literal => Text::from(i64::from(number)),
                RedirectTarget::Number(target) if *target != default => {
                    Text::from(i64::from(*target))
                }
                _ => redirect.source.clone(),
            };
            report(task, &[named.as_bytes(), b": Bad file descriptor"].concat());
            return Err(Refused::Failed);
        };
        self.put(task, &redirect.target, default, open)?;
        if moved && !same {
            // As in bash, it stays closed when the command has ended.
            task.state.descriptors.set(number, None);
        }
        Ok(())
    }

    fn close(
        &mut self,
        task: &mut Task,
        target: &RedirectTarget,
        default: u32,
    ) -> Result<(), Refused> {
        let number = match target {
            RedirectTarget::Default => default,
            RedirectTarget::Number(number) => *number,
            RedirectTarget::Variable(name) => {
                let value = scope::get_reference(self, task, name).unwrap_or_default();
                let number = crate::arithmetic::plain_integer(&value);
                match number.and_then(|number| u32::try_from(number).ok()) {
                    Some(number) => {
                        task.state.descriptors.set(number, None);
                        return Ok(());
                    }
                    None => {
                        report(task, &[name.as_bytes(), b": ambiguous redirect"].concat());
                        return Err(Refused::Failed);
                    }
                }
            }
        };
        self.replace(task, number, None);
        Ok(())
    }

    /// Puts an open file where a redirect wants it.
    fn put(
        &mut self,
        task: &mut Task,
        target: &RedirectTarget,
        default: u32,
        open: Rc<Descriptor>,
    ) -> Result<(), Refused> {
        let number = match target {
            RedirectTarget::Default => default,
            RedirectTarget::Number(number) if *number > HIGHEST => {
                let text = number.to_string();
                report(task, &[text.as_bytes(), b": Bad file descriptor"].concat());
                return Err(Refused::Failed);
            }
            RedirectTarget::Number(number) => *number,
            RedirectTarget::Variable(name) => {
                let number = task.state.descriptors.free(FIRST_VARIABLE);
                let value = Text::from(i64::from(number));
                if scope::set_reference(self, task, name, value, false).is_err() {
                    let tail = b": cannot assign fd to variable".as_slice();
                    report(task, &[name.as_bytes(), tail].concat());
                    return Err(Refused::Failed);
                }
                if task.state.options.shopt(Shopt::VarredirClose) {
                    self.replace(task, number, Some(open));
                } else {
                    // It outlives the command.
                    task.state.descriptors.set(number, Some(open));
                }
                return Ok(());
            }
        };
        self.replace(task, number, Some(open));
        Ok(())
    }

    /// Sets a number for the command under way.
    pub(super) fn replace(&mut self, task: &mut Task, number: u32, open: Option<Rc<Descriptor>>) {
        let before = task.state.descriptors.set(number, open);
        if let Some(block) = task.blocks.last_mut()
            && let BlockKind::Redirects(saved) = &mut block.kind
        {
            saved.push((number, before));
        }
    }
}

/// `/dev/stdin`, `/dev/fd/N` and their kin: descriptors of the shell itself.
pub(super) fn device_number(word: &[u8]) -> Option<u32> {
    match word {
        b"/dev/stdin" => Some(0),
        b"/dev/stdout" => Some(1),
        b"/dev/stderr" => Some(2),
        word => {
            let digits = word
                .strip_prefix(b"/dev/fd/")
                .or_else(|| word.strip_prefix(b"/proc/self/fd/"))?;
            std::str::from_utf8(digits).ok()?.parse().ok()
        }
    }
}

/// Refuses to open a file for writing where the shell is restricted.
fn refuse_output(task: &mut Task, word: &[u8]) -> Result<(), Refused> {
    if !task.state.options.restricted() {
        return Ok(());
    }
    let tail = b": restricted: cannot redirect output".as_slice();
    report(task, &[word, tail].concat());
    Err(Refused::Failed)
}

fn refuse(task: &mut Task, word: &[u8], error: Errno) -> Refused {
    report(task, &[word, b": ", error.message().as_bytes()].concat());
    Refused::Failed
}
