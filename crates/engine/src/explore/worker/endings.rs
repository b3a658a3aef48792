//! What becomes of states: they wait, end, are found guilty, and leave their worlds.

use std::sync::Arc;

use everett_interp::{Bug, BugKind, Ending};
use everett_ir::GlobalId;
use everett_posix::Guest;
use everett_world::{Change, Gone, StateId, Universe};

use super::Worker;
use crate::api::report::{DropReason, IgnoredHow, PathOutcome, Place, Stopped};
use crate::parallel::exchange::Halt;
use crate::parallel::twins::{How, Shown};
use crate::programs::libc_names::is_of_c_library;
use crate::results::finding_writer::Desk;
use crate::results::messages;
use crate::state::node_state::St;
use crate::state::node_state::{Due, Message, Running};
use crate::worlds::arrivals;
use crate::worlds::owner::Owner;
use crate::worlds::state_table::StateTable;

impl<'a> Worker<'_, 'a> {
    /// Lets the set of worlds change, and does what follows from it.
    pub(crate) fn in_universe(
        &mut self,
        f: impl FnOnce(&mut Universe<Message>, &mut Owner<'_, 'a>),
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

    fn follow(&mut self, change: Change<Message>) {
        match change {
            Change::Run { state, from, at, arrivals } => {
                let Some(st) = self.states.get_mut(state) else { return };
                st.extra.due = Some(Arc::new(Due { at, arrivals }));
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
            Change::Copied { state, from } => {
                let ready = self.states.get(state).is_some_and(|st| st.extra.ready);
                if ready {
                    self.schedule.add(Some(from), state);
                }
            }
            Change::Gone { state, why } => self.gone(state, why),
            Change::Deadlock { state, world } => {
                let Some(st) = self.states.get_mut(state) else { return };
                if !st.extra.is_twin || self.shared.twins.is_found_first(state) {
                    let bug = everett_posix::stalled(self.shared.images, st);
                    self.found(state, bug, None, &world);
                    self.note_found(state);
                }
            }
            Change::Noted { world, note } => self.violated(&world, note),
            Change::Final { members, stalled, .. } => self.write_worlds(members, &stalled),
        }
    }

    /// A node has nothing to do: its events go out, and it waits.
    pub(crate) fn block(&mut self, mut st: Box<St>, shown: Option<Shown>) {
        let id = st.extra.id;
        let (next, sent) = arrivals::blocked(self.shared.pool, &mut st);
        self.books.events_sent += sent.len() as u64;
        let exited = st.extra.node().has_exited();
        // Copies that are made of it now are not ready either.
        let ready = std::mem::take(&mut st.extra.ready);
        self.schedule.begin_block(ready.then_some(id));
        self.lay_down(&mut st);
        let how = How::Blocked { next, exited, sent };
        self.come_to_end(&mut st, &how, shown);
        self.states.insert(st);
        self.tell_end(id, how);
        self.schedule.end_block();
        let most = self.shared.config.stop_after_messages;
        if most.is_some_and(|most| self.books.events_sent >= most) {
            self.stop_here();
        }
    }

    /// Tells what all states do, and ends the run.
    fn stop_here(&mut self) {
        if self.shared.exchange.is_over() {
            return;
        }
        let (mut desk, states) = self.desk_and_states();
        let desk = &mut desk;
        let mut world: Vec<&St> = states.parked().collect();
        world.sort_by_key(|st| (st.extra.of, st.extra.id));
        let Some(path) = world.first().map(|st| &st.path) else { return };
        let stopped = Stopped {
            nodes: world.iter().map(|st| desk.node_report(st, &st.path)).collect(),
            variables: world.iter().map(|st| desk.variables(st)).collect(),
            faults: world.iter().flat_map(|st| desk.faults(st)).collect(),
            preemptions: world.iter().flat_map(|st| desk.preemptions(st)).collect(),
            messages: messages::of_world(desk, path, &world).0,
        };
        self.shared.front().observer.stopped(&stopped);
        self.shared.exchange.halt(Halt::Interrupted);
    }

    /// The variable of the C library that is undefined and was accessed, if that is the bug.
    fn missing_variable(&self, st: &St, bug: &Bug) -> Option<String> {
        if bug.kind != BugKind::UndefinedVariable {
            return None;
        }
        let address = bug.objects.first()?.address;
        let image = self.shared.images.image(st.program);
        let mut globals = (0..).map(GlobalId).zip(&image.program.globals);
        let (_, global) = globals.find(|(id, _)| image.global_address(*id) == address)?;
        is_of_c_library(&global.name).then(|| global.name.clone())
    }

    /// A path that the program ended.
    pub(crate) fn end(&mut self, mut st: Box<St>, ending: Ending) {
        if let Ending::Bug(bug) = &ending
            && let Some(name) = self.missing_variable(&st, bug)
        {
            return self.give_up(st, DropReason::MissingSymbol(name));
        }
        let id = st.extra.id;
        match ending {
            Ending::Exit(code) => {
                let code = self.desk().value(&st, &st.path, code);
                st.extra.outcome = Some(Arc::new(PathOutcome::Exit(code)));
                let mut shown = None;
                let mut leak = self.desk().leak(&mut st);
                if let Some((_, stack)) =
                    leak.take_if(|(bug, stack)| self.desk().is_ignored(&st, bug.kind, stack))
                {
                    self.books.ignore(BugKind::Leak, &stack, IgnoredHow::WentOn);
                }
                if let Some((bug, stack)) = leak {
                    let is_ours = matches!(st.extra.running, Running::Ours(_));
                    self.park(st);
                    let world = self.world_with(id);
                    shown = is_ours.then(|| Shown {
                        bug: bug.clone(),
                        stack: Some(stack.clone()),
                        found: world.is_some(),
                    });
                    if let Some(world) = world {
                        self.found(id, bug, Some(stack), &world);
                    }
                    st = self.states.remove(id).expect("it is in a world");
                }
                if self.shared.nodes().len() > 1 {
                    // The kernel goes on to answer; the program's memory is of no use any more.
                    self.states.keep_cache(&mut st.mem);
                    st.mem = self.shared.images.memory(st.program);
                }
                self.block(st, shown);
            }
            Ending::Silent => {
                st.extra.outcome = Some(Arc::new(PathOutcome::Silent));
                self.leave(st, None);
            }
            Ending::Bug(bug) => {
                let is_ours = matches!(st.extra.running, Running::Ours(_));
                self.park(st);
                let world = self.world_with(id);
                let found = world.is_some();
                let shown = is_ours.then(|| Shown { bug: (*bug).clone(), stack: None, found });
                match world {
                    Some(world) => self.found(id, *bug, None, &world),
                    None => {
                        // A search that a limit has cut short says nothing.
                        let halted = self.shared.exchange.why_halted();
                        let outcome = halted.map_or(PathOutcome::Impossible, |halt| {
                            PathOutcome::Dropped(halt.reason())
                        });
                        self.set_outcome(id, outcome);
                    }
                }
                let st = self.states.remove(id).expect("just put there");
                self.leave(st, shown);
            }
        }
    }

    /// A path that the engine gives up.
    pub(crate) fn give_up(&mut self, mut st: Box<St>, reason: DropReason) {
        st.extra.outcome = Some(Arc::new(PathOutcome::Dropped(reason)));
        self.leave(st, None);
    }

    /// Ends the worlds of a state.
    fn leave(&mut self, mut st: Box<St>, shown: Option<Shown>) {
        let id = st.extra.id;
        if std::mem::take(&mut st.extra.ready) {
            self.schedule.remove(id);
        }
        st.extra.has_ended = true;
        self.lay_down(&mut st);
        self.come_to_end(&mut st, &How::Ended, shown);
        self.states.insert(st);
        self.tell_end(id, How::Ended);
    }

    /// The states of a world that has this one; `None` if no world has.
    pub(crate) fn world_with(&mut self, id: StateId) -> Option<Vec<StateId>> {
        if self.shared.nodes().len() == 1 {
            return Some(vec![id]);
        }
        let (universe, mut owner) = self.owner();
        universe.world_with(&mut owner, id)
    }

    /// The set of worlds, and what answers its questions.
    pub(crate) fn owner(&mut self) -> (&mut Universe<Message>, Owner<'_, 'a>) {
        let Worker { shared, worlds, states, executor, books, .. } = self;
        worlds.with_owner(shared, states, executor.solver(), books)
    }

    /// Where what has happened is told, and the states that it is about.
    pub(super) fn desk_and_states(&mut self) -> (Desk<'_, 'a>, &StateTable) {
        let Worker { shared, executor, books, states, .. } = self;
        (Desk { shared, solver: executor.solver(), books }, states)
    }

    /// Reports that a world violates an invariant; the world goes on.
    fn violated(&mut self, world: &[StateId], note: u32) {
        let Worker { shared, executor, books, states, worlds, .. } = self;
        let world: Vec<&St> = world.iter().filter_map(|id| states.get(*id)).collect();
        let mut desk = Desk { shared, solver: executor.solver(), books };
        desk.violated(worlds.violation(note), &world);
    }

    /// Reports a bug of a state in a world.
    pub(crate) fn found(
        &mut self,
        id: StateId,
        bug: Bug,
        stack: Option<Vec<Place>>,
        world: &[StateId],
    ) {
        let (mut desk, states) = self.desk_and_states();
        let Some(st) = states.get(id) else { return };
        let world: Vec<&St> = world.iter().filter_map(|id| states.get(*id)).collect();
        let stack = stack.unwrap_or_else(|| desk.stack(st));
        let outcome = desk.found(st, bug, stack, &world);
        self.set_outcome(id, outcome);
    }

    pub(crate) fn set_outcome(&mut self, id: StateId, outcome: PathOutcome) {
        if let Some(st) = self.states.get_mut(id) {
            st.extra.outcome = Some(Arc::new(outcome));
        }
    }

    /// A state that is in no world any more.
    fn gone(&mut self, id: StateId, why: Gone) {
        let Some(mut st) = self.states.remove(id) else { return };
        self.shared.forget();
        if st.extra.ready || self.schedule.stop_block(id) {
            self.schedule.remove(id);
        }
        // One that is given up may be about to run, or wait for others to do so.
        if let Running::Open(activation) = st.extra.running {
            self.awaited.remove(&activation);
            let released = self.shared.twins.forgo(activation);
            self.let_go(None, released);
        }
        self.come_to_end(&mut st, &How::Ended, None);
        let outcome = st.extra.outcome.clone();
        if st.extra.is_twin {
            let released = self.shared.twins.release(id, why, outcome);
            self.let_go(Some(&st), released);
        } else if why == Gone::Replaced {
            // It was copied where it could have gone on itself.
            self.books.states_created -= 1;
        } else {
            self.close(&st, outcome, why);
        }
    }

    /// Books a path that is over.
    pub(crate) fn close(&mut self, st: &St, outcome: Option<Arc<PathOutcome>>, why: Gone) {
        let exit = self.desk().exit_code(st, &st.path).map(PathOutcome::Exit);
        let outcome = match (outcome, why) {
            (None, Gone::Separated | Gone::Replaced) => PathOutcome::Impossible,
            (Some(outcome), Gone::Separated) if matches!(*outcome, PathOutcome::Exit(_)) => {
                PathOutcome::Impossible
            }
            // A symbolic code is the one that the inputs of its test lead to.
            (Some(outcome), _) if matches!(*outcome, PathOutcome::Exit(_)) => {
                exit.unwrap_or_else(|| (*outcome).clone())
            }
            (Some(outcome), _) => (*outcome).clone(),
            (None, Gone::Over) => exit.unwrap_or(PathOutcome::Waits),
            (None, Gone::WorldEnded | Gone::Ended) => exit.unwrap_or(PathOutcome::WorldEnded),
        };
        self.desk().close(st, outcome);
    }
}
