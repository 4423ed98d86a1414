//! `wasi:random`, over the sandbox's randomness.

use super::Guest;
use super::bindings::wasi::random::{insecure, insecure_seed, random};
use crate::limit::RANDOM_BYTES;

impl Guest {
    fn random_bytes(&self, length: u64) -> wasmtime::Result<Vec<u8>> {
        if length > RANDOM_BYTES {
            return Err(wasmtime::format_err!(
                "more than {RANDOM_BYTES} random bytes in one call"
            ));
        }
        let mut bytes = vec![0; length as usize];
        self.kernel.settings().random.fill(&mut bytes);
        Ok(bytes)
    }

    fn random_number(&self) -> u64 {
        let mut bytes = [0; 8];
        self.kernel.settings().random.fill(&mut bytes);
        u64::from_le_bytes(bytes)
    }
}

impl random::Host for Guest {
    fn get_random_bytes(&mut self, length: u64) -> wasmtime::Result<Vec<u8>> {
        self.random_bytes(length)
    }

    fn get_random_u64(&mut self) -> wasmtime::Result<u64> {
        Ok(self.random_number())
    }
}

impl insecure::Host for Guest {
    fn get_insecure_random_bytes(&mut self, length: u64) -> wasmtime::Result<Vec<u8>> {
        self.random_bytes(length)
    }

    fn get_insecure_random_u64(&mut self) -> wasmtime::Result<u64> {
        Ok(self.random_number())
    }
}

impl insecure_seed::Host for Guest {
    fn insecure_seed(&mut self) -> wasmtime::Result<(u64, u64)> {
        Ok((self.random_number(), self.random_number()))
    }
}
