//! [`CaptureReader`]: the packets of a pcap or pcapng file, one after the other.
//!
//! `pcap-parser` knows the formats. Here are its buffer, which grows up to a limit, interfaces of pcapng
//! with their clocks, and errors that say where they are.
//!
//! Not here: the contents of packets (`frame.rs`).

use std::io::{self, Read};
use std::sync::{Arc, Mutex, PoisonError};

use pcap_parser::traits::PcapReaderIterator;
use pcap_parser::{Block, Linktype, PcapBlockOwned, PcapError, create_reader};

use crate::error::TraceError;

/// The size of the buffer at the beginning. Most blocks fit.
const BUFFER_BYTES: usize = 1 << 18;

/// Interfaces of one section of a pcapng file.
const INTERFACES_MAX: usize = 1 << 12;

/// The first word of a section of a pcapng file, and its third word in little-endian order.
const SECTION_KIND: [u8; 4] = [0x0a, 0x0d, 0x0d, 0x0a];
const SECTION_LITTLE_ENDIAN: [u8; 4] = [0x4d, 0x3c, 0x2b, 0x1a];

const CONTRADICTION: &str = "a block contradicts the format";

const NANOSECONDS: u64 = 1_000_000_000;

/// A point in time, in nanoseconds since 1970, by the clock of the machine that recorded the trace.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct TraceTime(pub u64);

impl std::fmt::Display for TraceTime {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}.{:09}", self.0 / NANOSECONDS, self.0 % NANOSECONDS)
    }
}

/// A packet as it was captured.
#[derive(Clone, Copy, Debug)]
pub(crate) struct CapturedPacket<'a> {
    /// From 1, in the order of the file.
    pub(crate) number: u64,
    /// Simple packets of pcapng have no time.
    pub(crate) time: Option<TraceTime>,
    /// The number of the link type, as tcpdump.org lists them.
    pub(crate) link_type: u16,
    /// True if the packet was longer than what was captured of it.
    pub(crate) is_snapped: bool,
    pub(crate) data: &'a [u8],
}

/// A part of a trace.
pub(crate) enum CaptureItem<'a> {
    Packet(CapturedPacket<'a>),
    /// A block of a pcapng file that holds a packet in a form that is not read, or something unknown.
    UnknownBlock,
    /// The file ends in the middle of a block.
    CutShort,
}

/// The order of bytes in numbers.
#[derive(Clone, Copy)]
enum ByteOrder {
    Little,
    Big,
}

/// An interface of a pcapng file.
#[derive(Clone, Copy)]
struct CaptureInterface {
    link_type: u16,
    snap_length: u32,
    /// Units of its clock in a second; `None` for clocks that are not known.
    units: Option<u64>,
    /// Seconds that are added to its times.
    offset: i64,
}

/// Reads a trace packet by packet.
pub(crate) struct CaptureReader<'r> {
    reader: Box<dyn PcapReaderIterator + Send + 'r>,
    failure: Arc<Mutex<Option<io::Error>>>,
    block_bytes_max: usize,
    /// For pcap files: the link type, and nanoseconds in a unit of the clock.
    legacy: (u16, u64),
    /// For pcapng files: the byte order of the section.
    section_order: Option<ByteOrder>,
    interfaces: Vec<CaptureInterface>,
    packets: u64,
    /// Bytes of the buffer that were given out last.
    given: usize,
    has_ended: bool,
}

impl<'r> CaptureReader<'r> {
    pub(crate) fn new(
        reader: impl Read + Send + 'r,
        block_bytes_max: usize,
    ) -> Result<CaptureReader<'r>, TraceError> {
        let failure = Arc::default();
        let reader = WholeReader { reader, failure: Arc::clone(&failure) };
        let opened = create_reader(BUFFER_BYTES.min(block_bytes_max), reader);
        let reader = opened.map_err(|_| match take(&failure) {
            Some(error) => TraceError::Read { packet: 0, error },
            None => TraceError::UnknownFormat,
        })?;
        Ok(CaptureReader {
            reader,
            failure,
            block_bytes_max,
            legacy: (0, 0),
            section_order: None,
            interfaces: Vec::new(),
            packets: 0,
            given: 0,
            has_ended: false,
        })
    }

    /// The number of packets so far.
    pub(crate) fn packets(&self) -> u64 {
        self.packets
    }

    /// The next part of the file that matters; `None` at its end.
    pub(crate) fn next(&mut self) -> Result<Option<CaptureItem<'_>>, TraceError> {
        loop {
            if self.has_ended || !self.fill()? {
                return Ok(None);
            }
            // A block is parsed twice: a reference into the buffer cannot be kept across a turn of the
            // loop.
            match self.look()? {
                Look::Nothing => {}
                Look::CutShort => {
                    self.has_ended = true;
                    return Ok(Some(CaptureItem::CutShort));
                }
                Look::Unknown => return Ok(Some(CaptureItem::UnknownBlock)),
                Look::Packet => break,
            }
        }
        self.packets += 1;
        self.packet().map(|packet| Some(CaptureItem::Packet(packet)))
    }

    /// Takes the last block out of the buffer, and has the next one in it. Returns `false` at the end of the
    /// file.
    fn fill(&mut self) -> Result<bool, TraceError> {
        self.reader.consume(std::mem::take(&mut self.given));
        let mut capacity = BUFFER_BYTES.min(self.block_bytes_max);
        loop {
            let packet = self.packets;
            let held = self.reader.data().len();
            let wants_room = match self.reader.next() {
                Ok(_) | Err(PcapError::UnexpectedEof) => return Ok(true),
                Err(PcapError::Eof) => return Ok(false),
                Err(PcapError::BufferTooSmall) => true,
                Err(PcapError::Incomplete(_)) => false,
                Err(PcapError::ReadError) => return Err(self.read_error()),
                Err(
                    PcapError::HeaderNotRecognized
                    | PcapError::NomError(..)
                    | PcapError::OwnedNomError(..),
                ) => return Err(TraceError::Damaged { packet, reason: CONTRADICTION }),
            };
            if self.has_whole_block() {
                return Err(TraceError::Damaged { packet, reason: CONTRADICTION });
            }
            if wants_room {
                if capacity >= self.block_bytes_max {
                    let bytes_max = self.block_bytes_max;
                    return Err(TraceError::BlockTooLarge { packet, bytes_max });
                }
                capacity = (2 * capacity).min(self.block_bytes_max);
                self.reader.grow(capacity);
            }
            let refilled = self.reader.refill().is_ok();
            if !refilled {
                return Err(self.read_error());
            }
            let is_stuck = self.reader.data().len() == held && !self.reader.reader_exhausted();
            if is_stuck && !wants_room {
                let reason = "a block has no end";
                return Err(TraceError::Damaged { packet, reason });
            }
        }
    }

    /// Returns `true` if the block of a pcapng file is in the buffer, by the size that it begins with. If it
    /// seems to be incomplete nevertheless, a part of it is longer than the block.
    fn has_whole_block(&self) -> bool {
        let data = self.reader.data();
        let word = |at: usize| data.get(at..).and_then(<[u8]>::first_chunk::<4>).copied();
        let order = match word(0) {
            Some(SECTION_KIND) => word(8).map(|magic| match magic {
                SECTION_LITTLE_ENDIAN => ByteOrder::Little,
                _ => ByteOrder::Big,
            }),
            _ => self.section_order,
        };
        let size = match (order, word(4)) {
            (Some(ByteOrder::Little), Some(size)) => u32::from_le_bytes(size),
            (Some(ByteOrder::Big), Some(size)) => u32::from_be_bytes(size),
            _ => return false,
        };
        size as usize <= data.len()
    }

    fn read_error(&self) -> TraceError {
        let error = take(&self.failure);
        let error = error.unwrap_or_else(|| io::Error::other("the file cannot be read"));
        TraceError::Read { packet: self.packets, error }
    }

    /// Looks at the block in the buffer, and takes over what it says about those that follow.
    fn look(&mut self) -> Result<Look, TraceError> {
        let packet = self.packets;
        let whole = self.has_whole_block();
        let (size, block) = match self.reader.next() {
            Ok(found) => found,
            Err(_) if whole => {
                return Err(TraceError::Damaged { packet, reason: CONTRADICTION });
            }
            Err(_) => return Ok(Look::CutShort),
        };
        self.given = size;
        Ok(match block {
            PcapBlockOwned::LegacyHeader(header) => {
                let nanoseconds = if header.is_nanosecond_precision() { 1 } else { 1000 };
                self.legacy = (link_number(header.network), nanoseconds);
                Look::Nothing
            }
            PcapBlockOwned::Legacy(_) => Look::Packet,
            PcapBlockOwned::NG(block) => match block {
                Block::EnhancedPacket(_) | Block::SimplePacket(_) => Look::Packet,
                Block::SectionHeader(header) => {
                    let is_big = header.big_endian();
                    self.section_order =
                        Some(if is_big { ByteOrder::Big } else { ByteOrder::Little });
                    self.interfaces.clear();
                    Look::Nothing
                }
                Block::InterfaceDescription(interface) => {
                    let interfaces_max = INTERFACES_MAX;
                    if self.interfaces.len() >= interfaces_max {
                        return Err(TraceError::TooManyInterfaces { packet, interfaces_max });
                    }
                    self.interfaces.push(CaptureInterface {
                        link_type: link_number(interface.linktype),
                        snap_length: interface.snaplen,
                        units: clock_units(interface.if_tsresol),
                        offset: interface.if_tsoffset,
                    });
                    Look::Nothing
                }
                Block::NameResolution(_)
                | Block::InterfaceStatistics(_)
                | Block::SystemdJournalExport(_)
                | Block::DecryptionSecrets(_)
                | Block::ProcessInformation(_) => Look::Nothing,
                Block::Custom(_) | Block::Unknown(_) => Look::Unknown,
            },
        })
    }

    /// The packet in the buffer.
    fn packet(&mut self) -> Result<CapturedPacket<'_>, TraceError> {
        let (number, damaged) = (
            self.packets,
            TraceError::Damaged {
                packet: self.packets - 1,
                reason: "a packet belongs to no interface",
            },
        );
        let (link_type, unit) = self.legacy;
        let interfaces = &self.interfaces;
        let (_, block) = self.reader.next().expect("the block was there a moment ago");
        Ok(match block {
            PcapBlockOwned::Legacy(block) => {
                let (seconds, units) = (u64::from(block.ts_sec), u64::from(block.ts_usec));
                let time = Some(TraceTime(seconds * NANOSECONDS + units * unit));
                let is_snapped = block.caplen < block.origlen;
                CapturedPacket { number, time, link_type, is_snapped, data: block.data }
            }
            PcapBlockOwned::NG(Block::EnhancedPacket(block)) => {
                let interface = usize::try_from(block.if_id).ok();
                let interface = interface.and_then(|at| interfaces.get(at)).ok_or(damaged)?;
                let units = u64::from(block.ts_high) << 32 | u64::from(block.ts_low);
                let data = block.data.get(..block.caplen as usize).unwrap_or(block.data);
                CapturedPacket {
                    number,
                    time: interface.time(units),
                    link_type: interface.link_type,
                    is_snapped: block.caplen < block.origlen,
                    data,
                }
            }
            PcapBlockOwned::NG(Block::SimplePacket(block)) => {
                let interface = interfaces.first().ok_or(damaged)?;
                // The captured length is not in the block, only its padded size.
                let limit = match interface.snap_length {
                    0 => block.origlen,
                    limit => limit.min(block.origlen),
                };
                let data = block.data.get(..limit as usize).unwrap_or(block.data);
                CapturedPacket {
                    number,
                    time: None,
                    link_type: interface.link_type,
                    is_snapped: data.len() < block.origlen as usize,
                    data,
                }
            }
            _ => unreachable!("only blocks with packets come here"),
        })
    }
}

/// The kind of the block in the buffer.
enum Look {
    Packet,
    Nothing,
    Unknown,
    CutShort,
}

impl CaptureInterface {
    fn time(&self, units: u64) -> Option<TraceTime> {
        let per_second = u128::from(self.units?);
        let nanoseconds = u128::from(units) * u128::from(NANOSECONDS) / per_second;
        let offset = i128::from(self.offset) * i128::from(NANOSECONDS);
        let time = i128::try_from(nanoseconds).ok()?.checked_add(offset)?;
        u64::try_from(time).ok().map(TraceTime)
    }
}

/// The number of a link type without what else the header of a pcap file says there.
fn link_number(link: Linktype) -> u16 {
    (link.0 & 0xffff) as u16
}

/// Units of a clock in a second: `if_tsresol` is the negative power of 10 or, with its highest bit, of 2.
fn clock_units(resolution: u8) -> Option<u64> {
    match resolution & 0x80 {
        0 => 10_u64.checked_pow(u32::from(resolution)),
        _ => 2_u64.checked_pow(u32::from(resolution & 0x7f)),
    }
}

fn take(failure: &Mutex<Option<io::Error>>) -> Option<io::Error> {
    failure.lock().unwrap_or_else(PoisonError::into_inner).take()
}

/// Fills buffers completely, and keeps errors, of which `pcap-parser` says only that there were some.
struct WholeReader<R> {
    reader: R,
    failure: Arc<Mutex<Option<io::Error>>>,
}

impl<R: Read> Read for WholeReader<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let mut filled = 0;
        while filled < buffer.len() {
            match self.reader.read(&mut buffer[filled..]) {
                Ok(0) => break,
                Ok(count) => filled += count,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => {
                    let kind = error.kind();
                    *self.failure.lock().unwrap_or_else(PoisonError::into_inner) = Some(error);
                    return Err(kind.into());
                }
            }
        }
        Ok(filled)
    }
}
