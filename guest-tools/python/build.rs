//! The size of the stack, and compiling the library anew when it changes.

/// Bytes of the stack in linear memory. `RustPython` watches this one alone, and raises `RecursionError` near
/// its end. It has to end before the engine's own stack, of 512 KiB, does; `depth.rs` has the exceptions.
const STACK: usize = 320 << 10;

fn main() {
    println!("cargo:rerun-if-changed=library");
    println!("cargo:rustc-link-arg=-zstack-size={STACK}");
}
