//! Going on after a wait.

use super::set_status;
use super::signal::{child_ended, command_ended};
use super::{Run, Trouble};
use crate::builtin;
use crate::machine::Machine;
use crate::machine::context::Context;
use crate::machine::descriptor::Direction;
use crate::machine::option::SetOption;
use crate::machine::process::is_replaced;
use crate::machine::task::{Task, Waiting};
use crate::os::{Errno, ExitStatus, Interest, Pid};
use crate::text::Text;

/// Bytes that one read of a substitution or copy asks for.
const BLOCK: usize = 65_536;

impl Machine {
    /// Goes on with what a task waited for, or waits again.
    pub(in crate::machine) fn resume_waiting(&mut self, task: &mut Task, waiting: Waiting) -> Run {
        match waiting {
            Waiting::Tasks {
                pids,
                statuses,
                text,
            } => self.wait_for_tasks(task, pids, statuses, text),
            Waiting::Substitution { .. } => self.resume_substitution(task, waiting),
            Waiting::Output(flow) => self.deliver_then(task, flow),
            Waiting::Builtin { name, pending } => {
                task.builtin = builtin::find(&name).map(|entry| entry.name);
                let flow = {
                    let mut context = Context {
                        machine: self,
                        task,
                        name,
                        arrays: Vec::new(),
                    };
                    pending.resume(&mut context)
                };
                self.deliver_then(task, flow)
            }
            Waiting::Child { pid, name, text } => self.resume_child(task, pid, name, text),
            Waiting::Held { words, lookup } => {
                self.dispatch(task, words, Vec::new(), lookup.as_ref())
            }
            Waiting::Applet(running) => self.poll_applet(task, running),
            Waiting::Copy(left) => self.copy_input(task, left),
            Waiting::Opening(open) => self.resume_opening(task, open),
            Waiting::Input => Ok(()),
            Waiting::Select(line) => self.resume_select(task, line),
            Waiting::LastWords => Err(Trouble::Exit(task.state.status)),
        }
    }

    /// Waits until a process that runs this command has ended.
    pub(in crate::machine) fn wait_for_task(
        &mut self,
        task: &mut Task,
        pid: Pid,
        text: Text,
    ) -> Run {
        self.wait_for_tasks(task, vec![pid], vec![None], Some(text))
    }

    /// Waits until all these processes have ended; the status is that of the last. `text` is that of a
    /// command that is alone.
    pub(in crate::machine) fn wait_for_tasks(
        &mut self,
        task: &mut Task,
        pids: Vec<Pid>,
        statuses: Vec<Option<u8>>,
        text: Option<Text>,
    ) -> Run {
        if statuses.iter().any(Option::is_none) {
            task.waiting = Some(Waiting::Tasks {
                pids,
                statuses,
                text,
            });
            return Err(Trouble::Blocked);
        }
        task.jobs.finish(&pids);
        if super::controls_jobs(task) {
            self.check_size(task);
        }
        self.reap_coprocesses(task);
        let all: Vec<u8> = statuses.into_iter().flatten().collect();
        let last = all.last().copied().unwrap_or(0);
        let failed = all.iter().rev().copied().find(|&status| status != 0);
        task.state.status = if task.state.options.on(SetOption::Pipefail) {
            failed.unwrap_or(0)
        } else {
            last
        };
        task.state.pipe_status = Text::from(all);
        task.interrupted = false;
        if task.exec.is_begun() {
            return self.replaced(task);
        }
        Ok(())
    }

    fn resume_substitution(&mut self, task: &mut Task, waiting: Waiting) -> Run {
        let Waiting::Substitution {
            pid,
            status,
            reader,
            mut output,
            quoted,
        } = waiting
        else {
            return Ok(());
        };
        let mut block = Vec::new();
        loop {
            reader.drain(&mut output);
            self.check_expansion(task, output.len())?;
            // A pipe of the system may hold more, written by whoever has ended since.
            let in_memory = reader.existing_handle().is_none();
            if block.is_empty() && in_memory && !reader.has_writers() {
                break;
            }
            block.resize(BLOCK, 0);
            match reader.read(&mut block) {
                Ok(0) => break,
                Ok(count) => output.extend_from_slice(&block[..count]),
                Err(Errno::Again) => {
                    self.wait_descriptor(task, &reader, Direction::Read);
                    task.waiting = Some(Waiting::Substitution {
                        pid,
                        status,
                        reader,
                        output,
                        quoted,
                    });
                    return Err(Trouble::Blocked);
                }
                Err(_) => break,
            }
        }
        let Some(status) = status else {
            task.waiting = Some(Waiting::Substitution {
                pid,
                status,
                reader,
                output,
                quoted,
            });
            return Err(Trouble::Blocked);
        };
        self.substituted(task, output, status, quoted);
        Ok(())
    }

    /// Adds the output of a substitution to the word under way.
    fn substituted(&mut self, task: &mut Task, output: Vec<u8>, status: u8, quoted: bool) {
        let mut output = output;
        if output.contains(&0) {
            crate::machine::message::report(
                task,
                b"warning: command substitution: ignored null byte in input",
            );
            output.retain(|byte| *byte != 0);
        }
        let end = output
            .iter()
            .rposition(|byte| *byte != b'\n')
            .map_or(0, |last| last + 1);
        output.truncate(end);
        task.substituted = Some(status);
        task.state.status = status;
        self.add(task, &output, quoted);
    }

    fn resume_child(&mut self, task: &mut Task, pid: Pid, name: Text, text: Text) -> Run {
        let status = match self.os.try_wait(pid) {
            Ok(None) => {
                task.interests.push(Interest::Child(pid));
                task.waiting = Some(Waiting::Child { pid, name, text });
                return Err(Trouble::Blocked);
            }
            Ok(Some(ExitStatus::Exited(status))) => status,
            Ok(Some(ExitStatus::Signalled(signal))) => {
                if let [frame] = task.frames.as_slice()
                    && frame.code.simple
                {
                    // A job that is this command alone.
                    task.control.ending.signal = Some(signal);
                } else {
                    crate::machine::scheduler::report_signal(task, pid, signal, &text);
                }
                128 + signal
            }
            Err(_) => 127,
        };
        self.reap_coprocesses(task);
        set_status(task, status);
        command_ended(task, status.checked_sub(128));
        if !is_replaced(task) {
            child_ended(task);
        }
        if task.exec.is_begun() {
            return self.replaced(task);
        }
        Ok(())
    }

    /// `$(< file)`: copies standard input to standard output.
    pub(super) fn copy_input(&mut self, task: &mut Task, left: Vec<u8>) -> Run {
        let mut left = left;
        let (Some(input), Some(output)) = (
            task.state.descriptors.get(0).cloned(),
            task.state.descriptors.get(1).cloned(),
        ) else {
            return Ok(());
        };
        loop {
            while !left.is_empty() {
                match output.write(&left) {
                    Ok(count) => drop(left.drain(..count)),
                    Err(Errno::Again) => {
                        self.wait_descriptor(task, &output, Direction::Write);
                        task.waiting = Some(Waiting::Copy(left));
                        return Err(Trouble::Blocked);
                    }
                    Err(_) => left.clear(),
                }
            }
            let mut block = vec![0; BLOCK];
            match input.read(&mut block) {
                Ok(0) | Err(Errno::IsDirectory) => break,
                Ok(count) => {
                    block.truncate(count);
                    left = block;
                }
                Err(Errno::Again) => {
                    self.wait_descriptor(task, &input, Direction::Read);
                    task.waiting = Some(Waiting::Copy(left));
                    return Err(Trouble::Blocked);
                }
                Err(_) => break,
            }
        }
        set_status(task, 0);
        Ok(())
    }
}
