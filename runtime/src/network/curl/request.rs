//! What `curl` asks for, made from its command line.

use super::arguments::{Arguments, Data};
use crate::network::fetch::{self, Fetch};
use crate::network::{files, form};
use offshoot_kernel::Invocation;
use offshoot_network::http::header::{ACCEPT, AUTHORIZATION, CONTENT_TYPE, USER_AGENT};
use offshoot_network::http::{HeaderName, HeaderValue, Method};

/// A status to end with, and what is said.
pub(super) type Failed = (u8, String);

/// A scheme that is not spoken.
const UNSUPPORTED: u8 = 1;
/// What the network's parser does not accept.
const MALFORMED: u8 = 3;
/// A file that cannot be read.
const UNREADABLE: u8 = 26;
/// A command line that means nothing.
const USAGE: u8 = 2;

/// The content that is sent, and its type.
pub(super) struct Content {
    bytes: Vec<u8>,
    kind: Option<String>,
    json: bool,
}

/// Reads files and joins what is to be sent, once for all URLs.
pub(super) async fn content(
    arguments: &Arguments,
    call: &mut Invocation,
    most: u64,
) -> Result<Option<Content>, Failed> {
    let unreadable = |text: String| {
        (
            UNREADABLE,
            format!("Failed to open/read local data from file/application: {text}"),
        )
    };
    if let Some(name) = &arguments.upload {
        let name = if name == "." { "-" } else { name };
        let bytes = files::read(call, name, most).await.map_err(unreadable)?;
        return Ok(Some(Content {
            bytes,
            kind: None,
            json: false,
        }));
    }
    if !arguments.form.is_empty() {
        return multipart(arguments, call, most).await.map(Some);
    }
    if arguments.data.is_empty() {
        return Ok(None);
    }
    let json = arguments
        .data
        .iter()
        .any(|data| matches!(data, Data::Json(_)));
    let mut bytes = Vec::new();
    for (index, data) in arguments.data.iter().enumerate() {
        if index > 0 && !json {
            bytes.push(b'&');
        }
        bytes.extend(piece(data, call, most).await.map_err(unreadable)?);
    }
    let kind = match json {
        true => "application/json",
        false => "application/x-www-form-urlencoded",
    };
    Ok(Some(Content {
        bytes,
        kind: Some(kind.to_owned()),
        json,
    }))
}

async fn piece(data: &Data, call: &mut Invocation, most: u64) -> Result<Vec<u8>, String> {
    match data {
        Data::Raw(text) => Ok(text.clone().into_bytes()),
        Data::Text(text) => match text.strip_prefix('@') {
            Some(name) => {
                let mut bytes = files::read(call, name, most).await?;
                bytes.retain(|byte| !matches!(byte, b'\r' | b'\n' | 0));
                Ok(bytes)
            }
            None => Ok(text.clone().into_bytes()),
        },
        Data::Binary(text) | Data::Json(text) => match text.strip_prefix('@') {
            Some(name) => files::read(call, name, most).await,
            None => Ok(text.clone().into_bytes()),
        },
        Data::Encoded(text) => encoded(text, call, most).await,
    }
}

/// `content`, `=content`, `name=content`, `@file`, `name@file`.
async fn encoded(text: &str, call: &mut Invocation, most: u64) -> Result<Vec<u8>, String> {
    let at = text.find(['=', '@']);
    let (name, content) = match at {
        Some(at) if text.as_bytes()[at] == b'@' => {
            (&text[..at], files::read(call, &text[at + 1..], most).await?)
        }
        Some(at) => (&text[..at], text.as_bytes()[at + 1..].to_vec()),
        None => ("", text.as_bytes().to_vec()),
    };
    let content = fetch::percent_encoded(&content).replace("%20", "+");
    Ok(match name {
        "" => content.into_bytes(),
        name => format!("{name}={content}").into_bytes(),
    })
}

async fn multipart(
    arguments: &Arguments,
    call: &mut Invocation,
    most: u64,
) -> Result<Content, Failed> {
    let mut fields = Vec::new();
    for (text, is_literal) in &arguments.form {
        let found = match is_literal {
            true => form::literal(text),
            false => form::specification(text),
        };
        let illegal = || (USAGE, format!("Illegally formatted input field: {text}"));
        let found = found.ok_or_else(illegal)?;
        let content = match found.reads {
            true => files::read(call, found.value, most)
                .await
                .map_err(|text| (UNREADABLE, text))?,
            false => found.value.as_bytes().to_vec(),
        };
        let own_name = found.value.rsplit('/').next().filter(|_| found.attaches);
        fields.push(form::Field {
            name: found.name.to_owned(),
            content,
            file_name: found.file_name.or(own_name).map(str::to_owned),
            content_type: found.content_type.map(str::to_owned),
        });
    }
    let (bytes, kind) = form::body(&fields);
    Ok(Content {
        bytes,
        kind: Some(kind),
        json: false,
    })
}

/// The request for one URL.
pub(super) fn fetch(
    arguments: &Arguments,
    url: &str,
    content: Option<&Content>,
) -> Result<Fetch, Failed> {
    let globs = url.contains(['{', '}', '[', ']']) && !url.contains("://[");
    if globs && !arguments.globbing_off {
        return Err((
            MALFORMED,
            "URL globbing is not supported in this sandbox; -g takes the URL as it is".to_owned(),
        ));
    }
    if let Some((scheme, _)) = url.split_once("://")
        && !["http", "https"].contains(&scheme.to_ascii_lowercase().as_str())
    {
        return Err((UNSUPPORTED, format!("Protocol \"{scheme}\" not supported")));
    }
    let malformed = |error: offshoot_network::Error| (MALFORMED, format!("URL rejected: {error}"));
    let mut fetch = Fetch::new(method(arguments, content)?, url).map_err(malformed)?;
    if let Some(upload) = arguments.upload.as_deref().filter(|name| *name != "-")
        && fetch.url.path().ends_with('/')
    {
        let name = upload.rsplit('/').next().unwrap_or(upload);
        let path = format!(
            "{}{}",
            fetch.url.path(),
            fetch::percent_encoded(name.as_bytes())
        );
        fetch.url.set_path(&path);
    }
    fetch.keeps_method = arguments.method.is_some();
    fetch.redirects = match arguments.follow {
        true => arguments.redirects.unwrap_or(50),
        false => 0,
    };
    headers(arguments, &mut fetch, content)?;
    if let Some(content) = content {
        if arguments.get {
            add_query(&mut fetch, &content.bytes);
        } else {
            fetch.body = content.bytes.clone().into();
        }
    }
    Ok(fetch)
}

fn method(arguments: &Arguments, content: Option<&Content>) -> Result<Method, Failed> {
    let usual = match content {
        _ if arguments.head => "HEAD",
        Some(_) if arguments.upload.is_some() => "PUT",
        Some(_) if !arguments.get => "POST",
        _ => "GET",
    };
    let name = arguments.method.as_deref().unwrap_or(usual);
    Method::from_bytes(name.as_bytes()).map_err(|_| (USAGE, format!("{name:?} is no method")))
}

fn add_query(fetch: &mut Fetch, bytes: &[u8]) {
    let added = String::from_utf8_lossy(bytes);
    let query = match fetch.url.query() {
        Some(query) if !query.is_empty() => format!("{query}&{added}"),
        _ => added.into_owned(),
    };
    fetch.url.set_query(Some(&query));
}

fn headers(
    arguments: &Arguments,
    fetch: &mut Fetch,
    content: Option<&Content>,
) -> Result<(), Failed> {
    let headers = &mut fetch.headers;
    headers.insert(USER_AGENT, HeaderValue::from_static("curl/7.88.1"));
    headers.insert(ACCEPT, HeaderValue::from_static("*/*"));
    if let Some(user) = &arguments.user
        && let Some(value) = fetch::basic(user.as_bytes())
    {
        headers.insert(AUTHORIZATION, value);
    }
    if let Some(content) = content.filter(|_| !arguments.get) {
        let kind = content
            .kind
            .as_deref()
            .and_then(|kind| HeaderValue::from_str(kind).ok());
        if let Some(kind) = kind {
            headers.insert(CONTENT_TYPE, kind);
        }
        if content.json {
            headers.insert(ACCEPT, HeaderValue::from_static("application/json"));
        }
    }
    let mut own: Vec<HeaderName> = Vec::new();
    for line in &arguments.headers {
        custom(headers, &mut own, line)?;
    }
    Ok(())
}

/// `Name: value` replaces what curl itself sets, `Name:` removes it, `Name;` sends it empty.
fn custom(
    headers: &mut offshoot_network::http::HeaderMap,
    own: &mut Vec<HeaderName>,
    line: &str,
) -> Result<(), Failed> {
    let refused = || (USAGE, format!("header {line:?} is not understood"));
    if let Some(name) = line.strip_suffix(';').filter(|name| !name.contains(':')) {
        let name = HeaderName::try_from(name).map_err(|_| refused())?;
        headers.insert(name, HeaderValue::from_static(""));
        return Ok(());
    }
    let (name, value) = fetch::header(line).ok_or_else(refused)?;
    if value.is_empty() {
        headers.remove(&name);
    } else if own.contains(&name) {
        headers.append(name, value);
    } else {
        headers.insert(name.clone(), value);
        own.push(name);
    }
    Ok(())
}
