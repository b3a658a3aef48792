//! Loads, stores, stack objects, address arithmetic and block operations.

use everett_expr::TermId;
use everett_ir::{CopyKind, GlobalId, Layout, LayoutId, Op, Operand, Pc, Slot};
use everett_memory::{ByteValue, Fault, Kind, NameId, ObjRef, Request, Resolution, Value, overlap};

use super::call::stack_overflow;
use crate::bug::{Bug, BugKind};
use crate::error::Stop;
use crate::flow::{Ending, Flow};
use crate::hot::mask;
use crate::interp::Interp;
use crate::reg::Reg;
use crate::resolve::Spot;
use crate::state::State;
use crate::text::{Purpose, byte_count};

/// Objects up to this size are searched as a whole when the offset is symbolic; for larger ones
/// the offset's bounds are worth a few queries.
const SMALL_OBJECT_BYTES: u64 = 1024;

/// Block operations at symbolic offsets into larger objects fork over the offset.
const LARGE_OBJECT_BYTES: u64 = 1 << 16;

impl<X: Clone> Interp<'_, X> {
    pub(crate) fn load(
        &mut self,
        st: &mut State<X>,
        bytes: u8,
        w: u8,
        dst: Slot,
        ptr: Operand,
        off: i32,
    ) -> Result<Flow, Stop> {
        let pointer = self.get(st, ptr);
        match self.load_value(st, pointer, off.into(), bytes.into())? {
            Ok(value) => {
                let reg = self.narrow(value, w);
                self.put_reg(st, dst, reg);
                Ok(Flow::Next)
            }
            // Optimisers read variables where the source does not, and drop what they have read.
            Err(Flow::End(Ending::Bug(bug))) if bug.kind == BugKind::UndefinedVariable => {
                let pc = st.pc();
                self.poison(st, pc, dst, 1, *bug);
                Ok(Flow::Next)
            }
            Err(flow) => Ok(flow),
        }
    }

    fn narrow(&self, value: Value, w: u8) -> Reg {
        match value {
            Value::Concrete(word) => Reg::word(word & mask(w)),
            Value::Term(term) => self.term_reg(self.pool.extract(term, 0, w.into())),
        }
    }

    /// Reads memory. `Err` is the end of this path.
    pub(crate) fn load_value(
        &mut self,
        st: &mut State<X>,
        pointer: Reg,
        off: i64,
        bytes: u64,
    ) -> Result<Result<Value, Flow>, Stop> {
        match self.locate(st, pointer, off, bytes, Purpose::Read)? {
            Err(flow) => Ok(Err(flow)),
            Ok(Spot::Known(address)) => match st.mem.read(self.pool, address, bytes as u32) {
                Ok(value) => Ok(Ok(value)),
                Err(fault) => Ok(Err(self.faulty(&fault, Purpose::Read))),
            },
            Ok(Spot::Within { object, offset }) => {
                self.read_within(st, object, offset, bytes).map(Ok)
            }
        }
    }

    fn read_within(
        &mut self,
        st: &mut State<X>,
        object: ObjRef,
        offset: TermId,
        bytes: u64,
    ) -> Result<Value, Stop> {
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

    /// Reads memory as a term. `Err` is the end of this path.
    pub(crate) fn load_term(
        &mut self,
        st: &mut State<X>,
        pointer: Reg,
        off: i64,
        bytes: u64,
    ) -> Result<Result<TermId, Flow>, Stop> {
        let value = self.load_value(st, pointer, off, bytes)?;
        Ok(value.map(|value| value.term(self.pool, bytes as u32 * 8)))
    }

    pub(crate) fn store(
        &mut self,
        st: &mut State<X>,
        bytes: u8,
        w: u8,
        val: Operand,
        ptr: Operand,
        off: i32,
    ) -> Result<Flow, Stop> {
        let (value, pointer) = (self.get(st, val), self.get(st, ptr));
        Ok(self.store_value(st, pointer, off.into(), bytes, value, w)?.unwrap_or(Flow::Next))
    }

    /// Writes a register of `w` bits as `bytes` bytes. `Some` is the end of this path.
    pub(crate) fn store_value(
        &mut self,
        st: &mut State<X>,
        pointer: Reg,
        off: i64,
        bytes: u8,
        value: Reg,
        w: u8,
    ) -> Result<Option<Flow>, Stop> {
        if let (Some(address), Some(word)) = (pointer.as_word(), value.as_word())
            && st.mem.store_concrete(address.wrapping_add(off as u64), bytes, word)
        {
            return Ok(None);
        }
        let term = self.pool.zext(self.reg_term(value, w.into()), u32::from(bytes) * 8);
        self.store_term(st, pointer, off, term)
    }

    /// Writes a term of whole bytes. `Some` is the end of this path.
    pub(crate) fn store_term(
        &mut self,
        st: &mut State<X>,
        pointer: Reg,
        off: i64,
        term: TermId,
    ) -> Result<Option<Flow>, Stop> {
        let bytes = u64::from(self.pool.width(term) / 8);
        match self.locate(st, pointer, off, bytes, Purpose::Write)? {
            Err(flow) => Ok(Some(flow)),
            Ok(Spot::Known(address)) => match st.mem.write(self.pool, address, term) {
                Ok(()) => Ok(None),
                Err(fault) => Ok(Some(self.faulty(&fault, Purpose::Write))),
            },
            Ok(Spot::Within { object, offset }) => self.write_within(st, object, offset, term),
        }
    }

    fn write_within(
        &mut self,
        st: &mut State<X>,
        object: ObjRef,
        offset: TermId,
        term: TermId,
    ) -> Result<Option<Flow>, Stop> {
        if object.object.constant {
            let address = object.base + self.example(st, offset);
            let bytes = u64::from(self.pool.width(term) / 8);
            let fault = Fault::ReadOnly { address, bytes, object };
            return Ok(Some(self.faulty(&fault, Purpose::Write)));
        }
        let range = self.offset_range(st, &object, offset)?;
        if st.mem.write_at_term(self.pool, object, offset, term, range).is_err() {
            let offset = self.fork_over(st, Reg::symbolic(offset), self.config.max_targets)?;
            let written = st.mem.write(self.pool, object.base + offset, term);
            written.expect("the path keeps the access inside the object");
        }
        Ok(None)
    }

    /// Writes a register to memory that is known to be there.
    pub(crate) fn write_reg(
        &mut self,
        st: &mut State<X>,
        address: u64,
        bytes: u8,
        value: Reg,
        w: u8,
    ) {
        let term = self.pool.zext(self.reg_term(value, w.into()), u32::from(bytes) * 8);
        st.mem.write(self.pool, address, term).expect("the caller made the object");
    }

    /// The end of a path at a fault.
    pub(crate) fn faulty(&self, fault: &Fault, purpose: Purpose) -> Flow {
        Flow::End(Ending::Bug(Box::new(self.image.bug_of(fault, purpose))))
    }

    /// Locates all bytes of a value of several slots before any of them is accessed, so that a bug
    /// names the whole access. `Err` is the end of this path.
    fn whole_access(
        &mut self,
        st: &mut State<X>,
        layout: &Layout,
        ptr: Operand,
        off: i32,
        purpose: Purpose,
    ) -> Result<Result<Reg, Flow>, Stop> {
        let (pointer, size) = (self.get(st, ptr), u64::from(layout.size));
        let spot = match self.locate(st, pointer, off.into(), size, purpose)? {
            Ok(spot) => spot,
            Err(flow) => return Ok(Err(flow)),
        };
        if let Spot::Known(address) = spot {
            let checked = match purpose {
                Purpose::Read => st.mem.check(address, size),
                Purpose::Write => st.mem.check_write(address, size),
            };
            if let Err(fault) = checked {
                return Ok(Err(self.faulty(&fault, purpose)));
            }
        }
        Ok(Ok(self.spot_reg(spot)))
    }

    pub(crate) fn load_many(
        &mut self,
        st: &mut State<X>,
        layout: LayoutId,
        dst: Slot,
        ptr: Operand,
        off: i32,
    ) -> Result<Flow, Stop> {
        let image = self.image;
        let layout = &image.program.layouts[layout.index()];
        let base = match self.whole_access(st, layout, ptr, off, Purpose::Read)? {
            Ok(base) => base,
            Err(flow) => return Ok(flow),
        };
        for (slot, piece) in (0..).zip(&layout.pieces) {
            match self.load_value(st, base, piece.offset.into(), piece.bytes.into())? {
                Ok(value) => {
                    let reg = self.narrow(value, piece.bits);
                    self.put_reg(st, dst.plus(slot), reg);
                }
                Err(flow) => return Ok(flow),
            }
        }
        Ok(Flow::Next)
    }

    pub(crate) fn store_many(
        &mut self,
        st: &mut State<X>,
        layout: LayoutId,
        val: Operand,
        ptr: Operand,
        off: i32,
    ) -> Result<Flow, Stop> {
        let image = self.image;
        let layout = &image.program.layouts[layout.index()];
        let base = match self.whole_access(st, layout, ptr, off, Purpose::Write)? {
            Ok(base) => base,
            Err(flow) => return Ok(flow),
        };
        for (slot, piece) in (0..).zip(&layout.pieces) {
            let value = self.get(st, val.plus(slot));
            let end =
                self.store_value(st, base, piece.offset.into(), piece.bytes, value, piece.bits)?;
            if let Some(flow) = end {
                return Ok(flow);
            }
        }
        Ok(Flow::Next)
    }

    pub(crate) fn alloca(&mut self, st: &mut State<X>, op: Op, pc: Pc) -> Result<Flow, Stop> {
        let Op::Alloca { align_log2, dst, size, count: n, name } = op else {
            unreachable!("dispatch sends only alloca here")
        };
        let n = self.get(st, n);
        let n = self.fork_over(st, n, self.config.max_sizes)?;
        let total = u64::from(size).saturating_mul(n);
        if total > self.config.max_stack_bytes {
            return Ok(stack_overflow(format!("local variable of {}", byte_count(total))));
        }
        let request = Request {
            name: NameId(name.0),
            ..Request::new(total, Kind::Stack, self.image.site(pc)).aligned(1 << align_log2)
        };
        match st.mem.alloc_with(request) {
            Ok(address) => {
                st.stack.own_object(address);
                self.put_word(st, dst, address);
                Ok(Flow::Next)
            }
            Err(error) => Ok(stack_overflow(error.to_string())),
        }
    }

    pub(crate) fn ptr_add(&mut self, st: &mut State<X>, op: Op) -> Result<Flow, Stop> {
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
    ) -> Result<Flow, Stop> {
        let (to, from, len) = (self.get(st, to), self.get(st, from), self.get(st, len));
        let len = self.fork_over(st, len, self.config.max_targets)?;
        Ok(self.copy_block(st, kind, to, from, len)?.unwrap_or(Flow::Next))
    }

    /// Copies a block as `memcpy` or `memmove` does. `Some` is the end of this path.
    pub fn copy_block(
        &mut self,
        st: &mut State<X>,
        kind: CopyKind,
        to: Reg,
        from: Reg,
        len: u64,
    ) -> Result<Option<Flow>, Stop> {
        if let (Some(to), Some(from)) = (to.as_word(), from.as_word())
            && !overlap(to, from, len)
            && st.mem.copy_at_hand(to, from, len)
        {
            return Ok(None);
        }
        if kind == CopyKind::Disjoint
            && let Some(flow) = self.check_overlap(st, to, from, len)?
        {
            return Ok(Some(flow));
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
    ) -> Result<Option<Flow>, Stop> {
        let pool = self.pool;
        if let (Some(to), Some(from)) = (to.as_word(), from.as_word())
            && (to == from || !overlap(to, from, len))
        {
            return Ok(None);
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

    /// Copies bytes as `memmove` does. `Some` is the end of this path.
    pub fn copy_bytes(
        &mut self,
        st: &mut State<X>,
        to: Reg,
        from: Reg,
        len: u64,
    ) -> Result<Option<Flow>, Stop> {
        if len == 0 {
            return Ok(None);
        }
        let source = match self.locate(st, from, 0, len, Purpose::Read)? {
            Ok(spot) => spot,
            Err(flow) => return Ok(Some(flow)),
        };
        let target = match self.locate(st, to, 0, len, Purpose::Write)? {
            Ok(spot) => spot,
            Err(flow) => return Ok(Some(flow)),
        };
        let (source, target) = (self.settle(st, source)?, self.settle(st, target)?);
        let (Spot::Known(from), Spot::Known(to)) = (source, target) else {
            return self.copy_each(st, target, source, len);
        };
        if let Err(fault) = st.mem.check(from, len) {
            return Ok(Some(self.faulty(&fault, Purpose::Read)));
        }
        match st.mem.copy(self.pool, to, from, len) {
            Ok(()) => Ok(None),
            Err(fault) => Ok(Some(self.faulty(&fault, Purpose::Write))),
        }
    }

    /// Makes the offset into a large object concrete before a block operation starts to write,
    /// since in the middle of it the path cannot fork any more.
    fn settle(&mut self, st: &mut State<X>, spot: Spot) -> Result<Spot, Stop> {
        match spot {
            Spot::Within { object, offset } if object.object.size > LARGE_OBJECT_BYTES => {
                let offset = self.fork_over(st, Reg::symbolic(offset), self.config.max_targets)?;
                Ok(Spot::Known(object.base + offset))
            }
            spot => Ok(spot),
        }
    }

    /// Copies byte by byte: at least one of the places has a symbolic offset.
    fn copy_each(
        &mut self,
        st: &mut State<X>,
        to: Spot,
        from: Spot,
        len: u64,
    ) -> Result<Option<Flow>, Stop> {
        let (to, from) = (self.spot_reg(to), self.spot_reg(from));
        let mut bytes = Vec::with_capacity(len as usize);
        for i in 0..len {
            match self.load_term(st, from, i as i64, 1)? {
                Ok(byte) => bytes.push(byte),
                Err(flow) => return Ok(Some(flow)),
            }
        }
        for (i, byte) in (0..).zip(bytes) {
            if let Some(flow) = self.store_term(st, to, i, byte)? {
                return Ok(Some(flow));
            }
        }
        Ok(None)
    }

    fn spot_reg(&self, spot: Spot) -> Reg {
        match spot {
            Spot::Known(address) => Reg::word(address),
            Spot::Within { object, offset } => {
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
    ) -> Result<Flow, Stop> {
        let (to, val, len) = (self.get(st, to), self.get(st, val), self.get(st, len));
        let len = self.fork_over(st, len, self.config.max_targets)?;
        Ok(self.fill_block(st, to, val, len)?.unwrap_or(Flow::Next))
    }

    /// Fills a block with the lowest byte of a value. `Some` is the end of this path.
    pub fn fill_block(
        &mut self,
        st: &mut State<X>,
        to: Reg,
        val: Reg,
        len: u64,
    ) -> Result<Option<Flow>, Stop> {
        if len == 0 {
            return Ok(None);
        }
        let value = match val.term() {
            None => ByteValue::Concrete(val.bits() as u8),
            Some(term) => ByteValue::Symbolic(self.pool.extract(term, 0, 8)),
        };
        let spot = match self.locate(st, to, 0, len, Purpose::Write)? {
            Err(flow) => return Ok(Some(flow)),
            Ok(spot) => self.settle(st, spot)?,
        };
        match spot {
            Spot::Known(address) => match st.mem.fill(self.pool, address, value, len) {
                Ok(()) => Ok(None),
                Err(fault) => Ok(Some(self.faulty(&fault, Purpose::Write))),
            },
            Spot::Within { .. } => {
                let (to, byte) = (self.spot_reg(spot), self.byte_term(value));
                for i in 0..len {
                    if let Some(flow) = self.store_term(st, to, i as i64, byte)? {
                        return Ok(Some(flow));
                    }
                }
                Ok(None)
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
    ) -> Result<Flow, Stop> {
        let unknown = if least { 0 } else { u64::MAX };
        let reg = self.get(st, ptr);
        let Some(term) = reg.term() else {
            let address = reg.bits();
            let size = match st.mem.resolve(address) {
                Resolution::Live(object) => object.end() - address,
                // Behind the end there is nothing.
                Resolution::Gap(object) if object.base <= address => 0,
                Resolution::Null if address == 0 && !null_unknown => 0,
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
    ) -> Result<Flow, Stop> {
        // What nobody defines is the same for all threads: nothing.
        let defined = !self.image.program.globals[global.index()].external;
        let locals = st.rare.as_ref().map(|rare| &rare.locals).filter(|_| defined);
        let own = locals.and_then(|locals| locals.get(&global).copied());
        let address = own.unwrap_or_else(|| self.image.global_address(global));
        self.put_word(st, dst, address);
        Ok(Flow::Next)
    }

    pub(crate) fn thread_pointer(&mut self, st: &mut State<X>, dst: Slot) -> Result<Flow, Stop> {
        self.put_word(st, dst, st.thread_pointer);
        Ok(Flow::Next)
    }

    /// A saved stack is the number of stack objects that the frame has.
    pub(crate) fn stack_save(&mut self, st: &mut State<X>, dst: Slot) -> Result<Flow, Stop> {
        let n = st.stack.own_objects().len() as u64;
        self.put_word(st, dst, n);
        Ok(Flow::Next)
    }

    pub(crate) fn stack_restore(
        &mut self,
        st: &mut State<X>,
        a: Operand,
        pc: Pc,
    ) -> Result<Flow, Stop> {
        let keep = self.get(st, a).as_word().unwrap_or(u64::MAX);
        let here = self.image.site(pc);
        let State { stack, mem, .. } = st;
        stack.take_objects(keep as usize, |object| mem.release_stack(object, here));
        Ok(Flow::Next)
    }
}
