//! Operators on two values: sums, products (which merge collections), comparisons.
//!
//! The rules are those of mikefarah's `yq` 4, in its manual's pages Add, Subtract, Multiply, Divide, Modulo, Compare
//! and Equals. What an operator does follows from the kinds and tags of both sides; the result takes place, tag and
//! comments from the left one. A tag of somebody's own (`!price 3`) counts as what the value looks like and stays on
//! the result.

use super::evaluate::{Context, Machine, glob};
use super::functions;
use super::moment;
use super::parse::{Binary, Flags};
use super::scalar;
use super::tree::{Id, Kind, Step, Style, Tree, integer, number};

/// The node of a result; none where an operator has nothing to say about the pair.
type Value = Result<Option<Id>, String>;

/// Applies an operator to every pair of values.
///
/// `lefts` and `rights` are what the two sides gave; the left one is the outer loop. Results are appended to `found`.
pub fn combine(
    machine: &mut Machine,
    binary: Binary,
    flags: Flags,
    (lefts, rights): (&[Id], &[Id]),
    context: &Context,
    found: &mut Vec<Id>,
) -> Result<(), String> {
    let alone = matches!(
        binary,
        Binary::Add
            | Binary::Equal
            | Binary::NotEqual
            | Binary::Less
            | Binary::LessOrEqual
            | Binary::Greater
            | Binary::GreaterOrEqual
    ) && !context.nodes.is_empty();
    let lefts = sides(lefts, alone);
    let rights = sides(rights, alone);
    for &left in &lefts {
        for &right in &rights {
            found.extend(apply(machine, binary, flags, left, right)?);
        }
    }
    Ok(())
}

/// A side without values counts once where the operator says something about nothing.
///
/// So `.missing == null` has a result although a side is empty. Other operators give nothing for nothing.
fn sides(values: &[Id], alone: bool) -> Vec<Option<Id>> {
    if values.is_empty() && alone {
        vec![None]
    } else {
        values.iter().map(|&value| Some(value)).collect()
    }
}

/// One pair. With one side missing, arithmetic gives a copy of the other.
fn apply(
    machine: &mut Machine,
    binary: Binary,
    flags: Flags,
    left: Option<Id>,
    right: Option<Id>,
) -> Value {
    match binary {
        Binary::Equal | Binary::NotEqual => {
            let equal = is_equal(&machine.tree, left, right);
            let owner = owner(machine, left, right);
            let truth = equal == (binary == Binary::Equal);
            return Ok(Some(functions::truth(machine, owner, truth)));
        }
        Binary::Less | Binary::LessOrEqual | Binary::Greater | Binary::GreaterOrEqual => {
            let truth = compare(&machine.tree, binary, left, right)?;
            let owner = owner(machine, left, right);
            return Ok(Some(functions::truth(machine, owner, truth)));
        }
        _ => {}
    }
    let (left, right) = match (left, right) {
        (Some(left), Some(right)) => (left, right),
        (Some(one), None) | (None, Some(one)) => return Ok(Some(machine.tree.copy(one))),
        (None, None) => return Ok(None),
    };
    match binary {
        Binary::Add => add(machine, left, right).map(Some),
        Binary::Subtract => subtract(machine, left, right).map(Some),
        Binary::Multiply => multiply(machine, left, right, flags).map(Some),
        Binary::Divide => divide(machine, left, right).map(Some),
        Binary::Modulo => modulo(machine, left, right).map(Some),
        _ => Ok(None),
    }
}

/// The node whose place the result takes.
fn owner(machine: &mut Machine, left: Option<Id>, right: Option<Id>) -> Id {
    left.or(right).unwrap_or_else(|| machine.tree.null())
}

/// `==`: scalars compare by text, the right one being a pattern with `*` and `?`: `"cat" == "c*"` is true.
///
/// A missing side equals `null`. Collections are equal if their members are, whatever the styles.
fn is_equal(tree: &Tree, left: Option<Id>, right: Option<Id>) -> bool {
    match (left, right) {
        (None, None) => true,
        (Some(one), None) | (None, Some(one)) => tree.is_null(one),
        (Some(left), Some(right)) => {
            let (left, right) = (tree.follow(left), tree.follow(right));
            if tree.is_null(left) {
                return tree.is_null(right);
            }
            if tree[left].kind == Kind::Scalar && tree[right].kind == Kind::Scalar {
                return !tree.is_null(right) && glob(&tree[left].value, &tree[right].value);
            }
            tree[left].kind == tree[right].kind && tree.is_equal(left, right)
        }
    }
}

/// `<`, `<=`, `>`, `>=`: numbers by value, strings, times and booleans by their text. Two nulls are equal, a null and
/// something else are false, whatever the operator.
///
/// # Errors
/// Collections, and pairs of different types.
fn compare(
    tree: &Tree,
    binary: Binary,
    left: Option<Id>,
    right: Option<Id>,
) -> Result<bool, String> {
    let or_equal = matches!(binary, Binary::LessOrEqual | Binary::GreaterOrEqual);
    let (Some(left), Some(right)) = (left, right) else {
        return Ok(left.is_none() && right.is_none() && or_equal);
    };
    let (x, y) = (&tree[left], &tree[right]);
    match (x.kind, y.kind) {
        (Kind::Mapping, _) => return Err("maps not yet supported for comparison".to_owned()),
        (Kind::Sequence, _) => return Err("arrays not yet supported for comparison".to_owned()),
        (_, Kind::Mapping | Kind::Sequence) => {
            return Err(format!(
                "{} ({}) cannot be compared with {}",
                y.tag,
                tree.nice_path(right),
                x.tag
            ));
        }
        _ => {}
    }
    let (x_tag, y_tag) = (plain_tag(tree, left), plain_tag(tree, right));
    let order = if x_tag == "!!null" || y_tag == "!!null" {
        return Ok(x_tag == y_tag && or_equal);
    } else if let (true, Some(a), Some(b)) = (
        is_numeric(x_tag) && is_numeric(y_tag),
        number(&x.value),
        number(&y.value),
    ) {
        a.partial_cmp(&b)
    } else if x_tag == y_tag && matches!(x_tag, "!!str" | "!!timestamp" | "!!bool") {
        Some(x.value.cmp(&y.value))
    } else {
        return Err(format!("{x_tag} not yet supported for comparison"));
    };
    Ok(order.is_some_and(|order| match binary {
        Binary::Less => order.is_lt(),
        Binary::LessOrEqual => order.is_le(),
        Binary::Greater => order.is_gt(),
        _ => order.is_ge(),
    }))
}

fn is_numeric(tag: &str) -> bool {
    matches!(tag, "!!int" | "!!float")
}

/// The tag of a value; for tags of somebody's own what the value looks like.
fn plain_tag(tree: &Tree, id: Id) -> &str {
    let node = &tree[id];
    if node.tag.starts_with("!!") || node.kind != Kind::Scalar {
        &node.tag
    } else {
        scalar::resolve(&node.value)
    }
}

/// A number as Go's `%v` shows it.
///
/// Plain from 0.0001 up to 1e21, with an exponent of at least two digits beyond: `1e+21`, `1e-05`, `+Inf`.
pub fn show(number: f64) -> String {
    if number.is_infinite() {
        return if number > 0.0 { "+Inf" } else { "-Inf" }.to_owned();
    }
    let size = number.abs();
    if size != 0.0 && !(1e-4..1e21).contains(&size) {
        let text = format!("{number:e}");
        let (mantissa, exponent) = text.split_once('e').unwrap_or((&text, "0"));
        let (sign, digits) = match exponent.strip_prefix('-') {
            Some(digits) => ('-', digits),
            None => ('+', exponent),
        };
        return format!("{mantissa}e{sign}{digits:0>2}");
    }
    format!("{number}")
}

/// A scalar in the place of `left`, which keeps a tag of its own.
fn scalar_of(machine: &mut Machine, left: Id, tag: &str, value: &str) -> Id {
    let new = machine.tree.copy_empty(left);
    let node = &mut machine.tree[new];
    node.kind = Kind::Scalar;
    if node.tag.starts_with("!!") || node.tag.is_empty() {
        node.tag = tag.into();
    }
    node.value = value.into();
    new
}

/// Whole numbers keep the notation of the left one.
///
/// `0x10 + 0xa` is `0x1A`. A sign stands behind the mark, as Go writes it: `0x1 - 2` is `0x-1`.
fn show_integer(value: i64, like: &str) -> String {
    let sign = if value < 0 { "-" } else { "" };
    let size = value.unsigned_abs();
    match like.get(..2) {
        Some("0x" | "0X") => format!("0x{sign}{size:X}"),
        Some("0o") => format!("0o{sign}{size:o}"),
        _ => value.to_string(),
    }
}

/// Two numbers and a function for each kind.
///
/// None where a side is no number. Two integers stay integers and fail on overflow; everything else is computed as
/// floats.
fn numbers(
    machine: &mut Machine,
    left: Id,
    right: Id,
    whole: fn(i64, i64) -> Option<i64>,
    float: fn(f64, f64) -> f64,
) -> Value {
    let (x, y) = (
        machine.tree[left].value.clone(),
        machine.tree[right].value.clone(),
    );
    let tags = (
        plain_tag(&machine.tree, left),
        plain_tag(&machine.tree, right),
    );
    if !is_numeric(tags.0) || !is_numeric(tags.1) {
        return Ok(None);
    }
    if tags == ("!!int", "!!int")
        && let (Some(a), Some(b)) = (integer(&x), integer(&y))
    {
        let value = whole(a, b).ok_or("integer overflow")?;
        return Ok(Some(scalar_of(
            machine,
            left,
            "!!int",
            &show_integer(value, &x),
        )));
    }
    let (Some(a), Some(b)) = (number(&x), number(&y)) else {
        return Err(format!("strconv.ParseFloat: parsing {x:?}: invalid syntax"));
    };
    Ok(Some(scalar_of(
        machine,
        left,
        "!!float",
        &show(float(a, b)),
    )))
}

/// `+`: a null on the left gives the right side, mappings are united at the top level, sequences are joined, strings
/// are joined with the text of any scalar, numbers are added, and a time is moved by a duration.
fn add(machine: &mut Machine, left: Id, right: Id) -> Result<Id, String> {
    if machine.tree.is_null(left) {
        return Ok(machine.tree.copy_into_place(left, right));
    }
    let (x, y) = (machine.tree[left].clone(), machine.tree[right].clone());
    let refuse = |tree: &Tree| {
        format!(
            "{} ({}) cannot be added to a {} ({})",
            y.tag,
            tree.nice_path(right),
            x.tag,
            tree.nice_path(left)
        )
    };
    match x.kind {
        Kind::Mapping if y.kind == Kind::Mapping => Ok(add_mappings(machine, left, right)),
        Kind::Sequence => Ok(append(machine, left, right)),
        Kind::Scalar if y.kind == Kind::Scalar => {
            let tags = (
                plain_tag(&machine.tree, left).to_owned(),
                plain_tag(&machine.tree, right).to_owned(),
            );
            if tags.0 == "!!timestamp" {
                let moved = moment::shift(&x.value, &y.value, false)?;
                return Ok(scalar_of(machine, left, "!!timestamp", &moved));
            }
            if tags.0 == "!!str" || tags.1 == "!!str" {
                let tail = if tags.1 == "!!null" { "" } else { &*y.value };
                let joined = format!("{}{tail}", x.value);
                return Ok(scalar_of(machine, left, "!!str", &joined));
            }
            match numbers(machine, left, right, i64::checked_add, |a, b| a + b)? {
                Some(sum) => Ok(sum),
                None => Err(format!("{} cannot be added to {}", tags.0, tags.1)),
            }
        }
        _ => Err(refuse(&machine.tree)),
    }
}

/// A sequence with the items of another one, or with one more item. A single item takes the style of the first one.
fn append(machine: &mut Machine, left: Id, right: Id) -> Id {
    let new = machine.tree.copy(left);
    let items = match machine.tree[right].kind {
        Kind::Sequence => machine.tree[right].content.clone(),
        _ if machine.tree.is_null(right) => Vec::new(),
        _ => vec![right],
    };
    let style = machine.tree[new]
        .content
        .first()
        .map(|&first| machine.tree[first].style);
    let single = machine.tree[right].kind != Kind::Sequence;
    if machine.tree[new].content.is_empty() {
        machine.tree[new].style = Style::Plain;
    }
    for item in items {
        let item = machine.tree.append(new, item);
        if let (Some(style), true) = (style, single) {
            machine.tree[item].style = style;
        }
    }
    new
}

/// A mapping with the pairs of another one. Equal keys take the right value at their old place; nothing is merged
/// deeper.
fn add_mappings(machine: &mut Machine, left: Id, right: Id) -> Id {
    let new = machine.tree.copy(left);
    if machine.tree[new].content.is_empty() {
        machine.tree[new].style = Style::Plain;
    }
    for (key, value) in machine.tree.pairs(right) {
        let name = machine.tree[key].value.clone();
        match machine.tree.member(new, &name) {
            None => {
                machine.tree.insert(new, key, value);
            }
            Some(old) => {
                let copy = machine.tree.copy_into_place(old, value);
                let content = &mut machine.tree[new].content;
                for child in content.iter_mut().filter(|child| **child == old) {
                    *child = copy;
                }
            }
        }
    }
    new
}

/// `-`: items of a sequence that equal none of the other's, numbers, or a time moved back.
fn subtract(machine: &mut Machine, left: Id, right: Id) -> Result<Id, String> {
    let (x, y) = (machine.tree[left].clone(), machine.tree[right].clone());
    match (x.kind, y.kind) {
        (Kind::Scalar, _) if machine.tree.is_null(left) => {
            Ok(machine.tree.copy_into_place(left, right))
        }
        (Kind::Mapping, _) => Err("maps not yet supported for subtraction".to_owned()),
        (Kind::Sequence, Kind::Sequence) => {
            let new = machine.tree.copy_empty(left);
            let keep = |item: &Id| {
                !y.content
                    .iter()
                    .any(|other| machine.tree.is_equal(*item, *other))
            };
            let kept: Vec<Id> = x
                .content
                .iter()
                .filter(|item| keep(item))
                .copied()
                .collect();
            for item in kept {
                machine.tree.append(new, item);
            }
            Ok(new)
        }
        (Kind::Scalar, Kind::Scalar) => {
            if plain_tag(&machine.tree, left) == "!!timestamp" {
                let moved = moment::shift(&x.value, &y.value, true)?;
                return Ok(scalar_of(machine, left, "!!timestamp", &moved));
            }
            if plain_tag(&machine.tree, left) == "!!str" {
                return Err("strings cannot be subtracted".to_owned());
            }
            numbers(machine, left, right, i64::checked_sub, |a, b| a - b)?
                .ok_or_else(|| format!("{} cannot be added to {}", x.tag, y.tag))
        }
        _ => Err(format!(
            "{} ({}) cannot be subtracted from {}",
            y.tag,
            machine.tree.nice_path(right),
            x.tag
        )),
    }
}

/// The longest string that `*` makes.
///
/// A short program could otherwise ask for all memory: `"a" * 1000000000`.
const MAX_REPEATED: usize = 10 * 1024 * 1024;

/// `*`: collections of one kind are merged, a string is repeated, numbers are multiplied. `null` on the right changes
/// nothing.
fn multiply(machine: &mut Machine, left: Id, right: Id, flags: Flags) -> Result<Id, String> {
    if machine.tree.is_null(right) {
        return Ok(machine.tree.copy(left));
    }
    let kinds = (machine.tree[left].kind, machine.tree[right].kind);
    let null = machine.tree.is_null(left);
    let same = matches!(
        kinds,
        (Kind::Mapping, Kind::Mapping) | (Kind::Sequence, Kind::Sequence)
    );
    if same || (null && kinds.1 != Kind::Scalar) {
        return merge(machine, left, right, flags);
    }
    let tags = (
        plain_tag(&machine.tree, left).to_owned(),
        plain_tag(&machine.tree, right).to_owned(),
    );
    if let ("!!str", "!!int") | ("!!int", "!!str") = (tags.0.as_str(), tags.1.as_str()) {
        let (text, count) = if tags.0 == "!!str" {
            (left, right)
        } else {
            (right, left)
        };
        let text = machine.tree[text].value.clone();
        let count = integer(&machine.tree[count].value).unwrap_or(0);
        let count = usize::try_from(count)
            .map_err(|_| format!("cannot repeat string by a negative number ({count})"))?;
        if text.len().saturating_mul(count) > MAX_REPEATED {
            return Err(format!(
                "result of repeating string ({} bytes) by {count} would exceed {MAX_REPEATED} bytes",
                text.len()
            ));
        }
        return Ok(scalar_of(machine, left, "!!str", &text.repeat(count)));
    }
    let product = numbers(machine, left, right, i64::checked_mul, |a, b| a * b)?;
    let (x, y) = (&machine.tree[left].tag, &machine.tree[right].tag);
    product.ok_or_else(|| format!("cannot multiply {x} with {y}"))
}

/// `/`: numbers, always as floats, or a string split at another.
fn divide(machine: &mut Machine, left: Id, right: Id) -> Result<Id, String> {
    let (x, y) = (machine.tree[left].clone(), machine.tree[right].clone());
    let tags = (
        plain_tag(&machine.tree, left).to_owned(),
        plain_tag(&machine.tree, right).to_owned(),
    );
    if tags.0 == "!!str" && tags.1 == "!!str" {
        let list = machine.tree.replacement(left, Kind::Sequence, "!!seq", "");
        for part in x.value.split(&*y.value) {
            let part = machine.tree.string(part);
            machine.tree.attach(list, part);
        }
        return Ok(list);
    }
    match (number(&x.value), number(&y.value)) {
        (Some(a), Some(b)) if is_numeric(&tags.0) && is_numeric(&tags.1) => {
            let value = show(a / b);
            Ok(scalar_of(machine, left, "!!float", &value))
        }
        _ => Err(format!("{} cannot be divided by {}", x.tag, y.tag)),
    }
}

/// `%`: of integers or floats, with the sign of the left side.
fn modulo(machine: &mut Machine, left: Id, right: Id) -> Result<Id, String> {
    let whole = integer(&machine.tree[left].value).is_some();
    if whole && integer(&machine.tree[right].value) == Some(0) {
        return Err("cannot modulo by 0".to_owned());
    }
    let (x, y) = (
        machine.tree[left].tag.clone(),
        machine.tree[right].tag.clone(),
    );
    numbers(machine, left, right, i64::checked_rem, |a, b| a % b)?
        .ok_or_else(|| format!("{x} cannot be modulo by {y}"))
}

/// A copy of `left` with everything of `right` in it.
///
/// Every scalar of `right`, and with it the path that leads to it, is put into the copy; `flags` say what happens to
/// lists and to what is there already:
///
/// ```text
/// {a: [1]}   *  {a: [2]}    → {a: [2]}
/// {a: [1]}   *+ {a: [2]}    → {a: [1, 2]}
/// {a: [1,3]} *d {a: [2]}    → {a: [2, 3]}
/// {a: 1}     *n {a: 2, b: 3} → {a: 1, b: 3}
/// {a: 1}     *? {a: 2, b: 3} → {a: 2}
/// ```
pub fn merge(machine: &mut Machine, left: Id, right: Id, flags: Flags) -> Result<Id, String> {
    let new = machine.tree.copy(left);
    let old_comments = machine.tree[new].comments.clone();
    let context = Context {
        nodes: Vec::new(),
        readonly: flags.only_existing,
        variables: std::rc::Rc::default(),
    };
    let mut nodes = Vec::new();
    machine.recurse(right, false, flags.deep, &mut nodes);
    let start = machine.tree.path(right).len();
    for node in nodes {
        let path: Vec<Step> = machine.tree.path(node).split_off(start);
        let data = machine.tree[node].clone();
        let list = data.kind == Kind::Sequence;
        let Some(target) = machine.descend(&context, new, &path)? else {
            continue;
        };
        copy_key_comments(machine, target, node);
        if list && flags.append {
            let joined = if machine.tree.is_null(target) {
                machine.tree.copy(node)
            } else {
                add(machine, target, node)?
            };
            machine.update(
                target,
                joined,
                Flags {
                    only_new: false,
                    ..flags
                },
            );
        } else if (list && !flags.deep) || matches!(data.kind, Kind::Scalar | Kind::Alias) {
            machine.update(target, node, flags);
        } else if !flags.only_new
            || machine.tree.is_null(target)
            || machine.tree[target].kind == data.kind
        {
            machine.update_attributes(target, node, flags, true);
        }
    }
    for (old, new) in [(&old_comments.head, &mut machine.tree[new].comments.head)] {
        if !old.is_empty() {
            new.clone_from(old);
        }
    }
    Ok(new)
}

/// Takes comments and style of a key over from the source, where it has any.
fn copy_key_comments(machine: &mut Machine, target: Id, source: Id) {
    let (Some(key), Some(from)) = (machine.tree[target].key, machine.tree[source].key) else {
        return;
    };
    let from = machine.tree[from].clone();
    let comments = &mut machine.tree[key].comments;
    if !from.comments.head.is_empty() {
        comments.head = from.comments.head;
    }
    if !from.comments.line.is_empty() {
        comments.line = from.comments.line;
    }
    if !from.comments.foot.is_empty() {
        comments.foot = from.comments.foot;
    }
    machine.tree[key].style = from.style;
}
