//! The top level: symbols, initialisers, constructors, then every function.

use everett_base::Set;
use everett_ir::{AccessFlags, CallId, Callee, Const, ExportedSymbol, FuncId, Function, LocId, Op};
use everett_ir::{Operand, Pc, Program, Signature, Slot, SymbolTarget, ValueClass};

use crate::load::LoadOptions;
use crate::sys::{Linkage, Module, Value};

use super::analysis::reach;
use super::function::FunctionLowering;
use super::program::{OpOrigin, ProgramLowering};
use super::signature::word_of_call;
use super::symbol::through_aliases;

/// The parts of a program to lower beside the module itself.
pub(crate) struct LowerRequest<'a> {
    /// Names that the program itself defines; `None` when there is no library beside it.
    pub(crate) roots: Option<&'a Set<String>>,
    /// Others may refer to its symbols, so that they are listed.
    pub(crate) exports: bool,
    /// The functions that the engine provides, and those that are needed beside the program's own.
    pub(crate) options: &'a LoadOptions,
}

/// A module that was lowered.
pub(crate) struct LoweredModule<'m> {
    /// The program.
    pub(crate) program: Program,
    /// Messages about everything that could not be lowered faithfully.
    pub(crate) warnings: Vec<String>,
    /// The instructions that became ops, by ascending program counters.
    pub(crate) origins: Vec<OpOrigin<'m>>,
}

/// Lowers a verified module.
pub(crate) fn lower<'m>(module: &'m Module<'_>, request: &LowerRequest<'_>) -> LoweredModule<'m> {
    let mut unit = ProgramLowering::new(module.data_layout());
    unit.program.target.triple = module.triple();
    unit.provided = request.options.provided.iter().cloned().collect();
    unit.is_opened = request.options.is_opened;
    let mut warnings = Vec::new();
    let needed = reach::needed(module, request, &unit.provided);
    for function in &needed.functions {
        unit.declare_function(*function);
    }
    for global in &needed.globals {
        if !unit.is_absent(*global) {
            unit.note_relative(*global);
            unit.declare_global(*global);
        }
    }
    needed.ifuncs.iter().for_each(|ifunc| unit.declare_ifunc(*ifunc));
    for global in &needed.globals {
        if let Err(reason) = unit.initialise(*global) {
            warnings.push(format!("global {}: {}", global.name(), reason.0));
        }
    }
    for function in &needed.functions {
        if let Some(id) = unit.functions.get(function).copied()
            && !function.is_declaration()
            && !unit.is_provided(*function)
        {
            FunctionLowering::lower(&mut unit, *function, id);
        }
    }
    unit.program.constructors = listed(&unit, module, "llvm.global_ctors");
    unit.program.destructors = listed(&unit, module, "llvm.global_dtors");
    unit.program.destructors.reverse();
    if request.exports {
        unit.program.exports = exports(&unit, module);
    }
    resolve_ifuncs(&mut unit, &needed.ifuncs);
    resolve_blocks(&mut unit);
    let text = module.inline_asm();
    if !text.trim().is_empty() {
        let first = text.trim().lines().next().unwrap_or_default();
        warnings.push(format!("assembly outside functions is ignored: {first}"));
    }
    let ProgramLowering { mut program, origins, type_roots, .. } = unit;
    program.structs = type_roots.struct_types();
    program.seal();
    LoweredModule { program, warnings, origins }
}

/// The functions of a list of constructors or destructors, by ascending priority.
fn listed<'m>(unit: &ProgramLowering<'m>, module: &'m Module<'_>, name: &str) -> Vec<FuncId> {
    let Some(list) = module.global_named(name).and_then(Value::initializer) else {
        return Vec::new();
    };
    let mut found = Vec::new();
    for entry in (0..).map_while(|index| list.element(index)) {
        let priority = entry.element(0).and_then(Value::as_u64).unwrap_or(65535);
        let function = entry.element(1).map(through_aliases);
        if let Some(id) = function.and_then(|function| unit.functions.get(&function)) {
            found.push((priority, *id));
        }
    }
    found.sort_by_key(|(priority, _)| *priority);
    found.into_iter().map(|(_, id)| id).collect()
}

/// The symbol by which a library is known to itself: hidden, and the same for all that is linked.
const OWN_HANDLE: &str = "__dso_handle";

/// The symbols that other modules may refer to, by name.
fn exports<'m>(unit: &ProgramLowering<'m>, module: &'m Module<'_>) -> Vec<ExportedSymbol> {
    let mut found = Vec::new();
    for symbol in module.symbols() {
        let name = symbol.name();
        let is_visible = !symbol.is_hidden() || name == OWN_HANDLE;
        let is_linked = matches!(symbol.linkage(), Linkage::Strong | Linkage::Weak);
        if symbol.is_declaration() || !is_visible || !is_linked || name.starts_with("llvm.") {
            continue;
        }
        let target = through_aliases(symbol);
        let function = unit.functions.get(&target).map(|func| SymbolTarget::Function(*func));
        let global = || {
            let global = *unit.globals.get(&target)?;
            Some(SymbolTarget::Global { global, offset: 0 })
        };
        if let Some(target) = function.or_else(global) {
            found.push(ExportedSymbol { name, target });
        }
    }
    found.sort_by(|a, b| a.name.cmp(&b.name));
    found
}

/// Adds the constructor that asks the resolvers of indirect functions, and runs before all others.
fn resolve_ifuncs<'m>(unit: &mut ProgramLowering<'m>, ifuncs: &[Value<'m>]) {
    if ifuncs.is_empty() {
        return;
    }
    let entry = unit.program.ops.len() as Pc;
    let dst = Slot(0);
    let results = vec![ValueClass::Pointer];
    let signature = unit.intern_signature(Signature { results, ..Signature::default() });
    for ifunc in ifuncs {
        let resolver = through_aliases(ifunc.resolver());
        let Some(func) = unit.functions.get(&resolver).copied() else { continue };
        let site = CallId::from_index(unit.program.calls.len());
        unit.program.calls.push(word_of_call(Callee::Direct(func), signature, dst));
        push(unit, Op::Call { insts: 0, site });
        let mut places: Vec<_> =
            unit.ifuncs.get(ifunc).map(|global| (*global, 0)).into_iter().collect();
        let words = std::mem::take(&mut unit.ifunc_words);
        for (global, offset, _) in words.iter().filter(|(_, _, value)| value == ifunc) {
            // The word is written at start-up, so that its global cannot be constant.
            unit.program.globals[global.index()].constant = false;
            places.push((*global, *offset as i64));
        }
        unit.ifunc_words = words;
        for (global, offset) in places {
            let ptr = unit.constants(vec![Const::Global { global, offset }]);
            let (access, val) = (AccessFlags::PLAIN, Operand::slot(dst));
            push(unit, Op::Store { bytes: 8, w: 64, access, val, ptr, off: 0 });
        }
    }
    let val = unit.int(0);
    push(unit, Op::Return { insts: 0, n: 0, val });
    let id = FuncId::from_index(unit.program.functions.len());
    unit.program.functions.push(Function {
        name: "everett.resolve_ifuncs".to_owned(),
        defined: true,
        entry,
        end: unit.program.ops.len() as Pc,
        blocks: vec![entry],
        frame_slots: 1,
        ..Function::default()
    });
    unit.program.constructors.insert(0, id);
}

fn push(unit: &mut ProgramLowering<'_>, op: Op) {
    unit.program.ops.push(op);
    unit.program.weights.push(0);
    unit.program.op_locs.push(LocId(0));
}

/// Replaces positions of blocks by their first ops, now that these are known.
fn resolve_blocks(unit: &mut ProgramLowering<'_>) {
    let pcs = std::mem::take(&mut unit.block_pcs);
    let resolve = |word: &mut Const| {
        resolve_block(word, &|func, position| {
            pcs.get(&func).and_then(|blocks| blocks.get(position as usize)).copied()
        })
    };
    unit.program.consts.iter_mut().for_each(resolve);
    for global in &mut unit.program.globals {
        global.relocs.iter_mut().for_each(|reloc| resolve(&mut reloc.value));
    }
}

fn resolve_block(word: &mut Const, pc_of: &impl Fn(FuncId, u32) -> Option<Pc>) {
    match word {
        Const::Block { func, pc } => *pc = pc_of(*func, *pc).unwrap_or(0),
        Const::Expr(expr) => {
            resolve_block(&mut expr.a, pc_of);
            resolve_block(&mut expr.b, pc_of);
        }
        Const::Int(_) | Const::Global { .. } | Const::Func(_) => {}
    }
}
