//! What a builtin sees of the shell that runs it.

use std::rc::Rc;

use super::call::{Call, CallKind};
use super::descriptor::Descriptor;
use super::descriptor::kept::Origin;
use super::job::Jobs;
use super::option::{Options, SetOption, Shopt};
use super::run::{controls_jobs, may_exit};
use super::scope;
use super::state::State;
use super::symbol::Symbol;
use super::task::Task;
use super::trap::Event;
use super::value::{Attributes, Value, Variable};
use super::{Machine, message};
use crate::os::{Errno, OpenOptions, Os, Pid};
use crate::text::Text;

/// Numbers of [`Context::open_stream`] begin here, out of the way of those that scripts use.
const FIRST_STREAM: u32 = 200;

/// The operation failed and its message has been printed; the builtin ends with status 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Failed;

/// Which variable of a name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Place {
    /// The one that is visible.
    Visible,
    /// The outermost one: `declare -g`.
    Global,
}

/// Where an element of a compound assignment goes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Key {
    /// Behind the one before; to an associative array, keys and values alternate.
    Next,
    /// `[subscript]=`
    At(Text),
    /// Nowhere: the value is the message about it.
    Refused,
}

/// An element of a compound assignment, expanded.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Element {
    /// Where it goes.
    pub key: Key,
    /// `[subscript]+=`
    pub append: bool,
    /// The value.
    pub value: Text,
}

/// An argument written as `name=(…)` or `name+=(…)`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ArrayArgument {
    /// Where it stands among the arguments.
    pub index: usize,
    /// `+=`
    pub append: bool,
    /// What stands between the parentheses; none of an argument `name[…]`, which is noted where its
    /// subscript is not to be expanded once more.
    pub elements: Option<Vec<Element>>,
}

/// The shell as a builtin sees it.
///
/// Output is collected and written when the builtin ends, in the order in which it was produced.
pub struct Context<'a> {
    pub(crate) machine: &'a mut Machine,
    pub(crate) task: &'a mut Task,
    pub(crate) name: Text,
    pub(crate) arrays: Vec<ArrayArgument>,
}

/// Identity, output and messages.
impl Context<'_> {
    /// The name by which the builtin was called.
    pub fn name(&self) -> &[u8] {
        &self.name
    }

    /// The system beneath.
    pub fn os(&self) -> Rc<dyn Os> {
        self.machine.os.clone()
    }

    /// Writes to standard output.
    pub fn out(&mut self, bytes: impl AsRef<[u8]>) {
        self.task.output.push(1, bytes.as_ref());
    }

    /// The buffer of standard output, to append to.
    pub fn out_buffer(&mut self) -> &mut Vec<u8> {
        self.task.output.buffer(1)
    }

    /// Writes to standard error.
    pub fn err(&mut self, bytes: impl AsRef<[u8]>) {
        self.task.output.push(2, bytes.as_ref());
    }

    /// Prints `bash: line N: NAME: MESSAGE` on standard error.
    pub fn error(&mut self, text: impl AsRef<[u8]>) {
        let mut line = self.name.to_vec();
        line.extend_from_slice(b": ");
        line.extend_from_slice(text.as_ref());
        message::report(self.task, &line);
    }

    /// Prints `bash: line N: NAME: SUBJECT: MESSAGE` on standard error.
    pub fn error_about(&mut self, subject: &[u8], text: impl AsRef<[u8]>) {
        let mut line = subject.to_vec();
        line.extend_from_slice(b": ");
        line.extend_from_slice(text.as_ref());
        self.error(line);
    }

    /// Prints `bash: line N: MESSAGE` on standard error, without the builtin's name.
    pub fn shell_error(&mut self, text: impl AsRef<[u8]>) {
        message::report(self.task, text.as_ref());
    }

    /// Prints `NAME: usage: NAME SYNOPSIS` on standard error.
    pub fn usage(&mut self, synopsis: &str) {
        let name = self.name.clone();
        let mut line = name.to_vec();
        line.extend_from_slice(b": usage: ");
        line.extend_from_slice(synopsis.as_bytes());
        line.push(b'\n');
        self.err(line);
    }

    /// Whether the builtin is all that a stage of a pipeline or a job runs.
    pub fn is_alone(&self) -> bool {
        match self.task.frames.as_slice() {
            [frame] => frame.code.simple && frame.code.origin.is_part(),
            _ => false,
        }
    }

    /// The status of the command before this one.
    pub fn last_status(&self) -> u8 {
        self.task.state.status
    }

    /// Lets all commands under way be given up once the builtin has returned, those of `-c` too.
    pub fn give_up(&mut self) {
        self.machine.gives_up = true;
    }

    /// Whether an expression failed where that gives up all commands: the builtin ends too.
    pub fn gives_up(&self) -> bool {
        self.machine.gives_up
    }

    /// Whether commands run where something is assigned to a reference.
    pub fn runs_commands(&self, reference: &[u8]) -> bool {
        self.machine.reference_waits(self.task, reference) || self.machine.nameref_waits(self.task)
    }

    /// Bytes that one value may have.
    pub fn expansion_limit(&self) -> usize {
        self.machine.expansion_limit(self.task)
    }

    /// The line that runs.
    pub fn line(&self) -> u32 {
        self.task.line
    }
}

/// Variables. Names are resolved through namerefs; messages are printed by the method that fails.
impl Context<'_> {
    /// The value of `name`; of an array, element 0.
    pub fn get(&mut self, name: &[u8]) -> Option<Text> {
        let symbol = self.machine.symbols.intern(name);
        scope::get(self.machine, self.task, symbol)
    }

    /// The value of `name` where commands inherit it.
    pub fn get_exported(&mut self, name: &[u8]) -> Option<Text> {
        let symbol = self.machine.symbols.intern(name);
        let attributes = self.task.state.variables.attributes(symbol);
        let exported = attributes.has(Attributes::EXPORT);
        exported.then(|| self.get(name)).flatten()
    }

    /// The value of `name` or `name[subscript]`.
    pub fn get_reference(&mut self, reference: &[u8]) -> Option<Text> {
        scope::get_reference(self.machine, self.task, reference)
    }

    /// Whether a variable, an element, or with `[@]` any element of an array is set: `test -v`.
    pub fn is_set(&mut self, reference: &[u8]) -> bool {
        scope::is_set(self.machine, self.task, reference)
    }

    /// Assigns to `name` or `name[subscript]`, as `name=value` would.
    pub fn set(&mut self, reference: &[u8], value: Text) -> Result<(), Failed> {
        scope::set_reference(self.machine, self.task, reference, value, false)
    }

    /// Shows an assignment where `set -x` is on.
    pub fn trace_assignment(&mut self, name: &[u8], value: &Text, append: bool) {
        if self.task.state.options.on(SetOption::Xtrace) {
            let symbol = self.machine.symbols.intern(name);
            // Showing it cannot fail in a way that matters here.
            let _ = self
                .machine
                .trace_assignment(self.task, symbol, None, value, append);
        }
    }

    /// Appends, as `name+=value` would.
    pub fn append(&mut self, reference: &[u8], value: Text) -> Result<(), Failed> {
        scope::set_reference(self.machine, self.task, reference, value, true)
    }

    /// The whole value of `name`.
    pub fn value(&mut self, name: &[u8]) -> Value {
        let symbol = self.machine.symbols.intern(name);
        scope::value(self.machine, self.task, symbol)
    }

    /// Replaces the whole value by an indexed array of these elements.
    pub fn set_array(&mut self, name: &[u8], elements: Vec<Text>) -> Result<(), Failed> {
        let symbol = self.machine.symbols.intern(name);
        scope::set_array(self.machine, self.task, symbol, elements)
    }

    /// A compound assignment: `name=(…)` or `name+=(…)`.
    pub fn assign_elements(
        &mut self,
        name: &[u8],
        elements: Vec<Element>,
        append: bool,
    ) -> Result<(), Failed> {
        let symbol = self.machine.symbols.intern(name);
        scope::assign_elements(self.machine, self.task, symbol, elements, append)
    }

    /// A compound assignment from text: the value of `declare -a "x=(1 2)"`, with its parentheses.
    pub fn assign_compound_text(
        &mut self,
        name: &[u8],
        text: &[u8],
        append: bool,
    ) -> Result<(), Failed> {
        scope::assign_compound_text(self.machine, self.task, name, text, append)
    }

    /// Whether the argument at `index` appends and its compound value, where it was written as
    /// `name=(…)`; the argument itself is the name alone.
    pub fn array_argument(&self, index: usize) -> Option<(bool, &[Element])> {
        let array = self.arrays.iter().find(|array| array.index == index)?;
        Some((array.append, array.elements.as_deref()?))
    }

    /// Unsets a variable or an element, whose key is `expanded` or is not.
    pub fn unset(&mut self, reference: &[u8], expanded: bool) -> Result<(), Failed> {
        scope::unset_reference(self.machine, self.task, reference, expanded)
    }

    /// Whether the argument at `index` was written as `name[…]`, so that its subscript has been
    /// expanded.
    pub fn is_expanded(&self, index: usize) -> bool {
        let mut arguments = self.arrays.iter();
        arguments.any(|argument| argument.index == index && argument.elements.is_none())
    }

    /// Whether an argument was written as `name[…]`, and builtins expand no key once more.
    pub fn takes_expanded(&self) -> bool {
        let noted = self
            .arrays
            .iter()
            .any(|argument| argument.elements.is_none());
        noted && self.task.state.options.shopt(Shopt::AssocExpandOnce)
    }

    /// Whether a word is a name, or a name with a subscript, whose key is `expanded` or is not.
    pub fn is_reference(&mut self, word: &[u8], expanded: bool) -> bool {
        scope::is_reference(self.machine, self.task, word, expanded)
    }

    /// Unsets a nameref itself: `unset -n`.
    pub fn unset_nameref(&mut self, name: &[u8]) -> Result<(), Failed> {
        let symbol = self.machine.symbols.intern(name);
        scope::unset(self.machine, self.task, symbol)
    }

    /// The variable itself, namerefs not followed; none where it does not exist.
    pub fn variable(&mut self, name: &[u8]) -> Option<Variable> {
        let symbol = self.machine.symbols.intern(name);
        scope::variable(self.machine, self.task, symbol)
    }

    /// The name that a chain of namerefs ends at, `name` itself where it is none.
    pub fn follow(&mut self, name: &[u8]) -> Text {
        scope::follow(self.machine, self.task, name)
    }

    /// The last nameref that has a target of those that `name` begins; none where it is no such one.
    pub fn last_reference(&mut self, name: &[u8]) -> Option<Text> {
        let symbol = self.machine.symbols.intern(name);
        let last = scope::last_reference(self.machine, self.task, symbol)?;
        Some(self.machine.symbols.name(last))
    }

    /// Makes a nameref a variable without a value, with a warning.
    pub fn remove_reference(&mut self, name: &[u8]) {
        let symbol = self.machine.symbols.intern(name);
        scope::remove_reference(self.machine, self.task, symbol);
    }

    /// All variables that exist, sorted by name.
    pub fn variables(&mut self) -> Vec<(Text, Variable)> {
        scope::all(self.machine, self.task)
    }

    /// Adds and removes attributes of the variable itself, which begins to exist. Fails where it is
    /// readonly and an attribute may not go.
    pub fn change_attributes(
        &mut self,
        name: &[u8],
        add: Attributes,
        remove: Attributes,
    ) -> Result<(), Failed> {
        let symbol = self.machine.symbols.intern(name);
        scope::change_attributes(self.machine, self.task, symbol, add, remove)
    }

    /// Makes `name` local to the running function; its value there is unset unless `inherit`.
    /// Does nothing where it is local already.
    pub fn make_local(&mut self, name: &[u8], inherit: bool) -> Result<(), Failed> {
        let symbol = self.machine.symbols.intern(name);
        scope::make_local(self.machine, self.task, symbol, inherit)
    }

    /// Whether `name` is local to the running function.
    pub fn is_local(&mut self, name: &[u8]) -> bool {
        let symbol = self.machine.symbols.intern(name);
        scope::is_local(self.task, symbol)
    }

    /// All names local to the running function.
    pub fn locals(&mut self) -> Vec<Text> {
        let call = self
            .task
            .state
            .calls
            .iter()
            .find(|call| call.kind == CallKind::Function);
        let saved = call.map(|call| call.saved.as_slice()).unwrap_or_default();
        let mut names: Vec<Text> = saved
            .iter()
            .map(|(symbol, _)| self.machine.symbols.name(*symbol))
            .collect();
        names.sort();
        names
    }

    /// `local -`: the options are restored when the function ends.
    pub fn make_options_local(&mut self) {
        let options = self.task.state.options;
        if let Some(call) = self.task.state.calls.function_mut() {
            call.options.get_or_insert(options);
        }
    }

    /// Lets the parameters of a file that was given its own stay when it ends.
    pub fn keep_parameters(&mut self) {
        let given = |call: &Call| call.kind == CallKind::Source && call.positional.is_some();
        if let Some(call) = self.task.state.calls.find_mut(given) {
            call.positional = None;
        }
    }

    /// Whether `name` is local to a function, the running one or one that called it.
    pub fn is_local_anywhere(&mut self, name: &[u8]) -> bool {
        let symbol = self.machine.symbols.intern(name);
        scope::is_local_anywhere(self.task, symbol)
    }

    /// Whether `local -` was said in the running function.
    pub fn has_local_options(&mut self) -> bool {
        let call = self.task.state.calls.function_mut();
        call.is_some_and(|call| call.options.is_some())
    }

    /// Runs `action` with the outermost variable of `name` in place of the visible one.
    pub fn at<T>(&mut self, place: Place, name: &[u8], action: impl FnOnce(&mut Self) -> T) -> T {
        let symbol = self.machine.symbols.intern(name);
        if place == Place::Visible || !scope::swap_global(self.task, symbol) {
            return action(self);
        }
        let result = action(self);
        scope::swap_global(self.task, symbol);
        result
    }

    /// The variables that a process inherits.
    pub fn environment(&mut self) -> Vec<(Vec<u8>, Vec<u8>)> {
        scope::environment(self.machine, self.task)
    }

    /// Expands the words of a text, which `$IFS` separates, but for paths.
    pub fn expand_list(&mut self, text: &[u8]) -> Vec<Text> {
        self.machine.expand_list(self.task, text)
    }

    /// Runs a command to its end, as `compgen -F` does: the builtin begins again with its result.
    pub fn run_line(&mut self, text: &[u8]) -> Result<(), Failed> {
        self.machine.run_line(self.task, text)
    }

    /// What `~` and the text after it stand for, where that is something.
    pub fn tilde(&mut self, user: &[u8]) -> Option<Text> {
        self.machine.tilde(self.task, user)
    }

    /// Evaluates an arithmetic expression, as `let` does.
    pub fn arithmetic(&mut self, expression: &[u8]) -> Result<i64, Failed> {
        scope::arithmetic(self.machine, self.task, expression)
    }
}

/// Functions, state and control.
impl Context<'_> {
    /// The function of this name.
    pub fn function(&self, name: &[u8]) -> Option<Rc<super::function::Function>> {
        let symbol = self.machine.symbols.find(name)?;
        self.task.state.functions.get(&symbol).cloned()
    }

    /// All functions, sorted by name.
    pub fn functions(&self) -> Vec<Rc<super::function::Function>> {
        let mut all: Vec<_> = self.task.state.functions.values().cloned().collect();
        all.sort_by(|a, b| a.name.cmp(&b.name));
        all
    }

    /// Replaces or defines a function, for its attributes.
    pub fn set_function(&mut self, function: super::function::Function) {
        let symbol = self.machine.symbols.intern(&function.name);
        Rc::make_mut(&mut self.task.state.functions).insert(symbol, Rc::new(function));
    }

    /// Removes a function; fails with a message where it is readonly.
    pub fn unset_function(&mut self, name: &[u8]) -> Result<(), Failed> {
        let Some(function) = self.function(name) else {
            return Ok(());
        };
        if function.readonly {
            self.error_about(name, "cannot unset: readonly function");
            return Err(Failed);
        }
        let symbol: Symbol = self.machine.symbols.intern(name);
        Rc::make_mut(&mut self.task.state.functions).remove(&symbol);
        Ok(())
    }

    /// Everything else of the shell: options, aliases, traps, positional parameters, working
    /// directory, umask, hashed commands, descriptors.
    pub fn state(&self) -> &State {
        &self.task.state
    }

    /// The same, to change it. Variables are changed through the methods of the context.
    pub fn state_mut(&mut self) -> &mut State {
        &mut self.task.state
    }

    /// The options.
    pub fn options(&self) -> &Options {
        &self.task.state.options
    }

    /// Whether an option of `set` is on.
    pub fn on(&self, option: SetOption) -> bool {
        self.task.state.options.on(option)
    }

    /// Whether an option of `shopt` is on.
    pub fn shopt(&self, option: Shopt) -> bool {
        self.task.state.options.shopt(option)
    }

    /// Whether the shell is restricted, about which it complains then: `NAME: WORD: restricted`.
    pub fn is_restricted(&mut self, word: &[u8]) -> bool {
        let restricted = self.task.state.options.restricted();
        match word {
            _ if !restricted => {}
            [] => self.error("restricted"),
            word => self.error_about(word, "restricted"),
        }
        restricted
    }

    /// `set -r`: from here on. What `-c` gave has no readonly variables by that.
    pub fn restrict(&mut self) {
        let state = &mut self.task.state;
        if state.mode == Some(b'c') && !state.options.shopt(Shopt::RestrictedShell) {
            state.options.restrict();
        } else {
            super::restricted::restrict(state, &mut self.machine.symbols);
        }
    }

    /// Whether a function is running.
    pub fn in_function(&self) -> bool {
        self.task.state.calls.in_function()
    }

    /// Whether `return` has something to return from.
    pub fn can_return(&self) -> bool {
        self.task.state.calls.can_return()
    }

    /// How many loops of the running function surround the builtin.
    pub fn loop_depth(&self) -> u32 {
        self.task.loop_depth()
    }

    /// The status that `exit` without an argument gives: inside an EXIT trap the one before it.
    pub fn ending_status(&self) -> u8 {
        match self.task.in_trap(Event::Exit) {
            true => self.exit_status(),
            false => self.task.state.status,
        }
    }

    /// The status that `return` without an argument gives: inside a trap the one before it, but for
    /// DEBUG's.
    pub fn exit_status(&self) -> u8 {
        let trap = self.task.innermost_trap();
        let trap = trap.filter(|saved| saved.event != Event::Debug);
        trap.map_or(self.task.state.status, |saved| saved.status)
    }

    /// The jobs of this shell.
    pub fn jobs(&self) -> &Jobs {
        &self.task.jobs
    }

    /// The same, to change them.
    pub fn jobs_mut(&mut self) -> &mut Jobs {
        &mut self.task.jobs
    }

    /// Sends a signal to a task or process; 0 only asks.
    pub fn kill(&mut self, pid: Pid, signal: u8) -> Result<(), Errno> {
        self.machine.kill(self.task, pid, signal)
    }

    /// Whether a person types the commands, and jobs are controlled.
    pub fn controls_jobs(&self) -> bool {
        controls_jobs(self.task)
    }

    /// Whether the shell ends: not where jobs stand still, of which it warns, once.
    pub fn may_exit(&mut self) -> bool {
        may_exit(self.task)
    }

    /// Sends a signal to what leads a group and to all that it started.
    pub fn kill_group(&mut self, leader: Pid, signal: u8) -> Result<(), Errno> {
        self.machine.kill_group(self.task, leader, signal)
    }
}

/// Files.
impl Context<'_> {
    /// Makes this the working directory; others hear of it.
    pub fn enter_directory(&mut self, path: Text) {
        self.task.state.directory = path;
        self.machine.changed = true;
    }

    /// `path` made absolute against the working directory.
    pub fn absolute(&self, path: &[u8]) -> Vec<u8> {
        super::path::absolute(&self.task.state.directory, path)
    }

    /// The open file behind a descriptor number.
    pub fn descriptor(&self, number: u32) -> Option<Rc<Descriptor>> {
        self.task.state.descriptors.get(number).cloned()
    }

    /// Opens what is read bit by bit, under a number of its own.
    pub fn open_stream(&mut self, path: &[u8]) -> Result<u32, Errno> {
        let full = self.absolute(path);
        let options = OpenOptions {
            read: true,
            ..OpenOptions::default()
        };
        let handle = self.machine.os.open(&full, options, 0)?;
        let origin = Origin {
            path: Text::from(full),
            read: true,
            write: false,
            append: false,
        };
        let open = Descriptor::opened(&self.machine.os, handle, origin);
        let descriptors = &mut self.task.state.descriptors;
        let number = descriptors.free(FIRST_STREAM);
        descriptors.set(number, Some(open));
        Ok(number)
    }

    /// The path of an external command of this name, by PATH or its standard value.
    pub fn find_command(&mut self, name: &[u8], standard: bool) -> Option<Text> {
        super::external::find(self.machine, self.task, name, standard)
    }

    /// The same, where it is not remembered: for what only asks.
    pub fn look_up_command(&mut self, name: &[u8], standard: bool) -> Option<Text> {
        super::external::search(self.machine, self.task, name, standard, false)
    }

    /// All paths of this name in PATH, in order.
    pub fn find_all_commands(&mut self, name: &[u8]) -> Vec<Text> {
        super::external::find_all(self.machine, self.task, name)
    }

    /// Whether an applet implements the name.
    pub fn is_applet(&self, name: &[u8]) -> bool {
        crate::applet::find(name).is_some()
    }
}
