//! The programs of a replay in which threads are switched at accesses to memory: they are compiled once
//! more, with hooks at those accesses.

use std::collections::BTreeSet;
use std::path::Path;

use everett_toolchain::ToolchainError;
use everett_toolchain::cc::{HookRequest, HookedProgram};

use super::NativeTools;
use super::executable::NativeExecutable;
use crate::error::Result;
use crate::script::{ScriptRecording, access_ops};

/// The programs of all nodes. Those without such accesses are the ones given; others are compiled in a
/// folder.
pub(super) fn programs(
    recording: &ScriptRecording,
    given: &[NativeExecutable],
    tools: &NativeTools,
    folder: &Path,
) -> Result<Vec<NativeExecutable>> {
    let mut made = Vec::new();
    for (at, program) in given.iter().enumerate() {
        let accesses = accesses(recording, at);
        if accesses.is_empty() {
            made.push(program.clone());
            continue;
        }
        let name = &recording.script.nodes[at].name;
        let file = folder.join(at.to_string());
        let hooks = HookRequest { accesses, sanitizes: program.has_sanitizer()? };
        compile(program, &hooks, tools, &file).map_err(|error| error.of_node(name))?;
        made.push(NativeExecutable::open(&file).map_err(|error| error.of_node(name))?);
    }
    Ok(made)
}

/// The ops of a node's program at which its threads are switched, or race.
fn accesses(recording: &ScriptRecording, node: usize) -> Vec<u32> {
    let script = &recording.script;
    let own =
        script.events.iter().filter(|e| script.threads[e.thread as usize].node as usize == node);
    let ops: BTreeSet<u32> = own.flat_map(access_ops).collect();
    ops.into_iter().collect()
}

fn compile(
    program: &NativeExecutable,
    hooks: &HookRequest,
    tools: &NativeTools,
    output: &Path,
) -> Result<()> {
    let NativeExecutable { file, libc, libraries } = program;
    let compiler = tools.compiler.as_ref().ok_or(ToolchainError::NoClang)?;
    // The first one is the loader.
    let libraries = libraries.get(1..).unwrap_or_default();
    let program = HookedProgram { file, libc: *libc, libraries, hooks };
    Ok(compiler.compile_hooked(&program, &tools.loader, output)?)
}
