//! Registers for straight-line code.
//!
//! A value's register is free again after its last use, so that code of thousands of operations works on the
//! few registers that fit the cache. An operation never writes to a register that it reads.

use super::{CompiledTerms, LaneOp, WideOp};

impl CompiledTerms<'_> {
    /// Takes over operations in order, with operands renamed to registers.
    pub(super) fn assign_registers(&mut self, mut ops: Vec<LaneOp>) {
        let last_uses = self.last_uses(&mut ops);
        let mut registers: Vec<u32> = Vec::with_capacity(ops.len());
        let mut free: Vec<u32> = Vec::new();
        let mut count = 0;
        let mut ending: Vec<u32> = Vec::new();
        for (number, op) in ops.iter_mut().enumerate() {
            ending.clear();
            for_each_operand(op, &mut self.wides, |operand| {
                let register = registers[*operand as usize];
                if last_uses[*operand as usize] == number && !ending.contains(&register) {
                    ending.push(register);
                }
                *operand = register;
            });
            let has_value = !matches!(op, LaneOp::Assert { .. });
            let target = match has_value.then(|| free.pop()) {
                None => 0,
                Some(Some(register)) => register,
                Some(None) => {
                    count += 1;
                    count - 1
                }
            };
            registers.push(target);
            free.append(&mut ending);
            if has_value && last_uses[number] == number {
                free.push(target);
            }
        }
        self.registers = count as usize;
        self.outputs.iter_mut().for_each(|output| *output = registers[*output as usize]);
        self.ops = ops.into_iter().zip(registers).collect();
    }

    /// The last operation that reads each value; its own number for one that nothing reads.
    fn last_uses(&mut self, ops: &mut [LaneOp]) -> Vec<usize> {
        let mut last: Vec<usize> = (0..ops.len()).collect();
        for (number, op) in ops.iter_mut().enumerate() {
            for_each_operand(op, &mut self.wides, |operand| last[*operand as usize] = number);
        }
        for &output in &self.outputs {
            last[output as usize] = ops.len();
        }
        last
    }
}

/// Calls `f` with each operand of an operation, be it wide.
fn for_each_operand(op: &mut LaneOp, wides: &mut [WideOp], mut f: impl FnMut(&mut u32)) {
    if let LaneOp::Wide(number) = op {
        let wide = &mut wides[*number as usize];
        let operands = std::iter::once(&mut wide.a).chain(&mut wide.b);
        operands.flat_map(|operand| &mut operand.limbs).for_each(&mut f);
    }
    op.operands(f);
}
