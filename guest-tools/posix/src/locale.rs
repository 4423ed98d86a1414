//! The locale of the process, or of the run where commands are linked in.

#[cfg(feature = "linked")]
use std::cell::Cell;

#[cfg(feature = "linked")]
thread_local! {
    static UTF8: Cell<bool> = const { Cell::new(false) };
}

/// Says whether the characters of the run that begins are UTF-8.
#[cfg(feature = "linked")]
pub fn set_utf8(utf8: bool) {
    UTF8.set(utf8);
}

/// Whether the locale's characters are UTF-8.
#[cfg(feature = "linked")]
pub fn is_utf8() -> bool {
    UTF8.get()
}

/// Whether the locale's characters are UTF-8.
#[cfg(not(feature = "linked"))]
pub fn is_utf8() -> bool {
    names_utf8(std::env::var_os)
}

/// Whether the variables that name a locale name one of UTF-8.
pub fn names_utf8<V: AsRef<std::ffi::OsStr>>(variable: impl Fn(&'static str) -> Option<V>) -> bool {
    let set = |name| variable(name).filter(|value| !value.as_ref().is_empty());
    let name = ["LC_ALL", "LC_CTYPE", "LANG"].into_iter().find_map(set);
    name.is_some_and(|value| {
        let value = value.as_ref().to_string_lossy().to_ascii_lowercase();
        value.ends_with("utf-8") || value.ends_with("utf8")
    })
}
