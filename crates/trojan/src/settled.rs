//! [`SettledBytes`]: bytes that conditions leave one value.
//!
//! Replacing them everywhere makes terms of sender and receiver alike: a checksum that the receiver computes
//! of a byte that it has compared with 1 becomes the checksum that the sender has computed of 1. That both
//! are the same is hard to prove otherwise.

use everett_base::Map;
use everett_expr::{BinOp, Pool, TermId, TermNode, VarId};

/// Conditions, with the bytes that they leave one value.
#[derive(Default)]
pub(crate) struct SettledBytes {
    conditions: Vec<TermId>,
    values: Map<VarId, u8>,
}

impl SettledBytes {
    pub(crate) fn new(pool: &Pool, conditions: &[TermId]) -> SettledBytes {
        let mut settled = SettledBytes { conditions: Vec::new(), values: Map::default() };
        let mut work: Vec<TermId> = conditions.iter().rev().copied().collect();
        while let Some(condition) = work.pop() {
            match pool.node(condition) {
                TermNode::Binary(BinOp::And, a, b) => work.extend([b, a]),
                _ => {
                    if let Some((var, value)) = settled_byte(pool, condition) {
                        settled.values.entry(var).or_insert(value);
                    }
                    settled.conditions.push(condition);
                }
            }
        }
        settled
    }

    /// The conditions, simplified, with equations for the settled bytes.
    pub(crate) fn conditions(&self, pool: &Pool) -> Vec<TermId> {
        // An equation of a settled byte is kept as it is: it gives the byte its value in models.
        let simplify = |&condition: &TermId| match settled_byte(pool, condition) {
            Some(_) => condition,
            None => self.replace(pool, condition),
        };
        self.conditions.iter().map(simplify).collect()
    }

    /// The settled bytes of a term.
    pub(crate) fn values_in(&self, pool: &Pool, term: TermId) -> Box<[(VarId, u8)]> {
        if self.values.is_empty() {
            return Box::default();
        }
        let vars = pool.support(term).iter();
        vars.filter_map(|var| Some((var, *self.values.get(&var)?))).collect()
    }

    pub(crate) fn replace(&self, pool: &Pool, term: TermId) -> TermId {
        let value = |var: VarId| self.values.get(&var);
        pool.substitute(term, &|var| value(var).map(|&value| pool.constant(8, u64::from(value))))
    }
}

/// The byte that a condition leaves one value.
fn settled_byte(pool: &Pool, condition: TermId) -> Option<(VarId, u8)> {
    let TermNode::Binary(BinOp::Eq, a, b) = pool.node(condition) else { return None };
    match (pool.node(a), pool.node(b)) {
        (TermNode::Var(var), TermNode::Const(value))
        | (TermNode::Const(value), TermNode::Var(var)) => Some((var, value as u8)),
        _ => None,
    }
}
