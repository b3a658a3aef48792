//! Several modules to one bitcode file.

use std::path::{Path, PathBuf};

use crate::error::LlvmError;
use crate::load::{link_inputs, read_all};
use crate::sys::Context;

/// Links modules, in the order of a linker's command line, and writes the result as bitcode.
pub fn link_to_bitcode(paths: &[PathBuf], output: &Path) -> Result<(), LlvmError> {
    let context = Context::new();
    let inputs = read_all(paths)?;
    let inputs: Vec<_> = inputs.iter().collect();
    let linked = link_inputs(&context, &inputs, &mut Vec::new())?;
    let io = |error| LlvmError::Write { path: output.to_path_buf(), error };
    std::fs::write(output, linked.to_bitcode()).map_err(io)
}
