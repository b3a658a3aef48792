//! `klee_invariant_expose_data`: data that invariants see.

use everett_interp::{AccessPurpose, BugKind, Flow, Halt, MemoryAccess, Reg};
use everett_memory::ByteValue;

use super::Primitives;
use super::call::PrimitiveCall;
use crate::programs::places;
use crate::state::exposure::{ExposedData, ExposedVariable};
use crate::state::node_state::{PathState, bug};

/// Longest key, with its terminator.
const KEY_BYTES: u64 = 256;
/// The most bytes that are exposed at once.
const MAX_EXPOSED_BYTES: u64 = 1 << 16;

impl Primitives {
    /// `klee_invariant_expose_data(state, key, data, size)`
    pub(super) fn expose(&mut self, call: &mut PrimitiveCall<'_, '_>) -> Result<Flow, Halt> {
        let state = call.settle(0)? as i32;
        let key = call.exposed_key(call.arg(1))?;
        let size = call.settle_size(3)?;
        if size > MAX_EXPOSED_BYTES {
            let message = format!("{size} bytes are more than can be exposed to invariants");
            return Ok(bug(BugKind::UserError, message));
        }
        let (bytes, address) = call.exposed_bytes(call.arg(2), size)?;
        let is_seen = self.invariants;
        let variable = is_seen.then(|| call.exposed_variable(address)).flatten();
        self.kernel.expose(call.cx, call.st, is_seen, |kernel, cx, st| {
            kernel.note_exposure(cx, st, state, &key, &bytes);
            if is_seen {
                let (program, stack) = (st.program, places::shown_frames(&st.stack));
                let at = st.extra.activated();
                let exposures = &mut st.extra.links_mut().exposures;
                let exposed =
                    ExposedData { state: state.into(), key, bytes, program, stack, variable };
                exposures.add(cx.pool, &st.path, exposed, at);
            }
        })?;
        Ok(Flow::Next)
    }
}

impl PrimitiveCall<'_, '_> {
    /// The key at a pointer. Symbolic bytes fork.
    fn exposed_key(&mut self, pointer: Reg) -> Result<String, Halt> {
        let address = self.settle_value(pointer)?;
        if let Some(key) = known_key(self.st, address) {
            return Ok(text(key)?);
        }
        let mut key = Vec::new();
        for i in 0..KEY_BYTES {
            let byte = self.cx.read_word(self.st, Reg::word(address.wrapping_add(i)), 1)?;
            let byte = self.settle_value(byte)? as u8;
            if byte == 0 {
                return Ok(text(key)?);
            }
            key.push(byte);
        }
        let message = format!("the key of exposed data is longer than {} bytes", KEY_BYTES - 1);
        Err(bug(BugKind::UserError, message).into())
    }

    /// The variable at an address, with the distance from its beginning.
    fn exposed_variable(&self, address: u64) -> Option<ExposedVariable> {
        let object = self.st.mem.check(address, 1).ok()?;
        let name = self.cx.image.variable_name(&object.object)?;
        let (size, offset) = (object.object.size, address - object.base);
        Some(ExposedVariable { name: name.to_owned(), size, offset })
    }

    /// The data at a pointer, as the path knows it, and its address.
    fn exposed_bytes(&mut self, pointer: Reg, size: u64) -> Result<(Vec<ByteValue>, u64), Halt> {
        if size == 0 {
            return Ok((Vec::new(), 0));
        }
        let spot =
            self.cx.locate(self.st, MemoryAccess::new(pointer, size, AccessPurpose::Read))?;
        let address = self.settle_spot(spot)?;
        let settled = |byte: ByteValue| match byte {
            ByteValue::Concrete(_) => byte,
            ByteValue::Symbolic(term) => {
                let term = self.st.path.simplify(self.cx.pool, term);
                let known = self.cx.pool.as_const(term);
                known.map_or(ByteValue::Symbolic(term), |value| ByteValue::Concrete(value as u8))
            }
        };
        match self.st.mem.read_each(self.cx.pool, address, size) {
            Ok(bytes) => Ok((bytes.into_iter().map(settled).collect(), address)),
            Err(fault) => Err(self.cx.fault(&fault, AccessPurpose::Read).into()),
        }
    }
}

/// The key at an address, if all that may belong to it is concrete, as it nearly always is.
fn known_key(st: &mut PathState, address: u64) -> Option<Vec<u8>> {
    let object = st.mem.check(address, 1).ok()?;
    let mut key = vec![0; (object.end() - address).min(KEY_BYTES) as usize];
    if !st.mem.read_bytes(address, &mut key) {
        return None;
    }
    key.truncate(key.iter().position(|byte| *byte == 0)?);
    Some(key)
}

fn text(key: Vec<u8>) -> Result<String, Flow> {
    String::from_utf8(key)
        .map_err(|_| bug(BugKind::UserError, "the key of exposed data is no text"))
}
