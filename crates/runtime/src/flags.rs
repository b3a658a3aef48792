//! The flags by which `everett cc` and the build of the libc compile C.
//!
//! Plain constants, included by the build script too.

/// The compiler; its version is that of the LLVM that reads its output.
pub const CLANG: &str = "clang-19";

/// Hides the host's headers.
pub const NO_HOST_HEADERS: &str = "-nostdlibinc";

/// Flags of every compilation.
pub const COMMON: &[&str] = &[
    // The machine that is simulated, whatever the host is.
    "--target=x86_64-pc-linux-gnu",
    "-c",
    "-emit-llvm",
    // Headers are ours and the compiler's own (stdarg.h, stdint.h), never the host's.
    NO_HOST_HEADERS,
    // A call stays the call that was written: malloc that is never used is not removed, printf does
    // not become puts, a loop does not become memset, so findings name what the programmer wrote.
    "-fno-builtin",
    // A null pointer is accessed where the program says so, and not assumed away.
    "-fno-delete-null-pointer-checks",
    "-fno-stack-protector",
    // Floating-point results are those of the plain operations, as on the reference machine.
    "-ffp-contract=off",
    "-fmath-errno",
    "-Wno-unused-command-line-argument",
];
