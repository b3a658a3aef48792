//! A script out of bytes, for tests and for what is left of one after a run.

use std::net::{Ipv4Addr, Ipv6Addr};

use thiserror::Error;

use super::api::ScriptApi;
use super::layout::{EVENT_BYTES, MAGIC, NODE_BYTES, NONE, THREAD_BYTES, VERSION, at};
use super::{EventFlags, Script, ScriptAddress, ScriptEvent, ScriptNode, ScriptThread};

/// The reason for which bytes are not a script.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum ScriptError {
    /// They do not begin as one.
    #[error("not a script: it does not begin with `EVRTSCRP`")]
    Magic,
    /// Another version of the format.
    #[error("version {0} of scripts is not known; version {VERSION} is")]
    Version(u32),
    /// Something is named that is beyond the end.
    #[error("the script ends before byte {0}, which it refers to")]
    Truncated(u64),
    /// An event is of an unknown function.
    #[error("event {event} is of an unknown function, {api}")]
    Api {
        /// The number of the event.
        event: u32,
        /// The number of the function.
        api: u16,
    },
    /// A name is not text.
    #[error("the name at byte {0} is not text")]
    Text(u64),
}

impl Script {
    /// Reads a file. Words that change while a script is run are not looked at.
    pub fn from_bytes(bytes: &[u8]) -> Result<Script, ScriptError> {
        if !bytes.starts_with(&MAGIC) {
            return Err(ScriptError::Magic);
        }
        let file = ScriptReader { bytes };
        let version = file.u32(at::header::VERSION)?;
        if version != VERSION {
            return Err(ScriptError::Version(version));
        }
        let nodes_at = file.offset(at::header::NODES_AT)?;
        let threads_at = file.offset(at::header::THREADS_AT)?;
        let events_at = file.offset(at::header::EVENTS_AT)?;
        let mut script = Script::default();
        for i in 0..file.u32(at::header::NODES)? as usize {
            script.nodes.push(file.node(nodes_at.saturating_add(i * NODE_BYTES))?);
        }
        for i in 0..file.u32(at::header::THREADS)? as usize {
            script.threads.push(file.thread(threads_at.saturating_add(i * THREAD_BYTES))?);
        }
        for i in 0..file.u32(at::header::EVENTS)? {
            let base = events_at.saturating_add(i as usize * EVENT_BYTES);
            script.events.push(file.event(base, i)?);
        }
        Ok(script)
    }
}

/// The file.
struct ScriptReader<'b> {
    bytes: &'b [u8],
}

impl<'b> ScriptReader<'b> {
    fn bytes(&self, offset: usize, len: usize) -> Result<&'b [u8], ScriptError> {
        let end = offset.saturating_add(len);
        self.bytes.get(offset..end).ok_or(ScriptError::Truncated(end as u64))
    }

    fn array<const N: usize>(&self, offset: usize) -> Result<[u8; N], ScriptError> {
        let bytes = self.bytes(offset, N)?;
        Ok(std::array::from_fn(|i| bytes.get(i).copied().unwrap_or_default()))
    }

    fn u16(&self, offset: usize) -> Result<u16, ScriptError> {
        Ok(u16::from_le_bytes(self.array(offset)?))
    }

    fn u32(&self, offset: usize) -> Result<u32, ScriptError> {
        Ok(u32::from_le_bytes(self.array(offset)?))
    }

    fn u64(&self, offset: usize) -> Result<u64, ScriptError> {
        Ok(u64::from_le_bytes(self.array(offset)?))
    }

    fn offset(&self, offset: usize) -> Result<usize, ScriptError> {
        Ok(usize::try_from(self.u64(offset)?).unwrap_or(usize::MAX))
    }

    fn some(&self, offset: usize) -> Result<Option<u32>, ScriptError> {
        Ok(Some(self.u32(offset)?).filter(|number| *number != NONE))
    }

    fn data(&self, offset_at: usize, len_at: usize) -> Result<Vec<u8>, ScriptError> {
        let (offset, len) = (self.offset(offset_at)?, self.u32(len_at)?);
        Ok(self.bytes(offset, len as usize)?.to_vec())
    }

    fn ranges(&self, offset_at: usize, len_at: usize) -> Result<Vec<(u32, u32)>, ScriptError> {
        let bytes = self.data(offset_at, len_at)?;
        let (pairs, _) = bytes.as_chunks::<8>();
        let pair = |[a, b, c, d, e, f, g, h]: &[u8; 8]| {
            (u32::from_le_bytes([*a, *b, *c, *d]), u32::from_le_bytes([*e, *f, *g, *h]))
        };
        Ok(pairs.iter().map(pair).collect())
    }

    fn text(&self, offset_at: usize, len_at: usize) -> Result<String, ScriptError> {
        let bytes = self.data(offset_at, len_at)?;
        String::from_utf8(bytes).map_err(|_| ScriptError::Text(offset_at as u64))
    }

    fn node(&self, base: usize) -> Result<ScriptNode, ScriptError> {
        let count = self.u32(base + at::node::ADDRESSES)? as usize;
        let offset = self.offset(base + at::node::ADDRESSES_AT)?;
        let list = self.bytes(offset, count.saturating_mul(ScriptAddress::BYTES))?;
        let (addresses, _) = list.as_chunks::<{ ScriptAddress::BYTES }>();
        let address = |[a, b, c, d, e, f, g, h, rest @ ..]: &[u8; ScriptAddress::BYTES]| {
            let ipv6 = Ipv6Addr::from(*rest);
            ScriptAddress {
                real: Ipv4Addr::new(*a, *b, *c, *d),
                loopback: Ipv4Addr::new(*e, *f, *g, *h),
                ipv6: (!ipv6.is_unspecified()).then_some(ipv6),
            }
        };
        Ok(ScriptNode {
            name: self.text(base + at::node::NAME_AT, base + at::node::NAME_BYTES)?,
            addresses: addresses.iter().map(address).collect(),
            first_thread: self.u32(base + at::node::FIRST_THREAD)?,
        })
    }

    fn thread(&self, base: usize) -> Result<ScriptThread, ScriptError> {
        Ok(ScriptThread {
            node: self.u32(base + at::thread::NODE)?,
            process: self.u32(base + at::thread::PROCESS)?,
            pid: self.u32(base + at::thread::PID)?,
            tid: self.u32(base + at::thread::TID)?,
            parent_pid: self.u32(base + at::thread::PARENT_PID)?,
            maker: self.some(base + at::thread::MAKER)?,
            boot: self.u32(base + at::thread::BOOT)?,
        })
    }

    fn event(&self, base: usize, event: u32) -> Result<ScriptEvent, ScriptError> {
        let api = self.u16(base + at::event::API)?;
        let mut aux = [0; 4];
        for (i, word) in aux.iter_mut().enumerate() {
            *word = self.u64(base + at::event::AUX + 8 * i)?;
        }
        Ok(ScriptEvent {
            thread: self.u32(base + at::event::THREAD)?,
            api: ScriptApi::from_number(api).ok_or(ScriptError::Api { event, api })?,
            flags: EventFlags(self.u16(base + at::event::FLAGS)?),
            result: self.u64(base + at::event::RESULT)? as i64,
            errno: self.u32(base + at::event::ERROR)? as i32,
            fd: self.u32(base + at::event::FD)? as i32,
            realtime_ns: self.u64(base + at::event::REALTIME_NS)? as i64,
            monotonic_ns: self.u64(base + at::event::MONOTONIC_NS)? as i64,
            aux,
            data: self.data(base + at::event::DATA_AT, base + at::event::DATA_BYTES)?,
            data2: self.data(base + at::event::DATA2_AT, base + at::event::DATA2_BYTES)?,
            site: self.text(base + at::event::SITE_AT, base + at::event::SITE_BYTES)?,
            ordinal: self.u32(base + at::event::ORDINAL)?,
            partner: self.some(base + at::event::PARTNER)?,
            unwritten: self
                .ranges(base + at::event::UNWRITTEN_AT, base + at::event::UNWRITTEN_BYTES)?,
        })
    }
}
