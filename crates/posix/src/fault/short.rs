//! Transfers of fewer bytes than there are.

use crate::config::FaultKind;
use crate::kernel::Guest;
use crate::kernel::call::Call;
use crate::kernel::reply::CallHalt;
use crate::state::ids::FileId;

impl<X: Guest> Call<'_, '_, X> {
    /// The number of `count` bytes that are read: one, or all but one, if that fault happens.
    pub(crate) fn shorten_read(&mut self, count: u64) -> Result<u64, CallHalt> {
        if self.node().path.faults.are_used() {
            let kept = self.cut_piece(count)?;
            if kept < count {
                return Ok(kept);
            }
        }
        self.shorten(FaultKind::ShortRead, "reads", count)
    }

    /// The number of `count` bytes that are written.
    pub(crate) fn shorten_write(&mut self, count: u64) -> Result<u64, CallHalt> {
        self.shorten(FaultKind::ShortWrite, "writes", count)
    }

    /// The number of `count` bytes that are written to something that takes all that it is given, unless the
    /// call does not wait or a signal ends its wait.
    pub(crate) fn shorten_wait(
        &mut self,
        file: FileId,
        waits: bool,
        count: u64,
    ) -> Result<u64, CallHalt> {
        let node = self.node();
        let ends_early =
            !waits || node.file(file).nonblocking() || node.process().actions.has_handler();
        if ends_early { self.shorten_write(count) } else { Ok(count) }
    }

    /// Returns true if the program wants no faults of the file in the call's first argument.
    pub(super) fn is_spared(&self) -> bool {
        let node = self.node();
        let number = self.args[0].as_word().filter(|_| node.path.faults.are_used());
        let entry = number.and_then(|number| node.descriptor(number as u32).ok());
        entry.is_some_and(|entry| node.file(entry.file).is_spared())
    }

    #[inline]
    fn shorten(&mut self, kind: FaultKind, verb: &str, count: u64) -> Result<u64, CallHalt> {
        if count < 2 || self.is_spared() {
            return Ok(count);
        }
        let kept = |choice| if choice == 1 { 1 } else { count - 1 };
        let name = self.name;
        let what = |choice| format!("{name} {verb} {} of {count} bytes", kept(choice));
        let choice = self.fault(kind, if count == 2 { 1 } else { 2 }, what)?;
        Ok(if choice == 0 { count } else { kept(choice) })
    }
}
