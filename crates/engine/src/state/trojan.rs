//! A message that was replaced, along the path of its receiver: [`TrojanMark`].

use everett_base::part::{PartError, PartReader, PartWriter, Portable};
use everett_expr::SymbolId;
use everett_fs::Fs;
use everett_memory::ByteValue;
use everett_posix::VisibleEffect;
use everett_trojan::ReceiverState;
use everett_world::NodeId;

use crate::api::report::SourcePlace;
use crate::programs::places;

/// What is known about a message that came instead of another one.
#[derive(Clone)]
pub(crate) struct TrojanMark {
    /// The senders that it is compared with, by their number in the table of the run.
    pub(crate) senders: u32,
    /// Its bytes, if they are not known.
    pub(crate) message: Option<SymbolId>,
    /// Its length.
    pub(crate) length: u32,
    /// The files of the node when it came.
    pub(crate) files: Fs<ByteValue>,
    /// The first thing that the node did afterwards that others can see, and where.
    pub(crate) effect: Option<(VisibleEffect, AcceptingStack)>,
    /// The node has sent something afterwards.
    pub(crate) has_sent: bool,
    pub(crate) verdict: TrojanVerdict,
    pub(crate) followed: FollowedPath,
}

everett_base::portable!(struct TrojanMark {
    senders, message, length, files, effect, has_sent, verdict, followed,
});

/// The receiver's judgement of a message.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum TrojanVerdict {
    /// None yet.
    Open,
    /// The program has said that it accepts it, there.
    Accepts(AcceptingStack),
    /// The program has said that it rejects it.
    Rejects,
    /// It was accepted, there, and the path goes on for messages that no sender can send.
    Accepted(AcceptingStack),
    /// It was rejected, and the path goes on in the same way.
    Rejected,
}

everett_base::portable!(enum TrojanVerdict {
    0 = Open, 1 = Accepts(value), 2 = Rejects, 3 = Accepted(value), 4 = Rejected,
});

/// The conditions of the path on the message, as the search for Trojan messages has them.
#[derive(Clone, Default)]
pub(crate) struct FollowedPath {
    /// They stay in the process: elsewhere they are found again from the path.
    pub(crate) receiver: Option<ReceiverState>,
    /// The number of the path's constraints that are among them.
    pub(crate) known: usize,
    /// When senders were asked about the path, if they were.
    pub(crate) asked: Option<AskedSenders>,
}

/// The numbers of constraints that a path had when senders were asked about it.
#[derive(Clone, Copy)]
pub(crate) struct AskedSenders {
    pub(crate) at_first: usize,
    pub(crate) at_last: usize,
}

everett_base::portable!(struct AskedSenders { at_first, at_last });

impl AskedSenders {
    /// Returns `true` if senders are to be asked again: when the conditions since the first time have
    /// doubled, so that long paths do not ask at each of their branches.
    pub(crate) fn is_long_ago(self, constraints: usize) -> bool {
        let AskedSenders { at_first, at_last } = self;
        constraints > at_last && constraints - at_first >= 2 * (at_last - at_first)
    }
}

impl Portable for FollowedPath {
    fn write<'a>(&'a self, to: &mut PartWriter<'a>) {
        self.asked.write(to);
    }

    fn read(from: &mut PartReader<'_>) -> Result<Self, PartError> {
        Ok(FollowedPath { asked: Portable::read(from)?, ..FollowedPath::default() })
    }
}

/// Where a program is when it accepts a message.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct AcceptingStack {
    /// The receiver.
    pub(crate) node: NodeId,
    /// The stack, innermost first.
    pub(crate) stack: Vec<SourcePlace>,
}

everett_base::portable!(struct AcceptingStack { node, stack });

impl AcceptingStack {
    /// The place of the program itself.
    pub(crate) fn place(&self) -> AcceptedPlace {
        let own = places::own(&self.stack).filter(|place| !place.file.starts_with('<'));
        let (function, file, line) = match own {
            Some(place) => (place.function.clone(), place.file.clone(), place.line),
            // It has left its own code, as at its end.
            None => Default::default(),
        };
        AcceptedPlace { node: self.node, function, file, line }
    }
}

/// The place at which a receiver accepts messages.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) struct AcceptedPlace {
    pub(crate) node: NodeId,
    pub(crate) function: String,
    pub(crate) file: String,
    pub(crate) line: u32,
}

everett_base::portable!(struct AcceptedPlace { node, function, file, line });

impl TrojanMark {
    /// Returns `true` if nothing but its end can say whether a program accepts the message.
    pub(crate) fn accepts_by_end(&self) -> bool {
        self.verdict == TrojanVerdict::Open && self.effect.is_none()
    }

    /// Returns `true` until it is decided whether the message is accepted.
    pub(crate) fn is_open(&self) -> bool {
        !matches!(self.verdict, TrojanVerdict::Accepted(_) | TrojanVerdict::Rejected)
    }
}
