//! The allocator: `malloc` and its relatives.

use everett_expr::TermId;
use everett_interp::{
    AccessPurpose, Flow, Halt, Omission, Reg, SiblingCourse, Stop, ValueUse, byte_count,
};
use everett_memory::{AllocRequest, ObjectKind};
use everett_posix::{FaultKind, FaultOffer, Guest, Kernel};

use super::Primitives;
use super::call::PrimitiveCall;
use crate::state::node_state::{Interpreter, PathState};

/// Alignment of what `malloc` returns.
const DEFAULT_ALIGN: u64 = 16;
/// Errors of the allocator.
const EINVAL: u32 = 22;
const ENOMEM: u32 = 12;
/// Where `errno` is behind the thread pointer, which `runtime-c/port/src/start.c` asserts.
const ERRNO_OFFSET: u64 = 52;
/// Sizes that are worth trying for an allocation of unknown size, besides the extremes.
const USEFUL_SIZES: [u64; 4] = [16, 64, 256, 4096];

impl Primitives {
    pub(super) fn malloc(&mut self, call: &mut PrimitiveCall<'_, '_>) -> Result<Flow, Halt> {
        let size = call.arg(0);
        self.allocate(call, size, DEFAULT_ALIGN, false)
    }

    /// `new`: without memory for the object, a function of the C++ runtime throws in its place.
    pub(super) fn new_objects(
        &mut self,
        call: &mut PrimitiveCall<'_, '_>,
        thrower: &str,
    ) -> Result<Flow, Halt> {
        let size = call.arg(0);
        let size = self.choose_size(call, size)?;
        let fail = |cx: &mut Interpreter<'_>, st: &mut PathState| match cx
            .image
            .program
            .function_named(thrower)
        {
            Some(failed) => cx.enter_instead(st, failed, &[Reg::word(size)]),
            None => cx.complete_call(st, Reg::word(0)),
        };
        self.offer_failure(call, size, fail)?;
        match self.new_object(call.cx, call.st, size, DEFAULT_ALIGN, false) {
            Some(address) => call.returns(Reg::word(address)),
            None => {
                fail(call.cx, call.st);
                Ok(Flow::Enter)
            }
        }
    }

    pub(super) fn calloc(&mut self, call: &mut PrimitiveCall<'_, '_>) -> Result<Flow, Halt> {
        let size = match (call.arg(0).as_word(), call.arg(1).as_word()) {
            (Some(n), Some(size)) => Reg::word(n.saturating_mul(size)),
            _ => {
                let (n, size) =
                    (call.cx.reg_term(call.arg(0), 64), call.cx.reg_term(call.arg(1), 64));
                call.cx.term_reg(product(call.cx, n, size))
            }
        };
        self.allocate(call, size, DEFAULT_ALIGN, true)
    }

    pub(super) fn memalign(&mut self, call: &mut PrimitiveCall<'_, '_>) -> Result<Flow, Halt> {
        let align = call.settle_size(0)?;
        if !align.is_power_of_two() {
            set_errno(call.st, EINVAL);
            return call.returns(Reg::word(0));
        }
        let size = call.arg(1);
        self.allocate(call, size, align, false)
    }

    pub(super) fn posix_memalign(
        &mut self,
        call: &mut PrimitiveCall<'_, '_>,
    ) -> Result<Flow, Halt> {
        let align = call.settle_size(1)?;
        let size = call.settle_size(2)?;
        if !align.is_power_of_two() || !align.is_multiple_of(8) {
            return call.returns(Reg::word(EINVAL.into()));
        }
        self.offer_failure(call, size, returning(ENOMEM.into()))?;
        let Some(address) = self.new_object(call.cx, call.st, size, align, false) else {
            return call.returns(Reg::word(ENOMEM.into()));
        };
        call.cx.write_word(call.st, call.arg(0), 8, address)?;
        call.returns(Reg::word(0))
    }

    fn allocate(
        &mut self,
        call: &mut PrimitiveCall<'_, '_>,
        size: Reg,
        align: u64,
        zeroed: bool,
    ) -> Result<Flow, Halt> {
        let size = self.choose_size(call, size)?;
        self.offer_failure(call, size, returning(0))?;
        let address = self.new_object(call.cx, call.st, size, align, zeroed).unwrap_or(0);
        call.returns(Reg::word(address))
    }

    /// A new object, or `None` if there is no memory for it.
    pub(super) fn new_object(
        &mut self,
        cx: &Interpreter<'_>,
        st: &mut PathState,
        size: u64,
        align: u64,
        zeroed: bool,
    ) -> Option<u64> {
        if !fits(cx, st, size, 0) {
            self.lack_memory(cx, st);
            return None;
        }
        let site = cx.image.site(st.pc());
        let request = AllocRequest {
            zeroed,
            ..AllocRequest::new(size, ObjectKind::Heap, site).aligned(align).undefined()
        };
        st.mem.alloc_with(request).ok()
    }

    /// An allocation fails.
    fn lack_memory(&mut self, cx: &Interpreter<'_>, st: &mut PathState) {
        self.kernel.note_no_memory(cx, st);
        set_errno(st, ENOMEM);
    }

    /// Offers that an allocation that would succeed fails. A path on which it does leaves its call by `fail`.
    fn offer_failure(
        &mut self,
        call: &mut PrimitiveCall<'_, '_>,
        size: u64,
        fail: impl Fn(&mut Interpreter<'_>, &mut PathState),
    ) -> Result<(), Flow> {
        let is_possible = call.st.extra.node().faults().is_possible(FaultKind::Malloc);
        if !is_possible || !fits(call.cx, call.st, size, 0) || !Kernel::is_blamed(call.cx, call.st)
        {
            return Ok(());
        }
        let what = |_| format!("an allocation of {} fails", byte_count(size));
        let kind = FaultKind::Malloc;
        let (of_call, passed_over) = (true, false);
        let offer = FaultOffer { kind, choices: &[1], of_call, passed_over, what: &what, links: 0 };
        let prepare = |cx: &mut Interpreter<'_>, sibling: &mut PathState, _| {
            set_errno(sibling, ENOMEM);
            fail(cx, sibling);
            SiblingCourse::On
        };
        if self.kernel.offer(call.cx, call.st, None, &offer, prepare)? == 0 {
            return Ok(());
        }
        self.lack_memory(call.cx, call.st);
        fail(call.cx, call.st);
        Err(Flow::Enter)
    }

    /// Makes a symbolic size concrete, forking over sizes worth trying: all of them when they are
    /// few; else the least, some round ones, the greatest, and one too large to succeed.
    fn choose_size(&mut self, call: &mut PrimitiveCall<'_, '_>, size: Reg) -> Result<u64, Stop> {
        let size = call.cx.use_reg(call.st, size, ValueUse::Amount);
        let Some(term) = size.term() else { return Ok(size.bits()) };
        let max = call.cx.config.max_allocation;
        let too_large = call.cx.pool.ugt(term, call.cx.pool.constant(64, max));
        if call.st.path.is_always(call.cx.solver, call.cx.pool, too_large)? {
            return Ok(u64::MAX);
        }
        if call.cx.split_sibling(call.st, too_large)? {
            return Ok(u64::MAX);
        }
        let (values, complete) =
            call.cx.feasible_values(call.st, term, call.cx.config.max_sizes)?;
        if complete {
            return call.cx.fork_over(call.st, size, call.cx.config.max_sizes);
        }
        call.cx.omit(call.st, Omission::AllocationSizes);
        drop(values);
        let least = call.st.path.min_value(call.cx.solver, call.cx.pool, term)?.low_u64();
        let greatest = call.st.path.max_value(call.cx.solver, call.cx.pool, term)?.low_u64();
        let mut sizes: Vec<u64> =
            USEFUL_SIZES.into_iter().filter(|s| *s > least && *s < greatest).collect();
        sizes.push(greatest);
        for candidate in sizes {
            let equal = call.cx.pool.eq(term, call.cx.pool.constant(64, candidate));
            if call.cx.split_sibling(call.st, equal)? {
                return Ok(candidate);
            }
        }
        let equal = call.cx.pool.eq(term, call.cx.pool.constant(64, least));
        call.st.path.assume(call.cx.solver, call.cx.pool, equal)?;
        Ok(least)
    }

    pub(super) fn realloc(&mut self, call: &mut PrimitiveCall<'_, '_>) -> Result<Flow, Halt> {
        let address = call.settle(0)?;
        let size = call.arg(1);
        let size = self.choose_size(call, size)?;
        if address == 0 {
            self.offer_failure(call, size, returning(0))?;
            let new = self.new_object(call.cx, call.st, size, DEFAULT_ALIGN, false).unwrap_or(0);
            return call.returns(Reg::word(new));
        }
        let site = call.cx.image.site(call.st.pc());
        if size == 0 {
            return self.free_address(call, address);
        }
        let old = match call.st.mem.check_free(address) {
            Ok(old) => old.object.size,
            Err(fault) => return Err(call.cx.fault(&fault, AccessPurpose::Write).into()),
        };
        if !fits(call.cx, call.st, size, old) {
            self.lack_memory(call.cx, call.st);
            return call.returns(Reg::word(0));
        }
        self.offer_failure(call, size, returning(0))?;
        match call.st.mem.realloc(call.cx.pool, address, size, site) {
            Ok(new) => {
                if new.is_ok() {
                    call.cx.log_access(call.st, address, old, true);
                }
                call.returns(Reg::word(new.unwrap_or(0)))
            }
            Err(fault) => Err(call.cx.fault(&fault, AccessPurpose::Write).into()),
        }
    }

    pub(super) fn free(&mut self, call: &mut PrimitiveCall<'_, '_>) -> Result<Flow, Halt> {
        let address = call.settle(0)?;
        self.free_address(call, address)
    }

    fn free_address(
        &mut self,
        call: &mut PrimitiveCall<'_, '_>,
        address: u64,
    ) -> Result<Flow, Halt> {
        call.set_result(Reg::word(0));
        if address == 0 {
            return Ok(Flow::Next);
        }
        let site = call.cx.image.site(call.st.pc());
        match call.st.mem.free(address, site) {
            Ok(object) => {
                // Whoever accesses the object without any order to this may come later.
                call.cx.log_access(call.st, address, object.size, true);
                Ok(Flow::Next)
            }
            Err(fault) => Err(call.cx.fault(&fault, AccessPurpose::Write).into()),
        }
    }
}

/// Ends a call that allocates and cannot.
fn returning(value: u64) -> impl Fn(&mut Interpreter<'_>, &mut PathState) {
    move |cx, st| cx.complete_call(st, Reg::word(value))
}

/// Sets `errno` of the running thread, if the program has a C library.
fn set_errno(st: &mut PathState, error: u32) {
    if st.thread_pointer != 0 {
        let place = st.thread_pointer + ERRNO_OFFSET;
        // Nobody can look at what is not there.
        let _ = st.mem.write_bytes(place, &error.to_le_bytes());
    }
}

/// Returns `true` if there is memory for an object of this size, if `given_back` bytes are freed for it.
fn fits(cx: &Interpreter<'_>, st: &mut PathState, size: u64, given_back: u64) -> bool {
    if size > cx.config.max_allocation {
        return false;
    }
    let Some(most) = st.extra.node().faults().config().heap_bytes else { return true };
    // Only who limits the heap pays for its size.
    let held: u64 = st.mem.heap_objects().map(|object| object.object.size).sum();
    size <= most.saturating_sub(held.saturating_sub(given_back))
}

/// The product of two sizes, or the largest number where it does not fit.
fn product(cx: &Interpreter<'_>, n: TermId, size: TermId) -> TermId {
    let pool = cx.pool;
    let wide = pool.mul(pool.zext(n, 128), pool.zext(size, 128));
    let high = pool.extract(wide, 64, 64);
    let fits = pool.eq(high, pool.constant(64, 0));
    pool.ite(fits, pool.extract(wide, 0, 64), pool.constant(64, u64::MAX))
}
