//! Splitting: alternatives of a system, one for each side of a choice inside it.
//!
//! A choice stands in the way of every inversion: `m = (c ? x + 1 : x - 1)` can be solved for `x` on each
//! side, and not before. The sides exclude each other and cover everything, so this is exact, too.

use everett_base::Set;
use everett_expr::{BinOp, TermId, TermNode};

use super::{Elimination, System};

/// The most values of an input that become alternatives.
const VALUES_MAX: usize = 16;
/// The most nodes that are searched for a choice.
const SEARCH_MAX: usize = 1024;

impl Elimination<'_> {
    /// The alternatives of a system that still has inputs; `None` if there is nothing to split, or if there
    /// would be more than `room` of them.
    pub(super) fn split(&self, system: &System, room: usize) -> Option<Vec<System>> {
        let inputs = self.all_inputs(system);
        if inputs.is_empty() || room < 2 {
            return None;
        }
        if let Some(choice) = self.find_choice(system) {
            return Some([true, false].map(|side| self.take_side(system, choice, side)).into());
        }
        let domains = inputs.iter().map(|&input| (self.domain(system, input), input));
        let (domain, input) = domains.min_by_key(|(domain, input)| (domain.len(), *input))?;
        if domain.len() > room.min(VALUES_MAX) {
            return None;
        }
        let alternatives = domain.iter().map(|&value| {
            let value = self.pool.constant(8, u64::from(value));
            let mut alternative = system.clone();
            self.substitute(&mut alternative, &|var| (var == input).then_some(value));
            alternative
        });
        Some(alternatives.collect())
    }

    /// A condition that a term with inputs depends on as a choice.
    fn find_choice(&self, system: &System) -> Option<TermId> {
        let pool = self.pool;
        let mut stack = self.terms(system);
        stack.retain(|&term| !self.is_given(term));
        stack.reverse();
        let mut seen: Set<TermId> = Set::default();
        while let Some(term) = stack.pop() {
            if !seen.insert(term) {
                continue;
            }
            if seen.len() > SEARCH_MAX {
                return None;
            }
            match pool.node(term) {
                TermNode::Ite(choice, ..) => return Some(choice),
                TermNode::Binary(BinOp::Or, choice, _) if pool.width(term) == 1 => {
                    return Some(choice);
                }
                _ => pool.for_each_operand(term, |operand| {
                    if !self.is_given(operand) {
                        stack.push(operand);
                    }
                }),
            }
        }
        None
    }

    fn take_side(&self, system: &System, choice: TermId, side: bool) -> System {
        let pool = self.pool;
        let value = pool.bool(side);
        let replace = |term| pool.replace(term, &|part| (part == choice).then_some(value));
        let mut taken = System::default();
        for &(a, b) in &system.equations {
            taken.equations.push((replace(a), replace(b)));
        }
        for piece in &system.pieces {
            let part = pool.extract(replace(piece.whole), piece.low, pool.width(piece.value));
            taken.equations.push((part, replace(piece.value)));
        }
        for &condition in &system.conditions {
            self.add_condition(&mut taken, replace(condition));
        }
        self.add_condition(&mut taken, if side { choice } else { pool.not(choice) });
        taken
    }
}
