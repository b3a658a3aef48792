//! Ctrl-C and requests to terminate: the run ends at once, with its results.
//!
//! Every request asks for the same, so impatience loses nothing: a shell that passes a signal on, and the
//! user who sends it as well, are two requests. Only when the end takes longer than it may does another
//! request end the process.

use std::time::Duration;

use anyhow::{Context, Result};
use everett_base::Interrupt;
use everett_base::interrupt::StopReason;
use everett_engine::MonotonicClock;
use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
use signal_hook::iterator::Signals;

/// The exit code that a shell reports for a process that Ctrl-C ended.
const EXIT_INTERRUPTED: i32 = 130;
/// From then on, another request ends the process.
const PATIENCE: Duration = Duration::from_secs(2);

/// Lets Ctrl-C and requests to terminate raise the interrupt, of a run that may save itself before.
pub(crate) fn listen(interrupt: Interrupt, clock: MonotonicClock, winds_down: bool) -> Result<()> {
    // `nohup` ignores the end of the terminal for the sake of what it starts, so that stays ignored.
    let hangup = (!is_ignored(SIGHUP)).then_some(SIGHUP);
    let mut signals = Signals::new([SIGINT, SIGTERM].into_iter().chain(hangup))
        .context("cannot listen to Ctrl-C")?;
    let listener = move || {
        let mut first = None;
        for _ in signals.forever() {
            match winds_down {
                true => interrupt.wind_down(StopReason::Asked),
                false => interrupt.stop(StopReason::Asked),
            }
            let now = clock.now();
            if now.saturating_sub(*first.get_or_insert(now)) > PATIENCE {
                std::process::exit(EXIT_INTERRUPTED);
            }
        }
    };
    let thread = std::thread::Builder::new().name("signals".to_owned());
    thread.spawn(listener).context("cannot start a thread")?;
    Ok(())
}

/// Returns true if the process was started with a signal ignored.
fn is_ignored(signal: i32) -> bool {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    let mask = mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok());
    mask.unwrap_or(0) >> (signal - 1) & 1 == 1
}
