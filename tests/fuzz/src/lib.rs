//! Targets for fuzzers, one test each: what reads bytes and texts that somebody else made.
//!
//! `cargo test -p offshoot-fuzz` draws some inputs for each; `BOLERO_RANDOM_ITERATIONS` and
//! `BOLERO_RANDOM_TEST_TIME_MS` say how many, or for how long. `cargo bolero test TARGET` has libFuzzer or
//! AFL choose them by coverage, and keeps what it found beside the tests, where it runs first.
