//! Compiles test inputs with the right clang.

use std::path::{Path, PathBuf};
use std::process::Command;

/// The root of the workspace.
pub(crate) fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// A folder for the outputs of one test.
pub(crate) fn scratch(name: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join("everett-llvm").join(name);
    std::fs::create_dir_all(&path).unwrap();
    path
}

/// Compiles one file to bitcode.
pub(crate) fn compile(source: &Path, flags: &[&str], output: &Path) {
    let cpp = source.extension().is_some_and(|extension| extension == "cpp");
    let mut clang = Command::new(if cpp { "clang++-19" } else { "clang-19" });
    // The host's libc may lack a function that ours has: its type matters little here.
    clang.args(["-Wno-implicit-function-declaration", "-Wno-int-conversion"]);
    clang.args(["-c", "-emit-llvm", "-w", "-I"]).arg(root().join("runtime-c/include"));
    clang.args(flags).arg(source).arg("-o").arg(output);
    let result = clang.output().expect("clang-19 is installed by `cargo xtask setup`");
    let message = String::from_utf8_lossy(&result.stderr);
    assert!(result.status.success(), "{}: {message}", source.display());
}

/// Compiles C text to bitcode, and answers the bytes.
pub(crate) fn bitcode(name: &str, text: &str, flags: &[&str]) -> Vec<u8> {
    let folder = scratch("text");
    let source = folder.join(format!("{name}.c"));
    let output = folder.join(format!("{name}.bc"));
    std::fs::write(&source, text).unwrap();
    compile(&source, flags, &output);
    std::fs::read(&output).unwrap()
}
