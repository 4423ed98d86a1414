//! From a path to the program that it stands for.

use offshoot_vfs::{AccessMode, Caller, Kind, OpenOptions};

use super::Program;
use crate::Kernel;
use crate::guest::Errno;
use crate::limit::INTERPRETERS;

/// What the file of a program begins with.
const MARKER: &[u8] = b"\x7fOFFSHOOT program ";
/// Bytes of a file that decide what it is; Linux reads as many.
const HEAD: usize = 256;

/// The content of a file that stands for the program `name`. Give the file mode 755.
pub fn marker(name: &str) -> Vec<u8> {
    [MARKER, name.as_bytes(), b"\n"].concat()
}

/// What the first bytes of a file say.
#[derive(Debug, PartialEq, Eq)]
enum Head<'a> {
    /// It stands for the program of this name.
    Program(&'a str),
    /// A script for this interpreter, with at most one argument.
    Script(&'a [u8], Option<&'a [u8]>),
    /// Neither.
    Other,
}

/// A program, its name, the arguments that it is called with, and its file.
pub(crate) type Resolved = (Program, String, Vec<Vec<u8>>, Vec<u8>);

/// Finds the program behind `path`, through `#!` lines.
pub(crate) fn resolve(
    kernel: &Kernel,
    caller: &Caller,
    path: &[u8],
    mut arguments: Vec<Vec<u8>>,
) -> Result<Resolved, Errno> {
    let mut path = path.to_vec();
    for _ in 0..=INTERPRETERS {
        let head = read_head(kernel, caller, &path)?;
        match parse(&head) {
            Head::Program(name) => {
                let program = kernel.settings().programs.get(name).ok_or(Errno::NoExec)?;
                let vfs = kernel.vfs();
                let file = vfs.canonicalize(caller, vfs.root(), &path)?;
                return Ok((program.clone(), name.to_owned(), arguments, file));
            }
            Head::Script(interpreter, argument) => {
                let interpreter = interpreter.to_vec();
                let mut called = vec![interpreter.clone()];
                called.extend(argument.map(<[u8]>::to_vec));
                called.push(path);
                called.extend(arguments.into_iter().skip(1));
                arguments = called;
                path = interpreter;
            }
            Head::Other => return Err(Errno::NoExec),
        }
    }
    Err(Errno::TooManyLinks)
}

/// The first bytes of a file that `caller` may execute.
fn read_head(kernel: &Kernel, caller: &Caller, path: &[u8]) -> Result<Vec<u8>, Errno> {
    let vfs = kernel.vfs();
    let root = vfs.root();
    let execute = AccessMode {
        execute: true,
        ..AccessMode::default()
    };
    vfs.access(caller, root, path, execute, true)?;
    // Executing does not need the permission to read.
    let reader = Caller { uid: 0, ..*caller };
    let file = vfs.open(&reader, root, path, &OpenOptions::READ, 0)?;
    if file.kind() != Kind::Regular {
        return Err(Errno::Access);
    }
    let mut head = vec![0; HEAD];
    let count = file.read(&mut head)?;
    head.truncate(count);
    Ok(head)
}

fn parse(head: &[u8]) -> Head<'_> {
    let line = head.split(|&byte| byte == b'\n').next().unwrap_or_default();
    if let Some(name) = line.strip_prefix(MARKER) {
        return std::str::from_utf8(name).map_or(Head::Other, Head::Program);
    }
    let Some(rest) = line.strip_prefix(b"#!") else {
        return Head::Other;
    };
    let rest = rest.trim_ascii();
    let end = rest
        .iter()
        .position(|&byte| byte == b' ' || byte == b'\t')
        .unwrap_or(rest.len());
    let (interpreter, argument) = rest.split_at(end);
    let argument = argument.trim_ascii_start();
    match interpreter {
        b"" => Head::Other,
        _ => Head::Script(interpreter, (!argument.is_empty()).then_some(argument)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn heads_of_files() {
        let cases: &[(&[u8], Head<'_>)] = &[
            (b"\x7fOFFSHOOT program ls\n", Head::Program("ls")),
            (b"\x7fOFFSHOOT program \xff\n", Head::Other),
            (b"#!/bin/sh\necho", Head::Script(b"/bin/sh", None)),
            (b"#! /bin/awk -f\n", Head::Script(b"/bin/awk", Some(b"-f"))),
            (
                b"#!/usr/bin/env  a b c \nx",
                Head::Script(b"/usr/bin/env", Some(b"a b c")),
            ),
            (b"#!\n/bin/sh", Head::Other),
            (b"#!", Head::Other),
            (b"echo hi\n", Head::Other),
            (b"\0asm\x0d\0\x01\0", Head::Other),
            (b"", Head::Other),
        ];
        for (bytes, expected) in cases {
            assert_eq!(parse(bytes), *expected, "{}", bytes.escape_ascii());
        }
    }

    #[test]
    fn a_marker_names_its_program() {
        assert_eq!(parse(&marker("tr")), Head::Program("tr"));
    }
}
