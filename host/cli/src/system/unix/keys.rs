//! The terminal of the user, where no line editor has it: keys as they come, lines that are not shown.

use anyhow::Context;
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::Errno;
use rustix::termios::{
    LocalModes, OptionalActions, OutputModes, Termios, tcgetattr, tcgetwinsize, tcsetattr,
};
use std::io::{Stdin, stdin, stdout};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::JoinHandle;
use tokio::sync::mpsc;

/// How often it is looked whether keys are still wanted.
const LOOK: Timespec = Timespec {
    tv_sec: 0,
    tv_nsec: 50_000_000,
};

/// Bytes that are read at once: a paste comes in several.
const BLOCK: usize = 4096;

/// The columns and lines of the terminal; 80 and 24 where it does not say.
pub fn size() -> (u16, u16) {
    let size = tcgetwinsize(stdout()).map(|size| (size.ws_col, size.ws_row));
    match size {
        Ok((columns, lines)) if columns > 0 && lines > 0 => (columns, lines),
        _ => (80, 24),
    }
}

/// Has the terminal other settings until it is dropped.
struct Changed(Termios);

impl Changed {
    fn new(change: impl FnOnce(&mut Termios)) -> anyhow::Result<Changed> {
        let before = tcgetattr(stdin()).context("the terminal")?;
        let mut wanted = before.clone();
        change(&mut wanted);
        tcsetattr(stdin(), OptionalActions::Now, &wanted).context("the terminal")?;
        Ok(Changed(before))
    }
}

impl Drop for Changed {
    fn drop(&mut self) {
        // A terminal that is gone needs no settings.
        let _ = tcsetattr(stdin(), OptionalActions::Now, &self.0);
    }
}

/// What is typed, byte by byte, until this is dropped.
pub struct Keys {
    typed: mpsc::Receiver<Vec<u8>>,
    over: Arc<AtomicBool>,
    reader: Option<JoinHandle<()>>,
    _changed: Changed,
}

impl Keys {
    /// Takes the keys from now on.
    ///
    /// # Errors
    /// Where the terminal cannot be set so.
    pub fn take() -> anyhow::Result<Keys> {
        let changed = Changed::new(|wanted| {
            wanted.make_raw();
            // Lines that are written still begin at the left.
            wanted.output_modes |= OutputModes::OPOST | OutputModes::ONLCR;
        })?;
        let (sender, typed) = mpsc::channel(16);
        let over = Arc::new(AtomicBool::new(false));
        let stop = Arc::clone(&over);
        let reader = std::thread::spawn(move || {
            let stdin = stdin();
            while !stop.load(Ordering::SeqCst) {
                match block(&stdin) {
                    Ok(bytes) if bytes.is_empty() => {}
                    Ok(bytes) => {
                        if sender.blocking_send(bytes).is_err() {
                            break;
                        }
                    }
                    Err(_) => break,
                }
            }
        });
        Ok(Keys {
            typed,
            over,
            reader: Some(reader),
            _changed: changed,
        })
    }

    /// The next ones; none where the terminal is gone.
    pub async fn next(&mut self) -> Option<Vec<u8>> {
        self.typed.recv().await
    }
}

impl Drop for Keys {
    fn drop(&mut self) {
        self.over.store(true, Ordering::SeqCst);
        self.typed.close();
        if let Some(reader) = self.reader.take() {
            // A panic there was reported.
            let _ = reader.join();
        }
    }
}

/// What was typed; nothing where nothing comes for a while, an error at the end.
fn block(stdin: &Stdin) -> Result<Vec<u8>, Errno> {
    let mut files = [PollFd::new(stdin, PollFlags::IN)];
    match poll(&mut files, Some(&LOOK)) {
        Ok(0) | Err(Errno::INTR) => return Ok(Vec::new()),
        Ok(_) => {}
        Err(error) => return Err(error),
    }
    let mut bytes = vec![0; BLOCK];
    match rustix::io::read(stdin, &mut bytes) {
        Ok(0) => Err(Errno::IO),
        Ok(count) => {
            bytes.truncate(count);
            Ok(bytes)
        }
        Err(Errno::INTR | Errno::AGAIN) => Ok(Vec::new()),
        Err(error) => Err(error),
    }
}

/// A line that is typed without being shown, with its end; empty at the end of the input.
///
/// # Errors
/// Where the terminal cannot be read.
pub fn hidden_line() -> anyhow::Result<Vec<u8>> {
    let _changed = Changed::new(|wanted| wanted.local_modes -= LocalModes::ECHO)?;
    let mut line = vec![0; BLOCK];
    loop {
        // A terminal gives a line at a time.
        match rustix::io::read(stdin(), &mut line) {
            Ok(count) => {
                line.truncate(count);
                return Ok(line);
            }
            Err(Errno::INTR) => {}
            Err(error) => return Err(error).context("reading a line"),
        }
    }
}
