//! The conversation of a live node with its peer: the functions that its program calls
//! (`runtime-c/live/gateway.c`).
//!
//! A state of a live node has a position in the tree of what was said. The functions move it. Where inputs
//! are those of a test, the answers of the peer are among them, and there is no peer.
//!
//! Not here: the tree and its sessions (`everett-live`).

use everett_expr::TermId;
use everett_interp::{AccessPurpose, Flow, Halt, MemoryAccess, Omission, Reg, SiblingCourse, Stop};
use everett_live::{Closing, Endpoint, Heard, LiveError, PeerEvent, Position, Source};
use everett_memory::ByteValue;
use everett_posix::Guest;
use everett_solver::PathCondition;

use super::Primitives;
use super::call::PrimitiveCall;
use crate::api::live::protocol::{EventKind, closing, sending};
use crate::api::live::{LIVE_INPUT, LivePeer, event_bytes};
use crate::state::inputs::next_given;
use crate::state::node_state::{Interpreter, PathState};

/// The longest message that is read at once.
const MAX_MESSAGE_BYTES: u64 = 1 << 26;

/// Something that is sent to a peer.
#[derive(Clone, Copy)]
struct PeerMessage<'m> {
    connection: u32,
    bytes: &'m [u8],
    is_datagram: bool,
    ends_stream: bool,
}

impl PeerMessage<'_> {
    /// Says it, and returns the position behind it.
    fn say(self, peer: &LivePeer, at: Position) -> Result<Position, LiveError> {
        let connection = everett_live::ConnectionId(self.connection);
        let said = match self.is_datagram {
            true => peer.tree.send_datagram(at, connection, self.bytes)?,
            false => peer.tree.send(at, connection, self.bytes)?,
        };
        match self.ends_stream {
            true => peer.tree.close(said, connection, Closing::Finish),
            false => Ok(said),
        }
    }
}

impl Primitives {
    /// The peer of the running node, if it talks to one.
    fn peer(&self, st: &PathState) -> Option<LivePeer> {
        self.live.get(st.extra.of.index()).cloned().flatten()
    }

    /// `__everett_live_open(endpoint)`
    pub(super) fn live_open(&mut self, call: &mut PrimitiveCall<'_, '_>) -> Result<Flow, Halt> {
        let endpoint = Endpoint(call.settle(0)? as u32);
        let heard = match self.peer(call.st) {
            None => next_given(call.st, LIVE_INPUT),
            Some(peer) => {
                let opened = || {
                    let position = peer.tree.open(position(call.st), endpoint)?;
                    let newest = position.newest_connection().expect("it was just begun");
                    peer.tree.receive(position, Source::Connection(newest), peer.answer_limit)
                };
                let heard = opened().map_err(|error| lost(&error))?;
                Some(self.take(call.st, &heard))
            }
        };
        let bytes = heard.unwrap_or_else(|| event_bytes(&PeerEvent::Silence, None));
        self.note_heard(call.cx, call.st, &bytes);
        let connection = match bytes.first() {
            Some(kind) if *kind == EventKind::Opened as u8 => {
                u64::from(u32::from_le_bytes([bytes[4], bytes[5], bytes[6], bytes[7]]))
            }
            _ => u64::MAX,
        };
        call.returns(Reg::word(connection))
    }

    /// `__everett_live_listen(event, capacity)`
    pub(super) fn live_listen(&mut self, call: &mut PrimitiveCall<'_, '_>) -> Result<Flow, Halt> {
        let capacity = call.settle_size(1)?;
        let access = MemoryAccess::new(call.arg(0), capacity, AccessPurpose::Write);
        let spot = call.cx.locate(call.st, access)?;
        let address = call.settle_spot(spot)?;
        let heard = match self.peer(call.st) {
            None => next_given(call.st, LIVE_INPUT),
            Some(peer) => Some(self.hear(call, &peer, address)?),
        };
        let bytes = heard.unwrap_or_else(|| event_bytes(&PeerEvent::Silence, None));
        self.note_heard(call.cx, call.st, &bytes);
        put_event(call.cx, call.st, address, &bytes)?;
        call.returns(Reg::word(bytes.len() as u64))
    }

    /// Asks the peer. If it has given several answers here, each of them has a path.
    fn hear(
        &mut self,
        call: &mut PrimitiveCall<'_, '_>,
        peer: &LivePeer,
        address: u64,
    ) -> Result<Vec<u8>, Halt> {
        let at = position(call.st);
        let heard = peer.tree.receive(at, Source::Anything, peer.answer_limit);
        let heard = heard.map_err(|error| lost(&error))?;
        let known = peer.tree.answers(at, Source::Anything).map_err(|error| lost(&error))?;
        let is_other =
            |other: &Heard| other.event != heard.event && other.event != PeerEvent::Silence;
        for other in known.into_iter().filter(is_other) {
            let mut sibling = call.st.fork();
            let bytes = self.take(&mut sibling, &other);
            self.note_heard(call.cx, &mut sibling, &bytes);
            put_event(call.cx, &mut sibling, address, &bytes)?;
            call.cx.complete_call(&mut sibling, Reg::word(bytes.len() as u64));
            call.cx.add_sibling(sibling, SiblingCourse::On);
        }
        Ok(self.take(call.st, &heard))
    }

    /// Moves a state behind what it has heard, and returns that as the gateway sees it.
    fn take(&mut self, st: &mut PathState, heard: &Heard) -> Vec<u8> {
        st.extra.links_mut().live = Some(heard.position);
        event_bytes(&heard.event, heard.position.newest_connection())
    }

    fn note_heard(&mut self, cx: &Interpreter<'_>, st: &mut PathState, bytes: &[u8]) {
        if st.extra.node().is_recorded() {
            let bytes: Vec<ByteValue> = bytes.iter().copied().map(ByteValue::Concrete).collect();
            self.kernel.note_input(cx, st, LIVE_INPUT, &bytes);
        }
    }

    /// `__everett_live_send(connection, bytes, size, how)`
    pub(super) fn live_send(&mut self, call: &mut PrimitiveCall<'_, '_>) -> Result<Flow, Halt> {
        let connection = call.settle(0)? as u32;
        let size = call.settle_size(2)?.min(MAX_MESSAGE_BYTES);
        let how = call.settle(3)?;
        let (is_datagram, is_last) = (how & sending::AS_DATAGRAM != 0, how & sending::LAST != 0);
        let ends_stream = how & sending::ENDS_STREAM != 0;
        let access = MemoryAccess::new(call.arg(1), size, AccessPurpose::Read);
        let spot = call.cx.locate(call.st, access)?;
        let address = call.settle_spot(spot)?;
        let Some(peer) = self.peer(call.st) else { return call.returns(Reg::word(1)) };
        let mut bytes = vec![0; size as usize];
        if !call.st.mem.read_bytes(address, &mut bytes) {
            if how & sending::IF_KNOWN != 0 {
                return call.returns(Reg::word(0));
            }
            let symbolic = symbolic_bytes(call, address, &mut bytes)?;
            let message = PeerMessage { connection, bytes: &bytes, is_datagram, ends_stream };
            let value = settle_message(call, &peer, message, &symbolic, is_last)?;
            fill(&mut bytes, &symbolic, &value);
        }
        let message = PeerMessage { connection, bytes: &bytes, is_datagram, ends_stream };
        let said = message.say(&peer, position(call.st)).map_err(|error| lost(&error))?;
        call.st.extra.links_mut().live = Some(said);
        call.returns(Reg::word(1))
    }

    /// `__everett_live_relay(fd, connection, bytes_max)`
    pub(super) fn live_relay(&mut self, call: &mut PrimitiveCall<'_, '_>) -> Result<Flow, Halt> {
        let (descriptor, connection) = (call.settle(0)? as u32, call.settle(1)? as u32);
        let bytes_max = call.settle_size(2)? as usize;
        let peer = self.peer(call.st);
        let node = call.st.extra.node_mut();
        let taken =
            peer.and_then(|peer| Some((peer, node.take_from_stream(descriptor, bytes_max)?)));
        let Some((peer, pieces)) = taken else { return call.returns(Reg::word(0)) };
        let mut relayed = 0;
        for bytes in &pieces {
            let message = PeerMessage { connection, bytes, is_datagram: false, ends_stream: false };
            let said = message.say(&peer, position(call.st)).map_err(|error| lost(&error))?;
            call.st.extra.links_mut().live = Some(said);
            relayed += bytes.len();
        }
        call.returns(Reg::word(relayed as u64))
    }

    /// `__everett_live_close(connection, how)`
    pub(super) fn live_close(&mut self, call: &mut PrimitiveCall<'_, '_>) -> Result<Flow, Halt> {
        let connection = everett_live::ConnectionId(call.settle(0)? as u32);
        let how = match call.settle(1)? {
            closing::FINISH => Closing::Finish,
            closing::CLOSE => Closing::Close,
            _ => Closing::Abort,
        };
        let Some(peer) = self.peer(call.st) else { return Ok(Flow::Next) };
        let closed = peer.tree.close(position(call.st), connection, how);
        call.st.extra.links_mut().live = Some(closed.map_err(|error| lost(&error))?);
        Ok(Flow::Next)
    }
}

/// The place of a state in its conversation.
fn position(st: &PathState) -> Position {
    st.extra.links().live.unwrap_or(Position::ROOT)
}

/// The path cannot go on without its peer.
fn lost(error: &LiveError) -> Stop {
    Stop::PeerLost(error.to_string())
}

fn put_event(
    cx: &Interpreter<'_>,
    st: &mut PathState,
    address: u64,
    bytes: &[u8],
) -> Result<(), Halt> {
    let written = st.mem.write_bytes(address, bytes);
    written.map_err(|fault| cx.fault(&fault, AccessPurpose::Write).into())
}

/// Reads a message that may be symbolic: its known bytes, and the others with their places.
fn symbolic_bytes(
    call: &mut PrimitiveCall<'_, '_>,
    address: u64,
    bytes: &mut [u8],
) -> Result<Vec<(usize, TermId)>, Halt> {
    let read = call.st.mem.read_each(call.cx.pool, address, bytes.len() as u64);
    let read = match read {
        Ok(read) => read,
        Err(fault) => return Err(call.cx.fault(&fault, AccessPurpose::Read).into()),
    };
    let mut symbolic = Vec::new();
    for (index, byte) in read.into_iter().enumerate() {
        match byte {
            ByteValue::Concrete(byte) => bytes[index] = byte,
            ByteValue::Symbolic(term) => {
                let term = call.st.path.simplify(call.cx.pool, term);
                match call.cx.pool.as_const(term) {
                    Some(value) => bytes[index] = value as u8,
                    None => symbolic.push((index, term)),
                }
            }
        }
    }
    Ok(symbolic)
}

fn fill(bytes: &mut [u8], symbolic: &[(usize, TermId)], value: &[u8]) {
    for ((index, _), byte) in symbolic.iter().zip(value) {
        bytes[*index] = *byte;
    }
}

/// Makes the symbolic bytes of a message one value, which the path has from here on. Some more values have
/// paths of their own, as many as the peer may be told. If this is the last that is said, then only one
/// value is followed of those to which the peer gives the same answer.
fn settle_message(
    call: &mut PrimitiveCall<'_, '_>,
    peer: &LivePeer,
    message: PeerMessage<'_>,
    symbolic: &[(usize, TermId)],
    is_last: bool,
) -> Result<Vec<u8>, Halt> {
    if symbolic.is_empty() {
        return Ok(Vec::new());
    }
    let (mut values, is_all) = some_values(call, symbolic, peer.values_max)?;
    let count = values.len();
    if is_last && count > 1 {
        let mut answers: Vec<PeerEvent> = Vec::new();
        let mut kept = Vec::new();
        for value in values {
            let mut bytes = message.bytes.to_vec();
            fill(&mut bytes, symbolic, &value);
            let said = PeerMessage { bytes: &bytes, ..message }.say(peer, position(call.st));
            let heard = said
                .and_then(|said| peer.tree.receive(said, Source::Anything, peer.answer_limit))
                .map_err(|error| lost(&error))?;
            if !answers.contains(&heard.event) {
                answers.push(heard.event);
                kept.push(value);
            }
        }
        values = kept;
    }
    if !is_all || values.len() < count {
        // The place would be in the gateway, which is not the user's.
        call.cx.notes.omissions.count(Omission::PeerMessage, None);
    }
    let first = values.remove(0);
    for value in &values {
        let is_value = equal(call.cx, symbolic, value);
        if call.cx.split_sibling(call.st, is_value)? {
            return Ok(value.clone());
        }
    }
    let is_first = equal(call.cx, symbolic, &first);
    call.st.path.assume(call.cx.solver, call.cx.pool, is_first)?;
    Ok(first)
}

/// The condition that bytes have these values.
fn equal(cx: &Interpreter<'_>, symbolic: &[(usize, TermId)], value: &[u8]) -> TermId {
    let pool = cx.pool;
    let each = symbolic.iter().zip(value);
    let each = each.map(|((_, term), byte)| pool.eq(*term, pool.constant(8, u64::from(*byte))));
    each.reduce(|all, one| pool.and(all, one)).expect("some byte is symbolic")
}

/// Some values that bytes may have on a path, and whether these are all: in turns the smallest and the
/// largest of those that are left.
fn some_values(
    call: &mut PrimitiveCall<'_, '_>,
    symbolic: &[(usize, TermId)],
    most: u32,
) -> Result<(Vec<Vec<u8>>, bool), Stop> {
    let mut left = call.st.path.clone();
    let mut values = Vec::new();
    loop {
        let value = extreme_value(call.cx, left.clone(), symbolic, values.len() % 2 == 0)?;
        let other = call.cx.pool.not(equal(call.cx, symbolic, &value));
        values.push(value);
        if !left.assume(call.cx.solver, call.cx.pool, other)? {
            return Ok((values, true));
        }
        if values.len() >= most.max(1) as usize {
            return Ok((values, false));
        }
    }
}

/// The smallest or the largest value of bytes, the first of which counts most.
fn extreme_value(
    cx: &mut Interpreter<'_>,
    mut path: PathCondition,
    symbolic: &[(usize, TermId)],
    smallest: bool,
) -> Result<Vec<u8>, Stop> {
    let mut value = Vec::with_capacity(symbolic.len());
    for (_, term) in symbolic {
        let byte = match smallest {
            true => path.min_value(cx.solver, cx.pool, *term)?,
            false => path.max_value(cx.solver, cx.pool, *term)?,
        };
        let is_byte = cx.pool.eq(*term, cx.pool.big_constant(&byte));
        path.assume(cx.solver, cx.pool, is_byte)?;
        value.push(byte.low_u64() as u8);
    }
    Ok(value)
}
