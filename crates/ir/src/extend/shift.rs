//! [`TableShift`]: everything of a library, with the numbers that it has behind the tables of a program.

use everett_base::Map;

use crate::constant::{Const, ConstExpr};
use crate::dynamic::{ExportedSymbol, SymbolTarget};
use crate::global::{Global, Relocation};
use crate::ids::{
    CallId, FileId, FuncId, GlobalId, LayoutId, LocId, NameId, SignatureId, SwitchId,
};
use crate::loc::SourceLocation;
use crate::op::Op;
use crate::op::operand::{Operand, Pc};
use crate::program::{Function, Program};
use crate::signature::Signature;
use crate::site::{CallSite, Callee, IndirectTargets, LandingClause, SwitchTable};

/// The numbers that the entries of a library's tables get.
pub(super) struct TableShift {
    ops: u32,
    functions: usize,
    globals: usize,
    consts: u32,
    layouts: usize,
    switches: usize,
    indirect: u32,
    calls: usize,
    /// For each signature of the library, its number in the program: equal signatures have equal numbers.
    signatures: Vec<SignatureId>,
    /// The signatures of the library that the program does not have, in the order of their numbers.
    pub(super) new_signatures: Vec<Signature>,
    locations: usize,
    files: usize,
    names: usize,
}

impl TableShift {
    /// The numbers behind those of a program.
    pub(super) fn behind(program: &Program, library: &Program) -> TableShift {
        let mut known: Map<&Signature, SignatureId> = Map::default();
        for (at, signature) in program.signatures.iter().enumerate() {
            known.entry(signature).or_insert(SignatureId::from_index(at));
        }
        let (mut signatures, mut new_signatures) = (Vec::new(), Vec::new());
        for signature in &library.signatures {
            let next = SignatureId::from_index(program.signatures.len() + new_signatures.len());
            let id = *known.entry(signature).or_insert(next);
            if id == next {
                new_signatures.push(signature.clone());
            }
            signatures.push(id);
        }
        let count = |len: usize| u32::try_from(len).expect("tables have fewer than 2^32 entries");
        TableShift {
            ops: count(program.ops.len()),
            functions: program.functions.len(),
            globals: program.globals.len(),
            consts: count(program.consts.len()),
            layouts: program.layouts.len(),
            switches: program.switches.len(),
            indirect: count(program.indirect.len()),
            calls: program.calls.len(),
            signatures,
            new_signatures,
            locations: program.locations.len(),
            files: program.files.len(),
            names: program.names.len(),
        }
    }

    pub(super) fn func(&self, id: FuncId) -> FuncId {
        FuncId::from_index(self.functions + id.index())
    }

    fn global(&self, id: GlobalId) -> GlobalId {
        GlobalId::from_index(self.globals + id.index())
    }

    fn pc(&self, pc: Pc) -> Pc {
        self.ops + pc
    }

    fn name(&self, id: NameId) -> NameId {
        NameId::from_index(self.names + id.index())
    }

    /// "Unknown" stays what it is.
    pub(super) fn loc(&self, id: LocId) -> LocId {
        if id.index() == 0 { id } else { LocId::from_index(self.locations + id.index()) }
    }

    fn signature(&self, id: SignatureId) -> SignatureId {
        self.signatures[id.index()]
    }

    fn operand(&self, operand: Operand) -> Operand {
        match operand.as_constant() {
            Some(index) => Operand::constant(self.consts + index),
            None => operand,
        }
    }

    pub(super) fn symbol(&self, symbol: ExportedSymbol) -> ExportedSymbol {
        let target = match symbol.target {
            SymbolTarget::Function(func) => SymbolTarget::Function(self.func(func)),
            SymbolTarget::Global { global, offset } => {
                SymbolTarget::Global { global: self.global(global), offset }
            }
        };
        ExportedSymbol { target, ..symbol }
    }

    pub(super) fn function(&self, function: Function) -> Function {
        let (entry, end) = match function.defined {
            true => (self.pc(function.entry), self.pc(function.end)),
            false => (function.entry, function.end),
        };
        Function {
            entry,
            end,
            blocks: function.blocks.iter().map(|pc| self.pc(*pc)).collect(),
            signature: self.signature(function.signature),
            loc: self.loc(function.loc),
            ..function
        }
    }

    pub(super) fn global_variable(&self, global: Global) -> Global {
        let relocs = global.relocs.into_iter();
        let relocs =
            relocs.map(|reloc| Relocation { value: self.word(reloc.value), ..reloc }).collect();
        Global { relocs, loc: self.loc(global.loc), ..global }
    }

    pub(super) fn word(&self, word: Const) -> Const {
        match word {
            Const::Int(value) => Const::Int(value),
            Const::Global { global, offset } => {
                Const::Global { global: self.global(global), offset }
            }
            Const::Func(func) => Const::Func(self.func(func)),
            Const::Block { func, pc } => Const::Block { func: self.func(func), pc: self.pc(pc) },
            Const::Expr(expr) => {
                let ConstExpr { op, width, a, b } = *expr;
                let (a, b) = (self.word(a), self.word(b));
                Const::Expr(Box::new(ConstExpr { op, width, a, b }))
            }
        }
    }

    pub(super) fn switch_table(&self, table: SwitchTable) -> SwitchTable {
        let cases = table.cases.into_iter().map(|(value, pc)| (value, self.pc(pc))).collect();
        SwitchTable { default: self.pc(table.default), cases }
    }

    pub(super) fn indirect_targets(&self, table: IndirectTargets) -> IndirectTargets {
        let targets = table.targets.into_iter();
        let targets = targets.map(|(block, edge)| (self.pc(block), self.pc(edge))).collect();
        IndirectTargets { targets }
    }

    pub(super) fn call_site(&self, mut site: CallSite) -> CallSite {
        site.callee = match site.callee {
            Callee::Direct(func) => Callee::Direct(self.func(func)),
            Callee::Indirect(operand) => Callee::Indirect(self.operand(operand)),
        };
        site.signature = self.signature(site.signature);
        site.args.iter_mut().for_each(|arg| *arg = self.operand(*arg));
        site.var_args.iter_mut().for_each(|arg| arg.value = self.operand(arg.value));
        if let Some(landing) = &mut site.landing {
            landing.target = self.pc(landing.target);
            let types = landing.clauses.iter_mut().flat_map(LandingClause::types_mut);
            types.for_each(|ty| *ty = self.operand(*ty));
        }
        site
    }

    pub(super) fn location(&self, location: SourceLocation) -> SourceLocation {
        SourceLocation {
            file: FileId::from_index(self.files + location.file.index()),
            function: self.name(location.function),
            inlined_at: location.inlined_at.map(|id| self.loc(id)),
            ..location
        }
    }

    // tidy: long because it is one exhaustive match over the ops
    pub(super) fn op(&self, mut op: Op) -> Op {
        let operands = |operands: &mut [&mut Operand]| {
            operands.iter_mut().for_each(|operand| **operand = self.operand(**operand));
        };
        let layout = |id: &mut LayoutId| *id = LayoutId::from_index(self.layouts + id.index());
        match &mut op {
            Op::Add { a, b, .. }
            | Op::Sub { a, b, .. }
            | Op::Mul { a, b, .. }
            | Op::And { a, b, .. }
            | Op::Or { a, b, .. }
            | Op::Xor { a, b, .. }
            | Op::Shl { a, b, .. }
            | Op::LShr { a, b, .. }
            | Op::AShr { a, b, .. }
            | Op::UDiv { a, b, .. }
            | Op::SDiv { a, b, .. }
            | Op::URem { a, b, .. }
            | Op::SRem { a, b, .. }
            | Op::ICmp { a, b, .. }
            | Op::IntBinary { a, b, .. }
            | Op::Overflow { a, b, .. }
            | Op::Promise { a, b, .. }
            | Op::Wide { a, b, .. }
            | Op::FloatBinary { a, b, .. }
            | Op::FloatCompare { a, b, .. }
            | Op::FloatScale { a, b, .. } => operands(&mut [a, b]),
            Op::FunnelShift { a, b, c, .. }
            | Op::Select { a, b, c, .. }
            | Op::FloatMulAdd { a, b, c, .. } => operands(&mut [a, b, c]),
            Op::IntUnary { a, .. }
            | Op::Trunc { a, .. }
            | Op::ZExt { a, .. }
            | Op::SExt { a, .. }
            | Op::Copy { a, .. }
            | Op::Freeze { a, .. }
            | Op::WideCast { a, .. }
            | Op::Pack { a, .. }
            | Op::Unpack { a, .. }
            | Op::FloatUnary { a, .. }
            | Op::FloatCast { a, .. }
            | Op::FloatClass { a, .. }
            | Op::StackRestore { a } => operands(&mut [a]),
            Op::Load { ptr, .. } | Op::ObjectSize { ptr, .. } => operands(&mut [ptr]),
            Op::Store { val, ptr, .. } => operands(&mut [val, ptr]),
            Op::LoadMany { layout: id, ptr, .. } => {
                layout(id);
                operands(&mut [ptr]);
            }
            Op::StoreMany { layout: id, val, ptr, .. } => {
                layout(id);
                operands(&mut [val, ptr]);
            }
            Op::Alloca { count, name, .. } => {
                operands(&mut [count]);
                *name = self.name(*name);
            }
            Op::PtrAdd { base, index, .. } => operands(&mut [base, index]),
            Op::MemCopy { to, from, len, .. } => operands(&mut [to, from, len]),
            Op::MemSet { to, val, len } => operands(&mut [to, val, len]),
            Op::AtomicRmw { ptr, val, .. } => operands(&mut [ptr, val]),
            Op::CompareExchange { ptr, expected, new, .. } => operands(&mut [ptr, expected, new]),
            Op::ThreadLocal { global, .. } => *global = self.global(*global),
            Op::VaStart { list } => operands(&mut [list]),
            Op::VaCopy { to, from } => operands(&mut [to, from]),
            Op::Jump { target, .. } => *target = self.pc(*target),
            Op::Branch { cond, then, other, .. } => {
                operands(&mut [cond]);
                (*then, *other) = (self.pc(*then), self.pc(*other));
            }
            Op::CompareBranch { a, b, then, other, .. } => {
                operands(&mut [a, b]);
                (*then, *other) = (self.pc(*then), self.pc(*other));
            }
            Op::Switch { val, table, .. } => {
                operands(&mut [val]);
                *table = SwitchId::from_index(self.switches + table.index());
            }
            Op::IndirectJump { addr, table, .. } => {
                operands(&mut [addr]);
                *table += self.indirect;
            }
            Op::Call { site, .. } => *site = CallId::from_index(self.calls + site.index()),
            Op::Return { val, .. } => operands(&mut [val]),
            Op::Unsupported { what, .. } => *what = self.name(*what),
            Op::Fence
            | Op::ThreadPointer { .. }
            | Op::StackSave { .. }
            | Op::Tick { .. }
            | Op::Unreachable { .. }
            | Op::Trap { .. } => {}
        }
        op
    }
}
