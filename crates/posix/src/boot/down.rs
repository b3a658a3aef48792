//! A node that does not run: it has crashed, or it is paused.
//!
//! A node that crashes loses its processes, their memory and all that its kernel knew, at once: no
//! connection is closed and nobody is told. What it has sent by then is on its way. While it is down,
//! what arrives is lost, but for packets of TCP that their senders repeat until they are answered: they
//! are kept for the round after the reboot, where the kernel knows nothing of their connections and answers
//! with a reset.
//!
//! A reboot starts the first program again, with the arguments that it had, in fresh memory, with the
//! files that the crash has left. The clocks of processes and of the machine's uptime begin anew; the
//! real time, the node's random numbers, its inputs, its output and its faults go on.
//!
//! A node that is paused keeps everything: its threads do not run for a while. Its kernel receives and
//! answers meanwhile.
//!
//! Not here: the moment of the reboot, from which threads run again (`schedule/reboot.rs`).

use std::sync::Arc;

use everett_interp::{Interp, State, ThreadContext};
use everett_net::{Message, MessageKind, Protocol};

use crate::boot::{FirstProcess, tree};
use crate::kernel::{Guest, Kernel};
use crate::net::tcp;
use crate::state::ids::Time;
use crate::state::node::{Node, VolatileState};
use crate::state::sockets::message::Payload;
use crate::state::standstill::{NodeRestart, NodeStandstill};

/// Senders give an unanswered request for a connection up after so long, and repeat it no more.
const REPEATED_FOR: Time = 127_000_000_000;

impl Node {
    /// Sets how the first program is started again after a crash; all files are durable now.
    pub fn set_restart(&mut self, restart: NodeRestart) {
        self.disk.fs.sync_all();
        self.path.restart = Some(Arc::new(restart));
    }

    /// Returns true if the node has crashed and is not up again.
    pub fn is_down(&self) -> bool {
        matches!(self.volatile.standstill, NodeStandstill::Down(_))
    }

    /// Returns true if no thread may run, whatever it waits for.
    pub fn stands_still(&self) -> bool {
        match self.volatile.standstill {
            NodeStandstill::No => false,
            NodeStandstill::Down(_) => true,
            NodeStandstill::Paused(until) => until > self.clock.now,
        }
    }

    /// The time at which a node that stands still goes on; `None` if it never does.
    pub(crate) fn goes_on_at(&self) -> Option<Time> {
        match self.volatile.standstill {
            NodeStandstill::No => None,
            NodeStandstill::Down(reboot) => reboot,
            NodeStandstill::Paused(until) => Some(until),
        }
    }

    /// Returns true if a message that arrives at a time leaves no trace.
    pub fn is_deaf_to(&self, message: &Message<Payload>, now: Time) -> bool {
        self.is_down() && !self.is_repeated(message, now)
    }

    /// Returns true if the sender of a message repeats it until the node is up again.
    fn is_repeated(&self, message: &Message<Payload>, now: Time) -> bool {
        let NodeStandstill::Down(Some(reboot)) = self.volatile.standstill else { return false };
        let is_request = message.kind.meets(MessageKind::REQUEST);
        message.protocol == Protocol::Tcp
            && message.status == 0
            && !tcp::is_acknowledgement(message)
            && !(is_request && reboot.saturating_sub(now) >= REPEATED_FOR)
    }

    /// Receives a message while the node is down.
    pub(crate) fn receive_while_down(&mut self, message: &Message<Payload>) {
        if self.is_repeated(message, self.clock.now) {
            self.volatile.repeated.push(Arc::new(message.clone()));
        }
    }

    /// Receives what was repeated until the node was up again.
    pub(crate) fn receive_repeated(&mut self) {
        for message in std::mem::take(&mut self.volatile.repeated) {
            self.receive(&message);
        }
    }

    /// Loses everything that is not on its disk, or on its way to others.
    fn crash(&mut self, reboot: Option<Time>) {
        let pending = self.volatile.pending.take_all();
        self.volatile = VolatileState::new(NodeStandstill::Down(reboot));
        self.net.crash();
        pending.iter().for_each(|message| self.receive_while_down(message));
        self.path.faults.crashed();
        self.changed();
    }

    /// Is up again, with nothing but its files.
    pub(crate) fn boot(&mut self, restart: &NodeRestart) -> Result<(), everett_fs::FsError> {
        let NodeRestart { program, executable, config, .. } = restart;
        self.volatile.standstill = NodeStandstill::No;
        self.volatile.booted = self.clock.now;
        self.path.clocks.monotonic = None;
        self.volatile.hostname = config.hostname.as_bytes().into();
        // What `/proc` showed is gone with the processes.
        self.volatile.specials = tree::populate(&mut self.disk.fs, config)?;
        let executable = executable.clone();
        FirstProcess { program: *program, executable }.begin(self, config)?;
        self.disk.fs.sync_all();
        Ok(())
    }
}

impl Kernel {
    /// Crashes the node of a state. If it is up again at some time, it has the files that are in it now.
    pub(crate) fn take_down<X: Guest>(cx: &Interp<'_, X>, st: &mut State<X>, reboot: Option<Time>) {
        let node = st.extra.node_mut();
        node.crash(reboot);
        let program = node.path.restart.as_ref().map_or(st.program, |restart| restart.program);
        st.program = program;
        st.swap_thread(&mut ThreadContext::default());
        let cache = st.mem.release_cache();
        st.mem = cx.images.memory(program);
        if let Some(cache) = cache {
            st.mem.adopt_cache(cache);
        }
        let node = st.extra.node();
        (st.forking, st.plain_calls) = (true, !node.looks_at_calls());
        st.set_watch(None);
        X::crashed(st);
    }
}
