//! Terminators: how control leaves a block.

use everett_ir::{IndirectTargets, IntPredicate, Op, Operand, Switch, SwitchId};

use crate::sys::{Block, Inst, Value};

use super::body::Body;
use super::constant::wide_int;
use super::plan::Role;
use super::shape::{lanes, narrow};
use super::{Lowered, Unsupported};

impl<'m> Body<'_, 'm> {
    /// `ret`.
    pub(super) fn ret(&mut self, inst: Inst<'m>) -> Lowered {
        if inst.value().operand_count() == 0 {
            let val = self.int(0);
            self.emit(Op::Return { insts: 0, n: 0, val });
            return Ok(());
        }
        let value = inst.operand(0);
        let slots = self.unit.slots(value.ty())?;
        let n = u16::try_from(slots)
            .map_err(|_| Unsupported::new(format!("result of {slots} slots")))?;
        let val = if n == 0 { self.int(0) } else { self.operand(value)? };
        self.emit(Op::Return { insts: 0, n, val });
        Ok(())
    }

    fn block_label(&self, block: Block<'m>) -> u32 {
        self.plan.position.get(&block).copied().unwrap_or(0)
    }

    /// `br`.
    pub(super) fn br(&mut self, position: u32, inst: Inst<'m>) -> Lowered {
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
            !condition.is_constant() && matches!(self.plan.role_of(condition), Role::Folded);
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
    pub(super) fn jump(&mut self, position: u32, target: u32) -> Lowered {
        self.emit_edge(position, target)?;
        self.emit(Op::Jump { insts: 0, target });
        Ok(())
    }

    /// `switch`.
    pub(super) fn switch(&mut self, position: u32, inst: Inst<'m>) -> Lowered {
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
            self.unit.program.switches.push(Switch { default, cases });
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
    ) -> Lowered {
        for (case, then) in cases {
            let words = wide_int(*case)?;
            let b = self.unit.constants(super::constant::ints(&words));
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
    pub(super) fn indirect_br(&mut self, position: u32, inst: Inst<'m>) -> Lowered {
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
        let table = self.unit.program.indirect.len() as u32;
        self.unit.program.indirect.push(IndirectTargets { targets });
        self.emit(Op::IndirectJump { insts: 0, addr, table });
        self.emit_trampolines(position, trampolines)
    }

    /// `invoke`: no exception is ever thrown, so that only the normal destination matters.
    pub(super) fn invoke(&mut self, position: u32, inst: Inst<'m>) -> Lowered {
        let target = inst.successors().first().copied();
        let target = target.map_or(0, |block| self.block_label(block));
        self.call(inst)?;
        self.jump(position, target)
    }
}
