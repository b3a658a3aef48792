//! Elimination of a sender's inputs: from "there are inputs so that the message is m" to conditions on m.
//!
//! A sender path is a [`System`]: equations `byte(inputs) = m[i]` and the path condition. It is rewritten
//! by steps that are equivalences, so nothing is lost and nothing is added:
//!
//! 1. *Peeling* (`peel.rs`) turns an equation around, operator by operator, until an input stands alone,
//!    which is then replaced everywhere. What an inversion needs, such as zeros above a zero extension,
//!    becomes a condition.
//! 2. *Joining* (`pieces.rs`) puts parts of one value together again, such as the bytes of a word.
//! 3. *Isolating* solves an equation of several inputs for one of them, as in Gaussian elimination.
//! 4. *Settling* (`settle.rs`) looks at all 256 values of one input: it inverts functions by table, and
//!    replaces an input that nothing else depends on by the set of values that it can lead to.
//! 5. *Splitting* (`split.rs`) makes alternatives of a choice inside a term.
//!
//! Checksums need no rule of their own: once the inputs are functions of the message, the byte of the
//! checksum is a condition among message bytes.
//!
//! Inputs that no step removes stay: they are existential, and `search.rs` deals with them.

mod peel;
mod pieces;
mod settle;
mod split;

use std::cell::RefCell;

use everett_base::{Map, Set};
use everett_expr::{BinOp, Pool, SymbolId, TermId, TermNode, UnOp, VarId};

/// Limits on the work for one sender path.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct EliminationLimits {
    /// The most alternatives that choices inside terms may split one sender path into.
    pub alternatives_max: usize,
    /// The most nodes of terms that replacing one input by all of its values may make.
    pub expansion_max: usize,
}

impl Default for EliminationLimits {
    fn default() -> Self {
        EliminationLimits { alternatives_max: 16, expansion_max: 4096 }
    }
}

/// The bytes that are given when a sender is asked: those of the message, or some of them, and those that
/// sender and receiver have in common. All other bytes are inputs.
#[derive(Clone, Copy)]
pub(crate) struct GivenBytes<'a> {
    pub(crate) message: SymbolId,
    /// The offsets of the message bytes that are given, ascending; `None` for all of them.
    pub(crate) offsets: Option<&'a [u32]>,
    pub(crate) shared: &'a Set<VarId>,
}

impl GivenBytes<'_> {
    pub(crate) fn contains(&self, pool: &Pool, var: VarId) -> bool {
        let (owner, offset) = pool.var_owner(var);
        match self.offsets {
            _ if owner != self.message => self.shared.contains(&var),
            Some(offsets) => offsets.binary_search(&offset).is_ok(),
            None => true,
        }
    }
}

/// Some bits of a term that an equation determines.
#[derive(Clone, Copy, Debug)]
struct Piece {
    whole: TermId,
    low: u32,
    value: TermId,
}

/// Equations and conditions that hold together.
#[derive(Clone, Default, Debug)]
struct System {
    /// Pairs of equal terms; at least one of the two depends on inputs.
    equations: Vec<(TermId, TermId)>,
    pieces: Vec<Piece>,
    /// Terms of width 1 that are no equations.
    conditions: Vec<TermId>,
    is_contradictory: bool,
}

/// Eliminates the inputs of one sender path.
pub(crate) struct Elimination<'a> {
    pool: &'a Pool,
    given: GivenBytes<'a>,
    limits: EliminationLimits,
    /// For each support, by its id: the inputs in it.
    inputs: RefCell<Map<u32, std::rc::Rc<[VarId]>>>,
}

impl<'a> Elimination<'a> {
    pub(crate) fn new(pool: &'a Pool, given: GivenBytes<'a>, limits: EliminationLimits) -> Self {
        Elimination { pool, given, limits, inputs: RefCell::default() }
    }

    /// The alternatives of a path: each is a conjunction of terms over given bytes and over the inputs that
    /// are left. The path can send a message exactly if one of them can be satisfied.
    pub(crate) fn run(
        &self,
        conditions: &[TermId],
        equations: impl IntoIterator<Item = (TermId, TermId)>,
    ) -> Vec<Vec<TermId>> {
        let mut system = System { equations: equations.into_iter().collect(), ..System::default() };
        conditions.iter().for_each(|&condition| self.add_condition(&mut system, condition));
        let (mut waiting, mut done) = (vec![system], Vec::new());
        while let Some(mut system) = waiting.pop() {
            self.pool.interrupt().check();
            self.reduce(&mut system);
            if system.is_contradictory {
                continue;
            }
            let room = self.limits.alternatives_max.saturating_sub(waiting.len() + done.len());
            match self.split(&system, room) {
                Some(alternatives) => waiting.extend(alternatives.into_iter().rev()),
                None => done.push(self.terms(&system)),
            }
        }
        done
    }

    /// Takes steps until none is left that removes an input.
    fn reduce(&self, system: &mut System) {
        // Each step removes an input or joins pieces, so there are at most about this many.
        let steps_max = 64 + 4 * (system.equations.len() + system.conditions.len());
        for _ in 0..steps_max {
            self.pool.interrupt().check();
            let solved = self.peel_all(system);
            if system.is_contradictory {
                return;
            }
            if !solved.is_empty() {
                self.substitute(system, &|var| solved.get(&var).copied());
            } else if let Some((input, value)) = self.isolate_any(system) {
                self.substitute(system, &|var| (var == input).then_some(value));
            } else if !self.join_pieces(system) && !self.settle_any(system) {
                return;
            }
        }
    }

    /// Replaces inputs everywhere. Everything that depended on them is looked at anew.
    fn substitute(&self, system: &mut System, replace: &impl Fn(VarId) -> Option<TermId>) {
        let pool = self.pool;
        let System { equations, pieces, conditions, .. } = std::mem::take(system);
        for (a, b) in equations {
            system.equations.push((pool.substitute(a, replace), pool.substitute(b, replace)));
        }
        for piece in pieces {
            let Piece { whole, low, value } = piece;
            let (whole, value) = (pool.substitute(whole, replace), pool.substitute(value, replace));
            let part = pool.extract(whole, low, pool.width(value));
            system.equations.push((part, value));
        }
        for condition in conditions {
            self.add_condition(system, pool.substitute(condition, replace));
        }
    }

    /// Adds a condition as what it is: an equation, a bit that is known, or a term of width 1.
    fn add_condition(&self, system: &mut System, condition: TermId) {
        let pool = self.pool;
        let mut work = vec![condition];
        while let Some(term) = work.pop() {
            if let Some(value) = pool.as_const(term) {
                system.is_contradictory |= value == 0;
                continue;
            }
            if self.is_given(term) {
                system.conditions.push(term);
                continue;
            }
            match pool.node(term) {
                TermNode::Binary(BinOp::And, a, b) => work.extend([b, a]),
                TermNode::Binary(BinOp::Eq, a, b) => system.equations.push((a, b)),
                TermNode::Extract { term: whole, low } => {
                    system.pieces.push(Piece { whole, low, value: pool.bool(true) });
                }
                TermNode::Unary(UnOp::Not, inner) => match pool.node(inner) {
                    TermNode::Binary(BinOp::Or, a, b) => work.extend([pool.not(b), pool.not(a)]),
                    TermNode::Extract { term: whole, low } => {
                        system.pieces.push(Piece { whole, low, value: pool.bool(false) });
                    }
                    _ => system.conditions.push(term),
                },
                _ => system.conditions.push(term),
            }
        }
    }

    /// The conjunction that a system is, in an order that depends on structure alone.
    fn terms(&self, system: &System) -> Vec<TermId> {
        let pool = self.pool;
        let mut terms = system.conditions.clone();
        terms.extend(system.equations.iter().map(|&(a, b)| pool.eq(a, b)));
        terms.extend(system.pieces.iter().map(|piece| self.piece_term(piece)));
        terms.retain(|&term| pool.as_const(term) != Some(1));
        terms.sort_by_key(|&term| (pool.structural_hash(term), term));
        terms.dedup();
        terms
    }

    fn piece_term(&self, piece: &Piece) -> TermId {
        let part = self.pool.extract(piece.whole, piece.low, self.pool.width(piece.value));
        self.pool.eq(part, piece.value)
    }

    /// The inputs that a term depends on, ascending.
    fn inputs_of(&self, term: TermId) -> std::rc::Rc<[VarId]> {
        let id = self.pool.support_id(term);
        if let Some(known) = self.inputs.borrow().get(&id) {
            return known.clone();
        }
        let all = self.pool.support(term).iter();
        let inputs: std::rc::Rc<[VarId]> =
            all.filter(|&var| !self.given.contains(self.pool, var)).collect();
        self.inputs.borrow_mut().insert(id, inputs.clone());
        inputs
    }

    fn is_given(&self, term: TermId) -> bool {
        self.inputs_of(term).is_empty()
    }

    /// All inputs of a system, ascending.
    fn all_inputs(&self, system: &System) -> Vec<VarId> {
        let equations = system.equations.iter().flat_map(|&(a, b)| [a, b]);
        let pieces = system.pieces.iter().flat_map(|piece| [piece.whole, piece.value]);
        let terms = equations.chain(pieces).chain(system.conditions.iter().copied());
        let mut inputs: Vec<VarId> = terms.flat_map(|term| self.inputs_of(term).to_vec()).collect();
        inputs.sort_unstable();
        inputs.dedup();
        inputs
    }
}
