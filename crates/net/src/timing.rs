//! The time that messages take on a part of their way: [`LinkTiming`].
//!
//! Not here: the time of a whole way (`way.rs`).

/// Latency and bandwidth of a network, or of the link that attaches a host to one.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LinkTiming {
    /// The latencies that it may have, in nanoseconds; none: it takes no time.
    pub latencies_ns: Vec<u64>,
    /// Bytes that it carries in a second; `None`: any number.
    pub bytes_per_second: Option<u64>,
}

everett_base::portable!(struct LinkTiming { latencies_ns, bytes_per_second });

impl LinkTiming {
    /// Returns true if nothing takes time.
    pub fn is_instant(&self) -> bool {
        self.latencies_ns.is_empty() && self.bytes_per_second.is_none()
    }
}
