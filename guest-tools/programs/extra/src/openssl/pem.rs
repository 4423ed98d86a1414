//! PEM: base64 between lines that say what it is.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;

use crate::call::bytes;

/// One block of a file.
pub struct Block {
    /// `CERTIFICATE`, `PRIVATE KEY` and so on.
    pub label: Vec<u8>,
    /// The lines above the content, as `DEK-Info: AES-128-CBC,…`.
    pub headers: Vec<Vec<u8>>,
    pub content: Vec<u8>,
}

/// The blocks of a text, with what stands between them left out.
pub fn blocks(text: &[u8]) -> Vec<Block> {
    let mut found = Vec::new();
    let mut open: Option<Block> = None;
    let mut digits: Vec<u8> = Vec::new();
    for line in text.split(|&byte| byte == b'\n') {
        let line = line.trim_ascii();
        let bar = |start: &[u8]| {
            let label = line.strip_prefix(start)?.strip_suffix(b"-----")?;
            Some(label.to_vec())
        };
        if let Some(label) = bar(b"-----BEGIN ") {
            digits.clear();
            open = Some(Block {
                label,
                headers: Vec::new(),
                content: Vec::new(),
            });
        } else if bar(b"-----END ").is_some() {
            if let (Some(mut block), Ok(content)) = (open.take(), STANDARD.decode(&digits)) {
                block.content = content;
                found.push(block);
            }
        } else if let Some(block) = &mut open {
            if line.contains(&b':') {
                block.headers.push(line.to_vec());
            } else {
                digits.extend_from_slice(line);
            }
        }
    }
    found
}

/// A block as text.
pub fn block(label: &str, content: &[u8]) -> Vec<u8> {
    let (begin, end) = (
        format!("-----BEGIN {label}-----\n"),
        format!("-----END {label}-----\n"),
    );
    bytes!(begin, wrapped(content), end)
}

/// Base64 in lines of 64 characters.
pub fn wrapped(content: &[u8]) -> Vec<u8> {
    let text = STANDARD.encode(content).into_bytes();
    text.chunks(64)
        .flat_map(|line| bytes!(line, "\n"))
        .collect()
}
