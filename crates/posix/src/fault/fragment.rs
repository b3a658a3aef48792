//! Streams that are cut, and connections that are not made.

use std::net::SocketAddr;

use smallvec::SmallVec;
use syscalls::Errno;

use crate::config::FaultKind;
use crate::kernel::Guest;
use crate::kernel::call::Call;
use crate::kernel::reply::CallHalt;
use crate::state::ids::SocketId;
use crate::state::node::Node;

impl<X: Guest> Call<'_, '_, X> {
    /// The number of `count` bytes of a stream that have arrived and are read at once: fewer, if the
    /// stream is cut there, or if it is a short read.
    #[inline]
    pub(crate) fn cut_read(&mut self, id: SocketId, count: u64) -> Result<u64, CallHalt> {
        if self.node().path.faults.are_used() {
            match self.cut_stream(id, count)? {
                0 => {}
                cut => return Ok(cut),
            }
        }
        self.shorten_read(count)
    }

    /// The choice is the number of bytes before the cut.
    fn cut_stream(&mut self, id: SocketId, count: u64) -> Result<u64, CallHalt> {
        let node = self.node();
        let is_open = node.path.faults.is_possible(FaultKind::Fragment);
        if !is_open && node.thread().answers.is_empty() {
            return Ok(0);
        }
        let (kind, own) = (FaultKind::Fragment, node.net.host);
        let peer = node.net.get(id).remote.and_then(|peer| node.host_at(peer.ip()));
        let peer = peer.unwrap_or(own);
        let Some(links) = node.links_between(kind, peer, own) else { return Ok(0) };
        // One that is asked again has its answer, whatever is left.
        let is_asked = !node.thread().answers.is_empty();
        if self.is_spared() || !is_asked && !node.path.faults.has_left(links) {
            return Ok(0);
        }
        let choices = cuts(count, node.path.faults.config().network.fragment_cuts);
        if choices.is_empty() {
            return Ok(0);
        }
        let name = self.name;
        let what =
            |choice| format!("{name} reads {choice} of {count} bytes, the others come behind");
        Ok(self.ask_and(kind, &choices, &what, links, |_, _| {})?.into())
    }

    /// The number of `count` bytes that are read at once from a file that the program wants to give less.
    pub(super) fn cut_piece(&mut self, count: u64) -> Result<u64, CallHalt> {
        let node = self.node();
        let Some(file) = self.args[0].as_word().and_then(|fd| node.descriptor(fd as u32).ok())
        else {
            return Ok(count);
        };
        let file = file.file;
        let has_answer = node.thread().answers.iter().any(|a| a.kind == FaultKind::Piece);
        if !node.file(file).gives_pieces() && !has_answer {
            return Ok(count);
        }
        let choices = cuts(count, node.path.faults.config().network.fragment_cuts);
        if choices.is_empty() {
            return Ok(count);
        }
        let name = self.name;
        let what = |choice| format!("{name} reads {choice} of {count} bytes");
        let spend = |node: &mut Node, choice: u32| {
            if choice != 0 {
                node.file_mut(file).spend_piece();
            }
        };
        match self.ask_and(FaultKind::Piece, &choices, &what, 0, spend)? {
            0 => Ok(count),
            cut => Ok(cut.into()),
        }
    }

    /// The error that a connection is not made with, if it is not.
    pub(crate) fn refuse_connection(&mut self, to: SocketAddr) -> Result<Option<Errno>, CallHalt> {
        let node = self.node();
        let peer = node.host_at(to.ip()).unwrap_or(node.net.host);
        if !node.path.faults.are_used() {
            return Ok(None);
        }
        let links = node.links_between(FaultKind::Connect, node.net.host, peer);
        let Some(links) = links else { return Ok(None) };
        if node.thread().answers.is_empty() && !node.path.faults.has_left(links) {
            return Ok(None);
        }
        let how = |choice| if choice == 1 { "is refused" } else { "times out" };
        let what = |choice| format!("the connection to {to} {}", how(choice));
        Ok(match self.ask_and(FaultKind::Connect, &[1, 2], &what, links, |_, _| {})? {
            0 => None,
            1 => Some(Errno::ECONNREFUSED),
            _ => Some(Errno::ETIMEDOUT),
        })
    }
}

/// The places where so many bytes are cut: all, or a number of them that are spread evenly.
fn cuts(count: u64, most: u32) -> SmallVec<[u32; 4]> {
    let places = u32::try_from(count.saturating_sub(1)).unwrap_or(u32::MAX);
    let all = places <= most;
    match most {
        _ if all => (1..=places).collect(),
        0 => SmallVec::new(),
        1 => SmallVec::from_slice(&[(places / 2).max(1)]),
        _ => {
            let steps = u64::from(most - 1);
            let place = |step| 1 + (step * u64::from(places - 1) / steps) as u32;
            (0..=steps).map(place).collect()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::cuts;

    #[test]
    fn cuts_are_everywhere_or_spread_evenly() {
        assert_eq!(cuts(0, 9)[..], []);
        assert_eq!(cuts(1, 9)[..], []);
        assert_eq!(cuts(5, 4)[..], [1, 2, 3, 4]);
        assert_eq!(cuts(11, 4)[..], [1, 4, 7, 10]);
        assert_eq!(cuts(11, 2)[..], [1, 10]);
        assert_eq!(cuts(11, 1)[..], [5]);
        assert_eq!(cuts(11, 0)[..], []);
    }
}
