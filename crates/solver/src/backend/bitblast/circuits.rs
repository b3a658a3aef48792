//! Terms to circuits.
//!
//! A [`TermCircuits`] turns each term once into the word of literals that computes it, and remembers it:
//! what a path's queries have in common is translated once. Selects from arrays become
//! multiplexers, see `memory.rs`.
//!
//! Invariant: a term's word has as many literals as the term has bits.

use everett_base::Map;
use everett_expr::{BinOp, Pool, TermId, TermNode, UnOp, VarId};

use super::gates::{GateGraph, Lit};
use super::words::{LitWord, constant};
use crate::budget::QueryBudget;

/// The circuits of all terms seen so far.
pub(crate) struct TermCircuits {
    pub(crate) gates: GateGraph,
    /// The words of all terms, one after the other.
    lits: Vec<Lit>,
    /// The index at which a term's word starts; its length is the term's width.
    starts: Map<TermId, u32>,
    inputs: Map<VarId, [Lit; 8]>,
}

impl TermCircuits {
    pub(crate) fn new() -> TermCircuits {
        TermCircuits {
            gates: GateGraph::new(),
            lits: Vec::new(),
            starts: Map::default(),
            inputs: Map::default(),
        }
    }

    /// The bits of a symbolic byte, if some term mentioned it.
    pub(crate) fn input(&self, var: VarId) -> Option<[Lit; 8]> {
        self.inputs.get(&var).copied()
    }

    /// Returns the number of literals and gates that are held, as a measure of memory.
    pub(crate) fn size(&self) -> usize {
        self.lits.len() + self.gates.len()
    }

    /// The literal of a term of width 1; `None` if the budget was used up first.
    pub(crate) fn truth(&mut self, pool: &Pool, term: TermId, budget: &QueryBudget) -> Option<Lit> {
        assert_eq!(pool.width(term), 1, "an assertion has width 1");
        self.translate(pool, term, budget)?;
        Some(self.word(pool, term)[0])
    }

    /// The word of a term that was translated.
    pub(super) fn word(&self, pool: &Pool, term: TermId) -> &[Lit] {
        let start = self.starts[&term] as usize;
        &self.lits[start..start + pool.width(term) as usize]
    }

    fn owned(&self, pool: &Pool, term: TermId) -> LitWord {
        self.word(pool, term).to_vec()
    }

    pub(super) fn input_bits(&mut self, var: VarId) -> [Lit; 8] {
        let gates = &mut self.gates;
        *self.inputs.entry(var).or_insert_with(|| std::array::from_fn(|_| gates.input()))
    }

    /// Translates a term after its operands. What is translated already stays if the budget is used up.
    pub(super) fn translate(
        &mut self,
        pool: &Pool,
        root: TermId,
        budget: &QueryBudget,
    ) -> Option<()> {
        let mut steps = 0;
        let mut stack = vec![root];
        while let Some(&term) = stack.last() {
            if budget.is_spent_at_step(&mut steps) {
                return None;
            }
            if self.starts.contains_key(&term) {
                stack.pop();
                continue;
            }
            let waiting = stack.len();
            pool.for_each_circuit_operand(term, |operand| {
                if !self.starts.contains_key(&operand) {
                    stack.push(operand);
                }
            });
            if stack.len() > waiting {
                continue;
            }
            stack.pop();
            let word = self.circuit(pool, term);
            debug_assert_eq!(word.len(), pool.width(term) as usize);
            let start = u32::try_from(self.lits.len()).expect("the circuits is reset before 2^32");
            self.lits.extend(word);
            self.starts.insert(term, start);
        }
        Some(())
    }

    /// The word of a term whose operands have theirs.
    fn circuit(&mut self, pool: &Pool, term: TermId) -> LitWord {
        let width = pool.width(term);
        match pool.node(term) {
            TermNode::Const(value) => constant(width, |bit| value >> bit & 1 != 0),
            TermNode::BigConst(value) => constant(width, |bit| value.bit(bit)),
            TermNode::Var(var) => self.input_bits(var).to_vec(),
            TermNode::Unary(op, a) => {
                let a = self.owned(pool, a);
                match op {
                    UnOp::Not => self.gates.not_word(&a),
                    UnOp::Neg => self.gates.neg_word(&a),
                }
            }
            TermNode::Binary(op, a, b) => {
                let (a, b) = (self.owned(pool, a), self.owned(pool, b));
                binary(&mut self.gates, op, &a, &b)
            }
            TermNode::Ite(c, t, e) => {
                let select = self.word(pool, c)[0];
                let (t, e) = (self.owned(pool, t), self.owned(pool, e));
                self.gates.mux_word(select, &t, &e)
            }
            TermNode::Concat(high, low) => {
                let mut word = self.owned(pool, low);
                word.extend_from_slice(self.word(pool, high));
                word
            }
            TermNode::Extract { term, low } => {
                self.word(pool, term)[low as usize..(low + width) as usize].to_vec()
            }
            TermNode::ZExt(a) => extended(self.owned(pool, a), width, |_| Lit::FALSE),
            TermNode::SExt(a) => extended(self.owned(pool, a), width, |sign| sign),
            TermNode::Float(..) => self.owned(pool, pool.float_circuit(term)),
            TermNode::Select(array, index) => self.select(pool, array, index).to_vec(),
        }
    }
}

fn extended(mut word: LitWord, width: u32, fill: impl Fn(Lit) -> Lit) -> LitWord {
    let sign = word.last().copied().unwrap_or(Lit::FALSE);
    word.resize(width as usize, fill(sign));
    word
}

pub(super) fn binary(gates: &mut GateGraph, op: BinOp, a: &[Lit], b: &[Lit]) -> LitWord {
    let sign = a.last().copied().unwrap_or(Lit::FALSE);
    match op {
        BinOp::And => gates.map2(a, b, GateGraph::and),
        BinOp::Or => gates.map2(a, b, GateGraph::or),
        BinOp::Xor => gates.map2(a, b, GateGraph::xor),
        BinOp::Add => gates.add_word(a, b, Lit::FALSE),
        BinOp::Sub => gates.sub_word(a, b),
        BinOp::Mul => gates.mul_word(a, b),
        BinOp::UDiv => gates.divide_word(a, b).0,
        BinOp::URem => gates.divide_word(a, b).1,
        BinOp::SDiv => gates.divide_signed_word(a, b).0,
        BinOp::SRem => gates.divide_signed_word(a, b).1,
        BinOp::Shl => gates.shift_word(a, b, true, Lit::FALSE),
        BinOp::LShr => gates.shift_word(a, b, false, Lit::FALSE),
        BinOp::AShr => gates.shift_word(a, b, false, sign),
        BinOp::Eq => vec![gates.eq_word(a, b)],
        BinOp::Ult => vec![gates.less_word(a, b, false)],
        BinOp::Slt => vec![gates.less_signed_word(a, b, false)],
    }
}
