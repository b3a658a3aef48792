//! Substitution: replacing symbolic bytes, or whole terms, and simplifying what results.

use everett_base::hash::Map;

use crate::Pool;
use crate::id::{ArrayId, SymbolId, TermId, VarId};
use crate::node::TermNode;
use crate::op::UnOp;
use crate::pool::array::ArrayNode;
use crate::pool::support::Support;

impl Pool {
    /// The term with every variable for which `replace` gives a term (width 8) replaced by that term.
    ///
    /// Subterms without such a variable are not visited. Replacements are not substituted into again.
    pub fn substitute(&self, term: TermId, replace: &impl Fn(VarId) -> Option<TermId>) -> TermId {
        Substitution::new(self, &ByteReplacement(replace)).run(term)
    }

    /// The term with every outermost subterm for which `replace` gives a term of the same width replaced
    /// by that term. Constants are not asked for.
    pub fn replace(&self, term: TermId, replace: &impl Fn(TermId) -> Option<TermId>) -> TermId {
        Substitution::new(self, &TermReplacement(replace)).run(term)
    }
}

/// A mapping of the things that are replaced to their replacements.
trait ReplacementMap {
    /// Returns `true` if anything in a term with this support can be replaced.
    fn touches(&self, support: &Support) -> bool;
    fn byte(&self, var: VarId) -> Option<TermId>;
    fn term(&self, term: TermId) -> Option<TermId>;
}

struct ByteReplacement<'a, F>(&'a F);

impl<F: Fn(VarId) -> Option<TermId>> ReplacementMap for ByteReplacement<'_, F> {
    fn touches(&self, support: &Support) -> bool {
        support.iter().any(|var| self.0(var).is_some())
    }

    fn byte(&self, var: VarId) -> Option<TermId> {
        self.0(var)
    }

    fn term(&self, _: TermId) -> Option<TermId> {
        None
    }
}

struct TermReplacement<'a, F>(&'a F);

impl<F: Fn(TermId) -> Option<TermId>> ReplacementMap for TermReplacement<'_, F> {
    fn touches(&self, support: &Support) -> bool {
        support.iter().next().is_some()
    }

    fn byte(&self, _: VarId) -> Option<TermId> {
        None
    }

    fn term(&self, term: TermId) -> Option<TermId> {
        self.0(term)
    }
}

struct Substitution<'a, R> {
    pool: &'a Pool,
    replace: &'a R,
    /// For supports, by their ids: true if a variable of the support is replaced.
    touched: Map<u32, bool>,
    done: Map<TermId, TermId>,
    arrays: Map<ArrayId, ArrayId>,
}

impl<'a, R: ReplacementMap> Substitution<'a, R> {
    fn new(pool: &'a Pool, replace: &'a R) -> Substitution<'a, R> {
        let (touched, done, arrays) = (Map::default(), Map::default(), Map::default());
        Substitution { pool, replace, touched, done, arrays }
    }

    fn run(mut self, term: TermId) -> TermId {
        let mut stack = vec![term];
        let mut operands = Vec::new();
        while let Some(&top) = stack.last() {
            self.pool.interrupt().check_growth();
            if self.result(top).is_some() {
                stack.pop();
                continue;
            }
            if let Some(new) = self.replace.term(top) {
                assert_eq!(self.pool.width(new), self.pool.width(top), "a term keeps its width");
                self.done.insert(top, new);
                stack.pop();
                continue;
            }
            operands.clear();
            self.pool.for_each_operand(top, |operand| operands.push(operand));
            operands.retain(|&operand| self.result(operand).is_none());
            if operands.is_empty() {
                let rebuilt = self.rebuild(top);
                self.done.insert(top, rebuilt);
                stack.pop();
            } else {
                stack.extend(operands.iter().copied());
            }
        }
        self.get(term)
    }

    fn is_touched(&mut self, support: u32) -> bool {
        let (pool, replace) = (self.pool, self.replace);
        let find = || replace.touches(pool.supports().get(support));
        *self.touched.entry(support).or_insert_with(find)
    }

    fn result(&mut self, term: TermId) -> Option<TermId> {
        if !self.is_touched(self.pool.stored(term).support) {
            return Some(term);
        }
        self.done.get(&term).copied()
    }

    fn get(&mut self, term: TermId) -> TermId {
        self.result(term).expect("operands are substituted before what is made of them")
    }

    fn rebuild(&mut self, term: TermId) -> TermId {
        let pool = self.pool;
        let width = pool.width(term);
        match pool.node(term) {
            TermNode::Const(_) | TermNode::BigConst(_) => term,
            TermNode::Var(var) => {
                let new = self.replace.byte(var).unwrap_or(term);
                assert_eq!(pool.width(new), 8, "a byte is replaced by a term of 8 bits");
                new
            }
            TermNode::Unary(UnOp::Not, a) => pool.not(self.get(a)),
            TermNode::Unary(UnOp::Neg, a) => pool.neg(self.get(a)),
            TermNode::Binary(op, a, b) => pool.binary(op, self.get(a), self.get(b)),
            TermNode::Ite(c, t, e) => pool.ite(self.get(c), self.get(t), self.get(e)),
            TermNode::Concat(high, low) => pool.concat(self.get(high), self.get(low)),
            TermNode::Extract { term: a, low } => pool.extract(self.get(a), low, width),
            TermNode::ZExt(a) => pool.zext(self.get(a), width),
            TermNode::SExt(a) => pool.sext(self.get(a), width),
            TermNode::Float(op, a, b) => {
                let b = b.map(|b| self.get(b));
                pool.float(op, width, self.get(a), b)
            }
            TermNode::Select(array, index) => {
                pool.select(self.rebuild_array(array), self.get(index))
            }
        }
    }

    fn rebuild_array(&mut self, array: ArrayId) -> ArrayId {
        let mut stores = Vec::new();
        let mut base = array;
        let mut result = loop {
            if let Some(&done) = self.arrays.get(&base) {
                break done;
            }
            match self.pool.array_node(base) {
                ArrayNode::Store { array: below, index, value } => {
                    stores.push((base, index, value));
                    base = below;
                }
                ArrayNode::Const(_) => break base,
                ArrayNode::Symbol(symbol) => break self.rebuild_symbol(symbol, base),
            }
        };
        self.arrays.insert(base, result);
        for (array, index, value) in stores.into_iter().rev() {
            result = self.pool.store(result, self.get(index), self.get(value));
            self.arrays.insert(array, result);
        }
        result
    }

    /// A symbol of which all bytes became constants is a table; else the replaced bytes are stored over it.
    fn rebuild_symbol(&self, symbol: SymbolId, array: ArrayId) -> ArrayId {
        let pool = self.pool;
        let new = |at| self.replace.byte(pool.symbol_var(symbol, at));
        let constant = |at| new(at).and_then(|term| pool.as_const(term)).map(|value| value as u8);
        let size = pool.symbol_size(symbol);
        if let Some(bytes) = (0..size).map(constant).collect::<Option<Vec<u8>>>() {
            return pool.const_array(&bytes);
        }
        (0..size).fold(array, |array, at| match new(at) {
            Some(value) => pool.store(array, pool.constant(64, u64::from(at)), value),
            None => array,
        })
    }
}
