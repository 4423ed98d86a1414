//! `print` and `printf`. A line is put together in memory that the next line uses again, and written at once.

use std::rc::Rc;

use super::{Interpreter, Outcome, fail};
use crate::awk::format::{self, put_value};
use crate::awk::tree::*;
use crate::awk::value::{Slot, Value};

impl<'p> Interpreter<'p> {
    /// `print`: the arguments with OFS between them, or `$0`, and ORS. Numbers that are no integers are written by
    /// OFMT.
    pub(super) fn print(
        &mut self,
        arguments: &'p [Expression],
        redirect: Option<&'p (Redirect, Expression)>,
    ) -> Outcome<()> {
        // The memory of the last line; a function that prints meanwhile takes its own.
        let mut line = std::mem::take(&mut self.line);
        line.clear();
        if arguments.is_empty() {
            self.put_field(0, &mut line);
        }
        let convert = Rc::clone(&self.output_convert);
        let simple = |argument: &Expression| {
            matches!(
                argument,
                Expression::Field(_) | Expression::Text(_) | Expression::Number(_)
            )
        };
        if arguments.iter().all(simple) || arguments.len() == 1 {
            for (index, argument) in arguments.iter().enumerate() {
                self.put_gap(index, &mut line);
                self.put(argument, &convert, &mut line)?;
            }
        } else {
            // One of them may change the gap of all.
            let mut values = Vec::with_capacity(arguments.len());
            for argument in arguments {
                values.push(self.eval(argument)?);
            }
            for (index, value) in values.iter().enumerate() {
                self.put_gap(index, &mut line);
                put_value(value, &convert, &mut line);
            }
        }
        line.extend_from_slice(&self.record_end);
        self.write(&line, redirect)?;
        self.line = line;
        Ok(())
    }

    /// Appends OFS before all but the first.
    fn put_gap(&self, index: usize, line: &mut Vec<u8>) {
        if index > 0 {
            line.extend_from_slice(&self.field_gap);
        }
    }

    /// `printf`: the format alone, without ORS.
    pub(super) fn printf(
        &mut self,
        arguments: &'p [Expression],
        redirect: Option<&'p (Redirect, Expression)>,
    ) -> Outcome<()> {
        if arguments.is_empty() {
            return fail("printf: no arguments");
        }
        let text = self.formatted(arguments)?;
        self.write(&text, redirect)
    }

    /// The text of a format and its arguments.
    pub(in crate::awk) fn formatted(&mut self, arguments: &'p [Expression]) -> Outcome<Vec<u8>> {
        let format = self.text(&arguments[0])?;
        let mut values = Vec::with_capacity(arguments.len() - 1);
        for argument in &arguments[1..] {
            values.push(self.eval(argument)?);
        }
        let mut out = Vec::new();
        match format::print(&format, &values, &self.convert, &mut out) {
            Ok(()) => Ok(out),
            Err(message) => fail(message),
        }
    }

    /// Writes a text to standard output or to a redirection; failures are fatal, unless PROCINFO says otherwise.
    fn write(&mut self, text: &[u8], redirect: Option<&'p (Redirect, Expression)>) -> Outcome<()> {
        let target = match redirect {
            None => None,
            Some((kind, name)) => Some((*kind, self.text(name)?)),
        };
        let target = target.as_ref().map(|(kind, name)| (*kind, name.as_slice()));
        match self.streams.write(target, text) {
            Ok(()) => Ok(()),
            Err(failure) if target.is_some_and(|(_, name)| self.goes_on_without(name)) => {
                self.globals[ERRNO] = Slot::Scalar(Value::text(failure.0.message()));
                Ok(())
            }
            Err(failure) => {
                let name = target.map_or(&b"standard output"[..], |(_, name)| name);
                let name = String::from_utf8_lossy(name);
                fail(format!("cannot redirect to `{name}': {}", failure.0))
            }
        }
    }

    /// Whether PROCINFO says that a failure of this output, or of any, is not fatal.
    fn goes_on_without(&self, name: &[u8]) -> bool {
        let Slot::Array(information) = &self.globals[PROCINFO] else {
            return false;
        };
        let own = [name, &self.subscript_gap[..], NONFATAL].concat();
        let information = information.borrow();
        [NONFATAL.to_vec(), own]
            .iter()
            .any(|key| information.contains_key(key))
    }
}

/// The key in PROCINFO, alone or behind the name of an output.
const NONFATAL: &[u8] = b"NONFATAL";
