//! The search for Trojan messages: its options, and what it found.

use std::collections::BTreeMap;
use std::fmt;
use std::ops::Range;

use everett_trojan::MessageCount;

/// The options of the search for Trojan messages, for runs that replace messages
/// ([`FaultKind::Trojan`](crate::FaultKind::Trojan)).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TrojanOptions {
    /// Only the message of this number is replaced, counted from 1 among those that a node gets from its
    /// senders.
    pub at: Option<u32>,
    /// Names of the bytes of messages, by their offsets.
    pub field_names: BTreeMap<u32, String>,
    /// Ranges of offsets that are not compared with what senders send.
    pub masked: Vec<Range<u32>>,
    /// Messages of all lengths up to this one come instead of others, besides those of lengths that senders
    /// send.
    pub length_max: Option<u32>,
    /// States of the receiver that get only messages which a sender can send are given up.
    pub prunes: bool,
    /// Classes have the condition on their messages in SMT-LIB.
    pub expressions: bool,
    /// Only worlds in which a message was replaced are looked at.
    pub only_replaced: bool,
}

everett_base::portable!(struct TrojanOptions {
    at, field_names, masked, length_max, prunes, expressions, only_replaced,
});

impl Default for TrojanOptions {
    fn default() -> TrojanOptions {
        TrojanOptions {
            at: None,
            field_names: BTreeMap::new(),
            masked: Vec::new(),
            length_max: None,
            prunes: true,
            expressions: false,
            only_replaced: false,
        }
    }
}

/// The worst that a message does that is accepted. Worse ones are less.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum TrojanEffect {
    /// A path ends in a finding.
    Crash,
    /// An invariant is violated.
    Invariant,
    /// Another node ends in a way in which it does not end otherwise.
    OtherEnd,
    /// The receiver sends something.
    Answer,
    /// The receiver stores or exposes something, or ends.
    Silent,
}

everett_base::portable!(enum TrojanEffect {
    0 = Crash, 1 = Invariant, 2 = OtherEnd, 3 = Answer, 4 = Silent,
});

impl TrojanEffect {
    /// Its name, which is part of the output format.
    pub const fn name(self) -> &'static str {
        match self {
            TrojanEffect::Crash => "crash",
            TrojanEffect::Invariant => "invariant",
            TrojanEffect::OtherEnd => "other-end",
            TrojanEffect::Answer => "answer",
            TrojanEffect::Silent => "silent",
        }
    }
}

impl fmt::Display for TrojanEffect {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// How sure it is that no sender can send the messages of a class.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum TrojanCertainty {
    /// No sender can send them.
    Certain,
    /// No path of a sender that was explored can send them, and others were not explored.
    NotSeen,
    /// The solver could not tell within its limits.
    Possible,
}

/// Messages that a receiver accepts at one place and that no sender can send, for one reason.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TrojanFinding {
    /// The node that accepts them.
    pub node: String,
    /// The function in which it does.
    pub function: String,
    /// The file, empty without debug information.
    pub file: String,
    /// The line, 0 when unknown.
    pub line: u32,
    /// Their length.
    pub length: u32,
    /// The bytes that no sender can send together. They are none if no sender sends messages of this length.
    pub core: Vec<TrojanByte>,
    /// The smallest of them, byte by byte.
    pub example: Vec<u8>,
    /// How sure it is that no sender can send them.
    pub certainty: TrojanCertainty,
    /// The worst that they do.
    pub effect: TrojanEffect,
    /// The paths of the receiver that accept them.
    pub paths: u64,
    /// The number of messages, if it is known.
    pub messages: Option<MessageCount>,
    /// The finding that tells of them, or of what they do.
    pub finding: Option<u32>,
    /// The condition on the bytes of a message that leads there and that no sender can send, in SMT-LIB, if
    /// it was asked for ([`TrojanOptions::expressions`]).
    pub expression: Option<String>,
}

/// A byte of a message.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TrojanByte {
    /// Its offset.
    pub offset: u32,
    /// Its value in the example.
    pub value: u8,
    /// The field of the message that it belongs to, if it has a name ([`TrojanOptions::field_names`]).
    pub field: Option<String>,
}

/// The results of the search for Trojan messages.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct TrojanSummary {
    /// Paths of senders that send a message.
    pub sender_paths: u64,
    /// All paths of senders were explored.
    pub are_senders_explored: bool,
    /// Messages that were replaced, in different states of receivers.
    pub replaced: u64,
    /// Paths of receivers that were given up since a sender can send all that lead there.
    pub pruned: u64,
    /// Paths that have accepted a message.
    pub accepted: u64,
    /// Paths that have rejected it.
    pub rejected: u64,
    /// Paths that have accepted a message and of which not all classes were found, or what they lead to.
    pub undecided: u64,
    /// The classes, those with the worst effects first.
    pub classes: Vec<TrojanFinding>,
}

/// How far the search for Trojan messages has come.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TrojanProgress {
    /// Messages of senders are collected.
    Collects {
        /// Paths of senders that send one.
        sender_paths: u64,
    },
    /// Messages are replaced.
    Replaces {
        /// Messages that were replaced.
        replaced: u64,
        /// Paths of receivers that have accepted or rejected one.
        judged: u64,
        /// Paths that were given up since a sender can send all that lead there.
        pruned: u64,
        /// Classes of Trojan messages.
        classes: u64,
    },
}
