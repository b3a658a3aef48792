//! Conditions and faults that travel with messages, numbered: [`Constraints`].

use std::sync::{Arc, Mutex, PoisonError};

use everett_base::hash::Map;
use everett_expr::TermId;
use everett_world::Carried;

use crate::state::node_state::Spent;

/// What travels with messages, numbered; shared by all workers.
#[derive(Default)]
pub(crate) struct Constraints {
    sets: boxcar::Vec<Arc<Baggage>>,
    numbers: Mutex<Map<Arc<Baggage>, u32>>,
}

/// What travels with a message, besides the message.
#[derive(Default, PartialEq, Eq, Hash)]
pub(crate) struct Baggage {
    /// Constraints that the receiver takes over.
    pub(crate) terms: Vec<TermId>,
    /// Faults that have happened, which leave fewer to the receiver.
    pub(crate) spent: Vec<Spent>,
}

impl Constraints {
    /// The number of what travels with a message.
    pub(crate) fn number(&self, baggage: Baggage) -> Carried {
        if baggage.terms.is_empty() && baggage.spent.is_empty() {
            return Carried::NOTHING;
        }
        let mut numbers = self.numbers.lock().unwrap_or_else(PoisonError::into_inner);
        let number = numbers.entry(Arc::new(baggage)).or_insert_with_key(|baggage| {
            // Zero stands for nothing.
            self.sets.push(baggage.clone()) as u32 + 1
        });
        Carried(*number)
    }

    fn baggage(&self, carried: Carried) -> Option<&Baggage> {
        self.sets.get((carried.0 as usize).checked_sub(1)?).map(|baggage| &**baggage)
    }

    /// The constraints of a number.
    pub(crate) fn get(&self, carried: Carried) -> &[TermId] {
        self.baggage(carried).map_or(&[], |baggage| &baggage.terms)
    }

    /// The faults of a number.
    pub(crate) fn spent(&self, carried: Carried) -> &[Spent] {
        self.baggage(carried).map_or(&[], |baggage| &baggage.spent)
    }
}
