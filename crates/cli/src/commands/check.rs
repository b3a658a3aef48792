//! `everett check`: loads programs, and lists their contents.

use std::fmt::Write;
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::Result;
use everett_explorer::ProgramCaching;
use everett_ir::Program;
use everett_report::count_of;

use crate::environment::{self, toolchain_error};
use crate::terminal;

/// Load programs and describe them, without running anything
#[derive(clap::Args)]
pub(crate) struct CheckOptions {
    /// Programs: bitcode or text of LLVM
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
}

/// Describes each file; the first that cannot be loaded is an error.
pub(crate) fn run(options: &CheckOptions) -> Result<ExitCode> {
    let programs = environment::programs()?;
    for file in &options.files {
        let program = programs.load(file, ProgramCaching::On).map_err(toolchain_error)?;
        terminal::out(&format!("{}: {}", file.display(), describe(&program)));
    }
    Ok(ExitCode::SUCCESS)
}

fn describe(program: &Program) -> String {
    let own = program.functions.iter().filter(|function| function.defined && !function.library);
    let of_libraries = program.functions.iter().filter(|function| function.library);
    let mut text = format!(
        "{}, and {} of libraries; {}, {} in all\n",
        count_of(own.count() as u64, "function"),
        of_libraries.count(),
        count_of(program.instruction_count(), "instruction"),
        count_of(program.globals.len() as u64, "global variable")
    );
    if program.function_named("main").is_none_or(|id| !program.function(id).defined) {
        text.push_str("  no function main: run it with --entry\n");
    }
    let undefined: Vec<&str> = program
        .functions
        .iter()
        .filter(|function| !function.defined)
        .map(|function| function.name.as_str())
        .filter(|name| !everett_engine::is_primitive(name))
        .collect();
    if !undefined.is_empty() {
        let _ = writeln!(text, "  undefined: {}", undefined.join(", "));
    }
    text
}
