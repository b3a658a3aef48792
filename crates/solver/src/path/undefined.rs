//! Bytes of undefined symbols that a path has used.
//!
//! Every path takes these bytes as zero, see [`PathCondition::simplify`]. A path also remembers those that
//! were found to decide something, so that one mistake is found once, and where that was.
//!
//! Not here: what a use is (`interp`).

use std::sync::Arc;

use everett_base::plist::List;
use everett_base::{Apart, Copies};
use everett_expr::{Pool, TermId, VarId};

use super::PathCondition;

/// Facts that few paths have, kept apart so that states are small.
#[derive(Clone, Debug, Default)]
pub(super) struct RareFacts {
    /// True if there are bytes that have just one value though no constraint says so any more
    /// ([`PathCondition::forget_settled`]). Such bytes must be replaced in every question, since the
    /// solver could give them another value.
    pub(super) has_settled: bool,
    undefined_uses: UndefinedUses,
}

everett_base::portable!(struct RareFacts { has_settled, undefined_uses });

impl Apart for RareFacts {
    fn apart(&mut self, copies: &mut Copies) {
        let RareFacts { has_settled: _, undefined_uses } = self;
        undefined_uses.apart(copies);
    }
}

/// The uses of memory that was never written on a path, and those that it is to have.
#[derive(Clone, Debug, Default)]
pub struct UndefinedUses {
    /// The numbers of the ops of uses that the path went past, the newest first.
    passed: List<u32>,
    /// The use that the path ends with.
    end: Option<CountedUse>,
    /// The course of the test that is run again: to the end at a use, or past all of them.
    test: Option<Option<CountedUse>>,
}

everett_base::portable!(struct UndefinedUses { passed, end, test });

impl Apart for UndefinedUses {
    fn apart(&mut self, copies: &mut Copies) {
        let UndefinedUses { passed, end: _, test: _ } = self;
        passed.apart(copies);
    }
}

/// A use of memory that was never written: its op, and the number of uses there that came before.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct CountedUse {
    pc: u32,
    before: u32,
}

everett_base::portable!(struct CountedUse { pc, before });

impl UndefinedUses {
    /// The uses that a test tells of, as [`UndefinedUses::to_test`] gave them.
    pub fn of_test(bytes: &[u8]) -> UndefinedUses {
        let end = |bytes: &[u8]| {
            let (pc, before) = bytes.split_first_chunk()?;
            let before = u32::from_le_bytes(*before.first_chunk()?);
            Some(CountedUse { pc: u32::from_le_bytes(*pc), before })
        };
        UndefinedUses { test: Some(end(bytes)), ..UndefinedUses::default() }
    }

    /// What the test of the path has to tell of uses, if there were any.
    pub fn to_test(&self) -> Option<Vec<u8>> {
        let UndefinedUses { passed, end, test: _ } = self;
        match end {
            Some(CountedUse { pc, before }) => {
                Some([pc.to_le_bytes(), before.to_le_bytes()].concat())
            }
            None => (passed.iter().next().is_some()).then(Vec::new),
        }
    }

    /// The path goes past the use that an op makes now.
    pub fn pass(&mut self, pc: u32) -> CountedUse {
        let before = self.passed.iter().filter(|other| **other == pc).count();
        self.passed.push(pc);
        CountedUse { pc, before: before as u32 }
    }

    /// The path ends with a use.
    pub fn end_at(&mut self, end: CountedUse) {
        self.end = Some(end);
    }

    /// The course of the test that is run again, if one is: to its end at a use, or past all of them.
    pub fn test(&self) -> Option<Option<CountedUse>> {
        self.test
    }
}

impl PathCondition {
    /// The uses of undefined bytes on this path, if there are any.
    pub fn undefined_uses(&self) -> Option<&UndefinedUses> {
        self.rare.as_ref().map(|rare| &rare.undefined_uses)
    }

    /// The same, to change them.
    pub fn undefined_uses_mut(&mut self) -> &mut UndefinedUses {
        &mut self.rare_mut().undefined_uses
    }

    /// The facts that few paths have, to change them.
    pub(super) fn rare_mut(&mut self) -> &mut RareFacts {
        Arc::make_mut(self.rare.get_or_insert_default())
    }

    /// Remembers that a byte of an undefined symbol is zero from here on.
    pub fn settle_undefined(&mut self, var: VarId) {
        self.model.fix(var);
    }

    /// The term with zero in place of the bytes of undefined symbols that were settled.
    pub fn without_settled_undefined(&self, pool: &Pool, term: TermId) -> TermId {
        if !self.model.may_fix(pool.support(term)) {
            return term;
        }
        pool.substitute(term, &|var| {
            let is_settled = pool.is_undefined(var) && self.model.fixed(var).is_some();
            is_settled.then(|| pool.constant(8, 0))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{BranchFeasibility, ChainOptions, MonotonicClock, SolverChain};

    #[test]
    fn a_path_takes_undefined_bytes_as_zero_and_assumes_nothing_of_them() {
        for options in [ChainOptions::default(), ChainOptions::bare()] {
            let mut chain = SolverChain::new(options, MonotonicClock::stopped());
            let pool = Pool::new();
            let x = pool.byte(pool.symbol("x", 1), 0);
            let symbol = pool.undefined_symbol("u", 2).expect("there are few");
            let u = pool.byte(symbol, 1);
            let mut path = PathCondition::new();
            let sum = pool.add(x, u);
            let is_five = pool.eq(sum, pool.constant(8, 5));
            assert!(matches!(
                path.branch(&mut chain, &pool, pool.eq(u, pool.constant(8, 3))),
                Ok(BranchFeasibility::Always(false))
            ));
            assert!(path.assume(&mut chain, &pool, is_five).unwrap());
            assert_eq!(path.min_value(&mut chain, &pool, sum).unwrap().low_u64(), 5);
            assert!(path.constraints().all(|term| !pool.mentions_undefined(term)));
        }
    }

    #[test]
    fn settled_bytes_are_told_from_others() {
        let pool = Pool::new();
        let symbol = pool.undefined_symbol("u", 2).expect("there are few");
        let [first, second] = [0, 1].map(|at| pool.byte(symbol, at));
        let mut path = PathCondition::new();
        path.settle_undefined(pool.symbol_var(symbol, 0));
        assert_eq!(path.without_settled_undefined(&pool, first), pool.constant(8, 0));
        assert_eq!(path.without_settled_undefined(&pool, second), second);
    }
}
