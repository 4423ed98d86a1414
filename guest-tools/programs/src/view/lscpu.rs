//! `lscpu`: the processors that the sandbox has.

use crate::call::{Call, bytes};
use crate::options::{self, Opt, Syntax, Value};
use crate::output::Output;
use crate::quote;
use crate::uname;

const SYNTAX: Syntax = Syntax {
    usage: "Usage:\n lscpu [options]\n\nOptions:\n -J, --json     use JSON\n -p, --parse    print out a parsable format\n",
    options: &[
        Opt("J", "json", Value::No),
        Opt("p", "parse", Value::No),
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
    if parsed.has("p") {
        out.put(
            "# The following is the parsable format, which can be fed to other\n\
             # programs. Each different item in every column has an unique ID\n\
             # starting usually from zero.\n# CPU,Core,Socket,Node\n",
        );
        (0..count).for_each(|cpu| out.line(format!("{cpu},{cpu},0,0")));
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
