//! Ctrl-C and requests to terminate: the run ends at once, with its results.
//!
//! Every request asks for the same, so impatience loses nothing: a shell that passes a signal on, and the
//! user who sends it as well, are two requests. Only when the end takes longer than it may does another
//! request end the process.

use std::sync::Mutex;
use std::time::Duration;

use anyhow::{Context, Result};
use everett_base::Interrupt;
use everett_base::interrupt::StopReason;
use everett_engine::Clock;

/// What a shell reports for a process that Ctrl-C ended.
const EXIT_INTERRUPTED: i32 = 130;
/// From then on, another request ends the process.
const PATIENCE: Duration = Duration::from_secs(2);

/// Lets Ctrl-C and requests to terminate raise the interrupt.
pub(crate) fn listen(interrupt: Interrupt, clock: Clock) -> Result<()> {
    let first = Mutex::new(None);
    ctrlc::set_handler(move || {
        interrupt.stop(StopReason::Asked);
        let now = clock.now();
        let mut first = first.lock().expect("nobody panics with it");
        if now.saturating_sub(*first.get_or_insert(now)) > PATIENCE {
            std::process::exit(EXIT_INTERRUPTED);
        }
    })
    .context("cannot listen to Ctrl-C")
}
