//! `everett cc` and `everett c++`: the compiler's command lines, and their exit codes.
//!
//! Not here: the compilation itself (`everett-toolchain`).

use std::ffi::OsString;
use std::process::ExitCode;

use anyhow::Result;
use everett_toolchain::ToolchainError;
use everett_toolchain::cc::{CompilationResult, CompilerName};

use crate::exit_codes::EXIT_FAILED;
use crate::{environment, terminal};

/// Compile and link C as gcc and clang do; the results carry their bitcode
#[derive(clap::Args)]
#[command(
    disable_version_flag = true,
    override_usage = "everett cc [FLAGS OF CLANG] [--libc=musl|glibc] FILE... [-o PROGRAM]",
    after_help = HELP
)]
pub(crate) struct CcOptions {
    /// Files, and flags of clang, which are passed on
    #[arg(trailing_var_arg = true, allow_hyphen_values = true, value_name = "ARGS")]
    args: Vec<OsString>,
}

/// Compile and link C++ as g++ and clang++ do; the results carry their bitcode
#[derive(clap::Args)]
#[command(
    disable_version_flag = true,
    override_usage = "everett c++ [FLAGS OF CLANG] [--libc=musl|glibc] FILE... [-o PROGRAM]",
    after_help = HELP
)]
pub(crate) struct CxxOptions {
    /// Files, and flags of clang, which are passed on
    #[arg(trailing_var_arg = true, allow_hyphen_values = true, value_name = "ARGS")]
    args: Vec<OsString>,
}

const HELP: &str = "\
Takes the place of a compiler, as in `CC=\"everett cc\" ./configure && make`. What it makes runs natively \
and under `everett run`; `everett bitcode` takes the bitcode out. With -emit-llvm, or if the name after \
-o ends in .bc, the result is bitcode alone.

C is compiled against musl and C++ against glibc and libstdc++, unless --libc or EVERETT_LIBC says \
otherwise. <klee/klee.h>, <netklee.h> and <everett.h> are found in addition.

Bitcode is compiled with -O1 -g (-O0 where you say so) and without -march, -mtune, -ffast-math, \
-fprofile-*, -fstack-protector, -D_FORTIFY_SOURCE, and sanitizers other than -fsanitize=undefined and \
its parts; \
EVERETT_BITCODE_FLAGS adds flags to its compilation alone. -flto is ignored altogether.";

/// Compiles C.
pub(crate) fn run(options: &CcOptions) -> Result<ExitCode> {
    carry_out(CompilerName::C, &options.args)
}

/// Compiles C++.
pub(crate) fn run_cxx(options: &CxxOptions) -> Result<ExitCode> {
    carry_out(CompilerName::Cxx, &options.args)
}

fn carry_out(driver: CompilerName, words: &[OsString]) -> Result<ExitCode> {
    let settings = environment::compiler_settings()?;
    let done = settings.compile(driver, words).map_err(|error| {
        if let ToolchainError::NativeOnly { said } = &error {
            terminal::err_bytes(said);
        }
        environment::toolchain_error(error)
    })?;
    Ok(match done {
        CompilationResult::Succeeded => ExitCode::SUCCESS,
        CompilationResult::Failed(code) => ExitCode::from(code.unwrap_or(EXIT_FAILED)),
    })
}
