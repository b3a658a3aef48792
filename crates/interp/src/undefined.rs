//! Uses of memory that was never written.
//!
//! Such a byte is a term over an undefined symbol, and goes through copies and arithmetic as any term does.
//! It is used where something depends on it: a branch, an address, an amount, what the kernel is given. A
//! solver tells whether a value really depends on it: another value of the byte must make a difference, for
//! some inputs of the path. These inputs are a path of their own, which ends with the finding. The path
//! itself goes on with zero for the byte, there and everywhere, so that a mistake is found once.
//!
//! Both paths may have the same inputs. So the test of a path says what it does at uses ([`UndefinedUses`]).
//!
//! Invariant: no fork and no omission comes from an undefined symbol, since paths take it as zero.

use everett_base::hash::Map;
use everett_expr::{Pool, TermId, VarId};
use everett_memory::UndefinedByte;
use everett_solver::BranchWitness;

use crate::bug::text::byte_count;
use crate::bug::{Bug, BugKind, ObjectNote};
use crate::flow::{Flow, PathEnding, SiblingCourse};
use crate::interp::Interp;
use crate::state::State;
use crate::state::reg::Reg;

/// The bytes of a word that a path uses at once.
const WORD_BYTES: u32 = 8;

/// Bytes that are tried one by one, to name one in the finding.
const MAX_SUSPECTS: usize = 16;

/// A use of a value, by which it matters whether the value is defined.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ValueUse {
    /// Control flow.
    Branch,
    /// An access to memory.
    Address,
    /// A size, or the target of a jump or of a call.
    Amount,
    /// A division.
    Divisor,
    /// What the kernel is given to act on; the name of the call.
    Kernel(&'static str),
    /// What leaves the process; the name of the call.
    Output(&'static str),
}

impl ValueUse {
    fn bug_kind(self) -> BugKind {
        match self {
            ValueUse::Output(_) => BugKind::InformationLeak,
            ValueUse::Branch
            | ValueUse::Address
            | ValueUse::Amount
            | ValueUse::Divisor
            | ValueUse::Kernel(_) => BugKind::Uninitialized,
        }
    }

    fn describe(self, byte: &str) -> String {
        match self {
            ValueUse::Branch => format!("a branch depends on {byte}"),
            ValueUse::Address => format!("an address depends on {byte}"),
            ValueUse::Amount => format!("a size or a target depends on {byte}"),
            ValueUse::Divisor => format!("a divisor depends on {byte}"),
            ValueUse::Kernel(call) => format!("what {call} is given depends on {byte}"),
            ValueUse::Output(call) => format!("{call} hands out {byte}"),
        }
    }
}

impl<X: Clone> Interp<'_, X> {
    /// The term as the path takes it, without undefined bytes. If it depends on them, that is a finding.
    #[inline]
    pub fn use_term(&mut self, st: &mut State<X>, term: TermId, by: ValueUse) -> TermId {
        if !self.pool.mentions_undefined(term) {
            return term;
        }
        self.use_undefined(st, term, by)
    }

    /// The same for a register.
    #[inline]
    pub fn use_reg(&mut self, st: &mut State<X>, reg: Reg, by: ValueUse) -> Reg {
        let Some(term) = reg.term() else { return reg };
        let term = self.use_term(st, term, by);
        self.term_reg(term)
    }

    /// Several terms that are used together, of which the first one that depends on undefined bytes is a
    /// finding for all of them.
    pub fn use_terms(&mut self, st: &mut State<X>, terms: &[TermId], by: ValueUse) {
        let pool = self.pool;
        let mut terms = terms.iter().copied().filter(|term| pool.mentions_undefined(*term));
        if terms.by_ref().any(|term| self.finds_use(st, term, by)) {
            terms.for_each(|term| self.settle_words(st, &self.undefined_vars(term)));
        }
    }

    #[cold]
    fn use_undefined(&mut self, st: &mut State<X>, term: TermId, by: ValueUse) -> TermId {
        self.finds_use(st, term, by);
        self.pool.without_undefined(term)
    }

    /// Reports the use of a term, if it depends on undefined bytes that the path has not used before.
    fn finds_use(&mut self, st: &mut State<X>, term: TermId, by: ValueUse) -> bool {
        let open = st.path.without_settled_undefined(self.pool, term);
        if !self.pool.mentions_undefined(open) {
            return false;
        }
        let defined = self.pool.without_undefined(open);
        let suspects = self.undefined_vars(open);
        let Some((witness, differs)) = self.difference(st, open, defined, &suspects) else {
            return false;
        };
        let culprit = self.culprit(st, open, defined, &suspects);
        self.report_use(st, by, culprit, witness, differs);
        self.settle_words(st, &suspects);
        true
    }

    /// Takes undefined bytes as zero from here on, with their words: the rest of a number, or of what aligns
    /// it, is no mistake of its own.
    fn settle_words(&self, st: &mut State<X>, bytes: &[(UndefinedByte, VarId)]) {
        for (_, var) in bytes {
            let (symbol, index) = self.pool.var_owner(*var);
            let word = index / WORD_BYTES * WORD_BYTES;
            let end = (word + WORD_BYTES).min(self.pool.symbol_size(symbol));
            let vars = (word..end).map(|index| self.pool.symbol_var(symbol, index));
            vars.for_each(|var| st.path.settle_undefined(var));
        }
    }

    /// The undefined bytes of a term, in an order that is the same in every run.
    fn undefined_vars(&self, term: TermId) -> Vec<(UndefinedByte, VarId)> {
        let vars = self.pool.support(term).iter();
        let mut found: Vec<(UndefinedByte, VarId)> =
            vars.filter_map(|var| Some((UndefinedByte::of(self.pool, var)?, var))).collect();
        found.sort_unstable_by_key(|(byte, _)| *byte);
        found
    }

    /// Inputs of the path for which some values of these bytes make a difference to zeros, and the condition
    /// that they satisfy. A question that the solver does not answer finds nothing, which is counted.
    fn difference(
        &mut self,
        st: &State<X>,
        term: TermId,
        defined: TermId,
        bytes: &[(UndefinedByte, VarId)],
    ) -> Option<(BranchWitness, TermId)> {
        let any = anything_for(self.pool, bytes);
        let other = self.pool.substitute(term, &|var| {
            any.get(&var)
                .copied()
                .or_else(|| self.pool.is_undefined(var).then(|| self.pool.constant(8, 0)))
        });
        let differs = self.pool.ne(other, defined);
        match st.path.witness(self.solver, self.pool, differs) {
            Ok(witness) => Some((witness?, differs)),
            Err(_) => {
                self.omit_unanswered(st);
                None
            }
        }
    }

    /// A byte that makes a difference on its own, or else the first one.
    fn culprit(
        &mut self,
        st: &State<X>,
        term: TermId,
        defined: TermId,
        suspects: &[(UndefinedByte, VarId)],
    ) -> UndefinedByte {
        if suspects.len() > 1 {
            for suspect in suspects.iter().take(MAX_SUSPECTS) {
                if self.difference(st, term, defined, &[*suspect]).is_some() {
                    return suspect.0;
                }
            }
        }
        suspects[0].0
    }

    fn report_use(
        &mut self,
        st: &mut State<X>,
        by: ValueUse,
        byte: UndefinedByte,
        witness: BranchWitness,
        differs: TermId,
    ) {
        let kind = by.bug_kind();
        if self.is_ignored(st, kind) {
            self.note_passed(st, kind);
            return;
        }
        let uses = st.path.undefined_uses_mut();
        let (here, test) = (uses.pass(st.stack.top().pc), uses.test());
        if test.is_some_and(|end| end != Some(here)) {
            return;
        }
        let mut bad = st.copy();
        bad.path.assume_side(self.pool, differs, witness);
        bad.path.undefined_uses_mut().end_at(here);
        let bug = Box::new(self.bug_of_use(st, by, byte));
        if test.is_some() {
            self.ended_by_use.get_or_insert((bad, bug));
            return;
        }
        self.add_sibling(bad, SiblingCourse::Ended(PathEnding::Bug(bug)));
    }

    /// Ends a state that runs the test of a finding again where that was found, whatever the op did behind
    /// it.
    pub(crate) fn end_by_use(&mut self, st: &mut State<X>) -> Option<Flow> {
        let (at_use, bug) = self.ended_by_use.take()?;
        *st = *at_use;
        self.siblings.clear();
        Some(Flow::End(PathEnding::Bug(bug)))
    }

    fn bug_of_use(&self, st: &mut State<X>, by: ValueUse, byte: UndefinedByte) -> Bug {
        let owner = st.mem.owner_of_undefined(&byte);
        let UndefinedByte { kind, site, name, offset, .. } = byte;
        let (what, size) = match owner {
            Some(owner) => {
                let what = self.image.describe(&owner.object);
                (what, format!(" of {}", byte_count(owner.object.size)))
            }
            None => (self.image.describe_kind(kind, name), String::new()),
        };
        let place = format!("the byte at offset {offset} of {what}{size}, which was never written");
        let note = match owner {
            Some(owner) => self.image.note(&owner),
            // Its function has returned, or it was freed.
            None => ObjectNote { what, address: 0, size: 0, allocated: Some(site), freed: None },
        };
        Bug::new(by.bug_kind(), by.describe(&place)).about(note)
    }

    /// A condition under which a value depends on bytes that were never written; `None` for one without any.
    pub(crate) fn undefinedness(&self, st: &State<X>, value: TermId) -> Option<TermId> {
        if !self.pool.mentions_undefined(value) {
            return None;
        }
        let open = st.path.without_settled_undefined(self.pool, value);
        let differs = self.pool.ne(open, self.pool.without_undefined(open));
        self.pool.mentions_undefined(differs).then_some(differs)
    }
}

/// Inputs that stand for undefined bytes, so that a path can assume something of them.
fn anything_for(pool: &Pool, bytes: &[(UndefinedByte, VarId)]) -> Map<VarId, TermId> {
    let stand_in = |(_, var): &(UndefinedByte, VarId)| {
        let (symbol, index) = pool.var_owner(*var);
        let name = pool.undefined_name(symbol)?;
        let input = pool.symbol(&format!("unwritten {name}"), pool.symbol_size(symbol));
        Some((*var, pool.byte(input, index)))
    };
    bytes.iter().filter_map(stand_in).collect()
}
