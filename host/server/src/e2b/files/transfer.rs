//! Uploads and downloads, and whether envd is there.

use super::super::access::{Call, Signed};
use super::super::endpoint::Endpoint;
use super::super::failure::{Code, Failure, Result};
use super::super::share::Charge;
use super::calls::{Scene, aside};
use super::{ENVD, parent, unzip};
use crate::connection;
use crate::web::{self, Body, Request, Response};
use bytes::Bytes;
use futures::stream::{self, StreamExt};
use http::request::Parts;
use http::{HeaderMap, Method, StatusCode, header};
use hyper::body::Body as _;
use offshoot_vfs::{Error, File, Kind, OpenOptions, Random, SystemRandom, Vfs};
use serde::Serialize;
use std::collections::BTreeMap;
use tokio::sync::OwnedSemaphorePermit;

/// Bytes of one uploaded file. It waits in memory until it is complete, since readers shall see the
/// old file or the new one; without a limit a client could fill the host's memory, and with gzip
/// do it by sending little.
const LARGEST: usize = 512 << 20;

/// Bytes of a download that are read at once.
const CHUNK: usize = 64 << 10;

/// Bytes that are written while all others wait who use the files.
const AT_ONCE: usize = 1 << 20;

/// For replacing what is in a file in one step, so without emptying it first.
const REPLACE: OpenOptions = OpenOptions {
    truncate: false,
    ..OpenOptions::WRITE
};

/// Headers that are kept with the file.
const METADATA: &str = "x-metadata-";

/// Serves `/files` and `/health`.
pub(in super::super) async fn transfer(endpoint: &Endpoint, request: Request) -> Result<Response> {
    let is_health = request.uri().path() == "/health";
    let method = request.method().clone();
    match method {
        Method::GET if is_health => health(endpoint, &request.into_parts().0),
        Method::GET => download(endpoint, &request.into_parts().0).await,
        Method::POST if !is_health => upload(endpoint, request).await,
        _ => Err(Failure::no_route()),
    }
}

/// What the URL says.
#[derive(Debug, Default)]
struct Target {
    path: String,
    username: String,
    signature: Option<String>,
    signature_expiration: Option<u64>,
}

impl Target {
    fn parse(query: &str) -> Result<Target> {
        let mut target = Target::default();
        for (name, value) in form_urlencoded::parse(query.as_bytes()) {
            match &*name {
                "path" => target.path = value.into_owned(),
                "username" => target.username = value.into_owned(),
                "signature" => target.signature = Some(value.into_owned()),
                "signature_expiration" => {
                    let wrong = |_| Failure::invalid("signature_expiration is no number");
                    target.signature_expiration = Some(value.parse().map_err(wrong)?);
                }
                _ => {}
            }
        }
        Ok(target)
    }

    fn identify(
        &self,
        endpoint: &Endpoint,
        asked: &Parts,
        operation: &'static str,
    ) -> Result<Call> {
        let signed = Signed {
            path: &self.path,
            operation,
            username: &self.username,
            signature: self.signature.as_deref(),
            expiration: self.signature_expiration,
        };
        let mut call = Call::identify(endpoint, &asked.headers, Some(signed))?;
        connection::trust(&asked.extensions);
        if !self.username.is_empty() {
            call.username = Some(self.username.clone());
        }
        Ok(call)
    }
}

/// The answer to an upload.
#[derive(Debug, Serialize)]
struct Written {
    name: String,
    r#type: &'static str,
    path: String,
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    metadata: BTreeMap<String, String>,
}

fn health(endpoint: &Endpoint, asked: &Parts) -> Result<Response> {
    let call = Call::identify(endpoint, &asked.headers, None)?;
    connection::trust(&asked.extensions);
    match call.entry.record().paused {
        false => Ok(web::empty(StatusCode::NO_CONTENT)),
        true => Err(Failure::gone(&call.entry.id)),
    }
}

async fn download(endpoint: &Endpoint, asked: &Parts) -> Result<Response> {
    let target = Target::parse(asked.uri.query().unwrap_or_default())?;
    let call = target.identify(endpoint, asked, "read")?;
    let mut charge = call.entry.share.stream()?;
    let scene = Scene::of(&call).await?;
    let path = scene.path(&target.path);
    match scene.kind(&path)? {
        Some(Kind::Regular) => {}
        Some(Kind::Directory) => {
            return Err(Failure::invalid(format!("path '{path}' is a directory")));
        }
        Some(_) => {
            return Err(Failure::invalid(format!(
                "path '{path}' is no regular file"
            )));
        }
        None => {
            let message = format!("path '{path}' does not exist");
            return Err(Failure::new(Code::NotFound, message));
        }
    }
    // The file of one moment, whatever happens to it while it is sent.
    let vfs = scene.vfs().fork();
    drop(scene);
    let failed = |error| Failure::file(&path, error);
    let file = vfs
        .open(&ENVD, vfs.root(), path.as_bytes(), &OpenOptions::READ, 0)
        .map_err(failed)?;
    let size = file.metadata().map_err(failed)?.size;
    charge.grow_to(size)?;
    let body = match size <= CHUNK as u64 {
        true => {
            let bytes = file.contents().map_err(failed)?;
            web::full(bytes)
        }
        // Until it is sent, all files of that moment are held.
        false => content(file, charge, call.entry.pin().await?),
    };
    let mut response = web::typed("application/octet-stream", body);
    response
        .headers_mut()
        .insert(header::CONTENT_LENGTH, size.into());
    Ok(response)
}

/// The content of a file, chunk by chunk.
fn content(file: File, charge: Charge, pin: OwnedSemaphorePermit) -> Body {
    let chunks = stream::unfold(Some((file, 0, charge, pin)), |state| async {
        let (file, position, charge, pin) = state?;
        let mut chunk = vec![0; CHUNK];
        match file.read_at(position, &mut chunk) {
            Ok(0) => None,
            Ok(count) => {
                chunk.truncate(count);
                Some((
                    Ok::<_, web::BoxError>(Bytes::from(chunk)),
                    Some((file, position + count as u64, charge, pin)),
                ))
            }
            // The length was announced, so that the client sees that something is missing.
            Err(error) => Some((Err(error.into()), None)),
        }
    });
    web::fallible(chunks)
}

async fn upload(endpoint: &Endpoint, request: Request) -> Result<Response> {
    let (asked, body) = request.into_parts();
    let target = Target::parse(asked.uri.query().unwrap_or_default())?;
    let call = target.identify(endpoint, &asked, "write")?;
    let mut charge = call.entry.share.stream()?;
    web::check_length(&body, LARGEST).map_err(|_| too_large())?;
    charge.grow_to(body.size_hint().lower())?;
    let metadata = metadata(&asked.headers)?;
    let kind = asked.headers.get(header::CONTENT_TYPE);
    let kind = kind.and_then(|kind| kind.to_str().ok()).unwrap_or_default();
    if kind.starts_with("multipart/form-data") {
        let boundary = multer::parse_boundary(kind).map_err(malformed)?;
        let form = (web::steady_chunks(body), boundary);
        let written = parts(&call, &target, form, (&metadata, charge)).await?;
        call.entry.settle().await?;
        return Ok(web::json(StatusCode::OK, &written));
    }
    if target.path.is_empty() {
        return Err(Failure::invalid("the path is missing"));
    }
    let is_gzip = match asked.headers.get(header::CONTENT_ENCODING) {
        None => false,
        Some(encoding) if encoding == "identity" => false,
        Some(encoding) if encoding == "gzip" => true,
        Some(_) => return Err(Failure::invalid("only gzip is taken as content encoding")),
    };
    let chunks = web::steady_chunks(body).map(|chunk| chunk.map_err(Failure::from));
    let mut bytes = gather(chunks, &mut charge).await?;
    if is_gzip {
        let read =
            aside(move || unzip::unzip(&bytes, LARGEST, &mut charge).map(|bytes| (bytes, charge)));
        (bytes, charge) = read.await?;
    }
    let written = write(&call, &target.path, bytes, &metadata).await?;
    drop(charge);
    call.entry.settle().await?;
    Ok(web::json(StatusCode::OK, &[written]))
}

/// What is to be known of the files beside their contents.
fn metadata(headers: &HeaderMap) -> Result<BTreeMap<String, String>> {
    let mut metadata = BTreeMap::new();
    for (name, value) in headers {
        let Some(key) = name.as_str().strip_prefix(METADATA) else {
            continue;
        };
        let plain = value.to_str().ok().filter(|_| !key.is_empty());
        let wrong = || Failure::invalid(format!("the header {name} is no metadata"));
        metadata.insert(key.to_owned(), plain.ok_or_else(wrong)?.to_owned());
    }
    Ok(metadata)
}

/// Writes the files of a form. The path in the URL is that of a single one.
async fn parts(
    call: &Call,
    target: &Target,
    (chunks, boundary): (web::Chunks, String),
    (metadata, mut charge): (&BTreeMap<String, String>, Charge),
) -> Result<Vec<Written>> {
    // Its error type must be one of std's, and what went wrong is known to nobody but the client.
    let chunks = chunks.map(|chunk| chunk.map_err(|_| std::io::ErrorKind::BrokenPipe));
    let chunks = chunks.map(|chunk| chunk.map_err(std::io::Error::from));
    let mut form = multer::Multipart::new(chunks, boundary);
    let mut written = Vec::new();
    while let Some(field) = form.next_field().await.map_err(malformed)? {
        if field.name() != Some("file") {
            continue;
        }
        let path = match (target.path.as_str(), field.file_name()) {
            ("", Some(name)) if !name.is_empty() => name.to_owned(),
            ("", _) => return Err(Failure::invalid("a file of the form has no name")),
            _ if !written.is_empty() => {
                return Err(Failure::invalid("one path, and more than one file"));
            }
            (path, _) => path.to_owned(),
        };
        let chunks = field.map(|chunk| chunk.map_err(malformed));
        let bytes = gather(chunks, &mut charge).await?;
        written.push(write(call, &path, bytes, metadata).await?);
    }
    match written.is_empty() {
        false => Ok(written),
        true => Err(Failure::invalid("the form has no file")),
    }
}

fn malformed(error: multer::Error) -> Failure {
    Failure::invalid(format!("the form: {error}"))
}

async fn gather(
    chunks: impl stream::Stream<Item = Result<Bytes>>,
    charge: &mut Charge,
) -> Result<Vec<u8>> {
    let mut chunks = std::pin::pin!(chunks);
    let mut bytes = Vec::new();
    while let Some(chunk) = chunks.next().await {
        bytes.extend_from_slice(&chunk?);
        if bytes.len() > LARGEST {
            return Err(too_large());
        }
        charge.grow_to(bytes.capacity() as u64)?;
    }
    Ok(bytes)
}

pub(super) fn too_large() -> Failure {
    let message = format!("a file of more than {LARGEST} bytes cannot be uploaded at once");
    Failure::new(Code::NoSpace, message)
}

/// Writes one file; it and the directories that are made for it belong to the account.
async fn write(
    call: &Call,
    path: &str,
    bytes: Vec<u8>,
    metadata: &BTreeMap<String, String>,
) -> Result<Written> {
    let scene = Scene::of(call).await?;
    let path = scene.path(path);
    let place = path.clone();
    let inode = aside(move || put(&scene, &place, &bytes)).await?;
    call.annotate(inode, &path, metadata).await?;
    let name = path.rsplit('/').next().unwrap_or_default().to_owned();
    Ok(Written {
        name,
        r#type: "file",
        path,
        metadata: metadata.clone(),
    })
}

/// Puts a content into place, of which whoever reads meanwhile sees the old one or the new; the number of
/// the file.
fn put(scene: &Scene, path: &str, bytes: &[u8]) -> Result<u64> {
    let is_new = match scene.kind(path)? {
        None => true,
        Some(Kind::Directory) => {
            return Err(Failure::invalid(format!("path '{path}' is a directory")));
        }
        Some(_) => false,
    };
    let failed = |error| match error {
        Error::NoSpace => Failure::new(Code::NoSpace, "not enough disk space available"),
        error => Failure::file(path, error),
    };
    let vfs = scene.vfs();
    let shared = match bytes.len() > AT_ONCE {
        true => staged(vfs, bytes).map(|file| {
            scene.account.create_directories(vfs, parent(path))?;
            vfs.open(&ENVD, vfs.root(), path.as_bytes(), &REPLACE, 0o666)
                .and_then(|place| place.reflink(&file))
                .map_err(failed)?;
            match is_new {
                true => scene.account.own(vfs, path),
                false => Ok(()),
            }
        }),
        false => None,
    };
    match shared {
        Some(Ok(())) => {}
        Some(Err(failure)) if failure.code() != Code::NoSpace => return Err(failure),
        // Content that is staged counts beside what it replaces; it may fit by itself.
        _ => vfs.atomically(|vfs| {
            scene.account.create_directories(vfs, parent(path))?;
            vfs.write_file(&ENVD, vfs.root(), path.as_bytes(), bytes, 0o666)
                .map_err(failed)?;
            match is_new {
                true => scene.account.own(vfs, path),
                false => Ok(()),
            }
        })?,
    }
    let found = vfs.stat(&ENVD, vfs.root(), path.as_bytes(), true);
    Ok(found.map_err(failed)?.inode)
}

/// The content in a file without a name, written piece by piece, so that nobody who uses the files waits
/// for all of it; none where there is no room for it beside what it replaces.
fn staged(vfs: &Vfs, bytes: &[u8]) -> Option<File> {
    let mut nonce = [0; 8];
    SystemRandom::default().fill(&mut nonce);
    let name = format!("/.upload-{:016x}", u64::from_ne_bytes(nonce));
    let options = OpenOptions {
        read: true,
        exclusive: true,
        ..OpenOptions::WRITE
    };
    let file = vfs
        .open(&ENVD, vfs.root(), name.as_bytes(), &options, 0o600)
        .ok()?;
    vfs.unlink(&ENVD, vfs.root(), name.as_bytes()).ok()?;
    let mut rest = bytes;
    while !rest.is_empty() {
        let count = file.write(&rest[..rest.len().min(CHUNK)]).ok()?;
        rest = &rest[count..];
    }
    Some(file)
}
