//! `set`, `shopt` (the manual's The Set Builtin, The Shopt Builtin).
//!
//! Options of `set` and of `shopt` are two tables; `shopt -o` works on the first one, hence the trait `Table`. Some
//! options entail others: `emacs` and `vi` exclude one another, `posix` is what `$POSIXLY_CORRECT` says, `extdebug`
//! turns `functrace` and `errtrace` on.

use super::letters::Letters;
use super::{Context, Flow, listing, synopsis};
use crate::machine::call::Positional;
use crate::machine::option::{Options, SetOption, Shopt};
use crate::machine::version_of;
use crate::text::Text;

/// Runs `set`: options from left to right, then parameters. `set -- a b` replaces them, `set -` turns `-x` and `-v`
/// off.
pub(super) fn set(cx: &mut Context<'_>, arguments: &[Text]) -> Flow {
    if arguments.is_empty() {
        let functions = !cx.on(SetOption::Posix);
        listing::everything(cx, functions);
        return Flow::Status(0);
    }
    let mut rest = arguments;
    while let Some((argument, after)) = rest.split_first() {
        match argument.as_bytes() {
            b"--" => {
                replace(cx, after);
                return Flow::Status(0);
            }
            b"-" => {
                switch(cx, SetOption::Xtrace, false);
                switch(cx, SetOption::Verbose, false);
                if !after.is_empty() {
                    replace(cx, after);
                }
                return Flow::Status(0);
            }
            b"--help" => return super::help::describe(cx),
            b"+" => rest = after,
            [b'-' | b'+', _, ..] => match bundle(cx, argument, after) {
                Ok(used) => rest = &after[used..],
                Err(flow) => return flow,
            },
            _ => {
                replace(cx, rest);
                return Flow::Status(0);
            }
        }
    }
    Flow::Status(0)
}

/// Replaces the positional parameters.
fn replace(cx: &mut Context<'_>, parameters: &[Text]) {
    if !cx.in_function() {
        cx.keep_parameters();
    }
    cx.state_mut().positional = Positional::new(parameters.to_vec());
}

/// Applies a bundle of letters and says how many of the arguments after it belong to it.
fn bundle(cx: &mut Context<'_>, argument: &[u8], after: &[Text]) -> Result<usize, Flow> {
    let on = argument[0] == b'-';
    let mut used = 0;
    for &letter in &argument[1..] {
        if letter == b'o' {
            let Some(name) = after.get(used).filter(|name| !name.starts_with(b"-")) else {
                list(cx, on);
                continue;
            };
            used += 1;
            let Some(option) = SetOption::find(name) else {
                cx.error_about(name, "invalid option name");
                return Err(Flow::Fatal(2));
            };
            switch(cx, option, on);
            continue;
        }
        if letter == b'r' && (on || !cx.options().restricted()) {
            if on {
                cx.restrict();
            }
            continue;
        }
        let Some(option) = Options::by_letter(letter) else {
            let shown = [argument[0], letter];
            let text = String::from_utf8_lossy(&shown).into_owned();
            cx.error(format!("{text}: invalid option"));
            let usage = synopsis::usage(cx);
            return Err(if letter == b'r' {
                Flow::Status(1)
            } else {
                usage
            });
        };
        switch(cx, option, on);
    }
    Ok(used)
}

/// `set -o` and `set +o`
fn list(cx: &mut Context<'_>, table: bool) {
    for &option in SetOption::ALL {
        let on = cx.on(option);
        let line = if table {
            row(option.name(), on)
        } else {
            command(option, on)
        };
        cx.out(line);
    }
}

/// A line of `set -o` and of `shopt -o`.
fn row(name: &str, on: bool) -> String {
    format!("{name:<15}\t{}\n", if on { "on" } else { "off" })
}

/// A line of `set +o`: a command that sets the option to what it is.
fn command(option: SetOption, on: bool) -> String {
    format!("set {}o {}\n", if on { '-' } else { '+' }, option.name())
}

/// Turns an option on or off, with what follows from it.
fn switch(cx: &mut Context<'_>, option: SetOption, on: bool) {
    if option == SetOption::Posix {
        return switch_posix(cx, on);
    }
    let options = &mut cx.state_mut().options;
    options.set(option, on);
    match option {
        SetOption::Emacs if on => options.set(SetOption::Vi, false),
        SetOption::Vi if on => options.set(SetOption::Emacs, false),
        SetOption::Ignoreeof => {
            // A readonly one stays; bash has said so.
            let _ = match on {
                true => cx.set(b"IGNOREEOF", Text::from(b"10")),
                false => cx.unset(b"IGNOREEOF", false),
            };
        }
        SetOption::History if on => cx.machine.begin_history(cx.task),
        SetOption::InteractiveComments => options.set_shopt(Shopt::InteractiveComments, on),
        _ => {}
    }
}

/// POSIX mode is what `$POSIXLY_CORRECT` says.
fn switch_posix(cx: &mut Context<'_>, on: bool) {
    if cx.on(SetOption::Posix) == on {
        return;
    }
    // Where the variable is readonly, bash says so and keeps it.
    let _ = match on {
        true => cx.set(b"POSIXLY_CORRECT", Text::from(b"y")),
        false => cx.unset(b"POSIXLY_CORRECT", false),
    };
}

/// The options of `shopt`.
#[derive(Default)]
struct Request {
    /// `-s` or `-u`.
    set: Option<bool>,
    /// `-q`: the status alone.
    quiet: bool,
    /// `-p`: as commands.
    print: bool,
}

/// Runs `shopt`. Without `-s` and `-u` the status is 1 where one of the named options is off.
pub(super) fn shopt(cx: &mut Context<'_>, arguments: &[Text]) -> Flow {
    let mut letters = Letters::new("psuoq", arguments);
    let mut request = Request::default();
    let mut set_options = false;
    loop {
        let given = match letters.next(cx) {
            Ok(None) => break,
            Ok(Some(given)) => given,
            Err(flow) => return flow,
        };
        match given.letter {
            b's' | b'u' => {
                let on = given.letter == b's';
                if request.set == Some(!on) {
                    cx.error("cannot set and unset shell options simultaneously");
                    return Flow::Status(1);
                }
                request.set = Some(on);
            }
            b'q' => request.quiet = true,
            b'p' => request.print = true,
            _ => set_options = true,
        }
    }
    let names = letters.operands();
    if set_options {
        return each(cx, names, &request, &SetTable);
    }
    each(cx, names, &request, &ShoptTable)
}

/// The two tables of options that `shopt` works on.
trait Table {
    /// An option of the table.
    type Option: Copy + 'static;
    /// What is said of an unknown name.
    const UNKNOWN: &'static str;
    /// All options, in the order in which they are listed.
    fn all(&self) -> &'static [Self::Option];
    /// The option of that name.
    fn find(&self, name: &[u8]) -> Option<Self::Option>;
    /// Whether the option is on.
    fn is_on(&self, cx: &Context<'_>, option: Self::Option) -> bool;
    /// Turns the option on or off, with what follows from it.
    fn switch(&self, cx: &mut Context<'_>, option: Self::Option, on: bool);
    /// A line of the list for people.
    fn row(&self, option: Self::Option, on: bool) -> String;
    /// A line of the list for a script (`-p`).
    fn command(&self, option: Self::Option, on: bool) -> String;
}

/// The options of `set -o`.
struct SetTable;
/// The options of `shopt`.
struct ShoptTable;

impl Table for SetTable {
    type Option = SetOption;
    const UNKNOWN: &'static str = "invalid option name";

    fn all(&self) -> &'static [SetOption] {
        SetOption::ALL
    }

    fn find(&self, name: &[u8]) -> Option<SetOption> {
        SetOption::find(name)
    }

    fn is_on(&self, cx: &Context<'_>, option: SetOption) -> bool {
        cx.on(option)
    }

    fn switch(&self, cx: &mut Context<'_>, option: SetOption, on: bool) {
        switch(cx, option, on);
    }

    fn row(&self, option: SetOption, on: bool) -> String {
        row(option.name(), on)
    }

    fn command(&self, option: SetOption, on: bool) -> String {
        command(option, on)
    }
}

impl Table for ShoptTable {
    type Option = Shopt;
    const UNKNOWN: &'static str = "invalid shell option name";

    fn all(&self) -> &'static [Shopt] {
        Shopt::ALL
    }

    fn find(&self, name: &[u8]) -> Option<Shopt> {
        Shopt::find(name)
    }

    fn is_on(&self, cx: &Context<'_>, option: Shopt) -> bool {
        cx.shopt(option)
    }

    fn switch(&self, cx: &mut Context<'_>, option: Shopt, on: bool) {
        if option == Shopt::RestrictedShell {
            // It is what the shell is.
            let options = &mut cx.state_mut().options;
            options.set_shopt(option, options.restricted());
            return;
        }
        if let Some(version) = version_of(option, on) {
            // One that is readonly stays; bash has said so.
            let _ = cx.set(b"BASH_COMPAT", Text::from(i64::from(version)));
            return;
        }
        let state = cx.state_mut();
        state.options.set_shopt(option, on);
        if option == Shopt::Extdebug {
            state.options.set(SetOption::Functrace, on);
            state.options.set(SetOption::Errtrace, on);
            if on && state.arguments.is_none() {
                state.arguments = Some(state.positional.clone());
            }
        }
    }

    fn row(&self, option: Shopt, on: bool) -> String {
        row(option.name(), on)
    }

    fn command(&self, option: Shopt, on: bool) -> String {
        format!("shopt -{} {}\n", if on { 's' } else { 'u' }, option.name())
    }
}

/// Lists, sets or asks for the named options, or lists all.
fn each<T: Table>(cx: &mut Context<'_>, names: &[Text], request: &Request, table: &T) -> Flow {
    if names.is_empty() {
        for &option in table.all() {
            let on = table.is_on(cx, option);
            if !request.quiet && request.set.is_none_or(|wanted| wanted == on) {
                show(cx, request, table, option);
            }
        }
        return Flow::Status(0);
    }
    let mut status = 0;
    for name in names {
        let Some(option) = table.find(name) else {
            cx.error_about(name, T::UNKNOWN);
            status = 1;
            continue;
        };
        if let Some(on) = request.set {
            table.switch(cx, option, on);
            continue;
        }
        status |= u8::from(!table.is_on(cx, option));
        if !request.quiet {
            show(cx, request, table, option);
        }
    }
    Flow::Status(status)
}

fn show<T: Table>(cx: &mut Context<'_>, request: &Request, table: &T, option: T::Option) {
    let on = table.is_on(cx, option);
    let line = if request.print {
        table.command(option, on)
    } else {
        table.row(option, on)
    };
    cx.out(line);
}
