//! Instructions of processors that functions of a library stand for.
//!
//! The intrinsic `llvm.x86.sse2.psad.bw` is the function `__everett_x86_sse2_psad_bw`, if a library has
//! it: its calls become calls of that function before the program is linked. Intrinsics without such a
//! function stay, and are lowered, or are unsupported by their names.
//!
//! Not here: intrinsics that become ops (`lower/instructions/intrinsic.rs`).

use everett_base::Set;

use crate::sys::{Module, Opcode};

/// The function for the counter of cycles.
pub(crate) const CYCLES: &str = "__everett_x86_rdtsc";

/// Turns calls of intrinsics into calls of functions, and returns the functions that assembly needs.
pub(crate) fn call_functions(module: &Module<'_>, is_there: impl Fn(&str) -> bool) -> Set<String> {
    for function in module.functions() {
        let Some(name) = function.intrinsic_name() else { continue };
        if !name.starts_with("llvm.x86.") && name != "llvm.readcyclecounter" {
            continue;
        }
        // The full name tells types that the base name leaves out.
        let name = function.name().replacen("llvm", "__everett", 1).replace('.', "_");
        if is_there(&name) {
            module.replace_function(function, &name);
        }
    }
    let mut needed = Set::default();
    if is_there(CYCLES) && reads_cycles(module) {
        needed.insert(CYCLES.to_owned());
    }
    needed
}

/// Returns `true` if assembly in the module reads the counter of cycles.
fn reads_cycles(module: &Module<'_>) -> bool {
    let functions = module.functions();
    let instructions = functions
        .iter()
        .flat_map(|function| function.blocks())
        .flat_map(|block| block.instructions());
    { instructions }.any(|inst| {
        inst.opcode() == Opcode::Call
            && inst.callee().is_inline_asm()
            && inst.inline_asm().0.contains("rdtsc")
    })
}
