//! The host's clock and memory counters: the only place that reads them.

use std::fs::File;
use std::os::unix::fs::FileExt;
use std::time::{Instant, SystemTime};

use everett_engine::MonotonicClock;

/// A clock that tells the time since now.
#[allow(clippy::disallowed_methods, reason = "the driver provides the clock to the libraries")]
pub(crate) fn running_clock() -> MonotonicClock {
    let start = Instant::now();
    MonotonicClock::new(move || start.elapsed())
}

/// Reads the resident memory of this process again and again.
pub(crate) struct MemoryMeter {
    statm: Option<File>,
}

impl MemoryMeter {
    /// A meter; it reads 0 where the system has no such counter.
    pub(crate) fn new() -> MemoryMeter {
        MemoryMeter { statm: File::open("/proc/self/statm").ok() }
    }

    /// Resident bytes now.
    pub(crate) fn resident_bytes(&self) -> u64 {
        // The simulated machine is x86-64, but the host need not be: then this is an estimate.
        const PAGE_BYTES: u64 = 4096;
        let mut text = [0; 128];
        let read = self.statm.as_ref().and_then(|file| file.read_at(&mut text, 0).ok());
        let field = std::str::from_utf8(&text[..read.unwrap_or(0)])
            .ok()
            .and_then(|text| text.split(' ').nth(1))
            .and_then(|field| field.parse::<u64>().ok());
        field.unwrap_or(0) * PAGE_BYTES
    }
}

/// Most resident bytes since the process started, 0 if unknown.
pub(crate) fn peak_resident_bytes() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let kilobytes = line.and_then(|rest| rest.split_whitespace().next()?.parse::<u64>().ok());
    kilobytes.unwrap_or(0) * 1024
}

/// Seconds since 1970.
#[allow(clippy::disallowed_methods, reason = "shown to people, and decides nothing of a run")]
pub(crate) fn seconds_since_1970() -> u64 {
    let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH);
    now.map_or(0, |time| time.as_secs())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn memory_in_use_is_below_its_peak() {
        let (now, peak) = (MemoryMeter::new().resident_bytes(), peak_resident_bytes());
        assert!(now > 0 && now <= peak, "{now} {peak}");
    }
}
