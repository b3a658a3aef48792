//! [`Watchdog`]: a thread that raises the interrupt of a run when its time is up, or its memory.
//!
//! Everything that takes long looks at the interrupt, so nobody else has to read a clock. A run that has
//! been asked to end has a moment to do so between two steps; then it leaves the step that it is at. Foreign
//! code in a solver notices neither request. It is not waited for: the watchdog has the results so far
//! stored, and ends the process.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::sleep;
use std::time::Duration;

use anyhow::{Context, Result};
use everett_base::Interrupt;
use everett_base::interrupt::{MemoryPressure, StopReason};
use everett_engine::MonotonicClock;

use crate::clock::MemoryMeter;

/// The time between two looks of the watchdog.
const LOOKS_EVERY: Duration = Duration::from_millis(10);
/// The time after which the results so far are stored again.
const STORED_EVERY: Duration = Duration::from_secs(1);
/// The time that a run that saves itself at its end has to begin with that, before it is ended as it is.
const WINDING_DOWN: Duration = Duration::from_millis(100);
/// The time that a run has to end between two steps, before it is made to leave the step that it is at.
const ORDERLY: Duration = Duration::from_millis(400);
/// The time that a run has to end at all, before the watchdog ends the process. It is less than a second,
/// since runs are to end at most a second late.
const PATIENCE: Duration = Duration::from_millis(800);

/// Results of something that goes on.
pub(crate) trait UnfinishedRun: Send {
    /// Stores the results so far.
    fn store(&self);

    /// Stores and shows the results so far, and ends the process.
    fn give_up(&self, reason: StopReason) -> !;
}

/// A run to watch, and its limits.
pub(crate) struct WatchedRun {
    pub(crate) interrupt: Interrupt,
    pub(crate) clock: MonotonicClock,
    /// The time that it may take from now on, and the reason to give when it is up.
    pub(crate) time: Option<(Duration, StopReason)>,
    /// Resident bytes that it may have, at most.
    pub(crate) memory: Option<u64>,
    /// States that memory has no room for go to disk. Until they are there, memory may be above its limit for
    /// a while, and nothing is left for that.
    pub(crate) spills: bool,
    /// It saves itself before it ends.
    pub(crate) winds_down: bool,
    /// Results that are stored while it goes on, and when it does not end.
    pub(crate) so_far: Option<Box<dyn UnfinishedRun>>,
}

/// Watches one run, until it is dropped.
pub(crate) struct Watchdog {
    is_over: Arc<Mutex<bool>>,
}

impl Watchdog {
    /// Starts to watch.
    pub(crate) fn start(watched: WatchedRun) -> Result<Watchdog> {
        let is_over = Arc::new(Mutex::new(false));
        let end = watched.time.map(|(limit, _)| watched.clock.now().saturating_add(limit));
        let watch = WatchThread { watched, end, meter: MemoryMeter::new(), asked_at: None };
        let over = Arc::clone(&is_over);
        std::thread::Builder::new()
            .name("watchdog".to_owned())
            .spawn(move || watch.run(&over))
            .context("cannot start a thread")?;
        Ok(Watchdog { is_over })
    }
}

impl Drop for Watchdog {
    fn drop(&mut self) {
        *lock(&self.is_over) = true;
    }
}

fn lock(is_over: &Mutex<bool>) -> MutexGuard<'_, bool> {
    is_over.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The state of the watching thread.
struct WatchThread {
    watched: WatchedRun,
    end: Option<Duration>,
    meter: MemoryMeter,
    /// The time at which the run was asked to end.
    asked_at: Option<Duration>,
}

impl WatchThread {
    fn run(mut self, is_over: &Mutex<bool>) {
        let mut stored_at = self.watched.clock.now();
        loop {
            sleep(LOOKS_EVERY);
            // A run that ends now waits until the process has been ended, or goes on.
            let over = lock(is_over);
            if *over {
                return;
            }
            let late = self.look();
            let Some(so_far) = &self.watched.so_far else { continue };
            if let Some(reason) = late {
                so_far.give_up(reason);
            }
            let now = self.watched.clock.now();
            if now.saturating_sub(stored_at) >= STORED_EVERY && self.asked_at.is_none() {
                stored_at = now;
                so_far.store();
            }
        }
    }

    /// Looks once. Returns the reason for the end of a run that should have ended long ago.
    fn look(&mut self) -> Option<StopReason> {
        let WatchedRun { interrupt, clock, time, memory, spills, winds_down, so_far: _ } =
            &self.watched;
        let now = clock.now();
        if let (Some(end), Some((_, reason))) = (self.end, time)
            && now >= end
        {
            match winds_down {
                true => interrupt.wind_down(*reason),
                false => interrupt.stop(*reason),
            }
        }
        if let Some(limit) = memory {
            let most = limit.saturating_add(if *spills { limit / 2 } else { limit / 4 });
            let pressure = pressure(self.meter.resident_bytes(), *limit, most);
            // States that are written take more memory for a moment: nothing is left for that.
            let is_passing = pressure == MemoryPressure::FarAbove && interrupt.is_saving();
            interrupt.press(if is_passing { MemoryPressure::Above } else { pressure });
        }
        let reason = interrupt.stopping().or(interrupt.winding_down())?;
        if interrupt.is_saving() {
            // It is between two steps, and ends when it is saved.
            self.asked_at = None;
            return None;
        }
        let waited = now.saturating_sub(*self.asked_at.get_or_insert(now));
        if waited >= WINDING_DOWN {
            interrupt.stop(reason);
        }
        if waited >= ORDERLY {
            interrupt.leave();
        }
        (waited >= PATIENCE).then_some(reason)
    }
}

/// The pressure for some resident bytes. Above the limit, and up to the most, a step that makes something
/// grow may still finish.
fn pressure(resident: u64, limit: u64, most: u64) -> MemoryPressure {
    match resident {
        _ if resident <= limit => MemoryPressure::None,
        _ if resident <= most => MemoryPressure::Above,
        _ => MemoryPressure::FarAbove,
    }
}
