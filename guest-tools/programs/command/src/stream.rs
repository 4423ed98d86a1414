//! The standard streams: those of the process, or where commands are linked in, of the run.

#[cfg(not(feature = "linked"))]
pub use std::io::{StdinLock, StdoutLock, stderr, stdin, stdout};
#[cfg(not(feature = "linked"))]
pub use std::{eprint, eprintln, print, println};

#[cfg(feature = "linked")]
pub use linked::*;

#[cfg(feature = "linked")]
mod linked {
    use std::io::{self, BufRead, BufReader, Read, Write};
    use std::marker::PhantomData;

    use crate::output::CHUNK;
    use crate::system::linked::{read, write};

    /// Standard input. It has no buffer: what one reads is gone for all.
    #[derive(Debug)]
    pub struct Stdin(());

    /// Standard input of the run.
    pub fn stdin() -> Stdin {
        Stdin(())
    }

    impl Stdin {
        /// The same with a buffer of its own.
        pub fn lock(&self) -> StdinLock<'static> {
            StdinLock(BufReader::with_capacity(CHUNK, Stdin(())), PhantomData)
        }

        /// Appends a line and no more than that.
        ///
        /// # Errors
        /// Those of the input.
        pub fn read_line(&self, line: &mut String) -> io::Result<usize> {
            let (mut bytes, mut byte) = (Vec::new(), [0]);
            while bytes.last() != Some(&b'\n') && read(0, &mut byte)? > 0 {
                bytes.push(byte[0]);
            }
            line.push_str(&String::from_utf8_lossy(&bytes));
            Ok(bytes.len())
        }
    }

    impl Read for Stdin {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            read(0, buffer)
        }
    }

    /// Standard input with a buffer.
    #[derive(Debug)]
    pub struct StdinLock<'a>(BufReader<Stdin>, PhantomData<&'a ()>);

    impl Read for StdinLock<'_> {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            self.0.read(buffer)
        }
    }

    impl BufRead for StdinLock<'_> {
        fn fill_buf(&mut self) -> io::Result<&[u8]> {
            self.0.fill_buf()
        }

        fn consume(&mut self, count: usize) {
            self.0.consume(count);
        }
    }

    /// Standard output (1) or error (2).
    #[derive(Debug)]
    pub struct Stdout(u32);

    /// The same: there is nobody to lock it against.
    #[derive(Debug)]
    pub struct StdoutLock<'a>(Stdout, PhantomData<&'a ()>);

    /// Standard output of the run.
    pub fn stdout() -> Stdout {
        Stdout(1)
    }

    /// Standard error of the run.
    pub fn stderr() -> Stdout {
        Stdout(2)
    }

    impl Stdout {
        /// The same.
        pub fn lock(&self) -> StdoutLock<'static> {
            StdoutLock(Stdout(self.0), PhantomData)
        }
    }

    impl Write for Stdout {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            write(self.0, bytes)
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    impl Write for StdoutLock<'_> {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.0.write(bytes)
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    /// As the standard library's macros, to a stream of the run. A failed write is not told.
    pub fn print(mut stream: Stdout, text: std::fmt::Arguments<'_>, end: &str) {
        let line = format!("{text}{end}");
        // The macros of the standard library would panic here.
        let _ = stream.write_all(line.as_bytes());
    }

    pub use crate::{eprint, eprintln, print, println};
}

/// Prints to standard output of the run.
#[cfg(feature = "linked")]
#[macro_export]
macro_rules! print {
    ($($text:tt)*) => { $crate::stream::print($crate::stream::stdout(), format_args!($($text)*), "") };
}

/// Prints a line to standard output of the run.
#[cfg(feature = "linked")]
#[macro_export]
macro_rules! println {
    () => { $crate::stream::print($crate::stream::stdout(), format_args!(""), "\n") };
    ($($text:tt)*) => { $crate::stream::print($crate::stream::stdout(), format_args!($($text)*), "\n") };
}

/// Prints to standard error of the run.
#[cfg(feature = "linked")]
#[macro_export]
macro_rules! eprint {
    ($($text:tt)*) => { $crate::stream::print($crate::stream::stderr(), format_args!($($text)*), "") };
}

/// Prints a line to standard error of the run.
#[cfg(feature = "linked")]
#[macro_export]
macro_rules! eprintln {
    () => { $crate::stream::print($crate::stream::stderr(), format_args!(""), "\n") };
    ($($text:tt)*) => { $crate::stream::print($crate::stream::stderr(), format_args!($($text)*), "\n") };
}
