//! An observer of a run whose results nobody wants: [`QuietObserver`].

use crate::api::observer::Observer;
use crate::api::summary::Progress;

/// Passes on what steers a run and shows how far it has come, and nothing that it finds.
pub(crate) struct QuietObserver<'o> {
    pub(crate) observer: &'o mut dyn Observer,
}

impl Observer for QuietObserver<'_> {
    fn memory(&self) -> u64 {
        self.observer.memory()
    }

    fn give_back_memory(&mut self) {
        self.observer.give_back_memory();
    }

    fn interrupted(&self) -> bool {
        self.observer.interrupted()
    }

    fn progress(&mut self, progress: &Progress) {
        self.observer.progress(progress);
    }
}
