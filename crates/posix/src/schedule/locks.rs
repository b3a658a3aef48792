//! Misuse of locks, where the run looks for it (`--check locks`): a lock is released that is not held, or
//! that another thread holds; destroyed while it is held; or still held when its thread ends.
//!
//! The C library does not know who holds a mutex of the normal kind. So a thread keeps the locks that it has
//! asked for. What is not sure is no bug: an attempt that may have failed counts as holding the lock when it
//! is released, and not when the thread ends.
//!
//! Mutexes that check their owner themselves return an error, and are left alone.

use everett_interp::{Bug, BugKind, Flow, Halt, Interp, PathEnding, Reg, State};
use everett_ir::FuncId;

use super::interleave::peek;
use crate::kernel::{Guest, Kernel};
use crate::record::site_text;
use crate::state::asked_locks::{AskedLock, LockKind};

/// Offset of the word that says who has a mutex, and the bits of it that do.
const MUTEX_OWNER: u64 = 4;
const OWNER_BITS: u32 = 0x3fff_ffff;
/// The bits of a mutex's type that tell a normal one.
const MUTEX_KIND: u32 = 15;
/// The bits of a read-write lock that count its holders.
const HOLDERS: u32 = 0x7fff_ffff;

/// What a function does with a lock, which is its first argument unless it says otherwise.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum LockFunction {
    /// It returns when the thread has the lock.
    Acquire(LockKind),
    /// It may return without the lock.
    TryAcquire(LockKind),
    Release(LockKind),
    Destroy(LockKind),
    /// It releases a mutex, its second argument, and acquires it again.
    Wait,
    /// The running thread, or its process, ends.
    End,
}

/// Names of functions. Those of the second list count wherever they are called.
const FUNCTIONS: &[(&[&str], LockFunction)] = &[
    (&["pthread_mutex_lock", "mtx_lock"], LockFunction::Acquire(LockKind::Mutex)),
    (
        &["pthread_mutex_trylock", "pthread_mutex_timedlock", "mtx_trylock", "mtx_timedlock"],
        LockFunction::TryAcquire(LockKind::Mutex),
    ),
    (&["pthread_mutex_unlock", "mtx_unlock"], LockFunction::Release(LockKind::Mutex)),
    (&["pthread_mutex_destroy", "mtx_destroy"], LockFunction::Destroy(LockKind::Mutex)),
    (
        &["pthread_cond_wait", "pthread_cond_timedwait", "cnd_wait", "cnd_timedwait"],
        LockFunction::Wait,
    ),
    (
        &["pthread_rwlock_rdlock", "pthread_rwlock_wrlock"],
        LockFunction::Acquire(LockKind::ReadWrite),
    ),
    (
        &[
            "pthread_rwlock_tryrdlock",
            "pthread_rwlock_trywrlock",
            "pthread_rwlock_timedrdlock",
            "pthread_rwlock_timedwrlock",
        ],
        LockFunction::TryAcquire(LockKind::ReadWrite),
    ),
    (&["pthread_rwlock_unlock"], LockFunction::Release(LockKind::ReadWrite)),
    (&["pthread_rwlock_destroy"], LockFunction::Destroy(LockKind::ReadWrite)),
    (&["pthread_spin_lock"], LockFunction::Acquire(LockKind::Spin)),
    (&["pthread_spin_trylock"], LockFunction::TryAcquire(LockKind::Spin)),
    (&["pthread_spin_unlock"], LockFunction::Release(LockKind::Spin)),
    (&["pthread_spin_destroy"], LockFunction::Destroy(LockKind::Spin)),
    (&["_exit", "_Exit", "quick_exit"], LockFunction::End),
];
const ENDS_ANYWHERE: [&str; 2] = ["exit", "pthread_exit"];

impl LockKind {
    fn name(self) -> &'static str {
        match self {
            LockKind::Mutex => "mutex",
            LockKind::ReadWrite => "read-write lock",
            LockKind::Spin => "spin lock",
        }
    }
}

/// The function of a name. Some names stand for others within the C library, with underlines before them.
fn named(name: &str, is_called_by_library: bool) -> Option<LockFunction> {
    let name = name.strip_prefix("__").unwrap_or(name);
    if ENDS_ANYWHERE.contains(&name) {
        return Some(LockFunction::End);
    }
    let own = FUNCTIONS.iter().filter(|_| !is_called_by_library);
    { own }.find(|(names, _)| names.contains(&name)).map(|(_, function)| *function)
}

impl Kernel {
    /// Looks at a call that the running thread is about to make.
    pub fn check_locks<X: Guest>(
        &self,
        cx: &mut Interp<'_, X>,
        st: &mut State<X>,
        func: FuncId,
        args: [Reg; 2],
    ) -> Result<(), Halt> {
        if !st.extra.node().path.checks_locks {
            return Ok(());
        }
        let program = &cx.image.program;
        let is_in_library = program.function(st.stack.top().func).library;
        let Some(function) = named(&program.function(func).name, is_in_library) else {
            return Ok(());
        };
        let lock = match function {
            LockFunction::Wait => args[1].as_word(),
            _ => args[0].as_word(),
        };
        let problem = match (function, lock) {
            (LockFunction::End, _) => held_at_end(cx, st),
            // A lock at a symbolic address is settled inside of the function, by memory.
            (_, None) => None,
            (LockFunction::Acquire(kind), Some(lock)) => ask_for(st, kind, lock, true),
            (LockFunction::TryAcquire(kind), Some(lock)) => ask_for(st, kind, lock, false),
            (LockFunction::Wait, Some(lock)) => not_held(st, LockKind::Mutex, lock, "waits with"),
            (LockFunction::Release(kind), Some(lock)) => release(st, kind, lock),
            (LockFunction::Destroy(kind), Some(lock)) => destroyed(st, kind, lock),
        };
        let Some(LockProblem { message, lock }) = problem else { return Ok(()) };
        let mut bug = Bug::new(BugKind::LockMisuse, message);
        if let Ok(object) = st.mem.check(lock, 1) {
            bug = bug.about(cx.image.note(&object));
        }
        Err(Flow::End(PathEnding::Bug(Box::new(bug))).into())
    }
}

/// A lock that the running thread holds, and that its process has not inherited.
fn held_at_end<X: Guest>(cx: &Interp<'_, X>, st: &mut State<X>) -> Option<LockProblem> {
    let (pid, _) = st.extra.node().volatile.running;
    let asked = st.extra.node().thread().asked_locks.clone();
    let mut own = asked.into_iter().filter(|(_, asked)| asked.is_sure && asked.by == pid);
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
            let is_normal = word(lock)? & MUTEX_KIND == 0;
            let owner = word(lock + MUTEX_OWNER)? & OWNER_BITS;
            return is_normal.then_some(owner != 0);
        }
        LockKind::ReadWrite => word(lock)? & HOLDERS != 0,
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
    let asked = asked.or_insert(AskedLock { kind, by, is_sure, at, times: 0 });
    asked.times = if kind == LockKind::ReadWrite { asked.times + 1 } else { 1 };
    (asked.by, asked.is_sure, asked.at) = (by, asked.is_sure || is_sure, at);
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
        known.times -= 1;
        if known.times == 0 {
            asked.remove(&lock);
        }
    }
    problem
}

fn destroyed<X: Guest>(st: &mut State<X>, kind: LockKind, lock: u64) -> Option<LockProblem> {
    let message = format!("a {} is destroyed while it is locked", kind.name());
    is_held(st, kind, lock)?.then_some(LockProblem { message, lock })
}
