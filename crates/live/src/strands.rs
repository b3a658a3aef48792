//! [`StrandSet`]: the tree itself, without any peer.
//!
//! A strand is a way without branches: a log of records. It begins at a place of its parent strand, also in
//! the middle of a run of bytes that was sent. Nothing is ever moved or split, so positions stay valid.
//!
//! Invariants: at each place, at most one continuation begins with a given byte on a given connection, or
//! is equal to another one. So a way is found by comparing, and there is one position for it.

use std::collections::BTreeMap;
use std::io;
use std::time::Duration;

use crate::event::{PeerAction, PeerEvent, Source};
use crate::ids::{ConnectionId, Place, Position, StrandId};
use crate::log::{Log, SpillFile};
use crate::record::{CONTENT_BYTES_MAX, Record};
use crate::tree::Heard;

/// Bytes that a strand takes beside its log, rounded up.
pub(crate) const STRAND_BYTES: u64 = 200;
/// A log that is longer in memory goes into the file: a conversation that goes on without a branch is
/// rarely looked at again, and a small buffer that is used again and again stays in the processor's cache.
const LONG_LOG_BYTES: usize = 1 << 20;
/// Logs that are shorter stay in memory as long as others are longer.
const SHORT_LOG_BYTES: usize = 4096;

/// All strands of a tree.
#[derive(Debug)]
pub(crate) struct StrandSet {
    strands: Vec<Strand>,
    file: SpillFile,
    memory_bytes: usize,
    memory_bytes_max: usize,
    log_bytes: u64,
}

/// A way without branches.
#[derive(Debug, Default)]
pub(crate) struct Strand {
    /// Where it begins; `None` for the first strand, which begins at the root.
    pub(crate) parent: Option<Position>,
    pub(crate) log: Log,
    /// The strands that begin at places of this one, in the order in which they were made.
    branches: BTreeMap<Place, Vec<StrandId>>,
    /// The part of the log that was said to a real peer at least once.
    said: Option<Place>,
}

/// What comes next on a way, for a session that follows it.
#[derive(Debug)]
pub(crate) enum Step {
    /// Bytes of a run, sent at once.
    Send(ConnectionId, Vec<u8>),
    /// A record that is no run of bytes.
    Whole(Record<'static>),
}

/// A part of a way.
#[derive(Debug, Default)]
pub(crate) struct WayPart {
    /// The steps, each with the position behind it.
    pub(crate) steps: Vec<(Step, Position)>,
    /// The bytes that have been sent to another session before.
    pub(crate) repeated_bytes: u64,
}

impl StrandSet {
    /// A tree in which nothing was said.
    pub(crate) fn new(file: SpillFile, memory_bytes_max: usize) -> StrandSet {
        let strands = vec![Strand::default()];
        StrandSet { strands, file, memory_bytes: 0, memory_bytes_max, log_bytes: 0 }
    }

    /// The number of strands.
    pub(crate) fn count(&self) -> usize {
        self.strands.len()
    }

    /// The number of bytes that the tree has, in memory and in its file.
    pub(crate) fn total_bytes(&self) -> u64 {
        self.log_bytes + self.strands.len() as u64 * STRAND_BYTES
    }

    /// The number of bytes in the file.
    pub(crate) fn spilled_bytes(&self) -> u64 {
        self.file.len()
    }

    /// A strand, if there is one with this number.
    pub(crate) fn strand(&self, id: StrandId) -> Option<&Strand> {
        self.strands.get(id.index())
    }

    /// The record at an offset of a strand.
    pub(crate) fn record(&mut self, strand: StrandId, at: u64) -> io::Result<Option<Record<'_>>> {
        match self.strands.get(strand.index()) {
            Some(strand) => strand.log.record(at, &mut self.file),
            None => Ok(None),
        }
    }

    /// Returns true if a position is one of this tree.
    pub(crate) fn contains(&mut self, position: Position) -> io::Result<bool> {
        if position == Position::ROOT {
            return Ok(true);
        }
        let record = self.record(position.strand, position.record)?;
        Ok(record.is_some_and(|record| (1..=record.units()).contains(&position.within)))
    }

    /// The place directly behind a position on its own strand: a record, and the part of it that was
    /// passed.
    fn ahead(&mut self, position: Position) -> io::Result<Option<Place>> {
        let Some(record) = self.record(position.strand, position.record)? else { return Ok(None) };
        if position.within < record.units() {
            return Ok(Some(position.place()));
        }
        let next = Place { record: position.record + record.log_bytes(), within: 0 };
        let strand = &self.strands[position.strand.index()];
        Ok((next.record < strand.log.len()).then_some(next))
    }

    /// All continuations of a position, in the order in which they were made.
    fn continuations(&mut self, position: Position) -> io::Result<Vec<(StrandId, Place)>> {
        let mut found = Vec::new();
        if let Some(place) = self.ahead(position)? {
            found.push((position.strand, place));
        }
        let Some(strand) = self.strand(position.strand) else { return Ok(found) };
        let begin = Place { record: 0, within: 0 };
        let branches = strand.branches.get(&position.place());
        found.extend(branches.into_iter().flatten().map(|branch| (*branch, begin)));
        Ok(found)
    }

    /// The position behind a record.
    fn behind(at: (StrandId, u64), record: &Record<'_>, connections: u32) -> Position {
        let connections = connections.saturating_add(u32::from(record.begins_connection()));
        Position { strand: at.0, record: at.1, within: record.units(), connections }
    }

    /// What was heard at a position by those who have asked `source`, each with the position behind it and
    /// the time of a silence.
    pub(crate) fn answers(
        &mut self,
        position: Position,
        source: Source,
    ) -> io::Result<Vec<(Position, PeerEvent, Duration)>> {
        let mut answers = Vec::new();
        for (strand, place) in self.continuations(position)? {
            let Some(record) = self.record(strand, place.record)? else { continue };
            if let Some(event) = record.event().filter(|_| record.answers(source)) {
                let behind =
                    StrandSet::behind((strand, place.record), &record, position.connections);
                answers.push((behind, event, record.silence().unwrap_or_default()));
            }
        }
        Ok(answers)
    }

    /// The time for which the peer was silent right before a position to those who ask `source`.
    pub(crate) fn silence_before(
        &mut self,
        position: Position,
        source: Source,
    ) -> io::Result<Duration> {
        if position == Position::ROOT {
            return Ok(Duration::ZERO);
        }
        let record = self.record(position.strand, position.record)?;
        let record = record.filter(|record| record.answers(source));
        Ok(record.and_then(|record| record.silence()).unwrap_or_default())
    }

    /// Returns true if the last thing that was heard before a position, by those who ask `source`, is that
    /// the peer is gone.
    pub(crate) fn is_gone(&mut self, position: Position, source: Source) -> io::Result<bool> {
        if position == Position::ROOT {
            return Ok(false);
        }
        let record = self.record(position.strand, position.record)?;
        Ok(record.is_some_and(|record| record.is_gone() && record.answers(source)))
    }

    /// The position behind an action: along the tree where it was taken before, else on a new way.
    pub(crate) fn say(
        &mut self,
        position: Position,
        action: PeerAction<'_>,
    ) -> io::Result<Position> {
        match action {
            PeerAction::Send(connection, bytes) => self.send(position, connection, bytes),
            action => self.pass(position, &Record::said(action)),
        }
    }

    /// The position behind something that was heard.
    pub(crate) fn hear(
        &mut self,
        position: Position,
        asked: Source,
        event: &PeerEvent,
        waited: Duration,
    ) -> io::Result<Position> {
        self.pass(position, &Record::heard(asked, event, waited))
    }

    /// Passes a whole record, which is added if it is not there.
    fn pass(&mut self, position: Position, record: &Record<'_>) -> io::Result<Position> {
        for (strand, place) in self.continuations(position)? {
            if place.within == 0 && self.record(strand, place.record)?.as_ref() == Some(record) {
                return Ok(StrandSet::behind((strand, place.record), record, position.connections));
            }
        }
        self.add(position, record)
    }

    /// Passes a run of bytes, which leaves the tree where it differs.
    fn send(
        &mut self,
        mut position: Position,
        connection: ConnectionId,
        mut bytes: &[u8],
    ) -> io::Result<Position> {
        'bytes: while !bytes.is_empty() {
            for (strand, place) in self.continuations(position)? {
                let Some(record) = self.record(strand, place.record)? else { continue };
                if record.sent_run() != Some(connection) {
                    continue;
                }
                let rest = record.content()[place.within as usize..].iter();
                let same = rest.zip(bytes).take_while(|(old, new)| old == new).count();
                if same > 0 {
                    let within = place.within + same as u32;
                    position = Position { strand, record: place.record, within, ..position };
                    bytes = &bytes[same..];
                    continue 'bytes;
                }
            }
            let (now, later) = bytes.split_at(bytes.len().min(CONTENT_BYTES_MAX));
            let added = self.extend_run(position, connection, now)?;
            if added > 0 {
                position.within += added as u32;
                bytes = &bytes[added..];
                continue;
            }
            position = self.add(position, &Record::said(PeerAction::Send(connection, now)))?;
            bytes = later;
        }
        Ok(position)
    }

    /// Adds bytes to the last record of a strand if the position is behind it and it is such a run.
    fn extend_run(
        &mut self,
        position: Position,
        connection: ConnectionId,
        bytes: &[u8],
    ) -> io::Result<usize> {
        let record = self.record(position.strand, position.record)?;
        if record.is_none_or(|record| record.sent_run() != Some(connection))
            || self.ahead(position)?.is_some()
        {
            return Ok(0);
        }
        let added = self.strands[position.strand.index()].log.extend_last(position.record, bytes);
        self.account(position.strand, added)?;
        Ok(added)
    }

    /// Adds a record behind a position: at the end of its strand, or as a new strand.
    fn add(&mut self, position: Position, record: &Record<'_>) -> io::Result<Position> {
        let strand = match self.ahead(position)? {
            None => position.strand,
            Some(_) => self.add_strand(position),
        };
        let at = self.strands[strand.index()].log.push(record);
        self.account(strand, record.log_bytes() as usize)?;
        Ok(StrandSet::behind((strand, at), record, position.connections))
    }

    fn add_strand(&mut self, parent: Position) -> StrandId {
        let id = StrandId::from_index(self.strands.len());
        self.strands.push(Strand { parent: Some(parent), ..Strand::default() });
        let branches = &mut self.strands[parent.strand.index()].branches;
        branches.entry(parent.place()).or_default().push(id);
        id
    }

    /// Adds a strand as it was saved. Its parent has to be there, and the log has to consist of records.
    pub(crate) fn restore(&mut self, parent: Option<Position>, log: &[u8]) -> io::Result<()> {
        let id = match parent {
            None => StrandId(0),
            Some(parent) => self.add_strand(parent),
        };
        let mut rest = log;
        while let Some(record) = Record::read(rest) {
            self.strands[id.index()].log.push(&record);
            rest = &rest[record.log_bytes() as usize..];
        }
        self.account(id, log.len())
    }

    /// Counts new bytes, and moves logs into the file when there are too many in memory.
    fn account(&mut self, strand: StrandId, added: usize) -> io::Result<()> {
        self.log_bytes += added as u64;
        self.memory_bytes += added;
        let log = &mut self.strands[strand.index()].log;
        if log.memory_bytes() > LONG_LOG_BYTES && self.file.is_allowed() {
            self.memory_bytes -= log.memory_bytes();
            log.spill(&mut self.file)?;
        }
        if self.memory_bytes <= self.memory_bytes_max || !self.file.is_allowed() {
            return Ok(());
        }
        for bytes_min in [SHORT_LOG_BYTES, 0] {
            for strand in &mut self.strands {
                if strand.log.memory_bytes() > bytes_min {
                    self.memory_bytes -= strand.log.memory_bytes();
                    strand.log.spill(&mut self.file)?;
                    strand.log.shrink(self.memory_bytes_max / 4);
                }
            }
            if self.memory_bytes <= self.memory_bytes_max / 2 {
                break;
            }
        }
        Ok(())
    }

    /// The places at which the way to a position leaves its strands, from the root on.
    pub(crate) fn way_to(&self, position: Position) -> Vec<(StrandId, Place)> {
        let mut way = vec![(position.strand, position.place())];
        let mut strand = self.strand(position.strand);
        while let Some(parent) = strand.and_then(|strand| strand.parent) {
            way.push((parent.strand, parent.place()));
            strand = self.strand(parent.strand);
        }
        way.reverse();
        way
    }

    /// The next part of the way from a position to another one below it, of about `bytes_max` bytes.
    pub(crate) fn way_part(
        &mut self,
        from: Position,
        to: Position,
        bytes_max: usize,
    ) -> io::Result<WayPart> {
        let way = self.way_to(to);
        let first = way.iter().position(|(strand, _)| *strand == from.strand).unwrap_or(0);
        let mut part = WayPart::default();
        let (mut at, mut bytes) = (from, 0);
        for (strand, end) in &way[first..] {
            if at.strand != *strand {
                at = Position { strand: *strand, record: 0, within: 0, ..at };
            }
            while at.place() < *end && bytes < bytes_max {
                let Some(place) = self.ahead(at)? else { break };
                bytes += self.add_step(&mut at, place, *end, &mut part)?;
            }
            if at.place() < *end {
                break;
            }
        }
        Ok(part)
    }

    /// Tells `visit` what was heard on the way to a position. Nothing is noted as said by it.
    pub(crate) fn heard_until(
        &mut self,
        to: Position,
        mut visit: impl FnMut(Heard),
    ) -> io::Result<()> {
        // A silence after which the peer was asked again is replaced by what it has said then.
        let mut last: Option<Heard> = None;
        let (mut connections, mut is_asked_again) = (0, false);
        for (strand, end) in self.way_to(to) {
            let mut at = 0;
            while at <= end.record {
                let Some(record) = self.record(strand, at)? else { break };
                if at == end.record && end.within == 0 {
                    break;
                }
                let behind = StrandSet::behind((strand, at), &record, connections);
                (at, connections) = (at + record.log_bytes(), behind.connections);
                let Some(event) = record.event() else {
                    is_asked_again = false;
                    continue;
                };
                if is_asked_again {
                    last = None;
                }
                is_asked_again = event == PeerEvent::Silence;
                last.replace(Heard { position: behind, event }).into_iter().for_each(&mut visit);
            }
        }
        last.into_iter().for_each(visit);
        Ok(())
    }

    /// Adds one record, or the part of it up to `end`, to a part of a way, and returns its size.
    fn add_step(
        &mut self,
        at: &mut Position,
        place: Place,
        end: Place,
        part: &mut WayPart,
    ) -> io::Result<usize> {
        let strand = at.strand;
        let said = self.strands[strand.index()].said;
        let Some(record) = self.record(strand, place.record)? else { return Ok(0) };
        let units = record.units();
        let until = if end.record == place.record { end.within.min(units) } else { units };
        let mut behind = StrandSet::behind((strand, place.record), &record, at.connections);
        behind.within = until;
        let is_new = said.is_none_or(|said| said < behind.place());
        let size = match record.sent_run() {
            Some(connection) => {
                let bytes = &record.content()[place.within as usize..until as usize];
                let known = said.filter(|said| said.record == place.record);
                let known = known.map_or(place.within, |said| said.within.max(place.within));
                let new = if is_new { until - known } else { 0 };
                part.repeated_bytes += (bytes.len() - new as usize) as u64;
                match part.steps.last_mut() {
                    Some((Step::Send(last, joined), position))
                        if *last == connection
                            && joined.len() + bytes.len() <= CONTENT_BYTES_MAX =>
                    {
                        joined.extend_from_slice(bytes);
                        *position = behind;
                    }
                    _ => part.steps.push((Step::Send(connection, bytes.to_vec()), behind)),
                }
                (until - place.within) as usize
            }
            None => {
                let record = record.into_owned();
                let size = record.log_bytes() as usize;
                if !is_new && record.asked().is_none() {
                    part.repeated_bytes += record.content().len() as u64;
                }
                part.steps.push((Step::Whole(record), behind));
                size
            }
        };
        if is_new {
            self.strands[strand.index()].said = Some(behind.place());
        }
        *at = behind;
        Ok(size)
    }
}
