//! Execution: one loop over the lanes for each operation.

use everett_expr::{BinOp, BitVec, UnOp};
use smallvec::SmallVec;

use super::{CompileRefusal, CompiledTerms, LaneOp, WideOp, WideOperand, WideOperator};
use crate::budget::QueryBudget;

/// Assignments that are computed together; the lanes that are alive are the bits of one word.
pub(crate) const LANES: usize = 64;

/// Operations of a batch between two looks at the budget.
const OPS_BETWEEN_LOOKS: usize = 1 << 12;

/// The values of one register.
pub(crate) type LaneValues = [u64; LANES];

/// The registers, kept between runs.
pub(crate) struct LaneMachine {
    #[expect(
        clippy::vec_box,
        reason = "a register and the target are swapped, which must not copy them"
    )]
    registers: Vec<Box<LaneValues>>,
    /// The target of an operation while it is executed.
    target: Box<LaneValues>,
}

impl Default for LaneMachine {
    fn default() -> Self {
        LaneMachine { registers: Vec::new(), target: Box::new([0; LANES]) }
    }
}

impl LaneMachine {
    /// Computes the code for one batch, whose bytes are `inputs`. The result has the bits of the lanes in
    /// `alive` whose conditions all hold; outputs are there unless it is 0.
    pub(crate) fn run(
        &mut self,
        code: &CompiledTerms<'_>,
        inputs: &[LaneValues],
        mut alive: u64,
        budget: &QueryBudget,
    ) -> Result<u64, CompileRefusal> {
        debug_assert_eq!(inputs.len(), code.inputs, "each input has its values");
        while self.registers.len() < code.registers {
            self.registers.push(Box::new([0; LANES]));
        }
        for (number, ops) in code.ops.chunks(OPS_BETWEEN_LOOKS).enumerate() {
            if number > 0 && budget.is_spent() {
                return Err(CompileRefusal::OutOfTime);
            }
            for &(op, target) in ops {
                if let LaneOp::Assert { a } = op {
                    alive &= truth(&self.registers[a as usize]);
                    if alive == 0 {
                        return Ok(0);
                    }
                    continue;
                }
                self.step(code, inputs, op);
                std::mem::swap(&mut self.registers[target as usize], &mut self.target);
            }
        }
        Ok(alive)
    }

    /// The values of an output after a run.
    pub(crate) fn output(&self, code: &CompiledTerms<'_>, number: usize) -> &LaneValues {
        &self.registers[code.outputs[number] as usize]
    }

    /// Computes one operation into the target.
    fn step(&mut self, code: &CompiledTerms<'_>, inputs: &[LaneValues], op: LaneOp) {
        let LaneMachine { registers, target } = self;
        let register = |number: u32| &*registers[number as usize];
        match op {
            LaneOp::Const(value) => target.fill(value),
            LaneOp::Input(input) => target.copy_from_slice(&inputs[usize::from(input)]),
            LaneOp::Column { input, column } => {
                let column = &code.columns[column as usize];
                map(target, &inputs[usize::from(input)], |byte| column[byte as usize & 0xff]);
            }
            LaneOp::Unary { op, width, a } => {
                let mask = mask(width);
                match op {
                    UnOp::Not => map(target, register(a), |a| !a & mask),
                    UnOp::Neg => map(target, register(a), |a| a.wrapping_neg() & mask),
                }
            }
            LaneOp::Binary { op, width, a, b } => {
                binary(target, op, width, register(a), register(b))
            }
            LaneOp::WithConst { op, width, a, b } => with_const(target, op, width, register(a), b),
            LaneOp::MulHigh { a, b } => zip(target, register(a), register(b), |a, b| {
                ((u128::from(a) * u128::from(b)) >> 64) as u64
            }),
            LaneOp::Extract { a, low, width } => {
                let mask = mask(width);
                map(target, register(a), |a| a >> low & mask);
            }
            LaneOp::Concat { high, low, low_width } => {
                zip(target, register(high), register(low), |high, low| high << low_width | low);
            }
            LaneOp::SExt { a, from, to } => {
                let (unused, mask) = (64 - from, mask(to));
                map(target, register(a), |a| (((a << unused) as i64) >> unused) as u64 & mask);
            }
            LaneOp::Ite { cond, then, other } => {
                let (cond, then, other) = (register(cond), register(then), register(other));
                for lane in 0..LANES {
                    let choice = cond[lane].wrapping_neg();
                    target[lane] = then[lane] & choice | other[lane] & !choice;
                }
            }
            LaneOp::Table { at, table } => {
                let table = code.tables[table as usize];
                map(target, register(at), |at| {
                    let byte = usize::try_from(at).ok().and_then(|at| table.get(at));
                    u64::from(byte.copied().unwrap_or(0))
                });
            }
            LaneOp::Float { op, width, first, a, b } => {
                zip(target, register(a), register(b), |a, b| op.apply(width, first, a, b));
            }
            LaneOp::Wide(wide) => wide_op(target, &code.wides[wide as usize], registers),
            LaneOp::Assert { .. } => unreachable!("an assertion has no value"),
        }
    }
}

/// The lanes whose value is not 0, as bits. Conditions have the values 0 and 1.
fn truth(lanes: &LaneValues) -> u64 {
    lanes.iter().enumerate().fold(0, |bits, (lane, value)| bits | (value & 1) << lane)
}

fn mask(width: u32) -> u64 {
    u64::MAX >> (64 - width)
}

#[inline(always)]
fn map(target: &mut LaneValues, a: &LaneValues, f: impl Fn(u64) -> u64) {
    for (target, a) in target.iter_mut().zip(a) {
        *target = f(*a);
    }
}

#[inline(always)]
fn zip(target: &mut LaneValues, a: &LaneValues, b: &LaneValues, f: impl Fn(u64, u64) -> u64) {
    for ((target, a), b) in target.iter_mut().zip(a).zip(b) {
        *target = f(*a, *b);
    }
}

/// One loop for each operator, so that each is a loop over one instruction.
macro_rules! loops {
    ($each:ident, $op:ident, $width:ident) => {{
        let mask = mask($width);
        match $op {
            BinOp::And => $each!(|a: u64, b: u64| a & b),
            BinOp::Or => $each!(|a: u64, b: u64| a | b),
            BinOp::Xor => $each!(|a: u64, b: u64| a ^ b),
            BinOp::Add => $each!(|a: u64, b: u64| a.wrapping_add(b) & mask),
            BinOp::Sub => $each!(|a: u64, b: u64| a.wrapping_sub(b) & mask),
            BinOp::Mul => $each!(|a: u64, b: u64| a.wrapping_mul(b) & mask),
            BinOp::Eq => $each!(|a: u64, b: u64| u64::from(a == b)),
            BinOp::Ult => $each!(|a: u64, b: u64| u64::from(a < b)),
            BinOp::Slt => {
                let unused = 64 - $width;
                $each!(|a: u64, b: u64| u64::from(((a << unused) as i64) < ((b << unused) as i64)))
            }
            BinOp::UDiv => $each!(|a: u64, b: u64| BinOp::UDiv.apply($width, a, b)),
            BinOp::URem => $each!(|a: u64, b: u64| BinOp::URem.apply($width, a, b)),
            BinOp::SDiv => $each!(|a: u64, b: u64| BinOp::SDiv.apply($width, a, b)),
            BinOp::SRem => $each!(|a: u64, b: u64| BinOp::SRem.apply($width, a, b)),
            BinOp::Shl => $each!(|a: u64, b: u64| BinOp::Shl.apply($width, a, b)),
            BinOp::LShr => $each!(|a: u64, b: u64| BinOp::LShr.apply($width, a, b)),
            BinOp::AShr => $each!(|a: u64, b: u64| BinOp::AShr.apply($width, a, b)),
        }
    }};
}

fn binary(target: &mut LaneValues, op: BinOp, width: u32, a: &LaneValues, b: &LaneValues) {
    macro_rules! each {
        ($f:expr) => {
            zip(target, a, b, $f)
        };
    }
    loops!(each, op, width);
}

fn with_const(target: &mut LaneValues, op: BinOp, width: u32, a: &LaneValues, b: u64) {
    macro_rules! each {
        ($f:expr) => {
            map(target, a, |a| $f(a, b))
        };
    }
    loops!(each, op, width);
}

/// An operation on wide values, one lane after the other.
fn wide_op(target: &mut LaneValues, wide: &WideOp, registers: &[Box<LaneValues>]) {
    let value = |operand: &WideOperand, lane: usize| {
        let word = |&limb: &u32| registers[limb as usize][lane];
        let words: SmallVec<[u64; 4]> = operand.limbs.iter().map(word).collect();
        BitVec::from_words(operand.width, &words)
    };
    for (lane, target) in target.iter_mut().enumerate() {
        let (a, b) = (value(&wide.a, lane), wide.b.as_ref().map(|b| value(b, lane)));
        let result = match wide.op {
            WideOperator::Binary(op) => {
                op.apply_wide(&a, &b.expect("a binary operator has two operands"))
            }
            WideOperator::Float(op) => op.apply_wide(wide.width, &a, b.as_ref()),
        };
        *target = result.words()[wide.limb];
    }
}
