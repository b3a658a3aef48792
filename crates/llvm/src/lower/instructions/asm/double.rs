//! Arithmetic on double words, as libraries of long integers write it, and `cpuid`.

use everett_ir::{IntPredicate, Operand, Slot, WrapFlags};

use crate::sys::Opcode;

use super::AsmBlock;
use super::template::{AsmArgument, AsmStatement};
use crate::lower::LowerResult;
use crate::lower::function::FunctionLowering;
use crate::lower::shape::narrow;

/// Bits of a word and of a double word.
const WORD: u32 = 64;
const DOUBLE: u32 = 128;

impl<'m> FunctionLowering<'_, 'm> {
    /// `add` followed by `adc`, `sub` followed by `sbb`: one operation on double words.
    pub(super) fn asm_carry(
        &mut self,
        asm: &AsmBlock<'m>,
        first: &AsmStatement,
        second: &AsmStatement,
    ) -> LowerResult<bool> {
        let opcode = match (first.mnemonic.as_str(), second.mnemonic.as_str()) {
            ("add" | "addq", "adc" | "adcq") => Opcode::Add,
            ("sub" | "subq", "sbb" | "sbbq") => Opcode::Sub,
            _ => return Ok(false),
        };
        let ([low_b, AsmArgument::Operand(low)], [high_b, AsmArgument::Operand(high)]) =
            (first.args.as_slice(), second.args.as_slice())
        else {
            return Ok(false);
        };
        let (Some(low), Some(high)) = (asm.word(*low), asm.word(*high)) else { return Ok(false) };
        let (Some(low_b), Some(high_b)) = (self.asm_word(asm, low_b)?, self.asm_word(asm, high_b)?)
        else {
            return Ok(false);
        };
        let a = self.double(Operand::slot(low), Operand::slot(high));
        let b = self.double(low_b, high_b);
        let result = self.double_op(opcode, a, b)?;
        self.copy(low, result, 1);
        self.copy(high, result.plus(1), 1);
        Ok(true)
    }

    /// `mul`: the accumulator times the operand is a double word.
    pub(super) fn asm_multiply(
        &mut self,
        asm: &AsmBlock<'m>,
        factor: &AsmArgument,
    ) -> LowerResult<bool> {
        let Some((low, high)) = asm.double_outputs() else { return Ok(false) };
        let Some(factor) = self.asm_word(asm, factor)? else { return Ok(false) };
        let Some(accumulator) = asm.template.accumulator_input() else { return Ok(false) };
        let Some(accumulator) = self.asm_word(asm, &AsmArgument::Operand(accumulator))? else {
            return Ok(false);
        };
        let zero = self.int(0);
        let (a, b) = (self.double(accumulator, zero), self.double(factor, zero));
        let result = self.double_op(Opcode::Mul, a, b)?;
        self.copy(low, result, 1);
        self.copy(high, result.plus(1), 1);
        Ok(true)
    }

    /// `div`: quotient and remainder of a double word. The processor has one exception for a divisor
    /// of zero and for a quotient that does not fit, and so have we: the latter divides by zero.
    pub(super) fn asm_divide(
        &mut self,
        asm: &AsmBlock<'m>,
        divisor: &AsmArgument,
    ) -> LowerResult<bool> {
        let Some((low, high)) = asm.double_outputs() else { return Ok(false) };
        let Some(divisor) = self.asm_word(asm, divisor)? else { return Ok(false) };
        if asm.template.accumulator_input().is_none() || asm.template.data_input().is_none() {
            return Ok(false);
        }
        let zero = self.int(0);
        let (fits, checked) = (self.temp(1), self.temp(1));
        self.compare(IntPredicate::Ult, WORD, fits, Operand::slot(high), divisor);
        self.choose(narrow(WORD), checked, Operand::slot(fits), divisor, zero);
        let a = self.double(Operand::slot(low), Operand::slot(high));
        let b = self.double(Operand::slot(checked), zero);
        let quotient = self.double_op(Opcode::UDiv, a, b)?;
        let remainder = self.double_op(Opcode::URem, a, b)?;
        self.copy(low, quotient, 1);
        self.copy(high, remainder, 1);
        Ok(true)
    }

    /// `cpuid`: a processor that has no extensions, and therefore nothing to say.
    pub(super) fn asm_cpuid(&mut self, asm: &AsmBlock<'m>) {
        let zero = self.int(0);
        for (dst, _) in &asm.outputs {
            self.copy(*dst, zero, 1);
        }
    }

    /// The operand of an instruction, if it is a word.
    fn asm_word(&mut self, asm: &AsmBlock<'m>, arg: &AsmArgument) -> LowerResult<Option<Operand>> {
        match arg {
            AsmArgument::Immediate(number) => Ok(Some(self.int(*number as u64))),
            AsmArgument::Operand(number) => {
                let value = self.asm_value(asm, *number)?;
                Ok(value.filter(|(_, bits)| *bits == WORD).map(|(operand, _)| operand))
            }
            AsmArgument::CountRegister | AsmArgument::Register(..) | AsmArgument::Other => Ok(None),
        }
    }

    /// Two words as one value.
    pub(super) fn double(&mut self, low: Operand, high: Operand) -> Operand {
        let double = self.temp(2);
        self.copy(double, low, 1);
        self.copy(double.plus(1), high, 1);
        Operand::slot(double)
    }

    pub(super) fn double_op(
        &mut self,
        opcode: Opcode,
        a: Operand,
        b: Operand,
    ) -> LowerResult<Operand> {
        let result = self.temp(2);
        self.int_op(opcode, DOUBLE, WrapFlags::NONE, result, [a, b])?;
        Ok(Operand::slot(result))
    }
}

impl AsmBlock<'_> {
    /// The slot of an output that is a word.
    fn word(&self, number: usize) -> Option<Slot> {
        self.output(number).filter(|(_, bits)| *bits == WORD).map(|(slot, _)| slot)
    }

    /// The outputs in the registers that hold the lower and the upper half.
    fn double_outputs(&self) -> Option<(Slot, Slot)> {
        let low = self.template.accumulator_output()?;
        let high = self.template.data_output()?;
        Some((self.word(low)?, self.word(high)?))
    }
}

/// Returns `true` if the statements are `cpuid`, perhaps with the register that it spoils saved around
/// it.
pub(super) fn is_cpuid(statements: &[AsmStatement]) -> bool {
    let [before, middle, after] = statements else {
        return matches!(statements, [only] if only.mnemonic == "cpuid");
    };
    let saves = |statement: &AsmStatement| matches!(statement.mnemonic.as_str(), "xchgq" | "xchg");
    middle.mnemonic == "cpuid" && saves(before) && saves(after)
}
