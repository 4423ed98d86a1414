//! The listings of `unzip` and `zipinfo`, column by column as UnZip 6.0 prints them. Sizes are in bytes; times are
//! the local ones of the DOS fields, whatever the extra fields say.

use ::zip::CompressionMethod;

use super::{Member, percent};
use crate::call::bytes;
use crate::output::Output;
use crate::system::{Kind, Stat, Time};

/// The method as `unzip -v` shows it.
fn method(member: &Member) -> &'static str {
    match member.method {
        CompressionMethod::Stored => "Stored",
        CompressionMethod::Deflated => "Defl:N",
        _ => "Unk",
    }
}

/// `unzip -l`, and with more columns `unzip -v`. From `-qq` on there is neither head nor sum.
///
/// ```text
///   Length      Date    Time    Name
/// ---------  ---------- -----   ----
///         6  2024-05-01 10:00   a.txt
/// ---------                     -------
///         6                     1 file
/// ```
pub fn table(members: &[&Member], verbose: bool, quiet: u8, out: &mut Output) {
    if quiet < 2 {
        out.put(if verbose {
            " Length   Method    Size  Cmpr    Date    Time   CRC-32   Name\n--------  ------  ------- ---- ---------- ----- --------  ----\n"
        } else {
            "  Length      Date    Time    Name\n---------  ---------- -----   ----\n"
        });
    }
    let (mut size, mut packed) = (0, 0);
    for member in members {
        size = member.size.saturating_add(size);
        packed = member.packed.saturating_add(packed);
        let [year, month, day, hour, minute, _] = member.date;
        let date = format!("{year:04}-{month:02}-{day:02} {hour:02}:{minute:02}");
        let line = if verbose {
            format!(
                "{:8}  {}{:9} {:3}% {date} {:08x}  ",
                member.size,
                method(member),
                member.packed,
                percent(member.size, member.packed),
                member.crc
            )
        } else {
            format!("{:9}  {date}   ", member.size)
        };
        out.line(bytes!(line, member.name));
    }
    if quiet >= 2 {
        return;
    }
    let count = members.len();
    let plural = if count == 1 { "" } else { "s" };
    out.put(if verbose {
        format!(
            "--------          -------  ---                            -------\n{size:8}         {packed:8} {:3}%                            {count} file{plural}\n",
            percent(size, packed)
        )
    } else {
        format!("---------                     -------\n{size:9}                     {count} file{plural}\n")
    });
}

/// One line of `zipinfo`. `extra` is the letter of the format: `s` short, `m` with the ratio, `l` with the packed
/// size.
///
/// ```text
/// -rw-r--r--  3.0 unx        6 tx stor 24-May-01 10:00 a.txt
/// ```
///
/// Behind the size `t` or `b` tells text from binary, a capital means encrypted; the next letter is `x` where there
/// are extra fields.
pub fn line(member: &Member, extra: u8, out: &mut Output) {
    const MONTHS: [&str; 12] = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ];
    let mode = member.mode.unwrap_or(if member.is_directory() {
        0o40_755
    } else {
        0o100_644
    });
    let kind = match mode & 0o170_000 {
        0o040_000 => Kind::Directory,
        0o120_000 => Kind::Symlink,
        0o010_000 => Kind::Fifo,
        _ if member.is_directory() => Kind::Directory,
        _ => Kind::Regular,
    };
    let stat = Stat {
        kind,
        device: 0,
        inode: 0,
        mode: mode & 0o7777,
        links: 1,
        uid: 0,
        gid: 0,
        size: 0,
        blocks: 0,
        accessed: Time::default(),
        modified: Time::default(),
        changed: Time::default(),
        created: Time::default(),
    };
    let [year, month, day, hour, minute, _] = member.date;
    let text = match (member.is_text, member.is_encrypted) {
        (true, false) => 't',
        (false, false) => 'b',
        (true, true) => 'T',
        (false, true) => 'B',
    };
    let method = match member.method {
        CompressionMethod::Stored => "stor",
        CompressionMethod::Deflated => "defN",
        _ => "u???",
    };
    let packed = match extra {
        b'm' => format!(" {:3}%", percent(member.size, member.packed)),
        b'l' => format!(" {:8}", member.packed),
        _ => String::new(),
    };
    let text = format!(
        "{}  {}.{} {} {:8} {text}{}{packed} {method} {:02}-{}-{day:02} {hour:02}:{minute:02} ",
        stat.permissions(),
        member.version.0,
        member.version.1,
        if member.unix { "unx" } else { "fat" },
        member.size,
        if member.has_extra { 'x' } else { '-' },
        year % 100,
        MONTHS[usize::from(month.clamp(1, 12)) - 1],
    );
    out.line(bytes!(text, member.name));
}

/// The last line of `zipinfo`: number, sizes, and how much is saved in per cent with one decimal.
pub fn totals(members: &[&Member], out: &mut Output) {
    // What the archive claims may be more than there can be.
    let sum = |of: fn(&Member) -> u64| {
        let sizes = members.iter().map(|member| of(member));
        sizes.fold(0, u64::saturating_add)
    };
    let (size, packed) = (sum(|member| member.size), sum(|member| member.packed));
    let count = members.len();
    let plural = if count == 1 { "" } else { "s" };
    let saved = if size == 0 {
        0.0
    } else {
        let saved = i128::from(size) - i128::from(packed);
        (1000.0 * saved as f64 / size as f64).round() / 10.0
    };
    out.line(format!(
        "{count} file{plural}, {size} bytes uncompressed, {packed} bytes compressed:  {saved:.1}%"
    ));
}
