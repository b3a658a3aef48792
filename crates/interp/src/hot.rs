//! The concrete path: executes ops on plain words until something is not plain.
//!
//! Nothing here knows about terms, errors or forks. An op that meets a symbolic operand, memory
//! that is not simply there, a division by zero or anything else out of the ordinary is left
//! untouched, and the general executor takes it from there. So this loop can only be faster than
//! the general one, never different: the corpus is run with and without it.

use everett_ir::{
    AccessFlags, Callee, FuncId, IntPredicate, Op, Operand, Pc, Program, Slot, WrapFlags,
};
use everett_memory::AddressSpace;

use crate::image::ProgramImage;
use crate::image::coverage::Coverage;
use crate::ops::float::native;
use crate::ops::int::{self, mask, sext};
use crate::state::reg::Reg;
use crate::state::stack::{EnteredBy, Stack};
use crate::state::watch::{AccessWatch, LoggedAccess};

/// Why the concrete loop stopped.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Break {
    /// The op at the frame's `pc` needs the general executor.
    General,
    /// The fuel is used up.
    Fuel,
}

/// What the loop needs besides the state.
pub(crate) struct Hot<'a> {
    pub(crate) image: &'a ProgramImage,
    pub(crate) coverage: &'a mut Coverage,
    /// Source instructions executed.
    pub(crate) executed: u64,
    /// Stop once `executed` reaches this.
    pub(crate) until: u64,
    /// A segment was executed for the first time.
    pub(crate) covered_new: bool,
    /// Leave no-wrap arithmetic to the general executor where it would overflow.
    pub(crate) check_overflow: bool,
    /// Whether calls and returns may be followed here.
    pub(crate) plain_calls: bool,
    /// What the C library keeps of the running thread.
    pub(crate) thread_pointer: u64,
    /// A call on a stack larger than this is the general executor's to report.
    pub(crate) most_before_call: u32,
    /// The watch over accesses that other threads could notice.
    pub(crate) watch: Option<&'a mut AccessWatch>,
}

/// What ends the work inside one frame.
enum Leave {
    Call(u32),
    Return { n: u16, val: Operand },
    General,
    Fuel,
}

#[inline(always)]
fn get(regs: &[Reg], consts: &[Reg], operand: Operand) -> Reg {
    let raw = operand.raw();
    if raw >= 0 { regs[raw as usize] } else { consts[!raw as usize] }
}

#[inline(always)]
fn set(regs: &mut [Reg], slot: Slot, value: u64) {
    regs[slot.0 as usize] = Reg::word(value);
}

#[inline(always)]
pub(crate) fn compare(pred: IntPredicate, w: u8, a: u64, b: u64) -> bool {
    match pred {
        IntPredicate::Eq => a == b,
        IntPredicate::Ne => a != b,
        IntPredicate::Ugt => a > b,
        IntPredicate::Uge => a >= b,
        IntPredicate::Ult => a < b,
        IntPredicate::Ule => a <= b,
        IntPredicate::Sgt => sext(a, w) > sext(b, w),
        IntPredicate::Sge => sext(a, w) >= sext(b, w),
        IntPredicate::Slt => sext(a, w) < sext(b, w),
        IntPredicate::Sle => sext(a, w) <= sext(b, w),
    }
}

impl Hot<'_> {
    /// Runs the innermost frames until something is not plain.
    pub(crate) fn run(&mut self, stack: &mut Stack, mem: &mut AddressSpace) -> Break {
        match self.watch {
            None => self.run_frames::<false>(stack, mem),
            Some(_) => self.run_frames::<true>(stack, mem),
        }
    }

    fn run_frames<const WATCHED: bool>(
        &mut self,
        stack: &mut Stack,
        mem: &mut AddressSpace,
    ) -> Break {
        loop {
            let mut pc = stack.top().pc;
            let is_library = WATCHED && self.image.program.function(stack.top().func).library;
            let leave = self.run_frame::<WATCHED>(&mut pc, is_library, stack.regs_mut(), mem);
            stack.top_mut().pc = pc;
            let done = match leave {
                Leave::Call(site) => self.enter::<WATCHED>(site, pc, stack),
                Leave::Return { n, val } => self.leave(n, val, pc, stack, mem),
                Leave::General => return Break::General,
                Leave::Fuel => return Break::Fuel,
            };
            if !done {
                return Break::General;
            }
            if self.executed >= self.until {
                return Break::Fuel;
            }
        }
    }

    /// Counts the segment that ends at `pc`.
    #[inline(always)]
    fn count(&mut self, pc: Pc, insts: u16) {
        self.executed += u64::from(insts);
        self.covered_new |= self.coverage.mark(pc);
    }

    /// Enters a function with plain arguments. False if the call is not that simple.
    #[inline(always)]
    fn enter<const WATCHED: bool>(&mut self, site_index: u32, pc: Pc, stack: &mut Stack) -> bool {
        let program: &Program = &self.image.program;
        let site = &program.calls[site_index as usize];
        let Callee::Direct(func) = site.callee else { return false };
        let function = &program.functions[func.index()];
        let plain = function.defined && site.by_val.is_empty() && !function.var_args;
        if !plain
            || !self.plain_calls
            || stack.bytes() > self.most_before_call
            || site.signature != function.signature
            || (WATCHED && self.stops_at(func))
        {
            return false;
        }
        if let Some(insts) = program.ops[pc as usize].insts() {
            self.count(pc, insts);
        }
        stack.push(
            func,
            function.entry,
            EnteredBy::Call(everett_ir::CallId(site_index)),
            function.frame_slots,
        );
        let (callee, caller) = stack.callee_and_caller();
        for (param, arg) in callee.iter_mut().zip(&site.args) {
            *param = get(caller, &self.image.consts, *arg);
        }
        true
    }

    /// Returns to a caller. False if there is none, or the call site differs from the function.
    #[inline(always)]
    fn leave(
        &mut self,
        n: u16,
        val: Operand,
        pc: Pc,
        stack: &mut Stack,
        mem: &mut AddressSpace,
    ) -> bool {
        let EnteredBy::Call(site) = stack.top().entered_by() else { return false };
        let site = self.image.program.call(site);
        if !self.plain_calls || site.ret_slots != n || n > 2 {
            return false;
        }
        if let Some(insts) = self.image.program.ops[pc as usize].insts() {
            self.count(pc, insts);
        }
        let mut values = [Reg::word(0); 2];
        for i in 0..n {
            values[usize::from(i)] = get(stack.regs(), &self.image.consts, val.plus(i.into()));
        }
        let here = self.image.site(pc);
        stack.take_objects(0, |object| mem.release_stack(object, here));
        stack.pop();
        stack.top_mut().pc += 1;
        let first = site.dst.0 as usize;
        stack.regs_mut()[first..first + usize::from(n)].copy_from_slice(&values[..usize::from(n)]);
        true
    }

    /// Returns true if the machine is asked before a call.
    fn stops_at(&self, func: FuncId) -> bool {
        self.watch.as_ref().is_some_and(|watch| watch.ops.functions.contains(&func))
    }

    /// Returns true if the machine is asked before an access.
    #[inline]
    fn is_shared(&self, access: AccessFlags, is_library: bool, pc: Pc) -> bool {
        access.atomic()
            || (is_library && access.volatile())
            || self.watch.as_ref().is_some_and(|watch| !is_library && watch.ops.racing.contains(pc))
    }

    #[inline]
    fn log(&mut self, access: LoggedAccess) {
        if let Some(watch) = &mut self.watch {
            watch.note(access);
        }
    }

    #[inline]
    fn count_write(&mut self, changes: bool) {
        if let Some(watch) = &mut self.watch {
            watch.writes += u64::from(changes);
        }
    }

    // tidy: long because it is the dispatch loop, one arm an op
    #[inline(always)]
    fn run_frame<const WATCHED: bool>(
        &mut self,
        at: &mut Pc,
        is_library: bool,
        regs: &mut [Reg],
        mem: &mut AddressSpace,
    ) -> Leave {
        let image = self.image;
        let (ops, consts) = (&image.program.ops[..], &image.consts[..]);
        let mut pc = *at;

        macro_rules! leave {
            ($how:expr) => {{
                *at = pc;
                return $how;
            }};
        }
        // The words of concrete operands; anything else leaves the loop.
        macro_rules! word {
            ($operand:expr) => {{
                let reg = get(regs, consts, $operand);
                if !reg.is_plain() {
                    leave!(Leave::General);
                }
                reg.bits()
            }};
        }
        macro_rules! words {
            ($a:expr, $b:expr) => {{
                let (a, b) = (get(regs, consts, $a), get(regs, consts, $b));
                if !a.is_plain() || !b.is_plain() {
                    leave!(Leave::General);
                }
                (a.bits(), b.bits())
            }};
        }
        macro_rules! binary {
            ($w:expr, $dst:expr, $a:expr, $b:expr, $f:expr) => {{
                let (a, b) = words!($a, $b);
                set(regs, $dst, $f(a, b) & mask($w));
            }};
        }
        // Operations that are undefined for some operands: `None` leaves the loop.
        macro_rules! partial {
            ($dst:expr, $a:expr, $b:expr, $f:expr) => {{
                let (a, b) = words!($a, $b);
                match $f(a, b) {
                    Some(value) => set(regs, $dst, value),
                    None => leave!(Leave::General),
                }
            }};
        }
        macro_rules! wrapping {
            ($w:expr, $wrap:expr, $dst:expr, $a:expr, $b:expr, $f:expr, $checked:expr) => {{
                let (a, b) = words!($a, $b);
                if self.check_overflow && overflows($wrap, $w, a, b, $checked) {
                    leave!(Leave::General);
                }
                set(regs, $dst, $f(a, b) & mask($w));
            }};
        }
        macro_rules! jump {
            ($insts:expr, $target:expr) => {{
                self.count(pc, $insts);
                pc = $target;
                if self.executed >= self.until {
                    leave!(Leave::Fuel);
                }
                continue;
            }};
        }

        loop {
            match ops[pc as usize] {
                Op::Add { w, wrap, dst, a, b } => {
                    wrapping!(w, wrap, dst, a, b, u64::wrapping_add, i64::checked_add)
                }
                Op::Sub { w, wrap, dst, a, b } => {
                    wrapping!(w, wrap, dst, a, b, u64::wrapping_sub, i64::checked_sub)
                }
                Op::Mul { w, wrap, dst, a, b } => {
                    wrapping!(w, wrap, dst, a, b, u64::wrapping_mul, i64::checked_mul)
                }
                Op::And { w, dst, a, b } => binary!(w, dst, a, b, |a, b| a & b),
                Op::Or { w, dst, a, b } => binary!(w, dst, a, b, |a, b| a | b),
                Op::Xor { w, dst, a, b } => binary!(w, dst, a, b, |a, b| a ^ b),
                Op::Shl { w, wrap, dst, a, b } => {
                    if self.check_overflow && wrap.signed() {
                        leave!(Leave::General);
                    }
                    partial!(dst, a, b, |a, b| int::shl(w, a, b))
                }
                Op::LShr { w, dst, a, b } => partial!(dst, a, b, |a, b| int::lshr(w, a, b)),
                Op::AShr { w, dst, a, b } => partial!(dst, a, b, |a, b| int::ashr(w, a, b)),
                Op::UDiv { dst, a, b, .. } => partial!(dst, a, b, u64::checked_div),
                Op::URem { dst, a, b, .. } => partial!(dst, a, b, u64::checked_rem),
                Op::SDiv { w, dst, a, b } => partial!(dst, a, b, |a, b| int::sdiv(w, a, b)),
                Op::SRem { w, dst, a, b } => partial!(dst, a, b, |a, b| int::srem(w, a, b)),
                Op::ICmp { pred, w, dst, a, b } => {
                    let (a, b) = words!(a, b);
                    set(regs, dst, compare(pred, w, a, b).into());
                }
                Op::IntUnary { op, w, dst, a } => {
                    let a = word!(a);
                    set(regs, dst, int::unary(op, w, a));
                }
                Op::IntBinary { op, w, dst, a, b } => {
                    let (a, b) = words!(a, b);
                    set(regs, dst, int::binary(op, w, a, b));
                }
                Op::Overflow { op, w, dst, a, b } => {
                    let (a, b) = words!(a, b);
                    let (value, overflow) = int::overflow(op, w, a, b);
                    set(regs, dst, value);
                    set(regs, dst.plus(1), overflow.into());
                }
                Op::FunnelShift { left, w, dst, a, b, c } => {
                    let (a, b) = words!(a, b);
                    let c = word!(c);
                    set(regs, dst, int::funnel_shift(left, w, a, b, c));
                }
                Op::Select { dst, c, a, b, .. } => {
                    let chosen = if word!(c) & 1 != 0 { a } else { b };
                    regs[dst.0 as usize] = get(regs, consts, chosen);
                }
                Op::Trunc { to, dst, a } => {
                    let a = word!(a);
                    set(regs, dst, a & mask(to));
                }
                Op::ZExt { dst, a, .. } => {
                    let a = word!(a);
                    set(regs, dst, a);
                }
                Op::SExt { from, to, dst, a } => {
                    let a = word!(a);
                    set(regs, dst, sext(a, from) as u64 & mask(to));
                }
                Op::Copy { n, dst, a } => {
                    for i in 0..u32::from(n) {
                        regs[dst.plus(i).0 as usize] = get(regs, consts, a.plus(i));
                    }
                }
                Op::Freeze { n, dst, a } => {
                    for i in 0..u32::from(n) {
                        let value = word!(a.plus(i));
                        set(regs, dst.plus(i), value);
                    }
                }
                Op::Promise { what, w, a, b, .. } => {
                    if self.check_overflow || what.is_always_checked() {
                        let (a, b) = words!(a, if what.is_unary() { a } else { b });
                        if !int::is_kept(what, w, a, b) {
                            leave!(Leave::General);
                        }
                    }
                }
                Op::Load { bytes, w, dst, ptr, off, access } => {
                    let address = word!(ptr).wrapping_add(off as i64 as u64);
                    if WATCHED && self.is_shared(access, is_library, pc) {
                        leave!(Leave::General);
                    }
                    match mem.load_concrete(address, bytes) {
                        Some(value) => set(regs, dst, value & mask(w)),
                        None => leave!(Leave::General),
                    }
                    if WATCHED && !is_library && !access.local() {
                        let (bytes, is_write) = (bytes.into(), false);
                        self.log(LoggedAccess { address, bytes, is_write, pc });
                    }
                }
                Op::Store { bytes, val, ptr, off, access, .. } => {
                    let (value, address) = words!(val, ptr);
                    let address = address.wrapping_add(off as i64 as u64);
                    if WATCHED && self.is_shared(access, is_library, pc) {
                        leave!(Leave::General);
                    }
                    let before = if WATCHED { mem.load_concrete(address, bytes) } else { None };
                    if !mem.store_concrete(address, bytes, value) {
                        leave!(Leave::General);
                    }
                    if WATCHED {
                        self.count_write(before != Some(value & mask(bytes * 8)));
                        if !is_library && !access.local() {
                            let (bytes, is_write) = (bytes.into(), true);
                            self.log(LoggedAccess { address, bytes, is_write, pc });
                        }
                    }
                }
                Op::PtrAdd { w, dst, base, index, scale, off } => {
                    let (base, index) = words!(base, index);
                    let scaled = sext(index, w).wrapping_mul(i64::from(scale));
                    let offset = scaled.wrapping_add(i64::from(off));
                    set(regs, dst, base.wrapping_add(offset as u64));
                }
                Op::ThreadPointer { dst } => set(regs, dst, self.thread_pointer),
                Op::Tick { insts } => self.count(pc, insts),
                Op::Jump { insts, target } => jump!(insts, target),
                Op::Branch { insts, cond, then, other } => {
                    let target = if word!(cond) & 1 != 0 { then } else { other };
                    jump!(insts, target)
                }
                Op::CompareBranch { pred, w, insts, a, b, then, other } => {
                    let (a, b) = words!(a, b);
                    let target = if compare(pred, w, a, b) { then } else { other };
                    jump!(insts, target)
                }
                Op::Switch { insts, val, table, .. } => {
                    let value = word!(val);
                    jump!(insts, image.program.switches[table.index()].target(value))
                }
                Op::Call { site, .. } => leave!(Leave::Call(site.0)),
                Op::Return { n, val, .. } => leave!(Leave::Return { n, val }),
                Op::FloatBinary { op, kind, dst, a, b } => {
                    partial!(dst, a, b, |a, b| native::binary_word(op, kind, a, b))
                }
                Op::FloatCompare { pred, kind, dst, a, b } => {
                    partial!(dst, a, b, |a, b| native::compare_word(pred, kind, a, b))
                }
                Op::FloatUnary { .. }
                | Op::FloatCast { .. }
                | Op::FloatMulAdd { .. }
                | Op::FloatClass { .. }
                | Op::FloatScale { .. }
                | Op::Wide { .. }
                | Op::WideCast { .. }
                | Op::Pack { .. }
                | Op::Unpack { .. }
                | Op::LoadMany { .. }
                | Op::StoreMany { .. }
                | Op::Alloca { .. }
                | Op::MemCopy { .. }
                | Op::MemSet { .. }
                | Op::AtomicRmw { .. }
                | Op::CompareExchange { .. }
                | Op::Fence
                | Op::ObjectSize { .. }
                | Op::ThreadLocal { .. }
                | Op::StackSave { .. }
                | Op::StackRestore { .. }
                | Op::VaStart { .. }
                | Op::VaCopy { .. }
                | Op::IndirectJump { .. }
                | Op::Unreachable { .. }
                | Op::Trap { .. }
                | Op::Unsupported { .. } => leave!(Leave::General),
            }
            pc += 1;
        }
    }
}

/// Whether a no-signed-wrap operation wraps.
#[inline(never)]
fn overflows(wrap: WrapFlags, w: u8, a: u64, b: u64, f: fn(i64, i64) -> Option<i64>) -> bool {
    wrap.signed() && f(sext(a, w), sext(b, w)).is_none_or(|v| sext(v as u64 & mask(w), w) != v)
}
