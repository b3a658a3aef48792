//! Signals: sending them, and what waits for a thread.
//!
//! Not here: what is done about them when a thread leaves the kernel (`schedule/deliver.rs`).

use everett_interp::Reg;
use linux_raw_sys::general as linux;
use syscalls::{Errno, Sysno};

use crate::calls::{self, AfterSignal};
use crate::state::ids::{Pid, ThreadKey, Tid};
use crate::state::node::{Node, thread_mut};
use crate::state::process::signals::{SIG_DFL, SIG_IGN, SigSet, SignalInfo, UNSTOPPABLE, bit};
use crate::state::process::status::{CLD_CONTINUED, WaitStatus};
use crate::state::wait::Wait;

/// The default action of a signal.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum DefaultAction {
    Ignore,
    Stop,
    Continue,
    End,
    /// Ends the process and would leave a core: a crash.
    Crash,
}

pub(crate) fn default_of(signal: u32) -> DefaultAction {
    match signal {
        linux::SIGCHLD | linux::SIGURG | linux::SIGWINCH => DefaultAction::Ignore,
        linux::SIGSTOP | linux::SIGTSTP | linux::SIGTTIN | linux::SIGTTOU => DefaultAction::Stop,
        linux::SIGCONT => DefaultAction::Continue,
        linux::SIGQUIT
        | linux::SIGILL
        | linux::SIGTRAP
        | linux::SIGABRT
        | linux::SIGBUS
        | linux::SIGFPE
        | linux::SIGSEGV
        | linux::SIGXCPU
        | linux::SIGXFSZ
        | linux::SIGSYS => DefaultAction::Crash,
        _ => DefaultAction::End,
    }
}

/// Name of a signal.
pub(crate) fn name(signal: u32) -> String {
    const NAMES: [&str; 31] = [
        "HUP", "INT", "QUIT", "ILL", "TRAP", "ABRT", "BUS", "FPE", "KILL", "USR1", "SEGV", "USR2",
        "PIPE", "ALRM", "TERM", "STKFLT", "CHLD", "CONT", "STOP", "TSTP", "TTIN", "TTOU", "URG",
        "XCPU", "XFSZ", "VTALRM", "PROF", "WINCH", "IO", "PWR", "SYS",
    ];
    match NAMES.get((signal as usize).wrapping_sub(1)) {
        Some(name) => format!("SIG{name}"),
        None => format!("signal {signal}"),
    }
}

/// Signals that wait for a thread, blocked or not.
pub(crate) fn pending(node: &Node, who: ThreadKey) -> SigSet {
    let Some(process) = node.find(who.0) else { return 0 };
    let own = process.thread(who.1).map_or(0, |thread| thread.pending.set());
    own | process.pending.set()
}

/// Returns true if a thread has a signal that it must do something about.
pub(crate) fn has_deliverable(node: &Node, who: ThreadKey) -> bool {
    let Some(thread) = node.find(who.0).and_then(|process| process.thread(who.1)) else {
        return false;
    };
    pending(node, who) & !(thread.mask & !UNSTOPPABLE) != 0
}

/// Returns true if a thread is about to be killed.
pub(crate) fn is_killed(node: &Node, who: ThreadKey) -> bool {
    pending(node, who) & bit(linux::SIGKILL) != 0
}

/// Returns true if a process takes no notice of a signal.
fn is_ignored(process: &crate::state::process::Process, signal: u32) -> bool {
    match process.actions.get(signal).handler {
        SIG_IGN => bit(signal) & UNSTOPPABLE == 0,
        SIG_DFL => default_of(signal) == DefaultAction::Ignore,
        _ => false,
    }
}

/// Forgets a signal that waits if the process ignores it from now on.
pub(crate) fn forget_ignored(process: &mut crate::state::process::Process, signal: u32) {
    if is_ignored(process, signal) {
        process.pending.discard(bit(signal));
        process.threads_mut().for_each(|thread| thread.pending.discard(bit(signal)));
    }
}

/// Sends a signal to a process, or to one thread of it.
pub(crate) fn send(
    node: &mut Node,
    to: Pid,
    only: Option<Tid>,
    info: SignalInfo,
) -> Result<(), Errno> {
    let process = node.find_mut(to).ok_or(Errno::ESRCH)?;
    if process.is_zombie() {
        return Ok(());
    }
    let stops = [linux::SIGSTOP, linux::SIGTSTP, linux::SIGTTIN, linux::SIGTTOU];
    let stops = stops.iter().fold(0, |set, signal| set | bit(*signal));
    let cancelled = match info.signal {
        linux::SIGCONT => stops,
        signal if stops & bit(signal) != 0 => bit(linux::SIGCONT),
        _ => 0,
    };
    if cancelled != 0 {
        process.pending.discard(cancelled);
        process.threads_mut().for_each(|thread| thread.pending.discard(cancelled));
    }
    let continued = info.signal == linux::SIGCONT && process.stopped;
    if continued {
        process.stopped = false;
        process.news = Some(WaitStatus::Continued);
    }
    let parent = process.parent;
    let blocked = |tid: &Tid| process.threads[tid].mask & bit(info.signal) != 0;
    let blocked = match only {
        Some(tid) => process.threads.contains_key(&tid) && blocked(&tid),
        None => process.threads.keys().all(blocked),
    };
    let ignored = is_ignored(process, info.signal) && !blocked;
    if continued {
        tell_of_stop(node, parent, to, CLD_CONTINUED, linux::SIGCONT);
        node.changed();
    }
    if ignored {
        return Ok(());
    }
    let process = node.find_mut(to).ok_or(Errno::ESRCH)?;
    match only {
        Some(tid) => {
            process.thread_mut(tid).ok_or(Errno::ESRCH)?.pending.add(info)?;
        }
        None => process.pending.add(info)?,
    }
    node.changed();
    Ok(())
}

/// Tells a parent that a child was stopped or goes on, unless it does not want to know.
pub(crate) fn tell_of_stop(node: &mut Node, parent: Pid, child: Pid, code: i32, signal: u32) {
    let uid = node.find(child).map_or(0, |process| process.ids.real_uid);
    let silent = u64::from(linux::SA_NOCLDSTOP);
    let wants =
        |p: &crate::state::process::Process| p.actions.get(linux::SIGCHLD).flags & silent == 0;
    if node.find(parent).is_some_and(wants) {
        let value = Reg::word(signal.into());
        let info = SignalInfo { signal: linux::SIGCHLD, code, pid: child.0, uid, value };
        // A parent whose queue is full misses it.
        let _ = send(node, parent, None, info);
    }
}

/// The signal that the kernel itself sends.
pub(crate) fn from_kernel(signal: u32) -> SignalInfo {
    const SI_KERNEL: i32 = 0x80;
    SignalInfo { signal, code: SI_KERNEL, pid: 0, uid: 0, value: Reg::word(0) }
}

/// The signal that a thread gets next.
pub(crate) fn first_deliverable(node: &Node, who: ThreadKey) -> Option<u32> {
    let thread = node.find(who.0)?.thread(who.1)?;
    let set = pending(node, who) & !(thread.mask & !UNSTOPPABLE);
    (set != 0).then(|| set.trailing_zeros() + 1)
}

pub(crate) fn take_deliverable(node: &mut Node) -> Option<SignalInfo> {
    let who = node.volatile.running;
    let signal = first_deliverable(node, who)?;
    let own = thread_mut(node, who)?.pending.take(bit(signal));
    own.or_else(|| node.process_mut().pending.take(bit(signal)))
}

/// Returns true if some handler of the program would end a wait of the running thread in a call with `EINTR`.
pub(crate) fn can_interrupt(node: &Node, call: Sysno, wait: &Wait) -> bool {
    let mask = node.thread().mask;
    let actions = &node.process().actions;
    let restarts = is_restarted(call, Some(wait));
    (1..=64).filter(|signal| mask & bit(*signal) == 0).any(|signal| {
        let action = actions.get(signal);
        let handled = !matches!(action.handler, SIG_DFL | SIG_IGN);
        handled && !(restarts && action.flags & u64::from(linux::SA_RESTART) != 0)
    })
}

/// Returns true if a call whose wait is interrupted is executed again after a handler with `SA_RESTART`.
pub(crate) fn is_restarted(call: Sysno, wait: Option<&Wait>) -> bool {
    match calls::facts(call).after_signal {
        AfterSignal::Ends => false,
        AfterSignal::Restarts => true,
        AfterSignal::Untimed => wait.is_none_or(|wait| wait.deadline.is_none()),
    }
}
