//! Processes and threads: beginning, ending, waiting for.

use std::collections::BTreeMap;
use std::sync::Arc;

use everett_expr::Pool;
use everett_interp::{Flow, Interp, PathEnding, Reg, State, Stop, ThreadContext};
use everett_ir::{FuncId, GlobalId};
use everett_memory::{AddressSpace, ByteValue, ObjectKind};
use linux_raw_sys::general as linux;
use syscalls::{Errno, Sysno};

use super::futex;
use super::signal::write_info;
use crate::config::ThreadMode;
use crate::kernel::call::Call;
use crate::kernel::reply::{Answer, CallHalt, Reply};
use crate::kernel::{Guest, Kernel, unsupported};
use crate::signal;
use crate::state::ids::{Pid, Tid};
use crate::state::node::Node;
use crate::state::process::signals::{PendingSignals, SIG_IGN, SignalInfo};
use crate::state::process::status::WaitStatus;
use crate::state::process::{Process, Thread};
use crate::state::wait::{Wait, WaitEvent};

/// Bytes of `struct rusage`.
const RUSAGE_BYTES: usize = 144;

pub(crate) fn set_tid_address<X: Guest>(call: &mut Call<'_, '_, X>) -> Answer {
    let address = call.arg(0)?;
    let node = call.node_mut();
    node.thread_mut().clear_tid = address;
    Ok(Reply::Value(node.volatile.running.1.0.into()))
}

pub(crate) fn sched_yield<X: Guest>(call: &mut Call<'_, '_, X>) -> Answer {
    call.cx.complete_call(call.st, Reg::word(0));
    call.kernel.note_yield(call.cx, call.st);
    Ok(Reply::Control(call.kernel.yield_now(call.cx, call.st, false)?))
}

// ---- beginning -----------------------------------------------------------------------------

pub(crate) fn fork<X: Guest>(call: &mut Call<'_, '_, X>) -> Answer {
    let memory = call.st.mem.fork();
    let context = copy_returning_zero(call);
    let pid = new_process(call, linux::SIGCHLD as u8, memory, context)?;
    call.kernel.threads_changed(call.cx.images, call.st);
    Ok(Reply::Value(pid.0.into()))
}

/// Like `fork`, but the parent waits until the child ends or executes another program. The child has
/// its own memory: what it may do with its parent's is next to nothing.
pub(crate) fn vfork<X: Guest>(call: &mut Call<'_, '_, X>) -> Answer {
    let memory = call.st.mem.fork();
    let context = copy_returning_zero(call);
    let pid = new_process(call, linux::SIGCHLD as u8, memory, context)?;
    // The call is over when the parent goes on.
    call.cx.complete_call(call.st, Reg::word(pid.0.into()));
    if call.node().is_recorded() {
        call.kernel.note_end(call.cx, call.st, pid.0.into(), true);
    }
    let wait = Wait::until(WaitEvent::Executed(pid));
    Ok(Reply::Control(call.kernel.block(call.cx, call.st, Sysno::vfork, wait)?))
}

/// The raw call: only what `fork` does, because a new stack means nothing here.
pub(crate) fn clone_call<X: Guest>(call: &mut Call<'_, '_, X>) -> Answer {
    let flags = call.arg(0)?;
    let signal = flags as u32 & linux::CSIGNAL;
    let known = linux::CLONE_CHILD_SETTID | linux::CLONE_CHILD_CLEARTID | linux::CSIGNAL;
    let known = known | linux::CLONE_PARENT_SETTID;
    call.reject_flags(flags & !u64::from(known))?;
    let (parent_tid, child_tid) = (call.arg(2)?, call.arg(3)?);
    if flags as u32 & linux::CLONE_PARENT_SETTID != 0 {
        call.check_writable(parent_tid, 4)?;
    }
    let memory = call.st.mem.fork();
    let context = copy_returning_zero(call);
    let pid = new_process(call, signal as u8, memory, context)?;
    if flags as u32 & linux::CLONE_PARENT_SETTID != 0 {
        call.write_u32(parent_tid, pid.0)?;
    }
    if flags as u32 & linux::CLONE_CHILD_SETTID != 0
        && let Some(memory) = call.node_mut().find_mut(pid).and_then(|p| p.memory.as_mut())
    {
        // A bad address is the child's to find out, as on Linux.
        let _ = memory.write_bytes(child_tid, &pid.0.to_le_bytes());
    }
    if flags as u32 & linux::CLONE_CHILD_CLEARTID != 0
        && let Some(child) = call.node_mut().find_mut(pid)
        && let Some(thread) = child.threads_mut().next()
    {
        thread.clear_tid = child_tid;
    }
    call.kernel.threads_changed(call.cx.images, call.st);
    Ok(Reply::Value(pid.0.into()))
}

/// A copy of the running thread in which the system call has returned 0.
fn copy_returning_zero<X: Guest>(call: &mut Call<'_, '_, X>) -> ThreadContext {
    let mut copy = call.st.copy_thread();
    call.st.swap_thread(&mut copy);
    call.cx.complete_call(call.st, Reg::word(0));
    call.st.swap_thread(&mut copy);
    copy
}

/// Checks that the node may have one more thread.
fn check_room<X: Guest>(call: &Call<'_, '_, X>) -> Result<(), Errno> {
    let most = u64::from(call.kernel.config.max_threads);
    let most = call.node().path.faults.config().processes.map_or(most, |own| own.min(most));
    let count = call.node().thread_count() as u64;
    if count < most { Ok(()) } else { Err(Errno::EAGAIN) }
}

/// Adds a child of the running process: a copy of it with one thread.
fn new_process<X: Guest>(
    call: &mut Call<'_, '_, X>,
    exit_signal: u8,
    memory: AddressSpace,
    context: ThreadContext,
) -> Result<Pid, CallHalt> {
    check_room(call)?;
    let node = call.node_mut();
    let number = node.new_number();
    let (parent, _) = node.volatile.running;
    node.order_events(Tid(number));
    let Thread { mask, alternative_stack, asked_locks, .. } = node.thread();
    let thread = Thread {
        context: Some(Arc::new(context)),
        mask: *mask,
        alternative_stack: *alternative_stack,
        asked_locks: asked_locks.clone(),
        ..Thread::default()
    };
    let child = Process {
        parent,
        memory: Some(memory),
        threads: BTreeMap::from([(Tid(number), Arc::new(thread))]),
        pending: PendingSignals::default(),
        alarm: None,
        timers: Default::default(),
        settings: node.process().settings.for_child(),
        ended: None,
        news: None,
        executed: false,
        exit_signal,
        api_calls: Default::default(),
        ..node.process().clone()
    };
    let files: Vec<_> = child.descriptors.iter().map(|(_, entry)| entry.file).collect();
    files.into_iter().for_each(|file| node.retain_file(file));
    crate::sys::memory::inherited(node);
    node.volatile.processes.insert(Pid(number), Arc::new(child));
    Ok(Pid(number))
}

/// `clone` of the C library; two of its arguments are more than a system call has.
pub(crate) fn clone_function<X: Guest>(
    call: &mut Call<'_, '_, X>,
    thread_pointer: Reg,
    child_tid: Reg,
) -> Answer {
    let address = call.arg(0)?;
    let Some(function) = call.cx.image.function_at(address) else {
        return Err(Errno::EINVAL.into());
    };
    let flags = call.arg(2)?;
    let (argument, parent_tid) = (call.reg(3), call.arg(4)?);
    let (pointer, child_tid) = (call.settle(thread_pointer)?, call.settle(child_tid)?);
    let bits = flags as u32;
    let thread = linux::CLONE_VM | linux::CLONE_THREAD;
    let known = thread
        | linux::CLONE_FS
        | linux::CLONE_FILES
        | linux::CLONE_SIGHAND
        | linux::CLONE_SYSVSEM
        | linux::CLONE_SETTLS
        | linux::CLONE_PARENT_SETTID
        | linux::CLONE_CHILD_CLEARTID
        | linux::CLONE_DETACHED
        | linux::CSIGNAL;
    call.reject_flags(flags & !u64::from(known))?;
    if bits & linux::CLONE_PARENT_SETTID != 0 {
        call.check_writable(parent_tid, 4)?;
    }
    if bits & thread != thread {
        return Err(call.unsupported("a process that shares its parent's memory"));
    }
    call.refuse_thread()?;
    let context = new_context(call, function, argument, bits, pointer)?;
    let node = call.node_mut();
    let tid = Tid(node.new_number());
    let mask = node.thread().mask;
    let clear_tid = if bits & linux::CLONE_CHILD_CLEARTID != 0 { child_tid } else { 0 };
    let thread = Thread { context: Some(Arc::new(context)), mask, clear_tid, ..Thread::default() };
    node.process_mut().threads.insert(tid, Arc::new(thread));
    let parent = node.volatile.running;
    if node.path.thread_mode != ThreadMode::Unwatched {
        call.kernel.take_accesses(call.st);
        let volatile = &mut call.node_mut().volatile;
        volatile.races.start(parent, (parent.0, tid));
        volatile.events.order(parent.1, tid);
    }
    if bits & linux::CLONE_PARENT_SETTID != 0 {
        call.write_u32(parent_tid, tid.0)?;
    }
    call.kernel.threads_changed(call.cx.images, call.st);
    Ok(Reply::Value(tid.0.into()))
}

/// A thread that is about to call a function, with its own instances of thread-local variables.
fn new_context<X: Guest>(
    call: &mut Call<'_, '_, X>,
    function: FuncId,
    argument: Reg,
    bits: u32,
    pointer: u64,
) -> Result<ThreadContext, CallHalt> {
    check_room(call)?;
    let locals = thread_locals(call)?;
    let inherited = call.st.thread_pointer;
    let mut context = ThreadContext::new();
    call.st.swap_thread(&mut context);
    call.cx.enter(call.st, function, &[argument]);
    call.st.thread_pointer = if bits & linux::CLONE_SETTLS != 0 { pointer } else { inherited };
    call.st.set_locals(locals);
    call.st.swap_thread(&mut context);
    Ok(context)
}

/// New instances of the program's thread-local variables, with their first values.
fn thread_locals<X: Guest>(
    call: &mut Call<'_, '_, X>,
) -> Result<BTreeMap<GlobalId, u64>, CallHalt> {
    let image = call.cx.image;
    let site = image.site(call.st.pc());
    let mut instances = BTreeMap::new();
    for (i, global) in image.program.globals.iter().enumerate() {
        if !global.thread_local {
            continue;
        }
        let id = GlobalId::from_index(i);
        let address = call.st.mem.alloc(global.size, global.align.into(), ObjectKind::Global, site);
        let Ok(address) = address else { return Err(Errno::ENOMEM.into()) };
        let bytes = image.initial_bytes(id);
        call.write_concrete(address, &bytes)?;
        instances.insert(id, address);
    }
    Ok(instances)
}

// ---- ending --------------------------------------------------------------------------------

/// The wait status of a process that exits by itself with this value, of which the low byte counts.
pub(crate) fn exit_status<X: Guest>(cx: &Interp<'_, X>, st: &State<X>, value: Reg) -> WaitStatus {
    let Some(term) = value.term() else {
        return WaitStatus::Exited(ByteValue::Concrete(value.bits() as u8));
    };
    // A result can be large, and few programs look at it: it is not simplified here.
    WaitStatus::Exited(match st.path.settled_value(cx.pool, term) {
        Some(code) => ByteValue::Concrete(code as u8),
        None => ByteValue::Symbolic(cx.resize(term, 8)),
    })
}

pub(crate) fn exit<X: Guest>(call: &mut Call<'_, '_, X>) -> Answer {
    if let Some(end) = call.kernel.lock_kept_at_end(call.cx, call.st) {
        return Ok(Reply::Control(end));
    }
    let status = exit_status(call.cx, call.st, call.reg(0));
    Ok(Reply::Control(end_thread(call.kernel, call.cx, call.st, status)?))
}

pub(crate) fn exit_group<X: Guest>(call: &mut Call<'_, '_, X>) -> Answer {
    if let Some(end) = call.kernel.lock_kept_at_end(call.cx, call.st) {
        return Ok(Reply::Control(end));
    }
    let status = exit_status(call.cx, call.st, call.reg(0));
    Ok(Reply::Control(end_process(call.kernel, call.cx, call.st, status)?))
}

/// Ends the running thread; the last one ends its process.
pub(crate) fn end_thread<X: Guest>(
    kernel: &mut Kernel,
    cx: &mut Interp<'_, X>,
    st: &mut State<X>,
    status: WaitStatus,
) -> Result<Flow, Stop> {
    release_robust(st)?;
    let address = st.extra.node().thread().clear_tid;
    if address != 0 && st.mem.write_bytes(address, &0u32.to_le_bytes()).is_ok() {
        let node = st.extra.node_mut();
        let key = futex::key_of(node, address);
        futex::wake(node, key, 1, u32::MAX);
    }
    if st.extra.node().process().threads.len() == 1 {
        return end_process(kernel, cx, st, status);
    }
    kernel.note_exit(cx, st, None);
    let node = st.extra.node_mut();
    let (_, tid) = node.volatile.running;
    node.process_mut().threads.remove(&tid);
    node.changed();
    kernel.dispatch(cx, st)
}

/// Marks the robust mutexes that the running thread still holds, and wakes one that waits for each
/// (get_robust_list(2)).
fn release_robust<X: Guest>(st: &mut State<X>) -> Result<(), Stop> {
    const OWNER_DIED: u32 = 0x4000_0000;
    const WAITERS: u32 = 0x8000_0000;
    const OWNER: u32 = 0x3fff_ffff;
    const MOST: usize = 2048;
    let node = st.extra.node();
    let (head, tid) = (node.thread().robust_list, node.volatile.running.1.0);
    if head == 0 {
        return Ok(());
    }
    let offset = robust_word(st, head.wrapping_add(8), 8)?.unwrap_or(0);
    let pending = robust_word(st, head.wrapping_add(16), 8)?.filter(|entry| *entry != 0);
    let mut entries: Vec<u64> = pending.into_iter().collect();
    let mut next = robust_word(st, head, 8)?;
    while let Some(entry) = next.filter(|entry| *entry != head && *entry != 0) {
        if entries.len() > MOST {
            break;
        }
        entries.push(entry);
        next = robust_word(st, entry, 8)?;
    }
    for entry in entries {
        let address = entry.wrapping_add(offset);
        let Some(lock) = robust_word(st, address, 4)?.map(|lock| lock as u32) else { continue };
        if lock & OWNER != tid {
            continue;
        }
        let left = lock & WAITERS | OWNER_DIED;
        if st.mem.store_concrete(address, 4, left.into()) && lock & WAITERS != 0 {
            let node = st.extra.node_mut();
            let key = futex::key_of(node, address);
            futex::wake(node, key, 1, u32::MAX);
        }
    }
    Ok(())
}

/// A word of the list of robust mutexes, or of one of them; `None` where there is no memory. The
/// kernel does not guess at a symbolic one.
fn robust_word<X: Guest>(st: &mut State<X>, address: u64, bytes: u8) -> Result<Option<u64>, Stop> {
    match st.mem.load_concrete(address, bytes) {
        Some(word) => Ok(Some(word)),
        None if st.mem.check(address, bytes.into()).is_err() => Ok(None),
        None => Err(unsupported("a robust mutex of symbolic bytes".to_owned())),
    }
}

/// Ends the running process with a wait status. When no process is left, the path is over.
pub(crate) fn end_process<X: Guest>(
    kernel: &mut Kernel,
    cx: &mut Interp<'_, X>,
    st: &mut State<X>,
    status: WaitStatus,
) -> Result<Flow, Stop> {
    release_robust(st)?;
    kernel.note_exit(cx, st, Some(status));
    let node = st.extra.node_mut();
    let (pid, _) = node.volatile.running;
    crate::sys::memory::write_back(cx.pool, node, &mut st.mem)?;
    // The process is shared with other states as a rule. It is copied only if its parent wants to hear of its
    // end, in `tell_parent`.
    let descriptors = Arc::clone(&node.process().descriptors);
    crate::sys::close::close_all(node, &descriptors);
    crate::sys::ipc::process_ended(node, pid);
    crate::sys::terminal::process_ended(node, pid);
    if pid.0 == crate::state::node::FIRST_PID {
        node.volatile.first_status = Some(status);
    }
    orphan_children(node, pid);
    tell_parent(cx.pool, node, pid, status);
    node.changed();
    if node.volatile.processes.values().all(|process| process.is_zombie()) {
        let status = node.volatile.first_status.unwrap_or(status);
        return Ok(Flow::End(PathEnding::Exit(status.shell_code())));
    }
    kernel.dispatch(cx, st)
}

/// Children of a process that ends are nobody's; those that ended before it are forgotten.
fn orphan_children(node: &mut Node, parent: Pid) {
    let children: Vec<Pid> = node
        .volatile
        .processes
        .iter()
        .filter(|(_, p)| p.parent == parent)
        .map(|(pid, _)| *pid)
        .collect();
    for pid in children {
        crate::sys::system::parent_ended(node, pid);
        match node.find_mut(pid) {
            Some(child) if !child.is_zombie() => child.parent = Pid(1),
            _ => {
                node.volatile.processes.remove(&pid);
            }
        }
    }
}

/// Leaves the wait status for the parent, if there is one that wants it. Otherwise the process is forgotten.
fn tell_parent(pool: &Pool, node: &mut Node, pid: Pid, status: WaitStatus) {
    let Some(process) = node.find(pid) else { return };
    let (parent, exit_signal, uid) = (process.parent, process.exit_signal, process.ids.real_uid);
    let alive = node.find(parent).filter(|parent| !parent.is_zombie());
    let wanted = alive.is_some_and(|parent| {
        let action = parent.actions.get(linux::SIGCHLD);
        let flags = action.flags & u64::from(linux::SA_NOCLDWAIT);
        action.handler != SIG_IGN && flags == 0
    });
    if wanted && let Some(process) = node.find_mut(pid) {
        process.ended = Some(status);
        process.threads.clear();
        process.alarm = None;
        process.descriptors = Arc::default();
        process.mappings = Arc::default();
    }
    if exit_signal != 0 {
        let (code, value) = status.info(pool);
        let info = SignalInfo { signal: exit_signal.into(), code, pid: pid.0, uid, value };
        // A parent that is gone needs no signal.
        let _ = signal::send(node, parent, None, info);
    }
    if !wanted {
        node.volatile.processes.remove(&pid);
    }
}

// ---- waiting -------------------------------------------------------------------------------

/// Returns true if a child is waited for, as `wait4` numbers them.
fn is_waited_for(target: i32, own_group: Pid, pid: Pid, child: &Process) -> bool {
    match target {
        -1 => true,
        0 => child.group == own_group,
        group if group < -1 => child.group == Pid(group.unsigned_abs()),
        one => pid == Pid(one as u32),
    }
}

/// A child with news: its number, wait status, user, and whether it has ended.
type ChildNews = (Pid, WaitStatus, u32, bool);

/// Looks for a child with news; `None` if there are children but no news.
fn look<X: Guest>(
    call: &Call<'_, '_, X>,
    target: i32,
    wanted: impl Fn(&Process) -> Option<WaitStatus>,
) -> Result<Option<ChildNews>, Errno> {
    let node = call.node();
    let (own, group) = (node.volatile.running.0, node.process().group);
    let children =
        node.volatile.processes.iter().filter(|(pid, child)| {
            child.parent == own && is_waited_for(target, group, **pid, child)
        });
    let mut any = false;
    for (pid, child) in children {
        any = true;
        if let Some(status) = wanted(child) {
            return Ok(Some((*pid, status, child.ids.real_uid, child.is_zombie())));
        }
    }
    if any { Ok(None) } else { Err(Errno::ECHILD) }
}

fn take_news(node: &mut Node, pid: Pid, ended: bool) {
    if ended {
        node.volatile.processes.remove(&pid);
    } else if let Some(child) = node.find_mut(pid) {
        child.news = None;
    }
}

pub(crate) fn wait4<X: Guest>(call: &mut Call<'_, '_, X>) -> Answer {
    let (target, options) = (call.arg32(0)? as i32, call.arg32(2)?);
    let (status_at, usage_at) = (call.arg(1)?, call.arg(3)?);
    let known = linux::WNOHANG | linux::WUNTRACED | linux::WCONTINUED | linux::__WALL;
    if options & !(known | linux::__WCLONE | linux::__WNOTHREAD) != 0 {
        return Err(Errno::EINVAL.into());
    }
    let news = look(call, target, |child| {
        child.ended.or(child.news.filter(|status| {
            let goes_on = *status == WaitStatus::Continued;
            let flag = if goes_on { linux::WCONTINUED } else { linux::WUNTRACED };
            options & flag != 0
        }))
    })?;
    let Some((pid, status, _, ended)) = news else {
        if options & linux::WNOHANG != 0 {
            return Ok(Reply::Value(0));
        }
        let since = call.node().path.changes;
        return Ok(Reply::Wait(Wait::until(WaitEvent::Change(since))));
    };
    if status_at != 0 {
        call.write(status_at, &status.word())?;
    }
    if usage_at != 0 {
        call.write_concrete(usage_at, &[0; RUSAGE_BYTES])?;
    }
    take_news(call.node_mut(), pid, ended);
    Ok(Reply::Value(pid.0.into()))
}

pub(crate) fn waitid<X: Guest>(call: &mut Call<'_, '_, X>) -> Answer {
    let (kind, id) = (call.arg32(0)?, call.arg32(1)? as i32);
    let (info_at, options) = (call.arg(2)?, call.arg32(3)?);
    let target = match kind {
        linux::P_ALL => -1,
        linux::P_PID if id > 0 => id,
        linux::P_PGID if id == 0 => 0,
        linux::P_PGID if id > 1 => -id,
        _ => return Err(Errno::EINVAL.into()),
    };
    let wanted = linux::WEXITED | linux::WSTOPPED | linux::WCONTINUED;
    let known = wanted | linux::WNOHANG | linux::WNOWAIT | linux::__WALL;
    if options & wanted == 0 || options & !known != 0 {
        return Err(Errno::EINVAL.into());
    }
    let news = look(call, target, |child| {
        child.ended.filter(|_| options & linux::WEXITED != 0).or(child.news.filter(|status| {
            let goes_on = *status == WaitStatus::Continued;
            let flag = if goes_on { linux::WCONTINUED } else { linux::WSTOPPED };
            options & flag != 0
        }))
    })?;
    let Some((pid, status, uid, ended)) = news else {
        if options & linux::WNOHANG != 0 {
            if info_at != 0 {
                call.write_concrete(info_at, &[0; 128])?;
            }
            return Ok(Reply::Value(0));
        }
        let since = call.node().path.changes;
        return Ok(Reply::Wait(Wait::until(WaitEvent::Change(since))));
    };
    if info_at != 0 {
        let (code, value) = status.info(call.cx.pool);
        let info = SignalInfo { signal: linux::SIGCHLD, code, pid: pid.0, uid, value };
        write_info(call, info_at, &info)?;
    }
    if options & linux::WNOWAIT == 0 {
        take_news(call.node_mut(), pid, ended);
    }
    Ok(Reply::Value(0))
}
