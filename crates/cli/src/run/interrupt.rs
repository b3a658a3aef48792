//! Ctrl-C: the first asks the run to stop, the second ends the process.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use anyhow::{Context, Result};

/// What a shell reports for a process that Ctrl-C ended.
const EXIT_INTERRUPTED: i32 = 130;

/// Whether the user asked to stop.
#[derive(Clone, Default)]
pub(crate) struct Interrupt {
    asked: Arc<AtomicBool>,
}

impl Interrupt {
    /// Listens to Ctrl-C and to requests to terminate.
    pub(crate) fn listen() -> Result<Interrupt> {
        let interrupt = Interrupt::default();
        let asked = Arc::clone(&interrupt.asked);
        ctrlc::set_handler(move || {
            if asked.swap(true, Ordering::Relaxed) {
                std::process::exit(EXIT_INTERRUPTED);
            }
        })
        .context("cannot listen to Ctrl-C")?;
        Ok(interrupt)
    }

    /// The flag that a request sets.
    pub(crate) fn flag(&self) -> Arc<AtomicBool> {
        Arc::clone(&self.asked)
    }

    /// Whether a request has come.
    pub(crate) fn is_asked(&self) -> bool {
        self.asked.load(Ordering::Relaxed)
    }
}
