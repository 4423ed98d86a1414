//! Encodings of texts, digests, and compression.

use std::io;

use boa_engine::{Context, JsNativeError, JsResult, JsString, JsValue};
use data_encoding::{BASE64, BASE64URL_NOPAD, HEXLOWER, Specification};
use flate2::Compression;
use flate2::read::{
    DeflateDecoder, DeflateEncoder, GzEncoder, MultiGzDecoder, ZlibDecoder, ZlibEncoder,
};
use hmac::{Hmac, KeyInit, Mac};
use sha2::Digest;

use crate::host::{Function, array, bytes, number, text};

/// What scripts call.
pub const FUNCTIONS: &[(&str, Function)] = &[
    ("toText", to_text),
    ("toBytes", to_bytes),
    ("digest", digest),
    ("hmac", hmac),
    ("compress", compress),
    ("expand", expand),
];

fn refuse(message: &'static str) -> boa_engine::JsError {
    JsNativeError::error().with_message(message).into()
}

/// `toText(content, encoding)`
fn to_text(_: &JsValue, arguments: &[JsValue], context: &mut Context) -> JsResult<JsValue> {
    let content = bytes(arguments, 0, context)?;
    let units = |units: Vec<u16>| JsValue::from(JsString::from(units.as_slice()));
    let made = |text: String| JsValue::from(JsString::from(text.as_str()));
    Ok(match text(arguments, 1, context)?.as_str() {
        "utf8" => JsString::from(String::from_utf8_lossy(&content).as_ref()).into(),
        "hex" => made(HEXLOWER.encode(&content)),
        "base64" => made(BASE64.encode(&content)),
        "base64url" => made(BASE64URL_NOPAD.encode(&content)),
        "ascii" => units(content.iter().map(|byte| u16::from(byte & 127)).collect()),
        "latin1" => units(content.iter().map(|byte| u16::from(*byte)).collect()),
        "utf16le" => units(
            content
                .chunks_exact(2)
                .map(|pair| u16::from_le_bytes([pair[0], pair[1]]))
                .collect(),
        ),
        _ => return Err(refuse("unknown encoding")),
    })
}

/// `toBytes(text, encoding)`
fn to_bytes(_: &JsValue, arguments: &[JsValue], context: &mut Context) -> JsResult<JsValue> {
    let encoding = text(arguments, 1, context)?;
    let given = match arguments.first() {
        Some(given) => given.to_string(context)?,
        None => JsString::default(),
    };
    let content = match encoding.as_str() {
        "utf8" => given.to_std_string_lossy().into_bytes(),
        "latin1" | "ascii" => given.iter().map(|unit| unit as u8).collect(),
        "utf16le" => given.iter().flat_map(u16::to_le_bytes).collect(),
        "hex" => hex(&given.to_std_string_lossy()),
        "base64" | "base64url" => base64(&given.to_std_string_lossy()),
        _ => return Err(refuse("unknown encoding")),
    };
    array(content, context)
}

/// Pairs of digits up to the first that is none, as Node reads them.
fn hex(text: &str) -> Vec<u8> {
    let digit = |byte: u8| char::from(byte).to_digit(16);
    let pairs = text.as_bytes().chunks_exact(2);
    let pairs = pairs.map_while(|pair| Some((digit(pair[0])? * 16 + digit(pair[1])?) as u8));
    pairs.collect()
}

/// Both alphabets, with or without padding, and whatever stands between, as Node reads them.
fn base64(text: &str) -> Vec<u8> {
    let letters = text.bytes().take_while(|byte| *byte != b'=');
    let letters = letters.filter_map(|byte| match byte {
        b'-' => Some(b'+'),
        b'_' => Some(b'/'),
        b'+' | b'/' | b'0'..=b'9' | b'A'..=b'Z' | b'a'..=b'z' => Some(byte),
        _ => None,
    });
    let mut letters = letters.collect::<Vec<_>>();
    if letters.len() % 4 == 1 {
        letters.pop();
    }
    let mut lenient = Specification::new();
    lenient
        .symbols
        .push_str("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/");
    lenient.check_trailing_bits = false;
    let decoded = lenient.encoding().map(|encoding| encoding.decode(&letters));
    decoded.ok().and_then(Result::ok).unwrap_or_default()
}

/// `digest(algorithm, content)`
fn digest(_: &JsValue, arguments: &[JsValue], context: &mut Context) -> JsResult<JsValue> {
    let content = bytes(arguments, 1, context)?;
    let digest = match text(arguments, 0, context)?.as_str() {
        "md5" => md5::Md5::digest(&content).to_vec(),
        "sha1" => sha1::Sha1::digest(&content).to_vec(),
        "sha224" => sha2::Sha224::digest(&content).to_vec(),
        "sha256" => sha2::Sha256::digest(&content).to_vec(),
        "sha384" => sha2::Sha384::digest(&content).to_vec(),
        "sha512" => sha2::Sha512::digest(&content).to_vec(),
        _ => return Err(refuse("Digest method not supported")),
    };
    array(digest, context)
}

/// `hmac(algorithm, key, content)`
fn hmac(_: &JsValue, arguments: &[JsValue], context: &mut Context) -> JsResult<JsValue> {
    let (key, content) = (bytes(arguments, 1, context)?, bytes(arguments, 2, context)?);
    macro_rules! sign {
        ($digest:ty) => {
            Hmac::<$digest>::new_from_slice(&key)
                .map(|mac| mac.chain_update(&content).finalize().into_bytes().to_vec())
                .map_err(|_| refuse("Invalid key"))?
        };
    }
    let signature = match text(arguments, 0, context)?.as_str() {
        "md5" => sign!(md5::Md5),
        "sha1" => sign!(sha1::Sha1),
        "sha224" => sign!(sha2::Sha224),
        "sha256" => sign!(sha2::Sha256),
        "sha384" => sign!(sha2::Sha384),
        "sha512" => sign!(sha2::Sha512),
        _ => return Err(refuse("Invalid digest")),
    };
    array(signature, context)
}

fn whole(mut source: impl io::Read) -> io::Result<Vec<u8>> {
    let mut content = Vec::new();
    source.read_to_end(&mut content)?;
    Ok(content)
}

/// `compress(format, content, level)`
fn compress(_: &JsValue, arguments: &[JsValue], context: &mut Context) -> JsResult<JsValue> {
    let content = bytes(arguments, 1, context)?;
    let level = Compression::new(number(arguments, 2, context)? as u32);
    let made = match text(arguments, 0, context)?.as_str() {
        "gzip" => whole(GzEncoder::new(content.as_slice(), level)),
        "deflate" => whole(ZlibEncoder::new(content.as_slice(), level)),
        _ => whole(DeflateEncoder::new(content.as_slice(), level)),
    };
    array(made.map_err(|_| refuse("Z_DATA_ERROR"))?, context)
}

/// `expand(format, content)`: the error's message is the code that Node has for it.
fn expand(_: &JsValue, arguments: &[JsValue], context: &mut Context) -> JsResult<JsValue> {
    let content = bytes(arguments, 1, context)?;
    let made = match text(arguments, 0, context)?.as_str() {
        "gzip" if !content.is_empty() && !content.starts_with(&[31]) => {
            return Err(refuse("Z_DATA_ERROR"));
        }
        "gzip" => whole(MultiGzDecoder::new(content.as_slice())),
        "deflate" => whole(ZlibDecoder::new(content.as_slice())),
        _ => whole(DeflateDecoder::new(content.as_slice())),
    };
    let made = made.map_err(|error| match error.kind() {
        io::ErrorKind::UnexpectedEof => refuse("Z_BUF_ERROR"),
        _ => refuse("Z_DATA_ERROR"),
    })?;
    array(made, context)
}
