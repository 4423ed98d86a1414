//! Uploads and downloads, and whether envd is there.

use super::super::access::{Call, Signed};
use super::super::endpoint::Endpoint;
use super::super::failure::{Code, Failure, Result};
use super::super::web::{self, Body, Request, Response};
use super::calls::Scene;
use super::{ENVD, parent};
use bytes::Bytes;
use futures::stream::{self, StreamExt};
use http::request::Parts;
use http::{HeaderMap, HeaderName, Method, StatusCode, header};
use offshoot_vfs::{Error, File, Kind, OpenOptions};
use serde::Serialize;
use std::io::Read;

/// Bytes of one uploaded file. It waits in memory until it is complete, since readers shall see the
/// old file or the new one; without a limit a client could fill the host's memory, and with gzip
/// do it by sending little.
const LARGEST: usize = 512 << 20;

/// Bytes of a download that are read at once.
const CHUNK: usize = 64 << 10;

/// Headers that would be kept with the file.
const METADATA: &str = "x-metadata-";

/// Serves `/files` and `/health`.
pub(in super::super) async fn transfer(endpoint: &Endpoint, request: Request) -> Result<Response> {
    let is_health = request.uri().path() == "/health";
    let method = request.method().clone();
    match method {
        Method::GET if is_health => health(endpoint, request.headers()),
        Method::GET => download(endpoint, &request.into_parts().0).await,
        Method::POST if !is_health => upload(endpoint, request).await,
        _ => Err(web::no_route()),
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
        headers: &HeaderMap,
        operation: &'static str,
    ) -> Result<Call> {
        let signed = Signed {
            path: &self.path,
            operation,
            username: &self.username,
            signature: self.signature.as_deref(),
            expiration: self.signature_expiration,
        };
        let mut call = Call::identify(endpoint, headers, Some(signed))?;
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
}

fn health(endpoint: &Endpoint, headers: &HeaderMap) -> Result<Response> {
    let call = Call::identify(endpoint, headers, None)?;
    match call.entry.record().paused {
        false => Ok(web::empty(StatusCode::NO_CONTENT)),
        true => Err(Failure::gone(&call.entry.id)),
    }
}

async fn download(endpoint: &Endpoint, asked: &Parts) -> Result<Response> {
    let target = Target::parse(asked.uri.query().unwrap_or_default())?;
    let call = target.identify(endpoint, &asked.headers, "read")?;
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
    let failed = |error| Failure::file(&path, error);
    let file = vfs
        .open(&ENVD, vfs.root(), path.as_bytes(), &OpenOptions::READ, 0)
        .map_err(failed)?;
    let size = file.metadata().map_err(failed)?.size;
    let mut response = web::typed("application/octet-stream", content(file));
    response
        .headers_mut()
        .insert(header::CONTENT_LENGTH, size.into());
    Ok(response)
}

/// The content of a file, chunk by chunk.
fn content(file: File) -> Body {
    let chunks = stream::unfold(Some((file, 0)), |state| async {
        let (file, position) = state?;
        let mut chunk = vec![0; CHUNK];
        match file.read_at(position, &mut chunk) {
            Ok(0) => None,
            Ok(count) => {
                chunk.truncate(count);
                Some((
                    Ok::<_, web::BoxError>(Bytes::from(chunk)),
                    Some((file, position + count as u64)),
                ))
            }
            // The length was announced, so that the client sees that something is missing.
            Err(error) => Some((Err(error.into()), None)),
        }
    });
    web::fallible(chunks)
}

async fn upload(endpoint: &Endpoint, request: Request) -> Result<Response> {
    let target = Target::parse(request.uri().query().unwrap_or_default())?;
    let call = target.identify(endpoint, request.headers(), "write")?;
    let is_metadata = |name: &HeaderName| name.as_str().starts_with(METADATA);
    if request.headers().keys().any(is_metadata) {
        let message = "metadata of files is not offered";
        return Err(Failure::new(Code::Unimplemented, message));
    }
    let kind = request.headers().get(header::CONTENT_TYPE);
    let kind = kind.and_then(|kind| kind.to_str().ok()).unwrap_or_default();
    if kind.starts_with("multipart/form-data") {
        let boundary = multer::parse_boundary(kind).map_err(malformed)?;
        let written = parts(&call, &target, request.into_body(), boundary).await?;
        return Ok(web::json(StatusCode::OK, &written));
    }
    if target.path.is_empty() {
        return Err(Failure::invalid("the path is missing"));
    }
    let is_gzip = match request.headers().get(header::CONTENT_ENCODING) {
        None => false,
        Some(encoding) if encoding == "identity" => false,
        Some(encoding) if encoding == "gzip" => true,
        Some(_) => return Err(Failure::invalid("only gzip is taken as content encoding")),
    };
    let mut bytes = gather(web::chunks(request.into_body())).await?;
    if is_gzip {
        bytes = decompress(&bytes)?;
    }
    let written = write(&call, &target.path, &bytes).await?;
    Ok(web::json(StatusCode::OK, &[written]))
}

/// Writes the files of a form. The path in the URL is that of a single one.
async fn parts(call: &Call, target: &Target, body: Body, boundary: String) -> Result<Vec<Written>> {
    // Its error type must be one of std's, and what went wrong is known to nobody but the client.
    let chunks = web::chunks(body).map(|chunk| chunk.map_err(|_| std::io::ErrorKind::BrokenPipe));
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
        let bytes = gather(chunks).await?;
        written.push(write(call, &path, &bytes).await?);
    }
    match written.is_empty() {
        false => Ok(written),
        true => Err(Failure::invalid("the form has no file")),
    }
}

fn malformed(error: multer::Error) -> Failure {
    Failure::invalid(format!("the form: {error}"))
}

async fn gather(chunks: impl stream::Stream<Item = Result<Bytes>>) -> Result<Vec<u8>> {
    let mut chunks = std::pin::pin!(chunks);
    let mut bytes = Vec::new();
    while let Some(chunk) = chunks.next().await {
        bytes.extend_from_slice(&chunk?);
        if bytes.len() > LARGEST {
            return Err(too_large());
        }
    }
    Ok(bytes)
}

fn decompress(bytes: &[u8]) -> Result<Vec<u8>> {
    let mut plain = Vec::new();
    let limit = LARGEST as u64 + 1;
    flate2::read::MultiGzDecoder::new(bytes)
        .take(limit)
        .read_to_end(&mut plain)
        .map_err(|error| Failure::invalid(format!("gzip: {error}")))?;
    match plain.len() > LARGEST {
        true => Err(too_large()),
        false => Ok(plain),
    }
}

fn too_large() -> Failure {
    let message = format!("a file of more than {LARGEST} bytes cannot be uploaded at once");
    Failure::new(Code::NoSpace, message)
}

/// Writes one file; it and the directories that are made for it belong to the account.
async fn write(call: &Call, path: &str, bytes: &[u8]) -> Result<Written> {
    let scene = Scene::of(call).await?;
    let path = scene.path(path);
    let is_new = match scene.kind(&path)? {
        None => true,
        Some(Kind::Directory) => {
            return Err(Failure::invalid(format!("path '{path}' is a directory")));
        }
        Some(_) => false,
    };
    // Whoever reads meanwhile sees the old content or the new.
    scene.vfs().atomically(|vfs| {
        scene.account.create_directories(vfs, parent(&path))?;
        vfs.write_file(&ENVD, vfs.root(), path.as_bytes(), bytes, 0o666)
            .map_err(|error| match error {
                Error::NoSpace => Failure::new(Code::NoSpace, "not enough disk space available"),
                error => Failure::file(&path, error),
            })?;
        match is_new {
            true => scene.account.own(vfs, &path),
            false => Ok(()),
        }
    })?;
    let name = path.rsplit('/').next().unwrap_or_default().to_owned();
    Ok(Written {
        name,
        r#type: "file",
        path,
    })
}
