//! A short textual form of one term, for messages and tests.

use std::fmt;

use crate::Pool;
use crate::id::{ArrayId, TermId};
use crate::node::TermNode;
use crate::pool::array::ArrayNode;

/// Prints a term as a prefix expression; see [`Pool::display`].
#[derive(Clone, Copy, Debug)]
pub struct TermDisplay<'a> {
    pool: &'a Pool,
    term: TermId,
    limit: usize,
}

impl Pool {
    /// The term as a prefix expression. Shared subterms are repeated; after a few hundred nodes the rest
    /// is elided as `...`.
    pub fn display(&self, term: TermId) -> TermDisplay<'_> {
        TermDisplay { pool: self, term, limit: 400 }
    }
}

enum DisplayTask {
    Text(&'static str),
    Number(u64),
    Term(TermId),
    Array(ArrayId),
}

impl fmt::Display for TermDisplay<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut tasks = vec![DisplayTask::Term(self.term)];
        let mut printed = 0;
        while let Some(task) = tasks.pop() {
            match task {
                DisplayTask::Text(text) => f.write_str(text)?,
                DisplayTask::Number(number) => write!(f, " {number}")?,
                DisplayTask::Term(_) | DisplayTask::Array(_) if printed >= self.limit => {
                    f.write_str("...")?
                }
                DisplayTask::Term(term) => self.term(f, term, &mut tasks)?,
                DisplayTask::Array(array) => self.array(f, array, &mut tasks)?,
            }
            printed += 1;
        }
        Ok(())
    }
}

impl TermDisplay<'_> {
    fn term(
        &self,
        f: &mut fmt::Formatter<'_>,
        term: TermId,
        tasks: &mut Vec<DisplayTask>,
    ) -> fmt::Result {
        let pool = self.pool;
        let width = pool.width(term);
        let mut call = |name: &str, operands: &[TermId], numbers: &[u32]| {
            tasks.push(DisplayTask::Text(")"));
            tasks
                .extend(numbers.iter().rev().map(|&number| DisplayTask::Number(u64::from(number))));
            for &operand in operands.iter().rev() {
                tasks.extend([DisplayTask::Term(operand), DisplayTask::Text(" ")]);
            }
            write!(f, "({name}")
        };
        match pool.node(term) {
            TermNode::Const(value) if width == 1 => {
                f.write_str(if value == 1 { "true" } else { "false" })
            }
            TermNode::Const(value) => write!(f, "{value:#x}:{width}"),
            TermNode::BigConst(value) => write!(f, "{value}"),
            TermNode::Var(var) => {
                let (symbol, index) = pool.var_owner(var);
                write!(f, "{}[{index}]", pool.symbol_name(symbol))
            }
            TermNode::Unary(op, a) => call(op.smtlib(), &[a], &[]),
            TermNode::Binary(op, a, b) => call(op.smtlib(), &[a, b], &[]),
            TermNode::Ite(c, t, e) => call("ite", &[c, t, e], &[]),
            TermNode::Concat(high, low) => call("concat", &[high, low], &[]),
            TermNode::Extract { term, low } => call("extract", &[term], &[low, width]),
            TermNode::ZExt(a) => call("zext", &[a], &[width]),
            TermNode::SExt(a) => call("sext", &[a], &[width]),
            TermNode::Float(op, a, b) => {
                let operands: Vec<TermId> = std::iter::once(a).chain(b).collect();
                let numbers: &[u32] = if op.result_width().is_none() { &[width] } else { &[] };
                match op.detail() {
                    Some(detail) => call(&format!("{} {detail}", op.name()), &operands, numbers),
                    None => call(op.name(), &operands, numbers),
                }
            }
            TermNode::Select(array, index) => {
                tasks.extend([
                    DisplayTask::Text(")"),
                    DisplayTask::Term(index),
                    DisplayTask::Text(" "),
                    DisplayTask::Array(array),
                ]);
                f.write_str("(select ")
            }
        }
    }

    fn array(
        &self,
        f: &mut fmt::Formatter<'_>,
        array: ArrayId,
        tasks: &mut Vec<DisplayTask>,
    ) -> fmt::Result {
        match self.pool.array_node(array) {
            ArrayNode::Const(bytes) => write!(f, "table:{}", bytes.len()),
            ArrayNode::Symbol(symbol) => f.write_str(self.pool.symbol_name(symbol)),
            ArrayNode::Store { array, index, value } => {
                tasks.extend([
                    DisplayTask::Text(")"),
                    DisplayTask::Term(value),
                    DisplayTask::Text(" "),
                    DisplayTask::Term(index),
                    DisplayTask::Text(" "),
                    DisplayTask::Array(array),
                ]);
                f.write_str("(store ")
            }
        }
    }
}
