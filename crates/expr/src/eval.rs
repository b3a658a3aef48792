//! Evaluation: the value of a term once every symbolic byte has one.
//!
//! Small terms are evaluated by plain recursion, whose depth their size bounds; no memory is allocated. The
//! large part of a large term is walked with an explicit stack, and each shared term is evaluated once.

use everett_base::hash::Map;

use crate::id::{ArrayId, TermId, VarId};
use crate::node::{StoredNode, TermNode, tag, tag_binary};
use crate::op::{UnOp, mask, sign_extend};
use crate::pool::array::ArrayNode;
use crate::{BitVec, Pool};

/// A value for every symbolic byte.
pub trait Assignment {
    /// The value of one byte.
    fn byte(&self, var: VarId) -> u8;
}

impl<F: Fn(VarId) -> u8> Assignment for F {
    fn byte(&self, var: VarId) -> u8 {
        self(var)
    }
}

/// Trees below this size are evaluated by recursion, anew at each occurrence.
const SMALL: u32 = 48;

impl Pool {
    /// The value of a term.
    pub fn eval(&self, term: TermId, assignment: &dyn Assignment) -> BitVec {
        TermEvaluator::new(self, assignment).eval(term)
    }

    /// The value of a term of at most 64 bits.
    ///
    /// # Panics
    /// When the term is wider.
    pub fn eval_u64(&self, term: TermId, assignment: &(impl Assignment + ?Sized)) -> u64 {
        TermEvaluator::new(self, assignment).eval_u64(term)
    }

    /// The value of a width-1 term as a truth value.
    pub fn eval_bool(&self, term: TermId, assignment: &(impl Assignment + ?Sized)) -> bool {
        self.eval_u64(term, assignment) == 1
    }
}

/// Evaluates several terms under one assignment, remembering the values of large shared terms.
pub struct TermEvaluator<'a, A: Assignment + ?Sized> {
    pool: &'a Pool,
    assignment: &'a A,
    narrow: Map<TermId, u64>,
    wide: Map<TermId, BitVec>,
}

impl<'a, A: Assignment + ?Sized> TermEvaluator<'a, A> {
    /// An evaluator that remembers nothing yet.
    pub fn new(pool: &'a Pool, assignment: &'a A) -> Self {
        TermEvaluator { pool, assignment, narrow: Map::default(), wide: Map::default() }
    }

    /// The value of a term.
    pub fn eval(&mut self, term: TermId) -> BitVec {
        let width = self.pool.width(term);
        if width <= 64 {
            return BitVec::from_u64(width, self.eval_u64(term));
        }
        self.prepare(term);
        self.wide(term)
    }

    /// The value of a term of at most 64 bits.
    pub fn eval_u64(&mut self, term: TermId) -> u64 {
        assert!(
            self.pool.width(term) <= 64,
            "eval_u64 of a term of {} bits",
            self.pool.width(term)
        );
        self.prepare(term);
        self.narrow(term)
    }

    /// Evaluates the large terms below and including `term`, operands first.
    fn prepare(&mut self, term: TermId) {
        if self.is_ready(term) {
            return;
        }
        let mut stack = vec![(term, false)];
        while let Some((top, operands_ready)) = stack.pop() {
            self.pool.interrupt().check();
            if operands_ready {
                self.remember(top);
            } else if !self.is_ready(top) {
                stack.push((top, true));
                self.pool.for_each_operand(top, |operand| {
                    if self.pool.stored(operand).tree_size() >= SMALL {
                        stack.push((operand, false));
                    }
                });
            }
        }
    }

    fn is_ready(&self, term: TermId) -> bool {
        let node = self.pool.stored(term);
        match (node.tree_size() < SMALL, node.width() <= 64) {
            (true, _) => true,
            (_, true) => self.narrow.contains_key(&term),
            (_, false) => self.wide.contains_key(&term),
        }
    }

    fn remember(&mut self, term: TermId) {
        if self.pool.width(term) <= 64 {
            let value = self.compute_narrow(self.pool.stored(term));
            self.narrow.insert(term, value);
        } else {
            let value = self.compute_wide(term);
            self.wide.insert(term, value);
        }
    }

    /// The value of a ready term of at most 64 bits.
    fn narrow(&self, term: TermId) -> u64 {
        self.narrow_at(term, self.pool.stored(term))
    }

    fn narrow_at(&self, term: TermId, node: &StoredNode) -> u64 {
        if node.tree_size() < SMALL { self.compute_narrow(node) } else { self.narrow[&term] }
    }

    /// The value of a ready term of more than 64 bits.
    fn wide(&self, term: TermId) -> BitVec {
        if self.pool.stored(term).tree_size() < SMALL {
            return self.compute_wide(term);
        }
        self.wide[&term].clone()
    }

    fn any_width(&self, term: TermId) -> BitVec {
        let width = self.pool.width(term);
        if width <= 64 { BitVec::from_u64(width, self.narrow(term)) } else { self.wide(term) }
    }

    /// Works on the stored form, and fetches each operand once: this is the hot path.
    fn compute_narrow(&self, node: &StoredNode) -> u64 {
        let operand = |at: usize| {
            let term = node.term(at);
            (term, self.pool.stored(term))
        };
        let width = node.width();
        match node.tag() {
            tag::CONST => node.word(),
            tag::VAR => u64::from(self.assignment.byte(VarId(node.args[0]))),
            tag::NOT => UnOp::Not.apply(width, self.narrow(node.term(0))),
            tag::NEG => UnOp::Neg.apply(width, self.narrow(node.term(0))),
            tag::ITE => self.narrow(node.term(if self.narrow(node.term(0)) == 1 { 1 } else { 2 })),
            tag::CONCAT => {
                let (low, below) = operand(1);
                self.narrow(node.term(0)) << below.width() | self.narrow_at(low, below)
            }
            tag::EXTRACT => {
                let ((term, inner), low) = (operand(0), node.args[1]);
                if inner.width() > 64 {
                    return self.wide(term).extract(low, width).low_u64();
                }
                self.narrow_at(term, inner) >> low & mask(width)
            }
            tag::ZEXT => self.narrow(node.term(0)),
            tag::SEXT => {
                let (term, inner) = operand(0);
                sign_extend(inner.width(), self.narrow_at(term, inner)) as u64 & mask(width)
            }
            tag::SELECT => u64::from(self.select(ArrayId(node.args[0]), self.narrow(node.term(1)))),
            tag::BIG => unreachable!("a big constant is wide"),
            tag::FLOAT => self.float(node),
            binary => {
                let op = tag_binary(binary);
                let ((a, left), (b, right)) = (operand(0), operand(1));
                if left.width() > 64 {
                    return op.apply_wide(&self.wide(a), &self.wide(b)).low_u64();
                }
                op.apply(left.width(), self.narrow_at(a, left), self.narrow_at(b, right))
            }
        }
    }

    fn compute_wide(&self, term: TermId) -> BitVec {
        let width = self.pool.width(term);
        match self.pool.node(term) {
            TermNode::Const(value) => BitVec::from_u64(width, value),
            TermNode::BigConst(value) => value.clone(),
            TermNode::Unary(op, a) => op.apply_wide(&self.wide(a)),
            TermNode::Binary(op, a, b) => op.apply_wide(&self.wide(a), &self.wide(b)),
            TermNode::Ite(c, t, e) => self.wide(if self.narrow(c) == 1 { t } else { e }),
            TermNode::Concat(high, low) => self.any_width(high).concat(&self.any_width(low)),
            TermNode::Extract { term, low } => self.wide(term).extract(low, width),
            TermNode::ZExt(a) => self.any_width(a).zext(width),
            TermNode::SExt(a) => self.any_width(a).sext(width),
            TermNode::Float(op, a, b) => {
                let b = b.map(|b| self.any_width(b));
                op.apply_wide(width, &self.any_width(a), b.as_ref())
            }
            TermNode::Var(_) | TermNode::Select(..) => unreachable!("bytes are narrow"),
        }
    }

    /// The value, of at most 64 bits, of an operator on numbers of any width.
    fn float(&self, node: &StoredNode) -> u64 {
        let (op, a, b) = node.float();
        let first = self.pool.width(a);
        if first > 64 || b.is_some_and(|b| self.pool.width(b) > 64) {
            let b = b.map(|b| self.any_width(b));
            return op.apply_wide(node.width(), &self.any_width(a), b.as_ref()).low_u64();
        }
        let b = b.map_or(0, |b| self.narrow(b));
        op.apply(node.width(), first, self.narrow(a), b)
    }

    fn select(&self, mut array: ArrayId, at: u64) -> u8 {
        loop {
            match self.pool.array_node(array) {
                ArrayNode::Store { index, value, .. } if self.narrow(index) == at => {
                    return self.narrow(value) as u8;
                }
                ArrayNode::Store { array: below, .. } => {
                    self.pool.interrupt().check();
                    array = below;
                }
                ArrayNode::Const(bytes) => {
                    return usize::try_from(at)
                        .ok()
                        .and_then(|at| bytes.get(at))
                        .copied()
                        .unwrap_or(0);
                }
                ArrayNode::Symbol(symbol) => {
                    let inside = at < u64::from(self.pool.symbol_size(symbol));
                    let byte = |at| self.assignment.byte(self.pool.symbol_var(symbol, at));
                    return if inside { byte(at as u32) } else { 0 };
                }
            }
        }
    }
}

impl Pool {
    /// Calls `f` with every term that the node is directly made of where operators on numbers are spelled out
    /// (see [`Pool::float_circuit`]).
    pub fn for_each_circuit_operand(&self, term: TermId, mut f: impl FnMut(TermId)) {
        match self.node(term) {
            TermNode::Float(..) => f(self.float_circuit(term)),
            _ => self.for_each_operand(term, f),
        }
    }

    /// Calls `f` with every term that the node is directly made of; for a `select` that includes the
    /// indices and values of all the stores.
    pub fn for_each_operand(&self, term: TermId, mut f: impl FnMut(TermId)) {
        match self.node(term) {
            TermNode::Const(_) | TermNode::BigConst(_) | TermNode::Var(_) => {}
            TermNode::Unary(_, a)
            | TermNode::Extract { term: a, .. }
            | TermNode::ZExt(a)
            | TermNode::SExt(a) => f(a),
            TermNode::Binary(_, a, b) | TermNode::Concat(a, b) => {
                f(a);
                f(b);
            }
            TermNode::Float(_, a, b) => {
                f(a);
                b.into_iter().for_each(f);
            }
            TermNode::Ite(c, t, e) => {
                f(c);
                f(t);
                f(e);
            }
            TermNode::Select(mut array, index) => {
                f(index);
                while let ArrayNode::Store { array: below, index, value } = self.array_node(array) {
                    f(index);
                    f(value);
                    array = below;
                }
            }
        }
    }
}
