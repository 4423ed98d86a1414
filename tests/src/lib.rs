//! What crosses crates; the cases are in `tests/`, one binary.
