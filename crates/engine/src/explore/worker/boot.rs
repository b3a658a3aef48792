//! Booting: a program that makes the nodes of a system itself (`netklee.h`).
//!
//! Such a program branches on an input, and each branch declares the interfaces of its node and calls
//! `klee_net_host_setup`. A state that has done so waits. When no other state is left, those that wait
//! become the nodes of the first world ([`Worker::boot`]), and the run goes on as one of a system.
//!
//! One worker does so before there are others, and a run that is explored in jobs has one job at a time until
//! then: the states that wait have to be together.
//!
//! The branches contradict each other by what they assume of the input. What a state had made symbolic
//! before it became a node is given one value, and the path forgets what it assumed of it
//! ([`settle_inputs`](crate::state::boot::settle_inputs)).

use std::sync::Arc;

use everett_interp::{Bug, BugKind};
use everett_posix::Guest;
use everett_world::{NodeId, Stamp, StateId};

use super::Worker;
use crate::api::report::PathOutcome;
use crate::state::boot::{BootDeclarations, BootStage, HOST_SETUP, boots, settled_inputs};
use crate::state::booted_system::{BootRefusal, BootedSystem};
use crate::state::node_state::PathState;
use crate::state::setup::NodeSetup;

impl Worker<'_, '_> {
    /// Lets the one program of the run make the nodes of a system, if it is one that does and has not yet.
    pub(crate) fn boot(&mut self) {
        if !self.executor.machine().booting {
            return;
        }
        while self.work() {
            // Paths that are on disk may become nodes as well.
            if let Some(part) = self.context.exchange.take_next(self.number) {
                self.adopt_aside(part);
                continue;
            }
            self.executor.machine_mut().booting = false;
            return self.put_together();
        }
    }

    /// Returns `true` if this is a run of one program, which may make nodes.
    pub(super) fn may_boot(&self) -> bool {
        let [setup] = self.context.nodes() else { return false };
        boots(&self.context.images.image(setup.program).program)
    }

    /// The states that wait to become nodes, sorted. They stay when parts are split off: if they left, they
    /// would come back as soon as nothing else is left, and leave again.
    pub(super) fn waiting(&self) -> Vec<StateId> {
        if !self.executor.machine().booting {
            return Vec::new();
        }
        let waiting = self.states.parked().filter(|st| st.extra.boot.is_waiting());
        let mut waiting: Vec<StateId> = waiting.map(|st| st.extra.id).collect();
        waiting.sort_unstable();
        waiting
    }

    /// A state waits until all others do.
    pub(crate) fn await_boot(&mut self, mut st: Box<PathState>) {
        if std::mem::take(&mut st.extra.ready) {
            self.schedule.remove(st.extra.id);
        }
        self.park(st);
    }

    /// Makes the states that wait the nodes of the first world.
    fn put_together(&mut self) {
        let [first] = self.context.nodes() else { return };
        let mut waiting: Vec<_> = { self.states.parked() }
            .filter_map(|st| {
                let boot = &st.extra.boot;
                let key = (boot.host_setup()?.sequence, boot.own.name.clone());
                let inputs = settled_inputs(self.context.pool, st);
                Some((key, inputs, st.extra.id, BootDeclarations::clone(boot)))
            })
            .collect();
        waiting.sort_by(|a, b| (&a.0, &a.1).cmp(&(&b.0, &b.1)));
        if waiting.is_empty() {
            return;
        }
        let (ids, declared): (Vec<StateId>, Vec<BootDeclarations>) =
            waiting.into_iter().map(|(.., id, declared)| (id, declared)).unzip();
        match BootedSystem::new(first, declared) {
            Ok(system) => self.begin_system(first, system, &ids),
            Err(BootRefusal { node, message }) => {
                let message = format!("{HOST_SETUP}: {message}");
                self.refuse(ids[node], Bug::new(BugKind::UserError, message), &ids);
            }
        }
    }

    /// The states have become nodes: from now on the run is one of a system.
    fn begin_system(&mut self, before: &NodeSetup, system: BootedSystem, ids: &[StateId]) {
        let nodes = self.context.boot(system);
        self.executor.machine_mut().start =
            nodes.iter().map(|setup| setup.node.fs().clone()).collect();
        self.worlds.start_over(self.context);
        let mut first = Vec::with_capacity(nodes.len());
        for ((index, setup), id) in nodes.iter().enumerate().zip(ids) {
            let st = self.states.get_mut(*id).expect("a state that waits is there");
            let of = NodeId::from_index(index);
            st.extra.of = of;
            let begins = Stamp { time: 0, round: setup.start };
            let book = st.extra.notebook_mut();
            Arc::make_mut(&mut book.boot).stage = BootStage::Begins(begins);
            if nodes.len() > 1 {
                book.symbol_prefix = format!("{}:", setup.name());
            }
            let (before, after) = (&before.config.kernel, &setup.config.kernel);
            if let Err(error) = st.extra.node_mut().join(before, after) {
                let message = format!("{}: files in /etc are not changed: {error}", setup.name());
                self.context.reporter().observer.warning(&message);
            }
            first.push((of, *id, begins));
        }
        self.in_universe(|universe, owner| universe.begin(owner, &first));
    }

    /// The states cannot become nodes, which is the fault of one of them.
    fn refuse(&mut self, guilty: StateId, bug: Bug, all: &[StateId]) {
        self.found(guilty, bug, None, &[guilty]);
        for id in all {
            if *id != guilty {
                self.set_outcome(*id, PathOutcome::WorldEnded);
            }
            self.in_universe(|universe, owner| universe.ended(owner, *id));
        }
    }
}
