//! The locale of the process.

/// Whether the locale's characters are UTF-8.
pub fn is_utf8() -> bool {
    let set = |name: &&str| std::env::var_os(name).is_some_and(|value| !value.is_empty());
    let name = ["LC_ALL", "LC_CTYPE", "LANG"].into_iter().find(set);
    name.and_then(std::env::var_os).is_some_and(|value| {
        let value = value.to_string_lossy().to_ascii_lowercase();
        value.ends_with("utf-8") || value.ends_with("utf8")
    })
}
