//! [`Interrupt`]: the wish that a run ends, which everything that takes long looks at.
//!
//! A wish comes in two steps. [`Interrupt::stop`] asks for an orderly end: whoever is between two pieces
//! of work takes up no other, and a query gives up. [`Interrupt::leave`] comes a moment later and is
//! for what is still at it: a walk over millions of terms, a copy of gigabytes. These have no result
//! for "not done", and need none, as nothing goes on behind them: [`Interrupt::check`] unwinds to
//! [`Interrupt::catch`], as rust-analyzer cancels what an edit has made pointless.
//!
//! A run that can be gone on with later is asked to wind down first ([`Interrupt::wind_down`]): between two
//! pieces of work it saves itself, and ends then. Nothing is given up for that, and whoever waits for the end
//! sees that it is saving itself ([`Interrupt::is_saving`]).
//!
//! Memory has two steps as well, which can be taken back: above its limit states are dropped between
//! two pieces of work; far above it whatever is growing is left.
//!
//! Not here: clocks and limits. The embedder decides when, from another thread.
//!
//! Invariant: an interrupt that nobody raises changes nothing, and costs one load where it is looked at.

use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicU8, Ordering};

const ASKED: u8 = 1;
const TIME: u8 = 1 << 1;
const LEAVE: u8 = 1 << 2;
const MEMORY: u8 = 1 << 3;
const MEMORY_FAR: u8 = 1 << 4;
const SAVE_ASKED: u8 = 1 << 5;
const SAVE_TIME: u8 = 1 << 6;
const SAVING: u8 = 1 << 7;

/// The reason for which a run is to end.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum StopReason {
    /// The user asked for it.
    Asked,
    /// The time is up.
    Time,
}

/// The relation of memory to its limit.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum MemoryPressure {
    /// Below the limit.
    None,
    /// Above it: states are dropped.
    Above,
    /// So far above it that what is growing is left in the midst of it.
    FarAbove,
}

/// The answer of [`Interrupt::catch`] when the work was left.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Left;

/// The wish that a run ends. Clones are the same wish.
#[derive(Clone, Debug, Default)]
pub struct Interrupt(Arc<InterruptBits>);

/// On a cache line of its own: all threads read it all the time, and hardly anybody writes it.
#[derive(Debug, Default)]
#[repr(align(128))]
struct InterruptBits(AtomicU8);

impl Interrupt {
    /// An interrupt that nobody has raised.
    pub fn new() -> Interrupt {
        Interrupt::default()
    }

    /// Asks for an orderly end. If there are several reasons, the user's wish counts.
    pub fn stop(&self, reason: StopReason) {
        let bit = match reason {
            StopReason::Asked => ASKED,
            StopReason::Time => TIME,
        };
        self.0.0.fetch_or(bit, Ordering::Relaxed);
    }

    /// The reason to stop, if there is one.
    pub fn stopping(&self) -> Option<StopReason> {
        match self.0.0.load(Ordering::Relaxed) {
            bits if bits & ASKED != 0 => Some(StopReason::Asked),
            bits if bits & TIME != 0 => Some(StopReason::Time),
            _ => None,
        }
    }

    /// Asks a run to save itself and to end then. Whoever is at work goes on until it is done.
    pub fn wind_down(&self, reason: StopReason) {
        let bit = match reason {
            StopReason::Asked => SAVE_ASKED,
            StopReason::Time => SAVE_TIME,
        };
        self.0.0.fetch_or(bit, Ordering::Relaxed);
    }

    /// The reason to wind down, if there is one.
    pub fn winding_down(&self) -> Option<StopReason> {
        match self.0.0.load(Ordering::Relaxed) {
            bits if bits & SAVE_ASKED != 0 => Some(StopReason::Asked),
            bits if bits & SAVE_TIME != 0 => Some(StopReason::Time),
            _ => None,
        }
    }

    /// Notes that a run begins or ends to save itself.
    pub fn set_saving(&self, is_saving: bool) {
        match is_saving {
            true => self.0.0.fetch_or(SAVING, Ordering::Relaxed),
            false => self.0.0.fetch_and(!SAVING, Ordering::Relaxed),
        };
    }

    /// Returns `true` while a run saves itself.
    pub fn is_saving(&self) -> bool {
        self.0.0.load(Ordering::Relaxed) & SAVING != 0
    }

    /// Lets whoever is still at work leave it; only after [`Interrupt::stop`].
    pub fn leave(&self) {
        debug_assert!(self.stopping().is_some(), "an orderly end is asked for first");
        self.0.0.fetch_or(LEAVE, Ordering::Relaxed);
    }

    /// Returns `true` if work is to be left.
    pub fn is_leaving(&self) -> bool {
        self.0.0.load(Ordering::Relaxed) & LEAVE != 0
    }

    /// Notes how memory stands to its limit.
    pub fn press(&self, pressure: MemoryPressure) {
        let bits = match pressure {
            MemoryPressure::None => 0,
            MemoryPressure::Above => MEMORY,
            MemoryPressure::FarAbove => MEMORY | MEMORY_FAR,
        };
        self.0.0.fetch_or(bits, Ordering::Relaxed);
        self.0.0.fetch_and(!(MEMORY | MEMORY_FAR) | bits, Ordering::Relaxed);
    }

    /// Returns the relation of memory to its limit.
    pub fn pressure(&self) -> MemoryPressure {
        match self.0.0.load(Ordering::Relaxed) {
            bits if bits & MEMORY_FAR != 0 => MemoryPressure::FarAbove,
            bits if bits & MEMORY != 0 => MemoryPressure::Above,
            _ => MemoryPressure::None,
        }
    }

    /// Returns `true` if there is anything to be looked at between two pieces of work.
    #[inline]
    pub fn is_raised(&self) -> bool {
        self.0.0.load(Ordering::Relaxed) & !SAVING != 0
    }

    /// Returns `true` if something may be left out by now: the run ends, or memory is above its limit.
    pub fn is_pressing(&self) -> bool {
        self.0.0.load(Ordering::Relaxed) & (ASKED | TIME | LEAVE | MEMORY | MEMORY_FAR) != 0
    }

    /// Returns `true` if a query is to give up: the run ends, or memory is far above its limit.
    pub fn gives_up(&self) -> bool {
        self.0.0.load(Ordering::Relaxed) & (ASKED | TIME | LEAVE | MEMORY_FAR) != 0
    }

    /// Leaves the work if that is wished; what long walks call at each step.
    #[inline]
    pub fn check(&self) {
        if self.0.0.load(Ordering::Relaxed) & LEAVE != 0 {
            unwind();
        }
    }

    /// Leaves the work also if memory is far above its limit; for what makes memory grow.
    #[inline]
    pub fn check_growth(&self) {
        if self.0.0.load(Ordering::Relaxed) & (LEAVE | MEMORY_FAR) != 0 {
            unwind();
        }
    }

    /// Does some work, which may be left. What it was changing is then half changed, and must not be used
    /// any more.
    pub fn catch<R>(work: impl FnOnce() -> R) -> Result<R, Left> {
        catch_unwind(AssertUnwindSafe(work)).or_else(|payload| match payload.downcast::<Left>() {
            Ok(left) => Err(*left),
            Err(panic) => resume_unwind(panic),
        })
    }
}

/// Not a panic: no message is printed.
#[cold]
fn unwind() -> ! {
    resume_unwind(Box::new(Left))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn work_goes_on_until_it_is_to_be_left() {
        let interrupt = Interrupt::new();
        let other = interrupt.clone();
        let walk = || (0..10).inspect(|_| interrupt.check()).count();
        assert_eq!(Interrupt::catch(walk), Ok(10));
        assert!(!interrupt.is_raised());
        other.stop(StopReason::Time);
        assert_eq!(Interrupt::catch(walk), Ok(10));
        assert!(interrupt.is_raised() && interrupt.gives_up());
        other.leave();
        assert_eq!(Interrupt::catch(walk), Err(Left));
        assert_eq!(interrupt.stopping(), Some(StopReason::Time));
    }

    #[test]
    fn wish_of_the_user_comes_before_the_time() {
        let interrupt = Interrupt::new();
        interrupt.stop(StopReason::Time);
        interrupt.stop(StopReason::Asked);
        assert_eq!(interrupt.stopping(), Some(StopReason::Asked));
    }

    #[test]
    fn winding_down_gives_nothing_up() {
        let interrupt = Interrupt::new();
        interrupt.wind_down(StopReason::Time);
        assert_eq!(interrupt.winding_down(), Some(StopReason::Time));
        assert!(interrupt.is_raised() && !interrupt.gives_up() && !interrupt.is_pressing());
        assert_eq!(interrupt.stopping(), None);
        interrupt.set_saving(true);
        assert!(interrupt.is_saving());
        interrupt.set_saving(false);
        interrupt.wind_down(StopReason::Asked);
        assert_eq!(
            (interrupt.winding_down(), interrupt.is_saving()),
            (Some(StopReason::Asked), false)
        );
    }

    #[test]
    fn pressure_of_memory_can_be_taken_back() {
        let interrupt = Interrupt::new();
        interrupt.press(MemoryPressure::FarAbove);
        assert_eq!(interrupt.pressure(), MemoryPressure::FarAbove);
        assert_eq!(Interrupt::catch(|| interrupt.check()), Ok(()));
        assert_eq!(Interrupt::catch(|| interrupt.check_growth()), Err(Left));
        interrupt.press(MemoryPressure::Above);
        assert_eq!(interrupt.pressure(), MemoryPressure::Above);
        assert_eq!(Interrupt::catch(|| interrupt.check_growth()), Ok(()));
        assert!(interrupt.is_raised() && !interrupt.gives_up());
        interrupt.press(MemoryPressure::None);
        assert!(!interrupt.is_raised());
    }

    #[test]
    fn panics_are_not_taken_for_work_that_was_left() {
        let panic = std::panic::catch_unwind(|| Interrupt::catch(|| panic!("as expected")));
        assert!(panic.is_err());
    }
}
