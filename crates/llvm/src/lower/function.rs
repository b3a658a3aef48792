//! Lowers one function: emission of ops, labels, operands, and the walk over its blocks.

use everett_base::Map;
use everett_ir::{Callee, FuncId, IndirectTargets, LocId, NameId, Op, Operand, Pc, Slot};

use crate::sys::{Inst, Opcode, Value, int_binary_opcode};

use super::analysis::live::Liveness;
use super::analysis::plan::{FunctionPlan, ValueRole};
use super::analysis::slots::SlotAssignment;
use super::constant::NoConstantWords;
use super::instructions::intrinsic;
use super::program::{OpOrigin, ProgramLowering};
use super::symbol::through_aliases;
use super::{LowerResult, UnsupportedConstruct};

/// The most source instructions between two control ops; the count must fit 16 bits.
const MAX_SEGMENT: u32 = 60_000;

/// Slots that are kept for an exception on its way to a landing pad, in functions that have one.
pub(crate) const LANDING_SLOTS: u32 = 2;

/// A place in the function that is jumped to; blocks come first, by their position.
pub(crate) type JumpLabel = u32;

/// A state of emission.
pub(crate) struct EmissionMark {
    ops: usize,
    pending: u32,
    segment: u32,
    temps: u32,
}

/// A function that is being lowered.
pub(crate) struct FunctionLowering<'u, 'm> {
    /// The program under construction, which all functions share.
    pub(crate) unit: &'u mut ProgramLowering<'m>,
    /// The function in LLVM's words.
    pub(crate) function: Value<'m>,
    /// The roles of its instructions.
    pub(crate) plan: FunctionPlan<'m>,
    slots: SlotAssignment<'m>,
    labels: Vec<Option<Pc>>,
    /// Source instructions that no op stands for yet.
    pending: u32,
    /// Source instructions since the last control op.
    segment: u32,
    loc: LocId,
    temps: u32,
    temps_peak: u32,
    first_switch: usize,
    first_indirect: usize,
    first_call: usize,
    /// The slots in which exceptions come to landing pads.
    landing_slots: Option<Slot>,
    /// Tables of the indirect jumps, by the positions of their blocks.
    goto_tables: Map<u32, u32>,
}

impl<'u, 'm> FunctionLowering<'u, 'm> {
    /// Lowers a defined function and enters its code into the program.
    pub(crate) fn lower(unit: &'u mut ProgramLowering<'m>, function: Value<'m>, id: FuncId) {
        let entry = unit.program.ops.len() as Pc;
        let (slots, blocks) = match FunctionLowering::start(unit, function) {
            Ok(body) => body.run(entry),
            Err(reason) => stub(unit, function, &reason),
        };
        let end = unit.program.ops.len() as Pc;
        unit.block_pcs.insert(id, blocks.clone());
        let entered = &mut unit.program.functions[id.index()];
        entered.defined = true;
        entered.entry = entry;
        entered.end = end;
        entered.blocks = blocks;
        entered.frame_slots = slots.max(entered.params.len() as u32);
    }

    fn start(
        unit: &'u mut ProgramLowering<'m>,
        function: Value<'m>,
    ) -> LowerResult<FunctionLowering<'u, 'm>> {
        let plan = FunctionPlan::new(unit, function)?;
        unit.slots(function.value_type().result())?;
        let params = function.params();
        let live = Liveness::new(unit, &plan, &params);
        let mut slots = SlotAssignment::assign(&plan, live, params.len());
        let landing_slots = plan.has_landing_pads().then_some(Slot(slots.count));
        slots.count += landing_slots.map_or(0, |_| LANDING_SLOTS);
        let labels = vec![None; plan.blocks.len()];
        let (first_switch, first_indirect) =
            (unit.program.switches.len(), unit.program.indirect.len());
        let first_call = unit.program.calls.len();
        Ok(FunctionLowering {
            unit,
            function,
            plan,
            temps: slots.count,
            temps_peak: slots.count,
            slots,
            labels,
            pending: 0,
            segment: 0,
            loc: LocId(0),
            first_switch,
            first_indirect,
            first_call,
            landing_slots,
            goto_tables: Map::default(),
        })
    }

    /// Emits all blocks. Answers the size of the frame and the first ops of the blocks.
    fn run(mut self, entry: Pc) -> (u32, Vec<Pc>) {
        for position in 0..self.plan.blocks.len() as u32 {
            self.place(position);
            if self.plan.blocks[position as usize].reachable {
                self.block(position);
            } else {
                self.dead_block(position);
            }
        }
        let blocks: Vec<Pc> =
            self.labels[..self.plan.blocks.len()].iter().map(|pc| pc.unwrap_or(entry)).collect();
        self.place_stray_labels();
        self.resolve_labels(entry);
        (self.temps_peak, blocks)
    }

    fn block(&mut self, position: u32) {
        for inst in self.plan.blocks[position as usize].insts.clone() {
            self.temps = self.slots.count;
            let first = self.unit.program.ops.len() as Pc;
            self.unit.origins.push(OpOrigin { first, function: self.function, inst });
            self.loc = inst.debug_loc().map_or(LocId(0), |node| self.unit.location(node));
            self.pending += u32::from(intrinsic::is_counted(inst));
            if let Err(UnsupportedConstruct(reason)) = self.instruction(position, inst) {
                self.unsupported(&reason);
            }
        }
    }

    /// Code that control never reaches still counts as code.
    fn dead_block(&mut self, position: u32) {
        let insts = &self.plan.blocks[position as usize].insts;
        self.pending += insts.iter().filter(|inst| intrinsic::is_counted(**inst)).count() as u32;
        self.loc = LocId(0);
        self.emit(Op::Unreachable { insts: 0 });
    }

    fn instruction(&mut self, position: u32, inst: Inst<'m>) -> LowerResult {
        if matches!(self.plan.role_of(inst.value()), ValueRole::Alias { .. } | ValueRole::Folded) {
            return Ok(());
        }
        self.dispatch(position, inst)
    }

    // One exhaustive match over the opcodes; the bodies are in the files of their families.
    fn dispatch(&mut self, position: u32, inst: Inst<'m>) -> LowerResult {
        match inst.opcode() {
            int_binary_opcode!() => self.int_binary(inst),
            Opcode::ICmp => self.int_compare(inst),
            Opcode::FAdd | Opcode::FSub | Opcode::FMul | Opcode::FDiv | Opcode::FRem => {
                self.float_binary(inst)
            }
            Opcode::FNeg => self.float_negate(inst),
            Opcode::FCmp => self.float_compare(inst),
            Opcode::Trunc | Opcode::ZExt | Opcode::SExt | Opcode::PtrToInt | Opcode::IntToPtr => {
                self.int_cast(inst)
            }
            Opcode::FPToUI
            | Opcode::FPToSI
            | Opcode::UIToFP
            | Opcode::SIToFP
            | Opcode::FPTrunc
            | Opcode::FPExt => self.float_cast(inst),
            Opcode::BitCast => self.bit_cast(inst),
            Opcode::Select => self.select(inst),
            Opcode::Alloca => self.alloca(inst),
            Opcode::Load => self.load(inst),
            Opcode::Store => self.store(inst),
            Opcode::GetElementPtr => self.address_of(inst),
            Opcode::Fence => {
                self.emit(Op::Fence);
                Ok(())
            }
            Opcode::CmpXchg => self.compare_exchange(inst),
            Opcode::AtomicRmw => self.atomic_rmw(inst),
            Opcode::VaArg => self.va_arg(inst),
            Opcode::ExtractElement => self.extract_element(inst),
            Opcode::InsertElement => self.insert_element(inst),
            Opcode::ShuffleVector => self.shuffle(inst),
            Opcode::InsertValue => self.insert_value(inst),
            Opcode::Call => self.call(inst),
            // Their values arrive by the copies on edges, or need none.
            Opcode::Phi | Opcode::AddrSpaceCast | Opcode::ExtractValue => Ok(()),
            Opcode::Freeze => self.freeze(inst),
            Opcode::Ret => self.ret(inst),
            Opcode::Br => self.br(position, inst),
            Opcode::Switch => self.switch(position, inst),
            Opcode::IndirectBr => self.indirect_br(position, inst),
            Opcode::Invoke => self.invoke(position, inst),
            Opcode::LandingPad => self.landing_pad(inst),
            Opcode::Resume => self.resume(inst),
            Opcode::Unreachable => {
                self.emit(Op::Unreachable { insts: 0 });
                Ok(())
            }
            other => Err(UnsupportedConstruct::new(format!("instruction {}", mnemonic(other)))),
        }
    }

    /// Emits an op that stands for all source instructions since the last one.
    pub(crate) fn emit(&mut self, op: Op) {
        let weight = std::mem::take(&mut self.pending);
        if self.segment + weight > MAX_SEGMENT && self.segment > 0 {
            self.push(Op::Tick { insts: 0 }, 0);
        }
        let mut left = weight;
        while left > MAX_SEGMENT {
            self.push(Op::Tick { insts: 0 }, MAX_SEGMENT);
            left -= MAX_SEGMENT;
        }
        self.push(op, left);
    }

    /// Lets the next op stand for so many source instructions more.
    pub(crate) fn count_more(&mut self, insts: u32) {
        self.pending += insts;
    }

    /// Lets the next op stand for no source instruction: others do.
    pub(crate) fn count_none(&mut self) {
        self.pending = 0;
    }

    /// The table of the indirect jump at the end of a block.
    pub(crate) fn goto_table(&mut self, position: u32) -> u32 {
        let tables = &mut self.unit.program.indirect;
        *self.goto_tables.entry(position).or_insert_with(|| {
            tables.push(IndirectTargets { targets: Vec::new() });
            tables.len() as u32 - 1
        })
    }

    /// Emits an op that stands for no source instruction, such as a phi's copy.
    pub(crate) fn emit_free(&mut self, op: Op) {
        self.push(op, 0);
    }

    fn push(&mut self, op: Op, weight: u32) {
        self.segment = if op.insts().is_some() { 0 } else { self.segment + weight };
        self.unit.program.ops.push(op);
        self.unit.program.weights.push(weight as u16);
        self.unit.program.op_locs.push(self.loc);
    }

    /// Emits the op that stops the path and says why.
    pub(crate) fn unsupported(&mut self, reason: &str) {
        let what = self.unit.name(reason);
        self.emit(Op::Unsupported { insts: 0, what });
    }

    /// A new label, to be placed later.
    pub(crate) fn label(&mut self) -> JumpLabel {
        self.labels.push(None);
        self.labels.len() as JumpLabel - 1
    }

    /// Makes a label stand for the next op.
    pub(crate) fn place(&mut self, label: JumpLabel) {
        self.labels[label as usize] = Some(self.unit.program.ops.len() as Pc);
    }

    /// The state of emission, to come back to.
    pub(crate) fn mark(&self) -> EmissionMark {
        let FunctionLowering { pending, segment, temps, .. } = *self;
        EmissionMark { ops: self.unit.program.ops.len(), pending, segment, temps }
    }

    /// Takes back everything that was emitted since `mark`.
    pub(crate) fn rewind(&mut self, mark: EmissionMark) {
        let EmissionMark { ops, pending, segment, temps } = mark;
        self.unit.program.ops.truncate(ops);
        self.unit.program.weights.truncate(ops);
        self.unit.program.op_locs.truncate(ops);
        (self.pending, self.segment, self.temps) = (pending, segment, temps);
    }

    /// Gives labels that an unsupported terminator left behind a place of their own.
    fn place_stray_labels(&mut self) {
        if self.labels.iter().all(Option::is_some) {
            return;
        }
        let here = self.unit.program.ops.len() as Pc;
        self.labels.iter_mut().for_each(|label| *label = label.or(Some(here)));
        self.loc = LocId(0);
        self.unsupported("edge of an unsupported instruction");
    }

    /// Turns the labels in this function's ops and tables into program counters.
    fn resolve_labels(&mut self, entry: Pc) {
        let labels = &self.labels;
        let resolve = |target: &mut Pc| {
            *target = labels[*target as usize].expect("every label that is used is placed");
        };
        let program = &mut self.unit.program;
        for op in &mut program.ops[entry as usize..] {
            match op {
                Op::Jump { target, .. } => resolve(target),
                Op::Branch { then, other, .. } | Op::CompareBranch { then, other, .. } => {
                    resolve(then);
                    resolve(other);
                }
                _ => {}
            }
        }
        for switch in &mut program.switches[self.first_switch..] {
            resolve(&mut switch.default);
            switch.cases.iter_mut().for_each(|case| resolve(&mut case.1));
        }
        for table in &mut program.indirect[self.first_indirect..] {
            for (block, edge) in &mut table.targets {
                resolve(block);
                resolve(edge);
            }
        }
        let sites = program.calls[self.first_call..].iter_mut();
        sites.filter_map(|site| site.landing.as_mut()).for_each(|pad| resolve(&mut pad.target));
    }

    /// `n` slots that are free until the next instruction.
    pub(crate) fn temp(&mut self, n: u32) -> Slot {
        let slot = Slot(self.temps);
        self.temps += n;
        self.temps_peak = self.temps_peak.max(self.temps);
        slot
    }

    /// The first slot of an instruction's value.
    pub(crate) fn dst(&mut self, inst: Inst<'m>) -> Slot {
        match self.slots.first.get(&inst.value()).copied() {
            Some(slot) => slot,
            // Only a value without slots gets here; ops that write nothing still name a slot.
            None => self.temp(1),
        }
    }

    /// The slots in which exceptions come to landing pads, if the function has any.
    pub(crate) fn landing_slots(&self) -> Option<Slot> {
        self.landing_slots
    }

    /// Sets the place that following ops come from.
    pub(crate) fn set_loc(&mut self, loc: LocId) {
        self.loc = loc;
    }

    /// The place that ops come from now.
    pub(crate) fn loc(&self) -> LocId {
        self.loc
    }

    /// The operand that reads a value.
    pub(crate) fn operand(&mut self, value: Value<'m>) -> LowerResult<Operand> {
        let (root, skip) = self.plan.resolve(value);
        if root.is_constant() {
            return Ok(self.constant(root)?.plus(skip));
        }
        match self.slots.first.get(&root) {
            Some(slot) => Ok(Operand::slot(slot.plus(skip))),
            None => Err(UnsupportedConstruct::new(format!("value {}", root.print().trim()))),
        }
    }

    fn constant(&mut self, value: Value<'m>) -> LowerResult<Operand> {
        match self.unit.constant(value) {
            Ok(operand) => Ok(operand),
            Err(NoConstantWords::Unsupported(reason)) => Err(reason),
            Err(NoConstantWords::NeedsCode) => self.compute(value),
        }
    }

    /// Computes a constant whose value differs between threads or is known after start-up only.
    fn compute(&mut self, value: Value<'m>) -> LowerResult<Operand> {
        let target = through_aliases(value);
        if target.is_global_variable() || target.is_ifunc() {
            let dst = self.temp(1);
            if let Some(global) = self.unit.globals.get(&target).copied() {
                self.emit_free(Op::ThreadLocal { dst, global });
            } else if let Some(global) = self.unit.ifuncs.get(&target).copied() {
                self.load_ifunc(dst, global);
            }
            return Ok(Operand::slot(dst));
        }
        if !target.is_constant_expr() {
            return Err(UnsupportedConstruct::new(format!("constant {}", value.print())));
        }
        match target.expr_opcode() {
            Opcode::GetElementPtr => {
                let base = self.operand(target.operand(0))?;
                let dst = self.temp(1);
                self.add_steps(target, base, dst, 0)?;
                Ok(Operand::slot(dst))
            }
            Opcode::PtrToInt | Opcode::IntToPtr | Opcode::AddrSpaceCast | Opcode::BitCast => {
                self.operand(target.operand(0))
            }
            _ => Err(UnsupportedConstruct::new(format!("constant expression {}", value.print()))),
        }
    }

    /// A number as an operand.
    pub(crate) fn int(&mut self, value: u64) -> Operand {
        self.unit.int(value)
    }

    /// The identifier of a name.
    pub(crate) fn name(&mut self, text: &str) -> NameId {
        self.unit.name(text)
    }

    /// Returns the callee of a call to `callee`.
    pub(crate) fn callee(&mut self, callee: Value<'m>) -> LowerResult<Callee> {
        match self.unit.known_callee(callee) {
            Some(known) => Ok(known),
            None => Ok(Callee::Indirect(self.operand(callee)?)),
        }
    }

    /// Copies `n` slots.
    pub(crate) fn copy(&mut self, dst: Slot, a: Operand, n: u32) {
        let step = u32::from(u16::MAX);
        let mut done = 0;
        while done < n {
            let len = (n - done).min(step);
            self.emit(Op::Copy { n: len as u16, dst: dst.plus(done), a: a.plus(done) });
            done += len;
        }
    }
}

/// A body for a function that cannot be lowered at all.
fn stub<'m>(
    unit: &mut ProgramLowering<'m>,
    function: Value<'m>,
    reason: &UnsupportedConstruct,
) -> (u32, Vec<Pc>) {
    let entry = unit.program.ops.len() as Pc;
    let what = unit.name(&reason.0);
    let insts = function.blocks().into_iter().flat_map(|block| block.instructions());
    let mut weight = insts.filter(|inst| intrinsic::is_counted(*inst)).count() as u32;
    let mut push = |op, weight: u32| {
        unit.program.ops.push(op);
        unit.program.weights.push(weight as u16);
        unit.program.op_locs.push(LocId(0));
    };
    while weight > MAX_SEGMENT {
        push(Op::Tick { insts: 0 }, MAX_SEGMENT);
        weight -= MAX_SEGMENT;
    }
    push(Op::Unsupported { insts: 0, what }, weight);
    (0, vec![entry; function.blocks().len()])
}

/// An opcode in LLVM's words, as far as users meet it.
fn mnemonic(opcode: Opcode) -> String {
    format!("{opcode:?}").to_lowercase()
}
