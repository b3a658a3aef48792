//! The running thread: another one takes its place in the state of the interpreter.
//!
//! Invariant: the running thread's context and the memory of its process are in the state, all others in the
//! node.
//!
//! Not here: the choice of the thread (`schedule.rs`).

use std::sync::Arc;

use everett_interp::{ProgramImages, State};

use crate::kernel::{Guest, Kernel};
use crate::state::ids::{Pid, ThreadKey};
use crate::state::node::thread_mut;
use crate::sys;

impl Kernel {
    /// Counts threads anew after one has come or gone.
    pub(crate) fn threads_changed<X: Guest>(&mut self, images: &ProgramImages, st: &mut State<X>) {
        let running = st.extra.node().volatile.running;
        self.activate(images, st, running);
    }

    /// Makes a thread the running one.
    pub(crate) fn activate<X: Guest>(
        &mut self,
        images: &ProgramImages,
        st: &mut State<X>,
        who: ThreadKey,
    ) {
        self.take_accesses(st);
        let node = st.extra.node();
        let (old, new) = (node.volatile.running, who);
        if old != new {
            let thread = node.find(new.0).and_then(|process| process.thread(new.1));
            let context = thread.and_then(|thread| thread.context.clone());
            let mut context = context.map(Arc::unwrap_or_clone).unwrap_or_default();
            st.swap_thread(&mut context);
            let node = st.extra.node_mut();
            if let Some(thread) = thread_mut(node, old) {
                thread.context = Some(Arc::new(context));
            }
            if let Some(thread) = thread_mut(node, new) {
                thread.context = None;
            }
            node.volatile.running = new;
            self.exchange_memory(st, old.0, new.0);
        }
        let instructions = st.instructions;
        let node = st.extra.node_mut();
        let several = node.thread_count() > 1;
        self.has_threads |= several;
        let alarmed = node.volatile.processes.values().any(|p| sys::time::next_alarm(p).is_some());
        node.volatile.slice_end =
            if several || alarmed { instructions + self.config.slice } else { u64::MAX };
        self.watch(images, st);
    }

    /// Takes the memory of another process.
    fn exchange_memory<X: Guest>(&self, st: &mut State<X>, old: Pid, new: Pid) {
        let node = st.extra.node();
        st.program = node.find(new).map_or(st.program, |process| process.program);
        if old == new {
            return;
        }
        let node = st.extra.node_mut();
        let Some(memory) = node.find_mut(new).and_then(|process| process.memory.take()) else {
            return;
        };
        let cache = st.mem.release_cache();
        let mut left = std::mem::replace(&mut st.mem, memory);
        if let Some(cache) = cache {
            st.mem.adopt_cache(cache);
        }
        sys::memory::share(st.extra.node_mut(), (old, &mut left), (new, &mut st.mem));
        if let Some(process) = st.extra.node_mut().find_mut(old).filter(|p| !p.is_zombie()) {
            process.memory = Some(left);
        }
    }
}
