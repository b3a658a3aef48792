//! Clocks that are wrong: `CLOCK_REALTIME` is off from the beginning, or jumps.
//!
//! Both are offered when a program reads the clock, as nobody could tell before: that it is ahead or
//! behind at the first reading of the node, that it has jumped since at each later one. From then on
//! everything that shows the real time shows the wrong one, times of files too; what measures how much
//! time has passed is right.

use crate::config::FaultKind;
use crate::kernel::Guest;
use crate::kernel::call::Call;
use crate::kernel::reply::CallHalt;

impl<X: Guest> Call<'_, '_, X> {
    /// The program is about to read the real time: whether the clock turns out to be wrong.
    #[inline]
    pub(crate) fn read_wall_clock(&mut self) -> Result<(), CallHalt> {
        if self.node().path.faults.are_used() { self.doubt_wall_clock() } else { Ok(()) }
    }

    fn doubt_wall_clock(&mut self) -> Result<(), CallHalt> {
        let faults = &self.node().path.faults;
        let times = &faults.config().times;
        let (kind, amount, verbs) = if faults.clock_was_read {
            (FaultKind::ClockJump, times.jump_ns, ["forward", "back"])
        } else {
            (FaultKind::ClockSkew, times.skew_ns, ["ahead", "behind"])
        };
        let what = |choice: u32| {
            let verb = verbs[usize::from(choice != 1)];
            let seconds = amount as f64 / 1e9;
            match kind {
                FaultKind::ClockJump => format!("its clock jumps {verb} by {seconds} s"),
                _ => format!("its clock is {verb} by {seconds} s"),
            }
        };
        let choice = self.fault(kind, 2, what)?;
        let node = self.node_mut();
        node.path.faults.clock_was_read = true;
        if choice != 0 {
            node.path.clocks.realtime = None;
        }
        match choice {
            1 => node.clock.epoch_ns += i128::from(amount),
            2 => node.clock.epoch_ns -= i128::from(amount),
            _ => {}
        }
        Ok(())
    }
}
