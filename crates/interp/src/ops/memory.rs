//! Loads, stores, stack objects, address arithmetic and block operations.

use everett_expr::TermId;
use everett_ir::{CopyKind, GlobalId, LayoutId, Op, Operand, Pc, Slot, ValueLayout};
use everett_memory::{
    AddressResolution, AllocRequest, ByteValue, MemoryFault, ObjRef, ObjectKind, ObjectNameId,
    ReadValue, overlap,
};

use crate::bug::text::{AccessPurpose, byte_count};
use crate::bug::{Bug, BugKind};
use crate::error::Stop;
use crate::flow::{Flow, Halt, PathEnding};
use crate::interp::Interp;
use crate::ops::int::mask;
use crate::resolve::{AccessTarget, MemoryAccess};
use crate::state::State;
use crate::state::reg::{Reg, SizedReg};

/// Objects up to this size are searched as a whole when the offset is symbolic; for larger ones
/// the offset's bounds are worth a few queries.
const SMALL_OBJECT_BYTES: u64 = 1024;

/// Block operations at symbolic offsets into larger objects fork over the offset.
const LARGE_OBJECT_BYTES: u64 = 1 << 16;

/// The address of a load or store, as its op has it.
#[derive(Clone, Copy)]
pub(crate) struct AddressOperand {
    pub(crate) ptr: Operand,
    /// Distance from the pointer in bytes.
    pub(crate) off: i32,
}

impl<X: Clone> Interp<'_, X> {
    pub(crate) fn load(
        &mut self,
        st: &mut State<X>,
        bytes: u8,
        w: u8,
        dst: Slot,
        at: AddressOperand,
    ) -> Result<Flow, Halt> {
        let pointer = self.get(st, at.ptr);
        match self.load_value(st, pointer, at.off.into(), bytes.into()) {
            Ok(value) => {
                let reg = self.narrow(value, w);
                self.put_reg(st, dst, reg);
                Ok(Flow::Next)
            }
            // Optimisers read variables where the source does not, and drop what they have read.
            Err(Halt::Flow(Flow::End(PathEnding::Bug(bug))))
                if bug.kind == BugKind::UndefinedVariable =>
            {
                let pc = st.pc();
                self.poison(st, pc, dst, 1, *bug);
                Ok(Flow::Next)
            }
            Err(halt) => Err(halt),
        }
    }

    fn narrow(&self, value: ReadValue, w: u8) -> Reg {
        match value {
            ReadValue::Concrete(word) => Reg::word(word & mask(w)),
            ReadValue::Term(term) => self.term_reg(self.pool.extract(term, 0, w.into())),
        }
    }

    /// Reads memory.
    pub(crate) fn load_value(
        &mut self,
        st: &mut State<X>,
        pointer: Reg,
        off: i64,
        bytes: u64,
    ) -> Result<ReadValue, Halt> {
        match self.locate(st, MemoryAccess::new(pointer, bytes, AccessPurpose::Read).at(off))? {
            AccessTarget::Known(address) => {
                let value = st.mem.read(self.pool, address, bytes as u32);
                Ok(value.map_err(|fault| self.faulty(&fault, AccessPurpose::Read))?)
            }
            AccessTarget::Within { object, offset } => {
                Ok(self.read_within(st, object, offset, bytes)?)
            }
        }
    }

    fn read_within(
        &mut self,
        st: &mut State<X>,
        object: ObjRef,
        offset: TermId,
        bytes: u64,
    ) -> Result<ReadValue, Stop> {
        let range = self.offset_range(st, &object, offset)?;
        match st.mem.read_at_term(self.pool, object, offset, bytes as u32, range) {
            Ok(value) => Ok(value),
            Err(_too_large) => {
                let offset = self.fork_over(st, Reg::symbolic(offset), self.config.max_targets)?;
                let value = st.mem.read(self.pool, object.base + offset, bytes as u32);
                Ok(value.expect("the path keeps the access inside the object"))
            }
        }
    }

    fn offset_range(
        &mut self,
        st: &State<X>,
        object: &ObjRef,
        offset: TermId,
    ) -> Result<Option<(u64, u64)>, Stop> {
        if object.object.size <= SMALL_OBJECT_BYTES {
            return Ok(None);
        }
        let low = st.path.min_value(self.solver, self.pool, offset)?.low_u64();
        let high = st.path.max_value(self.solver, self.pool, offset)?.low_u64();
        Ok(Some((low, high)))
    }

    /// Reads memory as a term.
    pub(crate) fn load_term(
        &mut self,
        st: &mut State<X>,
        pointer: Reg,
        off: i64,
        bytes: u64,
    ) -> Result<TermId, Halt> {
        Ok(self.load_value(st, pointer, off, bytes)?.term(self.pool, bytes as u32 * 8))
    }

    pub(crate) fn store(
        &mut self,
        st: &mut State<X>,
        bytes: u8,
        w: u8,
        val: Operand,
        at: AddressOperand,
    ) -> Result<Flow, Halt> {
        let (reg, pointer) = (self.get(st, val), self.get(st, at.ptr));
        let value = SizedReg { reg, bits: w, bytes };
        if st.watch().is_none() {
            self.store_value(st, pointer, at.off.into(), value)?;
            return Ok(Flow::Next);
        }
        let address = pointer.as_word().map(|address| address.wrapping_add(at.off as i64 as u64));
        let there = |st: &mut State<X>| address.and_then(|at| st.mem.load_concrete(at, bytes));
        let before = there(st);
        self.store_value(st, pointer, at.off.into(), value)?;
        let is_changed = before.is_none() || before != there(st);
        if let Some(watch) = st.watch_mut() {
            watch.writes += u64::from(is_changed);
        }
        Ok(Flow::Next)
    }

    /// Writes a register as whole bytes.
    pub(crate) fn store_value(
        &mut self,
        st: &mut State<X>,
        pointer: Reg,
        off: i64,
        value: SizedReg,
    ) -> Result<(), Halt> {
        if let (Some(address), Some(word)) = (pointer.as_word(), value.reg.as_word())
            && st.watch().is_none()
            && st.mem.store_concrete(address.wrapping_add(off as u64), value.bytes, word)
        {
            return Ok(());
        }
        let term = self.whole_bytes(value);
        self.store_term(st, pointer, off, term)
    }

    /// Writes a term of whole bytes.
    pub(crate) fn store_term(
        &mut self,
        st: &mut State<X>,
        pointer: Reg,
        off: i64,
        term: TermId,
    ) -> Result<(), Halt> {
        let bytes = u64::from(self.pool.width(term) / 8);
        match self.locate(st, MemoryAccess::new(pointer, bytes, AccessPurpose::Write).at(off))? {
            AccessTarget::Known(address) => {
                let written = st.mem.write(self.pool, address, term);
                Ok(written.map_err(|fault| self.faulty(&fault, AccessPurpose::Write))?)
            }
            AccessTarget::Within { object, offset } => self.write_within(st, object, offset, term),
        }
    }

    fn write_within(
        &mut self,
        st: &mut State<X>,
        object: ObjRef,
        offset: TermId,
        term: TermId,
    ) -> Result<(), Halt> {
        if object.object.constant {
            let address = object.base + self.example(st, offset);
            let bytes = u64::from(self.pool.width(term) / 8);
            let fault = MemoryFault::ReadOnly { address, bytes, object };
            return Err(self.faulty(&fault, AccessPurpose::Write).into());
        }
        let range = self.offset_range(st, &object, offset)?;
        if st.mem.write_at_term(self.pool, object, offset, term, range).is_err() {
            let offset = self.fork_over(st, Reg::symbolic(offset), self.config.max_targets)?;
            let written = st.mem.write(self.pool, object.base + offset, term);
            written.expect("the path keeps the access inside the object");
        }
        Ok(())
    }

    /// Writes a register to memory that is known to be there.
    pub(crate) fn write_reg(&mut self, st: &mut State<X>, address: u64, value: SizedReg) {
        let term = self.whole_bytes(value);
        st.mem.write(self.pool, address, term).expect("the caller made the object");
    }

    /// A register as a term of whole bytes, filled up with zeros.
    fn whole_bytes(&self, value: SizedReg) -> TermId {
        let SizedReg { reg, bits, bytes } = value;
        self.pool.zext(self.reg_term(reg, bits.into()), u32::from(bytes) * 8)
    }

    /// The end of a path at a fault.
    pub(crate) fn faulty(&self, fault: &MemoryFault, purpose: AccessPurpose) -> Flow {
        Flow::End(PathEnding::Bug(Box::new(self.image.bug_of(fault, purpose))))
    }

    /// Locates all bytes of a value of several slots before any of them is accessed, so that a bug
    /// names the whole access.
    fn whole_access(
        &mut self,
        st: &mut State<X>,
        layout: &ValueLayout,
        at: AddressOperand,
        purpose: AccessPurpose,
    ) -> Result<Reg, Halt> {
        let (pointer, size) = (self.get(st, at.ptr), u64::from(layout.size));
        let spot = self.locate(st, MemoryAccess::new(pointer, size, purpose).at(at.off.into()))?;
        if let AccessTarget::Known(address) = spot {
            let checked = match purpose {
                AccessPurpose::Read => st.mem.check(address, size),
                AccessPurpose::Write => st.mem.check_write(address, size),
            };
            if let Err(fault) = checked {
                return Err(self.faulty(&fault, purpose).into());
            }
        }
        Ok(self.spot_reg(spot))
    }

    pub(crate) fn load_many(
        &mut self,
        st: &mut State<X>,
        layout: LayoutId,
        dst: Slot,
        at: AddressOperand,
    ) -> Result<Flow, Halt> {
        let image = self.image;
        let layout = &image.program.layouts[layout.index()];
        let base = self.whole_access(st, layout, at, AccessPurpose::Read)?;
        for (slot, piece) in (0..).zip(&layout.slots) {
            let value = self.load_value(st, base, piece.offset.into(), piece.bytes.into())?;
            let reg = self.narrow(value, piece.bits);
            self.put_reg(st, dst.plus(slot), reg);
        }
        Ok(Flow::Next)
    }

    pub(crate) fn store_many(
        &mut self,
        st: &mut State<X>,
        layout: LayoutId,
        val: Operand,
        at: AddressOperand,
    ) -> Result<Flow, Halt> {
        let image = self.image;
        let layout = &image.program.layouts[layout.index()];
        let base = self.whole_access(st, layout, at, AccessPurpose::Write)?;
        for (slot, piece) in (0..).zip(&layout.slots) {
            let reg = self.get(st, val.plus(slot));
            let value = SizedReg { reg, bits: piece.bits, bytes: piece.bytes };
            self.store_value(st, base, piece.offset.into(), value)?;
        }
        Ok(Flow::Next)
    }

    pub(crate) fn alloca(&mut self, st: &mut State<X>, op: Op, pc: Pc) -> Result<Flow, Halt> {
        let Op::Alloca { align_log2, has_place, dst, size, count: n, name } = op else {
            unreachable!("dispatch sends only alloca here")
        };
        let n = self.get(st, n);
        let n = self.fork_over(st, n, self.config.max_sizes)?;
        let total = u64::from(size).saturating_mul(n);
        let bytes = st.stack.add_variable(if has_place { total } else { 0 });
        if bytes > self.config.max_stack_bytes {
            return Ok(self.too_large_variable(total));
        }
        let request = AllocRequest {
            name: ObjectNameId(name.0),
            ..AllocRequest::new(total, ObjectKind::Stack, self.image.site(pc))
                .aligned(1 << align_log2)
                .undefined()
        };
        match st.mem.alloc_with(request) {
            Ok(address) => {
                st.stack.own_object(address);
                self.put_word(st, dst, address);
                Ok(Flow::Next)
            }
            Err(_) => Ok(self.too_large_variable(total)),
        }
    }

    pub(crate) fn ptr_add(&mut self, st: &mut State<X>, op: Op) -> Result<Flow, Halt> {
        let Op::PtrAdd { w, dst, base, index, scale, off } = op else {
            unreachable!("dispatch sends only address arithmetic here")
        };
        let pool = self.pool;
        let index = pool.sext(self.term(st, index, w), 64);
        let scaled = pool.mul(index, pool.constant(64, i64::from(scale) as u64));
        let offset = pool.add(scaled, pool.constant(64, i64::from(off) as u64));
        let result = pool.add(self.term(st, base, 64), offset);
        self.put(st, dst, result);
        Ok(Flow::Next)
    }

    pub(crate) fn mem_copy(
        &mut self,
        st: &mut State<X>,
        kind: CopyKind,
        to: Operand,
        from: Operand,
        len: Operand,
    ) -> Result<Flow, Halt> {
        let (to, from, len) = (self.get(st, to), self.get(st, from), self.get(st, len));
        let len = self.fork_over(st, len, self.config.max_targets)?;
        self.copy_block(st, kind, to, from, len)?;
        Ok(Flow::Next)
    }

    /// Copies a block as `memcpy` or `memmove` does.
    pub fn copy_block(
        &mut self,
        st: &mut State<X>,
        kind: CopyKind,
        to: Reg,
        from: Reg,
        len: u64,
    ) -> Result<(), Halt> {
        if let (Some(to), Some(from)) = (to.as_word(), from.as_word())
            && st.watch().is_none()
            && !overlap(to, from, len)
            && st.mem.copy_at_hand(self.pool, to, from, len)
        {
            return Ok(());
        }
        if kind == CopyKind::Disjoint {
            self.check_overlap(st, to, from, len)?;
        }
        self.copy_bytes(st, to, from, len)
    }

    /// Splits off the paths on which the ranges of a `memcpy` overlap without being the same.
    fn check_overlap(
        &mut self,
        st: &mut State<X>,
        to: Reg,
        from: Reg,
        len: u64,
    ) -> Result<(), Halt> {
        let pool = self.pool;
        if let (Some(to), Some(from)) = (to.as_word(), from.as_word())
            && (to == from || !overlap(to, from, len))
        {
            return Ok(());
        }
        let distance = pool.sub(self.reg_term(to, 64), self.reg_term(from, 64));
        let bytes = pool.constant(64, len);
        let apart = pool.and(pool.uge(distance, bytes), pool.uge(pool.neg(distance), bytes));
        let fine = pool.or(apart, pool.eq(distance, pool.constant(64, 0)));
        self.require(st, fine, |this, bad| {
            let apart = this.example(bad, distance);
            let apart = byte_count(apart.min(apart.wrapping_neg()));
            let message = format!(
                "memcpy of {} between ranges that overlap ({apart} apart)",
                byte_count(len)
            );
            Bug::new(BugKind::Overlap, message)
        })
    }

    /// Copies bytes as `memmove` does.
    pub fn copy_bytes(
        &mut self,
        st: &mut State<X>,
        to: Reg,
        from: Reg,
        len: u64,
    ) -> Result<(), Halt> {
        if len == 0 {
            return Ok(());
        }
        let source = self.locate(st, MemoryAccess::new(from, len, AccessPurpose::Read))?;
        let target = self.locate(st, MemoryAccess::new(to, len, AccessPurpose::Write))?;
        let (source, target) = (self.settle(st, source)?, self.settle(st, target)?);
        let (AccessTarget::Known(from), AccessTarget::Known(to)) = (source, target) else {
            return self.copy_each(st, target, source, len);
        };
        if let Err(fault) = st.mem.check(from, len) {
            return Err(self.faulty(&fault, AccessPurpose::Read).into());
        }
        let copied = st.mem.copy(self.pool, to, from, len);
        Ok(copied.map_err(|fault| self.faulty(&fault, AccessPurpose::Write))?)
    }

    /// Makes the offset into a large object concrete before a block operation starts to write,
    /// since in the middle of it the path cannot fork any more.
    fn settle(&mut self, st: &mut State<X>, spot: AccessTarget) -> Result<AccessTarget, Stop> {
        match spot {
            AccessTarget::Within { object, offset } if object.object.size > LARGE_OBJECT_BYTES => {
                let offset = self.fork_over(st, Reg::symbolic(offset), self.config.max_targets)?;
                Ok(AccessTarget::Known(object.base + offset))
            }
            spot => Ok(spot),
        }
    }

    /// Copies byte by byte: at least one of the places has a symbolic offset.
    fn copy_each(
        &mut self,
        st: &mut State<X>,
        to: AccessTarget,
        from: AccessTarget,
        len: u64,
    ) -> Result<(), Halt> {
        let (to, from) = (self.spot_reg(to), self.spot_reg(from));
        let mut bytes = Vec::with_capacity(len as usize);
        for i in 0..len {
            bytes.push(self.load_term(st, from, i as i64, 1)?);
        }
        for (i, byte) in (0..).zip(bytes) {
            self.store_term(st, to, i, byte)?;
        }
        Ok(())
    }

    fn spot_reg(&self, spot: AccessTarget) -> Reg {
        match spot {
            AccessTarget::Known(address) => Reg::word(address),
            AccessTarget::Within { object, offset } => {
                Reg::symbolic(self.pool.add(offset, self.pool.constant(64, object.base)))
            }
        }
    }

    pub(crate) fn mem_set(
        &mut self,
        st: &mut State<X>,
        to: Operand,
        val: Operand,
        len: Operand,
    ) -> Result<Flow, Halt> {
        let (to, val, len) = (self.get(st, to), self.get(st, val), self.get(st, len));
        let len = self.fork_over(st, len, self.config.max_targets)?;
        self.fill_block(st, to, val, len)?;
        Ok(Flow::Next)
    }

    /// Fills a block with the lowest byte of a value.
    pub fn fill_block(
        &mut self,
        st: &mut State<X>,
        to: Reg,
        val: Reg,
        len: u64,
    ) -> Result<(), Halt> {
        if len == 0 {
            return Ok(());
        }
        let value = match val.term() {
            None => ByteValue::Concrete(val.bits() as u8),
            Some(term) => ByteValue::Symbolic(self.pool.extract(term, 0, 8)),
        };
        let spot = self.locate(st, MemoryAccess::new(to, len, AccessPurpose::Write))?;
        let spot = self.settle(st, spot)?;
        match spot {
            AccessTarget::Known(address) => {
                let filled = st.mem.fill(self.pool, address, value, len);
                Ok(filled.map_err(|fault| self.faulty(&fault, AccessPurpose::Write))?)
            }
            AccessTarget::Within { .. } => {
                let (to, byte) = (self.spot_reg(spot), self.byte_term(value));
                for i in 0..len {
                    self.store_term(st, to, i as i64, byte)?;
                }
                Ok(())
            }
        }
    }

    fn byte_term(&self, value: ByteValue) -> TermId {
        match value {
            ByteValue::Concrete(byte) => self.pool.constant(8, byte.into()),
            ByteValue::Symbolic(term) => term,
        }
    }

    /// The bytes between a pointer and the end of its object. A symbolic pointer that is no address of
    /// one object and an offset has a size that is not known: asking is not accessing, and never forks.
    pub(crate) fn object_size(
        &mut self,
        st: &mut State<X>,
        [least, null_unknown]: [bool; 2],
        w: u8,
        dst: Slot,
        ptr: Operand,
    ) -> Result<Flow, Halt> {
        let unknown = if least { 0 } else { u64::MAX };
        let reg = self.get(st, ptr);
        let Some(term) = reg.term() else {
            let address = reg.bits();
            let size = match st.mem.resolve(address) {
                AddressResolution::Live(object) => object.end() - address,
                // Behind the end there is nothing.
                AddressResolution::Gap(object) if object.base <= address => 0,
                AddressResolution::Null if address == 0 && !null_unknown => 0,
                _ => unknown,
            };
            self.put_word(st, dst, size & mask(w));
            return Ok(Flow::Next);
        };
        let pool = self.pool;
        let address = st.path.simplify_choices(pool, term);
        let size = match self.base_object(st, address) {
            Some(object) => {
                let size = pool.constant(64, object.object.size);
                let offset = pool.sub(address, pool.constant(64, object.base));
                let left = pool.sub(size, offset);
                pool.ite(pool.ule(offset, size), left, pool.constant(64, 0))
            }
            None => pool.constant(64, unknown),
        };
        let size = self.resize(size, w.into());
        self.put(st, dst, size);
        Ok(Flow::Next)
    }

    pub(crate) fn thread_local(
        &mut self,
        st: &mut State<X>,
        dst: Slot,
        global: GlobalId,
    ) -> Result<Flow, Halt> {
        let address = self.local_address(st, global);
        self.put_word(st, dst, address);
        Ok(Flow::Next)
    }

    /// The address of the running thread's instance of a thread-local variable.
    pub fn local_address(&self, st: &State<X>, global: GlobalId) -> u64 {
        // What nobody defines is the same for all threads: nothing.
        let defined = !self.image.program.globals[global.index()].external;
        let locals = st.rare.as_ref().map(|rare| &rare.locals).filter(|_| defined);
        let own = locals.and_then(|locals| locals.get(&global).copied());
        own.unwrap_or_else(|| self.image.global_address(global))
    }

    pub(crate) fn thread_pointer(&mut self, st: &mut State<X>, dst: Slot) -> Result<Flow, Halt> {
        self.put_word(st, dst, st.thread_pointer);
        Ok(Flow::Next)
    }

    /// A saved stack is the number of stack objects that the frame has.
    pub(crate) fn stack_save(&mut self, st: &mut State<X>, dst: Slot) -> Result<Flow, Halt> {
        let n = st.stack.own_objects().len() as u64;
        self.put_word(st, dst, n);
        Ok(Flow::Next)
    }

    pub(crate) fn stack_restore(
        &mut self,
        st: &mut State<X>,
        a: Operand,
        pc: Pc,
    ) -> Result<Flow, Halt> {
        let keep = self.get(st, a).as_word().unwrap_or(u64::MAX);
        let here = self.image.site(pc);
        st.end_variables(keep as usize, here);
        Ok(Flow::Next)
    }
}
