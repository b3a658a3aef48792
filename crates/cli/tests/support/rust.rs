//! Programs in Rust: the compiler whose bitcode the engine reads, where there is one.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

/// The last version with the engine's version of LLVM.
const VERSION: &str = "1.86.0";
/// The target with musl, whose standard library is bitcode as well.
const TARGET: &str = "x86_64-unknown-linux-musl";

/// The compiler: `EVERETT_RUSTC`, or the one that rustup has of the version.
pub(crate) fn compiler() -> Option<&'static Path> {
    static COMPILER: OnceLock<Option<PathBuf>> = OnceLock::new();
    COMPILER.get_or_init(find).as_deref()
}

fn find() -> Option<PathBuf> {
    let named = std::env::var_os("EVERETT_RUSTC").map(PathBuf::from);
    let compiler = named.or_else(|| {
        said(Command::new("rustup").args(["which", "--toolchain", VERSION, "rustc"]))
    })?;
    let libraries =
        said(Command::new(&compiler).args(["--print", "target-libdir", "--target", TARGET]))?;
    libraries.is_dir().then_some(compiler)
}

/// The path that a command prints.
fn said(command: &mut Command) -> Option<PathBuf> {
    let output = command.output().ok().filter(|output| output.status.success())?;
    Some(PathBuf::from(String::from_utf8(output.stdout).ok()?.trim()))
}

/// The compilation of a program to bitcode, with the whole standard library.
pub(crate) fn bitcode(source: &Path, output: &Path, flags: &[String]) -> Command {
    let mut compile = compile(source, flags);
    compile.args(["-Clto=fat", "--emit=llvm-bc"]).arg("-o").arg(output);
    compile
}

/// The compilation of a native program.
#[allow(dead_code, reason = "only one of the suites runs programs natively")]
pub(crate) fn native(source: &Path, output: &Path, flags: &[String]) -> Command {
    let mut compile = compile(source, flags);
    compile.arg("-o").arg(output);
    compile
}

/// What both have in common. Flags that do not begin with `-C` are a level of optimisation, as `-O1`.
fn compile(source: &Path, flags: &[String]) -> Command {
    let mut compile =
        Command::new(compiler().expect("programs in Rust are listed where there is a compiler"));
    compile.args(["--edition=2021", "-g", "-Awarnings", "-Ccodegen-units=1", "--target", TARGET]);
    compile.arg(source);
    for flag in flags {
        match flag.strip_prefix("-O") {
            Some(level) => compile.arg(format!("-Copt-level={level}")),
            None => compile.arg(flag),
        };
    }
    compile
}
