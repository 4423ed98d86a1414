//! `openssl enc`: AES in CBC, CTR and ECB and triple DES in CBC, with a password or a key, and base64.
//!
//! What is encrypted with a password begins with `Salted__` and the eight bytes of the salt, unless `-S` gave it or
//! `-nosalt` is set. Key and vector come from PBKDF2 with `-pbkdf2` or `-iter` (10,000 rounds of HMAC-SHA-256 by
//! default), else from OpenSSL's older `EVP_BytesToKey` with one round, after a warning. So the result is the same as
//! OpenSSL's:
//!
//! ```text
//! openssl enc -aes-256-cbc -pbkdf2 -a -k pw        text → base64
//! openssl enc -d -aes-256-cbc -pbkdf2 -a -k pw     base64 → text
//! ```
//!
//! The whole input is held in memory.

use aes::cipher::block_padding::{NoPadding, Pkcs7};
use aes::cipher::{
    BlockModeDecrypt as _, BlockModeEncrypt as _, KeyInit as _, KeyIvInit as _, StreamCipher as _,
};
use aes::{Aes128, Aes192, Aes256};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;

use super::digest::algorithm;
use super::output::write;
use super::pem::wrapped;
use super::{Words, hex, input, line, password, random_bytes, unhex};
use crate::call::{Call, bytes};

/// What a cipher does: key, initialisation vector, text, and whether there is PKCS #7 padding. `None` where a length
/// does not fit, or where the padding of what is decrypted is wrong.
type Work = fn(&[u8], &[u8], &[u8], bool) -> Option<Vec<u8>>;

/// A block cipher in a mode.
pub struct Cipher {
    /// The names on the command line; the first one is the usual one.
    names: &'static [&'static str],
    /// The length of the key in bytes.
    pub key: usize,
    /// The length of the initialisation vector in bytes; 0 for ECB.
    pub iv: usize,
    /// Text to cipher text.
    encrypt: Work,
    /// Cipher text to text.
    decrypt: Work,
}

/// A cipher in CBC mode, with names, lengths of key and block.
macro_rules! cbc {
    ($names:expr, $kind:ty, $key:literal, $iv:literal) => {
        Cipher {
            names: $names,
            key: $key,
            iv: $iv,
            encrypt: |key, iv, text, pads| {
                let cipher = cbc::Encryptor::<$kind>::new_from_slices(key, iv).ok()?;
                match pads {
                    true => Some(cipher.encrypt_padded_vec::<Pkcs7>(text)),
                    false if text.len() % $iv != 0 => None,
                    false => Some(cipher.encrypt_padded_vec::<NoPadding>(text)),
                }
            },
            decrypt: |key, iv, text, pads| {
                let cipher = cbc::Decryptor::<$kind>::new_from_slices(key, iv).ok()?;
                match pads {
                    true => cipher.decrypt_padded_vec::<Pkcs7>(text).ok(),
                    false => cipher.decrypt_padded_vec::<NoPadding>(text).ok(),
                }
            },
        }
    };
}

/// A cipher of 16-byte blocks in ECB mode.
macro_rules! ecb {
    ($names:expr, $kind:ty, $key:literal) => {
        Cipher {
            names: $names,
            key: $key,
            iv: 0,
            encrypt: |key, _, text, pads| {
                let cipher = ecb::Encryptor::<$kind>::new_from_slice(key).ok()?;
                match pads {
                    true => Some(cipher.encrypt_padded_vec::<Pkcs7>(text)),
                    false if text.len() % 16 != 0 => None,
                    false => Some(cipher.encrypt_padded_vec::<NoPadding>(text)),
                }
            },
            decrypt: |key, _, text, pads| {
                let cipher = ecb::Decryptor::<$kind>::new_from_slice(key).ok()?;
                match pads {
                    true => cipher.decrypt_padded_vec::<Pkcs7>(text).ok(),
                    false => cipher.decrypt_padded_vec::<NoPadding>(text).ok(),
                }
            },
        }
    };
}

/// A cipher in CTR mode, a big-endian counter of 128 bits; nothing is padded.
macro_rules! ctr {
    ($names:expr, $kind:ty, $key:literal) => {
        Cipher {
            names: $names,
            key: $key,
            iv: 16,
            encrypt: |key, iv, text, _| {
                let mut cipher = ctr::Ctr128BE::<$kind>::new_from_slices(key, iv).ok()?;
                let mut text = text.to_vec();
                cipher.apply_keystream(&mut text);
                Some(text)
            },
            decrypt: |key, iv, text, _| {
                let mut cipher = ctr::Ctr128BE::<$kind>::new_from_slices(key, iv).ok()?;
                let mut text = text.to_vec();
                cipher.apply_keystream(&mut text);
                Some(text)
            },
        }
    };
}

/// All ciphers, in the order in which `enc -list` has them.
const CIPHERS: &[Cipher] = &[
    cbc!(&["aes-128-cbc", "aes128"], Aes128, 16, 16),
    cbc!(&["aes-192-cbc", "aes192"], Aes192, 24, 16),
    cbc!(&["aes-256-cbc", "aes256"], Aes256, 32, 16),
    ctr!(&["aes-128-ctr"], Aes128, 16),
    ctr!(&["aes-192-ctr"], Aes192, 24),
    ctr!(&["aes-256-ctr"], Aes256, 32),
    ecb!(&["aes-128-ecb"], Aes128, 16),
    ecb!(&["aes-192-ecb"], Aes192, 24),
    ecb!(&["aes-256-ecb"], Aes256, 32),
    cbc!(&["des-ede3-cbc", "des3"], des::TdesEde3, 24, 8),
];

/// The cipher with this name, in any case.
pub fn find(name: &[u8]) -> Option<&'static Cipher> {
    let name = name.to_ascii_lowercase();
    let has = |cipher: &&Cipher| cipher.names.iter().any(|known| known.as_bytes() == name);
    CIPHERS.iter().find(has)
}

impl Cipher {
    /// The name as `DEK-Info` of PEM has it: `AES-256-CBC`.
    pub fn title(&self) -> String {
        self.names[0].to_ascii_uppercase()
    }

    /// The text in cipher; none where the key does not fit.
    pub fn encrypt(&self, key: &[u8], iv: &[u8], text: &[u8]) -> Option<Vec<u8>> {
        (self.encrypt)(key, iv, text, true)
    }

    /// The text as it was; none where key and text do not fit together.
    pub fn decrypt(&self, key: &[u8], iv: &[u8], text: &[u8]) -> Option<Vec<u8>> {
        (self.decrypt)(key, iv, text, true)
    }
}

/// `EVP_BytesToKey` with one round: D1 = H(password salt), D2 = H(D1 password salt), and so on, up to `length` bytes.
pub fn derive(digest: &str, password: &[u8], salt: &[u8], length: usize) -> Option<Vec<u8>> {
    let digest = algorithm(digest.as_bytes())?;
    let mut out: Vec<u8> = Vec::new();
    let mut last: Vec<u8> = Vec::new();
    while out.len() < length {
        last = digest.sum(&[&last, password, salt]);
        out.extend_from_slice(&last);
    }
    out.truncate(length);
    Some(out)
}

/// Options without a value.
const FLAGS: &[&str] = &[
    "e", "d", "a", "base64", "A", "p", "P", "salt", "nosalt", "pbkdf2", "nopad", "none", "v",
    "list", "ciphers",
];

/// Options with a value.
const VALUED: &[&str] = &[
    "in", "out", "pass", "k", "kfile", "K", "iv", "S", "md", "iter", "bufsize",
];

/// What the content is preceded by where a salt is kept in it.
const MAGIC: &[u8] = b"Salted__";

/// Runs `base64`: `enc -base64`.
pub fn base64(call: &Call) -> Result<i32, i32> {
    let mut arguments = vec![b"-base64".to_vec()];
    arguments.extend(call.arguments.iter().cloned());
    encode(&Call {
        name: call.name.clone(),
        arguments,
    })
}

/// Runs `enc`. With `-d` base64 is taken off before, otherwise put on after the cipher.
pub fn encode(call: &Call) -> Result<i32, i32> {
    let words = Words::read(call, FLAGS, VALUED, |name| find(name).is_some());
    let words = match words {
        // What is no option is taken for a cipher.
        Err(1) => return Err(1),
        words => words?,
    };
    if words.has("list") || words.has("ciphers") {
        println!("Supported ciphers:");
        let names = CIPHERS.iter().flat_map(|cipher| cipher.names);
        names.for_each(|name| println!("-{name}"));
        return Ok(0);
    }
    if let Some(extra) = words.operands.first() {
        return Err(call.fail(1, bytes!("Extra argument: ", extra)));
    }
    let mut names = words.options.iter().rev();
    let cipher = names.find_map(|(name, _)| find(name));
    let base64 = words.has("a") || words.has("base64");
    let decrypts = words.has("d");
    let mut text = input(call, words.value("in").unwrap_or(b"-"))?;
    if base64 && decrypts {
        text.retain(|byte| !byte.is_ascii_whitespace());
        let decoded = STANDARD.decode(&text);
        text = decoded.map_err(|_| call.fail(1, "error reading input: not base64"))?;
    }
    if let Some(cipher) = cipher {
        text = match work(call, &words, cipher, text)? {
            Some(text) => text,
            None => return Ok(0),
        };
    }
    if base64 && !decrypts {
        text = match words.has("A") {
            true => STANDARD.encode(&text).into_bytes(),
            false => wrapped(&text),
        };
    }
    Ok(write(call, words.value("out"), &text, 0))
}

/// What a cipher works with.
struct Material {
    /// The key, as long as the cipher wants it.
    key: Vec<u8>,
    /// The initialisation vector.
    iv: Vec<u8>,
    /// The salt of the password.
    salt: Option<Vec<u8>>,
    /// What stands before the result: `MAGIC` and a salt that was made for it, or nothing.
    head: Vec<u8>,
}

/// The text through the cipher; none where key and vector alone were asked for.
fn work(
    call: &Call,
    words: &Words,
    cipher: &Cipher,
    mut text: Vec<u8>,
) -> Result<Option<Vec<u8>>, i32> {
    let material = match words.value("K") {
        Some(digits) => from_key(call, words, cipher, digits)?,
        None => from_password(call, words, cipher, &mut text)?,
    };
    let Material {
        key,
        iv,
        salt,
        head,
    } = &material;
    if words.has("p") || words.has("P") {
        show(salt.as_deref(), key, iv);
        if words.has("P") {
            return Ok(None);
        }
    }
    let pads = !words.has("nopad");
    let made = match words.has("d") {
        true => (cipher.decrypt)(key, iv, &text, pads),
        false => (cipher.encrypt)(key, iv, &text, pads),
    };
    match made {
        Some(made) if head.is_empty() => Ok(Some(made)),
        Some(made) => Ok(Some(bytes!(head, made))),
        None if !head.is_empty() => Err(call.fail(1, "wrong final block length")),
        None => {
            let what = if words.has("d") {
                "bad decrypt"
            } else {
                "wrong final block length"
            };
            eprintln!("{what}");
            Err(1)
        }
    }
}

/// The key of `-K` and the vector of `-iv`.
fn from_key(call: &Call, words: &Words, cipher: &Cipher, digits: &[u8]) -> Result<Material, i32> {
    let key = sized(call, digits, cipher.key, "key")?;
    let iv = match words.value("iv") {
        Some(iv) => sized(call, iv, cipher.iv, "iv")?,
        None if cipher.iv == 0 => Vec::new(),
        None => {
            eprintln!("iv undefined");
            return Err(1);
        }
    };
    Ok(Material {
        key,
        iv,
        salt: None,
        head: Vec::new(),
    })
}

/// Key and vector of a password; the salt at the start of what is decrypted is taken out of it.
fn from_password(
    call: &Call,
    words: &Words,
    cipher: &Cipher,
    text: &mut Vec<u8>,
) -> Result<Material, i32> {
    let decrypts = words.has("d");
    let word = secret(call, words, cipher)?;
    let given = words.value("S");
    let given = given.map(|salt| sized(call, salt, 8, "salt")).transpose()?;
    // A salt that was given is not kept in the text.
    let keeps = given.is_none() && !decrypts;
    let salt = match given {
        _ if words.has("nosalt") => None,
        Some(salt) => Some(salt),
        None if decrypts => Some(kept_salt(text)?),
        None => Some(random_bytes(call, 8)?),
    };
    let head = match &salt {
        Some(salt) if keeps => bytes!(MAGIC, salt),
        _ => Vec::new(),
    };
    let found = salt.as_deref().unwrap_or_default();
    let found = stretch(call, words, cipher, &word, found)?;
    let (key, iv) = found.split_at(cipher.key);
    Ok(Material {
        key: key.to_vec(),
        iv: iv.to_vec(),
        salt,
        head,
    })
}

/// Takes `MAGIC` and the salt off the start of a text. It is an error where they are not there.
fn kept_salt(text: &mut Vec<u8>) -> Result<Vec<u8>, i32> {
    if text.len() < 16 {
        eprintln!("error reading input file");
        return Err(1);
    }
    if !text.starts_with(MAGIC) {
        eprintln!("bad magic number");
        return Err(1);
    }
    let rest = text.split_off(16);
    Ok(std::mem::replace(text, rest)[8..].to_vec())
}

/// `-p` and `-P`: salt, key and vector in upper-case hexadecimal.
fn show(salt: Option<&[u8]>, key: &[u8], iv: &[u8]) {
    if let Some(salt) = salt {
        println!("salt={}", hex(salt, ""));
    }
    println!("key={}", hex(key, ""));
    if !iv.is_empty() {
        println!("iv ={}", hex(iv, ""));
    }
}

/// Bytes from hexadecimal digits, filled up with zeros or cut to the length that is needed, after a warning.
fn sized(call: &Call, digits: &[u8], length: usize, what: &str) -> Result<Vec<u8>, i32> {
    let mut digits = digits.to_vec();
    if digits.len() < 2 * length {
        eprintln!("hex string is too short, padding with zero bytes to length");
        digits.resize(2 * length, b'0');
    } else if digits.len() > 2 * length {
        eprintln!("hex string is too long, ignoring excess");
        digits.truncate(2 * length);
    }
    unhex(&digits).ok_or_else(|| {
        eprintln!("non-hex digit");
        call.fail(1, format!("invalid hex {what} value"))
    })
}

/// The password: `-k`, `-kfile` or `-pass`, else a line that is asked for, twice for encryption.
fn secret(call: &Call, words: &Words, cipher: &Cipher) -> Result<Vec<u8>, i32> {
    if let Some(word) = words.value("k") {
        return Ok(word.to_vec());
    }
    if let Some(path) = words.value("kfile") {
        return password(call, &bytes!("file:", path));
    }
    if let Some(source) = words.value("pass") {
        return password(call, source);
    }
    let name = cipher.names[0].to_uppercase();
    let what = if words.has("d") {
        "decryption"
    } else {
        "encryption"
    };
    eprint!("enter {name} {what} password:");
    let word = line();
    eprintln!();
    if !words.has("d") {
        eprint!("Verifying - enter {name} {what} password:");
        let again = line();
        eprintln!();
        if again != word {
            eprintln!("Verify failure\nbad password read");
            return Err(1);
        }
    }
    Ok(word)
}

/// Key and vector from the password, one behind the other.
fn stretch(
    call: &Call,
    words: &Words,
    cipher: &Cipher,
    word: &[u8],
    salt: &[u8],
) -> Result<Vec<u8>, i32> {
    let digest = words.value("md").unwrap_or(b"sha256");
    let Some(digest) = algorithm(digest) else {
        return Err(call.fail(1, bytes!("Unknown option or message digest: ", digest)));
    };
    let length = cipher.key + cipher.iv;
    if words.has("pbkdf2") || words.has("iter") {
        let rounds = words.number(call, "iter", 10_000)?;
        let mut found = vec![0; length];
        let rounds = u32::try_from(rounds).unwrap_or(u32::MAX);
        (digest.stretch)(word, salt, rounds, &mut found);
        return Ok(found);
    }
    eprintln!("*** WARNING : deprecated key derivation used.");
    eprintln!("Using -iter or -pbkdf2 would be better.");
    derive(digest.name, word, salt, length).ok_or(1)
}
