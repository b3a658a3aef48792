//! The allocator: `malloc` and its relatives.

use everett_expr::TermId;
use everett_interp::{Args, Course, Flow, Omission, Purpose, Reg, Stop, byte_count};
use everett_memory::{Kind, Request};
use everett_posix::{FaultKind, Guest, Kernel, Offer};

use super::Primitives;
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
    pub(super) fn malloc(
        &mut self,
        cx: &mut Interpreter<'_>,
        st: &mut PathState,
        args: &Args<'_>,
    ) -> Result<Flow, Stop> {
        self.allocate(cx, st, args, args.get(0), DEFAULT_ALIGN, false)
    }

    /// `new`, which never returns a null pointer: that it throws is not offered.
    pub(super) fn new_objects(
        &mut self,
        cx: &mut Interpreter<'_>,
        st: &mut PathState,
        args: &Args<'_>,
    ) -> Result<Flow, Stop> {
        let size = self.choose_size(cx, st, args.get(0))?;
        let address = self.new_object(cx, st, size, DEFAULT_ALIGN, false).unwrap_or(0);
        cx.return_value(st, args, Reg::word(address));
        Ok(Flow::Next)
    }

    pub(super) fn calloc(
        &mut self,
        cx: &mut Interpreter<'_>,
        st: &mut PathState,
        args: &Args<'_>,
    ) -> Result<Flow, Stop> {
        let size = match (args.get(0).as_word(), args.get(1).as_word()) {
            (Some(n), Some(size)) => Reg::word(n.saturating_mul(size)),
            _ => {
                let (n, size) = (cx.reg_term(args.get(0), 64), cx.reg_term(args.get(1), 64));
                cx.term_reg(product(cx, n, size))
            }
        };
        self.allocate(cx, st, args, size, DEFAULT_ALIGN, true)
    }

    pub(super) fn memalign(
        &mut self,
        cx: &mut Interpreter<'_>,
        st: &mut PathState,
        args: &Args<'_>,
    ) -> Result<Flow, Stop> {
        let align = cx.fork_over(st, args.get(0), cx.config.max_sizes)?;
        if !align.is_power_of_two() {
            set_errno(st, EINVAL);
            cx.return_value(st, args, Reg::word(0));
            return Ok(Flow::Next);
        }
        self.allocate(cx, st, args, args.get(1), align, false)
    }

    pub(super) fn posix_memalign(
        &mut self,
        cx: &mut Interpreter<'_>,
        st: &mut PathState,
        args: &Args<'_>,
    ) -> Result<Flow, Stop> {
        let align = cx.fork_over(st, args.get(1), cx.config.max_sizes)?;
        let size = cx.fork_over(st, args.get(2), cx.config.max_sizes)?;
        if !align.is_power_of_two() || !align.is_multiple_of(8) {
            cx.return_value(st, args, Reg::word(EINVAL.into()));
            return Ok(Flow::Next);
        }
        if let Some(flow) = self.offer_failure(cx, st, args, size, ENOMEM.into()) {
            return Ok(flow);
        }
        let Some(address) = self.new_object(cx, st, size, align, false) else {
            cx.return_value(st, args, Reg::word(ENOMEM.into()));
            return Ok(Flow::Next);
        };
        if let Some(flow) = cx.write_word(st, args.get(0), 8, address)? {
            return Ok(flow);
        }
        cx.return_value(st, args, Reg::word(0));
        Ok(Flow::Next)
    }

    fn allocate(
        &mut self,
        cx: &mut Interpreter<'_>,
        st: &mut PathState,
        args: &Args<'_>,
        size: Reg,
        align: u64,
        zeroed: bool,
    ) -> Result<Flow, Stop> {
        let size = self.choose_size(cx, st, size)?;
        if let Some(flow) = self.offer_failure(cx, st, args, size, 0) {
            return Ok(flow);
        }
        let address = self.new_object(cx, st, size, align, zeroed).unwrap_or(0);
        cx.return_value(st, args, Reg::word(address));
        Ok(Flow::Next)
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
        let request = Request { zeroed, ..Request::new(size, Kind::Heap, site).aligned(align) };
        st.mem.alloc_with(request).ok()
    }

    /// An allocation fails.
    fn lack_memory(&mut self, cx: &Interpreter<'_>, st: &mut PathState) {
        self.kernel.note_no_memory(cx, st);
        set_errno(st, ENOMEM);
    }

    /// Offers that an allocation that would succeed fails and returns `failed`. `Some` if this path is
    /// one on which it does.
    fn offer_failure(
        &mut self,
        cx: &mut Interpreter<'_>,
        st: &mut PathState,
        args: &Args<'_>,
        size: u64,
        failed: u64,
    ) -> Option<Flow> {
        let is_possible = st.extra.node().faults().is_possible(FaultKind::Malloc);
        if !is_possible || !fits(cx, st, size, 0) || !Kernel::is_blamed(cx, st) {
            return None;
        }
        let what = |_| format!("an allocation of {} fails", byte_count(size));
        let kind = FaultKind::Malloc;
        let (of_call, passed_over) = (true, false);
        let offer = Offer { kind, choices: &[1], of_call, passed_over, what: &what, links: 0 };
        let prepare = |cx: &mut Interpreter<'_>, sibling: &mut PathState, _| {
            set_errno(sibling, ENOMEM);
            cx.complete_call(sibling, Reg::word(failed));
            Course::On
        };
        match self.kernel.offer(cx, st, None, &offer, prepare) {
            Ok(0) => None,
            Ok(_) => {
                self.lack_memory(cx, st);
                cx.return_value(st, args, Reg::word(failed));
                Some(Flow::Next)
            }
            Err(flow) => Some(flow),
        }
    }

    /// Makes a symbolic size concrete, forking over sizes worth trying: all of them when they are
    /// few; else the least, some round ones, the greatest, and one too large to succeed.
    fn choose_size(
        &mut self,
        cx: &mut Interpreter<'_>,
        st: &mut PathState,
        size: Reg,
    ) -> Result<u64, Stop> {
        let Some(term) = size.term() else { return Ok(size.bits()) };
        let max = cx.config.max_allocation;
        let too_large = cx.pool.ugt(term, cx.pool.constant(64, max));
        if st.path.is_always(cx.solver, cx.pool, too_large)? {
            return Ok(u64::MAX);
        }
        if cx.split_sibling(st, too_large)? {
            return Ok(u64::MAX);
        }
        let (values, complete) = cx.feasible_values(st, term, cx.config.max_sizes)?;
        if complete {
            return cx.fork_over(st, size, cx.config.max_sizes);
        }
        cx.omit(st, Omission::AllocationSizes);
        drop(values);
        let least = st.path.min_value(cx.solver, cx.pool, term)?.low_u64();
        let greatest = st.path.max_value(cx.solver, cx.pool, term)?.low_u64();
        let mut sizes: Vec<u64> =
            USEFUL_SIZES.into_iter().filter(|s| *s > least && *s < greatest).collect();
        sizes.push(greatest);
        for candidate in sizes {
            let equal = cx.pool.eq(term, cx.pool.constant(64, candidate));
            if cx.split_sibling(st, equal)? {
                return Ok(candidate);
            }
        }
        let equal = cx.pool.eq(term, cx.pool.constant(64, least));
        st.path.assume(cx.solver, cx.pool, equal)?;
        Ok(least)
    }

    pub(super) fn realloc(
        &mut self,
        cx: &mut Interpreter<'_>,
        st: &mut PathState,
        args: &Args<'_>,
    ) -> Result<Flow, Stop> {
        let address = cx.fork_over(st, args.get(0), cx.config.max_targets)?;
        let size = self.choose_size(cx, st, args.get(1))?;
        if address == 0 {
            if let Some(flow) = self.offer_failure(cx, st, args, size, 0) {
                return Ok(flow);
            }
            let new = self.new_object(cx, st, size, DEFAULT_ALIGN, false).unwrap_or(0);
            cx.return_value(st, args, Reg::word(new));
            return Ok(Flow::Next);
        }
        let site = cx.image.site(st.pc());
        if size == 0 {
            return self.free_address(cx, st, args, address);
        }
        let old = match st.mem.check_free(address) {
            Ok(old) => old.object.size,
            Err(fault) => return Ok(cx.fault(&fault, Purpose::Write)),
        };
        if !fits(cx, st, size, old) {
            self.lack_memory(cx, st);
            cx.return_value(st, args, Reg::word(0));
            return Ok(Flow::Next);
        }
        if let Some(flow) = self.offer_failure(cx, st, args, size, 0) {
            return Ok(flow);
        }
        match st.mem.realloc(cx.pool, address, size, site) {
            Ok(new) => {
                cx.return_value(st, args, Reg::word(new.unwrap_or(0)));
                Ok(Flow::Next)
            }
            Err(fault) => Ok(cx.fault(&fault, Purpose::Write)),
        }
    }

    pub(super) fn free(
        &mut self,
        cx: &mut Interpreter<'_>,
        st: &mut PathState,
        args: &Args<'_>,
    ) -> Result<Flow, Stop> {
        let address = cx.fork_over(st, args.get(0), cx.config.max_targets)?;
        self.free_address(cx, st, args, address)
    }

    fn free_address(
        &mut self,
        cx: &mut Interpreter<'_>,
        st: &mut PathState,
        args: &Args<'_>,
        address: u64,
    ) -> Result<Flow, Stop> {
        cx.return_value(st, args, Reg::word(0));
        if address == 0 {
            return Ok(Flow::Next);
        }
        let site = cx.image.site(st.pc());
        match st.mem.free(address, site) {
            Ok(_) => Ok(Flow::Next),
            Err(fault) => Ok(cx.fault(&fault, Purpose::Write)),
        }
    }
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
