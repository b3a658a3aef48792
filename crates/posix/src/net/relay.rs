//! Streams that go on to somebody else than the program that has the socket, without a way through its
//! memory.

use super::tcp;
use crate::state::known_bytes::KnownBytes;
use crate::state::node::Node;
use crate::state::sockets::{SocketFamily, socket_of};

impl Node {
    /// Takes bytes that have come on the TCP connection of a descriptor of the running process, up to
    /// `bytes_max`, as `recv` does, in the pieces in which they have come.
    ///
    /// `None` if that is for `recv`, since nothing has come, a byte is symbolic, the call is recorded, or
    /// there may be something to decide about it.
    pub fn take_from_stream(
        &mut self,
        descriptor: u32,
        bytes_max: usize,
    ) -> Option<Vec<KnownBytes>> {
        if self.decides_looks() || self.path.faults.are_used() || self.is_recorded() {
            return None;
        }
        let file = self.file(self.descriptor(descriptor).ok()?.file);
        let id = socket_of(file).filter(|_| !file.is_symbolic())?;
        match &self.net.get(id).family {
            SocketFamily::Tcp(tcp) if tcp.readable() > 0 => {}
            _ => return None,
        }
        let pieces = tcp::take_known_pieces(self, id, bytes_max)?;
        self.changed();
        Some(pieces)
    }
}
