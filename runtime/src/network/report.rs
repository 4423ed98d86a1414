//! What `curl` tells about an exchange: header lines, and the text of `--write-out`.

use offshoot_network::Response;
use offshoot_network::http::{Method, Version};
use std::fmt::Write;
use std::time::Duration;

/// What is known at the end.
#[derive(Debug, Default)]
pub(super) struct Summary {
    pub(super) status: u16,
    pub(super) version: String,
    pub(super) method: String,
    pub(super) url: String,
    pub(super) effective_url: String,
    pub(super) content_type: String,
    pub(super) redirect_url: String,
    pub(super) redirects: usize,
    pub(super) downloaded: u64,
    pub(super) uploaded: usize,
    pub(super) header_bytes: usize,
    pub(super) headers: Vec<(String, String)>,
    pub(super) file: String,
    pub(super) total: Duration,
    pub(super) exit: u8,
    pub(super) message: String,
}

/// The version as curl names it: `1.1`, `2`.
pub(super) fn version(version: Version) -> &'static str {
    match version {
        Version::HTTP_09 => "0.9",
        Version::HTTP_10 => "1.0",
        Version::HTTP_2 => "2",
        Version::HTTP_3 => "3",
        _ => "1.1",
    }
}

/// The headers of an answer as lines, with the empty one at the end.
pub(super) fn header_lines(response: &Response) -> Vec<u8> {
    let mut lines = format!("HTTP/{} {}", version(response.version), response.status);
    if response.version < Version::HTTP_2 {
        let _ = write!(lines, " {}", reason(response.status));
    } else {
        lines.push(' ');
    }
    lines.push_str("\r\n");
    let mut lines = lines.into_bytes();
    for (name, value) in &response.headers {
        match response.version < Version::HTTP_2 {
            true => lines.extend_from_slice(title_case(name.as_str()).as_bytes()),
            false => lines.extend_from_slice(name.as_str().as_bytes()),
        }
        lines.extend_from_slice(b": ");
        lines.extend_from_slice(value.as_bytes());
        lines.extend_from_slice(b"\r\n");
    }
    lines.extend_from_slice(b"\r\n");
    lines
}

/// How servers usually write it: `Content-Type`.
fn title_case(name: &str) -> String {
    let mut first = true;
    let letters = name.chars().map(|letter| {
        let upper = std::mem::replace(&mut first, letter == '-');
        if upper {
            letter.to_ascii_uppercase()
        } else {
            letter
        }
    });
    letters.collect()
}

/// The words that belong to a status.
pub(super) fn reason(status: u16) -> &'static str {
    offshoot_network::http::StatusCode::from_u16(status)
        .ok()
        .and_then(|status| status.canonical_reason())
        .unwrap_or_default()
}

/// What `-v` says about a request.
pub(super) fn request_lines(
    method: &Method,
    url: &offshoot_network::Url,
    names: &[(String, String)],
) -> String {
    let mut lines = format!("> {method} {}", url.path());
    if let Some(query) = url.query() {
        let _ = write!(lines, "?{query}");
    }
    let host = url.host_str().unwrap_or_default();
    let port = url
        .port()
        .map(|port| format!(":{port}"))
        .unwrap_or_default();
    let _ = write!(lines, " HTTP/1.1\n> Host: {host}{port}\n");
    for (name, value) in names {
        let _ = writeln!(lines, "> {name}: {value}");
    }
    lines.push_str(">\n");
    lines
}

/// Fills `%{name}` and `\n` in the format of `--write-out`; unknown names vanish, as in curl.
pub(super) fn write_out(format: &str, summary: &Summary) -> String {
    let mut out = String::new();
    let mut rest = format;
    while let Some(at) = rest.find(['%', '\\']) {
        out.push_str(&rest[..at]);
        rest = &rest[at..];
        rest = if rest.starts_with('%') {
            variable(rest, summary, &mut out)
        } else {
            escape(rest, &mut out)
        };
    }
    out.push_str(rest);
    out
}

fn escape<'a>(text: &'a str, out: &mut String) -> &'a str {
    let mut letters = text[1..].chars();
    match letters.next() {
        Some('n') => out.push('\n'),
        Some('t') => out.push('\t'),
        Some('r') => out.push('\r'),
        Some(other) => {
            out.push('\\');
            out.push(other);
        }
        None => out.push('\\'),
    }
    letters.as_str()
}

fn variable<'a>(text: &'a str, summary: &Summary, out: &mut String) -> &'a str {
    if let Some(rest) = text.strip_prefix("%%") {
        out.push('%');
        return rest;
    }
    let (open, close) = match text.as_bytes().get(1) {
        Some(b'{') => ("%{", '}'),
        _ if text.starts_with("%header{") => ("%header{", '}'),
        _ => {
            out.push('%');
            return &text[1..];
        }
    };
    let Some(end) = text.find(close) else {
        out.push_str(text);
        return "";
    };
    let name = &text[open.len()..end];
    if open == "%{" {
        named(name, summary, out);
    } else {
        let found = summary
            .headers
            .iter()
            .find(|(own, _)| own.eq_ignore_ascii_case(name));
        out.push_str(found.map_or("", |(_, value)| value));
    }
    &text[end + 1..]
}

fn named(name: &str, summary: &Summary, out: &mut String) {
    let seconds = |time: Duration| format!("{:.6}", time.as_secs_f64());
    let text = match name {
        "http_code" | "response_code" => format!("{:03}", summary.status),
        "http_version" => summary.version.clone(),
        "method" => summary.method.clone(),
        "url" => summary.url.clone(),
        "url_effective" => summary.effective_url.clone(),
        "scheme" => scheme(&summary.effective_url),
        "content_type" => summary.content_type.clone(),
        "redirect_url" => summary.redirect_url.clone(),
        "num_redirects" => summary.redirects.to_string(),
        "num_headers" => summary.headers.len().to_string(),
        "size_download" => summary.downloaded.to_string(),
        "size_upload" => summary.uploaded.to_string(),
        "size_header" => summary.header_bytes.to_string(),
        "speed_download" => speed(summary.downloaded, summary.total),
        "filename_effective" => summary.file.clone(),
        "time_total" => seconds(summary.total),
        "exitcode" => summary.exit.to_string(),
        "errormsg" => summary.message.clone(),
        "num_connects" | "ssl_verify_result" | "urlnum" => "0".to_owned(),
        _ => String::new(),
    };
    out.push_str(&text);
}

fn scheme(url: &str) -> String {
    let (scheme, _) = url.split_once("://").unwrap_or(("", ""));
    scheme.to_owned()
}

fn speed(bytes: u64, time: Duration) -> String {
    let seconds = time.as_secs_f64();
    let speed = if seconds > 0.0 {
        bytes as f64 / seconds
    } else {
        0.0
    };
    format!("{speed:.0}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formats_are_filled() {
        let summary = Summary {
            status: 204,
            effective_url: "https://a.com/x".to_owned(),
            downloaded: 12,
            headers: vec![("etag".to_owned(), "\"1\"".to_owned())],
            ..Summary::default()
        };
        let table = [
            ("%{http_code}\\n", "204\n"),
            ("%{response_code} %{size_download}", "204 12"),
            ("%{scheme}://", "https://"),
            ("100%% %x", "100% %x"),
            ("%{nothing}.", "."),
            ("%header{ETag}", "\"1\""),
            ("%{open", "%{open"),
            ("\\t\\q\\", "\t\\q\\"),
        ];
        for (format, expected) in table {
            assert_eq!(write_out(format, &summary), expected, "{format}");
        }
        let unanswered = Summary::default();
        assert_eq!(write_out("%{http_code}", &unanswered), "000");
    }
}
