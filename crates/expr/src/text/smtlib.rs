//! A complete SMT-LIB 2 script for a set of assertions.
//!
//! Each symbolic byte is a constant of sort `(_ BitVec 8)`. Subterms that occur more than once, or that lie
//! deep, become `define-fun`s; comparisons and connectives of truth values have sort `Bool`,
//! and are converted
//! where a bit vector is needed. Arrays start from the constant array of zeros, so that an index beyond
//! the end reads 0.
//!
//! Invariant: names are numbered in the order of a walk over the assertions, so the text is the same in
//! every run.

#[cfg(test)]
mod tests;

use std::fmt::Write;

use everett_base::hash::{Map, Set};

use crate::id::{ArrayId, SymbolId, TermId, VarId};
use crate::node::TermNode;
use crate::op::{BinOp, UnOp};
use crate::pool::array::ArrayNode;
use crate::{BitVec, Pool};

const ARRAY_SORT: &str = "(Array (_ BitVec 64) (_ BitVec 8))";

/// Nesting of one expression before it gets a name: parsers recurse.
const DEEPEST: u32 = 32;
/// Table entries written in one expression.
const CHUNK: usize = 16;

impl Pool {
    /// A `QF_ABV` script that asserts every given width-1 term and asks for satisfiability.
    pub fn smtlib(&self, assertions: &[TermId]) -> String {
        let mut script = SmtScript {
            pool: self,
            declarations: String::new(),
            definitions: String::new(),
            texts: Map::default(),
            named: 0,
            arrays: Map::default(),
            symbols: Map::default(),
            symbol_names: Set::default(),
            bytes: Set::default(),
        };
        let order = script.uses_in_order(assertions);
        for (term, uses) in order {
            script.define(term, uses);
        }
        let mut tail = String::new();
        for &assertion in assertions {
            assert_eq!(self.width(assertion), 1, "an assertion has width 1");
            let _ = writeln!(tail, "(assert {})", script.truth(assertion));
        }
        let SmtScript { declarations, definitions, .. } = script;
        format!("(set-logic QF_ABV)\n{declarations}{definitions}{tail}(check-sat)\n")
    }
}

struct SmtText {
    text: String,
    depth: u32,
}

struct SmtScript<'a> {
    pool: &'a Pool,
    declarations: String,
    definitions: String,
    /// The text of each visited term: a name, or the whole expression.
    texts: Map<TermId, SmtText>,
    named: u32,
    arrays: Map<ArrayId, String>,
    symbols: Map<SymbolId, String>,
    symbol_names: Set<String>,
    bytes: Set<VarId>,
}

impl SmtScript<'_> {
    /// Every term once, operands first, with the number of places that use it.
    fn uses_in_order(&self, roots: &[TermId]) -> Vec<(TermId, u32)> {
        let mut uses: Map<TermId, u32> = Map::default();
        let mut done: Set<TermId> = Set::default();
        let mut order = Vec::new();
        let mut stack: Vec<(TermId, bool)> =
            roots.iter().rev().map(|&root| (root, false)).collect();
        let mut operands = Vec::new();
        while let Some((term, left)) = stack.pop() {
            if left {
                order.push(term);
                continue;
            }
            *uses.entry(term).or_insert(0) += 1;
            if !done.insert(term) {
                continue;
            }
            stack.push((term, true));
            operands.clear();
            self.pool.for_each_circuit_operand(term, |operand| operands.push(operand));
            stack.extend(operands.iter().rev().map(|&operand| (operand, false)));
        }
        order.into_iter().map(|term| (term, uses[&term])).collect()
    }

    fn define(&mut self, term: TermId, uses: u32) {
        let mut depth = 0;
        self.pool.for_each_circuit_operand(term, |operand| {
            depth = depth.max(self.texts[&operand].depth);
        });
        let mut text = self.expression(term);
        let leaf = matches!(
            self.pool.node(term),
            TermNode::Const(_) | TermNode::BigConst(_) | TermNode::Var(_)
        );
        if !leaf && (uses > 1 || depth >= DEEPEST) {
            let name = format!("t{}", self.named);
            self.named += 1;
            let sort = if self.is_truth(term) {
                "Bool".into()
            } else {
                format!("(_ BitVec {})", self.pool.width(term))
            };
            let _ = writeln!(self.definitions, "(define-fun {name} () {sort} {text})");
            text = name;
            depth = 0;
        }
        self.texts.insert(term, SmtText { text, depth: depth + 1 });
    }

    /// Returns `true` if the term is written with sort `Bool`.
    fn is_truth(&self, term: TermId) -> bool {
        match self.pool.node(term) {
            TermNode::Binary(op, ..) if op.is_comparison() => true,
            TermNode::Binary(BinOp::And | BinOp::Or | BinOp::Xor, ..) => self.pool.width(term) == 1,
            TermNode::Unary(UnOp::Not, _) | TermNode::Ite(..) => self.pool.width(term) == 1,
            TermNode::Float(..) => self.is_truth(self.pool.float_circuit(term)),
            _ => false,
        }
    }

    /// The term as a `Bool`.
    fn truth(&self, term: TermId) -> String {
        let text = &self.texts[&term].text;
        match self.pool.as_const(term) {
            Some(0) => "false".into(),
            Some(_) => "true".into(),
            None if self.is_truth(term) => text.clone(),
            None => format!("(= {text} #b1)"),
        }
    }

    /// The term as a bit vector.
    fn bits(&self, term: TermId) -> String {
        let text = &self.texts[&term].text;
        if self.is_truth(term) { format!("(ite {text} #b1 #b0)") } else { text.clone() }
    }

    fn expression(&mut self, term: TermId) -> String {
        let width = self.pool.width(term);
        let truth = self.is_truth(term);
        match self.pool.node(term) {
            TermNode::Const(value) => literal(&BitVec::from_u64(width, value)),
            TermNode::BigConst(value) => literal(value),
            TermNode::Var(var) => self.byte(var),
            TermNode::Unary(_, a) if truth => format!("(not {})", self.truth(a)),
            TermNode::Unary(op, a) => format!("({} {})", op.smtlib(), self.bits(a)),
            TermNode::Binary(op, a, b) => self.binary(op, a, b, truth),
            TermNode::Ite(c, t, e) if truth => {
                format!("(ite {} {} {})", self.truth(c), self.truth(t), self.truth(e))
            }
            TermNode::Ite(c, t, e) => {
                format!("(ite {} {} {})", self.truth(c), self.bits(t), self.bits(e))
            }
            TermNode::Concat(high, low) => {
                format!("(concat {} {})", self.bits(high), self.bits(low))
            }
            TermNode::Extract { term, low } => {
                format!("((_ extract {} {low}) {})", low + width - 1, self.bits(term))
            }
            TermNode::ZExt(a) => {
                format!("((_ zero_extend {}) {})", width - self.pool.width(a), self.bits(a))
            }
            TermNode::SExt(a) => {
                format!("((_ sign_extend {}) {})", width - self.pool.width(a), self.bits(a))
            }
            TermNode::Float(..) => self.texts[&self.pool.float_circuit(term)].text.clone(),
            TermNode::Select(array, index) => {
                let name = self.array(array);
                format!("(select {name} {})", self.bits(index))
            }
        }
    }

    fn binary(&self, op: BinOp, a: TermId, b: TermId, truth: bool) -> String {
        let connective = match op {
            BinOp::And => Some("and"),
            BinOp::Or => Some("or"),
            BinOp::Xor => Some("xor"),
            BinOp::Eq if self.is_truth(a) && self.is_truth(b) => Some("="),
            _ => None,
        };
        match connective {
            Some(name) if truth => format!("({name} {} {})", self.truth(a), self.truth(b)),
            _ => format!("({} {} {})", op.smtlib(), self.bits(a), self.bits(b)),
        }
    }

    fn byte(&mut self, var: VarId) -> String {
        let (symbol, index) = self.pool.var_owner(var);
        let name = format!("|{}[{index}]|", self.symbol(symbol));
        if self.bytes.insert(var) {
            let _ = writeln!(self.declarations, "(declare-const {name} (_ BitVec 8))");
        }
        name
    }

    /// A printable name that no other symbol of the script has.
    fn symbol(&mut self, symbol: SymbolId) -> String {
        if let Some(name) = self.symbols.get(&symbol) {
            return name.clone();
        }
        let allowed = |c: char| c.is_ascii_graphic() && c != '|' && c != '\\';
        let wanted: String = self
            .pool
            .symbol_name(symbol)
            .chars()
            .map(|c| if allowed(c) { c } else { '_' })
            .collect();
        let mut name = wanted.clone();
        let mut next = 2;
        while !self.symbol_names.insert(name.clone()) {
            name = format!("{wanted}#{next}");
            next += 1;
        }
        self.symbols.insert(symbol, name.clone());
        name
    }

    /// The name of an array, with the definitions of all that it is built on.
    fn array(&mut self, array: ArrayId) -> String {
        let mut pending = Vec::new();
        let mut base = array;
        while !self.arrays.contains_key(&base) {
            pending.push(base);
            match self.pool.array_node(base) {
                ArrayNode::Store { array: below, .. } => base = below,
                ArrayNode::Const(_) | ArrayNode::Symbol(_) => break,
            }
        }
        for array in pending.into_iter().rev() {
            let name = match self.pool.array_node(array) {
                ArrayNode::Store { array: below, index, value } => {
                    let text = format!(
                        "(store {} {} {})",
                        self.arrays[&below],
                        self.bits(index),
                        self.bits(value)
                    );
                    self.name_array(&text)
                }
                ArrayNode::Const(bytes) => {
                    let entries = bytes.iter().enumerate().filter(|&(_, &byte)| byte != 0);
                    let entries: Vec<_> =
                        entries.map(|(at, byte)| (at, format!("#x{byte:02x}"))).collect();
                    self.table(&entries)
                }
                ArrayNode::Symbol(symbol) => {
                    let size = self.pool.symbol_size(symbol);
                    let entries: Vec<_> = (0..size)
                        .map(|at| (at as usize, self.byte(self.pool.symbol_var(symbol, at))))
                        .collect();
                    self.table(&entries)
                }
            };
            self.arrays.insert(array, name);
        }
        self.arrays[&array].clone()
    }

    fn name_array(&mut self, text: &str) -> String {
        let name = format!("t{}", self.named);
        self.named += 1;
        let _ = writeln!(self.definitions, "(define-fun {name} () {ARRAY_SORT} {text})");
        name
    }

    fn table(&mut self, entries: &[(usize, String)]) -> String {
        let mut name = self.name_array(&format!("((as const {ARRAY_SORT}) #x00)"));
        for chunk in entries.chunks(CHUNK) {
            let text = chunk
                .iter()
                .fold(name, |array, (at, value)| format!("(store {array} #x{at:016x} {value})"));
            name = self.name_array(&text);
        }
        name
    }
}

fn literal(value: &BitVec) -> String {
    let width = value.width();
    let bit = |at: u32| u32::from(value.bit(at));
    if !width.is_multiple_of(4) {
        return "#b"
            .chars()
            .chain((0..width).rev().map(|at| if bit(at) == 1 { '1' } else { '0' }))
            .collect();
    }
    let digit = |at: u32| (0..4).map(|offset| bit(at * 4 + offset) << offset).sum::<u32>();
    let digits = (0..width / 4).rev().filter_map(|at| char::from_digit(digit(at), 16));
    "#x".chars().chain(digits).collect()
}
