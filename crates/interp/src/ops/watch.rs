//! Asking the machine before operations that other threads could notice, and logging the others.
//!
//! Not here: the log itself (`state/watch.rs`); the concrete loop, which logs for itself (`hot.rs`).

use everett_ir::{AccessFlags, FuncId, Op, Pc};

use crate::flow::Halt;
use crate::interp::Interp;
use crate::machine::Machine;
use crate::state::State;
use crate::state::reg::Reg;
use crate::state::watch::{AccessEffect, LoggedAccess, SharedAccess};

impl<X: Clone> Interp<'_, X> {
    /// Asks the machine before an op of a watched state by which threads may communicate.
    pub(crate) fn before_op<M>(
        &mut self,
        machine: &mut M,
        st: &mut State<X>,
        op: &Op,
        pc: Pc,
    ) -> Result<(), Halt>
    where
        M: Machine<Extra = X>,
    {
        let in_library = self.is_in_library(st);
        let is_racing = !in_library && st.watch().is_some_and(|w| w.ops.racing.contains(pc));
        let Some(access) = self.shared_access(st, op, in_library, is_racing) else { return Ok(()) };
        machine.before_access(self, st, &access)
    }

    /// The access that an op makes, if threads may communicate by it.
    fn shared_access(
        &self,
        st: &State<X>,
        op: &Op,
        in_library: bool,
        is_racing: bool,
    ) -> Option<SharedAccess> {
        let layout = |layout: everett_ir::LayoutId| self.image.program.layouts[layout.index()].size;
        let (ptr, off, bytes, effect, flags) = match *op {
            Op::Load { bytes, access, ptr, off, .. } => {
                (ptr, off, u32::from(bytes), AccessEffect::Read, access)
            }
            Op::Store { bytes, access, ptr, off, .. } => {
                (ptr, off, bytes.into(), AccessEffect::Write, access)
            }
            Op::LoadMany { layout: l, access, ptr, off, .. } => {
                (ptr, off, layout(l), AccessEffect::Read, access)
            }
            Op::StoreMany { layout: l, access, ptr, off, .. } => {
                (ptr, off, layout(l), AccessEffect::Write, access)
            }
            Op::AtomicRmw { bytes, access, ptr, .. } => {
                (ptr, 0, bytes.into(), AccessEffect::Update, access)
            }
            Op::CompareExchange { bytes, access, ptr, expected, .. } => {
                let expected = self.get(st, expected).as_word().filter(|_| bytes <= 8);
                (ptr, 0, bytes.into(), AccessEffect::Exchange(expected), access)
            }
            Op::Fence => {
                let (address, bytes, effect) = (None, 0, AccessEffect::Fence);
                let flags = AccessFlags::SEQUENTIAL;
                return Some(SharedAccess { address, bytes, effect, flags, in_library });
            }
            _ if is_racing => {
                let (address, bytes, effect) = (None, 0, AccessEffect::Write);
                let flags = AccessFlags::PLAIN;
                return Some(SharedAccess { address, bytes, effect, flags, in_library });
            }
            _ => return None,
        };
        // The C library waits for other threads by volatile reads, and its atomic operations are the
        // strongest ones.
        let flags = match in_library && (flags.atomic() || flags.volatile()) {
            true => AccessFlags::SEQUENTIAL,
            false => flags,
        };
        if !flags.atomic() && !is_racing {
            return None;
        }
        let address = self.get(st, ptr).as_word().map(|a| a.wrapping_add(off as i64 as u64));
        Some(SharedAccess { address, bytes, effect, flags, in_library })
    }

    /// Asks the machine before a call by which threads may communicate.
    pub(crate) fn before_function<M>(
        &mut self,
        machine: &mut M,
        st: &mut State<X>,
        func: FuncId,
        args: &[everett_ir::Operand],
    ) -> Result<(), Halt>
    where
        M: Machine<Extra = X>,
    {
        if !st.watch().is_some_and(|watch| watch.ops.functions.contains(&func)) {
            return Ok(());
        }
        let args = self.first_args(st, args);
        machine.before_function(self, st, func, args)
    }

    /// The first arguments of a call, or zero where there are fewer.
    pub(crate) fn first_args(&self, st: &State<X>, args: &[everett_ir::Operand]) -> [Reg; 2] {
        let arg = |i: usize| args.get(i).map_or(Reg::word(0), |arg| self.get(st, *arg));
        [arg(0), arg(1)]
    }

    /// Logs an access that the general executor or the machine makes for the program's own code.
    pub fn log_access(&mut self, st: &mut State<X>, address: u64, bytes: u64, is_write: bool) {
        let (in_library, pc) = (self.is_in_library(st), st.pc());
        let Some(watch) = st.watch_mut() else { return };
        let op = &self.image.program.ops[pc as usize];
        // These may write what is there, and count for themselves.
        let counts = matches!(op, Op::CompareExchange { .. } | Op::Store { .. });
        watch.writes += u64::from(is_write && !counts);
        let is_racing = watch.ops.racing.contains(pc);
        let is_known = match op {
            Op::AtomicRmw { .. } | Op::CompareExchange { .. } => true,
            Op::Load { access, .. }
            | Op::Store { access, .. }
            | Op::LoadMany { access, .. }
            | Op::StoreMany { access, .. } => access.atomic() || access.local() || is_racing,
            _ => false,
        };
        if in_library || is_known {
            return;
        }
        let bytes = u32::try_from(bytes).unwrap_or(u32::MAX);
        let access = LoggedAccess { address, bytes, is_write, pc };
        match is_racing {
            true => watch.racing.push(access),
            false => watch.note(access),
        }
    }

    /// Returns true if a function of a library is executed.
    fn is_in_library(&self, st: &State<X>) -> bool {
        self.image.program.function(st.stack.top().func).library
    }
}
