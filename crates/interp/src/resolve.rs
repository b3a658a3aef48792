//! From a pointer to the object it points into.
//!
//! A concrete pointer needs no solver. A symbolic one is usually the address of a known object
//! plus an unknown offset; then every path that leaves the object is a bug, whatever else it might
//! happen to hit. Only where no object can be told from the pointer (a choice between pointers, a
//! table of them) does the path fork over all objects that it can point into. Siblings execute the
//! same op again, with a path condition under which the object is known.

use everett_expr::{BinOp, TermId, TermNode};
use everett_memory::{AddressResolution, GuardState, MemoryFault, ObjRef};
use everett_solver::PathCondition;

use crate::bug::text::AccessPurpose;
use crate::error::Stop;
use crate::flow::{Flow, Halt, PathEnding, SiblingCourse};
use crate::interp::{Interp, SplitOutcome};
use crate::omission::Omission;
use crate::state::State;
use crate::state::reg::Reg;
use crate::undefined::ValueUse;

/// An access to memory: `bytes` bytes at `pointer + off`.
#[derive(Clone, Copy, Debug)]
pub struct MemoryAccess {
    /// The pointer, which may be symbolic.
    pub pointer: Reg,
    /// Distance from it in bytes.
    pub off: i64,
    /// The number of bytes.
    pub bytes: u64,
    /// The direction.
    pub purpose: AccessPurpose,
}

impl MemoryAccess {
    /// An access to what a pointer points to.
    pub fn new(pointer: Reg, bytes: u64, purpose: AccessPurpose) -> MemoryAccess {
        MemoryAccess { pointer, off: 0, bytes, purpose }
    }

    /// The same, `off` bytes further.
    pub fn at(self, off: i64) -> MemoryAccess {
        MemoryAccess { off, ..self }
    }
}

/// The place that an access goes to.
#[derive(Clone, Copy, Debug)]
pub enum AccessTarget {
    /// At a known address, which need not be valid: nobody has checked it yet.
    Known(u64),
    /// Inside a known object, at an offset that keeps all bytes inside.
    Within {
        /// The object.
        object: ObjRef,
        /// Offset in bytes, 64 bits wide.
        offset: TermId,
    },
}

/// Objects that are considered one by one when nothing narrows a pointer down.
const MAX_CANDIDATES: usize = 4096;

/// Objects that a pointer may fork over whose values can be listed: those of a large table of pointers.
const MAX_LISTED_TARGETS: usize = 1024;

/// Values outside of all objects that a pointer may have before its values are no longer listed.
const MAX_STRAYS: usize = 4;

impl<X: Clone> Interp<'_, X> {
    /// Finds the object that an access goes to.
    pub fn locate(
        &mut self,
        st: &mut State<X>,
        access: MemoryAccess,
    ) -> Result<AccessTarget, Halt> {
        let spot = self.locate_object(st, access)?;
        if let AccessTarget::Within { object, offset } = spot
            && object.object.guarded != GuardState::Unguarded
        {
            self.require_rights(st, object, offset, access)?;
        }
        if st.watch().is_some() {
            let (address, bytes) = match spot {
                AccessTarget::Known(address) => (address, access.bytes),
                AccessTarget::Within { object, .. } => (object.base, object.object.size),
            };
            self.log_access(st, address, bytes, access.purpose == AccessPurpose::Write);
        }
        Ok(spot)
    }

    /// Lets only those paths go on that access parts of an object which allow it.
    fn require_rights(
        &mut self,
        st: &mut State<X>,
        object: ObjRef,
        offset: TermId,
        access: MemoryAccess,
    ) -> Result<(), Halt> {
        let MemoryAccess { bytes, purpose, .. } = access;
        let write = purpose == AccessPurpose::Write;
        let mut spans: Vec<(u64, u64)> = Vec::new();
        for (from, to, rights) in st.mem.parts(object) {
            if !rights.allow(write) {
                continue;
            }
            match spans.last_mut() {
                Some((_, end)) if *end == from => *end = to,
                _ => spans.push((from, to)),
            }
        }
        let pool = self.pool;
        let allowed = spans.iter().filter(|(from, to)| to - from >= bytes);
        let allowed = allowed.fold(pool.bool(false), |any, (from, to)| {
            let distance = pool.sub(offset, pool.constant(64, *from));
            pool.or(any, pool.ule(distance, pool.constant(64, to - from - bytes)))
        });
        self.require(st, allowed, |this, bad| {
            let address = object.base + this.example(bad, offset);
            let checked = match purpose {
                AccessPurpose::Read => bad.mem.check(address, bytes),
                AccessPurpose::Write => bad.mem.check_write(address, bytes),
            };
            let fault =
                checked.err().unwrap_or(MemoryFault::OutOfBounds { address, bytes, object });
            this.image.bug_of(&fault, purpose)
        })
    }

    fn locate_object(
        &mut self,
        st: &mut State<X>,
        access: MemoryAccess,
    ) -> Result<AccessTarget, Halt> {
        let MemoryAccess { pointer, off, bytes, purpose } = access;
        let Some(term) = pointer.term() else {
            return Ok(AccessTarget::Known(pointer.bits().wrapping_add(off as u64)));
        };
        let term = self.use_term(st, term, ValueUse::Address);
        let address = self.pool.add(term, self.pool.constant(64, off as u64));
        let address = st.path.simplify_choices(self.pool, address);
        if let Some(known) = self.pool.as_const(address) {
            return Ok(AccessTarget::Known(known));
        }
        if let Some(object) = self.base_object(st, address) {
            let inside = self.inside(&object, address, bytes);
            self.require(st, inside, |this, bad| {
                let address = this.example(bad, address);
                this.image.bug_of(&MemoryFault::OutOfBounds { address, bytes, object }, purpose)
            })?;
            return Ok(self.within(object, address));
        }
        self.locate_among(st, address, bytes, purpose)
    }

    fn within(&self, object: ObjRef, address: TermId) -> AccessTarget {
        let offset = self.pool.sub(address, self.pool.constant(64, object.base));
        AccessTarget::Within { object, offset }
    }

    /// The object whose address is a summand of the pointer, if there is exactly one.
    pub(crate) fn base_object(&self, st: &State<X>, address: TermId) -> Option<ObjRef> {
        let mut found = None;
        let mut todo = vec![address];
        while let Some(term) = todo.pop() {
            match self.pool.node(term) {
                TermNode::Binary(BinOp::Add, a, b) => todo.extend([a, b]),
                _ => {
                    let Some(value) = self.pool.as_const(term) else { continue };
                    let object = match st.mem.resolve(value) {
                        AddressResolution::Live(object) | AddressResolution::Gap(object) => object,
                        _ => continue,
                    };
                    if found.replace(object).is_some() {
                        return None;
                    }
                }
            }
        }
        found
    }

    /// The condition that an access stays inside an object.
    fn inside(&self, object: &ObjRef, address: TermId, bytes: u64) -> TermId {
        let Some(last) = object.object.size.checked_sub(bytes) else {
            return self.pool.bool(false);
        };
        let offset = self.pool.sub(address, self.pool.constant(64, object.base));
        self.pool.ule(offset, self.pool.constant(64, last))
    }

    /// Forks over all objects that a pointer can point into.
    fn locate_among(
        &mut self,
        st: &mut State<X>,
        address: TermId,
        bytes: u64,
        purpose: AccessPurpose,
    ) -> Result<AccessTarget, Halt> {
        // Most such pointers have one target on this path, and the model knows which.
        let example = self.example(st, address);
        if let Ok(object) = st.mem.check(example, bytes) {
            let inside = self.inside(&object, address, bytes);
            if st.path.is_always(self.solver, self.pool, inside)? {
                return Ok(self.within(object, address));
            }
        }
        let (objects, complete) = self.targets(st, address, bytes)?;
        for object in &objects {
            let inside = self.inside(object, address, bytes);
            match self.split_off(st, inside)? {
                SplitOutcome::Never => {}
                SplitOutcome::Always => return Ok(self.within(*object, address)),
                // The sibling comes back to this op, and finds its one object.
                SplitOutcome::Both(sibling) => self.add_sibling(sibling, SiblingCourse::Again),
            }
        }
        if !complete {
            return Err(Stop::TooManyTargets.into());
        }
        let example = self.example(st, address);
        let fault = match st.mem.check(example, bytes) {
            Err(fault) => fault,
            Ok(_) => unreachable!("every object that the pointer can be in was split off"),
        };
        let bug = self.image.bug_of(&fault, purpose);
        Err(Flow::End(PathEnding::Bug(Box::new(bug))).into())
    }

    /// Live objects that a pointer can point into, in address order; the flag says whether these
    /// are all.
    fn targets(
        &mut self,
        st: &mut State<X>,
        address: TermId,
        bytes: u64,
    ) -> Result<(Vec<ObjRef>, bool), Stop> {
        let mut path = st.path.clone();
        let mut found = Vec::new();
        let complete = match self.targets_by_value(st, &mut path, address, bytes, &mut found)? {
            Some(complete) => complete,
            None => self.targets_by_object(st, &mut path, address, bytes, &mut found)?,
        };
        found.sort_unstable_by_key(|object: &ObjRef| object.base);
        Ok((found, complete))
    }

    /// Follows the values of a pointer, one in each object. A pointer out of a table has few of them
    /// however many objects there are. Returns `None` for a pointer that mostly leads nowhere.
    fn targets_by_value(
        &mut self,
        st: &State<X>,
        path: &mut PathCondition,
        address: TermId,
        bytes: u64,
        found: &mut Vec<ObjRef>,
    ) -> Result<Option<bool>, Stop> {
        let mut strays = 0;
        while found.len() < MAX_LISTED_TARGETS {
            let example = self.pool.eval_u64(address, path.model());
            let here = match st.mem.check(example, bytes) {
                Ok(object) => {
                    found.push(object);
                    self.inside(&object, address, bytes)
                }
                Err(_) if strays == MAX_STRAYS => return Ok(None),
                Err(_) => {
                    strays += 1;
                    self.pool.eq(address, self.pool.constant(64, example))
                }
            };
            if !path.assume(self.solver, self.pool, self.pool.not(here))? {
                return Ok(Some(true));
            }
        }
        Ok(Some(false))
    }

    /// Looks through the objects in the range of a pointer for further ones that it can point into.
    fn targets_by_object(
        &mut self,
        st: &mut State<X>,
        path: &mut PathCondition,
        address: TermId,
        bytes: u64,
        found: &mut Vec<ObjRef>,
    ) -> Result<bool, Stop> {
        let range = self.pool.range(address);
        let (low, high) = range.map_or((0, u64::MAX), |range| (range.umin, range.umax));
        let is_new = |object: &ObjRef| found.iter().all(|other| other.base != object.base);
        let objects = st.mem.objects_in(low, high).take(MAX_CANDIDATES + 1);
        let mut candidates: Vec<ObjRef> = objects.filter(is_new).collect();
        let too_many = candidates.len() + found.len() > MAX_CANDIDATES;
        candidates.truncate(MAX_CANDIDATES);
        loop {
            let any = candidates.iter().fold(self.pool.bool(false), |any, object| {
                self.pool.or(any, self.inside(object, address, bytes))
            });
            if !path.assume(self.solver, self.pool, any)? {
                return Ok(!too_many);
            }
            if found.len() >= self.config.max_targets {
                return Ok(false);
            }
            let example = self.pool.eval_u64(address, path.model());
            let hit = candidates.iter().position(|object| object.contains(example, bytes));
            let object = candidates.remove(hit.expect("the model is inside one of the candidates"));
            let inside = self.inside(&object, address, bytes);
            found.push(object);
            if !path.assume(self.solver, self.pool, self.pool.not(inside))? {
                return Ok(true);
            }
        }
    }

    /// Makes a symbolic value one of its feasible values, forking over all of them up to `limit`:
    /// siblings execute the same op again. The values beyond the limit are dropped and counted.
    pub fn fork_over(&mut self, st: &mut State<X>, value: Reg, limit: usize) -> Result<u64, Stop> {
        let Some(term) = value.term() else { return Ok(value.bits()) };
        let term = self.use_term(st, term, ValueUse::Amount);
        if let Some(known) = self.pool.as_const(term) {
            return Ok(known);
        }
        let (values, complete) = self.feasible_values(st, term, limit)?;
        if !complete {
            self.omit(st, Omission::Values);
        }
        let width = self.pool.width(term);
        let (last, others) = values.split_last().expect("a path has at least one value");
        for value in others {
            let equal = self.pool.eq(term, self.pool.constant(width, *value));
            match self.split_off(st, equal)? {
                SplitOutcome::Never => {}
                // Where the path cannot fork, it may be bound to any of the values.
                SplitOutcome::Always => return Ok(*value),
                SplitOutcome::Both(sibling) => self.add_sibling(sibling, SiblingCourse::Again),
            }
        }
        let equal = self.pool.eq(term, self.pool.constant(width, *last));
        st.path.assume(self.solver, self.pool, equal)?;
        Ok(*last)
    }
}
