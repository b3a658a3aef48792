//! Remembers models that were found lately, to try them before solving.
//!
//! The last few models are kept for each group of eight bytes that they give values to. A query
//! tries those of its first byte, laid over the path's own model: sibling paths often want what
//! another path has just found.

use std::sync::Arc;

use everett_base::Map;
use everett_expr::{Assignment, Pool, TermId};
use smallvec::SmallVec;

use crate::backend::collect_vars;
use crate::model::{Model, ModelOverlay, PersistentModel};

/// Models kept for a group of bytes.
const KEPT: usize = 8;
/// A model with more groups is filed under its first ones only.
const FILED_MAX: usize = 16;
/// Groups of bytes that models are kept for.
const GROUPS_MAX: usize = 1 << 14;

/// The last models that give values to one group of bytes.
#[derive(Default)]
struct ModelRing {
    models: SmallVec<[Arc<Model>; KEPT]>,
    oldest: u8,
}

/// The models found lately.
#[derive(Default)]
pub(crate) struct RecentModels {
    rings: Map<usize, ModelRing>,
}

impl RecentModels {
    pub(crate) fn insert(&mut self, model: &Arc<Model>) {
        if self.rings.len() > GROUPS_MAX {
            self.rings.clear();
        }
        for group in model.groups().take(FILED_MAX) {
            let ring = self.rings.entry(group).or_default();
            if ring.models.len() < KEPT {
                ring.models.push(model.clone());
            } else {
                ring.models[ring.oldest as usize] = model.clone();
                ring.oldest = (ring.oldest + 1) % KEPT as u8;
            }
        }
    }

    /// Returns values for all bytes of the query and its slice that satisfy both. Newer models are tried
    /// first; each is evaluated, so a model that does not fit is never an answer.
    pub(crate) fn find(
        &self,
        pool: &Pool,
        path: &PersistentModel,
        slice: &[TermId],
        query: TermId,
    ) -> Option<Model> {
        let first = pool.support(query).iter().next()?;
        let ring = self.rings.get(&Model::group_of(first))?;
        let (after, before) = ring.models.split_at(ring.oldest as usize);
        let mut newest_first = after.iter().rev().chain(before.iter().rev());
        let fits = newest_first.find(|model| {
            let values = ModelOverlay { top: model, base: path };
            // Constraints added last are the likeliest to fail.
            let holds = |&term: &TermId| pool.eval_u64(term, &values) == 1;
            holds(&query) && slice.iter().rev().all(holds)
        })?;
        // Neither more bytes than the slice has, which belong to other constraints, nor fewer,
        // since another path may find this model in the cache of whole queries.
        let values = ModelOverlay { top: fits, base: path };
        let vars = collect_vars(pool, slice).into_iter().chain(pool.support(query).iter());
        Some(Model::new(vars.map(|var| (var, values.byte(var)))))
    }
}
