//! Terms to Boolector's nodes.
//!
//! Constant tables become balanced multiplexer trees, never chains of stores. Reads through stores
//! at symbolic indices become comparisons over such a tree.
//!
//! Invariant: a node has the width of its term, so no call mixes widths.

use std::sync::Arc;

use ::boolector::{BV, Btor};
use everett_base::Map;
use everett_expr::{ArrayId, ArrayNode, BinOp, BitVec, Pool, TermId, TermNode, UnOp, VarId};

use crate::budget::QueryBudget;

type BtorTerm = BV<Arc<Btor>>;

/// The nodes of one query.
pub(super) struct BtorTranslator {
    btor: Arc<Btor>,
    terms: Map<TermId, BtorTerm>,
    inputs: Map<VarId, BtorTerm>,
}

impl BtorTranslator {
    pub(super) fn new(btor: Arc<Btor>) -> BtorTranslator {
        BtorTranslator { btor, terms: Map::default(), inputs: Map::default() }
    }

    /// Asserts a term of width 1; `None` if the budget was used up first.
    pub(super) fn assert(&mut self, pool: &Pool, term: TermId, budget: &QueryBudget) -> Option<()> {
        assert_eq!(pool.width(term), 1, "an assertion has width 1");
        self.translate(pool, term, budget)?;
        self.terms[&term].assert();
        Some(())
    }

    /// The value of a byte after a satisfiable check; a byte that was simplified away is zero.
    pub(super) fn solution(&self, var: VarId) -> u8 {
        let Some(bits) = self.inputs.get(&var) else { return 0 };
        // Boolector writes `x` for a bit that does not matter.
        let text = bits.get_a_solution();
        text.as_01x_str().chars().fold(0, |value, bit| value << 1 | u8::from(bit == '1'))
    }

    fn translate(&mut self, pool: &Pool, root: TermId, budget: &QueryBudget) -> Option<()> {
        let mut steps = 0;
        let mut stack = vec![root];
        while let Some(&term) = stack.last() {
            if budget.is_spent_at_step(&mut steps) {
                return None;
            }
            if self.terms.contains_key(&term) {
                stack.pop();
                continue;
            }
            let waiting = stack.len();
            pool.for_each_circuit_operand(term, |operand| {
                if !self.terms.contains_key(&operand) {
                    stack.push(operand);
                }
            });
            if stack.len() > waiting {
                continue;
            }
            stack.pop();
            let node = self.node(pool, term);
            debug_assert_eq!(node.get_width(), pool.width(term));
            self.terms.insert(term, node);
        }
        Some(())
    }

    /// The node of a term whose operands have theirs.
    fn node(&mut self, pool: &Pool, term: TermId) -> BtorTerm {
        let width = pool.width(term);
        let more = |operand: TermId| width - pool.width(operand);
        match pool.node(term) {
            TermNode::Const(value) => BV::from_u64(self.btor.clone(), value, width),
            TermNode::BigConst(value) => self.wide_constant(value),
            TermNode::Var(var) => self.input(var),
            TermNode::Unary(UnOp::Not, a) => self.terms[&a].not(),
            TermNode::Unary(UnOp::Neg, a) => self.terms[&a].neg(),
            TermNode::Binary(op, a, b) => binary(op, &self.terms[&a], &self.terms[&b]),
            TermNode::Ite(c, t, e) => self.terms[&c].cond_bv(&self.terms[&t], &self.terms[&e]),
            TermNode::Concat(high, low) => self.terms[&high].concat(&self.terms[&low]),
            TermNode::Extract { term, low } => self.terms[&term].slice(low + width - 1, low),
            TermNode::ZExt(a) => self.terms[&a].uext(more(a)),
            TermNode::SExt(a) => self.terms[&a].sext(more(a)),
            TermNode::Float(..) => self.terms[&pool.float_circuit(term)].clone(),
            TermNode::Select(array, index) => self.select(pool, array, index),
        }
    }

    fn wide_constant(&self, value: &BitVec) -> BtorTerm {
        let digits: String =
            (0..value.width()).rev().map(|bit| if value.bit(bit) { '1' } else { '0' }).collect();
        BV::from_binary_str(self.btor.clone(), &digits)
    }

    fn input(&mut self, var: VarId) -> BtorTerm {
        let btor = &self.btor;
        self.inputs.entry(var).or_insert_with(|| BV::new(btor.clone(), 8, None)).clone()
    }

    fn select(&mut self, pool: &Pool, array: ArrayId, index: TermId) -> BtorTerm {
        let mut stores = Vec::new();
        let mut base = array;
        while let ArrayNode::Store { array: below, index: at, value } = pool.array_node(base) {
            stores.push((at, value));
            base = below;
        }
        let index_bits = self.terms[&index].clone();
        let mut byte = self.base_read(pool, base, index, &index_bits);
        for (at, value) in stores.into_iter().rev() {
            let hit = index_bits._eq(&self.terms[&at]);
            byte = hit.cond_bv(&self.terms[&value], &byte);
        }
        byte
    }

    fn base_read(
        &mut self,
        pool: &Pool,
        array: ArrayId,
        index: TermId,
        bits: &BtorTerm,
    ) -> BtorTerm {
        let mut leaves: Vec<BtorTerm> = match pool.array_node(array) {
            ArrayNode::Const(bytes) => bytes.iter().map(|&byte| self.byte(byte)).collect(),
            ArrayNode::Symbol(symbol) => (0..pool.symbol_size(symbol))
                .map(|at| self.input(pool.symbol_var(symbol, at)))
                .collect(),
            ArrayNode::Store { .. } => unreachable!("stores were walked off"),
        };
        let most = pool.range(index).map_or(u64::MAX, |range| range.umax);
        leaves.truncate(usize::try_from(most).unwrap_or(usize::MAX).saturating_add(1));
        let levels = usize::BITS - leaves.len().saturating_sub(1).leading_zeros();
        let selectors: Vec<BtorTerm> = (0..levels).map(|bit| bits.slice(bit, bit)).collect();
        let byte = self.tree(&leaves, &selectors);
        if most >> levels == 0 {
            return byte;
        }
        let zero = BV::zero(self.btor.clone(), 64 - levels);
        let inside = bits.slice(63, levels)._eq(&zero);
        inside.cond_bv(&byte, &self.byte(0))
    }

    /// Chooses among the leaves by the index bits, highest last; absent leaves are zero. The
    /// recursion is as deep as there are bits.
    fn tree(&self, leaves: &[BtorTerm], selectors: &[BtorTerm]) -> BtorTerm {
        let (Some((top, rest)), false) = (selectors.split_last(), leaves.is_empty()) else {
            return leaves.first().cloned().unwrap_or_else(|| self.byte(0));
        };
        let (low, high) = leaves.split_at(leaves.len().min(1 << rest.len()));
        top.cond_bv(&self.tree(high, rest), &self.tree(low, rest))
    }

    fn byte(&self, value: u8) -> BtorTerm {
        BV::from_u64(self.btor.clone(), u64::from(value), 8)
    }
}

fn binary(op: BinOp, a: &BtorTerm, b: &BtorTerm) -> BtorTerm {
    match op {
        BinOp::And => a.and(b),
        BinOp::Or => a.or(b),
        BinOp::Xor => a.xor(b),
        BinOp::Add => a.add(b),
        BinOp::Sub => a.sub(b),
        BinOp::Mul => a.mul(b),
        BinOp::UDiv => a.udiv(b),
        BinOp::SDiv => a.sdiv(b),
        BinOp::URem => a.urem(b),
        BinOp::SRem => a.srem(b),
        BinOp::Shl => a.sll(b),
        BinOp::LShr => a.srl(b),
        BinOp::AShr => a.sra(b),
        BinOp::Eq => a._eq(b),
        BinOp::Ult => a.ult(b),
        BinOp::Slt => a.slt(b),
    }
}
