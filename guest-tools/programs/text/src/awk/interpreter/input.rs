//! The records of the main input and of `getline`.
//!
//! The operands of ARGV are taken one by one as the program left them: assignments are done when their turn comes,
//! empty ones are passed over, and where none is a file standard input is read.

use std::rc::Rc;

use super::{Interpreter, Outcome, Stop, Target, fail};
use crate::awk::record::Reader;
use crate::awk::tree::*;
use crate::awk::value::{Slot, Text, Value};
use crate::system;

impl<'p> Interpreter<'p> {
    /// Reads the next record of the main input into `$0`.
    pub(super) fn next_record(&mut self) -> Outcome<bool> {
        match self.main_record()? {
            None => Ok(false),
            Some(record) => {
                self.count(1.0);
                self.set_record(record);
                Ok(true)
            }
        }
    }

    /// Adds to NR and FNR.
    pub(super) fn count(&mut self, records: f64) {
        for place in [NR, FNR] {
            match &mut self.globals[place] {
                Slot::Scalar(Value::Number(number)) => *number += records,
                slot => {
                    let number = match slot {
                        Slot::Scalar(value) => value.number(),
                        _ => 0.0,
                    };
                    *slot = Slot::Scalar(Value::Number(number + records));
                }
            }
        }
    }

    /// The next record of the main input, over the ends of files; none after the last. An error of reading ends its
    /// file with a warning, and makes the status 2.
    fn main_record(&mut self) -> Outcome<Option<Text>> {
        // The memory of the record before the last one is free, unless somebody kept it.
        let mut record = self.spare.take().unwrap_or_default();
        loop {
            if self.input.is_none() && !self.next_file()? {
                return Ok(None);
            }
            let Some(reader) = &mut self.input else {
                return Ok(None);
            };
            if Rc::get_mut(&mut record).is_none() {
                record = Text::default();
            }
            match reader.next_into(&self.separator, Rc::make_mut(&mut record)) {
                Ok(true) => {
                    if self.program.uses_terminator {
                        self.globals[RT] = Slot::Scalar(Value::text(reader.terminator()));
                    }
                    return Ok(Some(record));
                }
                Ok(false) => {}
                Err(error) => {
                    let failure = system::Failure::from(error);
                    let name = self.scalar_global(FILENAME).to_text(b"");
                    crate::awk::warn(&format!(
                        "{}: {}",
                        String::from_utf8_lossy(&name),
                        failure.0
                    ));
                    self.status = 2;
                }
            }
            self.input = None;
            self.end_file()?;
        }
    }

    /// Opens the next operand; false where there is none left. A directory is passed over with a warning, a file that
    /// cannot be opened is fatal, unless a BEGINFILE rule asks for the next file.
    fn next_file(&mut self) -> Outcome<bool> {
        loop {
            let count = self.scalar_global(ARGC).number() as usize;
            if self.argument >= count {
                if self.any_file {
                    return Ok(false);
                }
                self.any_file = true;
                return self.start_file(b"-", Box::new(crate::stream::stdin()));
            }
            let arguments = self.array(Place::Global(ARGV))?;
            let key = Rc::new(self.argument.to_string().into_bytes());
            let operand = arguments
                .borrow()
                .get(&key)
                .map(|value| value.to_text(b"%.6g"));
            self.argument += 1;
            self.globals[ARGIND] = Slot::Scalar(Value::Number((self.argument - 1) as f64));
            let Some(operand) = operand.filter(|operand| !operand.is_empty()) else {
                continue;
            };
            if !self.no_assignments
                && let Some((name, value)) = crate::awk::assignment(&operand)
            {
                self.assign_text(name, value)?;
                continue;
            }
            self.any_file = true;
            let path: &[u8] = if operand.as_slice() == b"/dev/stdin" {
                b"-"
            } else {
                &operand
            };
            match system::open_input(path) {
                Ok(input) => return self.start_file(&operand, input),
                Err(failure) if failure.0 == system::Errno::IsDirectory => {
                    if self.skips_unreadable(&operand, failure.0)? {
                        continue;
                    }
                    let name = String::from_utf8_lossy(&operand);
                    crate::awk::warn(&format!(
                        "warning: command line argument `{name}' is a directory: skipped"
                    ));
                }
                Err(failure) => {
                    if self.skips_unreadable(&operand, failure.0)? {
                        continue;
                    }
                    let name = String::from_utf8_lossy(&operand);
                    return fail(format!(
                        "cannot open file `{name}' for reading: {}",
                        failure.0
                    ));
                }
            }
        }
    }

    /// Begins with a file: FILENAME, FNR and ERRNO, then the BEGINFILE rules, of which `nextfile` leaves the file out.
    fn start_file(&mut self, name: &[u8], input: Box<dyn std::io::Read>) -> Outcome<bool> {
        self.input = Some(Reader::new(input));
        self.globals[FILENAME] = Slot::Scalar(Value::input(name));
        self.globals[FNR] = Slot::Scalar(Value::Number(0.0));
        self.globals[ERRNO] = Slot::Scalar(Value::text(""));
        if self.in_place && name != b"-" {
            self.begin_in_place(name)?;
        }
        match self.file_rules(|trigger| matches!(trigger, Trigger::BeginFile)) {
            Err(Stop::NextFile) => {
                // The record loop asks for the next file.
                self.input = Some(Reader::new(Box::new(std::io::empty())));
                Ok(true)
            }
            other => other.map(|()| true),
        }
    }

    /// Ends a file: ENDFILE rules, and the new file of `-i inplace` takes its name.
    pub(super) fn end_file(&mut self) -> Outcome<()> {
        self.file_rules(|trigger| matches!(trigger, Trigger::EndFile))?;
        match self.streams.end_in_place() {
            Ok(()) => Ok(()),
            Err(failure) => fail(format!("inplace: {}", failure.0)),
        }
    }

    /// BEGINFILE rules see a file that cannot be read in ERRNO and may leave it out.
    fn skips_unreadable(&mut self, name: &[u8], reason: system::Errno) -> Outcome<bool> {
        let watched = |rule: &Rule| matches!(rule.trigger, Trigger::BeginFile);
        if !self.program.rules.iter().any(watched) {
            return Ok(false);
        }
        self.globals[FILENAME] = Slot::Scalar(Value::input(name));
        self.globals[FNR] = Slot::Scalar(Value::Number(0.0));
        self.globals[ERRNO] = Slot::Scalar(Value::text(reason.message()));
        match self.file_rules(|trigger| matches!(trigger, Trigger::BeginFile)) {
            Err(Stop::NextFile) => Ok(true),
            other => other.map(|()| false),
        }
    }

    /// From here on what is printed replaces the file, unless `inplace::enable` is off.
    fn begin_in_place(&mut self, name: &[u8]) -> Outcome<()> {
        let setting = |awk: &Self, name: &[u8]| match awk.global_named(name) {
            Some(Place::Global(place)) => match &awk.globals[place] {
                Slot::Scalar(value) => Some(value.clone()),
                _ => None,
            },
            _ => None,
        };
        let enabled = setting(&*self, b"inplace::enable").unwrap_or_default();
        if !matches!(enabled, Value::Unset) && !enabled.is_true() {
            return Ok(());
        }
        let suffix = setting(&*self, b"inplace::suffix")
            .filter(Value::is_true)
            .or_else(|| setting(&*self, b"INPLACE_SUFFIX"))
            .unwrap_or_default()
            .to_text(b"");
        match self.streams.begin_in_place(name, &suffix) {
            Ok(()) => Ok(()),
            Err(failure) => fail(format!(
                "inplace::begin: cannot edit `{}': {failure}",
                String::from_utf8_lossy(name)
            )),
        }
    }

    /// `getline` in its four forms: 1 with a record, 0 at the end, -1 with ERRNO after an error. NR and FNR count
    /// records of the main input alone.
    pub(super) fn getline(
        &mut self,
        source: &'p Source,
        variable: Option<&'p Expression>,
    ) -> Outcome<Value> {
        let separator = self.separator.clone();
        let name = match source {
            Source::Input => Text::default(),
            Source::File(name) | Source::Command(name) | Source::Coprocess(name) => {
                self.text(name)?
            }
        };
        // The variable is found, and an element made, whether there is a record or not.
        let target = match variable {
            Some(variable) => {
                let target = self.target(variable)?;
                if let Target::Element(array, key) = &target {
                    array.borrow_mut().entry(Rc::clone(key)).or_default();
                }
                Some(target)
            }
            None => None,
        };
        let found = match source {
            Source::Input => Ok(self.main_record()?),
            Source::File(_) => self
                .streams
                .file(&name)
                .and_then(|reader| Ok(reader.next(&separator)?))
                .map(|record| record.map(Rc::new)),
            Source::Command(_) | Source::Coprocess(_) => {
                let both = matches!(source, Source::Coprocess(_));
                self.streams
                    .command(&name, both)
                    .and_then(|reader| Ok(reader.next(&separator)?))
                    .map(|record| record.map(Rc::new))
            }
        };
        let record = match found {
            Err(failure) => {
                self.globals[ERRNO] = Slot::Scalar(Value::text(failure.0.message()));
                return Ok(Value::Number(-1.0));
            }
            Ok(None) => return Ok(Value::Number(0.0)),
            Ok(Some(record)) => record,
        };
        match source {
            Source::Input => self.count(1.0),
            _ if self.program.uses_terminator => {
                let ended = self.streams.terminator().to_vec();
                self.globals[RT] = Slot::Scalar(Value::text(ended));
            }
            _ => {}
        }
        match target {
            None => self.set_record(record),
            Some(target) => self.set(target, Value::Input(record))?,
        }
        Ok(Value::Number(1.0))
    }
}
