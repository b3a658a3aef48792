//! From terms to operations.
//!
//! A term of up to 64 bits is one value; a wider one is a word of several, its *limbs*, least significant
//! first, and its operations are spelled out over them: sums with carries, products by the school's method,
//! comparisons from the top. Values that are constants never become operations unless one needs them as such.
//!
//! Invariant: the bits of a limb above those that the term has are zero.

use everett_base::Map;
use everett_expr::{ArrayId, ArrayNode, BinOp, FloatOp, Pool, TermId, TermNode, UnOp, VarId};
use smallvec::{SmallVec, smallvec};

use super::{CodeLimits, CompileRefusal, LaneOp, WideOp, WideOperand, WideOperator};

/// A value: known, or that of an operation.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum LoweredValue {
    Imm(u64),
    Op(u32),
}

/// Columns of code, at most, which take 2 KiB each.
const COLUMNS_MAX: usize = 1 << 15;

const ZERO: LoweredValue = LoweredValue::Imm(0);

/// The values of a term, least significant limb first.
type TermLimbs = SmallVec<[LoweredValue; 2]>;

/// A term over one byte only, of which one limb is wanted for each value of the byte.
#[derive(Clone, Copy, Debug)]
pub(super) struct ColumnRequest {
    pub(super) input: u8,
    pub(super) term: TermId,
    pub(super) limb: usize,
}

/// The translation of some terms.
pub(super) struct TermLowering<'p> {
    pool: &'p Pool,
    inputs: SmallVec<[VarId; 8]>,
    limits: CodeLimits<'p>,
    /// Steps since the last look at the budget.
    steps: u32,
    limbs: Map<TermId, TermLimbs>,
    pub(super) ops: Vec<LaneOp>,
    pub(super) tables: Vec<&'p [u8]>,
    pub(super) wides: Vec<WideOp>,
    pub(super) columns: Vec<ColumnRequest>,
}

impl<'p> TermLowering<'p> {
    pub(super) fn new(
        pool: &'p Pool,
        inputs: &[VarId],
        limits: CodeLimits<'p>,
    ) -> TermLowering<'p> {
        TermLowering {
            pool,
            inputs: SmallVec::from_slice(inputs),
            limits,
            steps: 0,
            limbs: Map::default(),
            ops: Vec::new(),
            tables: Vec::new(),
            wides: Vec::new(),
            columns: Vec::new(),
        }
    }

    /// Takes the value of a term from the input behind those of bytes.
    pub(super) fn give(&mut self, term: TermId) {
        let input = LaneOp::Input(self.inputs.len() as u8);
        let value = self.emit(input);
        self.limbs.insert(term, smallvec![value]);
    }

    /// Drops the lanes in which a term of one bit is false.
    pub(super) fn condition(&mut self, term: TermId) -> Result<(), CompileRefusal> {
        let a = self.limb(term, 0)?;
        self.ops.push(LaneOp::Assert { a });
        Ok(())
    }

    /// The operation that gives a term of at most 64 bits.
    pub(super) fn output(&mut self, term: TermId) -> Result<u32, CompileRefusal> {
        assert!(self.pool.width(term) <= 64, "an output is one word");
        self.limb(term, 0)
    }

    /// The operation that gives one limb of a term.
    pub(super) fn limb(&mut self, term: TermId, limb: usize) -> Result<u32, CompileRefusal> {
        self.translate(term)?;
        let value = self.limbs[&term][limb];
        Ok(self.op(value))
    }

    fn translate(&mut self, root: TermId) -> Result<(), CompileRefusal> {
        let pool = self.pool;
        let mut stack = vec![root];
        while let Some(&term) = stack.last() {
            if self.ops.len() > self.limits.ops_max || self.columns.len() > COLUMNS_MAX {
                return Err(CompileRefusal::TooDear);
            }
            if self.limits.budget.is_spent_at_step(&mut self.steps) {
                return Err(CompileRefusal::OutOfTime);
            }
            if self.limbs.contains_key(&term) {
                stack.pop();
                continue;
            }
            if let Some(limbs) = self.column(term) {
                self.limbs.insert(term, limbs);
                continue;
            }
            let waiting = stack.len();
            pool.for_each_operand(term, |operand| {
                if !self.limbs.contains_key(&operand) {
                    stack.push(operand);
                }
            });
            if stack.len() > waiting {
                // Deep operands first: what is computed before them has to be kept meanwhile.
                stack[waiting..].sort_by_key(|&operand| pool.tree_size(operand));
                continue;
            }
            stack.pop();
            let limbs = self.word(term);
            debug_assert_eq!(limbs.len(), limb_count(pool.width(term)));
            self.limbs.insert(term, limbs);
        }
        if self.ops.len() > self.limits.ops_max {
            return Err(CompileRefusal::TooDear);
        }
        Ok(())
    }

    /// Look-ups instead of a term that depends on one of several inputs only.
    fn column(&mut self, term: TermId) -> Option<TermLimbs> {
        let support = self.pool.support(term);
        if self.inputs.len() == 1 || support.len() != 1 {
            return None;
        }
        match self.pool.node(term) {
            TermNode::Var(_) => return None,
            TermNode::ZExt(inner) if matches!(self.pool.node(inner), TermNode::Var(_)) => {
                return None;
            }
            _ => {}
        }
        let var = support.iter().next()?;
        let input = self.input(var);
        let limbs = 0..limb_count(self.pool.width(term));
        Some(limbs.map(|limb| self.look_up(ColumnRequest { input, term, limb })).collect())
    }

    fn look_up(&mut self, request: ColumnRequest) -> LoweredValue {
        let column = self.columns.len() as u32;
        self.columns.push(request);
        self.emit(LaneOp::Column { input: request.input, column })
    }

    fn input(&self, var: VarId) -> u8 {
        let at = self.inputs.iter().position(|&input| input == var);
        at.expect("the inputs are all bytes of the terms") as u8
    }

    fn emit(&mut self, op: LaneOp) -> LoweredValue {
        self.ops.push(op);
        LoweredValue::Op(self.ops.len() as u32 - 1)
    }

    /// The operation of a value; a constant becomes one.
    fn op(&mut self, value: LoweredValue) -> u32 {
        match value {
            LoweredValue::Op(op) => op,
            LoweredValue::Imm(value) => {
                self.ops.push(LaneOp::Const(value));
                self.ops.len() as u32 - 1
            }
        }
    }

    fn binary(&mut self, op: BinOp, width: u32, a: LoweredValue, b: LoweredValue) -> LoweredValue {
        match (a, b) {
            (LoweredValue::Imm(a), LoweredValue::Imm(b)) => {
                LoweredValue::Imm(op.apply(width, a, b))
            }
            (LoweredValue::Imm(_), LoweredValue::Op(_)) if op.is_commutative() => {
                self.binary(op, width, b, a)
            }
            (LoweredValue::Op(a), LoweredValue::Imm(b)) => {
                use BinOp::{Add, And, LShr, Mul, Or, Shl, Sub, Xor};
                match op {
                    Add | Sub | Or | Xor | Shl | LShr if b == 0 => LoweredValue::Op(a),
                    And | Mul if b == 0 => ZERO,
                    And if b == mask(width) => LoweredValue::Op(a),
                    _ => self.emit(LaneOp::WithConst { op, width, a, b }),
                }
            }
            _ => {
                let (a, b) = (self.op(a), self.op(b));
                self.emit(LaneOp::Binary { op, width, a, b })
            }
        }
    }

    fn unary(&mut self, op: UnOp, width: u32, a: LoweredValue) -> LoweredValue {
        match a {
            LoweredValue::Imm(a) => LoweredValue::Imm(op.apply(width, a)),
            LoweredValue::Op(a) => self.emit(LaneOp::Unary { op, width, a }),
        }
    }

    fn ite(&mut self, cond: LoweredValue, then: LoweredValue, other: LoweredValue) -> LoweredValue {
        match cond {
            _ if then == other => then,
            LoweredValue::Imm(cond) => {
                if cond == 1 {
                    then
                } else {
                    other
                }
            }
            LoweredValue::Op(cond) => {
                let (then, other) = (self.op(then), self.op(other));
                self.emit(LaneOp::Ite { cond, then, other })
            }
        }
    }

    fn sign_extend(&mut self, a: LoweredValue, from: u32, to: u32) -> LoweredValue {
        match a {
            _ if from == to => a,
            LoweredValue::Imm(a) => {
                let unused = 64 - from;
                LoweredValue::Imm((((a << unused) as i64) >> unused) as u64 & mask(to))
            }
            LoweredValue::Op(a) => self.emit(LaneOp::SExt { a, from, to }),
        }
    }

    /// The limbs of a term whose operands have theirs.
    fn word(&mut self, term: TermId) -> TermLimbs {
        let pool = self.pool;
        let width = pool.width(term);
        match pool.node(term) {
            TermNode::Const(value) => {
                let mut limbs: TermLimbs = smallvec![ZERO; limb_count(width)];
                limbs[0] = LoweredValue::Imm(value);
                limbs
            }
            TermNode::BigConst(value) => {
                value.words().iter().map(|&word| LoweredValue::Imm(word)).collect()
            }
            TermNode::Var(var) => {
                let input = self.input(var);
                smallvec![self.emit(LaneOp::Input(input))]
            }
            TermNode::Unary(op, a) => self.unary_word(op, width, a),
            TermNode::Binary(op, a, b) => {
                let (left, right) = (self.limbs[&a].clone(), self.limbs[&b].clone());
                self.binary_word(op, pool.width(a), &left, &right)
            }
            TermNode::Ite(c, t, e) => {
                let cond = self.limbs[&c][0];
                let (then, other) = (self.limbs[&t].clone(), self.limbs[&e].clone());
                let pairs = then.into_iter().zip(other);
                pairs.map(|(then, other)| self.ite(cond, then, other)).collect()
            }
            TermNode::Concat(high, low) => {
                let low_width = pool.width(low);
                let (high, low) = (self.limbs[&high].clone(), self.limbs[&low].clone());
                self.concat(width, &high, &low, low_width)
            }
            TermNode::Extract { term, low } => {
                let from = self.limbs[&term].clone();
                let limbs = 0..limb_count(width);
                limbs
                    .map(|limb| self.bits(&from, low + 64 * limb as u32, limb_width(width, limb)))
                    .collect()
            }
            TermNode::ZExt(a) => {
                let mut limbs = self.limbs[&a].clone();
                limbs.resize(limb_count(width), ZERO);
                limbs
            }
            TermNode::SExt(a) => {
                let from = self.limbs[&a].clone();
                self.sign_extend_word(&from, pool.width(a), width)
            }
            TermNode::Float(op, a, b) => self.float(op, width, a, b),
            TermNode::Select(array, index) => {
                let at = self.limbs[&index][0];
                smallvec![self.select(array, at)]
            }
        }
    }

    fn unary_word(&mut self, op: UnOp, width: u32, a: TermId) -> TermLimbs {
        let a = self.limbs[&a].clone();
        match op {
            UnOp::Neg if a.len() > 1 => {
                let zero: TermLimbs = smallvec![ZERO; a.len()];
                self.difference(width, &zero, &a)
            }
            _ => {
                let limbs = a.into_iter().enumerate();
                limbs.map(|(limb, a)| self.unary(op, limb_width(width, limb), a)).collect()
            }
        }
    }

    /// Up to 64 bits of a word, from bit `low` upward; bits beyond its end are zero.
    fn bits(&mut self, from: &[LoweredValue], low: u32, width: u32) -> LoweredValue {
        let (limb, shift) = ((low / 64) as usize, low % 64);
        let first = match from.get(limb) {
            None => return ZERO,
            Some(LoweredValue::Imm(value)) => LoweredValue::Imm(value >> shift & mask(width)),
            Some(LoweredValue::Op(a)) if shift == 0 && width == 64 => LoweredValue::Op(*a),
            Some(LoweredValue::Op(a)) => self.emit(LaneOp::Extract { a: *a, low: shift, width }),
        };
        match from.get(limb + 1) {
            Some(&next) if shift + width > 64 => {
                let above =
                    self.binary(BinOp::Shl, 64, next, LoweredValue::Imm(64 - u64::from(shift)));
                let above = self.binary(BinOp::And, 64, above, LoweredValue::Imm(mask(width)));
                self.binary(BinOp::Or, 64, first, above)
            }
            _ => first,
        }
    }

    fn concat(
        &mut self,
        width: u32,
        high: &[LoweredValue],
        low: &[LoweredValue],
        low_width: u32,
    ) -> TermLimbs {
        if width <= 64
            && let ([LoweredValue::Op(high)], [LoweredValue::Op(low)]) = (high, low)
        {
            return smallvec![self.emit(LaneOp::Concat { high: *high, low: *low, low_width })];
        }
        let limb = |limb: usize| {
            let (from, len) = (64 * limb as u32, limb_width(width, limb));
            if from >= low_width {
                return self.bits(high, from - low_width, len);
            }
            let of_low = (low_width - from).min(len);
            let below = self.bits(low, from, of_low);
            if of_low == len {
                return below;
            }
            let above = self.bits(high, 0, len - of_low);
            let above = self.binary(BinOp::Shl, 64, above, LoweredValue::Imm(of_low.into()));
            self.binary(BinOp::Or, 64, above, below)
        };
        (0..limb_count(width)).map(limb).collect()
    }

    fn sign_extend_word(
        &mut self,
        from: &[LoweredValue],
        from_width: u32,
        width: u32,
    ) -> TermLimbs {
        let top = from.len() - 1;
        let top_width = limb_width(from_width, top);
        let mut limbs = TermLimbs::from_slice(&from[..top]);
        limbs.push(self.sign_extend(from[top], top_width, limb_width(width, top)));
        if limb_count(width) > from.len() {
            let sign =
                self.binary(BinOp::LShr, 64, from[top], LoweredValue::Imm((top_width - 1).into()));
            for limb in from.len()..limb_count(width) {
                limbs.push(self.sign_extend(sign, 1, limb_width(width, limb)));
            }
        }
        limbs
    }

    fn binary_word(
        &mut self,
        op: BinOp,
        width: u32,
        a: &[LoweredValue],
        b: &[LoweredValue],
    ) -> TermLimbs {
        if let ([a], [b]) = (a, b) {
            return smallvec![self.binary(op, width, *a, *b)];
        }
        match op {
            BinOp::And | BinOp::Or | BinOp::Xor => {
                a.iter().zip(b).map(|(&a, &b)| self.binary(op, 64, a, b)).collect()
            }
            BinOp::Add => self.sum(width, a, b),
            BinOp::Sub => self.difference(width, a, b),
            BinOp::Mul => self.product(width, a, b),
            BinOp::Eq => {
                let all = a.iter().zip(b).fold(LoweredValue::Imm(1), |all, (&a, &b)| {
                    let same = self.binary(BinOp::Eq, 64, a, b);
                    self.binary(BinOp::And, 1, all, same)
                });
                smallvec![all]
            }
            BinOp::Ult => smallvec![self.less(a, b)],
            BinOp::Slt => {
                let top = a.len() - 1;
                let sign = LoweredValue::Imm(1 << (limb_width(width, top) - 1));
                let (mut a, mut b) = (TermLimbs::from_slice(a), TermLimbs::from_slice(b));
                a[top] = self.binary(BinOp::Xor, 64, a[top], sign);
                b[top] = self.binary(BinOp::Xor, 64, b[top], sign);
                smallvec![self.less(&a, &b)]
            }
            BinOp::UDiv
            | BinOp::SDiv
            | BinOp::URem
            | BinOp::SRem
            | BinOp::Shl
            | BinOp::LShr
            | BinOp::AShr => self.wide(op, width, a, b),
        }
    }

    fn sum(&mut self, width: u32, a: &[LoweredValue], b: &[LoweredValue]) -> TermLimbs {
        // A sum that is less than its operand has wrapped around. At most one of the two additions of a
        // limb can, so the carry is one bit.
        let mut carry = ZERO;
        let mut limbs = TermLimbs::new();
        for (limb, (&a, &b)) in a.iter().zip(b).enumerate() {
            let width = limb_width(width, limb);
            let sum = self.binary(BinOp::Add, width, a, b);
            let total = self.binary(BinOp::Add, width, sum, carry);
            let first = self.binary(BinOp::Ult, 64, sum, a);
            let second = self.binary(BinOp::Ult, 64, total, sum);
            carry = self.binary(BinOp::Or, 64, first, second);
            limbs.push(total);
        }
        limbs
    }

    fn difference(&mut self, width: u32, a: &[LoweredValue], b: &[LoweredValue]) -> TermLimbs {
        let mut borrow = ZERO;
        let mut limbs = TermLimbs::new();
        for (limb, (&a, &b)) in a.iter().zip(b).enumerate() {
            let width = limb_width(width, limb);
            let difference = self.binary(BinOp::Sub, width, a, b);
            let total = self.binary(BinOp::Sub, width, difference, borrow);
            let first = self.binary(BinOp::Ult, 64, a, b);
            let second = self.binary(BinOp::Ult, 64, difference, borrow);
            borrow = self.binary(BinOp::Or, 64, first, second);
            limbs.push(total);
        }
        limbs
    }

    fn product(&mut self, width: u32, a: &[LoweredValue], b: &[LoweredValue]) -> TermLimbs {
        let count = a.len();
        let mut limbs: TermLimbs = smallvec![ZERO; count];
        for (i, &x) in a.iter().enumerate() {
            let mut carry = ZERO;
            // Products of higher limbs would lie beyond the width.
            for (j, &y) in b[..count - i].iter().enumerate() {
                let low = self.binary(BinOp::Mul, 64, x, y);
                let sum = self.binary(BinOp::Add, 64, limbs[i + j], low);
                let total = self.binary(BinOp::Add, 64, sum, carry);
                let first = self.binary(BinOp::Ult, 64, sum, low);
                let second = self.binary(BinOp::Ult, 64, total, carry);
                limbs[i + j] = total;
                if i + j + 1 < count {
                    let high = self.product_high(x, y);
                    let high = self.binary(BinOp::Add, 64, high, first);
                    carry = self.binary(BinOp::Add, 64, high, second);
                }
            }
        }
        let top = count - 1;
        limbs[top] = self.binary(
            BinOp::And,
            64,
            limbs[top],
            LoweredValue::Imm(mask(limb_width(width, top))),
        );
        limbs
    }

    fn product_high(&mut self, a: LoweredValue, b: LoweredValue) -> LoweredValue {
        match (a, b) {
            (LoweredValue::Imm(a), LoweredValue::Imm(b)) => {
                LoweredValue::Imm(((u128::from(a) * u128::from(b)) >> 64) as u64)
            }
            (ZERO, _) | (_, ZERO) => ZERO,
            _ => {
                let (a, b) = (self.op(a), self.op(b));
                self.emit(LaneOp::MulHigh { a, b })
            }
        }
    }

    /// Unsigned comparison: the highest limbs that differ decide.
    fn less(&mut self, a: &[LoweredValue], b: &[LoweredValue]) -> LoweredValue {
        a.iter().zip(b).fold(ZERO, |below, (&a, &b)| {
            let less = self.binary(BinOp::Ult, 64, a, b);
            let same = self.binary(BinOp::Eq, 64, a, b);
            let below = self.binary(BinOp::And, 1, same, below);
            self.binary(BinOp::Or, 1, less, below)
        })
    }

    fn wide(&mut self, op: BinOp, width: u32, a: &[LoweredValue], b: &[LoweredValue]) -> TermLimbs {
        let (a, b) = (self.wide_operand(width, a), self.wide_operand(width, b));
        self.wide_limbs(WideOp { op: WideOperator::Binary(op), width, limb: 0, a, b: Some(b) })
    }

    fn wide_operand(&mut self, width: u32, limbs: &[LoweredValue]) -> WideOperand {
        WideOperand { width, limbs: limbs.iter().map(|&limb| self.op(limb)).collect() }
    }

    /// All words of an operation's result.
    fn wide_limbs(&mut self, op: WideOp) -> TermLimbs {
        let limb = |limb: usize| {
            self.wides.push(WideOp { limb, ..op.clone() });
            self.emit(LaneOp::Wide(self.wides.len() as u32 - 1))
        };
        (0..limb_count(op.width)).map(limb).collect()
    }

    /// An operator on floating-point numbers.
    fn float(&mut self, op: FloatOp, width: u32, a: TermId, b: Option<TermId>) -> TermLimbs {
        let first = self.pool.width(a);
        let second = b.map(|b| (self.pool.width(b), self.limbs[&b].clone()));
        let a = self.limbs[&a].clone();
        let widest = second.as_ref().map_or(0, |&(width, _)| width).max(first).max(width);
        if widest <= 64 {
            let a = self.op(a[0]);
            let b = second.map_or(a, |(_, b)| self.op(b[0]));
            return smallvec![self.emit(LaneOp::Float { op, width, first, a, b })];
        }
        let a = self.wide_operand(first, &a);
        let b = second.map(|(width, b)| self.wide_operand(width, &b));
        self.wide_limbs(WideOp { op: WideOperator::Float(op), width, limb: 0, a, b })
    }

    /// A byte of an array: that of its table or symbol, unless a store has replaced it.
    fn select(&mut self, mut array: ArrayId, at: LoweredValue) -> LoweredValue {
        let mut stores: Vec<(TermId, TermId)> = Vec::new();
        let mut byte = loop {
            match self.pool.array_node(array) {
                ArrayNode::Store { array: below, index, value } => {
                    stores.push((index, value));
                    array = below;
                }
                ArrayNode::Const(bytes) => break self.table(bytes, at),
                ArrayNode::Symbol(symbol) => {
                    let mut byte = ZERO;
                    for index in 0..self.pool.symbol_size(symbol) {
                        let input = self.input(self.pool.symbol_var(symbol, index));
                        let here = self.binary(BinOp::Eq, 64, at, LoweredValue::Imm(index.into()));
                        let value = self.emit(LaneOp::Input(input));
                        byte = self.ite(here, value, byte);
                    }
                    break byte;
                }
            }
        };
        for (index, value) in stores.into_iter().rev() {
            let (index, value) = (self.limbs[&index][0], self.limbs[&value][0]);
            let here = self.binary(BinOp::Eq, 64, at, index);
            byte = self.ite(here, value, byte);
        }
        byte
    }

    fn table(&mut self, bytes: &'p [u8], at: LoweredValue) -> LoweredValue {
        match at {
            LoweredValue::Imm(at) => {
                let byte = usize::try_from(at).ok().and_then(|at| bytes.get(at));
                LoweredValue::Imm(byte.copied().unwrap_or(0).into())
            }
            LoweredValue::Op(_) if bytes.is_empty() => ZERO,
            LoweredValue::Op(at) => {
                self.tables.push(bytes);
                self.emit(LaneOp::Table { at, table: self.tables.len() as u32 - 1 })
            }
        }
    }
}

fn mask(width: u32) -> u64 {
    u64::MAX >> (64 - width)
}

fn limb_count(width: u32) -> usize {
    width.div_ceil(64) as usize
}

/// The bits of a limb of a term.
fn limb_width(width: u32, limb: usize) -> u32 {
    (width - 64 * limb as u32).min(64)
}
