//! The fates of states: they wait, end, are found guilty, and leave their worlds.

use std::sync::Arc;

use everett_interp::{Bug, BugKind, Omission, PathEnding, Redundancy};
use everett_ir::GlobalId;
use everett_posix::{Guest, SharedMessage};
use everett_world::{RemovalReason, StateId, Universe, UniverseChange};

use super::Worker;
use crate::api::dropped::DropReason;
use crate::api::report::{IgnoredHow, PathOutcome, SourcePlace};
use crate::api::trojan::TrojanEffect;
use crate::parallel::shared_states::{EndKind, ShownBug};
use crate::programs::libc_names::is_of_c_library;
use crate::results::finding_writer::FindingWriter;
use crate::state::node_state::{DueActivation, PathState, StateRunner};
use crate::worlds::arrivals;
use crate::worlds::owner::EngineStateOwner;
use crate::worlds::state_table::StateTable;

impl<'a> Worker<'_, 'a> {
    /// Lets the set of worlds change, and does what follows from it.
    pub(crate) fn in_universe(
        &mut self,
        f: impl FnOnce(&mut Universe<SharedMessage>, &mut EngineStateOwner<'_, 'a>),
    ) {
        let (universe, mut owner) = self.owner();
        f(universe, &mut owner);
        self.follow_changes();
    }

    /// Does what follows from changes in the set of worlds.
    pub(crate) fn follow_changes(&mut self) {
        self.worlds.changes().into_iter().for_each(|change| self.follow(change));
        self.worlds.forget_notes();
    }

    fn follow(&mut self, change: UniverseChange<SharedMessage>) {
        match change {
            UniverseChange::Run { state, from, at, arrivals } => {
                self.rename_activated(state, at, &arrivals);
                let Some(st) = self.states.get_mut(state) else { return };
                st.extra.due = Some(Arc::new(DueActivation { at, arrivals }));
                if !st.extra.node().has_exited() {
                    // A deadlock is one of worlds in which it does not go on.
                    st.extra.outcome = None;
                }
                // One that goes on at once was not forgotten by the searcher.
                let known = self.schedule.stop_block(state);
                if !std::mem::replace(&mut st.extra.ready, true) && !known {
                    self.schedule.add(from, state);
                }
            }
            UniverseChange::Copied { state, from } => {
                let ready = self.states.get(state).is_some_and(|st| st.extra.ready);
                if ready {
                    self.schedule.add(Some(from), state);
                }
            }
            UniverseChange::Gone { state, why } => self.gone(state, why),
            UniverseChange::Deadlock { state, world } => {
                let Some(st) = self.states.get_mut(state) else { return };
                if !st.extra.is_shared || self.context.shared_states.is_found_first(state) {
                    let bug = everett_posix::stalled(self.context.images, st);
                    self.found(state, bug, None, &world);
                    self.note_found(state);
                }
            }
            UniverseChange::Noted { world, note } => self.violated(&world, note),
            UniverseChange::Final { members, stalled, .. } => {
                self.tell_end_of_steps(&members);
                self.write_worlds(members, &stalled);
            }
        }
    }

    /// A node has nothing to do: its events go out, and it waits.
    pub(crate) fn block(&mut self, mut st: Box<PathState>, shown: Option<ShownBug>) {
        let id = st.extra.id;
        let (next, sent) = arrivals::blocked(self.context, &mut st);
        let messages = sent.len() as u64;
        self.collect_sent(&st, sent.len());
        self.with_counters_of(st.extra.twin(), |counters| counters.events_sent += messages);
        let exited = st.extra.node().has_exited();
        // Copies that are made of it now are not ready either.
        let ready = std::mem::take(&mut st.extra.ready);
        self.schedule.begin_block(ready.then_some(id));
        self.lay_down(&mut st);
        let how = EndKind::Blocked { next, exited, sent };
        self.come_to_end(&mut st, &how, shown);
        self.states.insert(st);
        self.tell_end(id, how);
        self.schedule.end_block();
        let most = self.context.config.stop_after_messages;
        if most.is_some_and(|most| self.counters.events_sent >= most) {
            self.stop_here();
        }
    }

    /// Tells what all states do, and ends the run.
    pub(super) fn stop_here(&mut self) {
        if self.context.exchange.is_over() {
            return;
        }
        self.tell_and_halt(None);
    }

    /// The variable of the C library that is undefined and was accessed, if that is the bug.
    fn missing_variable(&self, st: &PathState, bug: &Bug) -> Option<String> {
        if bug.kind != BugKind::UndefinedVariable {
            return None;
        }
        let address = bug.objects.first()?.address;
        let image = self.context.images.image(st.program);
        let mut globals = (0..).map(GlobalId).zip(&image.program.globals);
        let (_, global) = globals.find(|(id, _)| image.global_address(*id) == address)?;
        is_of_c_library(&global.name).then(|| global.name.clone())
    }

    /// A path leaves its worlds without a finding.
    fn leave_as(&mut self, mut st: Box<PathState>, outcome: PathOutcome) {
        st.extra.outcome = Some(Arc::new(outcome));
        self.leave(st, None);
    }

    /// A path that the program ended.
    pub(crate) fn end(&mut self, mut st: Box<PathState>, ending: PathEnding) {
        if is_cut_short(&ending) {
            st = self.end_orders(st);
        }
        let ending = ending_that_counts(&st, ending);
        if let PathEnding::Bug(bug) = &ending
            && let Some(name) = self.missing_variable(&st, bug)
        {
            return self.give_up(st, DropReason::MissingSymbol(name));
        }
        let id = st.extra.id;
        match ending {
            PathEnding::Exit(code) => {
                // `close` evaluates a symbolic code, with the inputs of the path's test.
                let code = code.term().map_or(code.bits(), |_| 0);
                st.extra.outcome = Some(Arc::new(PathOutcome::Exit(code)));
                st = self.note_other_end(st, code);
                let mut shown = None;
                if let Some((bug, stack)) = self.leak(&mut st) {
                    let is_ours = matches!(st.extra.running, StateRunner::Ours(_));
                    self.park(st);
                    let world = self.world_with(id);
                    shown = is_ours.then(|| ShownBug {
                        bug: bug.clone(),
                        stack: Some(stack.clone()),
                        found: world.is_some(),
                    });
                    if let Some(world) = world {
                        self.found(id, bug, Some(stack), &world);
                    }
                    st = self.states.remove(id).expect("it is in a world");
                }
                if self.context.nodes().len() > 1 {
                    // The kernel goes on to answer; the program's memory is of no use any more.
                    self.states.keep_cache(&mut st.mem);
                    st.mem = self.context.images.memory(st.program);
                }
                self.block(st, shown);
            }
            PathEnding::Silent => self.leave_as(st, PathOutcome::Silent),
            PathEnding::Redundant(why) => {
                self.count_long_hold(&st);
                self.leave_as(st, PathOutcome::Redundant(why));
            }
            PathEnding::Bug(bug) => self.end_by_bug(st, *bug),
        }
    }

    /// A path that has come to a bug.
    fn end_by_bug(&mut self, st: Box<PathState>, bug: Bug) {
        let id = st.extra.id;
        self.collect_sent(&st, 0);
        let (st, sendable) = self.judge_failed(st);
        if let Some(why) = sendable {
            return self.leave_as(st, PathOutcome::Redundant(why));
        }
        let is_ours = matches!(st.extra.running, StateRunner::Ours(_));
        self.park(st);
        let world = self.world_with(id);
        let found = world.is_some();
        let shown = is_ours.then(|| ShownBug { bug: bug.clone(), stack: None, found });
        match world {
            Some(world) => self.found(id, bug, None, &world),
            None => {
                // A search that a limit has cut short says nothing.
                let halted = self.context.exchange.why_cut_off();
                let outcome = halted
                    .map_or(PathOutcome::Impossible, |halt| PathOutcome::Dropped(halt.reason()));
                self.set_outcome(id, outcome);
            }
        }
        let st = self.states.remove(id).expect("just put there");
        self.leave(st, shown);
    }

    /// The leak of a path that exits, unless it is ignored.
    fn leak(&mut self, st: &mut PathState) -> Option<(Bug, Vec<SourcePlace>)> {
        let (bug, stack) = self.writer().leak(st)?;
        if !self.writer().is_ignored(st, bug.kind, &stack) {
            return Some((bug, stack));
        }
        self.with_counters_of(st.extra.twin(), |counters| {
            counters.ignore(BugKind::Leak, &stack, IgnoredHow::WentOn);
        });
        None
    }

    /// Counts a state that has held messages for too long, if something else might still have come.
    fn count_long_hold(&mut self, st: &PathState) {
        let works = |id| {
            let Some(st) = self.states.any(id) else { return true };
            let has_arrivals = |due: &Arc<DueActivation>| !due.arrivals.is_empty();
            st.extra.due.as_ref().is_some_and(has_arrivals) || st.extra.node().has_plans()
        };
        let is_too_long = st.extra.node().has_held_too_long();
        if is_too_long && self.worlds.goes_on_beside(st.extra.id, &works) {
            self.with_counters_of(st.extra.twin(), |counters| {
                counters.drop(DropReason::Omitted(Omission::Orders, String::new()));
            });
        }
    }

    /// A path that the engine gives up.
    pub(crate) fn give_up(&mut self, mut st: Box<PathState>, reason: DropReason) {
        if self.context.exchange.why_cut_off().is_none() {
            st = self.end_orders(st);
        }
        st.extra.outcome = Some(Arc::new(PathOutcome::Dropped(reason)));
        self.leave(st, None);
    }

    /// Tries other orders of the threads of a path that ends before these have come to their ends.
    fn end_orders(&mut self, mut st: Box<PathState>) -> Box<PathState> {
        // What other nodes and invariants see belongs to paths that count.
        let is_alone = self.context.nodes().len() == 1 && self.context.config.invariants.is_none();
        let looks_beside = is_alone && st.extra.node().has_threads_beside_end();
        if st.extra.choices().is_empty() && !looks_beside {
            return st;
        }
        let name = st.extra.twin();
        let (ended, siblings) = self.run_counted(name, |worker| {
            worker.executor.end_orders(worker.context, &mut st, looks_beside)
        });
        if let Err(stop) = ended {
            let reason = self.drop_reason(&st, stop);
            self.with_counters_of(name, |counters| counters.drop(reason));
        }
        self.add_siblings(st, siblings)
    }

    /// Ends the worlds of a state.
    fn leave(&mut self, mut st: Box<PathState>, shown: Option<ShownBug>) {
        let id = st.extra.id;
        if std::mem::take(&mut st.extra.ready) {
            self.schedule.remove(id);
        }
        st.extra.mark.end();
        self.lay_down(&mut st);
        self.come_to_end(&mut st, &EndKind::Ended, shown);
        self.states.insert(st);
        self.tell_end(id, EndKind::Ended);
    }

    /// The states of a world that has this one; `None` if no world has.
    pub(crate) fn world_with(&mut self, id: StateId) -> Option<Vec<StateId>> {
        if self.context.nodes().len() == 1 {
            return Some(vec![id]);
        }
        let (universe, mut owner) = self.owner();
        universe.world_with(&mut owner, id)
    }

    /// The set of worlds, and what answers its questions.
    pub(crate) fn owner(&mut self) -> (&mut Universe<SharedMessage>, EngineStateOwner<'_, 'a>) {
        let Worker { context, worlds, states, executor, counters, .. } = self;
        worlds.with_owner(context, states, executor.solver(), counters)
    }

    /// Where what has happened is told, and the states that it is about.
    pub(super) fn writer_and_states(&mut self) -> (FindingWriter<'_, 'a>, &StateTable) {
        let Worker { context, executor, counters, states, .. } = self;
        (FindingWriter { context, solver: executor.solver(), counters }, states)
    }

    /// Reports that a world violates an invariant; the world goes on.
    fn violated(&mut self, world: &[StateId], note: u32) {
        if self.is_passed_over(world) {
            return;
        }
        self.note_effect(world, TrojanEffect::Invariant, None);
        let Worker { context, executor, counters, states, worlds, .. } = self;
        let world: Vec<&PathState> = world.iter().filter_map(|id| states.get(*id)).collect();
        let mut writer = FindingWriter { context, solver: executor.solver(), counters };
        writer.violated(worlds.violation(note), &world);
    }

    /// Reports a bug of a state in a world.
    pub(crate) fn found(
        &mut self,
        id: StateId,
        bug: Bug,
        stack: Option<Vec<SourcePlace>>,
        world: &[StateId],
    ) {
        if self.is_passed_over(world) {
            return self.set_outcome(id, PathOutcome::Silent);
        }
        let is_effect = bug.kind != BugKind::Trojan;
        let Some(st) = self.states.get(id) else { return };
        let outcome = self.find_counted(st.extra.twin(), |worker| {
            let (mut writer, states) = worker.writer_and_states();
            let st = states.get(id).expect("just seen");
            let world: Vec<&PathState> = world.iter().filter_map(|id| states.get(*id)).collect();
            let stack = stack.unwrap_or_else(|| writer.stack(st));
            writer.found(st, bug, stack, &world)
        });
        if is_effect {
            let finding = match &outcome {
                PathOutcome::Finding(number) => Some(*number),
                _ => None,
            };
            self.note_effect(world, TrojanEffect::Crash, finding);
        }
        self.set_outcome(id, outcome);
    }

    pub(crate) fn set_outcome(&mut self, id: StateId, outcome: PathOutcome) {
        if let Some(st) = self.states.get_mut(id) {
            st.extra.outcome = Some(Arc::new(outcome));
        }
    }

    /// A state that is in no world any more.
    fn gone(&mut self, id: StateId, why: RemovalReason) {
        let Some(mut st) = self.states.remove(id) else { return };
        self.context.forget();
        if st.extra.ready || self.schedule.stop_block(id) {
            self.schedule.remove(id);
        }
        // One that is given up may be about to run, or wait for others to do so.
        if let StateRunner::Open(activation) = st.extra.running {
            self.awaited.remove(&activation);
            let released = self.context.shared_states.forgo(activation);
            self.let_go(None, released);
        }
        self.come_to_end(&mut st, &EndKind::Ended, None);
        let outcome = st.extra.outcome.clone();
        if st.extra.is_shared {
            let released = self.context.shared_states.release(id, why, outcome);
            self.let_go(Some(&st), released);
        } else if why == RemovalReason::Replaced {
            // It was copied where it could have gone on itself. Those that have names are counted at their
            // ends.
            self.counters.states_created -= i64::from(st.extra.twin().is_none());
        } else {
            self.close(&st, outcome, why);
        }
    }

    /// Books a path that is over.
    pub(crate) fn close(
        &mut self,
        st: &PathState,
        outcome: Option<Arc<PathOutcome>>,
        why: RemovalReason,
    ) {
        let exit = self.writer().exit_code(st, &st.path).map(PathOutcome::Exit);
        let outcome = match (outcome, why) {
            (None, RemovalReason::Separated | RemovalReason::Replaced) => PathOutcome::Impossible,
            (Some(outcome), RemovalReason::Separated)
                if matches!(*outcome, PathOutcome::Exit(_)) =>
            {
                PathOutcome::Impossible
            }
            // A symbolic code is the one that the inputs of its test lead to.
            (Some(outcome), _) if matches!(*outcome, PathOutcome::Exit(_)) => {
                exit.unwrap_or_else(|| (*outcome).clone())
            }
            (Some(outcome), _) => (*outcome).clone(),
            (None, RemovalReason::Over) => exit.unwrap_or(PathOutcome::Waits),
            (None, RemovalReason::WorldEnded | RemovalReason::Ended) => {
                exit.unwrap_or(PathOutcome::WorldEnded)
            }
        };
        match st.extra.twin() {
            None => self.writer().close(st, outcome),
            Some(name) => self.end_twin(name, st, outcome, why),
        }
    }
}

/// The end of a path, whose threads may have gone on only to look for races.
fn ending_that_counts(st: &PathState, ending: PathEnding) -> PathEnding {
    match st.extra.node().is_beside_end() {
        true => PathEnding::Redundant(Redundancy::BesideEnd),
        false => ending,
    }
}

/// Returns true if an ending keeps threads from what they would have done.
fn is_cut_short(ending: &PathEnding) -> bool {
    match ending {
        // The path goes on beside a race that is found on it.
        PathEnding::Bug(bug) => bug.kind != BugKind::DataRace,
        PathEnding::Silent => true,
        // The end of a process is an event of a thread.
        PathEnding::Exit(_) | PathEnding::Redundant(_) => false,
    }
}
