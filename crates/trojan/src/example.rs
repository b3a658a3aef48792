//! [`SmallestExample`]: the smallest message of a set, whatever message a solver has found first.
//!
//! Messages are compared byte by byte, in the order of their offsets, except that bytes which an equation
//! computes of others come last: a checksum is to follow from the message, not the message from a checksum.
//! Bytes that senders and receiver share come behind all of them.

use std::sync::Arc;

use everett_base::Set;
use everett_expr::{Assignment, BinOp, Pool, TermId, TermNode, VarId};
use everett_solver::{Model, SolverChain, SolverError};

use crate::receiver::ReceiverState;
use crate::search::{SearchAnswer, TrojanSearch};

/// A Trojan message that is made smaller, question by question.
pub(crate) struct SmallestExample<'a> {
    search: &'a mut TrojanSearch,
    pool: &'a Pool,
    state: &'a ReceiverState,
    /// The conditions on the message, and below them those on the bytes that are settled.
    conditions: Vec<TermId>,
    model: Arc<Model>,
    questions: u32,
}

impl<'a> SmallestExample<'a> {
    /// Begins with a model of the conditions that is a Trojan message of a state.
    pub(crate) fn new(
        search: &'a mut TrojanSearch,
        pool: &'a Pool,
        state: &'a ReceiverState,
        conditions: &[TermId],
        model: Arc<Model>,
    ) -> Self {
        let (conditions, questions) = (conditions.to_vec(), search.limits.example_questions_max);
        SmallestExample { search, pool, state, conditions, model, questions }
    }

    pub(crate) fn into_model(self) -> Arc<Model> {
        self.model
    }

    /// Settles byte after byte.
    pub(crate) fn reduce(&mut self, chain: &mut SolverChain) -> Result<(), SolverError> {
        let order = self.order();
        let mut next = 0;
        while next < order.len() && self.questions > 0 {
            next += self.settle_zeros(chain, &order[next..])?;
            if let Some(&var) = order.get(next) {
                self.settle_value(chain, var)?;
                next += 1;
            }
        }
        Ok(())
    }

    /// The bytes in the order in which they are compared.
    fn order(&self) -> Vec<VarId> {
        let (pool, senders) = (self.pool, self.search.senders());
        let length = self.state.length();
        let symbol = senders.message(pool, length);
        let groups = senders.rows(length).iter().flat_map(|row| row.groups.iter());
        let groups: Set<_> = groups.copied().collect();
        let terms = groups.iter().flat_map(|&id| senders.group(id).terms.iter().copied());
        let terms = terms.chain(self.state.conditions());
        let computed: Set<VarId> = terms.filter_map(|term| computed_byte(pool, term)).collect();
        let message = (0..length).map(|offset| pool.symbol_var(symbol, offset));
        let (last, mut order): (Vec<VarId>, Vec<VarId>) =
            message.partition(|var| computed.contains(var));
        order.extend(last);
        order.extend(senders.shared_by(length));
        order
    }

    /// Makes as many of the first bytes zero as can be. Returns how many these are.
    fn settle_zeros(
        &mut self,
        chain: &mut SolverChain,
        vars: &[VarId],
    ) -> Result<usize, SolverError> {
        let leading = |model: &Model| vars.iter().take_while(|&&var| model.byte(var) == 0).count();
        let (mut known, mut limit) = (leading(&self.model), vars.len() + 1);
        // All of them are tried first; after that, the first byte that cannot be zero is searched for.
        let mut wanted = vars.len();
        while known + 1 < limit && known < vars.len() && self.questions > 0 {
            let zero = self.pool.constant(8, 0);
            let zeros =
                vars[known..wanted].iter().map(|&var| self.pool.eq(self.pool.var(var), zero));
            let fixed = vars[..known].iter().map(|&var| self.pool.eq(self.pool.var(var), zero));
            let asked: Vec<TermId> = fixed.chain(zeros).collect();
            match self.ask(chain, &asked)? {
                true => known = leading(&self.model),
                false => limit = wanted,
            }
            // A question without an answer counts as a no, so more may be known than the limit allows.
            let left = limit.saturating_sub(known).div_ceil(2);
            wanted = known + left.min(vars.len() - known);
        }
        for &var in &vars[..known] {
            self.settle(var);
        }
        Ok(known)
    }

    /// Makes a byte as small as it can be.
    fn settle_value(&mut self, chain: &mut SolverChain, var: VarId) -> Result<(), SolverError> {
        let byte = self.pool.var(var);
        let mut low = 0;
        // Many bytes have one value, so that is asked first; after that, the range is halved.
        let mut guess = self.model.byte(var).saturating_sub(1);
        while low < self.model.byte(var) && self.questions > 0 {
            let at_most = self.pool.ule(byte, self.pool.constant(8, u64::from(guess)));
            if !self.ask(chain, &[at_most])? {
                low = guess + 1;
            }
            guess = low + self.model.byte(var).saturating_sub(low) / 2;
        }
        self.settle(var);
        Ok(())
    }

    fn settle(&mut self, var: VarId) {
        let value = self.pool.constant(8, u64::from(self.model.byte(var)));
        self.conditions.push(self.pool.eq(self.pool.var(var), value));
    }

    /// Takes a model that satisfies these conditions, too, if one is found.
    fn ask(&mut self, chain: &mut SolverChain, asked: &[TermId]) -> Result<bool, SolverError> {
        self.questions -= 1;
        let count = self.conditions.len();
        self.conditions.extend_from_slice(asked);
        let (length, rows) = (self.state.length(), self.state.live());
        let answer = self.search.find(self.pool, chain, length, rows, &self.conditions)?;
        self.conditions.truncate(count);
        match answer {
            SearchAnswer::Found(model) => {
                self.model = model;
                Ok(true)
            }
            SearchAnswer::Covered | SearchAnswer::Undecided(_) => Ok(false),
        }
    }
}

/// The byte that a condition computes of other bytes.
fn computed_byte(pool: &Pool, term: TermId) -> Option<VarId> {
    let TermNode::Binary(BinOp::Eq, a, b) = pool.node(term) else { return None };
    match (pool.node(a), pool.node(b)) {
        // Two bytes that are equal are computed of each other: neither comes last.
        (TermNode::Var(_), TermNode::Var(_)) => None,
        (TermNode::Var(var), _) if !pool.support(b).is_empty() => Some(var),
        (_, TermNode::Var(var)) if !pool.support(a).is_empty() => Some(var),
        _ => None,
    }
}
