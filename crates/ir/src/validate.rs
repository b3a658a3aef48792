//! The references of ops, and the check that a program refers only to what it has.
//!
//! [`visit`] is the one place that knows which fields of an op are reads, writes and targets.

use crate::error::IrError;
use crate::ids::FuncId;
use crate::op::float::FloatCast;
use crate::op::operand::{Operand, Pc, Slot, words};
use crate::op::{Op, RmwOp, WideOp};
use crate::program::{Function, Program};
use crate::site::{Callee, LandingClause};

/// The slots that an op reads and writes.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SlotAccesses {
    /// First operand and number of slots or constants of each input.
    pub reads: Vec<(Operand, u32)>,
    /// First slot and number of slots of each output.
    pub writes: Vec<(Slot, u32)>,
}

impl ReferenceVisitor for SlotAccesses {
    fn read(&mut self, operand: Operand, n: u32) {
        self.reads.push((operand, n));
    }

    fn write(&mut self, slot: Slot, n: u32) {
        self.writes.push((slot, n));
    }

    fn jump(&mut self, _pc: Pc) {}

    fn entry(&mut self, _what: &'static str, _index: usize, _len: usize) {}
}

/// A visitor of the references of an op.
trait ReferenceVisitor {
    /// Reads `n` consecutive slots or constants.
    fn read(&mut self, operand: Operand, n: u32);
    /// Writes `n` consecutive slots.
    fn write(&mut self, slot: Slot, n: u32);
    /// May continue at `pc`.
    fn jump(&mut self, pc: Pc);
    /// Uses an entry of a side table of length `len`.
    fn entry(&mut self, what: &'static str, index: usize, len: usize);
}

impl Program {
    /// The slots that an op reads and writes.
    pub fn accesses(&self, op: &Op) -> SlotAccesses {
        let mut accesses = SlotAccesses::default();
        visit(op, self, &mut accesses);
        accesses
    }

    /// The ops of a function, from one on, that read the value which a slot has there: those up to the next
    /// that gives the slot another value. Slots are shared only by values that are alive in separate
    /// ranges of ops.
    pub fn readers(&self, func: FuncId, slot: Slot, from: Pc) -> impl Iterator<Item = (Pc, &Op)> {
        let ops = (from..self.function(func).end).map(|pc| (pc, &self.ops[pc as usize]));
        let mut is_over = false;
        let ops = ops.take_while(move |(_, op)| {
            let was_over = is_over;
            is_over |= self.writes(op, slot);
            !was_over
        });
        ops.filter(move |(_, op)| {
            let reads = self.accesses(op).reads;
            reads.iter().any(|(first, n)| {
                first.as_slot().is_some_and(|first| first <= slot && slot.0 < first.0 + n)
            })
        })
    }

    /// The op that gave a slot the value that an op of a function finds there, if it is none of its
    /// parameters.
    pub fn writer(&self, func: FuncId, slot: Slot, before: Pc) -> Option<Pc> {
        let mut earlier = (self.function(func).entry..before).rev();
        earlier.find(|pc| self.writes(&self.ops[*pc as usize], slot))
    }

    fn writes(&self, op: &Op, slot: Slot) -> bool {
        let writes = self.accesses(op).writes;
        writes.iter().any(|(first, n)| *first <= slot && slot.0 < first.0 + n)
    }

    /// Returns whether every operand, slot, target and table index is in range.
    pub fn validate(&self) -> Result<(), IrError> {
        let lengths = [self.weights.len(), self.op_locs.len()];
        if lengths.iter().any(|len| *len != self.ops.len()) {
            return Err(IrError::OutOfRange { what: "op table", index: 0, pc: 0 });
        }
        for function in self.functions.iter().filter(|f| f.defined) {
            self.validate_function(function)?;
        }
        self.structs.validate()
    }

    fn validate_function(&self, function: &Function) -> Result<(), IrError> {
        let (entry, end) = (function.entry, function.end);
        if entry >= end || end as usize > self.ops.len() {
            return Err(IrError::OutOfRange { what: "function", index: entry.into(), pc: end });
        }
        let mut checker = ProgramValidator { program: self, function, pc: entry, error: None };
        checker.entry("signature", function.signature.index(), self.signatures.len());
        for pc in entry..end {
            checker.pc = pc;
            visit(&self.ops[pc as usize], self, &mut checker);
            checker.entry("location", self.op_locs[pc as usize].index(), self.locations.len());
        }
        let last = self.ops[end as usize - 1];
        if last.insts().is_none() || matches!(last, Op::Tick { .. }) {
            checker.fail("last op", end.into());
        }
        for block in &function.blocks {
            checker.jump(*block);
        }
        checker.error.map_or(Ok(()), Err)
    }
}

struct ProgramValidator<'a> {
    program: &'a Program,
    function: &'a Function,
    pc: Pc,
    error: Option<IrError>,
}

impl ProgramValidator<'_> {
    fn fail(&mut self, what: &'static str, index: u64) {
        self.error.get_or_insert(IrError::OutOfRange { what, index, pc: self.pc });
    }
}

impl ReferenceVisitor for ProgramValidator<'_> {
    fn read(&mut self, operand: Operand, n: u32) {
        if let Some(slot) = operand.as_slot() {
            self.write(slot, n);
        } else if let Some(index) = operand.as_constant() {
            let end = index as usize + n as usize;
            if end > self.program.consts.len() {
                self.fail("constant", index.into());
            }
        }
    }

    fn write(&mut self, slot: Slot, n: u32) {
        if u64::from(slot.0) + u64::from(n) > u64::from(self.function.frame_slots) {
            self.fail("slot", slot.0.into());
        }
    }

    fn jump(&mut self, pc: Pc) {
        if pc < self.function.entry || pc >= self.function.end {
            self.fail("target", pc.into());
        }
    }

    fn entry(&mut self, what: &'static str, index: usize, len: usize) {
        if index >= len {
            self.fail(what, index as u64);
        }
    }
}

// tidy: long because it is one exhaustive match over the ops
fn visit(op: &Op, program: &Program, v: &mut impl ReferenceVisitor) {
    match *op {
        Op::Add { dst, a, b, .. }
        | Op::Sub { dst, a, b, .. }
        | Op::Mul { dst, a, b, .. }
        | Op::And { dst, a, b, .. }
        | Op::Or { dst, a, b, .. }
        | Op::Xor { dst, a, b, .. }
        | Op::Shl { dst, a, b, .. }
        | Op::LShr { dst, a, b, .. }
        | Op::AShr { dst, a, b, .. }
        | Op::UDiv { dst, a, b, .. }
        | Op::SDiv { dst, a, b, .. }
        | Op::URem { dst, a, b, .. }
        | Op::SRem { dst, a, b, .. }
        | Op::ICmp { dst, a, b, .. }
        | Op::IntBinary { dst, a, b, .. } => many(v, dst, 1, &[(a, 1), (b, 1)]),
        Op::Overflow { dst, a, b, .. } => many(v, dst, 2, &[(a, 1), (b, 1)]),
        Op::FunnelShift { dst, a, b, c, .. } => many(v, dst, 1, &[(a, 1), (b, 1), (c, 1)]),
        Op::Select { dst, c, a, b, .. } => many(v, dst, 1, &[(c, 1), (a, 1), (b, 1)]),
        Op::IntUnary { dst, a, .. }
        | Op::Trunc { dst, a, .. }
        | Op::ZExt { dst, a, .. }
        | Op::SExt { dst, a, .. } => many(v, dst, 1, &[(a, 1)]),
        Op::Copy { n, dst, a } | Op::Freeze { n, dst, a } => {
            many(v, dst, n.into(), &[(a, n.into())]);
        }
        Op::Promise { what, n, w, dst, a, b } => {
            v.write(dst, n.into());
            v.read(a, words(w));
            if !what.is_unary() {
                v.read(b, words(w));
            }
        }
        Op::Wide { op, w, dst, a, b } => visit_wide(v, op, w, dst, [a, b]),
        Op::WideCast { from, to, dst, a, .. } => many(v, dst, words(to), &[(a, words(from))]),
        Op::Pack { lanes, lane_bits, dst, a } => {
            let (packed, spread) = pack_slots(lanes, lane_bits);
            many(v, dst, packed, &[(a, spread)]);
        }
        Op::Unpack { lanes, lane_bits, dst, a } => {
            let (packed, spread) = pack_slots(lanes, lane_bits);
            many(v, dst, spread, &[(a, packed)]);
        }
        Op::FloatBinary { kind, dst, a, b, .. } => {
            many(v, dst, kind.slots(), &[(a, kind.slots()), (b, kind.slots())]);
        }
        Op::FloatUnary { kind, dst, a, .. } => many(v, dst, kind.slots(), &[(a, kind.slots())]),
        Op::FloatCompare { kind, dst, a, b, .. } => {
            many(v, dst, 1, &[(a, kind.slots()), (b, kind.slots())]);
        }
        Op::FloatCast { op, kind, bits, dst, a } => {
            let (from, to) = match op {
                FloatCast::To(to) => (kind.slots(), to.slots()),
                FloatCast::FromSigned | FloatCast::FromUnsigned => {
                    (words(bits.into()), kind.slots())
                }
                _ => (kind.slots(), words(bits.into())),
            };
            many(v, dst, to, &[(a, from)]);
        }
        Op::FloatMulAdd { kind, dst, a, b, c } => {
            let n = kind.slots();
            many(v, dst, n, &[(a, n), (b, n), (c, n)]);
        }
        Op::FloatClass { kind, dst, a, .. } => many(v, dst, 1, &[(a, kind.slots())]),
        Op::FloatScale { kind, dst, a, b, .. } => {
            many(v, dst, kind.slots(), &[(a, kind.slots()), (b, 1)]);
        }
        Op::Load { dst, ptr, .. } => many(v, dst, 1, &[(ptr, 1)]),
        Op::Store { val, ptr, .. } => reads(v, &[(val, 1), (ptr, 1)]),
        Op::LoadMany { layout, dst, ptr, .. } => {
            v.entry("layout", layout.index(), program.layouts.len());
            let n = program.layouts.get(layout.index()).map_or(0, |l| l.slots.len() as u32);
            many(v, dst, n, &[(ptr, 1)]);
        }
        Op::StoreMany { layout, val, ptr, .. } => {
            v.entry("layout", layout.index(), program.layouts.len());
            let n = program.layouts.get(layout.index()).map_or(0, |l| l.slots.len() as u32);
            reads(v, &[(val, n), (ptr, 1)]);
        }
        Op::Alloca { dst, count, name, .. } => {
            v.entry("name", name.index(), program.names.len());
            many(v, dst, 1, &[(count, 1)]);
        }
        Op::PtrAdd { dst, base, index, .. } => many(v, dst, 1, &[(base, 1), (index, 1)]),
        Op::MemCopy { to, from, len, .. } => reads(v, &[(to, 1), (from, 1), (len, 1)]),
        Op::MemSet { to, val, len } => reads(v, &[(to, 1), (val, 1), (len, 1)]),
        Op::AtomicRmw { op, bytes, access: _, dst, ptr, val } => {
            let n = match op {
                RmwOp::FAdd(kind) | RmwOp::FSub(kind) | RmwOp::FMax(kind) | RmwOp::FMin(kind) => {
                    kind.slots()
                }
                _ => words(u32::from(bytes) * 8),
            };
            many(v, dst, n, &[(ptr, 1), (val, n)]);
        }
        Op::CompareExchange { bytes, access: _, dst, ptr, expected, new } => {
            let n = words(u32::from(bytes) * 8);
            many(v, dst, n + 1, &[(ptr, 1), (expected, n), (new, n)]);
        }
        Op::Fence | Op::Tick { .. } | Op::Unreachable { .. } | Op::Trap { .. } => {}
        Op::ThreadLocal { dst, global } => {
            v.entry("global", global.index(), program.globals.len());
            v.write(dst, 1);
        }
        Op::ObjectSize { dst, ptr, .. } => many(v, dst, 1, &[(ptr, 1)]),
        Op::StackSave { dst } | Op::ThreadPointer { dst } => v.write(dst, 1),
        Op::StackRestore { a } => v.read(a, 1),
        Op::VaStart { list } => v.read(list, 1),
        Op::VaCopy { to, from } => reads(v, &[(to, 1), (from, 1)]),
        Op::Jump { target, .. } => v.jump(target),
        Op::Branch { cond, then, other, .. } => {
            v.read(cond, 1);
            jumps(v, &[then, other]);
        }
        Op::CompareBranch { a, b, then, other, .. } => {
            reads(v, &[(a, 1), (b, 1)]);
            jumps(v, &[then, other]);
        }
        Op::Switch { val, table, .. } => {
            v.read(val, 1);
            v.entry("switch", table.index(), program.switches.len());
            if let Some(table) = program.switches.get(table.index()) {
                v.jump(table.default);
                table.cases.iter().for_each(|case| v.jump(case.1));
            }
        }
        Op::IndirectJump { addr, table, .. } => {
            v.read(addr, 1);
            v.entry("indirect targets", table as usize, program.indirect.len());
            if let Some(table) = program.indirect.get(table as usize) {
                table.targets.iter().for_each(|(block, edge)| jumps(v, &[*block, *edge]));
            }
        }
        Op::Call { site, .. } => visit_call(v, program, site.index()),
        Op::Return { n, val, .. } => v.read(val, n.into()),
        Op::Unsupported { what, .. } => v.entry("name", what.index(), program.names.len()),
    }
}

fn visit_wide(v: &mut impl ReferenceVisitor, op: WideOp, w: u32, dst: Slot, [a, b]: [Operand; 2]) {
    let n = words(w);
    let results = match op {
        WideOp::Compare(_) => 1,
        WideOp::Overflow(_) => n + 1,
        _ => n,
    };
    v.write(dst, results);
    v.read(a, n);
    if !matches!(op, WideOp::Unary(_)) {
        v.read(b, n);
    }
}

fn visit_call(v: &mut impl ReferenceVisitor, program: &Program, index: usize) {
    v.entry("call site", index, program.calls.len());
    let Some(site) = program.calls.get(index) else { return };
    match site.callee {
        Callee::Direct(func) => v.entry("function", func.index(), program.functions.len()),
        Callee::Indirect(operand) => v.read(operand, 1),
    }
    v.entry("signature", site.signature.index(), program.signatures.len());
    site.args.iter().for_each(|arg| v.read(*arg, 1));
    site.by_val.iter().for_each(|by| v.entry("argument", by.arg.into(), site.args.len()));
    site.var_args.iter().for_each(|arg| v.read(arg.value, arg.widths.len() as u32));
    v.write(site.dst, site.ret_slots.into());
    if let Some(landing) = &site.landing {
        v.jump(landing.target);
        v.write(landing.dst, 2);
        landing.clauses.iter().flat_map(LandingClause::types).for_each(|ty| v.read(*ty, 1));
    }
}

fn pack_slots(lanes: u16, lane_bits: u16) -> (u32, u32) {
    let (lanes, lane_bits) = (u32::from(lanes), u32::from(lane_bits));
    (words(lanes * lane_bits), lanes * words(lane_bits))
}

fn many(v: &mut impl ReferenceVisitor, dst: Slot, n: u32, inputs: &[(Operand, u32)]) {
    v.write(dst, n);
    reads(v, inputs);
}

fn reads(v: &mut impl ReferenceVisitor, inputs: &[(Operand, u32)]) {
    inputs.iter().for_each(|(operand, n)| v.read(*operand, *n));
}

fn jumps(v: &mut impl ReferenceVisitor, targets: &[Pc]) {
    targets.iter().for_each(|pc| v.jump(*pc));
}
