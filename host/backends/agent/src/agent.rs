//! The loop: one thread that waits for the port and for all streams at once.

use crate::child::{Child, Feed, Group};
use crate::machine::{self, Host};
use crate::vsock;
use offshoot_agent::{Down, Frames, MAX_DOWN, PIECE, Start, Up};
use rustix::event::{PollFd, PollFlags, Timespec};
use rustix::io::Errno;
use rustix::process::{Signal, WaitOptions, WaitStatus};
use std::collections::HashMap;
use std::io;
use std::os::fd::OwnedFd;
use std::time::{Duration, Instant};

/// How long those who were asked to end have.
const KINDNESS: Duration = Duration::from_secs(2);
/// How long at most nothing is looked at.
const IDLE: Duration = Duration::from_secs(1);
/// How soon it is looked again where nothing tells that something has happened.
const SOON: Duration = Duration::from_millis(10);
/// Bytes for the host beyond which no stream is read.
const BACKLOG: usize = 256 << 10;

/// Serves the host for ever.
pub(crate) fn serve(host: Host) -> io::Result<()> {
    let (port, listener) = match host {
        Host::Port(port) => (Some(port), None),
        Host::Listener(listener) => (None, Some(listener)),
    };
    let mut agent = Agent {
        port,
        listener,
        frames: Frames::new(MAX_DOWN),
        out: Vec::new(),
        children: HashMap::new(),
        left: Vec::new(),
        started: 0,
        is_frozen: false,
    };
    loop {
        agent.turn()?;
    }
}

/// What a wait was for.
#[derive(Debug, Clone, Copy)]
enum What {
    Port,
    Listener,
    Stdin(u32),
    Output(u32, usize),
    End,
}

struct Agent {
    /// The stream to the host, if one is there.
    port: Option<OwnedFd>,
    /// Where the next one comes from, if this one can end.
    listener: Option<OwnedFd>,
    frames: Frames,
    out: Vec<u8>,
    children: HashMap<u32, Child>,
    /// Of commands that nobody asks for any more, with the time of their end where it is set.
    left: Vec<(Group, Option<Instant>)>,
    started: u64,
    /// Nothing may be sent.
    is_frozen: bool,
}

impl Agent {
    /// Waits once, and does what is to be done.
    fn turn(&mut self) -> io::Result<()> {
        let events = self.wait()?;
        for (what, flags) in events {
            match what {
                What::Port => self.port(flags)?,
                What::Listener => self.accept()?,
                // While it is frozen all waits: what is taken from a stream would have to be sent.
                _ if self.is_frozen => {}
                What::Stdin(id) => self.feed(id),
                What::Output(id, which) => self.read(id, which),
                What::End => {}
            }
        }
        self.reap();
        if !self.is_frozen {
            self.settle();
        }
        self.flush();
        Ok(())
    }

    /// What is ready.
    fn wait(&self) -> io::Result<Vec<(What, PollFlags)>> {
        let (mut whats, mut polls) = (Vec::new(), Vec::new());
        if let Some(port) = &self.port {
            let mut flags = PollFlags::IN;
            if !self.out.is_empty() {
                flags |= PollFlags::OUT;
            }
            whats.push(What::Port);
            polls.push(PollFd::new(port, flags));
        }
        if let Some(listener) = &self.listener {
            whats.push(What::Listener);
            polls.push(PollFd::new(listener, PollFlags::IN));
        }
        let mut wait = IDLE;
        for (id, child) in &self.children {
            if self.is_frozen {
                break;
            }
            if child.status.is_none() {
                whats.push(What::End);
                polls.push(PollFd::new(child.group.handle(), PollFlags::IN));
            } else if child.waits {
                wait = SOON;
            }
            if let Some(Feed { pipe, bytes, .. }) = &child.stdin {
                // Without bytes it is only of interest whether somebody reads.
                let flags = match bytes.is_empty() {
                    true => PollFlags::empty(),
                    false => PollFlags::OUT,
                };
                whats.push(What::Stdin(*id));
                polls.push(PollFd::new(pipe, flags));
            }
            for (which, output) in child.outputs.iter().enumerate() {
                if let Some(output) = output
                    && child.room > 0
                    && self.out.len() < BACKLOG
                {
                    whats.push(What::Output(*id, which));
                    polls.push(PollFd::new(output, PollFlags::IN));
                }
            }
        }
        let times = self.left.iter().filter_map(|(_, time)| *time);
        let times = times.chain(self.children.values().filter_map(|child| child.kill_at));
        if let Some(first) = times.min() {
            wait = wait.min(first.saturating_duration_since(Instant::now()));
        }
        let wait = Timespec {
            tv_sec: i64::try_from(wait.as_secs()).unwrap_or(1),
            tv_nsec: wait.subsec_nanos().into(),
        };
        match rustix::event::poll(&mut polls, Some(&wait)) {
            Ok(_) | Err(Errno::INTR) => {}
            Err(error) => return Err(error.into()),
        }
        let ready = whats.into_iter().zip(&polls);
        let ready = ready.map(|(what, poll)| (what, poll.revents()));
        Ok(ready.filter(|(_, flags)| !flags.is_empty()).collect())
    }

    /// Goes over to a stream that has just come. What is frozen goes on there, between two frames; else the
    /// first word there makes an end of what was before.
    fn accept(&mut self) -> io::Result<()> {
        let newest = self.listener.as_ref().map(vsock::newest).transpose()?;
        if let Some(stream) = newest.flatten() {
            self.part();
            self.port = Some(stream);
        }
        Ok(())
    }

    /// Leaves a stream, with what has come or gone by halves.
    fn part(&mut self) {
        self.port = None;
        self.frames = Frames::new(MAX_DOWN);
        self.out.clear();
    }

    /// Reads what the host says.
    fn port(&mut self, flags: PollFlags) -> io::Result<()> {
        let Some(port) = &self.port else {
            return Ok(());
        };
        let can_end = self.listener.is_some();
        if !flags.contains(PollFlags::IN) {
            if flags.intersects(PollFlags::HUP | PollFlags::ERR) {
                match can_end {
                    true => self.part(),
                    // No host is there, and nothing tells when one comes.
                    false => std::thread::sleep(SOON),
                }
            }
            return Ok(());
        }
        let mut buffer = [0; 64 << 10];
        let length = match rustix::io::read(port, &mut buffer) {
            Err(Errno::AGAIN | Errno::INTR) => return Ok(()),
            Ok(0) | Err(_) if can_end => {
                self.part();
                return Ok(());
            }
            Ok(length) => length,
            Err(error) => return Err(error.into()),
        };
        if length == 0 {
            std::thread::sleep(SOON);
        }
        self.frames.push(&buffer[..length]);
        while let Some(frame) = self.frames.next().map_err(io::Error::other)? {
            if let Some(down) = Down::decode(&frame) {
                self.hear(down);
            }
        }
        Ok(())
    }

    fn say(&mut self, up: &Up) {
        up.encode(&mut self.out);
    }

    fn hear(&mut self, down: Down) {
        match down {
            Down::Hello(time, seed) => {
                machine::set_clock(time);
                machine::reseed(&seed);
                self.is_frozen = false;
                let ids: Vec<u32> = self.children.keys().copied().collect();
                ids.into_iter().for_each(|id| self.leave(id));
                // What an earlier host was not told is nothing to this one.
                self.out.clear();
                self.say(&Up::Ready(machine::is_whole()));
            }
            Down::Start(id, start) => self.start(id, &start),
            Down::Stdin(id, bytes) => {
                if let Some(feed) = self.children.get_mut(&id).and_then(|c| c.stdin.as_mut()) {
                    feed.bytes.extend(bytes);
                    self.feed(id);
                }
            }
            Down::StdinEnd(id) => {
                if let Some(feed) = self.children.get_mut(&id).and_then(|c| c.stdin.as_mut()) {
                    feed.is_complete = true;
                    self.feed(id);
                }
            }
            Down::Taken(id, bytes) => {
                if let Some(child) = self.children.get_mut(&id) {
                    child.room += usize::try_from(bytes).unwrap_or_default();
                }
            }
            Down::Signal(id, number) => {
                let signal = Signal::from_named_raw(number.into());
                if let (Some(child), Some(signal)) = (self.children.get(&id), signal) {
                    child.group.signal(signal);
                }
            }
            Down::End(id) => {
                if let Some(child) = self.children.get_mut(&id) {
                    child.group.signal(Signal::TERM);
                    child.kill_at = Some(Instant::now() + KINDNESS);
                }
            }
            Down::Leave(id) => self.leave(id),
            Down::Kill(id) => {
                if let Some(child) = self.children.get(&id) {
                    child.group.signal(Signal::KILL);
                }
                self.leave(id);
            }
            Down::Freeze => {
                self.say(&Up::Frozen);
                self.is_frozen = true;
            }
            Down::Thaw(time) => {
                machine::set_clock(time);
                self.is_frozen = false;
            }
        }
    }

    fn start(&mut self, id: u32, start: &Start) {
        self.started += 1;
        match Child::start(start, self.started) {
            Ok(child) => {
                self.children.insert(id, child);
            }
            Err((failure, message)) => self.say(&Up::Failed(id, failure, message)),
        }
    }

    /// Lets a command go on, or end, without anybody who listens.
    fn leave(&mut self, id: u32) {
        if let Some(child) = self.children.remove(&id) {
            self.left.push((child.group, child.kill_at));
        }
    }

    /// Writes standard input as far as it is taken.
    fn feed(&mut self, id: u32) {
        let Some(child) = self.children.get_mut(&id) else {
            return;
        };
        let Some(feed) = &mut child.stdin else {
            return;
        };
        let mut taken = 0;
        let closed = loop {
            let (bytes, _) = feed.bytes.as_slices();
            if bytes.is_empty() {
                break None;
            }
            match rustix::io::write(&feed.pipe, bytes) {
                Ok(written) => {
                    feed.bytes.drain(..written);
                    taken += written;
                }
                Err(Errno::AGAIN) => break None,
                Err(Errno::INTR) => {}
                Err(_) => break Some(Up::StdinClosed(id)),
            }
        };
        let is_over = feed.is_complete && feed.bytes.is_empty();
        let has_reader = !feed.bytes.is_empty() || is_over || !is_unread(&feed.pipe);
        let closed = match has_reader {
            true => closed,
            false => Some(Up::StdinClosed(id)),
        };
        if is_over || closed.is_some() {
            child.stdin = None;
        }
        if taken > 0 {
            self.say(&Up::Taken(id, u32::try_from(taken).unwrap_or(u32::MAX)));
        }
        if let Some(closed) = closed {
            self.say(&closed);
        }
    }

    /// Reads a piece of output.
    fn read(&mut self, id: u32, which: usize) {
        let Some(child) = self.children.get_mut(&id) else {
            return;
        };
        let Some(output) = &child.outputs[which] else {
            return;
        };
        let mut buffer = [0; PIECE];
        let room = child.room.min(PIECE);
        match rustix::io::read(output, &mut buffer[..room]) {
            Ok(0) => child.outputs[which] = None,
            Ok(length) => {
                child.room -= length;
                let bytes = buffer[..length].to_vec();
                self.say(&match which {
                    0 => Up::Stdout(id, bytes),
                    _ => Up::Stderr(id, bytes),
                });
            }
            Err(Errno::AGAIN | Errno::INTR) => {}
            Err(_) => child.outputs[which] = None,
        }
    }

    /// Takes in what has ended, whoever started it: the first process is everybody's last parent.
    fn reap(&mut self) {
        while let Ok(Some((process, status))) = rustix::process::wait(WaitOptions::NOHANG) {
            let mut children = self.children.values_mut();
            if let Some(child) = children.find(|child| child.leader() == process) {
                child.status = Some(code(status));
            }
        }
    }

    /// Reports what is over, and ends what should have ended.
    fn settle(&mut self) {
        let over = self.children.iter().filter(|(_, child)| child.is_over());
        let over: Vec<(u32, u8)> = over
            .map(|(id, child)| (*id, child.status.unwrap_or_default()))
            .collect();
        for (id, code) in over {
            self.leave(id);
            self.say(&Up::Exit(id, code));
        }
        let now = Instant::now();
        for child in self.children.values_mut() {
            if child.kill_at.is_some_and(|time| time <= now) {
                child.group.signal(Signal::KILL);
                child.kill_at = None;
            }
        }
        self.left.retain_mut(|(group, kill_at)| {
            if kill_at.is_some_and(|time| time <= now) {
                group.signal(Signal::KILL);
                *kill_at = None;
            }
            !group.remove()
        });
    }

    /// Sends as much as the port takes.
    fn flush(&mut self) {
        while !self.out.is_empty()
            && let Some(port) = &self.port
        {
            match rustix::io::write(port, &self.out) {
                Ok(written) => drop(self.out.drain(..written)),
                // Without a host nothing can be sent; the next one begins anew.
                Err(_) => return,
            }
        }
    }
}

/// Whether nobody will ever read from this pipe.
fn is_unread(pipe: &OwnedFd) -> bool {
    let mut poll = [PollFd::new(pipe, PollFlags::OUT)];
    let now = Timespec::default();
    rustix::event::poll(&mut poll, Some(&now)).is_ok() && poll[0].revents().contains(PollFlags::ERR)
}

/// 128 + n for signal n.
fn code(status: WaitStatus) -> u8 {
    let code = match (status.exit_status(), status.terminating_signal()) {
        (Some(code), _) => code,
        (_, Some(signal)) => 128 + signal,
        _ => 0,
    };
    u8::try_from(code & 0xff).unwrap_or(u8::MAX)
}
