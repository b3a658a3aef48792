//! Misuse of locks, where the run looks for it (`--check locks`): a lock is released that is not held, or
//! that another thread holds; destroyed while it is held; or still held when its thread ends.
//!
//! The C library does not know who holds a mutex of the normal kind. So a thread keeps the locks that it has
//! asked for. What is not sure is no bug: an attempt that may have failed counts as holding the lock when it
//! is released, and not when the thread ends. A thread ends where it calls the kernel for it, after all
//! handlers.
//!
//! Mutexes that check their owner themselves return an error, and are left alone.

use everett_interp::{Bug, BugKind, Flow, Halt, Interp, PathEnding, Reg, State};
use everett_ir::FuncId;

use super::interleave::peek;
use super::sync_functions::{self, MUTEX_OWNER, MUTEX_TYPE, OWNER_BITS, WRITER};
use crate::kernel::{Guest, Kernel};
use crate::record::site_text;
use crate::state::asked_locks::{AskedLock, LockFunction, LockKind};
use crate::state::thread_event::SyncFunction;

/// The bits of a mutex's type that tell a normal one.
const MUTEX_KIND: u32 = 15;

/// Names of functions that are no events where orders are explored: [`sync_functions`] has the others.
const FUNCTIONS: &[(&[&str], LockFunction)] = &[
    (
        &[
            "pthread_rwlock_timedrdlock",
            "pthread_rwlock_timedwrlock",
            "__pthread_rwlock_timedrdlock",
            "__pthread_rwlock_timedwrlock",
            "pthread_rwlock_clockrdlock",
            "pthread_rwlock_clockwrlock",
        ],
        LockFunction::TryAcquire(LockKind::ReadWrite),
    ),
    (&["pthread_mutex_clocklock"], LockFunction::TryAcquire(LockKind::Mutex)),
    (&["pthread_cond_clockwait"], LockFunction::Wait),
    (&["pthread_mutex_destroy", "mtx_destroy"], LockFunction::Destroy(LockKind::Mutex)),
    (&["pthread_rwlock_destroy"], LockFunction::Destroy(LockKind::ReadWrite)),
    (&["pthread_spin_destroy"], LockFunction::Destroy(LockKind::Spin)),
];

impl LockKind {
    fn name(self) -> &'static str {
        match self {
            LockKind::Mutex => "mutex",
            LockKind::ReadWrite => "read-write lock",
            LockKind::Spin => "spin lock",
        }
    }
}

/// The function of a name.
fn named(name: &str) -> Option<LockFunction> {
    let Some(function) = sync_functions::named(name) else {
        let (_, function) = FUNCTIONS.iter().find(|(names, _)| names.contains(&name))?;
        return Some(*function);
    };
    Some(match function {
        SyncFunction::MutexLock => LockFunction::Acquire(LockKind::Mutex),
        SyncFunction::MutexTimedLock | SyncFunction::MutexTryLock => {
            LockFunction::TryAcquire(LockKind::Mutex)
        }
        SyncFunction::MutexUnlock => LockFunction::Release(LockKind::Mutex),
        SyncFunction::ReadLock | SyncFunction::WriteLock => {
            LockFunction::Acquire(LockKind::ReadWrite)
        }
        SyncFunction::TryReadLock | SyncFunction::TryWriteLock => {
            LockFunction::TryAcquire(LockKind::ReadWrite)
        }
        SyncFunction::RwUnlock => LockFunction::Release(LockKind::ReadWrite),
        SyncFunction::SpinLock => LockFunction::Acquire(LockKind::Spin),
        SyncFunction::SpinTryLock => LockFunction::TryAcquire(LockKind::Spin),
        SyncFunction::SpinUnlock => LockFunction::Release(LockKind::Spin),
        SyncFunction::ConditionWait => LockFunction::Wait,
        _ => return None,
    })
}

impl Kernel {
    /// Looks at a call that the running thread is about to make.
    pub fn check_locks<X: Guest>(
        &mut self,
        cx: &Interp<'_, X>,
        st: &mut State<X>,
        func: FuncId,
        args: [Reg; 2],
    ) -> Result<(), Halt> {
        if !st.extra.node().path.checks_locks {
            return Ok(());
        }
        let program = &cx.image.program;
        let name = || &program.function(func).name;
        let function =
            self.lock_functions.entry((st.program, func)).or_insert_with(|| named(name()));
        let Some(function) = *function else { return Ok(()) };
        let lock = match function {
            LockFunction::Wait => args[1].as_word(),
            _ => args[0].as_word(),
        };
        // A lock at a symbolic address is settled inside of the function, by memory.
        let Some(lock) = lock.filter(|_| !program.function(st.stack.top().func).library) else {
            return Ok(());
        };
        let problem = match function {
            LockFunction::Acquire(kind) => ask_for(st, kind, lock, true),
            LockFunction::TryAcquire(kind) => ask_for(st, kind, lock, false),
            LockFunction::Wait => not_held(st, LockKind::Mutex, lock, "waits with"),
            LockFunction::Release(kind) => release(st, kind, lock),
            LockFunction::Destroy(kind) => destroyed(st, kind, lock),
        };
        match problem {
            Some(problem) => Err(problem.end_of_path(cx, st).into()),
            None => Ok(()),
        }
    }

    /// The end of the path, if the running thread ends and still holds a lock. What the C library does for a
    /// thread that ends is done by now: it may have released locks.
    pub(crate) fn lock_kept_at_end<X: Guest>(
        &self,
        cx: &Interp<'_, X>,
        st: &mut State<X>,
    ) -> Option<Flow> {
        let is_checked = st.extra.node().path.checks_locks;
        let problem = is_checked.then(|| held_at_end(cx, st)).flatten()?;
        Some(problem.end_of_path(cx, st))
    }
}

impl LockProblem {
    fn end_of_path<X: Guest>(self, cx: &Interp<'_, X>, st: &State<X>) -> Flow {
        let mut bug = Bug::new(BugKind::LockMisuse, self.message);
        if let Ok(object) = st.mem.check(self.lock, 1) {
            bug = bug.about(cx.image.note(&object));
        }
        Flow::End(PathEnding::Bug(Box::new(bug)))
    }
}

/// A lock that the running thread holds, and that its process has not inherited.
fn held_at_end<X: Guest>(cx: &Interp<'_, X>, st: &mut State<X>) -> Option<LockProblem> {
    let (pid, _) = st.extra.node().volatile.running;
    let asked = st.extra.node().thread().asked_locks.clone();
    let mut own = asked.into_iter().filter(|(_, asked)| asked.least > 0 && asked.by == pid);
    let (lock, asked) = own.find(|(lock, asked)| is_held(st, asked.kind, *lock) == Some(true))?;
    let program = &cx.images.image(asked.at.0).program;
    let place = program.function_at(asked.at.1).map(|func| site_text(program, asked.at.1, func));
    let place = place.map_or(String::new(), |place| format!(", which it has locked in {place}"));
    let message = format!("the thread ends while it holds a {}{place}", asked.kind.name());
    Some(LockProblem { message, lock })
}

/// What is wrong with a call, and the address of its lock.
struct LockProblem {
    message: String,
    lock: u64,
}

/// Returns true if somebody holds a lock; `None` if it cannot be told, or is the lock's own business.
fn is_held<X: Guest>(st: &mut State<X>, kind: LockKind, lock: u64) -> Option<bool> {
    let (pid, _) = st.extra.node().volatile.running;
    let mut word = |address| peek(st, pid, address, 4).map(|word| word as u32);
    Some(match kind {
        LockKind::Mutex => {
            let is_normal = word(lock + MUTEX_TYPE)? & MUTEX_KIND == 0;
            let owner = word(lock + MUTEX_OWNER)? & OWNER_BITS;
            return is_normal.then_some(owner != 0);
        }
        LockKind::ReadWrite => word(lock)? & WRITER != 0,
        LockKind::Spin => word(lock)? != 0,
    })
}

/// The running thread asks for a lock.
fn ask_for<X: Guest>(
    st: &mut State<X>,
    kind: LockKind,
    lock: u64,
    is_sure: bool,
) -> Option<LockProblem> {
    let at = (st.program, st.pc());
    let node = st.extra.node_mut();
    let by = node.volatile.running.0;
    let asked = node.thread_mut().asked_locks.entry(lock);
    let asked = asked.or_insert(AskedLock { kind, by, at, least: 0, most: 0 });
    (asked.by, asked.at) = (by, at);
    asked.least += u32::from(is_sure);
    asked.most += 1;
    if kind != LockKind::ReadWrite {
        (asked.least, asked.most) = (asked.least.min(1), 1);
    }
    None
}

/// A lock that the running thread would have to hold, and does not.
fn not_held<X: Guest>(
    st: &mut State<X>,
    kind: LockKind,
    lock: u64,
    does: &str,
) -> Option<LockProblem> {
    let name = kind.name();
    let message = match is_held(st, kind, lock)? {
        false => format!("the thread {does} a {name} that is not locked"),
        true if !st.extra.node().thread().asked_locks.contains_key(&lock) => {
            format!("the thread {does} a {name} that another thread has locked")
        }
        true => return None,
    };
    Some(LockProblem { message, lock })
}

fn release<X: Guest>(st: &mut State<X>, kind: LockKind, lock: u64) -> Option<LockProblem> {
    let problem = not_held(st, kind, lock, "unlocks");
    let asked = &mut st.extra.node_mut().thread_mut().asked_locks;
    if let Some(known) = asked.get_mut(&lock) {
        (known.least, known.most) = (known.least.saturating_sub(1), known.most - 1);
        if known.most == 0 {
            asked.remove(&lock);
        }
    }
    problem
}

fn destroyed<X: Guest>(st: &mut State<X>, kind: LockKind, lock: u64) -> Option<LockProblem> {
    let message = format!("a {} is destroyed while it is locked", kind.name());
    is_held(st, kind, lock)?.then_some(LockProblem { message, lock })
}
