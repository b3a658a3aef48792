//! A script as bytes.

use super::layout::{
    EVENT_BYTES, HEADER_BYTES, MAGIC, NODE_BYTES, NONE, TEXT_BYTES, THREAD_BYTES, VERSION, at,
};
use super::{Script, ScriptAddress, ScriptEvent, ScriptNode, ScriptThread};

impl Script {
    /// The file.
    pub fn to_bytes(&self) -> Vec<u8> {
        let Script { nodes, threads, events } = self;
        let nodes_at = HEADER_BYTES + TEXT_BYTES;
        let threads_at = nodes_at + nodes.len() * NODE_BYTES;
        let events_at = (threads_at + threads.len() * THREAD_BYTES).next_multiple_of(EVENT_BYTES);
        let data_at = events_at + events.len() * EVENT_BYTES;
        let mut file = ScriptWriter { bytes: vec![0; data_at] };
        file.bytes[..MAGIC.len()].copy_from_slice(&MAGIC);
        file.u32(at::header::VERSION, VERSION);
        file.u32(at::header::NODES, nodes.len() as u32);
        file.u32(at::header::THREADS, threads.len() as u32);
        file.u32(at::header::EVENTS, events.len() as u32);
        file.u64(at::header::NODES_AT, nodes_at as u64);
        file.u64(at::header::THREADS_AT, threads_at as u64);
        file.u64(at::header::EVENTS_AT, events_at as u64);
        file.u64(at::header::DATA_AT, data_at as u64);
        file.u64(at::header::TEXT_AT, HEADER_BYTES as u64);
        file.u32(at::header::TEXT_BYTES, TEXT_BYTES as u32);
        for (i, node) in nodes.iter().enumerate() {
            file.node(nodes_at + i * NODE_BYTES, node);
        }
        for (i, thread) in threads.iter().enumerate() {
            file.thread(threads_at + i * THREAD_BYTES, thread);
        }
        for (i, event) in events.iter().enumerate() {
            file.event(events_at + i * EVENT_BYTES, event);
        }
        let size = file.bytes.len() as u64;
        file.u64(at::header::FILE_BYTES, size);
        file.bytes
    }
}

/// The file in the making.
struct ScriptWriter {
    bytes: Vec<u8>,
}

impl ScriptWriter {
    fn put(&mut self, offset: usize, bytes: &[u8]) {
        self.bytes[offset..offset + bytes.len()].copy_from_slice(bytes);
    }

    fn u32(&mut self, offset: usize, value: u32) {
        self.put(offset, &value.to_le_bytes());
    }

    fn u64(&mut self, offset: usize, value: u64) {
        self.put(offset, &value.to_le_bytes());
    }

    /// Appends data, with a zero behind it, and notes where it is.
    fn data(&mut self, offset_at: usize, len_at: usize, data: &[u8]) {
        if data.is_empty() {
            return;
        }
        self.u64(offset_at, self.bytes.len() as u64);
        self.u32(len_at, data.len() as u32);
        self.bytes.extend_from_slice(data);
        self.bytes.push(0);
        let end = self.bytes.len().next_multiple_of(8);
        self.bytes.resize(end, 0);
    }

    fn node(&mut self, base: usize, node: &ScriptNode) {
        let ScriptNode { name, addresses, first_thread } = node;
        self.data(base + at::node::NAME_AT, base + at::node::NAME_BYTES, name.as_bytes());
        let mut list = Vec::new();
        for ScriptAddress { real, loopback, ipv6 } in addresses {
            list.extend(real.octets());
            list.extend(loopback.octets());
            list.extend(ipv6.map_or([0; 16], |ipv6| ipv6.octets()));
        }
        self.data(base + at::node::ADDRESSES_AT, base + at::node::ADDRESSES, &list);
        self.u32(base + at::node::ADDRESSES, addresses.len() as u32);
        self.u32(base + at::node::FIRST_THREAD, *first_thread);
    }

    fn thread(&mut self, base: usize, thread: &ScriptThread) {
        let ScriptThread { node, process, pid, tid, parent_pid, maker, boot } = thread;
        self.u32(base + at::thread::NODE, *node);
        self.u32(base + at::thread::PROCESS, *process);
        self.u32(base + at::thread::PID, *pid);
        self.u32(base + at::thread::TID, *tid);
        self.u32(base + at::thread::PARENT_PID, *parent_pid);
        self.u32(base + at::thread::MAKER, maker.unwrap_or(NONE));
        self.u32(base + at::thread::BOOT, *boot);
    }

    fn event(&mut self, base: usize, event: &ScriptEvent) {
        let ScriptEvent {
            thread,
            api,
            flags,
            result,
            errno,
            fd,
            realtime_ns,
            monotonic_ns,
            aux,
            data,
            data2,
            site,
            ordinal,
            partner,
            unwritten,
        } = event;
        self.u32(base + at::event::THREAD, *thread);
        self.put(base + at::event::API, &api.number().to_le_bytes());
        self.put(base + at::event::FLAGS, &flags.0.to_le_bytes());
        self.put(base + at::event::RESULT, &result.to_le_bytes());
        self.put(base + at::event::ERROR, &errno.to_le_bytes());
        self.put(base + at::event::FD, &fd.to_le_bytes());
        self.put(base + at::event::REALTIME_NS, &realtime_ns.to_le_bytes());
        self.put(base + at::event::MONOTONIC_NS, &monotonic_ns.to_le_bytes());
        for (i, word) in aux.iter().enumerate() {
            self.u64(base + at::event::AUX + 8 * i, *word);
        }
        self.data(base + at::event::DATA_AT, base + at::event::DATA_BYTES, data);
        self.data(base + at::event::DATA2_AT, base + at::event::DATA2_BYTES, data2);
        self.data(base + at::event::SITE_AT, base + at::event::SITE_BYTES, site.as_bytes());
        self.u32(base + at::event::ORDINAL, *ordinal);
        self.u32(base + at::event::PARTNER, partner.unwrap_or(NONE));
        let pairs = unwritten.iter().flat_map(|(from, count)| [from, count]);
        let list: Vec<u8> = pairs.flat_map(|word| word.to_le_bytes()).collect();
        self.data(base + at::event::UNWRITTEN_AT, base + at::event::UNWRITTEN_BYTES, &list);
    }
}
