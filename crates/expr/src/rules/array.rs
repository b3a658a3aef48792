//! Rules for `select`.

use super::Rewriter;
use crate::id::{ArrayId, TermId};
use crate::node::TermNode;
use crate::op::BinOp;
use crate::pool::array::ArrayNode;

/// Stores that one `select` looks past at most.
const STORES: u32 = 4096;

impl Rewriter<'_> {
    pub(super) fn select(&self, array: ArrayId, index: TermId) -> TermId {
        let mut array = array;
        for _ in 0..STORES {
            let ArrayNode::Store { array: below, index: at, value } = self.pool.array_node(array)
            else {
                break;
            };
            // select(store(a, i, v), i)  =>  v
            if at == index {
                return value;
            }
            // select(store(a, i, v), j)  =>  select(a, j), where i and j always differ
            if !self.always_differ(at, index) {
                break;
            }
            array = below;
        }
        match (self.pool.array_node(array), self.node(index)) {
            // select(table, k)  =>  its entry, 0 beyond the end
            (ArrayNode::Const(bytes), TermNode::Const(at)) => {
                let byte = usize::try_from(at).ok().and_then(|at| bytes.get(at));
                self.pool.constant(8, u64::from(byte.copied().unwrap_or(0)))
            }
            // select(symbol, k)  =>  its byte, 0 beyond the end
            (ArrayNode::Symbol(symbol), TermNode::Const(at)) => {
                match u32::try_from(at).ok().filter(|&at| at < self.pool.symbol_size(symbol)) {
                    Some(at) => self.pool.byte(symbol, at),
                    None => self.zero(8),
                }
            }
            // select(a, ite(c, k1, k2))  =>  ite(c, select(a, k1), select(a, k2))
            (_, TermNode::Ite(c, t, e)) if self.is_const(t) && self.is_const(e) && self.spend() => {
                self.ite(c, self.select(array, t), self.select(array, e))
            }
            // select(a, j)  =>  0, where j is beyond the end of the table or symbol always
            (ArrayNode::Const(_) | ArrayNode::Symbol(_), _)
                if self.pool.facts(index).umin >= self.pool.array_len(array) =>
            {
                self.zero(8)
            }
            _ => self.pool.raw_select(array, index),
        }
    }

    /// Returns `true` if two indices are different under every assignment, as far as can be seen at
    /// once.
    fn always_differ(&self, a: TermId, b: TermId) -> bool {
        if self.is_const(a) && self.is_const(b) {
            return a != b;
        }
        let (x, y) = (self.pool.facts(a), self.pool.facts(b));
        if x.umax < y.umin || y.umax < x.umin || x.zeros & y.ones != 0 || x.ones & y.zeros != 0 {
            return true;
        }
        // x + k1 and x + k2 differ where k1 and k2 do.
        let (base_a, offset_a) = self.base_and_offset(a);
        let (base_b, offset_b) = self.base_and_offset(b);
        base_a == base_b && offset_a != offset_b
    }

    fn base_and_offset(&self, term: TermId) -> (TermId, u64) {
        match self.node(term) {
            TermNode::Binary(BinOp::Add, x, k) => {
                self.pool.as_const(k).map_or((term, 0), |k| (x, k))
            }
            _ => (term, 0),
        }
    }
}
