//! Flags between the instructions of a block of assembly, and the conditions that they tell.
//!
//! A flag that is not known here is one that nobody may read: the block is unsupported.

use everett_ir::{IntPredicate, Operand, OverflowOp};

use crate::lower::LowerResult;
use crate::lower::function::FunctionLowering;
use crate::sys::Opcode;

/// The flags after an instruction.
#[derive(Default)]
pub(super) struct AsmFlags {
    /// The carry, a bit.
    pub(super) carry: Option<Operand>,
    /// The result that the flags for zero and for the sign are about.
    pub(super) result: Option<(Operand, u32)>,
    /// The operands of a sum or a difference, for the flags of signed numbers.
    pub(super) operation: Option<(OverflowOp, Operand, Operand, u32)>,
}

impl FunctionLowering<'_, '_> {
    /// The bit of a condition, if the flags tell it.
    pub(super) fn asm_condition(
        &mut self,
        code: &str,
        flags: &AsmFlags,
    ) -> LowerResult<Option<Operand>> {
        let positive = match code {
            "nc" | "ae" | "nb" => "c",
            "nz" | "ne" => "z",
            "ns" => "s",
            "a" | "nbe" => "be",
            "ge" | "nl" => "l",
            "g" | "nle" => "le",
            "no" => "o",
            _ => {
                return self.asm_positive(code, flags);
            }
        };
        let Some(bit) = self.asm_positive(positive, flags)? else { return Ok(None) };
        let one = self.int(1);
        Ok(Some(self.asm_result(Opcode::Xor, 1, bit, one)?))
    }

    fn asm_positive(&mut self, code: &str, flags: &AsmFlags) -> LowerResult<Option<Operand>> {
        let zero = self.int(0);
        Ok(match code {
            "c" | "b" | "nae" => flags.carry,
            "z" | "e" => {
                flags.result.map(|(value, w)| self.asm_bit_of(IntPredicate::Eq, w, value, zero))
            }
            "s" => {
                flags.result.map(|(value, w)| self.asm_bit_of(IntPredicate::Slt, w, value, zero))
            }
            "be" | "na" => match (flags.carry, flags.result) {
                (Some(carry), Some((value, w))) => {
                    let equal = self.asm_bit_of(IntPredicate::Eq, w, value, zero);
                    Some(self.asm_result(Opcode::Or, 1, carry, equal)?)
                }
                _ => None,
            },
            "l" | "nge" | "le" | "ng" => match flags.operation {
                Some((OverflowOp::SSub, a, b, w)) => {
                    let or_equal = matches!(code, "le" | "ng");
                    let pred = if or_equal { IntPredicate::Sle } else { IntPredicate::Slt };
                    Some(self.asm_bit_of(pred, w, a, b))
                }
                _ => None,
            },
            "o" => flags.operation.map(|(op, a, b, w)| {
                let both = self.temp(2);
                self.overflow_op(op, w, both, a, b);
                Operand::slot(both.plus(1))
            }),
            _ => None,
        })
    }
}
