//! [`Watchdog`]: a thread that raises the interrupt of a run when its time is up, or its memory.
//!
//! Everything that takes long looks at the interrupt, so nobody else has to read a clock. A run that has
//! been asked to end has a moment to do so between two steps; then it leaves the step that it is at. What
//! hears neither is foreign code in a solver, which is not waited for: the watchdog has the results so far
//! stored, and ends the process.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::sleep;
use std::time::Duration;

use anyhow::{Context, Result};
use everett_base::Interrupt;
use everett_base::interrupt::{MemoryPressure, StopReason};
use everett_engine::{Clock, Limits};

use super::so_far::ResultsSoFar;
use crate::clock::MemoryMeter;

/// How often the watchdog looks.
const LOOKS_EVERY: Duration = Duration::from_millis(10);
/// How often the results so far are stored.
const STORED_EVERY: Duration = Duration::from_secs(1);
/// How long a run may take to end between two steps.
const ORDERLY: Duration = Duration::from_millis(400);
/// How long it may take to end at all.
const PATIENCE: Duration = Duration::from_millis(800);

/// Watches one run, until it is dropped.
pub(crate) struct Watchdog {
    is_over: Arc<Mutex<bool>>,
}

impl Watchdog {
    /// Starts to watch.
    pub(crate) fn start(
        interrupt: Interrupt,
        clock: Clock,
        limits: &Limits,
        so_far: ResultsSoFar,
    ) -> Result<Watchdog> {
        let is_over = Arc::new(Mutex::new(false));
        let watch = Watch {
            end: limits.time.map(|limit| clock.now().saturating_add(limit)),
            memory: limits.memory,
            meter: MemoryMeter::new(),
            asked_at: None,
            clock,
            interrupt,
        };
        let over = Arc::clone(&is_over);
        std::thread::Builder::new()
            .name("watchdog".to_owned())
            .spawn(move || watch.run(&over, &so_far))
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

/// What the thread looks at.
struct Watch {
    interrupt: Interrupt,
    clock: Clock,
    end: Option<Duration>,
    memory: Option<u64>,
    meter: MemoryMeter,
    /// When the run was asked to end.
    asked_at: Option<Duration>,
}

impl Watch {
    fn run(mut self, is_over: &Mutex<bool>, so_far: &ResultsSoFar) {
        let mut stored_at = self.clock.now();
        loop {
            sleep(LOOKS_EVERY);
            // A run that ends now waits until the process has been ended, or goes on.
            let over = lock(is_over);
            if *over {
                return;
            }
            if let Some(reason) = self.look() {
                so_far.give_up(reason);
            }
            let now = self.clock.now();
            if now.saturating_sub(stored_at) >= STORED_EVERY && self.asked_at.is_none() {
                stored_at = now;
                so_far.store();
            }
        }
    }

    /// Looks once; why the run has to end, if it should have ended long ago.
    fn look(&mut self) -> Option<StopReason> {
        let now = self.clock.now();
        if self.end.is_some_and(|end| now >= end) {
            self.interrupt.stop(StopReason::Time);
        }
        if let Some(limit) = self.memory {
            self.interrupt.press(pressure(self.meter.resident_bytes(), limit));
        }
        let reason = self.interrupt.stopping()?;
        let waited = now.saturating_sub(*self.asked_at.get_or_insert(now));
        if waited >= ORDERLY {
            self.interrupt.leave();
        }
        (waited >= PATIENCE).then_some(reason)
    }
}

/// What is growing may still finish its step up to a quarter above the limit.
fn pressure(resident: u64, limit: u64) -> MemoryPressure {
    match resident {
        _ if resident <= limit => MemoryPressure::None,
        _ if resident <= limit.saturating_add(limit / 4) => MemoryPressure::Above,
        _ => MemoryPressure::FarAbove,
    }
}
