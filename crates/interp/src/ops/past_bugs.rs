//! The continuation of a path behind a bug that is ignored ([`Interp::go_past_ignored`]).
//!
//! Where it has a meaning, a path goes on: what it reads where nothing is may be anything, what it writes
//! there is left out, what overflows wraps, and a shift takes its amount modulo the width. From there on it
//! is not exactly what the machine does. A machine that stops at such a place (a null pointer, a division by
//! zero) has nothing to go on with, and the path ends there; so it does at everything that the program
//! itself ends with.
//!
//! Not here: the bugs that are ignored (`bug/ignored.rs`).

use everett_expr::TermId;
use everett_ir::{CallId, Callee, CopyKind, Op, words};
use everett_memory::ByteValue;

use crate::bug::BugKind;
use crate::error::Stop;
use crate::flow::{Flow, Halt, PathEnding, SiblingCourse};
use crate::interp::Interp;
use crate::machine::Machine;
use crate::state::State;
use crate::state::reg::Reg;

/// Bytes of a block that are looked at one by one; longer ones are left out as a whole.
const MAX_BLOCK_BYTES: u64 = 1 << 16;

impl<X: Clone> Interp<'_, X> {
    /// Lets the state that has just executed an op, and those that branched off it there, go on behind
    /// bugs that are ignored, where that has a meaning.
    pub(crate) fn go_past_ignored<M>(
        &mut self,
        machine: &mut M,
        st: &mut State<X>,
        flow: &mut Flow,
    ) -> Result<(), Stop>
    where
        M: Machine<Extra = X>,
    {
        // More of them may come while one goes on.
        let mut siblings = std::mem::take(&mut self.siblings);
        for sibling in &mut siblings {
            let SiblingCourse::Ended(PathEnding::Bug(bug)) = &sibling.course else { continue };
            // One that the solver has no answer for ends where it is.
            if matches!(self.goes_past(machine, &mut sibling.state, bug.kind), Ok(true)) {
                let next = sibling.state.pc() + 1;
                sibling.state.jump(next);
                sibling.course = SiblingCourse::On;
            }
        }
        siblings.append(&mut self.siblings);
        self.siblings = siblings;
        if let Flow::End(PathEnding::Bug(bug)) = flow
            && self.goes_past(machine, st, bug.kind)?
        {
            *flow = Flow::Next;
        }
        Ok(())
    }

    fn goes_past<M>(
        &mut self,
        machine: &mut M,
        st: &mut State<X>,
        kind: BugKind,
    ) -> Result<bool, Stop>
    where
        M: Machine<Extra = X>,
    {
        let passes = self.is_ignored(st, kind) && self.pass_op(machine, st, kind)?;
        if passes {
            self.note_passed(st, kind);
        }
        Ok(passes)
    }

    /// Returns true if a bug of a kind at the op that a state is at is ignored.
    pub(crate) fn is_ignored(&self, st: &State<X>, kind: BugKind) -> bool {
        self.config.ignored.covers_stack(kind, &self.image.program, &st.stack)
    }

    pub(crate) fn note_passed(&mut self, st: &mut State<X>, kind: BugKind) {
        st.passed += 1;
        let (program, pc) = self.own_place(st).unwrap_or((st.program, st.pc()));
        *self.notes.passed.entry((kind, program, pc)).or_insert(0) += 1;
    }

    /// Does what is left of the op that a bug is in. False if nothing can take its place.
    fn pass_op<M>(
        &mut self,
        machine: &mut M,
        st: &mut State<X>,
        kind: BugKind,
    ) -> Result<bool, Stop>
    where
        M: Machine<Extra = X>,
    {
        let op = self.image.program.ops[st.pc() as usize];
        match (kind, op) {
            (_, Op::Call { site, .. }) => self.pass_call(machine, st, kind, site),
            (BugKind::Overlap, Op::MemCopy { to, from, len, .. }) => {
                let (to, from, len) = (self.get(st, to), self.get(st, from), self.get(st, len));
                self.pass_overlap(st, to, from, len)
            }
            (BugKind::OutOfBounds | BugKind::UseAfterFree | BugKind::UseAfterReturn, op) => {
                self.pass_access(machine, st, op)
            }
            _ => Ok(false),
        }
    }

    fn pass_call<M>(
        &mut self,
        machine: &mut M,
        st: &mut State<X>,
        kind: BugKind,
        site: CallId,
    ) -> Result<bool, Stop>
    where
        M: Machine<Extra = X>,
    {
        let site = self.image.program.call(site);
        let Callee::Direct(func) = site.callee else { return Ok(false) };
        if self.image.program.function(func).defined {
            return Ok(false);
        }
        let Ok(args) = self.outward_args(st, site, func) else { return Ok(false) };
        machine.pass_call(self, st, func, &args, kind)
    }

    /// An access outside of all objects: what it reads may be anything, what it writes is left out.
    fn pass_access<M>(&mut self, machine: &mut M, st: &mut State<X>, op: Op) -> Result<bool, Stop>
    where
        M: Machine<Extra = X>,
    {
        match op {
            Op::Store { .. } | Op::StoreMany { .. } => Ok(true),
            Op::Load { bytes, w, dst, .. } => {
                let Some(read) = self.anything(machine, st, bytes.into()) else { return Ok(false) };
                let value = self.pool.extract(read, 0, w.into());
                self.put(st, dst, value);
                Ok(true)
            }
            Op::LoadMany { layout, dst, .. } => {
                let image = self.image;
                for (slot, piece) in (0..).zip(&image.program.layouts[layout.index()].slots) {
                    let Some(read) = self.anything(machine, st, piece.bytes.into()) else {
                        return Ok(false);
                    };
                    let value = self.pool.extract(read, 0, piece.bits.into());
                    self.put(st, dst.plus(slot), value);
                }
                Ok(true)
            }
            Op::AtomicRmw { bytes, dst, .. } => {
                let Some(old) = self.anything(machine, st, bytes.into()) else { return Ok(false) };
                self.put_wide(st, dst, old);
                Ok(true)
            }
            Op::CompareExchange { bytes, dst, expected, .. } => {
                let Some(old) = self.anything(machine, st, bytes.into()) else { return Ok(false) };
                let bits = u32::from(bytes) * 8;
                let success = self.pool.eq(old, self.wide_term(st, expected, bits));
                self.put_wide(st, dst, old);
                self.put(st, dst.plus(words(bits)), success);
                Ok(true)
            }
            Op::MemCopy { to, from, len, .. } => {
                let (to, from, len) = (self.get(st, to), self.get(st, from), self.get(st, len));
                self.pass_copy(machine, st, to, from, len)
            }
            Op::MemSet { to, val, len } => {
                let (to, val, len) = (self.get(st, to), self.get(st, val), self.get(st, len));
                self.pass_fill(st, to, val, len);
                Ok(true)
            }
            _ => Ok(false),
        }
    }

    /// A `memcpy` of ranges that overlap: it is a `memmove`.
    pub fn pass_overlap(
        &mut self,
        st: &mut State<X>,
        to: Reg,
        from: Reg,
        len: Reg,
    ) -> Result<bool, Stop> {
        let Some(len) = self.known(st, len) else { return Ok(false) };
        match self.copy_block(st, CopyKind::Overlapping, to, from, len) {
            Ok(()) => Ok(true),
            Err(Halt::Flow(_)) => Ok(false),
            Err(Halt::Stop(stop)) => Err(stop),
        }
    }

    /// A copy of a block that is partly not there, byte by byte: what is not there may be anything, and
    /// what cannot be written is left out.
    pub fn pass_copy<M>(
        &mut self,
        machine: &mut M,
        st: &mut State<X>,
        to: Reg,
        from: Reg,
        len: Reg,
    ) -> Result<bool, Stop>
    where
        M: Machine<Extra = X>,
    {
        let (Some(to), Some(len)) = (self.known(st, to), self.known(st, len)) else {
            return Ok(true);
        };
        if len > MAX_BLOCK_BYTES {
            return Ok(true);
        }
        let from = self.known(st, from);
        let mut bytes = Vec::with_capacity(len as usize);
        for i in 0..len {
            let read = from.map(|from| st.mem.read(self.pool, from.wrapping_add(i), 1));
            let byte = match read {
                Some(Ok(value)) => Some(value.term(self.pool, 8)),
                _ => self.anything(machine, st, 1),
            };
            let Some(byte) = byte else { return Ok(false) };
            bytes.push(byte);
        }
        for (i, byte) in (0..).zip(bytes) {
            self.write_if_there(st, to.wrapping_add(i), byte);
        }
        Ok(true)
    }

    /// Fills of a block what is there with the lowest byte of a value.
    pub fn pass_fill(&mut self, st: &mut State<X>, to: Reg, val: Reg, len: Reg) {
        let value = match val.term() {
            None => self.pool.constant(8, val.bits() & 0xff),
            Some(term) => self.pool.extract(term, 0, 8),
        };
        if let (Some(to), Some(len @ ..=MAX_BLOCK_BYTES)) =
            (self.known(st, to), self.known(st, len))
        {
            (0..len).for_each(|i| self.write_if_there(st, to.wrapping_add(i), value));
        }
    }

    fn write_if_there(&mut self, st: &mut State<X>, address: u64, byte: TermId) {
        // A byte that is not there is left out.
        let _ = st.mem.write(self.pool, address, byte);
    }

    /// The only value of a register on this path, if that is plain to see.
    fn known(&self, st: &State<X>, reg: Reg) -> Option<u64> {
        match reg.term() {
            None => Some(reg.bits()),
            Some(term) => self.pool.as_const(st.path.simplify(self.pool, term)),
        }
    }

    /// Bytes that may be anything, as one value of that many.
    fn anything<M>(&mut self, machine: &mut M, st: &mut State<X>, bytes: u32) -> Option<TermId>
    where
        M: Machine<Extra = X>,
    {
        let read = machine.anything(self, st, bytes)?;
        let term = |byte: &ByteValue| match *byte {
            ByteValue::Concrete(byte) => self.pool.constant(8, byte.into()),
            ByteValue::Symbolic(term) => term,
        };
        // The first byte is the lowest.
        read.iter().map(term).reduce(|low, high| self.pool.concat(high, low))
    }
}
