//! Bodies of several parts, as forms have them.

const BOUNDARY: &str = "offshoot-of-the-service";
/// The kind of a body that [`add`] and [`end`] make.
pub const KIND: &str = "multipart/form-data; boundary=offshoot-of-the-service";

/// The names and contents of a request's parts.
pub fn parts(head: &str, body: &[u8]) -> Vec<(String, Vec<u8>)> {
    let (_, boundary) = head.split_once("boundary=").unwrap();
    let boundary = boundary.lines().next().unwrap().trim().trim_matches('"');
    let begin = format!("--{boundary}\r\n").into_bytes();
    let between = format!("\r\n--{boundary}").into_bytes();
    let mut rest = body.strip_prefix(&begin[..]).unwrap();
    let mut parts = Vec::new();
    loop {
        let empty = find(rest, b"\r\n\r\n").unwrap();
        let head = String::from_utf8(rest[..empty].to_vec()).unwrap();
        let content = &rest[empty + 4..];
        let end = find(content, &between).unwrap();
        let (_, name) = head.split_once("name=\"").unwrap();
        let (name, _) = name.split_once('"').unwrap();
        parts.push((name.to_owned(), content[..end].to_vec()));
        rest = &content[end + between.len()..];
        match rest.strip_prefix(b"\r\n") {
            Some(next) => rest = next,
            None => return parts,
        }
    }
}

fn find(text: &[u8], part: &[u8]) -> Option<usize> {
    let mut from = 0;
    while let Some(at) = text[from..].iter().position(|byte| *byte == part[0]) {
        if text[from + at..].starts_with(part) {
            return Some(from + at);
        }
        from += at + 1;
    }
    None
}

pub fn add(body: &mut Vec<u8>, name: &str, file: &str, content: &[u8]) {
    let file: String = file.bytes().map(|byte| format!("%{byte:02X}")).collect();
    let head = format!(
        "--{BOUNDARY}\r\nContent-Disposition: form-data; name=\"{name}\"; \
         filename*=UTF-8''{file}\r\nContent-Type: application/octet-stream\r\n\r\n"
    );
    body.extend_from_slice(head.as_bytes());
    body.extend_from_slice(content);
    body.extend_from_slice(b"\r\n");
}

pub fn end(body: &mut Vec<u8>) {
    body.extend_from_slice(format!("--{BOUNDARY}--\r\n").as_bytes());
}
