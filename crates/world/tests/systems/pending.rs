//! Messages that have come to a toy and that it has not seen, and the rule by which it comes to see
//! them in every order: [`PendingMessages`].
//!
//! Where a toy looks, it forks over the *views* that the look can have: the messages that it shows at
//! once. Instead, it may *hold* everything back that has come, which then is still on its way, until
//! another message has come. A view is chosen when the last of its messages has come, and at no other
//! time, so that each order is explored once. If nothing else comes, holding was no order of its own,
//! and the state ends as redundant.

use everett_world::{NextWake, Stamp};

use crate::bits::Bits;
use crate::program::{Look, Received, View};

/// The time at which a state wakes that holds messages back: everything that others do is over by then.
const LATE: u64 = 1 << 40;

/// The rule by which messages that were held back are seen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct HoldRule {
    pub(crate) scope: HoldScope,
    /// The most looks in vain that do not wait before a message has come.
    pub(crate) most_misses: u32,
    /// The most looks in a world with another result than in the fixed order.
    pub(crate) most_deviations: u32,
}

/// The looks that may show a message that has come later together with one that has come sooner.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum HoldScope {
    /// All looks may be later than they could be, so that they show what comes then, too.
    EveryLook,
    /// Looks that wait show what has come in one round, and others what has come by the round in which they
    /// are. This misses orders.
    OneRound,
}

impl HoldRule {
    /// The rule that gives all orders.
    pub(crate) const ALL: HoldRule =
        HoldRule { scope: HoldScope::EveryLook, most_misses: u32::MAX, most_deviations: u32::MAX };
}

/// The messages of a node that it has not seen, in the order in which they came.
#[derive(Clone, Debug)]
pub(crate) struct PendingMessages {
    rule: HoldRule,
    messages: Vec<PendingMessage>,
    /// True if the node waits for something else than what it holds back.
    is_holding: bool,
    /// True if it holds everything back until a deadline has passed.
    is_late: bool,
    /// What the look that the node is at can come to. The first one is that of the fixed order, unless
    /// that was left to another state.
    alternatives: Vec<Alternative>,
    /// True if the fixed order was left to another state.
    is_deviating: bool,
    deviations: u32,
}

#[derive(Clone, Debug)]
struct PendingMessage {
    from: u32,
    value: Bits,
    is_held: bool,
    misses: u32,
}

#[derive(Clone, Debug)]
enum Alternative {
    /// It shows the messages at these positions.
    See(Vec<usize>),
    /// Everything that has come is held back.
    Hold,
    /// Everything that has come is held back until the deadline of the look has passed.
    Late,
}

/// The result of a look.
pub(crate) enum LookResult {
    /// These messages are seen.
    Seen(View),
    /// There is more than one alternative, to be chosen with [`PendingMessages::choose`].
    Fork,
    /// The node waits.
    Wait(NextWake),
    /// The node has held messages back, and nothing else has come.
    Redundant,
}

impl PendingMessages {
    pub(crate) fn new(rule: HoldRule) -> PendingMessages {
        PendingMessages {
            rule,
            messages: Vec::new(),
            is_holding: false,
            is_late: false,
            alternatives: Vec::new(),
            is_deviating: false,
            deviations: 0,
        }
    }

    /// Adds messages that have come, by sender and order of sending.
    pub(crate) fn push(&mut self, received: &[Received]) {
        let message = |&(_, from, _, value): &Received| PendingMessage {
            from,
            value,
            is_held: false,
            misses: 0,
        };
        self.messages.extend(received.iter().map(message));
    }

    /// The number of times that a look had another result than in the fixed order.
    pub(crate) fn deviations(&self) -> u32 {
        self.deviations
    }

    /// True if it holds everything back until a deadline has passed.
    pub(crate) fn is_late(&self) -> bool {
        self.is_late
    }

    pub(crate) fn values(&self) -> impl Iterator<Item = &Bits> {
        self.messages.iter().map(|message| &message.value)
    }

    /// Says what becomes of a look now.
    pub(crate) fn look(&mut self, look: Look, now: Stamp) -> LookResult {
        if self.alternatives.is_empty() {
            self.alternatives = self.alternatives_of(look);
            if self.deviations >= self.rule.most_deviations {
                self.alternatives.truncate(1);
            }
        }
        if self.is_late && !self.alternatives.is_empty() {
            // Something else has come before the deadline.
            return LookResult::Redundant;
        }
        if let (Look::Until(deadline), true) = (look, self.alternatives.is_empty()) {
            return self.look_until(deadline, now);
        }
        match self.alternatives.len() {
            0 if self.is_holding && now.time >= LATE => LookResult::Redundant,
            0 if self.is_holding => LookResult::Wait(NextWake::At(LATE)),
            0 => LookResult::Wait(NextWake::Never),
            1 => self.follow(look),
            _ => LookResult::Fork,
        }
    }

    /// Says what becomes of a look with a deadline to which nothing has come, but for what it holds back.
    fn look_until(&mut self, deadline: u64, now: Stamp) -> LookResult {
        if now.time < deadline {
            return LookResult::Wait(NextWake::At(deadline));
        }
        if self.is_holding && !self.is_late {
            return LookResult::Redundant;
        }
        self.release();
        LookResult::Seen(Vec::new())
    }

    fn release(&mut self) {
        (self.is_holding, self.is_late) = (false, false);
        self.messages.iter_mut().for_each(|message| message.is_held = false);
    }

    /// Decides for the first alternative, or against it.
    pub(crate) fn choose(&mut self, first: bool) {
        if first {
            self.alternatives.truncate(1);
        } else {
            self.alternatives.remove(0);
            self.is_deviating = true;
        }
    }

    /// Follows the only alternative that is left.
    fn follow(&mut self, look: Look) -> LookResult {
        self.deviations += u32::from(std::mem::take(&mut self.is_deviating));
        let followed = self.alternatives.pop();
        let Some(Alternative::See(view)) = followed else {
            for message in &mut self.messages {
                message.is_held |= look.accepts(message.from);
            }
            (self.is_holding, self.is_late) = (true, matches!(followed, Some(Alternative::Late)));
            let until = if let Look::Until(deadline) = look { deadline } else { LATE };
            return LookResult::Wait(NextWake::At(until));
        };
        if look == Look::Try && (view.is_empty() || self.rule.scope == HoldScope::OneRound) {
            for at in self.heads(look).into_iter().filter(|at| !view.contains(at)) {
                self.messages[at].misses += 1;
            }
        }
        let mut seen: View =
            view.iter().map(|&at| (self.messages[at].from, self.messages[at].value)).collect();
        seen.sort_by_key(|(from, _)| *from);
        let mut at = 0;
        self.messages.retain(|_| {
            at += 1;
            !view.contains(&(at - 1))
        });
        self.release();
        LookResult::Seen(seen)
    }

    /// The positions of the first messages of each node that a look can show.
    fn heads(&self, look: Look) -> Vec<usize> {
        let is_first = |at: &usize| {
            let from = self.messages[*at].from;
            look.accepts(from) && self.messages[..*at].iter().all(|other| other.from != from)
        };
        (0..self.messages.len()).filter(is_first).collect()
    }

    /// The views of a look at all that has come, that of the fixed order first.
    fn views(&self, look: Look) -> Vec<Vec<usize>> {
        let heads = self.heads(look);
        match look {
            Look::Any | Look::Try | Look::Until(_) | Look::From(_) => {
                heads.into_iter().map(|head| vec![head]).collect()
            }
            Look::Poll => {
                let chosen = |mask: usize| {
                    let bits = heads.iter().enumerate().filter(move |(i, _)| mask >> i & 1 == 1);
                    bits.map(|(_, head)| *head).collect()
                };
                (1..1 << heads.len()).rev().map(chosen).collect()
            }
            Look::Read(node) => {
                let here: Vec<usize> =
                    (0..self.messages.len()).filter(|at| self.messages[*at].from == node).collect();
                (1..=here.len()).rev().map(|count| here[..count].to_vec()).collect()
            }
        }
    }

    fn alternatives_of(&self, look: Look) -> Vec<Alternative> {
        let every_look = self.rule.scope == HoldScope::EveryLook;
        let is_new = |at: &usize| !self.messages[*at].is_held;
        let is_due = |view: &Vec<usize>| {
            if every_look { view.iter().any(is_new) } else { view.iter().all(is_new) }
        };
        let views = self.views(look).into_iter().filter(is_due);
        let mut alternatives: Vec<Alternative> = views.map(Alternative::See).collect();
        if look == Look::Try {
            let is_overdue = |at: &usize| self.messages[*at].misses >= self.rule.most_misses;
            if !self.is_holding && !self.heads(look).iter().any(is_overdue) {
                alternatives.push(Alternative::See(Vec::new()));
            }
            if every_look && !alternatives.is_empty() {
                alternatives.push(Alternative::Hold);
            }
            return alternatives;
        }
        // Nothing that comes later can be seen before the first message of one node.
        let is_settled = every_look && matches!(look, Look::From(_));
        if !alternatives.is_empty() && !is_settled {
            alternatives.push(Alternative::Hold);
            alternatives.extend(matches!(look, Look::Until(_)).then_some(Alternative::Late));
        }
        alternatives
    }
}

impl Look {
    fn accepts(self, from: u32) -> bool {
        match self {
            Look::Any | Look::Try | Look::Until(_) | Look::Poll => true,
            Look::From(node) | Look::Read(node) => node == from,
        }
    }
}
