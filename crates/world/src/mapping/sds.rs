//! Super-dstates: a state is in as many dstates as need it, and is copied only when it gets
//! different things in them.

use std::hash::Hash;

use super::{Mapping, Part, begin_with, branch_within};
use crate::many::Many;
use crate::many::table::{Member, Slot};
use crate::{DStateId, Host, StateId};

/// The mapping that shares everything.
pub(crate) struct Sds;

impl Mapping for Sds {
    fn begin<E: Clone + Eq + Hash, H: Host<Event = E>>(
        &self,
        many: &mut Many<E>,
        _host: &mut H,
        members: Vec<Vec<Member<E>>>,
    ) {
        begin_with(many, members);
    }

    fn branched<E: Clone + Eq + Hash, H: Host<Event = E>>(
        &self,
        many: &mut Many<E>,
        _host: &mut H,
        parent: Slot,
        child: StateId,
    ) {
        branch_within(many, parent, child);
    }

    fn apart<E: Clone + Eq + Hash, H: Host<Event = E>>(
        &self,
        _many: &mut Many<E>,
        _host: &mut H,
        _dstate: DStateId,
        _parts: &mut [Part],
    ) {
    }
}
