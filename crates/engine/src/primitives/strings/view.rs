//! The bytes behind a pointer, up to the end of the object that it points into.

use everett_expr::TermId;
use everett_interp::{AccessPurpose, AccessTarget, Bug, Halt, MemoryAccess, Reg};
use everett_memory::{ByteValue, GuardState, MemoryFault, ObjRef, ObjectPosition, ReadValue};

use super::StringCall;
use super::chain::ByteTruth;
use crate::state::node_state::{Interpreter, PathState};

/// Bytes that are read at a time where one by one matters.
const WINDOW_BYTES: u64 = 512;

/// A pointer with a symbolic offset into a larger object forks over the offset.
const LARGE_OBJECT_BYTES: u64 = 1024;

/// The bytes from a pointer on; at least one is inside the object.
pub(super) struct ByteView {
    object: ObjRef,
    start: Start,
    /// The most bytes that there can be.
    room: u64,
    /// Bytes from position `first` on.
    window: Vec<ByteValue>,
    first: u64,
}

#[derive(Clone, Copy)]
enum Start {
    /// An address.
    Known(u64),
    /// An offset into the object, 64 bits wide.
    Offset(TermId),
}

impl StringCall<'_, '_> {
    /// The bytes that are read through a pointer.
    pub(super) fn view(&mut self, pointer: Reg) -> Result<ByteView, Halt> {
        let spot = self.cx.locate(self.st, MemoryAccess::new(pointer, 1, AccessPurpose::Read))?;
        let start = match spot {
            AccessTarget::Known(address) => address,
            AccessTarget::Within { object, offset } if is_plain(&object) => {
                return Ok(ByteView::new(object, Start::Offset(offset), object.object.size));
            }
            AccessTarget::Within { object, offset } => {
                object.base + self.settle(Reg::symbolic(offset))?
            }
        };
        let object = self.inside(start, 1, AccessPurpose::Read)?;
        self.st.mem.bring(start);
        Ok(self.view_at(ObjectPosition { object, address: start }))
    }

    /// The bytes that are read from a place on.
    pub(super) fn view_at(&self, place: ObjectPosition) -> ByteView {
        let room = self.st.mem.accessible(place, false);
        ByteView::new(place.object, Start::Known(place.address), room)
    }

    /// The address in a pointer, whose first byte is inside an object; a symbolic one forks over its
    /// values.
    pub(super) fn place(
        &mut self,
        pointer: Reg,
        purpose: AccessPurpose,
    ) -> Result<ObjectPosition, Halt> {
        let spot = self.cx.locate(self.st, MemoryAccess::new(pointer, 1, purpose))?;
        let address = match spot {
            AccessTarget::Known(address) => address,
            AccessTarget::Within { object, offset } => {
                object.base + self.settle(Reg::symbolic(offset))?
            }
        };
        let object = self.inside(address, 1, purpose)?;
        self.st.mem.bring(address);
        Ok(ObjectPosition { object, address })
    }

    /// The object that all of the bytes at an address are in.
    pub(super) fn inside(
        &self,
        address: u64,
        bytes: u64,
        purpose: AccessPurpose,
    ) -> Result<ObjRef, Halt> {
        let checked = match purpose {
            AccessPurpose::Read => self.st.mem.check(address, bytes),
            AccessPurpose::Write => self.st.mem.check_write(address, bytes),
        };
        checked.map_err(|fault| self.fault(&fault, purpose))
    }

    pub(super) fn fault(&self, fault: &MemoryFault, purpose: AccessPurpose) -> Halt {
        self.cx.fault(fault, purpose).into()
    }
}

impl ByteView {
    fn new(object: ObjRef, start: Start, room: u64) -> ByteView {
        ByteView { object, start, room, window: Vec::new(), first: 0 }
    }

    /// Where it begins, if that is known.
    pub(super) fn place(&self) -> Option<ObjectPosition> {
        match self.start {
            Start::Known(address) => Some(ObjectPosition { object: self.object, address }),
            Start::Offset(_) => None,
        }
    }

    /// The most bytes that it can have.
    pub(super) fn room(&self) -> u64 {
        self.room
    }

    /// The number of its bytes, 64 bits wide.
    pub(super) fn room_term(&self, cx: &Interpreter<'_>) -> TermId {
        match self.start {
            Start::Known(_) => cx.pool.constant(64, self.room()),
            Start::Offset(offset) => {
                cx.pool.sub(cx.pool.constant(64, self.object.object.size), offset)
            }
        }
    }

    /// The address of a position.
    pub(super) fn pointer(&self, cx: &Interpreter<'_>, position: u64) -> Reg {
        match self.start {
            Start::Known(address) => Reg::word(address + position),
            Start::Offset(offset) => {
                let base = cx.pool.constant(64, self.object.base.wrapping_add(position));
                cx.term_reg(cx.pool.add(offset, base))
            }
        }
    }

    /// The byte at a position, and whether the position is inside the object; `None` if it never is.
    pub(super) fn byte(
        &mut self,
        call: &mut StringCall<'_, '_>,
        position: u64,
    ) -> Option<(ByteTruth, ByteValue)> {
        if position >= self.room() {
            return None;
        }
        match self.start {
            Start::Known(address) => {
                Some((ByteTruth::Yes, self.known_byte(call, address, position)))
            }
            Start::Offset(offset) => self.offset_byte(call, offset, position),
        }
    }

    fn known_byte(
        &mut self,
        call: &mut StringCall<'_, '_>,
        address: u64,
        position: u64,
    ) -> ByteValue {
        call.log(address + position, 1, AccessPurpose::Read);
        if let Some(byte) = call.st.mem.load_concrete(address + position, 1) {
            return ByteValue::Concrete(byte as u8);
        }
        let held = self.first..self.first + self.window.len() as u64;
        if !held.contains(&position) {
            let bytes = (self.room() - position).min(WINDOW_BYTES);
            let read = call.st.mem.read_each(call.cx.pool, address + position, bytes);
            self.window = read.expect("the position is inside the object");
            self.first = position;
        }
        self.window[(position - self.first) as usize]
    }

    fn offset_byte(
        &self,
        call: &mut StringCall<'_, '_>,
        offset: TermId,
        position: u64,
    ) -> Option<(ByteTruth, ByteValue)> {
        let pool = call.cx.pool;
        let at = pool.add(offset, pool.constant(64, position));
        let size = pool.constant(64, self.object.object.size);
        let inside = match ByteTruth::of(pool, pool.ult(at, size)) {
            ByteTruth::No => return None,
            inside => inside,
        };
        // Beyond the end the array has some value; nothing follows from it there.
        let read = call.st.mem.read_at_term(pool, self.object, at, 1, None);
        let byte = match read.expect("large objects have known offsets") {
            ReadValue::Concrete(byte) => ByteValue::Concrete(byte as u8),
            ReadValue::Term(term) => ByteValue::Symbolic(term),
        };
        Some((inside, byte))
    }

    /// The bug of a path that reads on where the object ends, or what may be read of it.
    pub(super) fn past_end(&self, cx: &Interpreter<'_>, bad: &PathState) -> Bug {
        let end = match self.start {
            Start::Known(address) => address + self.room,
            Start::Offset(_) => self.object.end(),
        };
        let beyond = MemoryFault::OutOfBounds { address: end, bytes: 1, object: self.object };
        let fault = bad.mem.check(end, 1).err().unwrap_or(beyond);
        cx.image.bug_of(&fault, AccessPurpose::Read)
    }

    /// The bug of a path that reads a block of bytes which is not wholly inside the object.
    pub(super) fn block_past_end(&self, cx: &Interpreter<'_>, st: &PathState, bytes: u64) -> Bug {
        let address = match self.start {
            Start::Known(address) => address,
            Start::Offset(offset) => self.object.base + cx.example(st, offset),
        };
        cx.image.bug_of(
            &MemoryFault::OutOfBounds { address, bytes, object: self.object },
            AccessPurpose::Read,
        )
    }

    /// The number of bytes on a path, as its model has it.
    pub(super) fn example_room(&self, cx: &Interpreter<'_>, st: &PathState) -> u64 {
        match self.start {
            Start::Known(_) => self.room(),
            Start::Offset(offset) => self.object.object.size.saturating_sub(cx.example(st, offset)),
        }
    }
}

/// Returns `true` if an object is small and can be read everywhere.
fn is_plain(object: &ObjRef) -> bool {
    object.object.size <= LARGE_OBJECT_BYTES && object.object.guarded == GuardState::Unguarded
}
