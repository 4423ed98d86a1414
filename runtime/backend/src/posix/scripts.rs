//! The scripts. `$1` is the root, empty for `/`; `$2` the absolute path.

/// Statuses that stand for errors; no tool used here ends with them.
pub(super) const NOT_FOUND: u8 = 40;
pub(super) const CONFLICT: u8 = 41;
pub(super) const ESCAPE: u8 = 42;

/// What all scripts begin with.
///
/// `real` puts into `t` where a path really leads, or nothing where a part before the last is
/// missing or links form a loop; `$(…)` alone would cut newlines from the end of a name.
/// `inside` ends the script where a directory is not the root or below it. `enter` changes into a
/// directory and then has a process ask the kernel where that is: bash's own `pwd -P` answers what
/// `cd` read from the links before it went. `single` ends it for a file that has a name outside too.
pub(super) const COMMON: &str = r#"
LC_ALL=C; export LC_ALL
R=$1 P=$2 N='
'
real() { t=$(readlink -f -- "$1" 2>/dev/null && echo x); t=${t%"${N}x"}; }
inside() { case $1/ in "$R"/*) ;; *) exit 42;; esac; }
enter() {
  [ -d "$1" ] || { [ -e "$1" ] && exit 41; exit 40; }
  cd -P -- "$1" || exit 43
  t=$(env pwd -P && echo x); t=${t%"${N}x"}; inside "$t"
}
parent() { d=${P%/*}; n=${P##*/}; enter "${d:-/}"; }
single() {
  c=$(stat -L -c %h -- "$1") || exit 43
  [ "$c" -gt 1 ] || return 0
  i=$(stat -L -c %i -- "$1")
  s=$(find "${R:-/}" -xdev -inum "$i" -exec printf . \; 2>/dev/null)
  [ "${#s}" -ge "$c" ] || exit 42
}
target() {
  real "$P"
  if [ -n "$t" ]; then inside "$t"; elif [ -L "$P" ]; then exit 41; fi
}
"#;

/// Writes the contents through `$3`, which is `cat` or `base64`. What was opened is judged, not
/// what the name led to before.
///
/// With `$4` it writes at most `$5` bytes from the byte `$4` on, the first being 1, and to standard error
/// what tells whether it was the same file and content all the while.
pub(super) const READ: &str = r#"
target
[ -e "$P" ] || exit 40
[ -f "$P" ] || exit 41
exec 3<"$P" || exit 43
f=$P
if [ -e /proc/self/fd/3 ]; then
  f=/proc/self/fd/3
  t=$(readlink "$f" && echo x); t=${t%"${N}x"}; inside "$t"
  single "$f"
fi
if [ -n "$4" ]; then
  stat -L -c '%d %i %s %Y %Z' -- "$f" >&2
  tail -c "+$4" <&3 | head -c "$5" | "$3"
else
  "$3" <&3
fi
"#;

/// Replaces a file by standard input, or by the file `$3`.
pub(super) const WRITE: &str = r#"
if [ -n "$3" ]; then exec <"$3" || exit 43; rm -f -- "$3"; fi
target
[ -L "$P" ] && [ -n "$t" ] && P=$t
parent
m=
if [ -d "./$n" ]; then exit 41; fi
if [ -e "./$n" ]; then
  [ -f "./$n" ] || exit 41
  single "./$n"
  m=$(stat -L -c %a -- "./$n")
fi
f=./.offshoot-$$-write
cat >"$f" || { rm -f -- "$f"; exit 44; }
[ -z "$m" ] || chmod "$m" "$f"
mv -f -- "$f" "./$n" || { rm -f -- "$f"; exit 43; }
"#;

/// Appends the decoded `$3` to a new file of ours.
pub(super) const APPEND: &str = r#"
printf %s "$3" | base64 -d >>"$P" || exit 44
"#;

/// Writes mode, size, times and whether the path itself is a link.
pub(super) const STAT: &str = r#"
target
[ -n "$t" ] && [ -e "$t" ] || exit 40
l=no; [ -L "$P" ] && l=link
s=$(stat -L -c '%f %s %Y %Z %X' -- "$t") || exit 43
echo "$s $l"
"#;

/// Writes the names, a NUL after each, through `$3`.
pub(super) const READDIR: &str = r#"
target
[ -e "$P" ] || exit 40
enter "$P"
find . -mindepth 1 -maxdepth 1 -print0 | "$3"
"#;

/// Makes one directory.
pub(super) const MKDIR: &str = r#"
target
if [ -e "$P" ] || [ -L "$P" ]; then exit 41; fi
parent
mkdir -- "./$n" || exit 43
"#;

/// Makes a directory with its parents: from the nearest that exists, which is judged.
pub(super) const MKDIR_PARENTS: &str = r#"
a=$P
while [ ! -e "$a" ] && [ ! -L "$a" ]; do a=${a%/*}; done
P2=$P; P=$a; target; P=$P2
[ -d "$a" ] || exit 41
enter "$a"
r=${P#"$a"}; r=${r#/}
[ -z "$r" ] || mkdir -p -- "./$r" || exit 43
"#;

/// Removes a name; a directory only where `$3` is set.
pub(super) const RM: &str = r#"
parent
if [ ! -e "./$n" ] && [ ! -L "./$n" ]; then exit 40; fi
if [ -d "./$n" ] && [ ! -L "./$n" ]; then
  [ -n "$3" ] || exit 41
  rm -rf -- "./$n" || exit 43
else
  rm -f -- "./$n" || exit 43
fi
"#;
