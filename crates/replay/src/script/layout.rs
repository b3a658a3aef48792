//! The layout of the file of a script.
//!
//! Offsets are constants of [`at`], by part; the C header is generated from the same list.

/// The first bytes.
pub const MAGIC: [u8; 8] = *b"EVRTSCRP";
/// Version of the format.
pub const VERSION: u32 = 3;
/// Bytes of the header.
pub const HEADER_BYTES: usize = 256;
/// Bytes of the text for the first difference.
pub const TEXT_BYTES: usize = 4096;
/// Bytes of a node.
pub const NODE_BYTES: usize = 64;
/// Bytes of a thread.
pub const THREAD_BYTES: usize = 96;
/// Bytes of an event.
pub const EVENT_BYTES: usize = 128;
/// Says "none" where an event or thread is named.
pub const NONE: u32 = u32::MAX;

/// The script is being run.
pub const STATE_RUNNING: u32 = 0;
/// It has run to its end.
pub const STATE_DONE: u32 = 1;
/// A program did something else; the text says what.
pub const STATE_DIVERGED: u32 = 2;

macro_rules! layout {
    ($($part:ident { $($name:ident: $kind:ident = $offset:literal, $what:literal;)* })*) => {
        /// Offsets, by part.
        pub mod at {
            $(
                #[doc = concat!("Offsets within ", stringify!($part), ".")]
                pub mod $part { $(#[doc = $what] pub const $name: usize = $offset;)* }
            )*
        }

        /// All of them: part, field, type of C, offset, what it is.
        pub(super) const FIELDS: &[(&str, &str, &str, usize, &str)] = &[
            $($((stringify!($part), stringify!($name), stringify!($kind), $offset, $what),)*)*
        ];
    };
}

layout! {
    header {
        MAGIC: magic = 0, "\"EVRTSCRP\"";
        VERSION: u32 = 8, "version of the format";
        NODES: u32 = 12, "number of nodes";
        THREADS: u32 = 16, "number of threads";
        EVENTS: u32 = 20, "number of events";
        NODES_AT: u64 = 24, "offset of the nodes";
        THREADS_AT: u64 = 32, "offset of the threads";
        EVENTS_AT: u64 = 40, "offset of the events";
        DATA_AT: u64 = 48, "offset of the data";
        FILE_BYTES: u64 = 56, "size of the file";
        TEXT_AT: u64 = 64, "offset of the text for the first difference";
        TEXT_BYTES: u32 = 72, "its size";
        HEAD: u32 = 128, "changes: index of the next event; threads wait on it";
        STATE: u32 = 132, "changes: 0 running, 1 done, 2 diverged";
        LIVE: u32 = 136, "changes: threads that live";
        WAITING: u32 = 140, "changes: threads that wait";
        GUARD: u32 = 144, "changes: taken by the one that writes the text";
        OWN: own = 160, "changes: for the library";
    }
    node {
        NAME_AT: u64 = 0, "offset of its name, which ends with 0";
        ADDRESSES_AT: u64 = 8, "offset of its addresses: 4 bytes real, 4 on loopback, 16 of IPv6 or zeros";
        NAME_BYTES: u32 = 16, "length of its name";
        ADDRESSES: u32 = 20, "number of its addresses";
        FIRST_THREAD: u32 = 24, "its first thread";
    }
    thread {
        NODE: u32 = 0, "its node";
        PROCESS: u32 = 4, "first thread of its process";
        PID: u32 = 8, "number of the process, as the program sees it";
        TID: u32 = 12, "number of the thread, as the program sees it";
        PARENT_PID: u32 = 16, "number of the parent process";
        MAKER: u32 = 20, "the thread that made it, or NONE";
        BOOT: u32 = 24, "how often the node was started before";
        NATIVE_PID: u32 = 32, "changes: the native process";
        NATIVE_TID: u32 = 36, "changes: the native thread";
        STATE: u32 = 40, "changes: for the library";
        API: u32 = 44, "changes: the function that it is in";
        OWN: own = 48, "changes: for the library, 48 bytes";
    }
    event {
        THREAD: u32 = 0, "thread";
        API: u16 = 4, "function";
        FLAGS: u16 = 6, "flags";
        RESULT: i64 = 8, "what the call returns, or -1";
        ERROR: i32 = 16, "error number, or 0";
        FD: i32 = 20, "descriptor, or -1";
        REALTIME_NS: i64 = 24, "CLOCK_REALTIME of the node after the call";
        MONOTONIC_NS: i64 = 32, "CLOCK_MONOTONIC of the node after the call";
        AUX: aux = 40, "further numbers: 4 words of 8 bytes";
        DATA_AT: u64 = 72, "offset of its data";
        DATA2_AT: u64 = 80, "offset of more data";
        SITE_AT: u64 = 88, "offset of its place in the program, which ends with 0";
        DATA_BYTES: u32 = 96, "length of its data";
        DATA2_BYTES: u32 = 100, "length of more data";
        SITE_BYTES: u32 = 104, "length of its place";
        ORDINAL: u32 = 108, "which call, of a fault or preemption";
        PARTNER: u32 = 112, "event that belongs to it, or NONE";
        UNWRITTEN_BYTES: u32 = 116, "length of the list of its data that the program has never written";
        UNWRITTEN_AT: u64 = 120, "offset of that list: pairs of 4 bytes, from where and how many";
    }
}
