//! Conditions and faults that travel with messages, numbered: [`TravellingConditions`].

use std::sync::{Arc, Mutex, PoisonError};

use everett_base::hash::Map;
use everett_expr::TermId;
use everett_world::CarriedConstraints;

use crate::state::node_state::SpentBudget;

/// The table of all that travels with messages, numbered; shared by all workers.
#[derive(Default)]
pub(crate) struct TravellingConditions {
    sets: boxcar::Vec<Arc<MessageBaggage>>,
    numbers: Mutex<Map<Arc<MessageBaggage>, u32>>,
}

/// Conditions and faults that travel with a message.
#[derive(Default, PartialEq, Eq, Hash)]
pub(crate) struct MessageBaggage {
    /// Constraints that the receiver takes over.
    pub(crate) terms: Vec<TermId>,
    /// Faults that have happened, which leave fewer to the receiver.
    pub(crate) spent: Vec<SpentBudget>,
}

everett_base::portable!(struct MessageBaggage { terms, spent });

impl TravellingConditions {
    /// The number of what travels with a message.
    pub(crate) fn number(&self, baggage: MessageBaggage) -> CarriedConstraints {
        if baggage.terms.is_empty() && baggage.spent.is_empty() {
            return CarriedConstraints::NOTHING;
        }
        let mut numbers = self.numbers.lock().unwrap_or_else(PoisonError::into_inner);
        let number = numbers.entry(Arc::new(baggage)).or_insert_with_key(|baggage| {
            // Zero stands for nothing.
            self.sets.push(baggage.clone()) as u32 + 1
        });
        CarriedConstraints(*number)
    }

    /// All that a number stands for.
    pub(crate) fn baggage(&self, carried: CarriedConstraints) -> &MessageBaggage {
        static NOTHING: MessageBaggage = MessageBaggage { terms: Vec::new(), spent: Vec::new() };
        let number = (carried.0 as usize).checked_sub(1);
        number.and_then(|number| self.sets.get(number)).map_or(&NOTHING, |baggage| baggage)
    }

    /// The constraints of a number.
    pub(crate) fn get(&self, carried: CarriedConstraints) -> &[TermId] {
        &self.baggage(carried).terms
    }

    /// The faults of a number.
    pub(crate) fn spent(&self, carried: CarriedConstraints) -> &[SpentBudget] {
        &self.baggage(carried).spent
    }
}
