//! Semaphores of System V: [`SemaphoreSet`].

use std::collections::BTreeMap;

use crate::state::ids::Pid;

/// The most that a semaphore counts to.
pub(crate) const MOST_VALUE: i32 = 32767;

/// A set of semaphores, on which operations are atomic together.
#[derive(Clone, Debug, Default)]
pub(crate) struct SemaphoreSet {
    pub(crate) semaphores: Vec<Semaphore>,
    /// Changes that are made when a process ends (`SEM_UNDO`).
    pub(crate) undo: BTreeMap<(Pid, u16), i32>,
    /// Seconds since 1970 of the last operation; 0 for none.
    pub(crate) operated_s: i64,
}

everett_base::portable!(struct SemaphoreSet { semaphores, undo, operated_s });

/// One of them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Semaphore {
    pub(crate) value: i32,
    /// The process that has changed it last, or waited for it.
    pub(crate) last_user: u32,
}

everett_base::portable!(struct Semaphore { value, last_user });

/// An operation on a semaphore (`struct sembuf`).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct SemaphoreOperation {
    pub(crate) number: u16,
    /// The change; 0 waits until the semaphore is 0.
    pub(crate) change: i32,
    pub(crate) is_undone: bool,
    pub(crate) may_wait: bool,
}

/// The outcome of operations.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum SemaphoreOutcome {
    Done,
    /// The operation at this position has to wait; nothing was changed.
    Waits(usize),
    /// A value or a change to undo would be too large; nothing was changed.
    OutOfRange,
}

impl SemaphoreSet {
    /// A set of so many semaphores, all 0.
    pub(crate) fn new(count: usize) -> SemaphoreSet {
        SemaphoreSet { semaphores: vec![Semaphore::default(); count], ..SemaphoreSet::default() }
    }

    /// Makes all operations of a process, or none. Their numbers are below the number of semaphores.
    pub(crate) fn operate(
        &mut self,
        who: Pid,
        operations: &[SemaphoreOperation],
    ) -> SemaphoreOutcome {
        let mut semaphores = self.semaphores.clone();
        let mut undo = self.undo.clone();
        for (at, operation) in operations.iter().enumerate() {
            let Semaphore { value, last_user } = &mut semaphores[usize::from(operation.number)];
            let changed = *value + operation.change;
            if changed < 0 || (operation.change == 0 && *value != 0) {
                return SemaphoreOutcome::Waits(at);
            }
            if changed > MOST_VALUE {
                return SemaphoreOutcome::OutOfRange;
            }
            if operation.is_undone && operation.change != 0 {
                let sum = undo.entry((who, operation.number)).or_default();
                *sum -= operation.change;
                if !(-MOST_VALUE - 1..=MOST_VALUE).contains(sum) {
                    return SemaphoreOutcome::OutOfRange;
                }
            }
            (*value, *last_user) = (changed, who.0);
        }
        undo.retain(|_, sum| *sum != 0);
        (self.semaphores, self.undo) = (semaphores, undo);
        SemaphoreOutcome::Done
    }

    /// Sets a semaphore, which then has nothing to undo.
    pub(crate) fn set(&mut self, who: Pid, number: u16, value: i32) {
        self.semaphores[usize::from(number)] = Semaphore { value, last_user: who.0 };
        self.undo.retain(|(_, of), _| *of != number);
    }

    /// Undoes what a process that ends has asked to be undone. Returns true if that was anything.
    pub(crate) fn undo_of(&mut self, who: Pid) -> bool {
        let own: Vec<(u16, i32)> = { self.undo.iter() }
            .filter(|((pid, _), _)| *pid == who)
            .map(|((_, number), sum)| (*number, *sum))
            .collect();
        for (number, sum) in &own {
            let semaphore = &mut self.semaphores[usize::from(*number)];
            semaphore.value = (semaphore.value + sum).clamp(0, MOST_VALUE);
            semaphore.last_user = who.0;
        }
        self.undo.retain(|(pid, _), _| *pid != who);
        !own.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn operation(number: u16, change: i32) -> SemaphoreOperation {
        SemaphoreOperation { number, change, is_undone: true, may_wait: true }
    }

    #[test]
    fn all_operations_are_made_or_none() {
        let mut set = SemaphoreSet::new(2);
        let (one, two) = (Pid(1), Pid(2));
        assert_eq!(set.operate(one, &[operation(0, 2)]), SemaphoreOutcome::Done);
        let both = [operation(0, -1), operation(1, -1)];
        assert_eq!(set.operate(two, &both), SemaphoreOutcome::Waits(1));
        assert_eq!(set.semaphores[0].value, 2, "nothing was changed");
        assert_eq!(set.operate(two, &[operation(1, 0), operation(0, -2)]), SemaphoreOutcome::Done);
        assert_eq!(set.operate(two, &[operation(1, MOST_VALUE + 1)]), SemaphoreOutcome::OutOfRange);
    }

    #[test]
    fn a_process_that_ends_undoes_what_it_has_done() {
        let mut set = SemaphoreSet::new(1);
        set.set(Pid(1), 0, 3);
        set.operate(Pid(2), &[operation(0, -2)]);
        assert!(set.undo_of(Pid(2)) && !set.undo_of(Pid(2)));
        assert_eq!(set.semaphores[0], Semaphore { value: 3, last_user: 2 });
        set.operate(Pid(2), &[operation(0, -2)]);
        set.set(Pid(1), 0, 7);
        assert!(!set.undo_of(Pid(2)), "a value that was set is not changed any more");
    }
}
