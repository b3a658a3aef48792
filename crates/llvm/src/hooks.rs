//! Programs that call a hook at some of their accesses, for native replay.
//!
//! An access is an op of the lowered program. [`hook`] lowers the program once more to find the instruction
//! that the op comes from, and puts calls of [`HOOK`] before and after this instruction in the program's own
//! modules. Everything else stays as it is, and libraries are not part of the result.
//!
//! Not here: the hook itself (`runtime-c/replay`), and how the result is compiled (`everett-toolchain`).

use std::path::PathBuf;

use everett_base::Map;
use everett_ir::Pc;

use crate::error::LlvmError;
use crate::load::{
    InputFile, LinkedModule, LoadOptions, broken, link_inputs, link_program, read_all,
};
use crate::lower::{self, LowerRequest};
use crate::sys::{Context, Inst, Value};

/// The function that is called: with the op, 0 before the access and 1 after it, the address, and the number
/// of bytes.
pub const HOOK: &str = "everett_replay_access";

/// The accesses of a program at which a hook is called.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct HookRequest {
    /// The ops that make the accesses.
    pub accesses: Vec<Pc>,
    /// True if the result is compiled with a sanitizer of addresses, which looks at marked functions alone.
    pub sanitizes: bool,
}

/// The place of an instruction in the program's own modules.
struct InstructionPlace {
    function: String,
    /// Its position among all instructions of the function.
    position: usize,
}

/// Links the program's own modules, without its libraries, and adds calls of [`HOOK`]. Answers bitcode.
pub fn hook(
    paths: &[PathBuf],
    options: &LoadOptions,
    request: &HookRequest,
) -> Result<Vec<u8>, LlvmError> {
    hook_inputs(&read_all(paths)?, options, request)
}

fn hook_inputs(
    inputs: &[InputFile],
    options: &LoadOptions,
    request: &HookRequest,
) -> Result<Vec<u8>, LlvmError> {
    let places = places(inputs, options, &request.accesses)?;
    let context = Context::new();
    let modules: Vec<&InputFile> = inputs.iter().collect();
    let linked = link_inputs(&context, &modules, &mut Vec::new())?;
    // The same form as in `places`, where positions were counted.
    linked.use_debug_intrinsics();
    let functions = linked.functions();
    let named: Map<String, Value<'_>> =
        functions.iter().map(|function| (function.name(), *function)).collect();
    let mut found = Vec::new();
    for (pc, InstructionPlace { function, position }) in places {
        let function = named.get(&function).ok_or(LlvmError::NoInstruction { pc })?;
        let inst = instructions(*function).nth(position);
        found.push((pc, inst.ok_or(LlvmError::NoInstruction { pc })?));
    }
    // Positions change from here on.
    for (pc, inst) in found {
        linked.hook(inst, HOOK, pc);
    }
    if request.sanitizes {
        let defined = functions.iter().filter(|function| !function.is_declaration());
        defined.for_each(|function| function.add_enum_attribute("sanitize_address"));
    }
    linked.verify().map_err(|reason| broken(inputs, reason))?;
    Ok(linked.to_bitcode())
}

/// The instructions that ops of the whole program come from.
fn places(
    inputs: &[InputFile],
    options: &LoadOptions,
    accesses: &[Pc],
) -> Result<Vec<(Pc, InstructionPlace)>, LlvmError> {
    let context = Context::new();
    let LinkedModule { module, roots, is_whole } =
        link_program(&context, inputs, options, &mut Vec::new())?;
    let request = LowerRequest { roots: roots.as_ref(), exports: is_whole, options };
    let lowered = lower::lower(&module, &request);
    let place = |pc: Pc| {
        let after = lowered.origins.partition_point(|origin| origin.first <= pc);
        let origin = lowered.origins[..after].last()?;
        let position = instructions(origin.function).position(|inst| inst == origin.inst)?;
        Some((pc, InstructionPlace { function: origin.function.name(), position }))
    };
    let find = |pc: &Pc| place(*pc).ok_or(LlvmError::NoInstruction { pc: *pc });
    accesses.iter().map(find).collect()
}

/// The instructions of a function, in order.
fn instructions<'m>(function: Value<'m>) -> impl Iterator<Item = Inst<'m>> {
    function.blocks().into_iter().flat_map(|block| block.instructions())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::load::load_bytes;
    use everett_ir::Op;

    const TEXT: &[u8] = b"@x = global i32 0
define i32 @main() {
  %seen = load i32, ptr @x
  %more = add i32 %seen, 1
  store atomic i32 %more, ptr @x seq_cst, align 4
  ret i32 0
}
";

    fn hooked(text: &[u8], pc: Pc) -> Result<Vec<u8>, LlvmError> {
        let input = InputFile { path: "x.ll".into(), bytes: text.to_vec() };
        let request = HookRequest { accesses: vec![pc], sanitizes: true };
        hook_inputs(&[input], &LoadOptions::default(), &request)
    }

    #[test]
    fn a_hook_is_called_around_the_instruction_of_an_op() {
        let program = load_bytes("x.ll", TEXT, &LoadOptions::default()).unwrap().program;
        let is_store = |op: &Op| matches!(op, Op::Store { .. });
        let pc = program.ops.iter().position(is_store).unwrap() as Pc;
        let bitcode = hooked(TEXT, pc).unwrap();
        let found = load_bytes("hooked", &bitcode, &LoadOptions::default()).unwrap();
        let kinds = found.program.ops.iter().filter_map(|op| match op {
            Op::Load { .. } => Some("load"),
            Op::Store { .. } => Some("store"),
            Op::Call { .. } => Some("hook"),
            _ => None,
        });
        assert_eq!(kinds.collect::<Vec<_>>(), ["load", "hook", "store", "hook"]);
    }

    #[test]
    fn an_op_of_no_instruction_is_an_error() {
        let error = hooked(b"@x = global i32 0\n", 7).unwrap_err();
        assert!(matches!(error, LlvmError::NoInstruction { pc: 7 }), "{error}");
    }
}
