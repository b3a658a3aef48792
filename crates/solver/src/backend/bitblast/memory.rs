//! Reads from arrays as circuits.
//!
//! A read through stores is a chain of comparisons, newest store last; below them the table or the
//! symbol is a tree of multiplexers over the index bits. Constant index bits, and equal halves of a
//! table, fold away as the tree is built.

use everett_expr::{ArrayId, ArrayNode, Pool, TermId};

use super::circuits::TermCircuits;
use super::gates::Lit;

type LitByte = [Lit; 8];

const ZERO: LitByte = [Lit::FALSE; 8];

impl TermCircuits {
    /// The byte at `index`; the index and all terms of the stores are translated already.
    pub(super) fn select(&mut self, pool: &Pool, array: ArrayId, index: TermId) -> LitByte {
        let index = self.word(pool, index).to_vec();
        let mut stores = Vec::new();
        let mut base = array;
        while let ArrayNode::Store { array: below, index: at, value } = pool.array_node(base) {
            let at = self.word(pool, at).to_vec();
            let hit = self.gates.eq_word(&index, &at);
            base = below;
            if hit == Lit::FALSE {
                continue;
            }
            stores.push((hit, value));
            if hit == Lit::TRUE {
                break;
            }
        }
        let hidden = stores.last().is_some_and(|&(hit, _)| hit == Lit::TRUE);
        let mut byte = if hidden { ZERO } else { self.base_read(pool, base, &index) };
        for (hit, value) in stores.into_iter().rev() {
            let value: LitByte = std::array::from_fn(|bit| self.word(pool, value)[bit]);
            byte = self.mux_byte(hit, value, byte);
        }
        byte
    }

    fn base_read(&mut self, pool: &Pool, array: ArrayId, index: &[Lit]) -> LitByte {
        let leaves: Vec<LitByte> = match pool.array_node(array) {
            ArrayNode::Const(bytes) => bytes
                .iter()
                .map(|byte| std::array::from_fn(|bit| Lit::constant(byte >> bit & 1 != 0)))
                .collect(),
            ArrayNode::Symbol(symbol) => (0..pool.symbol_size(symbol))
                .map(|at| self.input_bits(pool.symbol_var(symbol, at)))
                .collect(),
            ArrayNode::Store { .. } => unreachable!("stores were walked off"),
        };
        let levels = usize::BITS - leaves.len().saturating_sub(1).leading_zeros();
        let (low, high) = index.split_at(levels as usize);
        let byte = self.tree(&leaves, low);
        let beyond = self.gates.any(high);
        self.mux_byte(beyond, ZERO, byte)
    }

    /// Chooses among the leaves by the index bits, highest bit first; absent leaves are zero. The
    /// recursion is as deep as the index has bits.
    fn tree(&mut self, leaves: &[LitByte], index: &[Lit]) -> LitByte {
        let Some((&top, rest)) = index.split_last() else {
            return leaves.first().copied().unwrap_or(ZERO);
        };
        let (low, high) = leaves.split_at(leaves.len().min(1 << rest.len()));
        match top.as_constant() {
            Some(false) => self.tree(low, rest),
            Some(true) => self.tree(high, rest),
            None if high.is_empty() && low.is_empty() => ZERO,
            None => {
                let (low, high) = (self.tree(low, rest), self.tree(high, rest));
                self.mux_byte(top, high, low)
            }
        }
    }

    fn mux_byte(&mut self, select: Lit, then: LitByte, other: LitByte) -> LitByte {
        std::array::from_fn(|bit| self.gates.mux(select, then[bit], other[bit]))
    }
}
