//! Copying: `memcpy`, `strcpy`, `strcat` and their relatives.
//!
//! A string whose end is symbolic is copied as expressions: each byte of the target is the source's
//! if the string reaches so far, else what it was.

use everett_interp::{AccessPurpose, Halt, Reg};
use everett_ir::CopyKind;
use everett_memory::{ByteValue, ObjectPosition, overlap};
use memchr::memchr;

use super::chain::{ByteTruth, StopChain, byte_term};
use super::find::MAX_SPAN;
use super::search::{FatalStop, SearchLength, SearchLimit};
use super::{Primitives, StringCall};

/// Alignment of what `strdup` returns.
const HEAP_ALIGN: u64 = 16;

/// The manner in which the bytes of a string are copied.
#[derive(Clone, Copy)]
struct CopyManner {
    /// The most bytes of the source that are copied.
    take: u64,
    /// A string that is cut off is terminated.
    terminate: bool,
    /// The treatment of the target's bytes behind the end of the string.
    rest: CopyRest,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum CopyRest {
    /// They stay what they are.
    Kept,
    /// They become zero.
    Zero,
}

/// All of a string, with its terminator.
const WHOLE: CopyManner = CopyManner { take: u64::MAX, terminate: false, rest: CopyRest::Kept };

impl StringCall<'_, '_> {
    pub(super) fn memcpy(
        &mut self,
        to: Reg,
        from: Reg,
        n: Reg,
        kind: CopyKind,
    ) -> Result<Reg, Halt> {
        self.block_copy(to, from, n, kind)?;
        Ok(to)
    }

    pub(super) fn mempcpy(&mut self, to: Reg, from: Reg, n: Reg) -> Result<Reg, Halt> {
        let n = self.block_copy(to, from, n, CopyKind::Disjoint)?;
        Ok(self.moved(to, n))
    }

    fn block_copy(&mut self, to: Reg, from: Reg, n: Reg, kind: CopyKind) -> Result<u64, Halt> {
        let n = self.settle(n)?;
        if n > 0
            && let (Some(to), Some(from)) = (to.as_word(), from.as_word())
        {
            self.st.mem.bring(to);
            self.st.mem.bring(from);
        }
        self.cx.copy_block(self.st, kind, to, from, n)?;
        Ok(n)
    }

    pub(super) fn memset(&mut self, to: Reg, value: Reg, n: Reg) -> Result<Reg, Halt> {
        let n = self.settle(n)?;
        self.cx.fill_block(self.st, to, value, n)?;
        Ok(to)
    }

    pub(super) fn strcpy(&mut self, to: Reg, from: Reg) -> Result<Reg, Halt> {
        self.copy_string(to, from)?;
        Ok(to)
    }

    pub(super) fn stpcpy(&mut self, to: Reg, from: Reg) -> Result<Reg, Halt> {
        self.copy_string(to, from)
    }

    /// Copies a string; the result points to the terminator of the copy.
    fn copy_string(&mut self, to: Reg, from: Reg) -> Result<Reg, Halt> {
        if let (Some(to), Some(from)) = (to.as_word(), from.as_word())
            && let Some(len) = memchr(0, self.at_hand(from))
            && let bytes = len as u64 + 1
            && !overlap(to, from, bytes)
            && self.copy_at_hand(to, from, bytes)
        {
            return Ok(Reg::word(to + len as u64));
        }
        let source = self.place(from, AccessPurpose::Read)?;
        let target = self.place(to, AccessPurpose::Write)?;
        self.copy_to(target, source)
    }

    fn copy_to(&mut self, target: ObjectPosition, source: ObjectPosition) -> Result<Reg, Halt> {
        let limit = match self.fatal(target, source, u64::MAX) {
            Some((at, fatal)) => SearchLimit::Fatal(at, fatal),
            None => SearchLimit::None,
        };
        let chain = self.terminator(&mut self.view_at(source), limit)?;
        let chain = self.copy_chain(target, source, chain, WHOLE)?;
        Ok(self.fold(&chain, 64, |len| Reg::word(target.address + len)))
    }

    /// The first position below `end` at which writing to a target, while a source is read, goes
    /// wrong.
    fn fatal(
        &self,
        target: ObjectPosition,
        source: ObjectPosition,
        end: u64,
    ) -> Option<(u64, FatalStop)> {
        let room = self.st.mem.accessible(target, true);
        let apart = target.address.abs_diff(source.address);
        let full = (room, FatalStop::Full(target.object, target.address + room));
        let overlap = (apart, FatalStop::Overlap(self.name(), apart));
        let overlaps = target.object.base == source.object.base && apart > 0 && apart < room;
        Some(if overlaps { overlap } else { full }).filter(|(at, _)| *at < end)
    }

    pub(super) fn strncpy(&mut self, to: Reg, from: Reg, n: Reg) -> Result<Reg, Halt> {
        self.copy_padded(to, from, n)?;
        Ok(to)
    }

    pub(super) fn stpncpy(&mut self, to: Reg, from: Reg, n: Reg) -> Result<Reg, Halt> {
        self.copy_padded(to, from, n)
    }

    /// Writes exactly `n` bytes; the result points to the first terminator, or behind the last byte.
    fn copy_padded(&mut self, to: Reg, from: Reg, n: Reg) -> Result<Reg, Halt> {
        let n = self.settle(n)?;
        if n == 0 {
            return Ok(to);
        }
        let source = self.place(from, AccessPurpose::Read)?;
        let target = self.place(to, AccessPurpose::Write)?;
        self.inside(target.address, n, AccessPurpose::Write)?;
        let limit = match self.read_of_target(target, source, n) {
            Some((at, fatal)) => SearchLimit::Fatal(at, fatal),
            None => SearchLimit::After(SearchLength::Known(n), n),
        };
        let chain = self.terminator(&mut self.view_at(source), limit)?;
        let manner = CopyManner { take: n, terminate: false, rest: CopyRest::Zero };
        let chain = self.copy_chain(target, source, chain, manner)?;
        let written = (chain.last + 1).min(n);
        let zero = ByteValue::Concrete(0);
        self.log(target.address + written, n - written, AccessPurpose::Write);
        let rest = self.st.mem.fill(self.cx.pool, target.address + written, zero, n - written);
        rest.map_err(|fault| self.fault(&fault, AccessPurpose::Write))?;
        Ok(self.fold(&chain, 64, |len| Reg::word(target.address + len)))
    }

    /// The first position below `n` at which the source is read inside the `n` bytes of the target.
    fn read_of_target(
        &self,
        target: ObjectPosition,
        source: ObjectPosition,
        n: u64,
    ) -> Option<(u64, FatalStop)> {
        let (to, from) = (target.address, source.address);
        let apart = to.abs_diff(from);
        let at = if from < to { apart } else { 0 };
        (apart > 0 && apart < n).then(|| (at, FatalStop::Overlap(self.name(), apart)))
    }

    pub(super) fn strcat(&mut self, to: Reg, from: Reg) -> Result<Reg, Halt> {
        let end = self.end_of(to)?;
        let source = self.place(from, AccessPurpose::Read)?;
        self.inside(end.address, 1, AccessPurpose::Write)?;
        self.copy_to(end, source)?;
        Ok(to)
    }

    pub(super) fn strncat(&mut self, to: Reg, from: Reg, n: Reg) -> Result<Reg, Halt> {
        let n = self.settle(n)?;
        let end = self.end_of(to)?;
        self.inside(end.address, 1, AccessPurpose::Write)?;
        if n == 0 {
            return Ok(to);
        }
        let source = self.place(from, AccessPurpose::Read)?;
        let limit = match self.fatal(end, source, n.saturating_add(1)) {
            Some((at, fatal)) => SearchLimit::Fatal(at, fatal),
            None => SearchLimit::After(SearchLength::Known(n), n),
        };
        let chain = self.terminator(&mut self.view_at(source), limit)?;
        let manner = CopyManner { take: n, terminate: true, rest: CopyRest::Kept };
        self.copy_chain(end, source, chain, manner)?;
        Ok(to)
    }

    /// Where the string in a target ends; a symbolic end is settled by forking.
    fn end_of(&mut self, to: Reg) -> Result<ObjectPosition, Halt> {
        let target = self.place(to, AccessPurpose::Read)?;
        let chain = self.terminator(&mut self.view_at(target), SearchLimit::None)?;
        let len = self.settle_chain(&chain)?;
        Ok(ObjectPosition { address: target.address + len, ..target })
    }

    pub(super) fn strlcpy(&mut self, to: Reg, from: Reg, n: Reg) -> Result<Reg, Halt> {
        let n = self.settle(n)?;
        if n == 0 {
            return self.strlen(from);
        }
        let source = self.place(from, AccessPurpose::Read)?;
        let target = self.place(to, AccessPurpose::Write)?;
        let chain = self.copy_cut(target, source, n)?;
        Ok(self.fold(&chain, 64, |len| Reg::word(*len)))
    }

    /// Writes at most `n` bytes, at least one, the last of them a terminator; the chain is about the
    /// length of the source.
    fn copy_cut(
        &mut self,
        target: ObjectPosition,
        source: ObjectPosition,
        n: u64,
    ) -> Result<StopChain<u64>, Halt> {
        let limit = match self.fatal(target, source, n) {
            Some((at, fatal)) => SearchLimit::Fatal(at, fatal),
            None => SearchLimit::None,
        };
        let chain = self.terminator(&mut self.view_at(source), limit)?;
        let manner = CopyManner { take: n - 1, terminate: true, rest: CopyRest::Kept };
        self.copy_chain(target, source, chain, manner)
    }

    pub(super) fn strlcat(&mut self, to: Reg, from: Reg, n: Reg) -> Result<Reg, Halt> {
        let n = self.settle(n)?;
        let end = match n {
            0 => None,
            _ => {
                let target = self.place(to, AccessPurpose::Read)?;
                let limit = SearchLimit::After(SearchLength::Known(n), n);
                let chain = self.terminator(&mut self.view_at(target), limit)?;
                let len = self.settle_chain(&chain)?;
                Some((ObjectPosition { address: target.address + len, ..target }, len))
            }
        };
        let Some((end, len)) = end.filter(|(_, len)| *len < n) else {
            let source = self.strlen(from)?;
            return Ok(self.moved(source, n));
        };
        let source = self.place(from, AccessPurpose::Read)?;
        self.inside(end.address, 1, AccessPurpose::Write)?;
        let chain = self.copy_cut(end, source, n - len)?;
        Ok(self.fold(&chain, 64, |source| Reg::word(len + source)))
    }

    pub(super) fn strdup(
        &mut self,
        machine: &mut Primitives,
        from: Reg,
        max: Option<Reg>,
    ) -> Result<Reg, Halt> {
        let limit = match max {
            None => SearchLimit::None,
            Some(max) => {
                let max = self.settle(max)?;
                SearchLimit::After(SearchLength::Known(max), max)
            }
        };
        let len = match limit.known() {
            Some(0) => 0,
            _ => {
                let source = self.place(from, AccessPurpose::Read)?;
                let chain = self.terminator(&mut self.view_at(source), limit)?;
                self.settle_chain(&chain)?
            }
        };
        let from = self.settle(from)?;
        let copy = machine.new_object(self.cx, self.st, len + 1, HEAP_ALIGN, false);
        let Some(copy) = copy else { return Ok(Reg::word(0)) };
        let written = self.st.mem.copy(self.cx.pool, copy, from, len);
        written.expect("both objects have room for the string");
        let written = self.st.mem.write_bytes(copy + len, &[0]);
        written.expect("the copy has room for its terminator");
        Ok(Reg::word(copy))
    }

    /// Copies a string that ends where a chain says, and returns the chain: it has one outcome where
    /// expressions would have been too many.
    fn copy_chain(
        &mut self,
        target: ObjectPosition,
        source: ObjectPosition,
        chain: StopChain<u64>,
        manner: CopyManner,
    ) -> Result<StopChain<u64>, Halt> {
        let chain = self.settle_effect(chain)?;
        let first = chain.links.first().map_or(chain.last, |(_, position)| *position);
        let written = chain.last.min(manner.take);
        let chain = if written.saturating_sub(first) > MAX_SPAN {
            StopChain { links: Vec::new(), last: self.settle_chain(&chain)? }
        } else {
            chain
        };
        let taken = (chain.last + 1).min(manner.take);
        let cut = manner.terminate && chain.last + 1 > manner.take;
        let (to, from) = (target.address, source.address);
        if chain.links.is_empty() {
            self.copy_known(to, from, taken)?;
            if cut {
                self.write(to + taken, &[ByteValue::Concrete(0)])?;
            }
            return Ok(chain);
        }
        let pool = self.cx.pool;
        self.log(from, taken, AccessPurpose::Read);
        let read = self.st.mem.read_each(pool, from, taken);
        let mut new = read.expect("the string is inside its object");
        new.extend(cut.then_some(ByteValue::Concrete(0)));
        let old = match manner.rest {
            CopyRest::Zero => vec![ByteValue::Concrete(0); new.len()],
            CopyRest::Kept => {
                let read = self.st.mem.read_each(pool, to, new.len() as u64);
                read.map_err(|fault| self.fault(&fault, AccessPurpose::Write))?
            }
        };
        let merged = self.merge(&chain, &new, &old);
        self.write(to, &merged)?;
        Ok(chain)
    }

    /// The bytes of a string up to where a chain says that it ends, then those that were there.
    fn merge(
        &self,
        chain: &StopChain<u64>,
        new: &[ByteValue],
        old: &[ByteValue],
    ) -> Vec<ByteValue> {
        let pool = self.cx.pool;
        let mut alive = ByteTruth::Yes;
        let mut ends = chain.links.iter().peekable();
        let merge = |(position, (new, old)): (u64, (&ByteValue, &ByteValue))| {
            let byte = match alive {
                ByteTruth::Yes => *new,
                ByteTruth::No => *old,
                ByteTruth::Maybe(alive) => {
                    let (new, old) = (byte_term(pool, *new), byte_term(pool, *old));
                    ByteValue::Symbolic(pool.ite(alive, new, old))
                }
            };
            while let Some((end, _)) = ends.next_if(|(_, at)| *at == position) {
                alive = alive.and(pool, ByteTruth::Maybe(*end).not(pool));
            }
            byte
        };
        (0..).zip(new.iter().zip(old)).map(merge).collect()
    }

    fn copy_known(&mut self, to: u64, from: u64, bytes: u64) -> Result<(), Halt> {
        if to == from || self.copy_at_hand(to, from, bytes) {
            return Ok(());
        }
        self.log(from, bytes, AccessPurpose::Read);
        self.log(to, bytes, AccessPurpose::Write);
        let copied = self.st.mem.copy(self.cx.pool, to, from, bytes);
        copied.map_err(|fault| self.fault(&fault, AccessPurpose::Write))
    }

    fn write(&mut self, to: u64, bytes: &[ByteValue]) -> Result<(), Halt> {
        self.log(to, bytes.len() as u64, AccessPurpose::Write);
        let written = self.st.mem.write_each(self.cx.pool, to, bytes);
        written.map_err(|fault| self.fault(&fault, AccessPurpose::Write))
    }

    /// A value increased by a number.
    fn moved(&self, value: Reg, by: u64) -> Reg {
        match value.term() {
            None => Reg::word(value.bits().wrapping_add(by)),
            Some(term) => {
                let pool = self.cx.pool;
                self.cx.term_reg(pool.add(term, pool.constant(64, by)))
            }
        }
    }
}
