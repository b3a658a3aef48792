//! [`TraceReader`]: goes through the packets of a trace, and puts messages together.

use std::collections::BTreeMap;
use std::io::Read;
use std::net::SocketAddr;

use etherparse::{IpNumber, TcpSlice, UdpSlice};

use crate::capture::{CaptureItem, CaptureReader, CapturedPacket};
use crate::error::TraceError;
use crate::fragments::{FragmentOutcome, FragmentStore};
use crate::frame::{IpPayload, ip_payload};
use crate::stream::TcpStream;
use crate::trace::{LeftOut, Trace, TraceMessage, TraceOptions, Transport};

/// Bytes that a message or a stream takes beside its contents, rounded up.
const ENTRY_BYTES: u64 = 160;

/// Puts the messages of a trace together.
pub(crate) struct TraceReader<'o> {
    options: &'o TraceOptions,
    trace: Trace,
    fragments: FragmentStore,
    /// For each direction of a connection, the stream that is now there.
    current: BTreeMap<(SocketAddr, SocketAddr), usize>,
    kept_bytes: u64,
}

impl<'o> TraceReader<'o> {
    pub(crate) fn new(options: &'o TraceOptions) -> TraceReader<'o> {
        TraceReader {
            options,
            trace: Trace {
                datagrams: Vec::new(),
                streams: Vec::new(),
                packets: 0,
                left_out: BTreeMap::new(),
                contradictions: 0,
            },
            fragments: FragmentStore::default(),
            current: BTreeMap::new(),
            kept_bytes: 0,
        }
    }

    pub(crate) fn read(mut self, reader: impl Read + Send) -> Result<Trace, TraceError> {
        let mut capture = CaptureReader::new(reader, self.options.block_bytes_max)?;
        while let Some(item) = capture.next()? {
            match item {
                CaptureItem::Packet(packet) => self.add(&packet),
                CaptureItem::UnknownBlock => self.leave_out(LeftOut::UnknownBlock, 1),
                CaptureItem::CutShort => self.leave_out(LeftOut::CutShort, 1),
            }
        }
        self.trace.packets = capture.packets();
        let missing = self.fragments.left();
        self.leave_out(LeftOut::FragmentMissing, missing);
        self.trace.streams.retain(|stream| stream.segments().next().is_some());
        Ok(self.trace)
    }

    fn leave_out(&mut self, reason: LeftOut, packets: u64) {
        if packets > 0 {
            *self.trace.left_out.entry(reason).or_default() += packets;
        }
    }

    fn add(&mut self, packet: &CapturedPacket<'_>) {
        let result = match ip_payload(packet) {
            Err(reason) => Err((reason, 1)),
            Ok(payload) => self.add_payload(packet, &payload),
        };
        if let Err((reason, packets)) = result {
            self.leave_out(reason, packets);
        }
    }

    /// Returns the reason why the payload, and this many packets that it consists of, are left out.
    fn add_payload(
        &mut self,
        packet: &CapturedPacket<'_>,
        payload: &IpPayload<'_>,
    ) -> Result<(), (LeftOut, u64)> {
        if !matches!(payload.protocol, IpNumber::UDP | IpNumber::TCP) {
            return Err((LeftOut::OtherProtocol(payload.protocol.0), 1));
        }
        let Some(place) = payload.fragment else {
            return self.add_whole(packet, payload).map_err(|reason| (reason, 1));
        };
        match self.fragments.add(payload, place) {
            FragmentOutcome::Kept => Ok(()),
            FragmentOutcome::Contradiction(count) => Err((LeftOut::FragmentContradiction, count)),
            FragmentOutcome::Whole(bytes, count) => {
                let payload = IpPayload { fragment: None, bytes: &bytes, ..payload.clone() };
                self.add_whole(packet, &payload).map_err(|reason| (reason, count))
            }
        }
    }

    fn add_whole(
        &mut self,
        packet: &CapturedPacket<'_>,
        payload: &IpPayload<'_>,
    ) -> Result<(), LeftOut> {
        let address = |ports: (u16, u16)| {
            let source = SocketAddr::new(payload.source, ports.0);
            let destination = SocketAddr::new(payload.destination, ports.1);
            let TraceOptions { from, to, .. } = self.options;
            let is_selected = from.accepts(source) && to.accepts(destination);
            if is_selected { Ok((source, destination)) } else { Err(LeftOut::NotSelected) }
        };
        if payload.protocol == IpNumber::TCP {
            let segment = TcpSlice::from_slice(payload.bytes).map_err(|_| LeftOut::Damaged)?;
            let ends = address((segment.source_port(), segment.destination_port()))?;
            return self.add_segment(packet, ends, &segment);
        }
        let datagram = UdpSlice::from_slice(payload.bytes).map_err(|_| LeftOut::Damaged)?;
        let ends = address((datagram.source_port(), datagram.destination_port()))?;
        let bytes = datagram.payload().to_vec();
        self.keep(bytes.len())?;
        self.trace.datagrams.push(TraceMessage {
            packet: packet.number,
            time: packet.time,
            transport: Transport::Udp,
            source: ends.0,
            destination: ends.1,
            bytes,
        });
        Ok(())
    }

    fn add_segment(
        &mut self,
        packet: &CapturedPacket<'_>,
        ends: (SocketAddr, SocketAddr),
        segment: &TcpSlice<'_>,
    ) -> Result<(), LeftOut> {
        let (data, begins) = (segment.payload(), segment.syn());
        // The flag that begins a connection takes a number of its own.
        let number = segment.sequence_number().wrapping_add(u32::from(begins));
        let at = self.stream(ends, number, begins)?;
        let stream = &mut self.trace.streams[at];
        let offset = stream.offset(number);
        let end = offset + i64::try_from(data.len()).expect("a packet is short");
        if data.is_empty() {
            if segment.fin() {
                stream.announce(end);
            }
            return Err(LeftOut::NoData);
        }
        self.keep(data.len())?;
        let stream = &mut self.trace.streams[at];
        let outcome = stream.insert(offset, packet.number, packet.time, data);
        if outcome.new_bytes == 0 {
            self.kept_bytes -= ENTRY_BYTES + data.len() as u64;
        }
        match (outcome.new_bytes, outcome.contradicts) {
            (0, true) => Err(LeftOut::RepeatedOtherwise),
            (0, false) => Err(LeftOut::Repeated),
            (_, contradicts) => {
                self.trace.contradictions += u64::from(contradicts);
                Ok(())
            }
        }
    }

    /// The number of the stream that a segment belongs to.
    fn stream(
        &mut self,
        ends: (SocketAddr, SocketAddr),
        number: u32,
        begins: bool,
    ) -> Result<usize, LeftOut> {
        let current = self.current.get(&ends).copied();
        if let Some(at) = current {
            let is_same = !begins || self.trace.streams[at].is_begun_by(number);
            if is_same {
                return Ok(at);
            }
        }
        self.keep(0)?;
        let mut stream = TcpStream::new(ends.0, ends.1, number);
        if begins {
            stream.set_begins_at_start();
        }
        self.trace.streams.push(stream);
        let at = self.trace.streams.len() - 1;
        self.current.insert(ends, at);
        Ok(at)
    }

    /// Makes sure that there is room for something with this many bytes.
    fn keep(&mut self, bytes: usize) -> Result<(), LeftOut> {
        let kept = self.kept_bytes + ENTRY_BYTES + bytes as u64;
        if kept > self.options.kept_bytes_max {
            return Err(LeftOut::Limit);
        }
        self.kept_bytes = kept;
        Ok(())
    }
}
