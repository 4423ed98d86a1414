//! The columns: what each prints, and the sets of them.

/// How a column is laid out.
pub(super) struct Column {
    /// The names under which `-o` knows it.
    pub(super) names: &'static [&'static str],
    /// The heading.
    pub(super) title: &'static str,
    /// The width; 0 is that of a process number.
    pub(super) width: usize,
    /// Whether values are aligned to the right.
    pub(super) right: bool,
}

/// A column whose values are aligned to the left.
const fn left(names: &'static [&'static str], title: &'static str, width: usize) -> Column {
    Column {
        names,
        title,
        width,
        right: false,
    }
}

/// A column whose values are aligned to the right.
const fn right(names: &'static [&'static str], title: &'static str, width: usize) -> Column {
    Column {
        names,
        title,
        width,
        right: true,
    }
}

/// The columns; a width of 0 is that of a process number.
const COLUMNS: &[Column] = &[
    right(&["%cpu", "pcpu"], "%CPU", 4),
    right(&["%mem", "pmem"], "%MEM", 4),
    left(&["args", "command"], "COMMAND", 27),
    left(&["cmd"], "CMD", 27),
    left(&["comm", "ucomm"], "COMMAND", 15),
    left(&["ucmd"], "CMD", 15),
    left(&["fname"], "COMMAND", 8),
    right(&["c"], "C", 2),
    left(&["class"], "CLS", 3),
    right(&["cls"], "CLS", 3),
    right(&["cputime", "time"], "TIME", 8),
    right(&["bsdtime"], "TIME", 6),
    right(&["egid"], "EGID", 5),
    left(&["egroup"], "EGROUP", 8),
    right(&["etime"], "ELAPSED", 11),
    right(&["etimes"], "ELAPSED", 7),
    right(&["euid"], "EUID", 5),
    left(&["euser"], "EUSER", 8),
    left(&["f", "flag", "flags"], "F", 1),
    right(&["gid"], "GID", 5),
    left(&["group"], "GROUP", 8),
    right(&["lstart"], "STARTED", 24),
    right(&["lwp"], "LWP", 0),
    right(&["tid"], "TID", 0),
    right(&["ni", "nice"], "NI", 3),
    right(&["nlwp"], "NLWP", 4),
    right(&["pgid"], "PGID", 0),
    right(&["pgrp"], "PGRP", 0),
    right(&["pid"], "PID", 0),
    right(&["ppid"], "PPID", 0),
    right(&["pri"], "PRI", 3),
    right(&["opri"], "PRI", 3),
    right(&["psr"], "PSR", 3),
    right(&["rgid"], "RGID", 5),
    left(&["rgroup"], "RGROUP", 8),
    right(&["rss", "rssize"], "RSS", 5),
    right(&["ruid"], "RUID", 5),
    left(&["ruser"], "RUSER", 8),
    left(&["s", "state"], "S", 1),
    right(&["sess"], "SESS", 0),
    right(&["sid"], "SID", 0),
    right(&["size"], "SIZE", 5),
    right(&["start"], "STARTED", 8),
    right(&["start_time"], "START", 5),
    right(&["bsdstart"], "START", 6),
    left(&["stat"], "STAT", 4),
    right(&["stime"], "STIME", 5),
    right(&["sz"], "SZ", 5),
    right(&["thcount"], "THCNT", 5),
    left(&["tname"], "TTY", 8),
    left(&["tt", "tty"], "TT", 8),
    right(&["uid"], "UID", 5),
    left(&["uid_hack"], "UID", 8),
    left(&["user", "uname"], "USER", 8),
    right(&["vsz", "vsize"], "VSZ", 6),
    left(&["wchan"], "WCHAN", 6),
    left(&["addr"], "ADDR", 1),
];

/// The columns without options; `NAME=TITLE` changes a heading.
pub(super) const PLAIN: &str = "pid,tname,time,cmd=CMD";

/// The columns of `-f`.
pub(super) const FULL: &str = "uid_hack,pid,ppid,c,stime,tname,time,cmd";

/// The columns of `-l`.
pub(super) const LONG: &str = "f,s,uid,pid,ppid,c,opri,ni,addr,sz,wchan,tname,time,cmd=CMD";

/// The columns of `-j`.
pub(super) const JOBS: &str = "pid,pgid,sid,tname,time,cmd=CMD";

/// The columns of `u`.
pub(super) const USER: &str = "user,pid,pcpu,pmem,vsz,rss,tname,stat,start_time,bsdtime,args";

/// The columns where options have no dash.
pub(super) const BSD: &str = "pid,tname,stat,bsdtime,args";

/// A column that was asked for, with its title.
pub(super) struct Shown {
    /// The column.
    pub(super) column: &'static Column,
    /// The heading; an empty one for `-o NAME=`.
    pub(super) title: String,
}

/// The column that `-o` knows under a name.
pub(super) fn column(name: &str) -> Option<&'static Column> {
    COLUMNS.iter().find(|column| column.names.contains(&name))
}
