//! `everett cc` and `everett c++`: compilers whose results carry their bitcode.
//!
//! The native result is what clang makes of the user's own command line. Beside it, every source file
//! is compiled to bitcode with the flags that suit the engine; objects carry it in a section (see
//! `carried.rs`), and linkers carry it on. The native compiler speaks to the user; the other one is
//! heard only if it alone fails.

mod arguments;
mod flags;
mod modules;
mod plain;
mod response;
mod stub;
mod surroundings;
mod sysroot;

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, ExitStatus};

use anyhow::{Context, Result, bail};

use crate::toolchain::Clang;
use crate::{EXIT_FAILED, cache, carried};
use arguments::{Argument, Driver, Goal, Invocation};
use modules::Compiled;
use surroundings::Surroundings;

/// Compile and link C as gcc and clang do; the results carry their bitcode
#[derive(clap::Args)]
#[command(
    disable_version_flag = true,
    override_usage = "everett cc [FLAGS OF CLANG] [--libc=musl|glibc] FILE... [-o PROGRAM]",
    after_help = HELP
)]
pub(crate) struct Options {
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

Bitcode is compiled with -O1 -g (-O0 where you say so) and without -march, -mtune, -fsanitize, \
-ffast-math, -fprofile-*, -fstack-protector, -D_FORTIFY_SOURCE and C++ exceptions; \
EVERETT_BITCODE_FLAGS adds flags to its compilation alone. -flto is ignored altogether.";

/// Compiles C.
pub(crate) fn run(options: &Options) -> Result<ExitCode> {
    compile(Driver::C, &options.args)
}

/// Compiles C++.
pub(crate) fn run_cxx(options: &CxxOptions) -> Result<ExitCode> {
    compile(Driver::Cxx, &options.args)
}

fn compile(driver: Driver, words: &[OsString]) -> Result<ExitCode> {
    let invocation = Invocation::parse(driver, response::expand(words)?)?;
    let clang = Clang::find()?;
    let cache = cache::folder()?;
    let surroundings = Surroundings::choose(clang, &invocation, &cache)?;
    let has_code = !invocation.is_question && invocation.inputs().next().is_some();
    if has_code && invocation.wants_bitcode() {
        return plain::build(&invocation, &surroundings);
    }
    match invocation.goal {
        _ if !has_code => native_only(&invocation, &surroundings),
        Goal::NoCode | Goal::Assembly => native_only(&invocation, &surroundings),
        Goal::Object => objects(&invocation, &surroundings),
        Goal::Link => link(&invocation, &surroundings, &cache),
    }
}

/// What has no bitcode: the native compiler alone.
fn native_only(invocation: &Invocation, surroundings: &Surroundings) -> Result<ExitCode> {
    let status = native(invocation, surroundings)?.status();
    Ok(exit_code(status.with_context(|| surroundings.clang.no_start())?))
}

/// `-c`: both compilers at the same time, then the bitcode into the objects.
fn objects(invocation: &Invocation, surroundings: &Surroundings) -> Result<ExitCode> {
    let stdin = modules::Stdin::read_if_needed(invocation)?;
    let outputs: Vec<PathBuf> = invocation
        .sources()
        .map(|source| invocation.output.clone().unwrap_or_else(|| source.default_output("o")))
        .collect();
    // What is thrown away, as by `-o /dev/null`, or goes into a pipe, needs no bitcode.
    let is_special = |file: &PathBuf| {
        file == Path::new("-") || fs::metadata(file).is_ok_and(|found| !found.is_file())
    };
    if outputs.is_empty() || outputs.iter().any(is_special) {
        return native_only(invocation, surroundings);
    }
    let bitcode = modules::Running::start(invocation, surroundings, &stdin)?;
    let mut native = native(invocation, surroundings)?;
    stdin.give(&mut native)?;
    let status = native.status().with_context(|| surroundings.clang.no_start())?;
    let compiled = bitcode.finish()?;
    if !status.success() {
        return Ok(exit_code(status));
    }
    let attached = match compiled {
        Compiled::Modules(modules) => {
            let mut pairs = outputs.iter().zip(&modules);
            pairs.try_for_each(|(output, module)| attach(output, &module.record()))
        }
        Compiled::Failed(said) => return failed_alone(&said, &outputs),
    };
    if attached.is_err() {
        // An object without its bitcode must not be taken for a whole one.
        remove(&outputs);
    }
    attached.map(|()| ExitCode::SUCCESS)
}

/// Sources that are compiled and linked in one go: their bitcode is one more object of the link.
fn link(invocation: &Invocation, surroundings: &Surroundings, cache: &Path) -> Result<ExitCode> {
    let scratch = tempfile::tempdir().context("cannot make a temporary folder")?;
    let stdin = modules::Stdin::read_if_needed(invocation)?;
    let mut command = native(invocation, surroundings)?;
    let mut failed = None;
    match modules::Running::start(invocation, surroundings, &stdin)?.finish()? {
        Compiled::Modules(modules) if modules.is_empty() => {}
        Compiled::Modules(modules) => {
            let records: Vec<u8> = modules.iter().flat_map(carried::Module::record).collect();
            let object = scratch.path().join("bitcode.o");
            fs::write(&object, carried::pack(&records)?)
                .with_context(|| format!("cannot write {}", object.display()))?;
            command.args(["-x", "none"]).arg(object);
        }
        Compiled::Failed(said) => failed = Some(said),
    }
    if !invocation.has(&["-shared", "-r", "-nostdlib", "-nodefaultlibs", "-nolibc"]) {
        command.args(["-x", "none"]).arg(stub::archive(surroundings, cache)?);
    }
    stdin.give(&mut command)?;
    let status = command.status().with_context(|| surroundings.clang.no_start())?;
    match failed {
        Some(said) if status.success() => {
            let output = invocation.output.clone().unwrap_or_else(|| "a.out".into());
            failed_alone(&said, &[output])
        }
        _ => Ok(exit_code(status)),
    }
}

/// The native compiler's command: nearly what the user gave.
fn native(invocation: &Invocation, surroundings: &Surroundings) -> Result<Command> {
    let mut command = surroundings.clang.command();
    command.args(surroundings.native()?);
    for argument in &invocation.arguments {
        match argument {
            Argument::Input(input) => {
                command.arg(&input.path);
            }
            Argument::Flag(words) if words[0].to_str().is_none_or(flags::is_native) => {
                command.args(words);
            }
            Argument::Flag(_) => {}
        }
    }
    Ok(command)
}

/// Puts records of bitcode into an object.
fn attach(object: &Path, records: &[u8]) -> Result<()> {
    let bytes = fs::read(object).with_context(|| format!("cannot read {}", object.display()))?;
    // A precompiled header, say, is no object.
    if let Some(with_bitcode) = carried::attach(&bytes, records)? {
        fs::write(object, with_bitcode)
            .with_context(|| format!("cannot write {}", object.display()))?;
    }
    Ok(())
}

/// The program compiles natively, but not to bitcode.
fn failed_alone(said: &[u8], outputs: &[PathBuf]) -> Result<ExitCode> {
    remove(outputs);
    crate::terminal::err_bytes(said);
    if String::from_utf8_lossy(said).contains("with exceptions disabled") {
        bail!("this needs C++ exceptions, which Everett does not have; natively it compiles")
    }
    bail!(
        "this compiles natively, but not to the bitcode that Everett runs (see `everett cc --help`)"
    )
}

fn remove(outputs: &[PathBuf]) {
    for output in outputs {
        // Never a device; and what failed before is the news.
        if fs::symlink_metadata(output).is_ok_and(|found| found.is_file()) {
            let _ = fs::remove_file(output);
        }
    }
}

fn exit_code(status: ExitStatus) -> ExitCode {
    match status.code().and_then(|code| u8::try_from(code).ok()) {
        Some(code) => ExitCode::from(code),
        None => ExitCode::from(EXIT_FAILED),
    }
}
