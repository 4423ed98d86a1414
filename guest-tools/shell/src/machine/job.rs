//! Jobs: what `&`, `coproc` and process substitution started, and how it ended.

use std::collections::BTreeMap;

use super::trap;
use crate::codec::record;
use crate::os::Pid;
use crate::text::Text;

/// A process of a job: a task of the machine.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Process {
    /// Its number, as `$!` gives it.
    pub pid: Pid,
    /// How it ended; none while it runs.
    pub status: Option<u8>,
}

/// A job.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Job {
    /// `%N`
    pub number: u32,
    /// Its processes, in the order of the pipeline.
    pub processes: Vec<Process>,
    /// Its command, for `jobs`.
    pub text: Text,
    /// Its end was reported by `jobs` or waited for.
    pub reported: bool,
    /// The signal that lets it stand still, where the shell controls its jobs.
    pub stopped: Option<u8>,
}

impl Job {
    /// How the job ended: the status of its last process, once all have ended.
    pub fn status(&self) -> Option<u8> {
        if self
            .processes
            .iter()
            .any(|process| process.status.is_none())
        {
            return None;
        }
        self.processes.last().and_then(|process| process.status)
    }

    /// Whether it has not ended and does not stand still.
    pub fn is_running(&self) -> bool {
        self.status().is_none() && self.stopped.is_none()
    }

    /// The process that `$!` names.
    pub fn pid(&self) -> Pid {
        self.processes.last().map_or(0, |process| process.pid)
    }
}

/// The jobs of one shell.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Jobs {
    list: Vec<Job>,
    /// Statuses of processes whose job is gone, for `wait PID`.
    ended: BTreeMap<Pid, u8>,
    /// Processes whose end `wait -n` has not reported yet, in the order of their end.
    unreported: Vec<Pid>,
    /// Process substitutions that run.
    substitutions: Vec<Pid>,
    /// Jobs of the shell around, which a substitution or a stage of a pipeline lists as its own.
    around: Vec<Job>,
}

/// So many statuses of ended processes are kept.
const KEPT: usize = 1024;

impl Jobs {
    /// Adds a job and returns its number.
    pub fn add(&mut self, pids: &[Pid], text: Text) -> u32 {
        self.list
            .retain(|job| job.status().is_none() || !job.reported);
        let number = self.list.iter().map(|job| job.number).max().unwrap_or(0) + 1;
        let processes = pids
            .iter()
            .map(|&pid| Process { pid, status: None })
            .collect();
        self.list.push(Job {
            number,
            processes,
            text,
            reported: false,
            stopped: None,
        });
        number
    }

    /// Notes how a process ended; false where it belongs to no job.
    pub fn end(&mut self, pid: Pid, status: u8) -> bool {
        let all = self.list.iter_mut().flat_map(|job| &mut job.processes);
        let Some(process) = { all }.find(|process| process.pid == pid) else {
            let known = self.is_substitution(pid);
            if known {
                self.substitutions.retain(|&other| other != pid);
                self.note(pid, status);
            }
            return known;
        };
        process.status = Some(status);
        self.note(pid, status);
        self.unreported.push(pid);
        let has = |job: &&mut Job| job.processes.iter().any(|process| process.pid == pid);
        if let Some(job) = self.list.iter_mut().find(has)
            && job.status().is_some()
        {
            job.stopped = None;
            job.reported = false;
        }
        true
    }

    fn note(&mut self, pid: Pid, status: u8) {
        self.ended.insert(pid, status);
        if self.ended.len() > KEPT {
            self.ended.pop_first();
        }
    }

    /// A process stands still by a signal, or goes on.
    pub fn pause(&mut self, pid: Pid, signal: Option<u8>) {
        let has = |job: &&mut Job| job.processes.iter().any(|process| process.pid == pid);
        if let Some(job) = self.list.iter_mut().find(has) {
            job.stopped = signal;
            job.reported = false;
        }
    }

    /// What was in the foreground stands still, which its user is told of: it is a job from now on, or
    /// again. Its number.
    pub fn stop(&mut self, pids: &[Pid], statuses: &[Option<u8>], text: Text, signal: u8) -> u32 {
        let known = pids.first().and_then(|&pid| self.of_pid(pid));
        let number = match known.map(|job| job.number) {
            Some(number) => number,
            None => self.add(pids, text),
        };
        if let Some(job) = self.get_mut(number) {
            for (process, status) in job.processes.iter_mut().zip(statuses) {
                process.status = *status;
            }
            job.stopped = Some(signal);
            job.reported = true;
        }
        number
    }

    /// Forgets the job that these processes are: it ended in the foreground.
    pub fn finish(&mut self, pids: &[Pid]) {
        let is_one = |job: &Job| {
            job.processes
                .iter()
                .any(|process| pids.contains(&process.pid))
        };
        self.list.retain(|job| !is_one(job));
    }

    /// The jobs whose user is to be told how they are, by their numbers.
    pub fn news(&self) -> Vec<u32> {
        let news = |job: &&Job| !job.reported && (job.status().is_some() || job.stopped.is_some());
        self.list
            .iter()
            .filter(news)
            .map(|job| job.number)
            .collect()
    }

    /// Whether a job stands still.
    pub fn any_stopped(&self) -> bool {
        self.list.iter().any(|job| job.stopped.is_some())
    }

    /// What `jobs` says of a job.
    pub fn line(&self, number: u32, long: bool) -> Option<Vec<u8>> {
        let (current, previous) = self.current();
        let job = self.get(number)?;
        let mark = match Some(number) {
            number if number == current => '+',
            number if number == previous => '-',
            _ => ' ',
        };
        let state = match job.status() {
            _ if job.stopped.is_some() => "Stopped".to_owned(),
            None => "Running".to_owned(),
            Some(0) => "Done".to_owned(),
            Some(status) => ending(status),
        };
        let pid = match long {
            true => format!("{} ", job.pid()),
            false => " ".to_owned(),
        };
        let mut line = format!("[{number}]{mark} {pid}{state:<24}").into_bytes();
        line.extend_from_slice(&job.text);
        if job.is_running() {
            line.extend_from_slice(b" &");
        }
        line.push(b'\n');
        Some(line)
    }

    /// Adds a process substitution, which is no job but can be waited for.
    pub fn substituted(&mut self, pid: Pid) {
        self.substitutions.push(pid);
    }

    /// Whether it is a process substitution that runs.
    pub fn is_substitution(&self, pid: Pid) -> bool {
        self.substitutions.contains(&pid)
    }

    /// What a task that this shell starts lists as its jobs.
    pub fn shown(&self) -> Jobs {
        Jobs {
            around: self.list.clone(),
            ..Jobs::default()
        }
    }

    /// Takes the jobs of the shell around for its own where it has none, or puts them back.
    pub fn exchange(&mut self) {
        std::mem::swap(&mut self.list, &mut self.around);
    }

    /// All jobs, the oldest first.
    pub fn list(&self) -> &[Job] {
        &self.list
    }

    /// The job with this number.
    pub fn get(&self, number: u32) -> Option<&Job> {
        self.list.iter().find(|job| job.number == number)
    }

    /// The job with this number, to change it.
    pub fn get_mut(&mut self, number: u32) -> Option<&mut Job> {
        self.list.iter_mut().find(|job| job.number == number)
    }

    /// The job that a process belongs to.
    pub fn of_pid(&self, pid: Pid) -> Option<&Job> {
        let has = |job: &&Job| job.processes.iter().any(|process| process.pid == pid);
        self.list.iter().find(has)
    }

    /// Forgets a job: `disown`, or after its end was waited for.
    pub fn remove(&mut self, number: u32) {
        self.list.retain(|job| job.number != number);
    }

    /// The status of a process that ended, also where its job is gone.
    pub fn ended(&self, pid: Pid) -> Option<u8> {
        self.ended.get(&pid).copied()
    }

    /// Takes the oldest process whose end was not taken yet and that `wanted` accepts, for
    /// `wait -n`.
    pub fn take_ended(&mut self, wanted: impl Fn(Pid) -> bool) -> Option<(Pid, u8)> {
        let at = self.unreported.iter().position(|&pid| wanted(pid))?;
        let pid = self.unreported.remove(at);
        self.ended(pid).map(|status| (pid, status))
    }

    /// Forgets that a process's end is still to be taken by `wait -n`.
    pub fn forget_ended(&mut self, pid: Pid) {
        self.unreported.retain(|&other| other != pid);
    }

    /// Whether any job still runs, and does not stand still.
    pub fn any_running(&self) -> bool {
        self.list.iter().any(Job::is_running)
    }

    /// The current job (`%+`) and the previous one (`%-`): those that stand still before others.
    pub fn current(&self) -> (Option<u32>, Option<u32>) {
        let newest = |still: bool| {
            let jobs = self.list.iter().rev();
            jobs.filter(move |job| job.stopped.is_some() == still)
        };
        let mut numbers = newest(true).chain(newest(false)).map(|job| job.number);
        (numbers.next(), numbers.next())
    }
}

/// What is said of a job that ended with this status.
fn ending(status: u8) -> String {
    let known = status.checked_sub(128).and_then(trap::description);
    known.map_or_else(|| format!("Exit {status}"), str::to_owned)
}

record!(Process { pid, status });
record!(Job {
    number,
    processes,
    text,
    reported,
    stopped
});
record!(Jobs {
    list,
    ended,
    unreported,
    substitutions,
    around
});
