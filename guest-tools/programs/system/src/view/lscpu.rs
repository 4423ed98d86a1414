//! `lscpu`, as in util-linux: the processors that `/proc/cpuinfo` has, each a core of its own in one socket.

use crate::call::{Call, bytes};
use crate::options::{self, Opt, Syntax, Value};
use crate::output::Output;
use crate::quote;
use crate::uname;

const SYNTAX: Syntax = Syntax {
    usage: "Usage:\n lscpu [options]\n\nOptions:\n -J, --json              use JSON\n -p, --parse[=<list>]    print out a parsable format\n -x, --hex               print hexadecimal masks rather than lists of CPUs\n",
    options: &[
        Opt("J", "json", Value::No),
        Opt("p", "parse", Value::Optional),
        Opt("x", "hex", Value::No),
    ],
    permute: true,
    status: 1,
};

/// Runs `lscpu`.
pub fn lscpu(call: &Call) -> i32 {
    let parsed = match options::parse(call, &SYNTAX) {
        Ok(parsed) => parsed,
        Err(status) => return status,
    };
    if let Some(extra) = parsed.operands.first() {
        return options::usage_error(call, &SYNTAX, bytes!("bad usage: ", quote::word(extra)));
    }
    let info = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let count = info
        .lines()
        .filter(|line| line.starts_with("processor"))
        .count();
    let mut out = Output::new();
    if let Some(list) = parsed.value("p") {
        let list = list.strip_prefix(b"=").unwrap_or(list);
        let columns = match columns(list) {
            Ok(columns) => columns,
            Err(name) => return call.fail(1, bytes!("unknown column: ", name)),
        };
        out.put(
            "# The following is the parsable format, which can be fed to other\n\
             # programs. Each different item in every column has an unique ID\n\
             # starting usually from zero.\n",
        );
        let names: Vec<&str> = columns.iter().map(|(name, _)| *name).collect();
        out.line(format!("# {}", names.join(",")));
        for cpu in 0..count {
            let cells: Vec<String> = columns.iter().map(|(_, cell)| cell(cpu)).collect();
            out.line(cells.join(","));
        }
        return out.finish(&call.name, 0, 1);
    }
    let rows = rows(&info, count);
    if parsed.has("J") {
        out.put("{\n   \"lscpu\": [\n      {\n");
        let cells = rows.iter().map(|(field, data)| {
            format!("         \"field\": \"{field}\",\n         \"data\": \"{data}\"\n")
        });
        out.put(cells.collect::<Vec<_>>().join("      },{\n"));
        out.put("      }\n   ]\n}\n");
    } else {
        let width = rows.iter().map(|(field, _)| field.len()).max().unwrap_or(0);
        for (field, data) in &rows {
            out.line(format!("{field:<width$} {data}", width = width + 1));
        }
    }
    out.finish(&call.name, 0, 1)
}

/// A column of `-p`: its name, and what it says of a processor.
type Column = (&'static str, fn(usize) -> String);

/// The columns that a list names in any case, or the usual ones; `Err` is a name that is none.
fn columns(list: &[u8]) -> Result<Vec<Column>, Vec<u8>> {
    const ALL: [Column; 5] = [
        ("CPU", |cpu| cpu.to_string()),
        ("Core", |cpu| cpu.to_string()),
        ("Socket", |_| "0".to_owned()),
        ("Node", |_| "0".to_owned()),
        ("Online", |_| "Y".to_owned()),
    ];
    if list.is_empty() {
        return Ok(ALL[..4].to_vec());
    }
    let find = |name: &[u8]| {
        let mut all = ALL.into_iter();
        let found = all.find(|(known, _)| known.as_bytes().eq_ignore_ascii_case(name));
        found.ok_or_else(|| name.to_vec())
    };
    list.split(|&byte| byte == b',').map(find).collect()
}

/// The lines of the report: title and value. Vendor and model are left out where `/proc/cpuinfo` has none.
fn rows(info: &str, count: usize) -> Vec<(&'static str, String)> {
    let get = |name: &str| {
        let values = info.lines().filter_map(|line| line.split_once(':'));
        let mut values = values.filter(|(key, _)| key.trim() == name);
        values.next().map(|(_, value)| value.trim().to_owned())
    };
    let online = match count {
        0 | 1 => "0".to_owned(),
        _ => format!("0-{}", count - 1),
    };
    let mut rows = vec![
        ("Architecture:", uname::MACHINE.to_owned()),
        ("CPU op-mode(s):", "32-bit, 64-bit".to_owned()),
        ("Byte Order:", "Little Endian".to_owned()),
        ("CPU(s):", count.to_string()),
        ("On-line CPU(s) list:", online),
    ];
    let known = [("Vendor ID:", "vendor_id"), ("Model name:", "model name")];
    rows.extend(
        known
            .into_iter()
            .filter_map(|(title, name)| Some((title, get(name)?))),
    );
    rows.extend([
        ("Thread(s) per core:", "1".to_owned()),
        ("Core(s) per socket:", count.to_string()),
        ("Socket(s):", "1".to_owned()),
    ]);
    rows
}
