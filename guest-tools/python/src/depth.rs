//! Recursion in native code that `RustPython` bounds by a stack that is not the one to run out here.
//!
//! It watches the stack in linear memory. Where a native function needs more of the engine's stack than of
//! that one, the engine would end the process first. Such functions are counted instead.

use std::cell::Cell;
use std::collections::HashSet;

use rustpython_vm::builtins::{PyBaseExceptionRef, PyDict, PyList, PyStr, PyTuple};
use rustpython_vm::function::{Either, PyComparisonValue};
use rustpython_vm::types::PyComparisonOp;
use rustpython_vm::{AsObject as _, PyObject, PyObjectRef, PyRef, PyResult, VirtualMachine};

/// How deep lists, tuples and dictionaries may lie in each other where native code follows them.
pub const LIMIT: usize = 600;

type Show = fn(&PyObject, &VirtualMachine) -> PyResult<PyRef<PyStr>>;
type Compare = fn(
    &PyObject,
    &PyObject,
    PyComparisonOp,
    &VirtualMachine,
) -> PyResult<Either<PyObjectRef, PyComparisonValue>>;

thread_local! {
    static DEPTH: Cell<usize> = const { Cell::new(0) };
    /// What the slots of lists, tuples and dictionaries held.
    static SHOW: Cell<[Option<Show>; 3]> = const { Cell::new([None; 3]) };
    static COMPARE: Cell<[Option<Compare>; 3]> = const { Cell::new([None; 3]) };
}

/// What CPython raises.
pub fn too_deep(what: &str, vm: &VirtualMachine) -> PyBaseExceptionRef {
    vm.new_recursion_error(format!("maximum recursion depth exceeded {what}"))
}

fn deeper<T>(what: &str, vm: &VirtualMachine, run: impl FnOnce() -> PyResult<T>) -> PyResult<T> {
    let depth = DEPTH.get();
    if depth >= LIMIT {
        return Err(too_deep(what, vm));
    }
    DEPTH.set(depth + 1);
    let result = run();
    DEPTH.set(depth);
    result
}

fn show<const AT: usize>(object: &PyObject, vm: &VirtualMachine) -> PyResult<PyRef<PyStr>> {
    match SHOW.get()[AT] {
        Some(original) => deeper("while getting the repr of an object", vm, || {
            original(object, vm)
        }),
        None => object.repr(vm),
    }
}

fn compare<const AT: usize>(
    one: &PyObject,
    other: &PyObject,
    operator: PyComparisonOp,
    vm: &VirtualMachine,
) -> PyResult<Either<PyObjectRef, PyComparisonValue>> {
    match COMPARE.get()[AT] {
        Some(original) => deeper("in comparison", vm, || original(one, other, operator, vm)),
        None => Ok(Either::B(PyComparisonValue::NotImplemented)),
    }
}

/// Counts the `repr` and the comparison of lists, tuples and dictionaries.
pub fn install(vm: &VirtualMachine) {
    let types = &vm.ctx.types;
    let classes = [types.list_type, types.tuple_type, types.dict_type];
    SHOW.set(classes.map(|class| class.slots.repr.load()));
    COMPARE.set(classes.map(|class| class.slots.richcompare.load()));
    let shows: [Show; 3] = [show::<0>, show::<1>, show::<2>];
    let compares: [Compare; 3] = [compare::<0>, compare::<1>, compare::<2>];
    for (class, (show, compare)) in classes.into_iter().zip(shows.into_iter().zip(compares)) {
        class.slots.repr.store(Some(show));
        class.slots.richcompare.store(Some(compare));
    }
}

/// What lies directly in a list, a tuple or a dictionary; none for anything else.
fn inside(object: &PyObjectRef) -> Option<Vec<PyObjectRef>> {
    if let Some(list) = object.downcast_ref::<PyList>() {
        return Some(list.borrow_vec().to_vec());
    }
    if let Some(tuple) = object.downcast_ref::<PyTuple>() {
        return Some(tuple.as_slice().to_vec());
    }
    let dictionary = object.downcast_ref::<PyDict>()?;
    Some(dictionary.values_vec())
}

/// Whether the object nests deeper than [`LIMIT`]; one that contains itself does not.
pub fn nests_too_deep(object: PyObjectRef) -> bool {
    let Some(first) = inside(&object) else {
        return false;
    };
    let mut path = vec![(object.get_id(), first)];
    let mut above: HashSet<usize> = path.iter().map(|(id, _)| *id).collect();
    while let Some((id, rest)) = path.last_mut() {
        let Some(next) = rest.pop() else {
            above.remove(id);
            path.pop();
            continue;
        };
        let Some(content) = inside(&next) else {
            continue;
        };
        if !above.insert(next.get_id()) {
            return false;
        }
        if path.len() >= LIMIT {
            return true;
        }
        path.push((next.get_id(), content));
    }
    false
}

/// Whether the JSON value that begins at the byte nests deeper than [`LIMIT`].
pub fn json_nests_too_deep(text: &[u8]) -> bool {
    let (mut depth, mut quoted) = (0, false);
    let mut bytes = text.iter();
    while let Some(byte) = bytes.next() {
        match byte {
            b'"' => quoted = !quoted,
            b'\\' if quoted => drop(bytes.next()),
            b'[' | b'{' if !quoted => depth += 1,
            b']' | b'}' if !quoted && depth <= 1 => return false,
            b']' | b'}' if !quoted => depth -= 1,
            _ => {}
        }
        if depth > LIMIT {
            return true;
        }
    }
    false
}
