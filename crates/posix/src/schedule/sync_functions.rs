//! Functions of the C library by which threads synchronise: their names, when they can go on, and what
//! they touch.
//!
//! Each of them is one event, whatever it is made of. The words of memory that are looked at here are those
//! of musl's `pthread_mutex_t` and its relatives.

use smallvec::SmallVec;

use crate::state::thread_event::{EventPlace, EventTouch, Footprint, SyncFunction, TouchEffect};

/// Bytes of an object that stand for all of it: functions touch it as a whole.
const WHOLE_BYTES: u32 = 4;

/// Offset of the word that says who has a mutex.
pub(super) const MUTEX_OWNER: u64 = 4;
/// Offset of the word with its type, which is where glibc has it (`runtime-c/port/arch/pthread_impl.h`).
pub(super) const MUTEX_TYPE: u64 = 16;
/// The bits of the owner's thread number.
pub(super) const OWNER_BITS: u32 = 0x3fff_ffff;
/// The number of readers of a lock if there is a writer, which is also the bits of that number.
pub(super) const WRITER: u32 = 0x7fff_ffff;
/// The word of a `pthread_once_t` when its function has returned.
const ONCE_DONE: u32 = 2;

/// Names of functions, and which of [`SyncFunction`] they are.
const FUNCTIONS: &[(&[&str], SyncFunction)] = &[
    (&["pthread_mutex_lock", "__pthread_mutex_lock", "mtx_lock"], SyncFunction::MutexLock),
    (
        &["pthread_mutex_timedlock", "__pthread_mutex_timedlock", "mtx_timedlock"],
        SyncFunction::MutexTimedLock,
    ),
    (
        &["pthread_mutex_trylock", "__pthread_mutex_trylock", "mtx_trylock"],
        SyncFunction::MutexTryLock,
    ),
    (&["pthread_mutex_unlock", "__pthread_mutex_unlock", "mtx_unlock"], SyncFunction::MutexUnlock),
    (&["pthread_rwlock_rdlock", "__pthread_rwlock_rdlock"], SyncFunction::ReadLock),
    (&["pthread_rwlock_wrlock", "__pthread_rwlock_wrlock"], SyncFunction::WriteLock),
    (&["pthread_rwlock_tryrdlock", "__pthread_rwlock_tryrdlock"], SyncFunction::TryReadLock),
    (&["pthread_rwlock_trywrlock", "__pthread_rwlock_trywrlock"], SyncFunction::TryWriteLock),
    (&["pthread_rwlock_unlock", "__pthread_rwlock_unlock"], SyncFunction::RwUnlock),
    (&["pthread_spin_lock"], SyncFunction::SpinLock),
    (&["pthread_spin_trylock"], SyncFunction::SpinTryLock),
    (&["pthread_spin_unlock"], SyncFunction::SpinUnlock),
    (
        &[
            "pthread_cond_wait",
            "pthread_cond_timedwait",
            "__pthread_cond_timedwait",
            "cnd_wait",
            "cnd_timedwait",
        ],
        SyncFunction::ConditionWait,
    ),
    (
        &["pthread_cond_signal", "pthread_cond_broadcast", "cnd_signal", "cnd_broadcast"],
        SyncFunction::ConditionSignal,
    ),
    (&["sem_wait"], SyncFunction::SemaphoreWait),
    (&["sem_timedwait"], SyncFunction::SemaphoreTimedWait),
    (&["sem_trywait"], SyncFunction::SemaphoreTryWait),
    (&["sem_post"], SyncFunction::SemaphorePost),
    (&["sem_getvalue"], SyncFunction::SemaphoreValue),
    (&["pthread_barrier_wait"], SyncFunction::BarrierWait),
    (&["pthread_once", "__pthread_once", "call_once"], SyncFunction::Once),
    (&["everett_preempt_off", "everett_preemptions"], SyncFunction::Region),
];

/// The function of a name, if threads synchronise by it.
pub(crate) fn named(name: &str) -> Option<SyncFunction> {
    let (_, function) = FUNCTIONS.iter().find(|(names, _)| names.contains(&name))?;
    Some(*function)
}

/// The footprint of an event that may touch anything.
pub(crate) fn everything() -> Footprint {
    let (place, effect) = (EventPlace::Everything, TouchEffect::Writes);
    SmallVec::from_iter([EventTouch { place, effect }])
}

/// Reads words of memory; `None` for those that are symbolic or not there.
pub(crate) trait WordReader: FnMut(u64) -> Option<u32> {}

impl<F: FnMut(u64) -> Option<u32>> WordReader for F {}

impl SyncFunction {
    /// Returns true if the function can do what it is for now. One that cannot waits, and the order in which
    /// it began to wait cannot be told.
    pub(crate) fn is_enabled(self, object: u64, thread: u32, mut word: impl WordReader) -> bool {
        match self {
            SyncFunction::MutexLock => {
                let kind = word(object + MUTEX_TYPE).unwrap_or(0);
                let owner = word(object + MUTEX_OWNER).unwrap_or(0) & OWNER_BITS;
                // A mutex of another type than the normal one knows its owner, who is not held up.
                owner == 0 || (kind & 3 != 0 && owner == thread)
            }
            SyncFunction::ReadLock => word(object).is_none_or(|lock| lock & WRITER != WRITER),
            SyncFunction::WriteLock => word(object).is_none_or(|lock| lock & WRITER == 0),
            SyncFunction::SpinLock => word(object).is_none_or(|lock| lock == 0),
            SyncFunction::SemaphoreWait => word(object).is_none_or(|count| count as i32 > 0),
            SyncFunction::Once => word(object).is_none_or(|state| state == 0 || state == ONCE_DONE),
            _ => true,
        }
    }

    /// The places that the function touches, if it is called now.
    pub(crate) fn footprint(self, objects: [u64; 2], mut word: impl WordReader) -> Footprint {
        let [object, second] = objects;
        if self == SyncFunction::Region {
            return everything();
        }
        let mut lock = |offset: u64| word(object + offset).unwrap_or(0);
        let effect = match self {
            SyncFunction::MutexTryLock if lock(MUTEX_OWNER) & OWNER_BITS != 0 => TouchEffect::Reads,
            SyncFunction::SpinTryLock if lock(0) != 0 => TouchEffect::Reads,
            SyncFunction::TryReadLock if lock(0) & WRITER == WRITER => TouchEffect::Reads,
            SyncFunction::TryWriteLock if lock(0) & WRITER != 0 => TouchEffect::Reads,
            SyncFunction::SemaphoreTryWait if lock(0) as i32 <= 0 => TouchEffect::Reads,
            SyncFunction::SemaphoreValue => TouchEffect::Reads,
            SyncFunction::Once if lock(0) == ONCE_DONE => TouchEffect::Reads,
            SyncFunction::ReadLock | SyncFunction::TryReadLock => TouchEffect::Shares,
            SyncFunction::RwUnlock if lock(0) & WRITER != WRITER => TouchEffect::Shares,
            _ => TouchEffect::Writes,
        };
        let touch = |address, effect| EventTouch {
            place: EventPlace::Memory { address, bytes: WHOLE_BYTES },
            effect,
        };
        let mut footprint: Footprint = SmallVec::from_iter([touch(object, effect)]);
        if self == SyncFunction::ConditionWait {
            footprint.push(touch(second, TouchEffect::Writes));
        }
        footprint
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mutex_holds_up_all_but_the_owner_of_one_that_knows_it() {
        let enabled = |kind: u32, owner: u32, thread: u32| {
            let word =
                |address: u64| Some(if address == 0x100 + MUTEX_TYPE { kind } else { owner });
            SyncFunction::MutexLock.is_enabled(0x100, thread, word)
        };
        assert!(enabled(0, 0, 7));
        assert!(!enabled(0, 16, 7) && !enabled(1, 9, 7) && enabled(1, 7, 7));
        assert!(!enabled(1, 9 | 0x8000_0000, 7), "somebody else waits, too");
    }

    #[test]
    fn failed_attempts_only_read() {
        let held = |_: u64| Some(16);
        let effect = SyncFunction::MutexTryLock.footprint([0x100, 0], held)[0].effect;
        assert_eq!(effect, TouchEffect::Reads);
        let effect = SyncFunction::MutexTryLock.footprint([0x100, 0], |_| Some(0))[0].effect;
        assert_eq!(effect, TouchEffect::Writes);
    }
}
