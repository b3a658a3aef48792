//! `klee_invariant_expose_data`: data that invariants see.

use everett_interp::{Args, BugKind, Flow, Purpose, Reg, Spot, Stop};
use everett_memory::ByteValue;

use super::Primitives;
use crate::programs::places;
use crate::state::node_state::{Interpreter, PathState, bug};

/// Longest key, with its terminator.
const KEY_BYTES: u64 = 256;
/// The most bytes that are exposed at once.
const MAX_EXPOSED_BYTES: u64 = 1 << 16;

impl Primitives {
    /// `klee_invariant_expose_data(state, key, data, size)`
    pub(super) fn expose(
        &mut self,
        cx: &mut Interpreter<'_>,
        st: &mut PathState,
        args: &Args<'_>,
    ) -> Result<Flow, Stop> {
        let state = cx.fork_over(st, args.get(0), cx.config.max_targets)? as i32;
        let key = match key(cx, st, args.get(1))? {
            Ok(key) => key,
            Err(flow) => return Ok(flow),
        };
        let size = cx.fork_over(st, args.get(3), cx.config.max_sizes)?;
        if size > MAX_EXPOSED_BYTES {
            let message = format!("{size} bytes are more than can be exposed to invariants");
            return Ok(bug(BugKind::UserError, message));
        }
        let bytes = match bytes(cx, st, args.get(2), size)? {
            Ok(bytes) => bytes,
            Err(flow) => return Ok(flow),
        };
        let is_seen = self.invariants;
        let flow = self.kernel.expose(cx, st, is_seen, |kernel, cx, st| {
            kernel.note_exposure(cx, st, state, &key, &bytes);
            if is_seen {
                let stack = (st.program, places::shown_frames(&st.stack));
                let at = st.extra.activated();
                let exposures = &mut st.extra.links_mut().exposures;
                exposures.add(cx.pool, &st.path, (state.into(), key), bytes, at, stack);
            }
        })?;
        Ok(flow.unwrap_or(Flow::Next))
    }
}

/// The key at a pointer. Symbolic bytes fork.
fn key(
    cx: &mut Interpreter<'_>,
    st: &mut PathState,
    pointer: Reg,
) -> Result<Result<String, Flow>, Stop> {
    let address = cx.fork_over(st, pointer, cx.config.max_targets)?;
    if let Some(key) = known_key(st, address) {
        return Ok(text(key));
    }
    let mut key = Vec::new();
    for i in 0..KEY_BYTES {
        let byte = match cx.read_word(st, Reg::word(address.wrapping_add(i)), 1)? {
            Ok(byte) => cx.fork_over(st, byte, cx.config.max_targets)? as u8,
            Err(flow) => return Ok(Err(flow)),
        };
        if byte == 0 {
            return Ok(text(key));
        }
        key.push(byte);
    }
    let message = format!("the key of exposed data is longer than {} bytes", KEY_BYTES - 1);
    Ok(Err(bug(BugKind::UserError, message)))
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

/// The data at a pointer, as the path knows it.
fn bytes(
    cx: &mut Interpreter<'_>,
    st: &mut PathState,
    pointer: Reg,
    size: u64,
) -> Result<Result<Vec<ByteValue>, Flow>, Stop> {
    if size == 0 {
        return Ok(Ok(Vec::new()));
    }
    let address = match cx.locate(st, pointer, 0, size, Purpose::Read)? {
        Ok(Spot::Known(address)) => address,
        Ok(Spot::Within { object, offset }) => {
            object.base + cx.fork_over(st, Reg::symbolic(offset), cx.config.max_targets)?
        }
        Err(flow) => return Ok(Err(flow)),
    };
    let settled = |byte: ByteValue| match byte {
        ByteValue::Concrete(_) => byte,
        ByteValue::Symbolic(term) => {
            let term = st.path.simplify(cx.pool, term);
            let known = cx.pool.as_const(term);
            known.map_or(ByteValue::Symbolic(term), |value| ByteValue::Concrete(value as u8))
        }
    };
    Ok(match st.mem.read_each(cx.pool, address, size) {
        Ok(bytes) => Ok(bytes.into_iter().map(settled).collect()),
        Err(fault) => Err(cx.fault(&fault, Purpose::Read)),
    })
}
