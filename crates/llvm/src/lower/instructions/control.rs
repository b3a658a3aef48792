//! Terminators: how control leaves a block.

use everett_ir::{IntPredicate, Op, Operand, SwitchId, SwitchTable};

use crate::sys::{BasicBlock, Inst, Opcode, Value};

use crate::lower::analysis::plan::ValueRole;
use crate::lower::constant::wide_int;
use crate::lower::function::FunctionLowering;
use crate::lower::shape::{lanes, narrow};
use crate::lower::{LowerResult, UnsupportedConstruct};

impl<'m> FunctionLowering<'_, 'm> {
    /// `ret`.
    pub(crate) fn ret(&mut self, inst: Inst<'m>) -> LowerResult {
        if inst.value().operand_count() == 0 {
            let val = self.int(0);
            self.emit(Op::Return { insts: 0, n: 0, val });
            return Ok(());
        }
        let value = inst.operand(0);
        let slots = self.unit.slots(value.ty())?;
        let n = u16::try_from(slots)
            .map_err(|_| UnsupportedConstruct::new(format!("result of {slots} slots")))?;
        let val = if n == 0 { self.int(0) } else { self.operand(value)? };
        self.emit(Op::Return { insts: 0, n, val });
        Ok(())
    }

    pub(crate) fn block_label(&self, block: BasicBlock<'m>) -> u32 {
        self.plan.position.get(&block).copied().unwrap_or(0)
    }

    /// `br`.
    pub(crate) fn br(&mut self, position: u32, inst: Inst<'m>) -> LowerResult {
        let targets: Vec<u32> =
            inst.successors().into_iter().map(|block| self.block_label(block)).collect();
        if !inst.is_conditional() || targets[0] == targets[1] {
            return self.jump(position, targets[0]);
        }
        let condition = inst.operand(0);
        let mut trampolines = Vec::new();
        let then = self.edge(position, targets[0], &mut trampolines)?;
        let other = self.edge(position, targets[1], &mut trampolines)?;
        let folded =
            !condition.is_constant() && matches!(self.plan.role_of(condition), ValueRole::Folded);
        match condition.as_inst().filter(|_| folded) {
            Some(compare) => {
                let w = narrow(lanes(compare.operand(0).ty())?.bits());
                let a = self.operand(compare.operand(0))?;
                let b = self.operand(compare.operand(1))?;
                let pred = compare.int_predicate();
                self.emit(Op::CompareBranch { pred, w, insts: 0, a, b, then, other });
            }
            None => {
                let cond = self.operand(condition)?;
                self.emit(Op::Branch { insts: 0, cond, then, other });
            }
        }
        self.emit_trampolines(position, trampolines)
    }

    /// Leaves a block for the only one that can follow.
    pub(crate) fn jump(&mut self, position: u32, target: u32) -> LowerResult {
        self.emit_edge(position, target)?;
        match self.shared_goto(target) {
            Some(goto) => self.goto_at_once(target, goto)?,
            None => self.emit(Op::Jump { insts: 0, target }),
        }
        Ok(())
    }

    /// The indirect jump that is all there is of a block. Compilers make one of all computed `goto`s of
    /// a function, which then has no place in the source.
    fn shared_goto(&self, position: u32) -> Option<Inst<'m>> {
        let (last, phis) = self.plan.blocks[position as usize].insts.split_last()?;
        let only = phis.iter().all(|inst| inst.opcode() == Opcode::Phi);
        (last.opcode() == Opcode::IndirectBr && only).then_some(*last)
    }

    /// Makes a `goto` of its own of a jump to the block that all of them share, so that one to a bad
    /// place is found where it is.
    fn goto_at_once(&mut self, shared: u32, goto: Inst<'m>) -> LowerResult {
        let addr = self.operand(goto.operand(0))?;
        let table = self.goto_table(shared);
        self.count_more(self.plan.blocks[shared as usize].insts.len() as u32);
        self.emit(Op::IndirectJump { insts: 0, addr, table });
        Ok(())
    }

    /// Returns `true` if nothing gets to a block but by a `goto` at once.
    fn is_bypassed(&self, position: u32) -> bool {
        let ends_in_jump = |before: &u32| {
            let last = self.plan.blocks[*before as usize].insts.last();
            last.is_some_and(|inst| inst.opcode() == Opcode::Br && !inst.is_conditional())
        };
        let before = &self.plan.blocks[position as usize].predecessors;
        self.shared_goto(position).is_some() && before.iter().all(ends_in_jump)
    }

    /// `switch`.
    pub(crate) fn switch(&mut self, position: u32, inst: Inst<'m>) -> LowerResult {
        let bits = lanes(inst.operand(0).ty())?.bits();
        let successors = inst.successors();
        let mut trampolines = Vec::new();
        let default = self.edge(position, self.block_label(successors[0]), &mut trampolines)?;
        let mut cases = Vec::new();
        for (index, block) in (0..).zip(successors.into_iter().skip(1)) {
            let label = self.edge(position, self.block_label(block), &mut trampolines)?;
            cases.push((inst.operand(2 + 2 * index), label));
        }
        let val = self.operand(inst.operand(0))?;
        if bits > 64 {
            self.compare_chain(bits, val, default, &cases)?;
        } else {
            let mut cases: Vec<(u64, u32)> =
                cases.iter().map(|(case, label)| (case.as_u64().unwrap_or(0), *label)).collect();
            cases.sort_unstable();
            let table = SwitchId::from_index(self.unit.program.switches.len());
            self.unit.program.switches.push(SwitchTable { default, cases });
            self.emit(Op::Switch { insts: 0, w: narrow(bits), val, table });
        }
        self.emit_trampolines(position, trampolines)
    }

    /// A switch over more than 64 bits: one comparison a case.
    fn compare_chain(
        &mut self,
        bits: u32,
        val: Operand,
        default: u32,
        cases: &[(Value<'m>, u32)],
    ) -> LowerResult {
        for (case, then) in cases {
            let words = wide_int(*case)?;
            let b = self.unit.constants(crate::lower::constant::ints(&words));
            let dst = self.temp(1);
            self.compare(IntPredicate::Eq, bits, dst, val, b);
            let other = self.label();
            self.emit(Op::Branch { insts: 0, cond: Operand::slot(dst), then: *then, other });
            self.place(other);
        }
        self.emit(Op::Jump { insts: 0, target: default });
        Ok(())
    }

    /// `indirectbr`.
    pub(crate) fn indirect_br(&mut self, position: u32, inst: Inst<'m>) -> LowerResult {
        let mut trampolines = Vec::new();
        let mut targets = Vec::new();
        for block in inst.successors() {
            let block = self.block_label(block);
            let edge = self.edge(position, block, &mut trampolines)?;
            if !targets.contains(&(block, edge)) {
                targets.push((block, edge));
            }
        }
        let addr = self.operand(inst.operand(0))?;
        let table = self.goto_table(position);
        self.unit.program.indirect[table as usize].targets = targets;
        if self.is_bypassed(position) {
            self.count_none();
        }
        self.emit(Op::IndirectJump { insts: 0, addr, table });
        self.emit_trampolines(position, trampolines)
    }
}
