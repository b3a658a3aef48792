//! The faults of a node: [`NodeFaults`], those that have happened on its path and those that still may.
//!
//! Not here: where faults are offered, and what they do (`crate::fault`); which may happen (`crate::config`).

pub(crate) mod crash_marks;
pub(crate) mod decision;
pub(crate) mod messages;

use std::sync::Arc;

use everett_base::plist::List;
use everett_base::{Apart, Copies, Stamp, shares_nothing};
use everett_fs::InodeId;
use everett_interp::ProgramId;
use everett_ir::Pc;
use smallvec::SmallVec;

use self::crash_marks::{CrashMarks, WrittenRange};
use self::decision::FaultDecision;
use self::messages::{ChosenLatency, HeldMessage, MessageDelay, MessageFates};
use crate::config::{FAULT_KIND_COUNT, FaultBudgets, FaultConfig, FaultKind, LinkBudget};
use crate::state::ids::Time;
use crate::state::process::rare::Rare;

/// A fault that has happened.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TakenFault {
    /// The decision.
    pub decision: FaultDecision,
    /// Virtual time of the node in nanoseconds.
    pub time_ns: u64,
    /// The words for it, for people: `read of descriptor 3 fails with EIO`.
    pub what: Arc<str>,
    /// The program's own operation that it happened to, if it did to one.
    pub place: Option<(ProgramId, Pc)>,
    /// The budgets of links that it counts for: bits by their numbers.
    pub links: u32,
}

everett_base::portable!(struct TakenFault { decision, time_ns, what, place, links });

/// A point that a survey has passed, with what could have happened there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PassedPoint {
    /// Of this kind.
    pub kind: FaultKind,
    /// The how-manieth of its kind.
    pub point: u64,
    /// The alternatives, and what happens with each, for people.
    pub choices: Vec<(u32, Arc<str>)>,
    /// The program's own operation that it would happen to, if it would to one.
    pub place: Option<(ProgramId, Pc)>,
    /// The moment at which the node was woken that came there.
    pub at: Stamp,
}

everett_base::portable!(struct PassedPoint { kind, point, choices, place, at });

/// The faults of a node: those that have happened, and those that still may.
#[derive(Clone, Debug)]
pub struct NodeFaults {
    /// Kinds with a budget left or a place in the plan.
    open: u32,
    /// True if there ever was a budget or a plan.
    used: bool,
    /// Budgets of links that are spent in the world: bits by their numbers.
    spent_links: u32,
    book: Arc<FaultBook>,
    /// True if the program has ever read the real time.
    pub(crate) clock_was_read: bool,
    /// Messages that are held up, in the order in which they came.
    pub(crate) held: Vec<HeldMessage>,
    /// The latencies of ways that have several.
    pub(crate) latencies: Vec<ChosenLatency>,
    pub(crate) since_boot: FaultsSinceBoot,
}

everett_base::portable!(struct NodeFaults {
    open, used, spent_links, book, clock_was_read, held, latencies, since_boot,
});

/// The faults of a machine since it was booted. A crash replaces it as a whole.
#[derive(Clone, Debug)]
pub(crate) struct FaultsSinceBoot {
    /// The program wants faults now.
    on: bool,
    /// The last write to a file, if nobody has looked at it since.
    pub(crate) written: Option<WrittenRange>,
    /// The file that is to be synced before the call in progress returns.
    pub(crate) sync_due: Option<InodeId>,
    /// The outcomes of arrivals that are about to be delivered.
    pub(crate) fates: Rare<MessageFates>,
}

everett_base::portable!(struct FaultsSinceBoot { on, written, sync_due, fates });

impl Default for FaultsSinceBoot {
    fn default() -> FaultsSinceBoot {
        FaultsSinceBoot { on: true, written: None, sync_due: None, fates: Rare::default() }
    }
}

impl Apart for NodeFaults {
    fn apart(&mut self, copies: &mut Copies) {
        let NodeFaults {
            open: _,
            used: _,
            spent_links: _,
            book,
            clock_was_read: _,
            held: _,
            latencies: _,
            since_boot: _,
        } = self;
        book.apart(copies);
    }
}

impl Apart for FaultBook {
    fn apart(&mut self, copies: &mut Copies) {
        let FaultBook {
            config,
            left: _,
            points: _,
            counts: _,
            taken,
            plan: _,
            is_survey: _,
            passed: _,
            marks: _,
        } = self;
        config.apart(copies);
        taken.apart(copies);
    }
}

shares_nothing!(FaultConfig);

/// The part of a node's faults that changes only when there are some.
#[derive(Clone, Debug)]
struct FaultBook {
    config: Arc<FaultConfig>,
    left: FaultBudgets,
    /// Points so far, by kind.
    points: [u64; FAULT_KIND_COUNT],
    /// The number of times that each kind has happened.
    counts: [u32; FAULT_KIND_COUNT],
    /// Newest first.
    taken: List<TakenFault>,
    /// The faults to make happen, instead of exploring any.
    plan: Option<Arc<[FaultDecision]>>,
    /// True if points are written down, and nothing but the plan happens at any of them.
    is_survey: bool,
    /// Those points, newest first.
    passed: List<PassedPoint>,
    /// The memory of the last offer of a crash.
    marks: CrashMarks,
}

everett_base::portable!(struct FaultBook {
    config, left, points, counts, taken, plan, is_survey, passed, marks,
});

impl NodeFaults {
    pub(crate) fn new(config: &FaultConfig) -> NodeFaults {
        let left = config.budgets;
        let of_links = config.network.links.iter().fold(0, |set, link| set | link.kind.bit());
        let open = left.kinds() | of_links;
        NodeFaults {
            open,
            used: open != 0,
            spent_links: 0,
            book: Arc::new(FaultBook {
                config: Arc::new(config.clone()),
                left,
                points: [0; FAULT_KIND_COUNT],
                counts: [0; FAULT_KIND_COUNT],
                taken: List::new(),
                plan: None,
                is_survey: false,
                passed: List::new(),
                marks: CrashMarks::default(),
            }),
            clock_was_read: false,
            held: Vec::new(),
            latencies: Vec::new(),
            since_boot: FaultsSinceBoot::default(),
        }
    }

    /// Returns true if a fault of this kind may happen now, on this path.
    #[inline]
    pub fn is_possible(&self, kind: FaultKind) -> bool {
        self.is_one_possible(kind.bit())
    }

    /// The same for a set of kinds.
    #[inline]
    pub(crate) fn is_one_possible(&self, kinds: u32) -> bool {
        self.open & kinds != 0 && self.since_boot.on
    }

    /// Returns true if a kind has a budget left or a place in the plan, whether or not the program wants
    /// faults now.
    fn is_open(&self, kind: FaultKind) -> bool {
        self.open & kind.bit() != 0
    }

    /// Returns true if faults of a kind may have happened, or still may.
    #[inline]
    pub(crate) fn may_be_of(&self, kind: FaultKind) -> bool {
        self.used && (self.is_open(kind) || self.book.config.budgets.get(kind) > 0)
    }

    /// Returns true if the network may break apart.
    #[inline]
    pub fn can_sever(&self) -> bool {
        self.is_one_possible(FaultKind::Partition.bit() | FaultKind::LinkDown.bit())
    }

    /// Returns true if there ever was a budget or a plan.
    #[inline]
    pub fn are_used(&self) -> bool {
        self.used
    }

    /// The looks of the faults.
    pub fn config(&self) -> &FaultConfig {
        &self.book.config
    }

    /// Lets faults happen from now on, or none; says whether they could before.
    pub fn switch(&mut self, on: bool) -> bool {
        std::mem::replace(&mut self.since_boot.on, on)
    }

    /// Sets the faults to make happen, instead of exploring any.
    pub fn set_plan(&mut self, decisions: Vec<FaultDecision>) {
        self.open = decisions.iter().fold(0, |set, decision| set | decision.kind.bit());
        self.used = !decisions.is_empty();
        Arc::make_mut(&mut self.book).plan = Some(decisions.into());
    }

    /// Lets no more faults of a kind happen on this path, as there were enough elsewhere. A plan is not
    /// changed.
    pub fn rule_out(&mut self, kind: FaultKind) {
        if self.book.plan.is_none() {
            self.open &= !kind.bit();
        }
    }

    /// The number of times that something has happened on this path that counts for the budget of a link.
    pub fn count_on(&self, link: &LinkBudget) -> u32 {
        let links = &self.book.config.network.links;
        let Some(number) = links.iter().position(|own| own == link) else { return 0 };
        self.book.taken.iter().filter(|taken| taken.links & 1 << number != 0).count() as u32
    }

    /// Lets no more happen on this path that counts for the budget of a link. A plan is not changed.
    pub fn rule_out_on(&mut self, link: &LinkBudget) {
        let links = &self.book.config.network.links;
        if let (Some(number), None) = (links.iter().position(|own| own == link), &self.book.plan) {
            self.spent_links |= 1 << number;
        }
    }

    /// Returns true if each of these budgets of links has something left.
    pub(crate) fn has_left(&self, links: u32) -> bool {
        let is_left = |(number, link): (usize, &LinkBudget)| {
            links & 1 << number == 0 || self.count_on(link) < link.most
        };
        let all = &self.book.config.network.links;
        links & self.spent_links == 0 && (links == 0 || all.iter().enumerate().all(is_left))
    }

    /// Returns true if a datagram was to come behind later ones, of which there were not enough in time:
    /// that is the order without it.
    pub(crate) fn waits_in_vain(&self, now: Time) -> bool {
        let is_behind = |held: &HeldMessage| matches!(held.incoming.delay, MessageDelay::Behind(_));
        self.held.iter().any(|held| held.due <= now && is_behind(held))
    }

    /// Lets ways from other hosts have one of several latencies.
    pub(crate) fn allow_latencies(&mut self) {
        (self.open, self.used) = (self.open | FaultKind::Latency.bit(), true);
    }

    /// Returns true if latencies are to be chosen, whether or not the program wants faults.
    pub(crate) fn chooses_latencies(&self) -> bool {
        self.is_open(FaultKind::Latency)
    }

    /// Lets reads from a file that the program has chosen give less than there is.
    pub(crate) fn allow_pieces(&mut self) {
        if !self.has_plan() {
            (self.open, self.used) = (self.open | FaultKind::Piece.bit(), true);
        }
    }

    /// Lets these happen and nothing else, and writes down where something could have: see
    /// [`NodeFaults::passed`]. What the world decides, or a rule, is not among it, and happens only where it
    /// is among the decisions.
    pub fn survey(&mut self, decisions: Vec<FaultDecision>) {
        let planned = decisions.iter().fold(0, |set, decision| set | decision.kind.bit());
        self.open &= !(FaultKind::Partition.bit()
            | FaultKind::LinkDown.bit()
            | FaultKind::WouldBlock.bit()
            | FaultKind::SelectFail.bit());
        self.open |= planned;
        self.used |= planned != 0;
        let book = Arc::make_mut(&mut self.book);
        book.plan = Some(decisions.into());
        book.is_survey = true;
    }

    /// The points that a survey has passed, oldest first.
    pub fn passed(&self) -> Vec<PassedPoint> {
        let mut passed: Vec<PassedPoint> = self.book.passed.iter().cloned().collect();
        passed.reverse();
        passed
    }

    /// Returns true if a plan says what happens; a survey offers what exploration would.
    pub(crate) fn has_plan(&self) -> bool {
        self.book.plan.is_some() && !self.book.is_survey
    }

    /// Returns true if points are written down, and nothing but the plan happens at any of them.
    pub(crate) fn is_survey(&self) -> bool {
        self.book.is_survey
    }

    /// Writes a point down that a survey passes.
    pub(crate) fn pass(&mut self, passed: PassedPoint) {
        Arc::make_mut(&mut self.book).passed.push(passed);
    }

    /// The number of faults that have happened on this path.
    pub fn total(&self) -> u32 {
        self.book.counts.iter().sum()
    }

    /// The number of times that a kind has happened on this path.
    pub fn count(&self, kind: FaultKind) -> u32 {
        self.book.counts[kind as usize]
    }

    /// The faults that have happened on this path, oldest first.
    pub fn taken(&self) -> Vec<TakenFault> {
        let mut taken: Vec<TakenFault> = self.book.taken.iter().cloned().collect();
        taken.reverse();
        taken
    }

    /// Places so far where a kind was possible.
    pub(crate) fn points(&self, kind: FaultKind) -> u64 {
        self.book.points[kind as usize]
    }

    /// One more place where a kind is possible: its number.
    pub(crate) fn reach(&mut self, kind: FaultKind) -> u64 {
        let point = &mut Arc::make_mut(&mut self.book).points[kind as usize];
        *point += 1;
        *point
    }

    /// Has been at all points that another path has, which has gone further.
    pub(crate) fn catch_up(&mut self, other: &NodeFaults) {
        Arc::make_mut(&mut self.book).points = other.book.points;
    }

    /// The memory of the last offer of a crash.
    pub(crate) fn marks(&self) -> &CrashMarks {
        &self.book.marks
    }

    /// The same, to change it.
    pub(crate) fn marks_mut(&mut self) -> &mut CrashMarks {
        &mut Arc::make_mut(&mut self.book).marks
    }

    /// The node has crashed: all of its files are durable, and nobody has asked for faults to be off.
    pub(crate) fn crashed(&mut self) {
        *self.marks_mut() = CrashMarks::default();
        self.since_boot = FaultsSinceBoot::default();
    }

    /// The choice of the plan at a point; `None` if there is no plan.
    pub(crate) fn planned(&self, kind: FaultKind, point: u64) -> Option<u32> {
        let plan = self.book.plan.as_ref()?;
        let here = plan.iter().find(|decision| (decision.kind, decision.point) == (kind, point));
        Some(here.map_or(0, |decision| decision.choice))
    }

    /// Records that something has happened.
    pub(crate) fn take(&mut self, taken: TakenFault) {
        let decision = taken.decision;
        let kind = decision.kind;
        let book = Arc::make_mut(&mut self.book);
        book.points[kind as usize] = decision.point;
        book.counts[kind as usize] += 1;
        book.taken.push(taken);
        let more = match &book.plan {
            _ if book.is_survey => true,
            Some(plan) => plan.iter().any(|next| next.kind == kind && next.point > decision.point),
            None if kind.is_of_world() || kind == FaultKind::Piece => true,
            // It has budgets of links only.
            None if book.config.budgets.get(kind) == 0 => true,
            None => {
                book.left.spend(kind);
                book.left.get(kind) > 0
            }
        };
        if !more {
            self.open &= !kind.bit();
        }
    }
}

/// An answer to a question of a system call that is executed again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct FaultAnswer {
    pub(crate) kind: FaultKind,
    /// The how-manieth question of this kind it was, in one execution of the call.
    pub(crate) number: u8,
    pub(crate) choice: u32,
}

everett_base::portable!(struct FaultAnswer { kind, number, choice });

/// The answers of a call in progress.
pub(crate) type FaultAnswers = SmallVec<[FaultAnswer; 2]>;

/// The number of times that faults were possible, and happened, on all paths together.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FaultCounts {
    offered: [u64; FAULT_KIND_COUNT],
    taken: [u64; FAULT_KIND_COUNT],
}

everett_base::portable!(struct FaultCounts { offered, taken });

impl FaultCounts {
    /// Places where a kind was offered, on each path.
    pub fn offered(&self, kind: FaultKind) -> u64 {
        self.offered[kind as usize]
    }

    /// Times that it happened.
    pub fn taken(&self, kind: FaultKind) -> u64 {
        self.taken[kind as usize]
    }

    /// Counts one more place where a kind was offered.
    pub(crate) fn count_offered(&mut self, kind: FaultKind) {
        self.offered[kind as usize] += 1;
    }

    /// Counts one more time that a kind happened.
    pub(crate) fn count_taken(&mut self, kind: FaultKind) {
        self.taken[kind as usize] += 1;
    }

    /// The kinds that were offered or have happened, with how often.
    pub fn not_zero(&self) -> impl Iterator<Item = (FaultKind, u64, u64)> + '_ {
        let counts = |kind: &FaultKind| (*kind, self.offered(*kind), self.taken(*kind));
        FaultKind::ALL.iter().map(counts).filter(|(_, offered, taken)| offered + taken > 0)
    }

    /// How often a kind was offered, and has happened, to change it.
    pub fn of_mut(&mut self, kind: FaultKind) -> (&mut u64, &mut u64) {
        (&mut self.offered[kind as usize], &mut self.taken[kind as usize])
    }

    /// Adds what another one has counted.
    pub fn add(&mut self, other: &FaultCounts) {
        let FaultCounts { offered, taken } = other;
        self.offered.iter_mut().zip(offered).for_each(|(sum, more)| *sum += more);
        self.taken.iter_mut().zip(taken).for_each(|(sum, more)| *sum += more);
    }
}
