//! Terms compiled to straight-line code over machine words.
//!
//! [`CompiledTerms`] computes a set of terms over a few symbolic bytes for 64 assignments at a time: a
//! *batch*. Each operation is one loop over the 64 lanes of its operands, which the host's compiler
//! vectorises, so that a node of a term costs well under a nanosecond an assignment. Terms of more than 64
//! bits are words of several values, least significant first (`lower.rs`); reads from arrays are look-ups
//! in tables and choices among stores.
//!
//! A term that depends on only one of several bytes is computed once for the 256 values of that byte, and
//! then looked up ([`LaneOp::Column`]).
//!
//! Invariant: the values are those of plain evaluation ([`everett_expr::TermEvaluator`]); property tests
//! compare the two.

mod lanes;
mod lower;
mod registers;
#[cfg(test)]
mod tests;

use everett_base::FloatKind;
use everett_expr::{BinOp, FloatOp, Pool, TermId, UnOp, VarId};

pub(crate) use self::lanes::{LANES, LaneMachine, LaneValues};
use self::lower::{ColumnRequest, TermLowering};
use crate::budget::QueryBudget;

/// Operations that terms are compiled to, at most.
const MAX_OPS: usize = 1 << 20;

/// The reason for which terms are not computed for all values of their bytes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum CompileRefusal {
    /// There are too many bytes, or there is too much to compute.
    TooDear,
    /// The query's budget was used up.
    OutOfTime,
}

/// Limits of the code that terms become.
#[derive(Clone, Copy)]
struct CodeLimits<'a> {
    ops_max: usize,
    budget: &'a QueryBudget,
}

/// One operation. Operands are numbers of earlier operations, and of registers once these are assigned.
#[derive(Clone, Copy, Debug)]
enum LaneOp {
    Const(u64),
    /// The value of an input: a byte, or a term that is given.
    Input(u8),
    /// An entry of a column, by the value of an input byte.
    Column {
        input: u8,
        column: u32,
    },
    Unary {
        op: UnOp,
        width: u32,
        a: u32,
    },
    Binary {
        op: BinOp,
        width: u32,
        a: u32,
        b: u32,
    },
    /// A binary operator with a constant on its right.
    WithConst {
        op: BinOp,
        width: u32,
        a: u32,
        b: u64,
    },
    /// The upper 64 bits of a product of 128.
    MulHigh {
        a: u32,
        b: u32,
    },
    /// `width` bits from bit `low` upward.
    Extract {
        a: u32,
        low: u32,
        width: u32,
    },
    /// A value above one of `low_width` bits.
    Concat {
        high: u32,
        low: u32,
        low_width: u32,
    },
    SExt {
        a: u32,
        from: u32,
        to: u32,
    },
    Ite {
        cond: u32,
        then: u32,
        other: u32,
    },
    /// A byte of a constant table; zero beyond its end.
    Table {
        at: u32,
        table: u32,
    },
    /// An operator on floating-point numbers of at most 64 bits; one with a single operand has it twice. The
    /// first operand has `first` bits.
    Float {
        op: FloatOp,
        width: u32,
        first: u32,
        a: u32,
        b: u32,
    },
    /// One word of an operation on wide values, by its number among these.
    Wide(u32),
    /// Lanes in which the value is zero are dropped.
    Assert {
        a: u32,
    },
}

/// An operation on values of more than 64 bits that has no short form in words: division, remainder, shifts,
/// and operators on floating-point numbers. It gives one word of the result.
#[derive(Clone, Debug)]
struct WideOp {
    op: WideOperator,
    /// The width of the result.
    width: u32,
    /// The word, 0 being the least significant.
    limb: usize,
    a: WideOperand,
    b: Option<WideOperand>,
}

#[derive(Clone, Copy, Debug)]
enum WideOperator {
    Binary(BinOp),
    Float(FloatOp),
}

/// The words of an operand, the least significant first.
#[derive(Clone, Debug)]
struct WideOperand {
    width: u32,
    limbs: Vec<u32>,
}

impl LaneOp {
    /// Calls `f` with each operand, which it may replace; those of wide operations are not among them.
    fn operands(&mut self, mut f: impl FnMut(&mut u32)) {
        match self {
            LaneOp::Const(_) | LaneOp::Input(_) | LaneOp::Column { .. } | LaneOp::Wide(_) => {}
            LaneOp::Unary { a, .. }
            | LaneOp::WithConst { a, .. }
            | LaneOp::Extract { a, .. }
            | LaneOp::SExt { a, .. }
            | LaneOp::Table { at: a, .. }
            | LaneOp::Assert { a } => f(a),
            LaneOp::Binary { a, b, .. }
            | LaneOp::Float { a, b, .. }
            | LaneOp::MulHigh { a, b }
            | LaneOp::Concat { high: a, low: b, .. } => {
                f(a);
                f(b);
            }
            LaneOp::Ite { cond, then, other } => {
                f(cond);
                f(then);
                f(other);
            }
        }
    }

    /// Returns the approximate cost of the operation, in simple operations on one lane. A wide
    /// operation builds a `BitVec` for each operand of each lane.
    fn cost(&self) -> u64 {
        match self {
            LaneOp::Binary { op, .. } | LaneOp::WithConst { op, .. } => match op {
                BinOp::UDiv | BinOp::URem | BinOp::SDiv | BinOp::SRem => 12,
                BinOp::Mul => 3,
                _ => 1,
            },
            LaneOp::Float { op, .. } => match op.kind() {
                FloatKind::F32 | FloatKind::F64 => 8,
                _ => 80,
            },
            LaneOp::MulHigh { .. } | LaneOp::Column { .. } | LaneOp::Table { .. } => 3,
            LaneOp::Wide(_) => 200,
            _ => 1,
        }
    }
}

/// The code of some terms over a few bytes.
pub(crate) struct CompiledTerms<'p> {
    ops: Vec<(LaneOp, u32)>,
    registers: usize,
    inputs: usize,
    tables: Vec<&'p [u8]>,
    wides: Vec<WideOp>,
    columns: Vec<[u64; 256]>,
    /// The registers of the outputs.
    outputs: Vec<u32>,
    cost: u64,
}

/// Terms that become code: conditions, which drop the assignments under which they are false, and outputs,
/// whose values are wanted, of at most 64 bits each.
#[derive(Clone, Copy, Default)]
pub(crate) struct CodeSources<'a> {
    pub(crate) conditions: &'a [TermId],
    pub(crate) outputs: &'a [TermId],
    /// A term of at most 64 bits that is not computed: its values are an input, behind those of bytes.
    pub(crate) given: Option<TermId>,
}

impl<'p> CompiledTerms<'p> {
    /// The code of terms over the bytes `inputs`, one assignment of which may cost at most `cost_max`.
    pub(crate) fn new(
        pool: &'p Pool,
        inputs: &[VarId],
        sources: CodeSources<'_>,
        cost_max: u64,
        budget: &'p QueryBudget,
    ) -> Result<CompiledTerms<'p>, CompileRefusal> {
        // Each operation costs something, so that most code that is too dear is never made.
        let ops_max = usize::try_from(cost_max).unwrap_or(usize::MAX).min(MAX_OPS);
        let mut lowering = TermLowering::new(pool, inputs, CodeLimits { ops_max, budget });
        if let Some(term) = sources.given {
            lowering.give(term);
        }
        for &condition in sources.conditions {
            lowering.condition(condition)?;
        }
        let mut outputs = Vec::with_capacity(sources.outputs.len());
        for &output in sources.outputs {
            outputs.push(lowering.output(output)?);
        }
        let TermLowering { ops, tables, wides, columns, .. } = lowering;
        let cost = ops.iter().map(LaneOp::cost).sum::<u64>() + columns.len() as u64;
        if cost > cost_max {
            return Err(CompileRefusal::TooDear);
        }
        let columns = fill_columns(pool, inputs, &columns, budget)?;
        let mut code = CompiledTerms {
            ops: Vec::new(),
            registers: 0,
            inputs: inputs.len() + usize::from(sources.given.is_some()),
            tables,
            wides,
            columns,
            outputs,
            cost,
        };
        code.assign_registers(ops);
        Ok(code)
    }

    /// Returns the approximate cost of one assignment, in simple operations.
    pub(crate) fn cost(&self) -> u64 {
        self.cost
    }
}

/// The values of terms over one of the inputs, for each value of that byte.
fn fill_columns(
    pool: &Pool,
    inputs: &[VarId],
    requests: &[ColumnRequest],
    budget: &QueryBudget,
) -> Result<Vec<[u64; 256]>, CompileRefusal> {
    let mut columns = vec![[0; 256]; requests.len()];
    let mut machine = LaneMachine::default();
    for (number, &input) in inputs.iter().enumerate() {
        let mine = |request: &&ColumnRequest| usize::from(request.input) == number;
        if !requests.iter().any(|request| mine(&request)) {
            continue;
        }
        let limits = CodeLimits { ops_max: MAX_OPS, budget };
        let mut lowering = TermLowering::new(pool, std::slice::from_ref(&input), limits);
        let mut outputs = Vec::new();
        for request in requests.iter().filter(mine) {
            outputs.push(lowering.limb(request.term, request.limb)?);
        }
        let TermLowering { ops, tables, wides, .. } = lowering;
        let mut code = CompiledTerms {
            ops: Vec::new(),
            registers: 0,
            inputs: 1,
            tables,
            wides,
            columns: Vec::new(),
            outputs,
            cost: 0,
        };
        code.assign_registers(ops);
        for first in (0..256).step_by(LANES) {
            let values: LaneValues = std::array::from_fn(|lane| (first + lane) as u64);
            machine.run(&code, &[values], u64::MAX, budget)?;
            let wanted = requests.iter().enumerate().filter(|(_, request)| mine(request));
            for (output, (column, _)) in wanted.enumerate() {
                columns[column][first..first + LANES]
                    .copy_from_slice(machine.output(&code, output));
            }
        }
    }
    Ok(columns)
}
