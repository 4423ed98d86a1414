//! The ways to compute a checksum. All read their input once, in pieces and constant memory.

use std::io::Read;

use blake2b_simd::Params;
use md5::Md5;
use sha1::Sha1;
use sha2::digest::DynDigest;
use sha2::{Sha224, Sha256, Sha384, Sha512};
use sm3::Sm3;

use crate::output::CHUNK;
use crate::system;

/// How a checksum is computed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Algorithm {
    /// 16 bits that rotate, as `sum -r`.
    Bsd,
    /// The sum of the bytes, as `sum -s`.
    SysV,
    /// The CRC of POSIX.
    Crc,
    /// RFC 1321.
    Md5,
    /// FIPS 180-4, like the four that follow.
    Sha1,
    Sha224,
    Sha256,
    Sha384,
    Sha512,
    /// RFC 7693, of any length in whole bytes.
    Blake2b,
    /// GB/T 32905-2016.
    Sm3,
}

/// All of them, with the name that `cksum -a` takes and the tag of their lines.
pub const ALL: &[(Algorithm, &str, &str)] = &[
    (Algorithm::Bsd, "bsd", "BSD"),
    (Algorithm::SysV, "sysv", "SYSV"),
    (Algorithm::Crc, "crc", "CRC"),
    (Algorithm::Md5, "md5", "MD5"),
    (Algorithm::Sha1, "sha1", "SHA1"),
    (Algorithm::Sha224, "sha224", "SHA224"),
    (Algorithm::Sha256, "sha256", "SHA256"),
    (Algorithm::Sha384, "sha384", "SHA384"),
    (Algorithm::Sha512, "sha512", "SHA512"),
    (Algorithm::Blake2b, "blake2b", "BLAKE2b"),
    (Algorithm::Sm3, "sm3", "SM3"),
];

/// The most bits of a BLAKE2b, and how many it has without `-l`.
pub const BLAKE2B_BITS: usize = 512;

/// A checksum.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Sum {
    /// A number, and how many bytes were read. How these become blocks is a matter of the output.
    Number(u32, u64),
    /// Hexadecimal digits in lower case.
    Digest(String),
}

impl Algorithm {
    /// Whether its sum is a number. There is no way to check lists of these.
    pub fn is_number(self) -> bool {
        matches!(self, Algorithm::Bsd | Algorithm::SysV | Algorithm::Crc)
    }

    /// The tag of its lines.
    pub fn tag(self) -> &'static str {
        let found = ALL.iter().find(|(algorithm, ..)| *algorithm == self);
        found.map_or("", |(_, _, tag)| tag)
    }

    /// How many bits its digest has; that of a number is 0.
    pub fn bits(self) -> usize {
        match self {
            Algorithm::Bsd | Algorithm::SysV | Algorithm::Crc => 0,
            Algorithm::Md5 => 128,
            Algorithm::Sha1 => 160,
            Algorithm::Sha224 => 224,
            Algorithm::Sha256 | Algorithm::Sm3 => 256,
            Algorithm::Sha384 => 384,
            Algorithm::Sha512 => 512,
            Algorithm::Blake2b => BLAKE2B_BITS,
        }
    }

    /// The checksum of what `input` gives. `bits` is the length of a BLAKE2b, a multiple of 8 from 8 to 512; others
    /// do not look at it.
    ///
    /// # Errors
    /// Where the input cannot be read.
    pub fn compute(self, input: &mut dyn Read, bits: usize) -> system::Result<Sum> {
        let digest: Box<dyn DynDigest> = match self {
            Algorithm::Bsd => {
                return number(input, |sum, byte| {
                    ((sum >> 1) + ((sum & 1) << 15) + u32::from(byte)) & 0xffff
                });
            }
            Algorithm::SysV => {
                let sum = number(input, |sum, byte| sum.wrapping_add(u32::from(byte)))?;
                let Sum::Number(sum, size) = sum else {
                    return Ok(sum);
                };
                let folded = (sum & 0xffff) + (sum >> 16);
                return Ok(Sum::Number((folded & 0xffff) + (folded >> 16), size));
            }
            Algorithm::Crc => return crc(input),
            Algorithm::Blake2b => {
                let mut state = Params::new().hash_length(bits / 8).to_state();
                pieces(input, |piece| {
                    state.update(piece);
                })?;
                return Ok(Sum::Digest(state.finalize().to_hex().to_string()));
            }
            Algorithm::Md5 => Box::new(Md5::default()),
            Algorithm::Sha1 => Box::new(Sha1::default()),
            Algorithm::Sha224 => Box::new(Sha224::default()),
            Algorithm::Sha256 => Box::new(Sha256::default()),
            Algorithm::Sha384 => Box::new(Sha384::default()),
            Algorithm::Sha512 => Box::new(Sha512::default()),
            Algorithm::Sm3 => Box::new(Sm3::default()),
        };
        let mut digest = digest;
        pieces(input, |piece| digest.update(piece))?;
        let bytes = digest.finalize();
        Ok(Sum::Digest(
            bytes.iter().map(|byte| format!("{byte:02x}")).collect(),
        ))
    }
}

/// Hands on what is read, and counts its bytes.
fn pieces(input: &mut dyn Read, mut take: impl FnMut(&[u8])) -> system::Result<u64> {
    let mut buffer = vec![0; CHUNK];
    let mut size = 0;
    loop {
        match input.read(&mut buffer) {
            Ok(0) => return Ok(size),
            Ok(count) => {
                take(&buffer[..count]);
                size += count as u64;
            }
            Err(error) if error.kind() == std::io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error.into()),
        }
    }
}

/// A sum that each byte changes by `step`, from 0 on.
fn number(input: &mut dyn Read, step: impl Fn(u32, u8) -> u32) -> system::Result<Sum> {
    let mut sum = 0;
    let size = pieces(input, |piece| {
        sum = piece.iter().fold(sum, |sum, byte| step(sum, *byte));
    })?;
    Ok(Sum::Number(sum, size))
}

/// The CRC of POSIX (`cksum`): polynomial 0x04c11db7 from the highest bit on, of the bytes and then of their number
/// with the low byte first and without leading zeros, inverted. Eight bytes are taken at once by as many tables, as
/// "slicing-by-8" does.
fn crc(input: &mut dyn Read) -> system::Result<Sum> {
    const TABLES: [[u32; 256]; 8] = tables();
    let mut sum = 0_u32;
    let one = |sum: u32, byte: u8| (sum << 8) ^ TABLES[0][((sum >> 24) as u8 ^ byte) as usize];
    let size = pieces(input, |piece| {
        let (eights, rest) = piece.as_chunks::<8>();
        for eight in eights {
            let mixed = sum.to_be_bytes();
            let mut next = 0;
            for (at, byte) in eight.iter().enumerate() {
                let byte = byte ^ mixed.get(at).copied().unwrap_or(0);
                next ^= TABLES[7 - at][byte as usize];
            }
            sum = next;
        }
        sum = rest.iter().fold(sum, |sum, byte| one(sum, *byte));
    })?;
    let mut length = size;
    let mut with_length = sum;
    while length > 0 {
        with_length = one(with_length, length as u8);
        length >>= 8;
    }
    Ok(Sum::Number(!with_length, size))
}

/// For each byte what it adds to the sum, `n` bytes before the end in table `n`.
const fn tables() -> [[u32; 256]; 8] {
    let mut tables = [[0; 256]; 8];
    let mut byte = 0;
    while byte < 256 {
        let mut value = (byte as u32) << 24;
        let mut bit = 0;
        while bit < 8 {
            value = (value << 1) ^ if value >> 31 == 1 { 0x04c1_1db7 } else { 0 };
            bit += 1;
        }
        tables[0][byte] = value;
        byte += 1;
    }
    let mut table = 1;
    while table < 8 {
        let mut byte = 0;
        while byte < 256 {
            let before = tables[table - 1][byte];
            tables[table][byte] = (before << 8) ^ tables[0][(before >> 24) as usize];
            byte += 1;
        }
        table += 1;
    }
    tables
}
