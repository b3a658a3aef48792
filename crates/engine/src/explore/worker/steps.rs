//! The steps of a run in one world: the lines of programs that its nodes come to ([`StepTeller`]), and what
//! all nodes do at one of them.
//!
//! Not here: the pauses at lines, which are the interpreter's (`pauses_at_lines`).
//! Invariant: a run that tells of its steps does the same as one that does not.

use everett_base::hash::Map;
use everett_world::{NodeId, Stamp, StateId};

use super::Worker;
use crate::api::report::{SourcePlace, StoppedRun, WorldStep};
use crate::parallel::exchange::HaltReason;
use crate::programs::places;
use crate::results::messages;
use crate::state::node_state::{PathState, SHOWN_BYTES, written};

/// A line as a step knows it: file, line, and the calls that lead there.
type StepLine = (String, u32, u32);

/// Notes of the steps that were told.
#[derive(Default)]
pub(super) struct StepTeller {
    told: u64,
    /// The last line of each node, and when it was woken.
    last: Map<NodeId, (StepLine, Stamp)>,
}

impl Worker<'_, '_> {
    /// Tells of the line that a state has come to, if it is another one. Keeps the state if the run is to
    /// stop before that line.
    pub(super) fn tell_step(&mut self, st: Box<PathState>) -> Option<Box<PathState>> {
        let Some(options) = self.context.config.steps else { return Some(st) };
        let Some(place) = self.own_line(&st) else { return Some(st) };
        let (node, at, depth) = (st.extra.of, st.extra.activated(), st.stack.depth());
        let here = ((place.file.clone(), place.line, depth), at);
        if self.steps.last.get(&node) == Some(&here) {
            return Some(st);
        }
        if options.stop_before == Some(self.steps.told) {
            let id = st.extra.id;
            self.park(st);
            self.tell_and_halt(Some(id));
            return None;
        }
        self.steps.told += 1;
        self.steps.last.insert(node, here);
        let step = WorldStep {
            node: node.index() as u32,
            time_ns: at.time,
            round: at.round,
            place,
            depth,
            messages: self.counters.events_sent,
        };
        self.context.reporter().observer.step(&step);
        Some(st)
    }

    /// The line of the program's own code that a state is at, if it runs there.
    fn own_line(&self, st: &PathState) -> Option<SourcePlace> {
        let program = &self.context.images.image(st.program).program;
        let is_own = |func| !program.function(func).library;
        if st.extra.due.is_some() || !program.function_at(st.pc()).is_some_and(is_own) {
            return None;
        }
        let places = places::op(program, st.pc());
        places.into_iter().find(|place| place.line > 0 && !place.is_in_library())
    }

    /// Tells what the nodes do at the end of their world, in a run that tells of its steps.
    pub(super) fn tell_end_of_steps(&mut self, members: &[Vec<StateId>]) {
        if self.context.config.steps.is_some() {
            let world: Vec<StateId> = members.iter().filter_map(|of| of.first().copied()).collect();
            self.tell_where_nodes_are(&world, None);
        }
    }

    /// Tells what all states do, and ends the run.
    pub(super) fn tell_and_halt(&mut self, running: Option<StateId>) {
        let world = self.states.parked().map(|st| st.extra.id).collect::<Vec<_>>();
        self.tell_where_nodes_are(&world, running);
        self.context.exchange.halt(HaltReason::Interrupted);
    }

    /// Tells what the states of a world do. `running` is the one that is about to go on.
    fn tell_where_nodes_are(&mut self, world: &[StateId], running: Option<StateId>) {
        let (mut writer, states) = self.writer_and_states();
        let writer = &mut writer;
        let mut world: Vec<&PathState> = world.iter().filter_map(|id| states.get(*id)).collect();
        world.sort_by_key(|st| (st.extra.of, st.extra.id));
        let Some(first) = world.first() else { return };
        let path = &first.path;
        let of = world.iter().find(|st| Some(st.extra.id) == running).unwrap_or(first);
        let at = match running {
            Some(_) => of.extra.activated(),
            None => {
                let all = world.iter().map(|st| st.extra.activated());
                all.max().unwrap_or(first.extra.activated())
            }
        };
        let (messages, messages_omitted) = messages::of_world(writer, path, &world, SHOWN_BYTES);
        let (exposed, exposed_omitted) = writer.exposed(path, &world);
        let stopped = StoppedRun {
            node: writer.name(of).to_owned(),
            at: (at.time, at.round),
            nodes: world.iter().map(|st| writer.node_report(st, &st.path)).collect(),
            variables: world.iter().map(|st| writer.variables(st)).collect(),
            faults: world.iter().flat_map(|st| writer.faults(st)).collect(),
            preemptions: world.iter().flat_map(|st| writer.preemptions(st)).collect(),
            messages,
            messages_omitted,
            exposed,
            exposed_omitted,
            outputs: world.iter().map(|st| written(writer.context.pool, st, &st.path)).collect(),
        };
        self.context.reporter().observer.stopped(&stopped);
    }
}
