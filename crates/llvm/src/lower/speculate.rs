//! Operations that the optimiser moved out from under their condition.
//!
//! `n < 32 ? x << n : 0` becomes a shift that is always made and a `select` that drops its result
//! when `n` is too large: such a result is poison, which is no error until it is used. What only
//! flows into the choices of selects is therefore lowered without the promises that a check would
//! test. Unoptimised code has no such selects, so that nothing is lost there.

use everett_ir::{Op, Operand, Slot, Wrap};

use crate::sys::{Inst, Opcode, Value};

use super::Lowered;
use super::body::Body;
use super::fold::mask;
use super::shape::narrow;

/// How many operations may lie between a value and the select.
const MAX_DEPTH: u32 = 4;

/// Whether a value matters only if a select chooses it.
pub(super) fn is_speculated(inst: Inst<'_>) -> bool {
    only_chosen(inst.value(), MAX_DEPTH)
}

fn only_chosen(value: Value<'_>, depth: u32) -> bool {
    let users = value.users();
    !users.is_empty()
        && users.into_iter().filter_map(Value::as_inst).all(|user| match user.opcode() {
            Opcode::Select => user.operand(0) != value,
            Opcode::Add
            | Opcode::Sub
            | Opcode::Mul
            | Opcode::And
            | Opcode::Or
            | Opcode::Xor
            | Opcode::Shl
            | Opcode::LShr
            | Opcode::AShr
            | Opcode::Trunc
            | Opcode::ZExt
            | Opcode::SExt
            | Opcode::Freeze
            | Opcode::ICmp => depth > 0 && only_chosen(user.value(), depth - 1),
            _ => false,
        })
}

impl Body<'_, '_> {
    /// A shift by the amount modulo the width: the same where the amount is in range.
    pub(super) fn shift_modulo(
        &mut self,
        opcode: Opcode,
        bits: u32,
        dst: Slot,
        a: Operand,
        amount: Operand,
    ) -> Lowered {
        if bits <= 64 && opcode != Opcode::AShr {
            let (left, w, zero) = (opcode == Opcode::Shl, narrow(bits), self.int(0));
            let (high, low) = if left { (a, zero) } else { (zero, a) };
            self.emit(Op::FunnelShift { left, w, dst, a: high, b: low, c: amount });
            return Ok(());
        }
        let n = everett_ir::words(bits);
        let reduced = self.temp(n);
        if bits <= 64 && bits.is_power_of_two() {
            let b = self.int(u64::from(bits - 1) & mask(bits));
            self.emit(Op::And { w: narrow(bits), dst: reduced, a: amount, b });
        } else {
            let width = self.wide_number(bits.into(), n);
            self.int_op(Opcode::URem, bits, Wrap::NONE, reduced, amount, width)?;
        }
        self.int_op(opcode, bits, Wrap::NONE, dst, a, Operand::slot(reduced))
    }
}
