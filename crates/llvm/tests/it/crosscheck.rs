//! Compares a lowered program with what `llvm-ir`, an independent reader, sees in the same file.
//!
//! Functions, blocks, the number of instructions in each block and the kinds that map one to one
//! must agree, and so must every initialiser of a global variable: nothing is lost silently.

use std::path::Path;

use everett_ir::{Function, Op, Program};
use llvm_ir::terminator::Terminator;
use llvm_ir::{BasicBlock, Constant, Instruction, Module, Name, Operand};

use crate::image;

/// The numbers that are counted on both sides.
#[derive(Default, PartialEq, Eq, Debug)]
struct ModuleCounts {
    instructions: u64,
    loads: u32,
    stores: u32,
    allocas: u32,
    calls: u32,
    returns: u32,
    switches: u32,
}

/// Compares a file with the program that it was lowered to.
pub(crate) fn compare(path: &Path, program: &Program) -> Result<(), String> {
    let module = Module::from_ir_path(path)?;
    for function in &module.functions {
        let lowered = program.functions.iter().find(|f| f.name == function.name && f.defined);
        let Some(lowered) = lowered else { return Err(format!("no function {}", function.name)) };
        if lowered.blocks.len() != function.basic_blocks.len() {
            return Err(format!("{}: {} blocks", function.name, lowered.blocks.len()));
        }
        for (index, block) in function.basic_blocks.iter().enumerate() {
            let expected = count_block_and_goto(&function.basic_blocks, block);
            let found = count_ops(program, lowered, index);
            if dead(&found) && expected.instructions == found.instructions {
                continue;
            }
            if expected != found {
                return Err(format!(
                    "{} block {index}: expected {expected:?}, found {found:?}",
                    function.name
                ));
            }
        }
    }
    // Functions with a dot in front of a name of ours are made up by the loader.
    let own = |f: &&Function| f.defined && !f.name.starts_with("everett.");
    let defined = program.functions.iter().filter(own).count();
    if defined != module.functions.len() {
        return Err(format!("{defined} functions instead of {}", module.functions.len()));
    }
    image::compare(&module, program)
}

/// A block that control never reaches is one op, which counts for all its instructions.
fn dead(found: &ModuleCounts) -> bool {
    *found == ModuleCounts { instructions: found.instructions, ..ModuleCounts::default() }
}

/// A jump to an indirect branch that several blocks share is an indirect branch itself, and what nothing
/// but such jumps lead to counts for nothing.
fn count_block_and_goto(blocks: &[BasicBlock], block: &BasicBlock) -> ModuleCounts {
    if is_shared_goto(block) && blocks.iter().all(|before| only_jumps_to(before, &block.name)) {
        return ModuleCounts::default();
    }
    let mut counts = count_block(block);
    if let Terminator::Br(jump) = &block.term {
        let target = blocks.iter().find(|target| target.name == jump.dest);
        if let Some(target) = target.filter(|target| is_shared_goto(target)) {
            counts.instructions += target.instrs.len() as u64 + 1;
        }
    }
    counts
}

fn is_shared_goto(block: &BasicBlock) -> bool {
    let is_phi = |instruction: &Instruction| matches!(instruction, Instruction::Phi(_));
    matches!(block.term, Terminator::IndirectBr(_)) && block.instrs.iter().all(is_phi)
}

/// Tells whether a block leads to another one by an unconditional jump, if it does.
fn only_jumps_to(block: &BasicBlock, target: &Name) -> bool {
    match &block.term {
        Terminator::CondBr(branch) => branch.true_dest != *target && branch.false_dest != *target,
        Terminator::Switch(switch) => {
            let mut cases = switch.dests.iter().map(|(_, case)| case);
            switch.default_dest != *target && cases.all(|case| case != target)
        }
        Terminator::IndirectBr(goto) => !goto.possible_dests.contains(target),
        _ => true,
    }
}

fn count_block(block: &BasicBlock) -> ModuleCounts {
    let mut counts = ModuleCounts { instructions: 1, ..ModuleCounts::default() };
    match &block.term {
        Terminator::Ret(_) => counts.returns += 1,
        Terminator::Switch(_) => counts.switches += 1,
        // The latter becomes a call of a library's function.
        Terminator::Invoke(_) | Terminator::Resume(_) => counts.calls += 1,
        _ => {}
    }
    for instruction in &block.instrs {
        let name = intrinsic(instruction);
        let silent =
            |name: &str| name.starts_with("llvm.dbg.") || name.starts_with("llvm.lifetime.");
        if name.as_deref().is_some_and(silent) {
            continue;
        }
        counts.instructions += 1;
        match instruction {
            Instruction::Load(_) => counts.loads += 1,
            Instruction::Store(_) => counts.stores += 1,
            Instruction::Alloca(_) => counts.allocas += 1,
            Instruction::Call(call) if name.is_none() && call.function.is_right() => {
                counts.calls += 1;
            }
            _ => {}
        }
        match name.as_deref() {
            // Stores of many zeroes become fills as well.
            Some(name) if name.starts_with("llvm.memset.") => counts.stores += 1,
            Some(name) if name.starts_with("llvm.frameaddress") => counts.allocas += 1,
            _ => {}
        }
    }
    counts
}

/// The name of the intrinsic that an instruction calls.
fn intrinsic(instruction: &Instruction) -> Option<String> {
    let Instruction::Call(call) = instruction else { return None };
    let Operand::ConstantOperand(constant) = call.function.as_ref().right()? else { return None };
    let Constant::GlobalReference { name: Name::Name(name), .. } = constant.as_ref() else {
        return None;
    };
    name.starts_with("llvm.").then(|| name.to_string())
}

fn count_ops(program: &Program, function: &Function, block: usize) -> ModuleCounts {
    let start = function.blocks[block] as usize;
    let end = function.blocks.get(block + 1).map_or(function.end, |next| *next) as usize;
    let mut counts = ModuleCounts::default();
    // The address of a thread's variable is computed first, and the distance from it may have the weight of
    // the instruction.
    let mut has_thread_local = false;
    for pc in start..end {
        let weight = program.weights[pc];
        counts.instructions += u64::from(weight);
        // Other ops without weight belong to an instruction that is lowered to several.
        let is_counted = weight > 0 || has_thread_local;
        let op = program.ops[pc];
        has_thread_local = matches!(op, Op::ThreadLocal { .. })
            || has_thread_local && matches!(op, Op::Add { .. });
        match op {
            Op::Load { .. } | Op::LoadMany { .. } if is_counted => counts.loads += 1,
            Op::Store { .. } | Op::StoreMany { .. } | Op::MemSet { .. } if is_counted => {
                counts.stores += 1;
            }
            Op::Alloca { .. } => counts.allocas += 1,
            Op::Call { .. } => counts.calls += 1,
            Op::Return { .. } => counts.returns += 1,
            Op::Switch { .. } => counts.switches += 1,
            _ => {}
        }
    }
    counts
}
