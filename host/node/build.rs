//! Lets the linker leave Node's symbols to Node.

fn main() {
    napi_build::setup();
}
