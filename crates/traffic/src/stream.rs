//! [`TcpStream`]: one direction of a TCP connection, put together from its segments.
//!
//! Offsets count from the first byte of the stream. They are signed: a trace that begins in the middle of a
//! connection may show earlier bytes later. Sequence numbers have 32 bits, and are taken for the offset that
//! is nearest to the bytes seen so far.

use std::collections::BTreeMap;
use std::net::SocketAddr;

use crate::capture::TraceTime;

/// Bytes of a stream that one segment was the first to bring.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct StreamSegment {
    /// The packet that brought them.
    pub packet: u64,
    /// The time of the packet.
    pub time: Option<TraceTime>,
    /// The bytes.
    pub bytes: Vec<u8>,
}

/// Bytes of a stream that the trace does not have.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct StreamGap {
    /// The offset of the first of them.
    pub offset: i64,
    /// Their number.
    pub length: u64,
}

/// One direction of a TCP connection.
#[derive(Clone, Debug)]
pub struct TcpStream {
    source: SocketAddr,
    destination: SocketAddr,
    /// By their offsets, without overlaps.
    segments: BTreeMap<i64, StreamSegment>,
    /// The sequence number of the byte at offset 0.
    first_number: u32,
    /// The highest offset behind bytes that a segment announced, captured or not.
    announced_end: i64,
    begins_at_start: bool,
}

/// The result of adding a segment.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct SegmentOutcome {
    /// The number of its bytes that did not come before.
    pub(crate) new_bytes: usize,
    /// True if some of its bytes came before and were others.
    pub(crate) contradicts: bool,
}

impl TcpStream {
    /// A stream whose byte at offset 0 has this sequence number.
    pub(crate) fn new(source: SocketAddr, destination: SocketAddr, first_number: u32) -> TcpStream {
        TcpStream {
            source,
            destination,
            segments: BTreeMap::new(),
            first_number,
            announced_end: 0,
            begins_at_start: false,
        }
    }

    /// The address and port that sent the bytes.
    pub fn source(&self) -> SocketAddr {
        self.source
    }

    /// The address and port that they were sent to.
    pub fn destination(&self) -> SocketAddr {
        self.destination
    }

    /// Returns `true` if the trace has the beginning of the connection, so that offset 0 is the first byte
    /// of the stream.
    pub fn begins_at_start(&self) -> bool {
        self.begins_at_start
    }

    /// The bytes by segments, with their offsets, ascending.
    pub fn segments(&self) -> impl Iterator<Item = (i64, &StreamSegment)> {
        self.segments.iter().map(|(&offset, segment)| (offset, segment))
    }

    /// The bytes as a whole: pieces without gaps, each with its offset, and with the packet and time of its
    /// first segment.
    pub fn pieces(&self) -> Vec<(i64, StreamSegment)> {
        let mut pieces: Vec<(i64, StreamSegment)> = Vec::new();
        for (&offset, segment) in &self.segments {
            match pieces.last_mut() {
                Some((start, piece)) if *start + length_of(&piece.bytes) == offset => {
                    piece.bytes.extend_from_slice(&segment.bytes);
                }
                _ => pieces.push((offset, segment.clone())),
            }
        }
        pieces
    }

    /// Bytes that segments before and after them, or the end of the connection, show to be missing.
    pub fn gaps(&self) -> Vec<StreamGap> {
        let mut gaps = Vec::new();
        let first = self.segments.first_key_value().map_or(self.announced_end, |(&at, _)| at);
        let mut expected = if self.begins_at_start { 0 } else { first };
        let ends = self.segments.iter().map(|(&at, segment)| (at, at + length_of(&segment.bytes)));
        for (start, end) in ends.chain([(self.announced_end, self.announced_end)]) {
            if let Ok(length @ 1..) = u64::try_from(start - expected) {
                gaps.push(StreamGap { offset: expected, length });
            }
            expected = expected.max(end);
        }
        gaps
    }

    pub(crate) fn into_segments(self) -> impl Iterator<Item = (i64, StreamSegment)> {
        self.segments.into_iter()
    }

    /// Returns `true` if a connection that begins with this sequence number is this one.
    pub(crate) fn is_begun_by(&self, first_number: u32) -> bool {
        self.begins_at_start && self.first_number == first_number
    }

    pub(crate) fn set_begins_at_start(&mut self) {
        self.begins_at_start = true;
    }

    /// The offset that a sequence number stands for.
    pub(crate) fn offset(&self, number: u32) -> i64 {
        // The number of the byte at `announced_end`, and its signed distance to the given one.
        let expected = self.first_number.wrapping_add(self.announced_end as u32);
        self.announced_end + i64::from(number.wrapping_sub(expected).cast_signed())
    }

    /// Says that the stream has bytes up to this offset, in the trace or not.
    pub(crate) fn announce(&mut self, end: i64) {
        self.announced_end = self.announced_end.max(end);
    }

    /// Adds a segment. Bytes that came before stay as they are.
    pub(crate) fn insert(
        &mut self,
        offset: i64,
        packet: u64,
        time: Option<TraceTime>,
        bytes: &[u8],
    ) -> SegmentOutcome {
        let end = offset + length_of(bytes);
        self.announce(end);
        let part = |from: i64, to: i64| &bytes[(from - offset) as usize..(to - offset) as usize];
        let before = self.segments.range(..=offset).next_back().map(|(&at, _)| at);
        let (mut position, mut added, mut contradicts) = (offset, Vec::new(), false);
        for (&start, segment) in self.segments.range(before.unwrap_or(offset)..end) {
            let stop = start + length_of(&segment.bytes);
            if start > position {
                added.push((position, start));
            }
            let (low, high) = (start.max(offset), stop.min(end));
            if low < high {
                let known = &segment.bytes[(low - start) as usize..(high - start) as usize];
                contradicts |= known != part(low, high);
            }
            position = position.max(stop);
        }
        if position < end {
            added.push((position, end));
        }
        let mut new_bytes = 0;
        for (from, to) in added {
            let bytes = part(from, to).to_vec();
            new_bytes += bytes.len();
            self.segments.insert(from, StreamSegment { packet, time, bytes });
        }
        SegmentOutcome { new_bytes, contradicts }
    }
}

fn length_of(bytes: &[u8]) -> i64 {
    i64::try_from(bytes.len()).expect("a stream has fewer than 2^63 bytes")
}
