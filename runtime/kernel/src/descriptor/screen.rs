//! What both sides of a terminal know of it.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};

/// A terminal's size, and how what is typed reaches who reads. Clones are of the same terminal.
#[derive(Debug, Clone)]
pub struct Screen(Arc<State>);

#[derive(Debug)]
struct State {
    /// Columns in the upper half, lines in the lower one.
    size: AtomicU32,
    echo: AtomicBool,
    lines: AtomicBool,
    signals: AtomicBool,
}

impl Default for Screen {
    /// 80 columns and 24 lines; what is typed is shown, and arrives by lines.
    fn default() -> Screen {
        Screen(Arc::new(State {
            size: AtomicU32::new(80 << 16 | 24),
            echo: AtomicBool::new(true),
            lines: AtomicBool::new(true),
            signals: AtomicBool::new(true),
        }))
    }
}

impl Screen {
    /// Columns and lines.
    pub fn size(&self) -> (u16, u16) {
        let size = self.0.size.load(Ordering::Relaxed);
        ((size >> 16) as u16, size as u16)
    }

    /// The terminal has this size from now on; nobody is told.
    pub fn resize(&self, columns: u16, lines: u16) {
        let size = u32::from(columns) << 16 | u32::from(lines);
        self.0.size.store(size, Ordering::Relaxed);
    }

    /// Whether what is typed is to be shown.
    pub fn echoes(&self) -> bool {
        self.0.echo.load(Ordering::SeqCst)
    }

    /// Whether what is typed is edited and arrives by lines.
    pub fn takes_lines(&self) -> bool {
        self.0.lines.load(Ordering::SeqCst)
    }

    /// Whether keys such as Ctrl-C are signals.
    pub fn takes_signals(&self) -> bool {
        self.0.signals.load(Ordering::SeqCst)
    }

    /// A program inside sets how what is typed is taken.
    pub(crate) fn set(&self, echo: bool, lines: bool, signals: bool) {
        self.0.signals.store(signals, Ordering::SeqCst);
        self.0.echo.store(echo, Ordering::SeqCst);
        self.0.lines.store(lines, Ordering::SeqCst);
    }
}
