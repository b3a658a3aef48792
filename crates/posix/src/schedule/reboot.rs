//! The moment at which a node that has crashed is up again.
//!
//! Not here: the crash, and what a boot makes of the files (`boot/down.rs`).

use everett_interp::{Flow, Interp, State, Stop};

use crate::kernel::{Guest, Kernel, unsupported};
use crate::state::standstill::ProgramStart;

impl Kernel {
    /// Starts a node again whose time has come: its first program is about to run.
    pub(crate) fn reboot<X: Guest>(
        &mut self,
        cx: &mut Interp<'_, X>,
        st: &mut State<X>,
    ) -> Result<Flow, Stop> {
        let node = st.extra.node_mut();
        let restart = node.path.restart.clone().expect("a node that reboots knows its program");
        let booted = node.boot(&restart);
        booted.map_err(|error| unsupported(format!("a reboot with these files: {error}")))?;
        self.note_restart(cx, st, &restart);
        let node = st.extra.node_mut();
        let random = node.random_bytes();
        let start = ProgramStart { random, ..restart.start.clone() };
        self.with_image(cx, st, |_, cx, st| start.enter(cx, st, restart.entry, None));
        self.dispatch(cx, st)
    }
}
