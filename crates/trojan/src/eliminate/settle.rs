//! Settling: elimination of one input byte by a look at its 256 values.
//!
//! An input has a *domain*, the values that satisfy the conditions on it alone. A function of that input
//! alone whose values differ over the domain is inverted by table. An input that decides nothing but one
//! value of the message is replaced by the set of the values that it can lead to.

use everett_expr::{Pool, TermId, VarId};

use super::{Elimination, System};

/// Nodes of a term that chooses among the 256 values of a byte.
const TABLE_NODES: usize = 256;

/// Everything in a system that depends on one input.
#[derive(Default)]
struct InputUses {
    /// Conditions on this input alone.
    own: Vec<TermId>,
    /// Functions of this input alone, with their values, which do not depend on it.
    functions: Vec<(TermId, TermId)>,
    /// Other conditions.
    mixed: Vec<TermId>,
}

impl Elimination<'_> {
    /// Settles the first input that can be. Returns `false` if there is none.
    pub(super) fn settle_any(&self, system: &mut System) -> bool {
        let inputs = self.all_inputs(system);
        inputs.into_iter().any(|input| self.settle(system, input))
    }

    fn settle(&self, system: &mut System, input: VarId) -> bool {
        self.pool.interrupt().check();
        let uses = self.uses(system, input);
        let domain = self.domain_of(&uses.own, input);
        match domain.as_slice() {
            [] => {
                system.is_contradictory = true;
                true
            }
            &[value] => {
                let value = self.pool.constant(8, u64::from(value));
                self.substitute(system, &|var| (var == input).then_some(value));
                true
            }
            _ if uses.functions.is_empty() && uses.mixed.is_empty() => {
                self.forget(system, input);
                true
            }
            _ => {
                self.settle_by_image(system, input, &domain, &uses)
                    || self.settle_by_inverse(system, input, &domain, &uses)
                    || self.settle_by_expansion(system, input, &domain, &uses)
            }
        }
    }

    /// The values of an input that satisfy the conditions on it alone.
    pub(super) fn domain(&self, system: &System, input: VarId) -> Vec<u8> {
        self.domain_of(&self.uses(system, input).own, input)
    }

    fn domain_of(&self, own: &[TermId], input: VarId) -> Vec<u8> {
        let holds = |value: u8| {
            let assignment = |var: VarId| if var == input { value } else { 0 };
            own.iter().all(|&term| self.pool.eval_bool(term, &assignment))
        };
        (0..=255).filter(|&value| holds(value)).collect()
    }

    fn uses(&self, system: &System, input: VarId) -> InputUses {
        let pool = self.pool;
        let has = |term: TermId| pool.support(term).contains(input);
        let is_own = |term: TermId| has(term) && pool.support(term).len() == 1;
        let mut uses = InputUses::default();
        let pieces = system.pieces.iter().map(|piece| {
            (pool.extract(piece.whole, piece.low, pool.width(piece.value)), piece.value)
        });
        for (a, b) in system.equations.iter().copied().chain(pieces) {
            if !has(a) && !has(b) {
                continue;
            }
            let whole = pool.eq(a, b);
            if is_own(whole) {
                uses.own.push(whole);
            } else if is_own(a) && !has(b) {
                uses.functions.push((a, b));
            } else if is_own(b) && !has(a) {
                uses.functions.push((b, a));
            } else {
                uses.mixed.push(whole);
            }
        }
        for &term in &system.conditions {
            match (is_own(term), has(term)) {
                (true, _) => uses.own.push(term),
                (false, true) => uses.mixed.push(term),
                (false, false) => {}
            }
        }
        uses
    }

    /// Removes everything that depends on an input.
    fn forget(&self, system: &mut System, input: VarId) {
        let free = |term: TermId| !self.pool.support(term).contains(input);
        system.equations.retain(|&(a, b)| free(a) && free(b));
        system.pieces.retain(|piece| free(piece.whole) && free(piece.value));
        system.conditions.retain(|&term| free(term));
    }

    fn evaluate(&self, function: TermId, input: VarId, value: u8) -> u64 {
        let assignment = |var: VarId| if var == input { value } else { 0 };
        self.pool.eval_u64(function, &assignment)
    }

    /// Replaces an input that decides one value, and nothing else, by the set of the values that it can
    /// lead to.
    fn settle_by_image(
        &self,
        system: &mut System,
        input: VarId,
        domain: &[u8],
        uses: &InputUses,
    ) -> bool {
        let &[(function, value)] = uses.functions.as_slice() else { return false };
        let is_small = self.limits.expansion_max >= TABLE_NODES && self.pool.width(function) <= 64;
        if !is_small || !uses.mixed.is_empty() {
            return false;
        }
        let image = domain.iter().map(|&at| self.evaluate(function, input, at));
        let is_member = is_member(self.pool, value, image.collect());
        self.forget(system, input);
        self.add_condition(system, is_member);
        true
    }

    /// Replaces an input by the inverse of a function of it, where the function has one.
    fn settle_by_inverse(
        &self,
        system: &mut System,
        input: VarId,
        domain: &[u8],
        uses: &InputUses,
    ) -> bool {
        let pool = self.pool;
        if self.limits.expansion_max < TABLE_NODES {
            return false;
        }
        for &(function, value) in &uses.functions {
            let width = pool.width(function);
            if width > 64 {
                continue;
            }
            for low in (0..width).step_by(8) {
                let cut = (width - low).min(8);
                let window = |at: u8| (self.evaluate(function, input, at) >> low) as u8;
                let Some(inverse) = inverse_table(domain, cut, &window) else { continue };
                let key = pool.extract(value, low, cut);
                let found = pool.select(pool.const_array(&inverse), pool.zext(key, 64));
                // A key outside of the image leads to some value, for which the function is another one.
                self.substitute(system, &|var| (var == input).then_some(found));
                return true;
            }
        }
        false
    }

    /// Replaces an input that meets no other input by a choice among all of its values.
    fn settle_by_expansion(
        &self,
        system: &mut System,
        input: VarId,
        domain: &[u8],
        uses: &InputUses,
    ) -> bool {
        let pool = self.pool;
        let mut terms = uses.mixed.clone();
        terms.extend(uses.functions.iter().map(|&(function, value)| pool.eq(function, value)));
        let size: usize = terms.iter().map(|&term| pool.tree_size(term) as usize).sum();
        let is_alone = terms.iter().all(|&term| self.inputs_of(term).len() == 1);
        if !is_alone || size * domain.len() > self.limits.expansion_max {
            return false;
        }
        let choices = domain.iter().map(|&value| {
            let value = pool.constant(8, u64::from(value));
            let replace = |var: VarId| (var == input).then_some(value);
            let parts = terms.iter().map(|&term| pool.substitute(term, &replace));
            parts.fold(pool.bool(true), |all, part| pool.and(all, part))
        });
        let choice = choices.fold(pool.bool(false), |any, choice| pool.or(any, choice));
        self.forget(system, input);
        self.add_condition(system, choice);
        true
    }
}

/// The inverse of a function on a domain, if its values there, of `bits` bits, all differ.
fn inverse_table(domain: &[u8], bits: u32, function: &dyn Fn(u8) -> u8) -> Option<[u8; 256]> {
    let mask = u8::MAX >> (8 - bits);
    let (mut inverse, mut is_taken) = ([0; 256], [false; 256]);
    for &at in domain {
        let value = usize::from(function(at) & mask);
        if std::mem::replace(&mut is_taken[value], true) {
            return None;
        }
        inverse[value] = at;
    }
    Some(inverse)
}

/// The condition that a term of at most 64 bits has one of these values.
fn is_member(pool: &Pool, term: TermId, mut values: Vec<u64>) -> TermId {
    let width = pool.width(term);
    values.sort_unstable();
    values.dedup();
    if width > 8 {
        let equal = |&value: &u64| pool.eq(term, pool.constant(width, value));
        return values.iter().map(equal).fold(pool.bool(false), |any, one| pool.or(any, one));
    }
    // A decision diagram over the bits of the term, the lowest bit at the leaves: sets with structure, such
    // as ranges and even numbers, give small terms.
    let mut level: Vec<TermId> =
        (0..1 << width).map(|value| pool.bool(values.binary_search(&value).is_ok())).collect();
    for bit in 0..width {
        let bit = pool.extract(term, bit, 1);
        level = level.chunks(2).map(|pair| pool.ite(bit, pair[1], pair[0])).collect();
    }
    level[0]
}
