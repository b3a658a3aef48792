//! The compiler for the programs in Rust that the suite explores: the last version whose LLVM is the
//! engine's.

use std::process::Command;

use crate::process::find_program;

const VERSION: &str = "1.86.0";
const TARGET: &str = "x86_64-unknown-linux-musl";

/// Lets rustup install the compiler unless it is there. Without one, the suite leaves these programs out.
pub(crate) fn run() {
    if find_program("rustup").is_none() {
        println!("setup: no rustup; programs in Rust are not tested");
        return;
    }
    let mut which = Command::new("rustup");
    which.args(["which", "--toolchain", VERSION, "rustc"]);
    if which.output().is_ok_and(|output| output.status.success()) {
        return;
    }
    println!("setup: installing Rust {VERSION} for tests of programs in Rust");
    let mut install = Command::new("timeout");
    install.args(["300", "rustup", "toolchain", "install", VERSION, "--profile", "minimal"]);
    install.args(["--target", TARGET, "--no-self-update"]);
    if !install.status().is_ok_and(|status| status.success()) {
        println!("setup: Rust {VERSION} cannot be installed; programs in Rust are not tested");
    }
}
