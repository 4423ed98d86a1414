//! `multipart/form-data`, as `curl -F` builds it (RFC 7578).

/// One field.
pub(super) struct Field {
    pub(super) name: String,
    pub(super) content: Vec<u8>,
    pub(super) file_name: Option<String>,
    pub(super) content_type: Option<String>,
}

/// What a value of `-F` asks for, before files are read.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Specification<'a> {
    pub(super) name: &'a str,
    /// The text itself, or the name of a file.
    pub(super) value: &'a str,
    /// Read from a file.
    pub(super) reads: bool,
    /// Sent as a file with a name of its own.
    pub(super) attaches: bool,
    pub(super) content_type: Option<&'a str>,
    pub(super) file_name: Option<&'a str>,
}

/// Reads `name=value`, `name=@file`, `name=<file`, with `;type=` and `;filename=`.
pub(super) fn specification(text: &str) -> Option<Specification<'_>> {
    let (name, value) = text.split_once('=')?;
    let (reads, attaches) = (value.starts_with(['@', '<']), value.starts_with('@'));
    let value = if reads { &value[1..] } else { value };
    let mut parts = value.split(';');
    let mut found = Specification {
        name,
        value: parts.next().unwrap_or_default(),
        reads,
        attaches,
        content_type: None,
        file_name: None,
    };
    for part in parts {
        if let Some(given) = part.trim_start().strip_prefix("type=") {
            found.content_type = Some(given);
        } else if let Some(given) = part.trim_start().strip_prefix("filename=") {
            found.file_name = Some(given.trim_matches('"'));
        } else {
            // A semicolon of the text itself.
            found.value = value;
            break;
        }
    }
    Some(found)
}

/// The same without a meaning for `@`, `<` and `;`.
pub(super) fn literal(text: &str) -> Option<Specification<'_>> {
    let (name, value) = text.split_once('=')?;
    Some(Specification {
        name,
        value,
        reads: false,
        attaches: false,
        content_type: None,
        file_name: None,
    })
}

/// The body, and the value of its `Content-Type`.
pub(super) fn body(fields: &[Field]) -> (Vec<u8>, String) {
    let boundary = boundary(fields);
    let mut out = Vec::new();
    for field in fields {
        out.extend_from_slice(format!("--{boundary}\r\n").as_bytes());
        out.extend_from_slice(head(field).as_bytes());
        out.extend_from_slice(b"\r\n\r\n");
        out.extend_from_slice(&field.content);
        out.extend_from_slice(b"\r\n");
    }
    out.extend_from_slice(format!("--{boundary}--\r\n").as_bytes());
    (out, format!("multipart/form-data; boundary={boundary}"))
}

fn head(field: &Field) -> String {
    let mut head = format!(
        "Content-Disposition: form-data; name=\"{}\"",
        quoted(&field.name)
    );
    if let Some(name) = &field.file_name {
        head.push_str(&format!("; filename=\"{}\"", quoted(name)));
    }
    let kind = match (&field.content_type, &field.file_name) {
        (Some(kind), _) => Some(kind.replace(['\r', '\n'], " ")),
        (None, Some(name)) => Some(type_of(name).to_owned()),
        (None, None) => None,
    };
    if let Some(kind) = kind {
        head.push_str(&format!("\r\nContent-Type: {kind}"));
    }
    head
}

/// As browsers write names: nothing ends the quoted text.
fn quoted(text: &str) -> String {
    text.replace('"', "%22")
        .replace('\r', "%0D")
        .replace('\n', "%0A")
}

/// The types that curl knows by the ending of a name.
fn type_of(name: &str) -> &'static str {
    let ending = name
        .rsplit_once('.')
        .map(|(_, ending)| ending.to_ascii_lowercase());
    match ending.as_deref() {
        Some("gif") => "image/gif",
        Some("jpg" | "jpeg") => "image/jpeg",
        Some("png") => "image/png",
        Some("svg") => "image/svg+xml",
        Some("txt") => "text/plain",
        Some("htm" | "html") => "text/html",
        Some("pdf") => "application/pdf",
        Some("xml") => "application/xml",
        _ => "application/octet-stream",
    }
}

/// A line that no field contains.
fn boundary(fields: &[Field]) -> String {
    let mut number = 0_u64;
    loop {
        let boundary = format!("------------------------{number:016x}");
        let line = boundary.as_bytes();
        let taken = |field: &Field| field.content.windows(line.len()).any(|part| part == line);
        if !fields.iter().any(taken) {
            return boundary;
        }
        number += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_body_is_as_curl_writes_it() {
        let field = |name: &str, content: &str, file: Option<&str>| Field {
            name: name.to_owned(),
            content: content.as_bytes().to_vec(),
            file_name: file.map(str::to_owned),
            content_type: None,
        };
        let (body, kind) = body(&[field("a", "1", None), field("f", "x\n", Some("n\".txt"))]);
        assert_eq!(
            kind,
            "multipart/form-data; boundary=------------------------0000000000000000"
        );
        let expected = "--------------------------0000000000000000\r\n\
            Content-Disposition: form-data; name=\"a\"\r\n\r\n1\r\n\
            --------------------------0000000000000000\r\n\
            Content-Disposition: form-data; name=\"f\"; filename=\"n%22.txt\"\r\n\
            Content-Type: text/plain\r\n\r\nx\n\r\n\
            --------------------------0000000000000000--\r\n";
        assert_eq!(String::from_utf8(body).unwrap(), expected);
    }

    #[test]
    fn specifications_are_read() {
        let found = specification("f=@x.bin;type=image/png;filename=y.png").unwrap();
        assert!(found.reads && found.attaches);
        assert_eq!(
            (found.value, found.content_type, found.file_name),
            ("x.bin", Some("image/png"), Some("y.png"))
        );
        assert_eq!(specification("a=b;c").unwrap().value, "b;c");
        assert_eq!(literal("a=@b;type=c").unwrap().value, "@b;type=c");
        assert!(specification("nothing").is_none());
    }
}
