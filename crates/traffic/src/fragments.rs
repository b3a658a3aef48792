//! [`FragmentStore`]: fragments of IP packets, until all of a packet are there.
//!
//! The store is bounded: the packet that began first makes room for others.
//! Fragments that contradict each other make a packet unusable, as receivers differ in what they make of it.

use std::collections::{BTreeMap, VecDeque};
use std::net::IpAddr;

use crate::frame::{FragmentPlace, IpPayload};

/// Packets whose fragments are kept at a time, and fragments of one packet.
const PACKETS_MAX: usize = 256;
const FRAGMENTS_MAX: usize = 8192;
/// Bytes of an IP packet.
const PACKET_BYTES_MAX: u32 = 65_535;

/// Fragments of one packet have these in common.
type FragmentKey = (IpAddr, IpAddr, u8, u32);

/// The fragments of one packet so far.
#[derive(Default)]
struct PartialPacket {
    /// By their offsets, without overlaps.
    pieces: BTreeMap<u32, Vec<u8>>,
    /// The size of the packet, once its last fragment is there.
    size: Option<u32>,
    held: u32,
    /// Packets of the trace in it, repeated ones too.
    fragments: u64,
}

/// The result of adding a fragment.
pub(crate) enum FragmentOutcome {
    /// More is to come.
    Kept,
    /// The packet is whole: its payload, and the number of its fragments.
    Whole(Vec<u8>, u64),
    /// The fragment contradicts others, so that this many fragments are dropped.
    Contradiction(u64),
}

/// Fragments of packets that are not whole yet.
#[derive(Default)]
pub(crate) struct FragmentStore {
    packets: BTreeMap<FragmentKey, PartialPacket>,
    /// The keys in the order in which their packets began; those that are whole are still here.
    order: VecDeque<FragmentKey>,
    /// Fragments of packets that had to make room.
    pub(crate) dropped: u64,
}

impl FragmentStore {
    /// Adds a fragment.
    pub(crate) fn add(&mut self, payload: &IpPayload<'_>, place: FragmentPlace) -> FragmentOutcome {
        let key = (payload.source, payload.destination, payload.protocol.0, place.identification);
        if !self.packets.contains_key(&key) {
            self.make_room();
            self.order.push_back(key);
        }
        let partial = self.packets.entry(key).or_default();
        partial.fragments += 1;
        if !partial.insert(payload.bytes, place) {
            let fragments = partial.fragments;
            self.packets.remove(&key);
            return FragmentOutcome::Contradiction(fragments);
        }
        if partial.size != Some(partial.held) {
            return FragmentOutcome::Kept;
        }
        let whole = self.packets.remove(&key).expect("it was there a moment ago");
        let bytes = whole.pieces.into_values().flatten().collect();
        FragmentOutcome::Whole(bytes, whole.fragments)
    }

    /// The number of fragments whose packets never became whole.
    pub(crate) fn left(&self) -> u64 {
        let kept: u64 = self.packets.values().map(|packet| packet.fragments).sum();
        kept + self.dropped
    }

    fn make_room(&mut self) {
        while self.order.len() >= PACKETS_MAX {
            let Some(oldest) = self.order.pop_front() else { return };
            // A packet with the same key may have begun later; then it makes room a little early.
            let oldest = self.packets.remove(&oldest);
            self.dropped += oldest.map_or(0, |packet| packet.fragments);
        }
    }
}

impl PartialPacket {
    /// Returns `false` if the fragment contradicts others.
    fn insert(&mut self, bytes: &[u8], place: FragmentPlace) -> bool {
        let Ok(length) = u32::try_from(bytes.len()) else { return false };
        let (start, end) = (place.offset, place.offset + length);
        let is_aligned = place.is_last || length.is_multiple_of(8);
        let last_end =
            self.pieces.last_key_value().map_or(0, |(at, piece)| at + piece.len() as u32);
        let is_inside = match self.size {
            Some(size) if place.is_last => end == size,
            Some(size) => end <= size,
            None if place.is_last => last_end <= end,
            None => true,
        };
        if length == 0 || end > PACKET_BYTES_MAX || !is_aligned || !is_inside {
            return false;
        }
        if let Some(same) = self.pieces.get(&start).filter(|piece| piece.len() == bytes.len()) {
            return same == bytes;
        }
        let before = self.pieces.range(..end).next_back();
        let overlaps = before.is_some_and(|(at, piece)| at + piece.len() as u32 > start);
        if overlaps || self.pieces.len() >= FRAGMENTS_MAX {
            return false;
        }
        if place.is_last {
            self.size = Some(end);
        }
        self.held += length;
        self.pieces.insert(start, bytes.to_vec());
        true
    }
}
