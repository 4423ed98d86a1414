//! Paths as text.

/// `path` made absolute against `directory`.
pub fn absolute(directory: &[u8], path: &[u8]) -> Vec<u8> {
    if path.first() == Some(&b'/') {
        return path.to_vec();
    }
    let mut full = directory.to_vec();
    if full.last() != Some(&b'/') {
        full.push(b'/');
    }
    full.extend_from_slice(path);
    full
}
