//! Peeling: turning an equation around, operator by operator.
//!
//! [`Elimination::step`] is the table of inversions. Each row is an equivalence: the equation holds exactly
//! if the equations and conditions that replace it do.

use everett_base::Map;
use everett_expr::{ArrayNode, BinOp, BitVec, Pool, TermId, TermNode, UnOp, VarId};

use super::{Elimination, Piece, System};

/// Equations with more inputs than this are not solved for one of them.
const ISOLATED_INPUTS_MAX: usize = 32;

/// One operator taken off an equation.
pub(super) enum PeelStep {
    /// The left side is an input: it equals the right side.
    Solved(VarId),
    /// The equation is replaced by equations, and by conditions on the right side.
    Replaced { equations: Vec<(TermId, TermId)>, conditions: Vec<TermId> },
    /// The left side is a part of a term.
    Part { whole: TermId, low: u32 },
    /// No inversion applies.
    Stuck,
}

impl PeelStep {
    fn equation(left: TermId, right: TermId) -> PeelStep {
        PeelStep::Replaced { equations: vec![(left, right)], conditions: Vec::new() }
    }
}

impl Elimination<'_> {
    /// Peels all equations; returns the inputs that are solved, as terms without inputs.
    pub(super) fn peel_all(&self, system: &mut System) -> Map<VarId, TermId> {
        let mut solved: Map<VarId, TermId> = Map::default();
        let mut stuck = Vec::new();
        let mut work = std::mem::take(&mut system.equations);
        work.reverse();
        while let Some((a, b)) = work.pop() {
            self.pool.interrupt().check();
            let (left, right) = if self.is_given(a) { (b, a) } else { (a, b) };
            if self.is_given(left) || self.pool.width(left) == 1 && self.pool.is_const(right) {
                self.add_condition(system, self.pool.eq(left, right));
            } else if !self.is_given(right) {
                stuck.push((left, right));
            } else {
                match self.step(left, right, &|term| self.is_given(term)) {
                    PeelStep::Solved(input) => match solved.get(&input) {
                        Some(&value) => self.add_condition(system, self.pool.eq(value, right)),
                        None => {
                            solved.insert(input, right);
                        }
                    },
                    PeelStep::Replaced { equations, conditions } => {
                        work.extend(equations.into_iter().rev());
                        conditions.into_iter().for_each(|term| self.add_condition(system, term));
                    }
                    PeelStep::Part { whole, low } => {
                        system.pieces.push(Piece { whole, low, value: right });
                    }
                    PeelStep::Stuck => stuck.push((left, right)),
                }
            }
            // Conditions may have turned out to be equations.
            work.append(&mut system.equations);
        }
        system.equations = stuck;
        solved
    }

    /// Solves an equation of several inputs for one of them, in terms of the others.
    pub(super) fn isolate_any(&self, system: &mut System) -> Option<(VarId, TermId)> {
        for at in 0..system.equations.len() {
            let (a, b) = system.equations[at];
            let (in_a, in_b) = (self.inputs_of(a), self.inputs_of(b));
            if in_a.len() + in_b.len() > ISOLATED_INPUTS_MAX {
                continue;
            }
            let candidates = in_a.iter().map(|&input| (input, a, b));
            let candidates = candidates.chain(in_b.iter().map(|&input| (input, b, a)));
            for (input, left, right) in candidates {
                if let Some((value, rest)) = self.isolate(input, left, right) {
                    system.equations.swap_remove(at);
                    for (left, right) in rest.equations {
                        system.equations.push((left, right));
                    }
                    rest.conditions.into_iter().for_each(|term| self.add_condition(system, term));
                    return Some((input, value));
                }
            }
        }
        None
    }

    /// Solves `left = right` for an input; the system that is returned holds what else has to hold.
    fn isolate(&self, input: VarId, left: TermId, right: TermId) -> Option<(TermId, System)> {
        let has_input = |term| self.pool.support(term).contains(input);
        let (mut left, mut right) = (left, right);
        let mut rest = System::default();
        loop {
            if has_input(right) {
                return None;
            }
            match self.step(left, right, &|term| !has_input(term)) {
                PeelStep::Solved(_) => return Some((right, rest)),
                PeelStep::Replaced { equations, conditions } => {
                    let (mut with, without): (Vec<_>, Vec<_>) =
                        equations.into_iter().partition(|&(left, _)| has_input(left));
                    let (Some(next), true) = (with.pop(), with.is_empty()) else { return None };
                    (left, right) = next;
                    rest.equations.extend(without);
                    rest.conditions.extend(conditions);
                }
                PeelStep::Part { .. } | PeelStep::Stuck => return None,
            }
        }
    }

    /// Takes one operator off `left = right`. Terms that `movable` allows may change sides.
    pub(super) fn step(
        &self,
        left: TermId,
        right: TermId,
        movable: &dyn Fn(TermId) -> bool,
    ) -> PeelStep {
        let pool = self.pool;
        let width = pool.width(left);
        match pool.node(left) {
            TermNode::Var(input) => PeelStep::Solved(input),
            TermNode::Unary(UnOp::Not, a) => PeelStep::equation(a, pool.not(right)),
            TermNode::Unary(UnOp::Neg, a) => PeelStep::equation(a, pool.neg(right)),
            TermNode::Binary(op, a, b) => self.binary_step(op, (a, b), right, movable),
            TermNode::Concat(high, low) => {
                let seam = pool.width(low);
                let above = (high, pool.extract(right, seam, width - seam));
                let below = (low, pool.extract(right, 0, seam));
                PeelStep::Replaced { equations: vec![above, below], conditions: Vec::new() }
            }
            TermNode::ZExt(a) | TermNode::SExt(a) => {
                let low = pool.extract(right, 0, pool.width(a));
                let extended = match pool.node(left) {
                    TermNode::SExt(_) => pool.sext(low, width),
                    _ => pool.zext(low, width),
                };
                let conditions = vec![pool.eq(extended, right)];
                PeelStep::Replaced { equations: vec![(a, low)], conditions }
            }
            TermNode::Extract { term: whole, low } => match low_bits(pool, whole, width) {
                Some(cut) if low == 0 && cut != left => PeelStep::equation(cut, right),
                _ => PeelStep::Part { whole, low },
            },
            TermNode::Ite(c, t, e) if pool.is_const(t) && pool.is_const(e) => {
                let (is_then, is_else) = (pool.eq(right, t), pool.eq(right, e));
                let conditions = vec![pool.or(is_then, is_else)];
                PeelStep::Replaced { equations: vec![(c, is_then)], conditions }
            }
            TermNode::Select(array, index) => match pool.array_node(array) {
                ArrayNode::Const(table) => self.table_step(left, table, index, right),
                ArrayNode::Symbol(_) | ArrayNode::Store { .. } => PeelStep::Stuck,
            },
            TermNode::Const(_)
            | TermNode::BigConst(_)
            | TermNode::Ite(..)
            | TermNode::Float(..) => PeelStep::Stuck,
        }
    }

    fn binary_step(
        &self,
        op: BinOp,
        (a, b): (TermId, TermId),
        right: TermId,
        movable: &dyn Fn(TermId) -> bool,
    ) -> PeelStep {
        let pool = self.pool;
        let (stays, moves) = match (movable(a), movable(b)) {
            (_, true) => (a, b),
            (true, false) => (b, a),
            (false, false) => return PeelStep::Stuck,
        };
        match op {
            BinOp::Xor => PeelStep::equation(stays, pool.xor(right, moves)),
            BinOp::Add => PeelStep::equation(stays, pool.sub(right, moves)),
            BinOp::Sub if stays == a => PeelStep::equation(a, pool.add(right, b)),
            BinOp::Sub => PeelStep::equation(b, pool.sub(a, right)),
            BinOp::Mul => pool
                .as_bitvec(moves)
                .map_or(PeelStep::Stuck, |factor| self.product_step(stays, &factor, right)),
            BinOp::And | BinOp::Or => pool
                .as_bitvec(moves)
                .map_or(PeelStep::Stuck, |mask| self.mask_step(op, stays, &mask, right)),
            _ => PeelStep::Stuck,
        }
    }

    /// `a * (odd * 2^k) = r`: the low `k` bits of `r` are 0, and the rest is multiplied by the inverse of
    /// the odd factor, which exists modulo every power of 2. The `k` highest bits of `a` are lost.
    fn product_step(&self, a: TermId, factor: &BitVec, right: TermId) -> PeelStep {
        let pool = self.pool;
        let (width, zeros) = (factor.width(), factor.trailing_zeros());
        if width > 64 || zeros == width {
            return PeelStep::Stuck;
        }
        let odd = factor.low_u64() >> zeros;
        let kept = width - zeros;
        let quotient = pool.extract(right, zeros, kept);
        let inverse = pool.constant(kept, inverse_of_odd(odd));
        let equation = (pool.extract(a, 0, kept), pool.mul(quotient, inverse));
        let mut conditions = Vec::new();
        if zeros > 0 {
            conditions.push(pool.eq(pool.extract(right, 0, zeros), pool.constant(zeros, 0)));
        }
        PeelStep::Replaced { equations: vec![equation], conditions }
    }

    /// `a & mask = r` and `a | mask = r`: the bits that the mask lets through are known, and the others
    /// of `r` have one value.
    fn mask_step(&self, op: BinOp, a: TermId, mask: &BitVec, right: TermId) -> PeelStep {
        let pool = self.pool;
        let passes = |bit: u32| mask.bit(bit) == (op == BinOp::And);
        let width = mask.width();
        let (mut equations, mut conditions) = (Vec::new(), Vec::new());
        let mut low = 0;
        while low < width {
            let length = (low..width).take_while(|&bit| passes(bit) == passes(low)).count() as u32;
            let value = pool.extract(right, low, length);
            if passes(low) {
                equations.push((pool.extract(a, low, length), value));
            } else {
                let fixed = pool.big_constant(&mask.extract(low, length));
                conditions.push(pool.eq(value, fixed));
            }
            low += length;
        }
        PeelStep::Replaced { equations, conditions }
    }

    /// `table[index] = r` with an index of at most eight bits, all of whose entries differ: such tables
    /// write digits.
    fn table_step(&self, left: TermId, table: &[u8], index: TermId, right: TermId) -> PeelStep {
        let pool = self.pool;
        let TermNode::ZExt(narrow) = pool.node(index) else { return PeelStep::Stuck };
        let bits = pool.width(narrow);
        if bits > 8 || table.len() < 1 << bits {
            return PeelStep::Stuck;
        }
        let mut inverse = [None; 256];
        for (at, &entry) in table.iter().enumerate().take(1 << bits) {
            if inverse[usize::from(entry)].replace(at as u8).is_some() {
                return PeelStep::Stuck;
            }
        }
        let inverse: Vec<u8> = inverse.iter().map(|at| at.unwrap_or(0)).collect();
        let found = pool.select(pool.const_array(&inverse), pool.zext(right, 64));
        let found = pool.extract(found, 0, bits);
        let TermNode::Select(array, _) = pool.node(left) else { return PeelStep::Stuck };
        let conditions = vec![pool.eq(pool.select(array, pool.zext(found, 64)), right)];
        PeelStep::Replaced { equations: vec![(narrow, found)], conditions }
    }
}

/// The low bits of a sum, a difference, a product or a negation, made of the low bits of its operands.
pub(super) fn low_bits(pool: &Pool, term: TermId, width: u32) -> Option<TermId> {
    let cut = |term| pool.extract(term, 0, width);
    match pool.node(term) {
        TermNode::Binary(op @ (BinOp::Add | BinOp::Sub | BinOp::Mul), a, b) => {
            Some(pool.binary(op, cut(a), cut(b)))
        }
        TermNode::Unary(UnOp::Neg, a) => Some(pool.neg(cut(a))),
        _ => None,
    }
}

/// The inverse of an odd number modulo 2^64, by Newton's iteration: each round doubles the number of bits
/// that are right, and every odd number is its own inverse modulo 8.
fn inverse_of_odd(odd: u64) -> u64 {
    let mut inverse = odd;
    for _ in 0..5 {
        inverse = inverse.wrapping_mul(2u64.wrapping_sub(odd.wrapping_mul(inverse)));
    }
    inverse
}

#[cfg(test)]
mod tests {
    use super::inverse_of_odd;

    #[test]
    fn odd_numbers_have_inverses() {
        for odd in [1, 3, 5, 31, 255, 0x1_0000_0001, u64::MAX, 0xdead_beef_0000_0007] {
            assert_eq!(inverse_of_odd(odd).wrapping_mul(odd), 1);
        }
    }
}
