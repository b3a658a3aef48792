//! Messages that were replaced: following the path of their receiver, and judging what it makes of them.

use std::sync::Arc;
use std::sync::atomic::Ordering;

use everett_base::hash::Map;
use everett_expr::{Pool, TermId};
use everett_interp::{
    Bug, BugKind, PathEnding, ProgramId, Redundancy, Reg, RunPause, Sibling, SiblingCourse, Stop,
    byte_count,
};
use everett_memory::ByteValue;
use everett_posix::Guest;
use everett_solver::{PathCondition, SolverChain};
use everett_trojan::{
    ClassKey, Coverage, ReceiverState, SearchLimits, TrojanClasses, TrojanSearch,
};
use everett_world::StateId;

use super::Worker;
use crate::api::report::PathOutcome;
use crate::api::trojan::TrojanEffect;
use crate::programs::places;
use crate::state::node_state::{NodeState, PathState};
use crate::state::trojan::{AcceptingStack, AskedSenders, FollowedPath, TrojanMark, TrojanVerdict};
use crate::trojans::{TrojanHunt, TrojanPhase};

/// The function by which a program says that it accepts a message.
const ACCEPT: &str = "everett_accept";

/// A worker's search for Trojan messages: what it has learnt about senders.
#[derive(Default)]
pub(super) struct WorkerTrojans {
    /// The message that the current state has just accepted.
    accepted: Option<AcceptedMessage>,
    searches: Map<u32, TrojanSearch>,
    /// Programs that say themselves what they accept.
    says_itself: Map<ProgramId, bool>,
}

/// A message that a state has accepted and that no sender can send.
struct AcceptedMessage {
    at: AcceptingStack,
    mark: Arc<TrojanMark>,
    classes: TrojanClasses,
    effect: TrojanEffect,
}

/// What a receiver does when it is judged.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum JudgedMoment {
    /// It waits.
    Waits,
    /// It exits: with status 0 if this condition holds.
    Exits(TermId),
    /// It has come to a bug.
    Fails,
}

impl WorkerTrojans {
    fn search(&mut self, hunt: &TrojanHunt, senders: u32) -> &mut TrojanSearch {
        self.searches.entry(senders).or_insert_with(|| {
            let limits = SearchLimits { counts: true, ..SearchLimits::default() };
            TrojanSearch::new(hunt.sender_set(senders), limits)
        })
    }

    /// The conditions of a state on the message, as of now. With `asks`, they are compared with what senders
    /// can send.
    fn receiver(
        &mut self,
        hunt: &TrojanHunt,
        pool: &Pool,
        solver: &mut SolverChain,
        st: &PathState,
        asks: bool,
    ) -> Result<ReceiverState, Stop> {
        let mark = st.extra.links().trojan.as_ref().expect("a message was replaced");
        let search = self.search(hunt, mark.senders);
        let (mut receiver, known) = match &mark.followed.receiver {
            Some(receiver) => (receiver.clone(), mark.followed.known),
            None => (search.receive(mark.length), 0),
        };
        let new: Vec<TermId> = st.path.constraints().take(st.path.len() - known).collect();
        for condition in new.into_iter().rev() {
            search.assume_unasked(pool, &mut receiver, condition);
        }
        if asks {
            search.cover(pool, solver, &mut receiver)?;
        }
        Ok(receiver)
    }
}

impl Worker<'_, '_> {
    /// The search for Trojan messages, once messages are replaced.
    fn hunt(&self) -> Option<&TrojanHunt> {
        match &self.context.trojans {
            Some(TrojanPhase::Replaces(hunt)) => Some(hunt),
            _ => None,
        }
    }

    /// Ends those of the states that a state has branched into of which all messages can be sent.
    pub(super) fn prune_sendable(&mut self, siblings: &mut [Sibling<NodeState>]) {
        let Some(hunt) = self.hunt() else { return };
        let is_new = |sibling: &&Sibling<NodeState>| {
            let mark = sibling.state.extra.links().trojan.as_ref();
            sibling.state.extra.due.is_some()
                && mark.is_some_and(|mark| mark.is_open() && mark.followed.asked.is_none())
        };
        let new = siblings.iter().filter(is_new).count() as u64;
        hunt.counts.replaced.fetch_add(new, Ordering::Relaxed);
        for sibling in siblings {
            let is_over = matches!(sibling.course, SiblingCourse::Ended(_));
            if !is_over && self.is_sendable(&mut sibling.state) {
                sibling.course = SiblingCourse::Ended(PathEnding::Redundant(Redundancy::Sendable));
            }
        }
    }

    /// Returns `true` if some sender can send each message that leads a state to where it is.
    fn is_sendable(&mut self, st: &mut PathState) -> bool {
        let Some(TrojanPhase::Replaces(hunt)) = &self.context.trojans else { return false };
        let known = st.path.len();
        let is_behind = |mark: &TrojanMark| {
            mark.is_open() && mark.followed.asked.is_none_or(|asked| asked.is_long_ago(known))
        };
        let mark = st.extra.links().trojan.as_ref();
        if !hunt.options.prunes || !mark.is_some_and(|mark| is_behind(mark)) {
            return false;
        }
        let (pool, solver) = (self.context.pool, self.executor.solver());
        let Ok(receiver) = self.trojans.receiver(hunt, pool, solver, st, true) else {
            // Without an answer the state goes on.
            return false;
        };
        let is_sendable = receiver.coverage() == Coverage::Covered;
        if let Some(mark) = st.extra.trojan_mut() {
            let at_first = mark.followed.asked.map_or(known, |asked| asked.at_first);
            let asked = Some(AskedSenders { at_first, at_last: known });
            mark.followed = FollowedPath { receiver: Some(receiver), known, asked };
        }
        hunt.counts.pruned.fetch_add(u64::from(is_sendable), Ordering::Relaxed);
        is_sendable
    }

    /// The pause of a state, once it is known what it makes of a message that was replaced.
    pub(super) fn judged(
        &mut self,
        st: &mut PathState,
        pause: Result<RunPause, Stop>,
    ) -> Result<RunPause, Stop> {
        let Some(mark) = st.extra.links().trojan.clone().filter(|mark| mark.is_open()) else {
            return pause;
        };
        let moment = match &pause {
            Ok(RunPause::Idle) if self.is_unread(st, &mark) => return pause,
            Ok(RunPause::Idle) => JudgedMoment::Waits,
            Ok(RunPause::End(PathEnding::Exit(code))) => {
                JudgedMoment::Exits(is_zero(self.context.pool, *code))
            }
            Ok(RunPause::End(_)) | Err(_) => return pause,
            Ok(_) if self.is_sendable(st) => {
                return Ok(RunPause::End(PathEnding::Redundant(Redundancy::Sendable)));
            }
            Ok(_) => return pause,
        };
        match self.judge(st, mark, moment)? {
            Some(why) => Ok(RunPause::End(PathEnding::Redundant(why))),
            None => pause,
        }
    }

    /// Judges a state that has come to a bug after a message was replaced. Returns why its path ends without
    /// a finding, if it does: some sender can send all messages that lead there.
    pub(super) fn judge_failed(
        &mut self,
        mut st: Box<PathState>,
    ) -> (Box<PathState>, Option<Redundancy>) {
        let Some(mark) = st.extra.links().trojan.clone().filter(|mark| mark.is_open()) else {
            return (st, None);
        };
        // Without an answer of the solver the bug is one all the same.
        let why = self.judge(&mut st, mark, JudgedMoment::Fails).unwrap_or(None);
        (self.tell_accepted(st), why)
    }

    /// Judges what a state makes of a message. Returns why its path ends, if it does: it has rejected the
    /// message, or some sender can send all that it accepts.
    fn judge(
        &mut self,
        st: &mut PathState,
        mark: Arc<TrojanMark>,
        moment: JudgedMoment,
    ) -> Result<Option<Redundancy>, Stop> {
        let at = self.accepting_stack(st, &mark, moment);
        let Some(TrojanPhase::Replaces(hunt)) = &self.context.trojans else {
            return self.judge_test(st, mark, moment, at);
        };
        let (pool, solver) = (self.context.pool, self.executor.solver());
        let is_only = hunt.options.only_replaced;
        let at = match (at, moment) {
            // Of an exit that succeeds for some messages, these are followed if others need not be.
            (Some(at), JudgedMoment::Exits(succeeds)) if mark.accepts_by_end() => {
                let is_followed = is_only || pool.as_const(succeeds).is_some();
                (is_followed && st.path.assume(solver, pool, succeeds)?).then_some(at)
            }
            (at, _) => at,
        };
        if at.is_none() {
            hunt.counts.rejected.fetch_add(1, Ordering::Relaxed);
        }
        if at.is_none() && is_only {
            return Ok(Some(Redundancy::Rejected));
        }
        let receiver = self.trojans.receiver(hunt, pool, solver, st, false)?;
        let search = self.trojans.search(hunt, mark.senders);
        let Some(classes) = leave_trojans(pool, solver, search, st, &receiver)? else {
            return Ok(Some(Redundancy::Sendable));
        };
        let verdict = at.clone().map_or(TrojanVerdict::Rejected, TrojanVerdict::Accepted);
        if let Some(mark) = st.extra.trojan_mut() {
            mark.verdict = verdict;
        }
        let Some(at) = at else { return Ok(None) };
        hunt.counts.accepted.fetch_add(1, Ordering::Relaxed);
        let effect = match moment {
            JudgedMoment::Fails => TrojanEffect::Crash,
            _ if mark.has_sent => TrojanEffect::Answer,
            _ => TrojanEffect::Silent,
        };
        self.trojans.accepted = Some(AcceptedMessage { at, mark, classes, effect });
        Ok(None)
    }

    /// Judges what a state makes of the message of a test: the test says whether a sender can send it.
    fn judge_test(
        &mut self,
        st: &mut PathState,
        mark: Arc<TrojanMark>,
        moment: JudgedMoment,
        at: Option<AcceptingStack>,
    ) -> Result<Option<Redundancy>, Stop> {
        let Some(at) = at.filter(|_| moment != JudgedMoment::Fails) else { return Ok(None) };
        if let Some(mark) = st.extra.trojan_mut() {
            mark.verdict = TrojanVerdict::Accepted(at.clone());
        }
        let (classes, effect) = (TrojanClasses::default(), TrojanEffect::Silent);
        self.trojans.accepted = Some(AcceptedMessage { at, mark, classes, effect });
        Ok(None)
    }

    /// Tells of the message that a state has just accepted, if it has.
    pub(super) fn tell_accepted(&mut self, mut st: Box<PathState>) -> Box<PathState> {
        let Some(AcceptedMessage { at, mark, classes, effect }) = self.trojans.accepted.take()
        else {
            return st;
        };
        let (id, pool) = (st.extra.id, self.context.pool);
        let is_reported = st.extra.node().faults().config().network.trojan_accepted
            && effect != TrojanEffect::Crash;
        let Some(TrojanPhase::Replaces(hunt)) = &self.context.trojans else {
            if is_reported {
                self.park(st);
                self.tell_trojan(id, &mark, &at, &[]);
                st = self.states.remove(id).expect("just put there");
            }
            return st;
        };
        let place = at.place();
        // A class counts if one of its messages can come in a world.
        let (mut in_worlds, path) = (classes.clone(), st.path.clone());
        in_worlds.classes.clear();
        for class in &classes.classes {
            let solver = self.executor.solver();
            let message = is_message(pool, &mark, &class.example);
            if !matches!(st.path.assume(solver, pool, message), Ok(true)) {
                in_worlds.is_complete = false;
                continue;
            }
            self.park(st);
            let key =
                ClassKey { place: place.clone(), length: mark.length, core: class.core.clone() };
            if self.world_with(id).is_some() {
                in_worlds.classes.push(class.clone());
                hunt.express(key.clone(), || smtlib(pool, &path));
                if is_reported && !hunt.is_told(&key) {
                    let finding = self.tell_trojan(id, &mark, &at, &class.core);
                    finding.into_iter().for_each(|finding| hunt.told(key.clone(), finding));
                }
            }
            st = self.states.remove(id).expect("just put there");
            st.path = path.clone();
        }
        hunt.book(&place, mark.length, &in_worlds, effect);
        st
    }

    /// Reports a message that a state accepts, and returns the number of the finding.
    fn tell_trojan(
        &mut self,
        id: StateId,
        mark: &TrojanMark,
        at: &AcceptingStack,
        core: &[u32],
    ) -> Option<u32> {
        let world = self.world_with(id)?;
        let is_certain = self.hunt().is_none_or(|hunt| hunt.is_explored_to_end());
        let senders = if is_certain { "no sender can send" } else { "was not seen from a sender" };
        let length = byte_count(mark.length.into());
        let mut message = format!("a message of {length} is accepted that {senders}");
        if !core.is_empty() {
            let offsets: Vec<String> = core.iter().map(u32::to_string).collect();
            let noun = if core.len() == 1 { "byte" } else { "bytes" };
            message += &format!(": {noun} {}", offsets.join(", "));
        }
        let before = self.states.get(id)?.extra.outcome.clone();
        self.found(id, Bug::new(BugKind::Trojan, message), Some(at.stack.clone()), &world);
        let st = self.states.get_mut(id)?;
        let outcome = std::mem::replace(&mut st.extra.outcome, before);
        match outcome.as_deref() {
            Some(PathOutcome::Finding(number)) => Some(*number),
            _ => None,
        }
    }

    /// Returns `true` if no program has read all of a message.
    fn is_unread(&self, st: &PathState, mark: &TrojanMark) -> bool {
        let pool = self.context.pool;
        st.extra.node().has_unread(&|byte: &ByteValue| match byte {
            ByteValue::Concrete(_) => false,
            ByteValue::Symbolic(term) => {
                let mut vars = pool.support(*term).iter();
                vars.any(|var| Some(pool.var_owner(var).0) == mark.message)
            }
        })
    }

    /// Where a state has accepted a message, if it has.
    fn accepting_stack(
        &mut self,
        st: &PathState,
        mark: &TrojanMark,
        moment: JudgedMoment,
    ) -> Option<AcceptingStack> {
        let images = self.context.images;
        let here = || {
            let stack = places::stack(&images.image(st.program).program, &st.stack);
            AcceptingStack { node: st.extra.of, stack }
        };
        if moment == JudgedMoment::Fails {
            return Some(here());
        }
        match &mark.verdict {
            TrojanVerdict::Rejects | TrojanVerdict::Rejected => return None,
            TrojanVerdict::Accepts(at) | TrojanVerdict::Accepted(at) => return Some(at.clone()),
            TrojanVerdict::Open => {}
        }
        let network = &st.extra.node().faults().config().network;
        if network.trojan_accept_at.is_some() || self.says_itself(st.program) {
            return None;
        }
        match (&mark.effect, moment) {
            (Some((_, at)), _) => Some(at.clone()),
            (None, JudgedMoment::Exits(succeeds)) => {
                (self.context.pool.as_const(succeeds) != Some(0)).then(here)
            }
            (None, _) => None,
        }
    }

    /// Returns `true` if a program says itself what it accepts.
    fn says_itself(&mut self, program: ProgramId) -> bool {
        let images = self.context.images;
        *self.trojans.says_itself.entry(program).or_insert_with(|| {
            let functions = &images.image(program).program.functions;
            functions.iter().any(|function| function.name == ACCEPT)
        })
    }

    /// Notes what a Trojan message has done in a world, and the finding that tells of it.
    pub(super) fn note_effect(
        &mut self,
        world: &[StateId],
        effect: TrojanEffect,
        finding: Option<u32>,
    ) {
        let Some(TrojanPhase::Replaces(hunt)) = &self.context.trojans else { return };
        for id in world {
            let Some(st) = self.states.get(*id) else { continue };
            let Some(mark) = st.extra.links().trojan.clone() else { continue };
            let TrojanVerdict::Accepted(at) = &mark.verdict else { continue };
            let (pool, solver) = (self.context.pool, self.executor.solver());
            let receiver = self.trojans.receiver(hunt, pool, solver, st, false);
            let search = self.trojans.search(hunt, mark.senders);
            let classes =
                receiver.and_then(|receiver| Ok(search.classes(pool, solver, &receiver)?));
            match classes {
                Ok(classes) => hunt.raise(&at.place(), mark.length, &classes, effect, finding),
                // Which classes do it stays open.
                Err(_) => drop(hunt.counts.undecided.fetch_add(1, Ordering::Relaxed)),
            }
        }
    }

    /// Notes that a node exits with a status, and whether only a Trojan message makes it do so.
    pub(super) fn note_other_end(&mut self, st: Box<PathState>, status: u64) -> Box<PathState> {
        let (id, node) = (st.extra.id, st.extra.of);
        match &self.context.trojans {
            Some(TrojanPhase::Collects(collector)) => collector.note_end(node, status),
            Some(TrojanPhase::Replaces(hunt))
                if st.extra.links().trojan.is_none() && !hunt.is_known_end(node, status) =>
            {
                self.park(st);
                if let Some(world) = self.world_with(id) {
                    self.note_effect(&world, TrojanEffect::OtherEnd, None);
                }
                return self.states.remove(id).expect("just put there");
            }
            _ => {}
        }
        st
    }

    /// Returns `true` if a world is not looked at, since no message was replaced in it.
    pub(super) fn is_passed_over(&self, world: &[StateId]) -> bool {
        let is_replaced =
            |id: &StateId| self.states.get(*id).is_some_and(|st| st.extra.links().trojan.is_some());
        self.hunt().is_some_and(|hunt| hunt.options.only_replaced) && !world.iter().any(is_replaced)
    }

    /// Notes the messages that a state sends: so many that are in its history, and those that it has not come
    /// to send.
    pub(super) fn collect_sent(&self, st: &PathState, count: usize) {
        if let Some(TrojanPhase::Collects(collector)) = &self.context.trojans {
            collector.collect(self.context.pool, st, count);
        }
    }
}

/// Leaves a state those messages that no sender can send, and returns their classes; `None` if there are none
/// for certain.
fn leave_trojans(
    pool: &Pool,
    solver: &mut SolverChain,
    search: &mut TrojanSearch,
    st: &mut PathState,
    receiver: &ReceiverState,
) -> Result<Option<TrojanClasses>, Stop> {
    let classes = search.classes(pool, solver, receiver)?;
    let (Some(first), Some(mark)) = (classes.classes.first(), st.extra.links().trojan.clone())
    else {
        return Ok((!classes.is_complete).then_some(classes));
    };
    // One message stands for the others where they cannot be described.
    let all = search.ungenerable(pool, receiver);
    let rest = all.unwrap_or_else(|| is_message(pool, &mark, &first.example));
    Ok(st.path.assume(solver, pool, rest)?.then_some(classes))
}

/// The condition of a path, in SMT-LIB.
fn smtlib(pool: &Pool, path: &PathCondition) -> String {
    let mut conditions: Vec<TermId> = path.constraints().collect();
    conditions.reverse();
    pool.smtlib(&conditions)
}

/// The condition that the status of an exit is 0.
fn is_zero(pool: &Pool, code: Reg) -> TermId {
    match code.term() {
        None => pool.bool(code.bits() == 0),
        Some(term) => pool.eq(term, pool.constant(pool.width(term), 0)),
    }
}

/// The condition that a message has these bytes.
fn is_message(pool: &Pool, mark: &TrojanMark, bytes: &[u8]) -> TermId {
    let Some(message) = mark.message else { return pool.bool(true) };
    let bytes = (0..)
        .zip(bytes)
        .map(|(at, value)| pool.eq(pool.byte(message, at), pool.constant(8, u64::from(*value))));
    bytes.fold(pool.bool(true), |all, byte| pool.and(all, byte))
}
