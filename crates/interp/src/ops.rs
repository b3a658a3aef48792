//! The general executor: each op in all generality, one file per family.
//!
//! [`Interp::step`] only dispatches. A body reads operands as terms or words, forks where several
//! things can happen, and says with a [`Flow`] where control goes.

mod arith;
mod atomic;
mod call;
mod cast;
mod control;
mod convention;
pub(crate) mod float;
pub(crate) mod int;
mod memory;
mod past_bugs;
mod poison;
mod promise;
mod varargs;
mod watch;
mod wide;

use everett_ir::{Op, Pc};
use memory::AddressOperand;

use crate::error::{Stop, UnsupportedFeature};
use crate::flow::{Flow, Halt};
use crate::interp::Interp;
use crate::machine::Machine;
use crate::state::State;

impl<X: Clone> Interp<'_, X> {
    /// Executes the op at the innermost frame's `pc`.
    pub(crate) fn step<M>(
        &mut self,
        machine: &mut M,
        st: &mut State<X>,
        pc: Pc,
    ) -> Result<Flow, Stop>
    where
        M: Machine<Extra = X>,
    {
        let op = self.image.program.ops[pc as usize];
        match self.step_poisoned(st, &op)? {
            Some(flow) => Ok(flow),
            None => Halt::flow_of(self.execute(machine, st, op, pc)),
        }
    }

    fn execute<M>(
        &mut self,
        machine: &mut M,
        st: &mut State<X>,
        op: Op,
        pc: Pc,
    ) -> Result<Flow, Halt>
    where
        M: Machine<Extra = X>,
    {
        if st.watch().is_none() {
            return self.dispatch(machine, st, op, pc);
        }
        self.before_op(machine, st, &op, pc)?;
        let flow = self.dispatch(machine, st, op, pc)?;
        let racing = st.watch_mut().map_or(Vec::new(), |watch| std::mem::take(&mut watch.racing));
        for access in racing {
            if access.pc == pc {
                machine.after_access(self, st, &access)?;
            } else if let Some(watch) = st.watch_mut() {
                // The op before has forked, and this path is its sibling.
                watch.note(access);
            }
        }
        Ok(flow)
    }

    fn dispatch<M>(
        &mut self,
        machine: &mut M,
        st: &mut State<X>,
        op: Op,
        pc: Pc,
    ) -> Result<Flow, Halt>
    where
        M: Machine<Extra = X>,
    {
        match op {
            Op::Add { .. } | Op::Sub { .. } | Op::Mul { .. } => self.wrapping(st, op),
            Op::And { .. } | Op::Or { .. } | Op::Xor { .. } => self.bitwise(st, op),
            Op::Shl { .. } | Op::LShr { .. } | Op::AShr { .. } => self.shift(st, op),
            Op::UDiv { .. } | Op::SDiv { .. } | Op::URem { .. } | Op::SRem { .. } => {
                self.divide(st, op)
            }
            Op::ICmp { pred, w, dst, a, b } => self.compare_op(st, pred, w, dst, [a, b]),
            Op::IntUnary { op, w, dst, a } => self.int_unary(st, op, w, dst, a),
            Op::IntBinary { op, w, dst, a, b } => self.int_binary(st, op, w, dst, [a, b]),
            Op::Overflow { op, w, dst, a, b } => self.overflow_op(st, op, w, dst, [a, b]),
            Op::FunnelShift { left, w, dst, a, b, c } => {
                self.funnel_shift(st, left, w, dst, [a, b, c])
            }
            Op::Select { w, dst, c, a, b } => self.select_op(st, w, dst, c, [a, b]),
            Op::Trunc { to, dst, a } => self.trunc(st, to, dst, a),
            Op::ZExt { from, to, dst, a } => self.zext(st, from, to, dst, a),
            Op::SExt { from, to, dst, a } => self.sext(st, from, to, dst, a),
            Op::Copy { n, dst, a } | Op::Freeze { n, dst, a } => self.copy(st, n, dst, a),
            Op::Promise { .. } => self.promise(st, op),
            Op::Wide { op, w, dst, a, b } => self.wide(st, op, w, dst, [a, b]),
            Op::WideCast { op, from, to, dst, a } => self.wide_cast(st, op, [from, to], dst, a),
            Op::Pack { lanes, lane_bits, dst, a } => self.pack(st, lanes, lane_bits, dst, a),
            Op::Unpack { lanes, lane_bits, dst, a } => self.unpack(st, lanes, lane_bits, dst, a),
            Op::FloatBinary { .. }
            | Op::FloatUnary { .. }
            | Op::FloatCompare { .. }
            | Op::FloatCast { .. }
            | Op::FloatMulAdd { .. }
            | Op::FloatClass { .. }
            | Op::FloatScale { .. } => self.float_op(st, op),
            Op::Load { bytes, w, dst, ptr, off, .. } => {
                self.load(st, bytes, w, dst, AddressOperand { ptr, off })
            }
            Op::Store { bytes, w, val, ptr, off, .. } => {
                self.store(st, bytes, w, val, AddressOperand { ptr, off })
            }
            Op::LoadMany { layout, dst, ptr, off, .. } => {
                self.load_many(st, layout, dst, AddressOperand { ptr, off })
            }
            Op::StoreMany { layout, val, ptr, off, .. } => {
                self.store_many(st, layout, val, AddressOperand { ptr, off })
            }
            Op::Alloca { .. } => self.alloca(st, op, pc),
            Op::PtrAdd { .. } => self.ptr_add(st, op),
            Op::MemCopy { kind, to, from, len } => self.mem_copy(st, kind, to, from, len),
            Op::MemSet { to, val, len } => self.mem_set(st, to, val, len),
            Op::AtomicRmw { .. } | Op::CompareExchange { .. } | Op::Fence => self.atomic(st, op),
            Op::ObjectSize { least, null_unknown, w, dst, ptr } => {
                self.object_size(st, [least, null_unknown], w, dst, ptr)
            }
            Op::ThreadLocal { dst, global } => self.thread_local(st, dst, global),
            Op::ThreadPointer { dst } => self.thread_pointer(st, dst),
            Op::StackSave { dst } => self.stack_save(st, dst),
            Op::StackRestore { a } => self.stack_restore(st, a, pc),
            Op::VaStart { list } => self.va_start(st, list),
            Op::VaCopy { to, from } => self.va_copy(st, to, from),
            Op::Tick { .. } => Ok(Flow::Next),
            Op::Jump { target, .. } => Ok(Flow::Jump(target)),
            Op::Branch { cond, then, other, .. } => self.branch(st, cond, then, other),
            Op::CompareBranch { pred, w, a, b, then, other, .. } => {
                self.compare_branch(st, pred, w, [a, b], [then, other])
            }
            Op::Switch { w, val, table, .. } => self.switch(st, w, val, table),
            Op::IndirectJump { addr, table, .. } => self.indirect_jump(st, addr, table),
            Op::Call { site, .. } => self.call(machine, st, site, pc),
            Op::Return { n, val, .. } => self.return_op(machine, st, n, val, pc),
            Op::Unreachable { .. } => Ok(self.unreachable()),
            Op::Trap { kind, .. } => Ok(self.trap(kind)),
            Op::Unsupported { what, .. } => {
                Err(UnsupportedFeature::Instruction(self.image.program.name(what).to_owned())
                    .into())
            }
        }
    }
}
