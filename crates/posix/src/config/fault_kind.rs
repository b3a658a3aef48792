//! The kinds of faults: [`FaultKind`], and a number for each of them: [`FaultBudgets`].
//!
//! To add one, append a line to the table. Everything that is said about kinds in general (budgets,
//! test cases, the summary) follows from it.

use everett_base::part::{PartError, PartReader, PartWriter, Portable};

macro_rules! kinds {
    ($($variant:ident, $name:literal, $what:literal;)*) => {
        /// Something bad that the environment may do.
        ///
        /// Its number is part of the format of test cases: kinds are only ever added at the end.
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
        #[repr(u16)]
        pub enum FaultKind { $(#[doc = $what] $variant,)* }

        impl FaultKind {
            /// All kinds, by number.
            pub const ALL: &'static [FaultKind] = &[$(FaultKind::$variant),*];

            /// Its name, which is part of the output format.
            pub const fn name(self) -> &'static str {
                match self { $(FaultKind::$variant => $name),* }
            }

            /// The fault in a few words.
            pub const fn what(self) -> &'static str {
                match self { $(FaultKind::$variant => $what),* }
            }
        }
    };
}

impl Portable for FaultKind {
    fn write<'a>(&'a self, to: &mut PartWriter<'a>) {
        to.number(*self as u64);
    }

    fn read(from: &mut PartReader<'_>) -> Result<Self, PartError> {
        let kind = FaultKind::ALL.get(usize::read(from)?).copied();
        kind.ok_or_else(|| from.unexpected("a kind of faults"))
    }
}

kinds! {
    Loss, "loss", "a datagram is lost on its way";
    SysFail, "sys-fail", "a system call fails";
    ShortRead, "short-read", "fewer bytes are read than there are";
    ShortWrite, "short-write", "fewer bytes are written than were given";
    Interrupt, "interrupt", "a signal ends the wait of a system call";
    WouldBlock, "would-block", "a socket that does not wait is not ready";
    SelectFail, "select-fail", "waiting for several files fails";
    Malloc, "malloc", "there is no memory";
    Crash, "crash", "a node crashes and stays down";
    Reboot, "reboot", "a node crashes and starts again with its durable files";
    Torn, "torn", "a crash leaves something of what was not synced";
    Pause, "pause", "a node does not run for a while";
    ClockSkew, "clock-skew", "the clock of a node is ahead or behind";
    ClockJump, "clock-jump", "the clock of a node jumps forward or back";
    Duplicate, "duplicate", "a datagram arrives twice";
    Reorder, "reorder", "datagrams arrive in another order";
    Delay, "delay", "a datagram, or a piece of a stream, is late";
    Corrupt, "corrupt", "bytes of a datagram are others";
    Truncate, "truncate", "a datagram lacks its end";
    Fragment, "fragment", "a piece of a stream is read in two";
    Reset, "reset", "a connection is broken off";
    Connect, "connect", "a connection is refused, or times out";
    Partition, "partition", "the network breaks apart";
    LinkDown, "link-down", "the link of a node is down";
    Piece, "piece", "a read from a file that the program has chosen gives less than there is";
    Order, "order", "a node sees messages in another order";
    Late, "late", "a deadline passes before a message that is on its way";
    Latency, "latency", "messages from a node have another of several latencies";
    Signal, "signal", "a signal comes, and the program handles it";
    Trojan, "trojan", "a message is replaced by one that no sender can send";
}

/// The number of kinds.
pub(crate) const FAULT_KIND_COUNT: usize = FaultKind::ALL.len();

impl FaultKind {
    /// The kind of a number, as a test case has it.
    pub fn from_number(number: u16) -> Option<FaultKind> {
        FaultKind::ALL.get(usize::from(number)).copied()
    }

    /// Its number.
    pub const fn number(self) -> u16 {
        self as u16
    }

    /// Returns true if it happens to the world rather than to one of its nodes: those that notice it
    /// notice the same, and how often it happens is limited where that is decided (`fault/severed.rs`).
    pub const fn is_of_world(self) -> bool {
        matches!(self, FaultKind::Partition | FaultKind::LinkDown)
    }

    /// Its bit in a set of kinds.
    pub(crate) const fn bit(self) -> u32 {
        1 << self as u16
    }
}

// A set of kinds is a word.
const _: () = assert!(FAULT_KIND_COUNT <= 32, "too many kinds for a set of 32 bits");

impl std::fmt::Display for FaultKind {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name())
    }
}

/// The budget of each kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FaultBudgets([u32; FAULT_KIND_COUNT]);

everett_base::portable!(struct FaultBudgets(value));

impl Default for FaultBudgets {
    /// Nothing bad happens.
    fn default() -> FaultBudgets {
        FaultBudgets([0; FAULT_KIND_COUNT])
    }
}

impl FaultBudgets {
    /// The budget of a kind.
    pub fn get(&self, kind: FaultKind) -> u32 {
        self.0[kind as usize]
    }

    /// Sets how often a kind may happen.
    pub fn set(&mut self, kind: FaultKind, most: u32) {
        self.0[kind as usize] = most;
    }

    /// Returns true if nothing may happen at all.
    pub fn is_empty(&self) -> bool {
        self.0.iter().all(|most| *most == 0)
    }

    /// The kinds that may happen, and how often.
    pub fn iter(&self) -> impl Iterator<Item = (FaultKind, u32)> + '_ {
        let all = FaultKind::ALL.iter().copied().zip(self.0);
        all.filter(|(_, most)| *most > 0)
    }

    /// One less of a kind.
    pub(crate) fn spend(&mut self, kind: FaultKind) {
        let left = &mut self.0[kind as usize];
        *left = left.saturating_sub(1);
    }

    /// No more of each kind than another has, where that one has any.
    #[must_use]
    pub fn within(mut self, other: &FaultBudgets) -> FaultBudgets {
        for (kind, most) in other.iter() {
            self.set(kind, self.get(kind).min(most));
        }
        self
    }

    /// The set of kinds that may happen.
    pub(crate) fn kinds(&self) -> u32 {
        self.iter().fold(0, |set, (kind, _)| set | kind.bit())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_numbers_lead_back_to_their_kinds() {
        for (number, kind) in (0..).zip(FaultKind::ALL) {
            assert_eq!((kind.number(), FaultKind::from_number(number)), (number, Some(*kind)));
            let same = FaultKind::ALL.iter().filter(|other| other.name() == kind.name());
            assert_eq!(same.count(), 1, "{kind}");
        }
        assert_eq!(FaultKind::from_number(FAULT_KIND_COUNT as u16), None);
    }

    #[test]
    fn a_limit_of_all_nodes_limits_each() {
        let mut own = FaultBudgets::default();
        own.set(FaultKind::Loss, 3);
        own.set(FaultKind::SysFail, 2);
        let mut all = FaultBudgets::default();
        all.set(FaultKind::Loss, 1);
        let both = own.within(&all);
        assert_eq!((both.get(FaultKind::Loss), both.get(FaultKind::SysFail)), (1, 2));
    }
}
