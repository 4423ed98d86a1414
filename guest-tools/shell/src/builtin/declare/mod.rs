//! `declare`, `typeset`, `local`, `export`, `readonly`.
//!
//! Each operand is `NAME[SUBSCRIPT]`, `NAME=VALUE`, `NAME+=VALUE`, or a compound assignment that the parser recognised
//! (`a=(1 2)`) and whose elements come beside the words. The order in which one is handled is bash's, and visible where
//! it fails: name, nameref, readonly, scope, conversion of arrays, attributes, value, and at the end `-r` and `-n`,
//! which would forbid the value.
//!
//! | words | effect in a function |
//! |---|---|
//! | `declare x=1`, `local x=1` | a local variable |
//! | `declare -g x=1` | the global one |
//! | `declare -p x` | prints it |
//! | `local -I x` | a local one with the value around |
//! | `local -` | options of the shell become local |

mod mark;
mod nameref;

pub(super) use self::mark::{export, readonly};
use self::nameref::{check_nameref, make_array, remove_nameref};
use super::letters::{Given, Letters, invalid_identifier, is_name, is_reference, split_subscript};
use super::{Context, Element, Flow, Place, function, listing};
use crate::machine::option::SetOption;
use crate::machine::reference::subscript_end;
use crate::machine::value::{Attributes, Variable};
use crate::text::Text;

const ARRAYS: Attributes = Attributes::INDEXED.with(Attributes::ASSOCIATIVE);

/// What a nameref has not until it is told, its own attribute among them.
const OF_VALUES: Attributes = Attributes::NAMEREF
    .with(Attributes::INTEGER)
    .with(Attributes::LOWER)
    .with(Attributes::UPPER)
    .with(Attributes::CAPITALIZE);

/// What the options ask for.
#[derive(Default)]
pub(super) struct Request {
    /// Attributes to be set (`-x`).
    pub(super) add: Attributes,
    /// Attributes to be taken away (`+x`).
    pub(super) remove: Attributes,
    /// `-g`
    global: bool,
    /// `-I`
    inherit: bool,
    /// `-p`
    print: bool,
    /// `-f`, and with true `-F`.
    functions: Option<bool>,
    /// Variables become local to the running function.
    local: bool,
}

/// An argument, taken apart.
struct Argument<'a> {
    /// The whole of it, for messages.
    word: &'a [u8],
    /// The variable, without subscript.
    name: &'a [u8],
    /// With its subscript.
    reference: &'a [u8],
    subscript: Option<&'a [u8]>,
    /// Whether it is `+=`.
    append: bool,
    value: New<'a>,
}

/// The new value.
enum New<'a> {
    /// There is none.
    None,
    /// A text, which may be a compound assignment in quotes.
    Text(&'a [u8]),
    /// The elements of a compound assignment.
    Elements(Vec<Element>),
}

/// What a variable refuses.
enum Refused {
    /// A value.
    Assignment,
    /// One that bash makes as part of the expansion of the words, which it gives up then.
    Expansion,
    /// Other attributes.
    Change,
}

impl Refused {
    /// The status of the builtin. That of an assignment is 4 where the builtin is all that a process
    /// runs: bash makes a 1 of its own number for it elsewhere only.
    fn status(&self, cx: &Context<'_>) -> u8 {
        match self {
            Refused::Assignment if cx.is_alone() => 4,
            _ => 1,
        }
    }
}

/// Runs `declare` and `typeset`: local within a function.
pub(super) fn declare(cx: &mut Context<'_>, arguments: &[Text]) -> Flow {
    let local = cx.in_function();
    run(
        cx,
        arguments,
        Request {
            local,
            ..Request::default()
        },
    )
}

/// Runs `local`, within a function only.
pub(super) fn local(cx: &mut Context<'_>, arguments: &[Text]) -> Flow {
    if !cx.in_function() {
        cx.error("can only be used in a function");
        return Flow::Status(1);
    }
    run(
        cx,
        arguments,
        Request {
            local: true,
            ..Request::default()
        },
    )
}

/// Runs any of the three. The status is the worst of all operands.
fn run(cx: &mut Context<'_>, arguments: &[Text], mut request: Request) -> Flow {
    let is_local = cx.name() == b"local";
    let mut letters = Letters::new("+aAcfFgiIlnprtux", arguments);
    loop {
        match letters.next(cx) {
            Ok(None) => break,
            Ok(Some(given)) => request.option(given),
            Err(flow) => return flow,
        }
    }
    let operands = letters.operands();
    if let Some(names_only) = request.functions {
        // bash has no such functions.
        let wrong = [
            (Attributes::NAMEREF, "-n"),
            (Attributes::INTEGER, "-i"),
            (Attributes::ASSOCIATIVE, "-A"),
            (Attributes::INDEXED, "-a"),
        ];
        let wrong = wrong
            .iter()
            .find(|(attribute, _)| request.add.has(*attribute));
        if let Some((_, option)) = wrong.filter(|_| !operands.is_empty()) {
            cx.error(format!("{option}: invalid option"));
            return Flow::Status(1);
        }
        return function::declare(cx, operands, &request, names_only, request.print);
    }
    if operands.is_empty() {
        list(cx, &request, is_local);
        return Flow::Status(0);
    }
    if request.print {
        return print(cx, operands, is_local);
    }
    if request.add.has(ARRAYS) {
        // An array cannot be a name reference.
        request.add = request.add.without(Attributes::NAMEREF);
    }
    request.local &= !request.global;
    let both = request.add.has(Attributes::INDEXED) && request.add.has(Attributes::ASSOCIATIVE);
    if both {
        request.add = request.add.without(Attributes::INDEXED);
    }
    let mut status = 0;
    for (at, word) in operands.iter().enumerate() {
        if cx.gives_up() {
            break;
        }
        if is_local && word.as_bytes() == b"-" {
            cx.make_options_local();
            continue;
        }
        let argument = Argument::parse(cx, letters.count() + at, word);
        let place = if request.global {
            Place::Global
        } else {
            Place::Visible
        };
        let name = argument.name.to_vec();
        match cx.at(place, &name, |cx| apply(cx, argument, &request)) {
            Err(Refused::Expansion) => return Flow::Abandon(1),
            Err(refused) => status = status.max(refused.status(cx)),
            Ok(()) if both => {
                cx.error_about(&name, "cannot convert associative to indexed array");
                status = status.max(1);
            }
            Ok(()) => {}
        }
    }
    Flow::Status(status)
}

impl Request {
    /// Notes an option. Of changes of case the last one holds.
    fn option(&mut self, given: Given<'_>) {
        let attribute = match given.letter {
            b'a' => Attributes::INDEXED,
            b'A' => Attributes::ASSOCIATIVE,
            b'c' => Attributes::CAPITALIZE,
            b'i' => Attributes::INTEGER,
            b'l' => Attributes::LOWER,
            b'n' => Attributes::NAMEREF,
            b'r' => Attributes::READONLY,
            b't' => Attributes::TRACE,
            b'u' => Attributes::UPPER,
            b'x' => Attributes::EXPORT,
            b'f' => {
                self.functions.get_or_insert(false);
                return;
            }
            b'F' => {
                self.functions = Some(true);
                return;
            }
            b'g' => {
                self.global = true;
                return;
            }
            b'I' => {
                self.inherit = true;
                return;
            }
            _ => {
                self.print = true;
                return;
            }
        };
        if given.plus {
            self.remove = self.remove.with(attribute);
            return;
        }
        self.add = self.add.with(attribute);
        // One change of letters excludes the others.
        let cases = Attributes::LOWER
            .with(Attributes::UPPER)
            .with(Attributes::CAPITALIZE);
        if cases.has(attribute) {
            self.remove = self.remove.with(cases.without(attribute));
        }
    }
}

impl<'a> Argument<'a> {
    /// Takes an operand apart; `index` is its place among the words, by which compound assignments are found.
    fn parse(cx: &Context<'_>, index: usize, word: &'a [u8]) -> Argument<'a> {
        if let Some((append, elements)) = cx.array_argument(index) {
            return Argument {
                word,
                name: word,
                reference: word,
                subscript: None,
                append,
                value: New::Elements(elements.to_vec()),
            };
        }
        let (target, value) = match assignment_sign(word) {
            Some(at) => (&word[..at], New::Text(&word[at + 1..])),
            None => (word, New::None),
        };
        let append = matches!(value, New::Text(_)) && target.ends_with(b"+");
        let reference = if append {
            &target[..target.len() - 1]
        } else {
            target
        };
        let (name, subscript) = split_subscript(reference);
        Argument {
            word,
            name,
            reference,
            subscript,
            append,
            value,
        }
    }
}

impl Argument<'_> {
    /// Whether bash assigns it as part of the expansion of the words.
    fn is_expanded(&self, request: &Request) -> bool {
        matches!(self.value, New::Elements(_)) && !request.local
    }

    /// Reports that it is refused; `refused` where that is not as part of the expansion.
    fn refuse(
        &self,
        cx: &mut Context<'_>,
        request: &Request,
        text: &[u8],
        refused: Refused,
    ) -> Refused {
        if matches!(self.value, New::Elements(_)) {
            cx.shell_error(text);
        }
        // An array is not made another one: within a function, only the builtin minds.
        let change = matches!(refused, Refused::Change) && cx.in_function();
        if self.is_expanded(request) && !change {
            return Refused::Expansion;
        }
        cx.error(text);
        refused
    }
}

/// Where the `=` of an assignment is: behind the subscript.
fn assignment_sign(word: &[u8]) -> Option<usize> {
    let at = word.iter().position(|&byte| matches!(byte, b'=' | b'['))?;
    if word[at] == b'=' {
        return Some(at);
    }
    let end = at + 2 + subscript_end(&word[at + 1..])?;
    match &word[end..] {
        [b'=', ..] => Some(end),
        [b'+', b'=', ..] => Some(end + 1),
        _ => None,
    }
}

/// Declares one variable; none where that failed and was reported.
fn apply(cx: &mut Context<'_>, argument: Argument<'_>, request: &Request) -> Result<(), Refused> {
    let Some(subject) = subject(cx, &argument, request)? else {
        return Ok(());
    };
    let Subject {
        name,
        target,
        untargeted,
    } = subject;
    let present = cx
        .variable(&name)
        .map_or(Attributes::NONE, |known| known.attributes);
    check_conversion(cx, &argument, request, &name, present)?;
    let mut add = request
        .add
        .without(Attributes::READONLY)
        .without(Attributes::NAMEREF);
    let is_array = matches!(argument.value, New::Elements(_)) || argument.subscript.is_some();
    if is_array && !add.has(ARRAYS) && !present.has(ARRAYS) {
        add = add.with(Attributes::INDEXED);
    }
    let remove = if request.add.has(Attributes::NAMEREF) {
        request.remove.with(OF_VALUES)
    } else {
        request.remove
    };
    cx.change_attributes(&name, add, remove)
        .map_err(|_| Refused::Change)?;
    let reference = match (argument.subscript, target) {
        (Some(subscript), None) => [&name, b"[".as_slice(), subscript, b"]"].concat(),
        (_, Some(target)) => target.into_vec(),
        (None, None) => name.clone(),
    };
    let refused = match argument.is_expanded(request) {
        true => Refused::Expansion,
        false => Refused::Assignment,
    };
    let creating = request.add.has(ARRAYS);
    if let New::Text([b'(', .., b')']) = argument.value
        && argument.subscript.is_some()
        && !creating
        && !present.has(ARRAYS)
    {
        let tail = b": quoted compound array assignment deprecated".as_slice();
        cx.shell_error([b"warning: ", argument.word, tail].concat());
    }
    let attributes = add.with(present);
    if assign(cx, &name, &reference, argument, attributes, creating).is_none() {
        if untargeted {
            // What was to name its target is gone with it.
            cx.unset_nameref(&name).map_err(|_| Refused::Assignment)?;
        }
        return Err(refused);
    }
    let late = Attributes::READONLY.with(Attributes::NAMEREF);
    let late = Attributes(request.add.0 & late.0);
    cx.change_attributes(&name, late, Attributes::NONE)
        .map_err(|_| Refused::Change)
}

/// The variable that an argument is about.
struct Subject {
    name: Vec<u8>,
    /// The element that a nameref leads to.
    target: Option<Text>,
    /// It is what a nameref names that had no target.
    untargeted: bool,
}

/// Finds the variable that an argument is about, and makes it local where that is asked for; none where nothing
/// else is to be done.
fn subject(
    cx: &mut Context<'_>,
    argument: &Argument<'_>,
    request: &Request,
) -> Result<Option<Subject>, Refused> {
    if !is_reference(argument.reference) {
        if let (Some(b""), New::Text(_)) = (argument.subscript, &argument.value) {
            cx.shell_error([argument.reference, b": bad array subscript"].concat());
            return Err(Refused::Assignment);
        }
        invalid_identifier(cx, argument.word);
        return Err(Refused::Assignment);
    }
    let nameref = request.add.has(Attributes::NAMEREF);
    if nameref {
        check_nameref(cx, argument, request)?;
    }
    let known = cx.variable(argument.name);
    let attributes = known
        .as_ref()
        .map_or(Attributes::NONE, |known| known.attributes);
    let given = !matches!(argument.value, New::None);
    let fresh = request.local && !cx.is_local(argument.name);
    let unreferences = request.remove.has(Attributes::NAMEREF);
    // A nameref itself changes only with -n and +n.
    let itself = fresh || nameref || request.local && unreferences;
    if given || fresh || nameref || request.remove.has(Attributes::READONLY) {
        check_readonly(cx, argument, request, (fresh, itself))?;
    }
    if request.local {
        let target = match itself {
            true => Text::from(argument.name),
            false => cx.follow(argument.name),
        };
        cx.make_local(split_subscript(&target).0, request.inherit)
            .map_err(|_| Refused::Change)?;
    }
    let untargeted = attributes.has(Attributes::NAMEREF)
        && !itself
        && known.is_some_and(|known| !known.value.is_set());
    if attributes.has(Attributes::NAMEREF) && !itself && !unreferences {
        make_array(cx, argument, request, untargeted)?;
    }
    let last = match unreferences && !itself {
        true => cx.last_reference(argument.name),
        false => None,
    };
    let followed = if itself {
        Text::from(argument.name)
    } else {
        cx.follow(argument.name)
    };
    let (name, target) = match split_subscript(&followed) {
        (name, None) => (name.to_vec(), None),
        (name, Some(_)) => (name.to_vec(), Some(followed.clone())),
    };
    if let Some(last) = last {
        remove_nameref(cx, argument.name, &last)?;
        if !given && request.add == Attributes::NONE && request.remove == Attributes::NAMEREF {
            return Ok(None);
        }
    }
    Ok(Some(Subject {
        name,
        target,
        untargeted,
    }))
}

/// Refuses a name that is none, and arrays that would become what they can't.
fn check_conversion(
    cx: &mut Context<'_>,
    argument: &Argument<'_>,
    request: &Request,
    name: &[u8],
    present: Attributes,
) -> Result<(), Refused> {
    if !is_name(name) {
        invalid_identifier(cx, name);
        return Err(Refused::Assignment);
    }
    if request.remove.has(ARRAYS) && present.has(ARRAYS) {
        cx.error_about(name, "cannot destroy array variables in this way");
        return Err(Refused::Change);
    }
    let conversions = [
        (
            Attributes::ASSOCIATIVE,
            Attributes::INDEXED,
            "associative to indexed array",
        ),
        (
            Attributes::INDEXED,
            Attributes::ASSOCIATIVE,
            "indexed to associative array",
        ),
    ];
    for (old, new, what) in conversions {
        if present.has(old) && request.add.has(new) {
            let text = [name, b": cannot convert ", what.as_bytes()].concat();
            return Err(argument.refuse(cx, request, &text, Refused::Change));
        }
    }
    Ok(())
}

/// Refuses what changes a readonly variable: the target of a nameref, unless that one `itself` is
/// meant; one of a caller may be hidden by a `fresh` one.
fn check_readonly(
    cx: &mut Context<'_>,
    argument: &Argument<'_>,
    request: &Request,
    (fresh, itself): (bool, bool),
) -> Result<(), Refused> {
    let mut subject = argument.name.to_vec();
    if !itself && cx.last_reference(&subject).is_some() {
        subject = split_subscript(&cx.follow(&subject)).0.to_vec();
    }
    let readonly = |known: Variable| known.attributes.has(Attributes::READONLY);
    let hides = fresh && cx.is_local_anywhere(argument.name);
    if hides || !cx.variable(&subject).is_some_and(readonly) {
        return Ok(());
    }
    let name = match argument.value {
        New::None => subject.as_slice(),
        _ => argument.name,
    };
    let text = [name, b": readonly variable"].concat();
    let refused = match fresh || request.remove.has(Attributes::READONLY) {
        true => Refused::Change,
        false => Refused::Assignment,
    };
    Err(argument.refuse(cx, request, &text, refused))
}

/// Assigns the value; `None` where that failed and was reported. `creating` is set where the options ask for an array.
fn assign(
    cx: &mut Context<'_>,
    name: &[u8],
    reference: &[u8],
    argument: Argument<'_>,
    attributes: Attributes,
    creating: bool,
) -> Option<()> {
    match argument.value {
        New::None => Some(()),
        New::Elements(elements) => cx.assign_elements(name, elements, argument.append).ok(),
        New::Text(text @ [b'(', .., b')'])
            if attributes.has(ARRAYS) && (argument.subscript.is_none() || creating) =>
        {
            cx.assign_compound_text(name, text, argument.append).ok()
        }
        // To these two, what was assigned before the command is a value to replace.
        New::Text(text)
            if attributes.has(Attributes::TEMPORARY)
                && matches!(cx.name(), b"export" | b"readonly") =>
        {
            cx.set(reference, Text::from(text)).ok()
        }
        New::Text(text) if argument.append => cx.append(reference, Text::from(text)).ok(),
        New::Text(text) => cx.set(reference, Text::from(text)).ok(),
    }
}

/// Lists what the options ask for, where no name is given.
fn list(cx: &mut Context<'_>, request: &Request, is_local: bool) {
    if is_local {
        if cx.has_local_options() {
            cx.out("local -\n");
        }
        for name in cx.locals() {
            if let Some(variable) = cx.variable(&name) {
                cx.out(listing::definition(&name, &variable));
            }
        }
    } else if request.print || request.add != Attributes::NONE {
        listing::definitions(cx, request.add);
    } else {
        let functions = !cx.on(SetOption::Posix);
        listing::everything(cx, functions);
    }
}

/// `declare -p NAME…`, and `local -p NAME…`, which knows those of the function only.
fn print(cx: &mut Context<'_>, names: &[Text], is_local: bool) -> Flow {
    let mut status = 0;
    for name in names {
        let fits = !is_local || cx.is_local(name);
        match cx.variable(name).filter(|_| fits) {
            Some(variable) => cx.out(listing::definition(name, &variable)),
            None => {
                cx.error_about(name, "not found");
                status = 1;
            }
        }
    }
    Flow::Status(status)
}
