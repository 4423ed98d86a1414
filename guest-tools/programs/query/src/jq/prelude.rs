//! The functions that are written in the language itself, and the names of those that run their arguments.
//!
//! A definition is read when a program first uses it, so an unused one costs a string comparison at most. Definitions
//! are those of `jq` 1.8's `builtin.jq`; those that recurse or count in `jq` are native here (`special`).

use super::code::Special;

/// Name, number of arguments, and what it is. Several rows may share a `Special`, which then looks at its arguments.
const SPECIALS: &[(&str, usize, Special)] = &[
    ("empty", 0, Special::Empty),
    ("error", 0, Special::Error),
    ("error", 1, Special::Error),
    ("path", 1, Special::Path),
    ("getpath", 1, Special::GetPath),
    ("select", 1, Special::Select),
    ("recurse", 0, Special::Recurse),
    ("recurse", 1, Special::RecurseWith),
    ("recurse", 2, Special::RecurseWhile),
    ("range", 1, Special::Range),
    ("range", 2, Special::Range),
    ("range", 3, Special::Range),
    ("limit", 2, Special::Limit),
    ("skip", 2, Special::Skip),
    ("first", 1, Special::First),
    ("until", 2, Special::Until),
    ("while", 2, Special::While),
    ("repeat", 1, Special::Repeat),
    ("any", 2, Special::Any),
    ("all", 2, Special::All),
    ("isempty", 1, Special::IsEmpty),
    ("input", 0, Special::Input),
    ("inputs", 0, Special::Inputs),
    ("sort_by", 1, Special::SortBy),
    ("group_by", 1, Special::GroupBy),
    ("unique_by", 1, Special::UniqueBy),
    ("min_by", 1, Special::MinBy),
    ("max_by", 1, Special::MaxBy),
    ("debug", 0, Special::Debug),
    ("debug", 1, Special::DebugMessage),
    ("stderr", 0, Special::Stderr),
    ("input_line_number", 0, Special::InputLine),
    ("input_filename", 0, Special::InputFile),
    ("halt", 0, Special::Halt),
    ("halt_error", 0, Special::HaltError),
    ("halt_error", 1, Special::HaltError),
    ("builtins", 0, Special::Builtins),
    ("modulemeta", 0, Special::ModuleMeta),
];

/// Each definition, with its name and number of parameters. A definition is one `def`, complete with its semicolon.
const DEFINITIONS: &[(&str, usize, &str)] = &[
    ("map", 1, "def map(f): [.[] | f];"),
    ("map_values", 1, "def map_values(f): .[] |= f;"),
    ("values", 0, "def values: select(. != null);"),
    ("nulls", 0, "def nulls: select(. == null);"),
    ("booleans", 0, "def booleans: select(type == \"boolean\");"),
    ("numbers", 0, "def numbers: select(type == \"number\");"),
    ("strings", 0, "def strings: select(type == \"string\");"),
    ("arrays", 0, "def arrays: select(type == \"array\");"),
    ("objects", 0, "def objects: select(type == \"object\");"),
    (
        "iterables",
        0,
        "def iterables: select(type | . == \"array\" or . == \"object\");",
    ),
    (
        "scalars",
        0,
        "def scalars: select(type | . != \"array\" and . != \"object\");",
    ),
    (
        "finites",
        0,
        "def finites: select(isinfinite or isnan | not);",
    ),
    ("normals", 0, "def normals: select(isnormal);"),
    ("add", 1, "def add(f): reduce f as $x (null; . + $x);"),
    ("any", 0, "def any: any(.[]; .);"),
    ("all", 0, "def all: all(.[]; .);"),
    ("any", 1, "def any(f): any(.[]; f);"),
    ("all", 1, "def all(f): all(.[]; f);"),
    ("in", 1, "def in(xs): . as $x | xs | has($x);"),
    ("inside", 1, "def inside(xs): . as $x | xs | contains($x);"),
    (
        "with_entries",
        1,
        "def with_entries(f): to_entries | map(f) | from_entries;",
    ),
    ("del", 1, "def del(f): delpaths([path(f)]);"),
    ("paths", 0, "def paths: path(..) | select(length > 0);"),
    (
        "paths",
        1,
        "def paths(node_filter): . as $dot | paths | select(. as $p | $dot | getpath($p) | node_filter);",
    ),
    ("leaf_paths", 0, "def leaf_paths: paths(scalars);"),
    (
        "pick",
        1,
        "def pick(pathexps): . as $top | reduce path(pathexps) as $p (null; setpath($p; $top | getpath($p)));",
    ),
    ("first", 0, "def first: .[0];"),
    ("last", 0, "def last: .[-1];"),
    ("last", 1, "def last(f): reduce f as $x ([]; [$x]) | .[];"),
    ("nth", 1, "def nth($n): .[$n];"),
    (
        "nth",
        2,
        "def nth($n; f): if $n < 0 then error(\"nth doesn't support negative indices\") else first(skip($n; f)) end;",
    ),
    (
        "combinations",
        0,
        "def combinations: if length == 0 then [] else .[0][] as $x | (.[1:] | combinations) as $w | [$x] + $w end;",
    ),
    (
        "combinations",
        1,
        "def combinations(n): . as $dot | [range(n)] | map($dot) | combinations;",
    ),
    (
        "walk",
        1,
        "def walk(f): def w: if type == \"object\" then map_values(w) elif type == \"array\" then map(w) else . end | f; w;",
    ),
    ("env", 0, "def env: $ENV;"),
    ("todate", 0, "def todate: strftime(\"%Y-%m-%dT%H:%M:%SZ\");"),
    (
        "fromdateiso8601",
        0,
        "def fromdateiso8601: strptime(\"%Y-%m-%dT%H:%M:%SZ\") | mktime;",
    ),
    (
        "todateiso8601",
        0,
        "def todateiso8601: strftime(\"%Y-%m-%dT%H:%M:%SZ\");",
    ),
    ("fromdate", 0, "def fromdate: fromdateiso8601;"),
    ("date", 0, "def date: todate;"),
    ("dateadd", 2, "def dateadd(u; n): . + n;"),
    ("datesub", 2, "def datesub(u; n): . - n;"),
    (
        "match",
        1,
        "def match($val): ($val | type) as $vt | if $vt == \"string\" then match($val; null) elif $vt == \"array\" and ($val | length) > 1 then match($val[0]; $val[1]) elif $vt == \"array\" and ($val | length) > 0 then match($val[0]; null) else error($vt + \" not a string or array\") end;",
    ),
    (
        "match",
        2,
        "def match(re; $flags): _match(re; $flags; false) | .[];",
    ),
    (
        "test",
        1,
        "def test($val): ($val | type) as $vt | if $vt == \"string\" then test($val; null) elif $vt == \"array\" and ($val | length) > 1 then test($val[0]; $val[1]) elif $vt == \"array\" and ($val | length) > 0 then test($val[0]; null) else error($vt + \" not a string or array\") end;",
    ),
    ("test", 2, "def test(re; $flags): _match(re; $flags; true);"),
    ("capture", 1, "def capture($val): match($val) | _capture;"),
    (
        "capture",
        2,
        "def capture(re; $flags): match(re; $flags) | _capture;",
    ),
    ("scan", 1, "def scan($re): scan($re; null);"),
    (
        "scan",
        2,
        "def scan($re; $flags): match($re; \"g\" + $flags) | if (.captures | length) > 0 then [.captures | .[] | .string] else .string end;",
    ),
    (
        "split",
        2,
        "def split($re; $flags): . as $s | [foreach ((match($re; $flags + \"g\") | [.offset, .length]), null) as $m ([0, null]; if $m == null then [.[0], $s[.[0]:]] else [$m[0] + $m[1], $s[.[0]:$m[0]]] end; .[1])];",
    ),
    ("splits", 1, "def splits($re): splits($re; null);"),
    (
        "splits",
        2,
        "def splits($re; $flags): split($re; $flags) | .[];",
    ),
    ("sub", 2, "def sub(re; str): sub(re; str; \"\");"),
    (
        "sub",
        3,
        "def sub($re; str; $flags): . as $in | (reduce _match($re; $flags; false)[] as $edit ({result: [], previous: 0}; $in[.previous:$edit.offset] as $gap | [$edit | _capture | str] as $inserts | reduce range($inserts | length) as $ix (.; .result[$ix] += $gap + $inserts[$ix]) | .previous = $edit.offset + $edit.length)) | .result[] + $in[.previous:] // $in;",
    ),
    ("gsub", 2, "def gsub($re; str): sub($re; str; \"g\");"),
    (
        "gsub",
        3,
        "def gsub($re; str; $flags): sub($re; str; $flags + \"g\");",
    ),
    ("ascii", 0, "def ascii: [.] | implode;"),
    (
        "tostream",
        0,
        "def tostream: path(def r: (.[]? | r), .; r) as $p | getpath($p) | reduce path(.[]?) as $q ([$p, .]; [$p + $q]);",
    ),
    (
        "fromstream",
        1,
        "def fromstream(f): {x: null, e: false} as $init | foreach f as $i ($init; if .e then $init else . end | if $i | length == 2 then setpath([\"e\"]; $i[0] | length == 0) | setpath([\"x\"] + $i[0]; $i[1]) else setpath([\"e\"]; $i[0] | length == 1) end; if .e then .x else empty end);",
    ),
    (
        "truncate_stream",
        1,
        "def truncate_stream(stream): . as $n | null | stream | . as $input | if (.[0] | length) > $n then setpath([0]; .[0][$n:]) else empty end;",
    ),
    (
        "INDEX",
        2,
        "def INDEX(stream; idx_expr): reduce stream as $row ({}; .[$row | idx_expr | tostring] |= $row);",
    ),
    ("INDEX", 1, "def INDEX(idx_expr): INDEX(.[]; idx_expr);"),
    (
        "JOIN",
        2,
        "def JOIN($idx; idx_expr): [.[] | [., $idx[idx_expr]]];",
    ),
    (
        "JOIN",
        3,
        "def JOIN($idx; stream; idx_expr): stream | [., $idx[idx_expr]];",
    ),
    (
        "JOIN",
        4,
        "def JOIN($idx; stream; idx_expr; join_expr): stream | [., $idx[idx_expr]] | join_expr;",
    ),
    ("IN", 1, "def IN(s): any(s == .; .);"),
    ("IN", 2, "def IN(src; s): any(src == s; .);"),
    ("have_literal_numbers", 0, "def have_literal_numbers: true;"),
    ("have_decnum", 0, "def have_decnum: true;"),
    ("get_search_list", 0, "def get_search_list: $__search_list;"),
    ("add", 0, "def add: reduce .[] as $x (null; . + $x);"),
    (
        "_capture",
        0,
        "def _capture: [.captures | .[] | select(.name != null) | {key: .name, value: .string}] | from_entries;",
    ),
];

/// The function of that name and arity that runs its arguments itself.
pub fn special(name: &str, arity: usize) -> Option<Special> {
    SPECIALS
        .iter()
        .find(|entry| (entry.0, entry.1) == (name, arity))
        .map(|entry| entry.2)
}

/// The text of the definition of that name and arity.
pub fn definition(name: &str, arity: usize) -> Option<&'static str> {
    DEFINITIONS
        .iter()
        .find(|entry| (entry.0, entry.1) == (name, arity))
        .map(|entry| entry.2)
}

/// All names here as `NAME/ARITY`, as `builtins` gives them.
pub fn names() -> impl Iterator<Item = String> {
    let special = SPECIALS
        .iter()
        .map(|(name, arity, _)| format!("{name}/{arity}"));
    special.chain(
        DEFINITIONS
            .iter()
            .map(|(name, arity, _)| format!("{name}/{arity}")),
    )
}
