//! Inline assembly: the usual small idioms.
//!
//! [`template`] takes the text and the constraints apart; this file knows what single instructions
//! do, and [`sequence`] what several do one after the other, with the flags between them. Everything
//! else stops the path and names the text.

mod double;
mod flags;
mod sequence;
mod template;

use everett_ir::{AccessFlags, IntPredicate, IntUnary, Op, Operand, RmwOp, Slot, WrapFlags};

use crate::sys::{Inst, Opcode, TypeKind};

use template::{AsmArgument, AsmOperand, AsmStatement, AsmTemplate};

use crate::lower::function::FunctionLowering;
use crate::lower::shape::{lanes, narrow};
use crate::lower::{LowerResult, UnsupportedConstruct};

/// The operands and results of one block of assembly.
struct AsmBlock<'m> {
    inst: Inst<'m>,
    template: AsmTemplate,
    /// First slot and width of each direct output.
    outputs: Vec<(Slot, u32)>,
}

/// An instruction that updates memory.
struct MemoryUpdate<'a> {
    op: RmwOp,
    value: &'a AsmArgument,
    /// The number of the operand that is updated.
    memory: usize,
    /// The width that the suffix of the mnemonic says.
    suffix: Option<u32>,
}

impl<'m> FunctionLowering<'_, 'm> {
    /// A call of inline assembly.
    pub(crate) fn inline_asm(&mut self, inst: Inst<'m>) -> LowerResult {
        let (text, constraints, intel) = inst.inline_asm();
        let unknown = || {
            UnsupportedConstruct::new(format!(
                "inline assembly \"{}\" ({constraints})",
                text.trim()
            ))
        };
        let template = AsmTemplate::parse(&text, &constraints).ok_or_else(unknown)?;
        if intel && !template.statements.is_empty() {
            return Err(unknown());
        }
        let outputs = self.asm_outputs(inst).map_err(|_| unknown())?;
        let asm = AsmBlock { inst, template, outputs };
        let mark = self.mark();
        if !asm.needs_sequence() {
            if self.run_asm(&asm)? {
                return Ok(());
            }
            self.rewind(mark);
        }
        let mark = self.mark();
        self.tie_outputs(&asm)?;
        if self.asm_sequence(&asm)? {
            return Ok(());
        }
        self.rewind(mark);
        Err(unknown())
    }

    /// Slots and widths of the direct outputs, which are the fields of the result.
    fn asm_outputs(&mut self, inst: Inst<'m>) -> LowerResult<Vec<(Slot, u32)>> {
        let ty = inst.ty();
        let dst = self.dst(inst);
        match ty.kind() {
            TypeKind::Void => Ok(Vec::new()),
            TypeKind::Struct => {
                let mut outputs = Vec::new();
                for field in 0..ty.field_count() {
                    let (skip, member) = self.unit.member(ty, field)?;
                    outputs.push((dst.plus(skip), lanes(member)?.bits()));
                }
                Ok(outputs)
            }
            _ => Ok(vec![(dst, lanes(ty)?.bits())]),
        }
    }

    /// Lowers the statements; `false` when they are no known idiom.
    fn run_asm(&mut self, asm: &AsmBlock<'m>) -> LowerResult<bool> {
        self.tie_outputs(asm)?;
        match asm.template.statements.as_slice() {
            statements if double::is_cpuid(statements) => {
                self.asm_cpuid(asm);
                Ok(true)
            }
            [] => Ok(true),
            [only] => self.statement(asm, only, None),
            [first, second] => {
                let flag = second.args.first().filter(|_| second.args.len() == 1);
                match (second.mnemonic.as_str(), flag) {
                    ("sete" | "setz", Some(AsmArgument::Operand(flag))) => {
                        let flag = asm.output(*flag);
                        if flag.is_none() {
                            return Ok(false);
                        }
                        self.statement(asm, first, flag)
                    }
                    _ => self.asm_carry(asm, first, second),
                }
            }
            _ => Ok(false),
        }
    }

    /// Starts every output with the input that is tied to it, or with zero.
    fn tie_outputs(&mut self, asm: &AsmBlock<'m>) -> LowerResult {
        let mut copies = Vec::new();
        for (number, place) in asm.template.places.iter().enumerate() {
            let AsmOperand::Output { field } = place else { continue };
            let Some((dst, bits)) = asm.outputs.get(*field).copied() else { continue };
            let slots = everett_ir::words(bits);
            let source = match asm.tied(number) {
                Some(arg) if self.unit.slots(asm.inst.operand(arg).ty())? == slots => {
                    self.arg(asm.inst, arg)?
                }
                _ => self.unit.constants(vec![everett_ir::Const::Int(0); slots as usize]),
            };
            copies.push((dst, source, slots));
        }
        for (dst, source, slots) in copies {
            self.copy(dst, source, slots);
        }
        Ok(())
    }

    /// One instruction; `flag` is the output that receives "equal" or "zero" after it.
    fn statement(
        &mut self,
        asm: &AsmBlock<'m>,
        statement: &AsmStatement,
        flag: Option<(Slot, u32)>,
    ) -> LowerResult<bool> {
        let flag = flag.or_else(|| asm.flag_output());
        let AsmStatement { mnemonic, args, .. } = statement;
        let (name, suffix) = template::split_suffix(mnemonic);
        match (name, args.as_slice()) {
            ("nop" | "pause", []) => Ok(flag.is_none()),
            ("mfence" | "lfence" | "sfence", []) if flag.is_none() => {
                self.emit(Op::Fence);
                Ok(true)
            }
            // The locked access to the top of the stack that serves as a fence.
            ("add" | "or", [AsmArgument::Immediate(0), AsmArgument::Other]) if flag.is_none() => {
                self.emit(Op::Fence);
                Ok(true)
            }
            ("bswap", [AsmArgument::Operand(reg)]) if flag.is_none() => {
                self.asm_unary(asm, IntUnary::ByteSwap, *reg, *reg)
            }
            ("bsf" | "tzcnt", [from, AsmArgument::Operand(to)]) if flag.is_none() => {
                self.asm_scan(asm, IntUnary::TrailingZeros, from, *to, false)
            }
            ("lzcnt", [from, AsmArgument::Operand(to)]) if flag.is_none() => {
                self.asm_scan(asm, IntUnary::LeadingZeros, from, *to, false)
            }
            ("popcnt", [from, AsmArgument::Operand(to)]) if flag.is_none() => {
                self.asm_scan(asm, IntUnary::PopCount, from, *to, false)
            }
            ("bsr", [from, AsmArgument::Operand(to)]) if flag.is_none() => {
                self.asm_scan(asm, IntUnary::LeadingZeros, from, *to, true)
            }
            ("rol" | "ror", [count, AsmArgument::Operand(reg)]) if flag.is_none() => {
                self.asm_rotate(asm, name == "rol", count, *reg)
            }
            ("mov", [from, AsmArgument::Operand(to)]) if flag.is_none() => {
                self.asm_move(asm, from, *to)
            }
            ("mul" | "mulq", [factor]) if flag.is_none() => self.asm_multiply(asm, factor),
            ("div" | "divq", [divisor]) if flag.is_none() => self.asm_divide(asm, divisor),
            ("cmpxchg", [AsmArgument::Operand(new), AsmArgument::Operand(memory)]) => {
                self.asm_compare_exchange(asm, *new, *memory, flag)
            }
            ("xadd", [AsmArgument::Operand(reg), AsmArgument::Operand(memory)])
                if flag.is_none() =>
            {
                self.asm_swap(asm, RmwOp::Add, *reg, *memory)
            }
            ("xchg", [AsmArgument::Operand(a), AsmArgument::Operand(b)]) if flag.is_none() => {
                let (reg, memory) = if asm.pointer(*a).is_some() { (*b, *a) } else { (*a, *b) };
                self.asm_swap(asm, RmwOp::Exchange, reg, memory)
            }
            ("inc" | "dec", [AsmArgument::Operand(memory)]) => {
                let op = if name == "inc" { RmwOp::Add } else { RmwOp::Sub };
                let value = &AsmArgument::Immediate(1);
                self.asm_update(asm, MemoryUpdate { op, value, memory: *memory, suffix }, flag)
            }
            ("add" | "sub" | "or" | "and" | "xor", [value, AsmArgument::Operand(memory)]) => {
                let op = update(name);
                self.asm_update(asm, MemoryUpdate { op, value, memory: *memory, suffix }, flag)
            }
            _ => Ok(false),
        }
    }

    /// The operand that an argument of an instruction reads, with its width; only registers.
    fn asm_value(
        &mut self,
        asm: &AsmBlock<'m>,
        number: usize,
    ) -> LowerResult<Option<(Operand, u32)>> {
        match asm.template.places.get(number) {
            Some(AsmOperand::Output { field }) => {
                Ok(asm.outputs.get(*field).map(|(slot, bits)| (Operand::slot(*slot), *bits)))
            }
            Some(AsmOperand::Input { arg } | AsmOperand::Tied { arg, .. }) => {
                let bits = lanes(asm.inst.operand(*arg).ty())?.bits();
                Ok(Some((self.arg(asm.inst, *arg)?, bits)))
            }
            Some(
                AsmOperand::MemoryOutput { .. }
                | AsmOperand::MemoryInput { .. }
                | AsmOperand::Flag { .. }
                | AsmOperand::Condition { .. },
            )
            | None => Ok(None),
        }
    }

    fn asm_unary(
        &mut self,
        asm: &AsmBlock<'m>,
        op: IntUnary,
        from: usize,
        to: usize,
    ) -> LowerResult<bool> {
        let Some((a, bits)) = self.asm_value(asm, from)? else { return Ok(false) };
        match asm.output(to) {
            Some((dst, width)) if width == bits && bits <= 64 => {
                self.int_unary(op, bits, dst, a);
                Ok(true)
            }
            _ => Ok(false),
        }
    }

    /// A scan for a bit; `from_top` turns the number of leading zeroes into a position.
    fn asm_scan(
        &mut self,
        asm: &AsmBlock<'m>,
        op: IntUnary,
        from: &AsmArgument,
        to: usize,
        from_top: bool,
    ) -> LowerResult<bool> {
        let AsmArgument::Operand(from) = from else { return Ok(false) };
        let Some((a, bits)) = self.asm_value(asm, *from)? else { return Ok(false) };
        let Some((dst, width)) = asm.output(to).filter(|_| bits <= 64) else { return Ok(false) };
        if width > 64 {
            return Ok(false);
        }
        let count = self.temp(1);
        self.int_unary(op, bits, count, a);
        if from_top {
            let top = self.int(u64::from(bits) - 1);
            let b = Operand::slot(count);
            let wrap = WrapFlags::NONE;
            self.emit(Op::Sub { w: narrow(bits), wrap, dst: count, a: top, b });
        }
        self.resize(false, bits, width, dst, Operand::slot(count));
        Ok(true)
    }

    fn asm_rotate(
        &mut self,
        asm: &AsmBlock<'m>,
        left: bool,
        count: &AsmArgument,
        reg: usize,
    ) -> LowerResult<bool> {
        let Some((dst, bits)) = asm.output(reg).filter(|(_, bits)| *bits <= 64) else {
            return Ok(false);
        };
        let c = match count {
            AsmArgument::Immediate(count) => {
                self.int(*count as u64 & crate::lower::fold::mask(bits))
            }
            AsmArgument::Operand(_) | AsmArgument::CountRegister => {
                let number = match count {
                    AsmArgument::Operand(number) => Some(*number),
                    _ => asm.template.count_register(),
                };
                let Some((a, width)) = number.map_or(Ok(None), |n| self.asm_value(asm, n))? else {
                    return Ok(false);
                };
                let wide = self.temp(1);
                self.resize(false, width.min(64), bits, wide, a);
                Operand::slot(wide)
            }
            AsmArgument::Register(..) | AsmArgument::Other => return Ok(false),
        };
        let a = Operand::slot(dst);
        self.emit(Op::FunnelShift { left, w: narrow(bits), dst, a, b: a, c });
        Ok(true)
    }

    fn asm_move(&mut self, asm: &AsmBlock<'m>, from: &AsmArgument, to: usize) -> LowerResult<bool> {
        let Some((dst, width)) = asm.output(to).filter(|(_, bits)| *bits <= 64) else {
            return Ok(false);
        };
        let a = match from {
            AsmArgument::Immediate(number) => {
                self.int(*number as u64 & crate::lower::fold::mask(width))
            }
            AsmArgument::Operand(number) => match self.asm_value(asm, *number)? {
                Some((a, bits)) if bits == width => a,
                _ => return Ok(false),
            },
            AsmArgument::CountRegister | AsmArgument::Register(..) | AsmArgument::Other => {
                return Ok(false);
            }
        };
        self.copy(dst, a, 1);
        Ok(true)
    }

    /// `cmpxchg`: compares with the accumulator, which is an input and may be an output.
    fn asm_compare_exchange(
        &mut self,
        asm: &AsmBlock<'m>,
        new: usize,
        memory: usize,
        flag: Option<(Slot, u32)>,
    ) -> LowerResult<bool> {
        let Some(ptr) = asm.pointer(memory) else { return Ok(false) };
        let Some((new, bits)) = self.asm_value(asm, new)? else { return Ok(false) };
        let Some(accumulator) = asm.template.accumulator_input() else { return Ok(false) };
        if !matches!(bits, 8 | 16 | 32 | 64) {
            return Ok(false);
        }
        let Some((expected, _)) = self.asm_value(asm, accumulator)? else { return Ok(false) };
        let ptr = self.arg(asm.inst, ptr)?;
        let (old, access, bytes) = (self.temp(2), AccessFlags::SEQUENTIAL, (bits / 8) as u8);
        self.emit(Op::CompareExchange { bytes, access, dst: old, ptr, expected, new });
        if let Some((dst, width)) = asm.template.accumulator_output().and_then(|n| asm.output(n)) {
            self.resize(false, bits, width, dst, Operand::slot(old));
        }
        if let Some((dst, width)) = flag {
            self.resize(false, 1, width, dst, Operand::slot(old.plus(1)));
        }
        Ok(true)
    }

    /// `xadd` and `xchg`: the register receives the old value.
    fn asm_swap(
        &mut self,
        asm: &AsmBlock<'m>,
        op: RmwOp,
        reg: usize,
        memory: usize,
    ) -> LowerResult<bool> {
        let Some(ptr) = asm.pointer(memory) else { return Ok(false) };
        let Some((dst, bits)) = asm.output(reg) else { return Ok(false) };
        if !matches!(bits, 8 | 16 | 32 | 64) {
            return Ok(false);
        }
        let ptr = self.arg(asm.inst, ptr)?;
        let (val, access) = (Operand::slot(dst), AccessFlags::SEQUENTIAL);
        self.emit(Op::AtomicRmw { op, bytes: (bits / 8) as u8, access, dst, ptr, val });
        Ok(true)
    }

    /// An update of memory whose old value nobody needs but, perhaps, for a flag.
    fn asm_update(
        &mut self,
        asm: &AsmBlock<'m>,
        MemoryUpdate { op, value, memory, suffix }: MemoryUpdate<'_>,
        flag: Option<(Slot, u32)>,
    ) -> LowerResult<bool> {
        let Some(ptr) = asm.pointer(memory) else { return Ok(false) };
        let (val, bits) = match value {
            AsmArgument::Immediate(number) => {
                let Some(bits) = suffix else { return Ok(false) };
                (self.int(*number as u64 & crate::lower::fold::mask(bits)), bits)
            }
            AsmArgument::Operand(number) => match self.asm_value(asm, *number)? {
                Some((operand, bits)) => (operand, bits),
                None => return Ok(false),
            },
            AsmArgument::CountRegister | AsmArgument::Register(..) | AsmArgument::Other => {
                return Ok(false);
            }
        };
        if !matches!(bits, 8 | 16 | 32 | 64) || suffix.is_some_and(|suffix| suffix != bits) {
            return Ok(false);
        }
        let ptr = self.arg(asm.inst, ptr)?;
        let (old, access) = (self.temp(1), AccessFlags::SEQUENTIAL);
        self.emit(Op::AtomicRmw { op, bytes: (bits / 8) as u8, access, dst: old, ptr, val });
        if let Some((dst, width)) = flag {
            let a = Operand::slot(old);
            self.int_op(opcode(op), bits, WrapFlags::NONE, old, [a, val])?;
            let (zero, bit) = (self.int(0), self.temp(1));
            self.compare(IntPredicate::Eq, bits, bit, a, zero);
            self.resize(false, 1, width, dst, Operand::slot(bit));
        }
        Ok(true)
    }
}

impl AsmBlock<'_> {
    /// Slot and width of a direct output.
    fn output(&self, number: usize) -> Option<(Slot, u32)> {
        match self.template.places.get(number)? {
            AsmOperand::Output { field } | AsmOperand::Flag { field } => {
                self.outputs.get(*field).copied()
            }
            AsmOperand::Tied { to, .. } => self.output(*to),
            _ => None,
        }
    }

    /// The output that receives a flag.
    fn flag_output(&self) -> Option<(Slot, u32)> {
        self.template.places.iter().find_map(|place| match place {
            AsmOperand::Flag { field } => self.outputs.get(*field).copied(),
            _ => None,
        })
    }

    /// The argument that is tied to an output.
    fn tied(&self, output: usize) -> Option<u32> {
        self.template.places.iter().find_map(|place| match place {
            AsmOperand::Tied { arg, to } if *to == output => Some(*arg),
            _ => None,
        })
    }

    /// The argument that holds the address of a memory operand.
    fn pointer(&self, number: usize) -> Option<u32> {
        match self.template.places.get(number)? {
            AsmOperand::MemoryOutput { arg } | AsmOperand::MemoryInput { arg } => Some(*arg),
            _ => None,
        }
    }
}

fn update(name: &str) -> RmwOp {
    match name {
        "sub" => RmwOp::Sub,
        "or" => RmwOp::Or,
        "and" => RmwOp::And,
        "xor" => RmwOp::Xor,
        _ => RmwOp::Add,
    }
}

fn opcode(op: RmwOp) -> Opcode {
    match op {
        RmwOp::Sub => Opcode::Sub,
        RmwOp::Or => Opcode::Or,
        RmwOp::And => Opcode::And,
        RmwOp::Xor => Opcode::Xor,
        _ => Opcode::Add,
    }
}
