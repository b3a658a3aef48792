//! Instructions one after the other, with the flags that the next ones read.
//!
//! Outputs are registers that instructions read and write in turn; memory is updated by atomic operations,
//! whether an instruction is locked or not. A flag that an instruction leaves undefined, or that is not known
//! here, is one that nobody may read: such a block is unsupported.

use everett_ir::{
    AccessFlags, IntPredicate, IntUnary, Op, Operand, OverflowOp, RmwOp, Slot, WrapFlags,
};

use super::flags::AsmFlags;
use super::template::{
    AsmArgument, AsmOperand, AsmStatement, ImplicitRegister, split_known_suffix,
};
use super::{AsmBlock, opcode, update};
use crate::instructions::CYCLES;
use crate::lower::LowerResult;
use crate::lower::fold::mask;
use crate::lower::function::FunctionLowering;
use crate::lower::shape::{lanes, narrow};
use crate::sys::Opcode;

/// The instructions of sequences that may have a suffix for their width.
const SEQUENCE_NAMES: &[&str] = &[
    "adc", "add", "and", "bsf", "bsr", "bswap", "bt", "btc", "btr", "bts", "cmp", "dec", "imul",
    "inc", "lzcnt", "mov", "mul", "neg", "not", "or", "popcnt", "rol", "ror", "sal", "sar", "sbb",
    "shl", "shr", "sub", "test", "tzcnt", "xadd", "xchg", "xor",
];

/// A register or memory that an instruction reads or writes.
#[derive(Clone, Copy)]
enum AsmPlace {
    /// A register that may be written.
    Output(Slot, u32),
    /// A value that is only read.
    Value(Operand, u32),
    /// Memory at an address.
    Memory(Operand),
}

/// An argument with its place, and the part of it that is meant.
#[derive(Clone, Copy)]
struct AsmPart {
    place: AsmPlace,
    /// The width that the argument says itself.
    bits: Option<u32>,
    /// It is the second byte.
    is_high: bool,
}

impl AsmBlock<'_> {
    /// Returns `true` if parts of registers, or other flags than that for zero, take part.
    pub(super) fn needs_sequence(&self) -> bool {
        if super::double::is_cpuid(&self.template.statements) {
            return false;
        }
        let natural = |arg: &AsmArgument| match arg {
            AsmArgument::Operand(number) => self.output(*number).map(|(_, bits)| bits),
            _ => None,
        };
        let is_part = |statement: &AsmStatement| {
            let (_, suffix) = split_known_suffix(&statement.mnemonic, SEQUENCE_NAMES);
            let to = statement.args.last().and_then(natural);
            let differs = suffix.is_some_and(|suffix| to.is_some_and(|to| to != suffix));
            let parts = statement.args.iter().zip(&statement.modifiers).any(|(arg, modifier)| {
                let bits = modifier.and_then(modifier_bits);
                *modifier == Some('h') || bits.is_some_and(|b| natural(arg).is_some_and(|n| n != b))
            });
            differs || parts
        };
        let is_condition = |place: &AsmOperand| matches!(place, AsmOperand::Condition { .. });
        self.template.places.iter().any(is_condition)
            || self.template.statements.iter().any(is_part)
    }
}

impl<'m> FunctionLowering<'_, 'm> {
    /// Lowers the statements; `false` when one is not known.
    pub(super) fn asm_sequence(&mut self, asm: &AsmBlock<'m>) -> LowerResult<bool> {
        let mut flags = AsmFlags::default();
        for statement in &asm.template.statements {
            if !self.asm_step(asm, statement, &mut flags)? {
                return Ok(false);
            }
        }
        for place in &asm.template.places {
            let (field, code) = match place {
                AsmOperand::Condition { field, code } => (*field, code.as_str()),
                AsmOperand::Flag { field } => (*field, "z"),
                _ => continue,
            };
            let Some((dst, width)) = asm.outputs.get(field).copied() else { return Ok(false) };
            let Some(bit) = self.asm_condition(code, &flags)? else { return Ok(false) };
            self.resize(false, 1, width, dst, bit);
        }
        Ok(true)
    }

    // tidy: long because it is a table of instructions with a line or two for each.
    fn asm_step(
        &mut self,
        asm: &AsmBlock<'m>,
        statement: &AsmStatement,
        flags: &mut AsmFlags,
    ) -> LowerResult<bool> {
        let mnemonic = statement.mnemonic.as_str();
        let mut parts = Vec::new();
        for (arg, modifier) in statement.args.iter().zip(&statement.modifiers) {
            match arg {
                AsmArgument::Immediate(number) => {
                    let place = AsmPlace::Value(self.int(*number as u64), 64);
                    parts.push(AsmPart { place, bits: None, is_high: false });
                }
                _ => match self.asm_part(asm, arg, *modifier)? {
                    Some(part) => parts.push(part),
                    None => return Ok(false),
                },
            }
        }
        if let Some(code) = mnemonic.strip_prefix("set")
            && let [to] = parts[..]
        {
            let Some(bit) = self.asm_condition(code, flags)? else { return Ok(false) };
            let byte = self.temp(1);
            self.resize(false, 1, 8, byte, bit);
            return self.asm_write(to, 8, Operand::slot(byte));
        }
        if let Some(code) = mnemonic.strip_prefix("cmov")
            && let [from, to] = parts[..]
        {
            return self.asm_conditional_move(code, from, to, flags);
        }
        let (name, suffix) = split_known_suffix(mnemonic, SEQUENCE_NAMES);
        let is_immediate = matches!(statement.args.first(), Some(AsmArgument::Immediate(_)));
        let Some(width) = suffix.or_else(|| width_of(&parts, is_immediate)) else {
            return self.asm_plain(asm, mnemonic);
        };
        if !matches!(width, 8 | 16 | 32 | 64) {
            return Ok(false);
        }
        match (name, &parts[..]) {
            ("mov", &[from, to]) => {
                let Some(value) = self.asm_read(from, width) else { return Ok(false) };
                self.asm_write(to, width, value)
            }
            ("add" | "sub" | "and" | "or" | "xor", &[from, to]) => {
                self.asm_arithmetic(update(name), from, to, width, flags)
            }
            ("inc" | "dec", &[to]) => {
                let carry = flags.carry;
                let one = AsmPlace::Value(self.int(1), 64);
                let one = AsmPart { place: one, bits: None, is_high: false };
                let op = if name == "inc" { RmwOp::Add } else { RmwOp::Sub };
                let known = self.asm_arithmetic(op, one, to, width, flags)?;
                flags.carry = carry;
                Ok(known)
            }
            ("adc" | "sbb", &[from, to]) => {
                self.asm_with_carry(name == "adc", from, to, width, flags)
            }
            ("cmp" | "test", &[from, to]) => {
                self.asm_compare(name == "cmp", from, to, width, flags)
            }
            ("neg" | "not" | "bswap", &[to]) => self.asm_one(name, to, width, flags),
            ("shl" | "sal" | "shr" | "sar" | "rol" | "ror", &[count, to]) => {
                self.asm_shift(name, count, to, width, flags)
            }
            ("bsf" | "tzcnt" | "bsr" | "lzcnt" | "popcnt", &[from, to]) => {
                self.asm_count(name, from, to, width, flags)
            }
            ("bt" | "bts" | "btr" | "btc", &[index, to]) => {
                self.asm_bit(name, (index, is_immediate), to, width, flags)
            }
            ("xchg", &[a, b]) => self.asm_exchange(a, b, width),
            ("xadd", &[from, to]) => {
                let Some(old) = self.asm_read(to, width) else { return Ok(false) };
                if matches!(to.place, AsmPlace::Memory(_)) {
                    // One atomic operation would be two here.
                    return Ok(false);
                }
                Ok(self.asm_arithmetic(RmwOp::Add, from, to, width, flags)?
                    && self.asm_write(from, width, old)?)
            }
            ("imul", &[from, to]) => {
                let (Some(a), Some(b)) = (self.asm_read(to, width), self.asm_read(from, width))
                else {
                    return Ok(false);
                };
                let product = self.asm_result(Opcode::Mul, width, a, b)?;
                *flags = AsmFlags::default();
                flags.operation = Some((OverflowOp::SMul, a, b, width));
                self.asm_write(to, width, product)
            }
            ("mul", &[factor]) => self.asm_full_product(asm, factor, width, flags),
            _ => Ok(false),
        }
    }

    /// Instructions without a width.
    fn asm_plain(&mut self, asm: &AsmBlock<'m>, mnemonic: &str) -> LowerResult<bool> {
        match mnemonic {
            "nop" | "pause" => Ok(true),
            "mfence" | "lfence" | "sfence" => {
                self.emit(Op::Fence);
                Ok(true)
            }
            "rdtsc" | "rdtscp" => self.asm_cycles(asm, mnemonic == "rdtscp"),
            _ => Ok(false),
        }
    }

    fn asm_part(
        &mut self,
        asm: &AsmBlock<'m>,
        arg: &AsmArgument,
        modifier: Option<char>,
    ) -> LowerResult<Option<AsmPart>> {
        let (number, bits) = match arg {
            AsmArgument::Operand(number) => (Some(*number), modifier.and_then(modifier_bits)),
            AsmArgument::CountRegister => (asm.register(ImplicitRegister::Count), Some(8)),
            AsmArgument::Register(register, bits) => (asm.register(*register), Some(*bits)),
            AsmArgument::Immediate(_) | AsmArgument::Other => (None, None),
        };
        let Some(number) = number else { return Ok(None) };
        let place = match asm.template.places.get(number) {
            Some(AsmOperand::Output { .. } | AsmOperand::Tied { .. }) => {
                asm.output(number).map(|(slot, bits)| AsmPlace::Output(slot, bits))
            }
            Some(AsmOperand::Input { arg }) => {
                let bits = lanes(asm.inst.operand(*arg).ty())?.bits();
                Some(AsmPlace::Value(self.arg(asm.inst, *arg)?, bits))
            }
            Some(AsmOperand::MemoryOutput { arg } | AsmOperand::MemoryInput { arg }) => {
                Some(AsmPlace::Memory(self.arg(asm.inst, *arg)?))
            }
            Some(AsmOperand::Flag { .. } | AsmOperand::Condition { .. }) | None => None,
        };
        Ok(place.map(|place| AsmPart { place, bits, is_high: modifier == Some('h') }))
    }

    /// The value of an argument, which stays as it is when a register is written.
    fn asm_read(&mut self, part: AsmPart, width: u32) -> Option<Operand> {
        let dst = self.temp(1);
        let (value, bits) = match part.place {
            AsmPlace::Output(slot, bits) => (Operand::slot(slot), bits),
            AsmPlace::Value(value, bits) => (value, bits),
            AsmPlace::Memory(ptr) => {
                self.load_word(width, AccessFlags::SEQUENTIAL, dst, ptr, 0);
                return Some(Operand::slot(dst));
            }
        };
        if bits > 64 || width > bits {
            return None;
        }
        let mut value = value;
        if part.is_high {
            let b = self.int(8);
            self.emit(Op::LShr { w: narrow(bits), dst, a: value, b });
            value = Operand::slot(dst);
        }
        self.resize(false, bits, width, dst, value);
        Some(Operand::slot(dst))
    }

    /// Writes a part of a register: 32 bits clear the rest, fewer leave it.
    fn asm_write(&mut self, part: AsmPart, width: u32, value: Operand) -> LowerResult<bool> {
        match part.place {
            AsmPlace::Value(..) => Ok(false),
            AsmPlace::Memory(ptr) => {
                let (bytes, access) = ((width / 8) as u8, AccessFlags::SEQUENTIAL);
                self.emit(Op::Store { bytes, w: narrow(width), access, val: value, ptr, off: 0 });
                Ok(true)
            }
            AsmPlace::Output(dst, bits) if width >= 32 || width == bits => {
                if width > bits {
                    return Ok(false);
                }
                self.resize(false, width, bits, dst, value);
                Ok(true)
            }
            AsmPlace::Output(dst, bits) => {
                if width > bits || bits > 64 {
                    return Ok(false);
                }
                let shift = if part.is_high { 8 } else { 0 };
                let wide = self.temp(1);
                self.resize(false, width, bits, wide, value);
                let by = self.int(shift);
                let moved = self.asm_result(Opcode::Shl, bits, Operand::slot(wide), by)?;
                let kept = self.int(!(mask(width) << shift) & mask(bits));
                let kept = self.asm_result(Opcode::And, bits, Operand::slot(dst), kept)?;
                let whole = self.asm_result(Opcode::Or, bits, kept, moved)?;
                self.copy(dst, whole, 1);
                Ok(true)
            }
        }
    }

    pub(super) fn asm_result(
        &mut self,
        op: Opcode,
        width: u32,
        a: Operand,
        b: Operand,
    ) -> LowerResult<Operand> {
        let dst = self.temp(1);
        self.int_op(op, width, WrapFlags::NONE, dst, [a, b])?;
        Ok(Operand::slot(dst))
    }

    pub(super) fn asm_bit_of(
        &mut self,
        pred: IntPredicate,
        width: u32,
        a: Operand,
        b: Operand,
    ) -> Operand {
        let bit = self.temp(1);
        self.compare(pred, width, bit, a, b);
        Operand::slot(bit)
    }

    fn asm_arithmetic(
        &mut self,
        op: RmwOp,
        from: AsmPart,
        to: AsmPart,
        width: u32,
        flags: &mut AsmFlags,
    ) -> LowerResult<bool> {
        let Some(b) = self.asm_read(from, width) else { return Ok(false) };
        let a = match to.place {
            AsmPlace::Memory(ptr) => {
                let (old, access) = (self.temp(1), AccessFlags::SEQUENTIAL);
                let bytes = (width / 8) as u8;
                self.emit(Op::AtomicRmw { op, bytes, access, dst: old, ptr, val: b });
                Operand::slot(old)
            }
            _ => match self.asm_read(to, width) {
                Some(a) => a,
                None => return Ok(false),
            },
        };
        let result = self.asm_result(opcode(op), width, a, b)?;
        flags.result = Some((result, width));
        match op {
            RmwOp::Add => {
                flags.carry = Some(self.asm_bit_of(IntPredicate::Ult, width, result, a));
                flags.operation = Some((OverflowOp::SAdd, a, b, width));
            }
            RmwOp::Sub => {
                flags.carry = Some(self.asm_bit_of(IntPredicate::Ult, width, a, b));
                flags.operation = Some((OverflowOp::SSub, a, b, width));
            }
            _ => {
                flags.carry = Some(self.int(0));
                flags.operation = None;
            }
        }
        match to.place {
            AsmPlace::Memory(_) => Ok(true),
            _ => self.asm_write(to, width, result),
        }
    }

    fn asm_with_carry(
        &mut self,
        adds: bool,
        from: AsmPart,
        to: AsmPart,
        width: u32,
        flags: &mut AsmFlags,
    ) -> LowerResult<bool> {
        let Some(given) = flags.carry else { return Ok(false) };
        let (Some(a), Some(b)) = (self.asm_read(to, width), self.asm_read(from, width)) else {
            return Ok(false);
        };
        let (carry, first, second) = (self.temp(1), self.temp(2), self.temp(2));
        self.resize(false, 1, width, carry, given);
        let op = if adds { OverflowOp::UAdd } else { OverflowOp::USub };
        self.overflow_op(op, width, first, a, b);
        self.overflow_op(op, width, second, Operand::slot(first), Operand::slot(carry));
        let bits = [Operand::slot(first.plus(1)), Operand::slot(second.plus(1))];
        let carried = self.asm_result(Opcode::Or, 1, bits[0], bits[1])?;
        let result = Operand::slot(second);
        *flags = AsmFlags { carry: Some(carried), result: Some((result, width)), operation: None };
        self.asm_write(to, width, result)
    }

    fn asm_compare(
        &mut self,
        differs: bool,
        from: AsmPart,
        to: AsmPart,
        width: u32,
        flags: &mut AsmFlags,
    ) -> LowerResult<bool> {
        let (Some(a), Some(b)) = (self.asm_read(to, width), self.asm_read(from, width)) else {
            return Ok(false);
        };
        if differs {
            let result = self.asm_result(Opcode::Sub, width, a, b)?;
            let carry = self.asm_bit_of(IntPredicate::Ult, width, a, b);
            let operation = Some((OverflowOp::SSub, a, b, width));
            *flags = AsmFlags { carry: Some(carry), result: Some((result, width)), operation };
        } else {
            let result = self.asm_result(Opcode::And, width, a, b)?;
            let zero = self.int(0);
            // The sign is that of a difference from zero, as nothing overflows.
            let operation = Some((OverflowOp::SSub, result, zero, width));
            *flags = AsmFlags { carry: Some(zero), result: Some((result, width)), operation };
        }
        Ok(true)
    }

    fn asm_one(
        &mut self,
        name: &str,
        to: AsmPart,
        width: u32,
        flags: &mut AsmFlags,
    ) -> LowerResult<bool> {
        if matches!(to.place, AsmPlace::Memory(_)) {
            return Ok(false);
        }
        let Some(a) = self.asm_read(to, width) else { return Ok(false) };
        let result = match name {
            "neg" => {
                let zero = self.int(0);
                let result = self.asm_result(Opcode::Sub, width, zero, a)?;
                let carry = self.asm_bit_of(IntPredicate::Ne, width, a, zero);
                let operation = Some((OverflowOp::SSub, zero, a, width));
                *flags = AsmFlags { carry: Some(carry), result: Some((result, width)), operation };
                result
            }
            "not" => {
                let ones = self.int(mask(width));
                self.asm_result(Opcode::Xor, width, a, ones)?
            }
            _ if width >= 32 => {
                let dst = self.temp(1);
                self.int_unary(IntUnary::ByteSwap, width, dst, a);
                Operand::slot(dst)
            }
            _ => return Ok(false),
        };
        self.asm_write(to, width, result)
    }

    fn asm_shift(
        &mut self,
        name: &str,
        count: AsmPart,
        to: AsmPart,
        width: u32,
        flags: &mut AsmFlags,
    ) -> LowerResult<bool> {
        if matches!(to.place, AsmPlace::Memory(_)) {
            return Ok(false);
        }
        let (Some(a), Some(by)) = (self.asm_read(to, width), self.asm_read(count, 8)) else {
            return Ok(false);
        };
        let wide = self.temp(1);
        self.resize(false, 8, width, wide, by);
        let (dst, c) = (self.temp(1), Operand::slot(wide));
        let w = narrow(width);
        match name {
            "rol" | "ror" => {
                self.emit(Op::FunnelShift { left: name == "rol", w, dst, a, b: a, c });
            }
            // A count that is larger than a part of a register would clear it.
            _ if width < 32 => return Ok(false),
            _ => {
                let most = self.int(u64::from(width) - 1);
                let c = self.asm_result(Opcode::And, width, c, most)?;
                let op = match name {
                    "shr" => Opcode::LShr,
                    "sar" => Opcode::AShr,
                    _ => Opcode::Shl,
                };
                self.int_op(op, width, WrapFlags::NONE, dst, [a, c])?;
            }
        }
        *flags = AsmFlags::default();
        self.asm_write(to, width, Operand::slot(dst))
    }

    fn asm_count(
        &mut self,
        name: &str,
        from: AsmPart,
        to: AsmPart,
        width: u32,
        flags: &mut AsmFlags,
    ) -> LowerResult<bool> {
        let Some(a) = self.asm_read(from, width) else { return Ok(false) };
        let op = match name {
            "bsf" | "tzcnt" => IntUnary::TrailingZeros,
            "popcnt" => IntUnary::PopCount,
            _ => IntUnary::LeadingZeros,
        };
        let dst = self.temp(1);
        self.int_unary(op, width, dst, a);
        let mut result = Operand::slot(dst);
        if name == "bsr" {
            let top = self.int(u64::from(width) - 1);
            result = self.asm_result(Opcode::Sub, width, top, result)?;
        }
        *flags = AsmFlags::default();
        match name {
            // Zero says that there was no bit, in which case the register keeps its value.
            "bsf" | "bsr" => {
                let zero = self.int(0);
                let none = self.asm_bit_of(IntPredicate::Eq, width, a, zero);
                let Some(old) = self.asm_read(to, width) else { return Ok(false) };
                let kept = self.temp(1);
                self.choose(narrow(width), kept, none, old, result);
                result = Operand::slot(kept);
                flags.result = Some((a, width));
            }
            "popcnt" => flags.result = Some((a, width)),
            _ => {
                let zero = self.int(0);
                flags.carry = Some(self.asm_bit_of(IntPredicate::Eq, width, a, zero));
                flags.result = Some((result, width));
            }
        }
        self.asm_write(to, width, result)
    }

    /// A bit of a register, or of memory from an address on.
    fn asm_bit(
        &mut self,
        name: &str,
        (index, is_immediate): (AsmPart, bool),
        to: AsmPart,
        width: u32,
        flags: &mut AsmFlags,
    ) -> LowerResult<bool> {
        let Some(index) = self.asm_read(index, width) else { return Ok(false) };
        let most = self.int(u64::from(width) - 1);
        let place = self.asm_result(Opcode::And, width, index, most)?;
        let one = self.int(1);
        let bit = self.asm_result(Opcode::Shl, width, one, place)?;
        let (op, with) = match name {
            "bts" => (RmwOp::Or, bit),
            "btc" => (RmwOp::Xor, bit),
            "btr" => {
                let ones = self.int(mask(width));
                (RmwOp::And, self.asm_result(Opcode::Xor, width, bit, ones)?)
            }
            // Nothing is changed.
            _ => (RmwOp::Or, self.int(0)),
        };
        let old = match to.place {
            AsmPlace::Memory(ptr) => {
                let ptr = self.asm_bit_address(ptr, index, is_immediate, width)?;
                let (old, access) = (self.temp(1), AccessFlags::SEQUENTIAL);
                if name == "bt" {
                    self.load_word(width, access, old, ptr, 0);
                } else {
                    let bytes = (width / 8) as u8;
                    self.emit(Op::AtomicRmw { op, bytes, access, dst: old, ptr, val: with });
                }
                Operand::slot(old)
            }
            _ => match self.asm_read(to, width) {
                Some(old) => old,
                None => return Ok(false),
            },
        };
        let shifted = self.asm_result(Opcode::LShr, width, old, place)?;
        let carry = self.temp(1);
        self.resize(false, width, 1, carry, shifted);
        // The flags for zero and for the sign stay, but nobody counts on that.
        *flags = AsmFlags { carry: Some(Operand::slot(carry)), result: None, operation: None };
        if name == "bt" || matches!(to.place, AsmPlace::Memory(_)) {
            return Ok(true);
        }
        let result = self.asm_result(opcode(op), width, old, with)?;
        self.asm_write(to, width, result)
    }

    /// The address of the word that has a bit.
    fn asm_bit_address(
        &mut self,
        ptr: Operand,
        index: Operand,
        is_immediate: bool,
        width: u32,
    ) -> LowerResult<Operand> {
        if is_immediate {
            return Ok(ptr);
        }
        let wide = self.temp(1);
        self.resize(true, width, 64, wide, index);
        let by = self.int(u64::from(width.ilog2()));
        let word = self.asm_result(Opcode::AShr, 64, Operand::slot(wide), by)?;
        let dst = self.temp(1);
        let scale = (width / 8) as i32;
        self.emit(Op::PtrAdd { w: 64, dst, base: ptr, index: word, scale, off: 0 });
        Ok(Operand::slot(dst))
    }

    fn asm_exchange(&mut self, a: AsmPart, b: AsmPart, width: u32) -> LowerResult<bool> {
        let (memory, register) = match (a.place, b.place) {
            (AsmPlace::Memory(ptr), _) => (Some(ptr), b),
            (_, AsmPlace::Memory(ptr)) => (Some(ptr), a),
            _ => (None, a),
        };
        let Some(mine) = self.asm_read(register, width) else { return Ok(false) };
        if let Some(ptr) = memory {
            let (old, access) = (self.temp(1), AccessFlags::SEQUENTIAL);
            let (op, bytes) = (RmwOp::Exchange, (width / 8) as u8);
            self.emit(Op::AtomicRmw { op, bytes, access, dst: old, ptr, val: mine });
            return self.asm_write(register, width, Operand::slot(old));
        }
        let Some(other) = self.asm_read(b, width) else { return Ok(false) };
        Ok(self.asm_write(b, width, mine)? && self.asm_write(a, width, other)?)
    }

    /// `mul`: the accumulator times the operand, as a double word.
    fn asm_full_product(
        &mut self,
        asm: &AsmBlock<'m>,
        factor: AsmPart,
        width: u32,
        flags: &mut AsmFlags,
    ) -> LowerResult<bool> {
        let named = |register| AsmArgument::Register(register, width);
        let low = self.asm_part(asm, &named(ImplicitRegister::Accumulator), None)?;
        let high = self.asm_part(asm, &named(ImplicitRegister::Data), None)?;
        let (Some(low), Some(high)) = (low, high) else { return Ok(false) };
        let (Some(a), Some(b)) = (self.asm_read(low, width), self.asm_read(factor, width)) else {
            return Ok(false);
        };
        if width != 64 {
            return Ok(false);
        }
        let zero = self.int(0);
        let (a, b) = (self.double(a, zero), self.double(b, zero));
        let product = self.double_op(Opcode::Mul, a, b)?;
        *flags = AsmFlags::default();
        flags.carry = Some(self.asm_bit_of(IntPredicate::Ne, 64, product.plus(1), zero));
        Ok(self.asm_write(low, 64, product)? && self.asm_write(high, 64, product.plus(1))?)
    }

    fn asm_conditional_move(
        &mut self,
        code: &str,
        from: AsmPart,
        to: AsmPart,
        flags: &AsmFlags,
    ) -> LowerResult<bool> {
        let natural = match to.place {
            AsmPlace::Output(_, bits) => to.bits.unwrap_or(bits),
            _ => return Ok(false),
        };
        let condition = match self.asm_condition(code, flags)? {
            Some(bit) => bit,
            None => {
                let stem = &code[..code.len().saturating_sub(1)];
                match self.asm_condition(stem, flags)? {
                    Some(bit) if code.ends_with(['w', 'l', 'q']) => bit,
                    _ => return Ok(false),
                }
            }
        };
        let (Some(a), Some(b)) = (self.asm_read(from, natural), self.asm_read(to, natural)) else {
            return Ok(false);
        };
        let dst = self.temp(1);
        self.choose(narrow(natural), dst, condition, a, b);
        self.asm_write(to, natural, Operand::slot(dst))
    }

    /// `rdtsc`: the counter of cycles, in halves; `rdtscp` also tells the processor, which is number 0.
    fn asm_cycles(&mut self, asm: &AsmBlock<'m>, tells_processor: bool) -> LowerResult<bool> {
        let dst = self.temp(1);
        let Some(site) = self.unit.call_without_arguments(CYCLES, dst) else { return Ok(false) };
        self.emit_call(site);
        let count = Operand::slot(dst);
        let by = self.int(32);
        let high = self.asm_result(Opcode::LShr, 64, count, by)?;
        let zero = self.int(0);
        let mut halves =
            vec![(ImplicitRegister::Accumulator, count), (ImplicitRegister::Data, high)];
        if tells_processor {
            halves.push((ImplicitRegister::Count, zero));
        }
        for (register, value) in halves {
            let half = self.temp(1);
            self.resize(false, 64, 32, half, value);
            // A register that nobody reads is only spoilt.
            let Some(part) = self.asm_part(asm, &AsmArgument::Register(register, 32), None)? else {
                continue;
            };
            if !self.asm_write(part, 32, Operand::slot(half))? {
                return Ok(false);
            }
        }
        Ok(true)
    }
}

impl AsmBlock<'_> {
    /// The operand in a register: an output, or else an input.
    fn register(&self, register: ImplicitRegister) -> Option<usize> {
        let template = &self.template;
        template.in_register(register, true).or_else(|| template.in_register(register, false))
    }
}

/// The width of an instruction without a suffix: that of its last argument, or of the first if that is
/// memory.
fn width_of(parts: &[AsmPart], first_is_immediate: bool) -> Option<u32> {
    let natural = |part: &AsmPart| match part.place {
        AsmPlace::Output(_, bits) | AsmPlace::Value(_, bits) => Some(part.bits.unwrap_or(bits)),
        AsmPlace::Memory(_) => None,
    };
    let rest = if first_is_immediate { parts.get(1..)? } else { parts };
    rest.iter().rev().find_map(natural)
}

/// The bits that a letter stands for.
fn modifier_bits(modifier: char) -> Option<u32> {
    match modifier {
        'b' | 'h' => Some(8),
        'w' => Some(16),
        'k' => Some(32),
        'q' => Some(64),
        _ => None,
    }
}
