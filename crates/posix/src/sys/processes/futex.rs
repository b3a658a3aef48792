//! `futex`: waiting on a word of memory.

use linux_raw_sys::general as linux;
use smallvec::SmallVec;
use syscalls::Errno;

use crate::kernel::Guest;
use crate::kernel::call::Call;
use crate::kernel::reply::{Answer, CallHalt, Reply};
use crate::state::ids::ThreadKey;
use crate::state::node::{Node, thread_mut};
use crate::state::wait::{FutexKey, Wait, WaitEvent};
use crate::sys::time;

/// The mask that matches every waiter.
const ANY: u32 = u32::MAX;

pub(crate) fn futex<X: Guest>(call: &mut Call<'_, '_, X>) -> Answer {
    let operation = call.arg32(1)?;
    let flags = linux::FUTEX_PRIVATE_FLAG | linux::FUTEX_CLOCK_REALTIME;
    match operation & !flags {
        linux::FUTEX_WAIT => wait(call, operation, ANY),
        linux::FUTEX_WAIT_BITSET => {
            let mask = call.arg32(5)?;
            wait(call, operation, mask)
        }
        linux::FUTEX_WAKE => wake_call(call, ANY),
        linux::FUTEX_WAKE_BITSET => {
            let mask = call.arg32(5)?;
            wake_call(call, mask)
        }
        linux::FUTEX_REQUEUE => requeue(call, None),
        linux::FUTEX_CMP_REQUEUE => {
            let expected = call.arg32(5)?;
            requeue(call, Some(expected))
        }
        linux::FUTEX_LOCK_PI
        | linux::FUTEX_UNLOCK_PI
        | linux::FUTEX_TRYLOCK_PI
        | linux::FUTEX_WAIT_REQUEUE_PI
        | linux::FUTEX_CMP_REQUEUE_PI => Err(Errno::ENOSYS.into()),
        other => Err(call.unsupported(format!("operation {other}"))),
    }
}

/// The word that argument `index` points to.
fn key<X: Guest>(call: &mut Call<'_, '_, X>, index: usize) -> Result<FutexKey, CallHalt> {
    let address = call.arg(index)?;
    if !address.is_multiple_of(4) {
        return Err(Errno::EINVAL.into());
    }
    call.check_readable(address, 4)?;
    Ok(key_of(call.node(), address))
}

/// The word at an address of the running process.
pub(crate) fn key_of(node: &Node, address: u64) -> FutexKey {
    let (pid, _) = node.volatile.running;
    let shared = node.process().mappings.is_shared(address);
    FutexKey { process: (!shared).then_some(pid), address }
}

fn wait<X: Guest>(call: &mut Call<'_, '_, X>, operation: u32, mask: u32) -> Answer {
    if mask == 0 {
        return Err(Errno::EINVAL.into());
    }
    let key = key(call, 0)?;
    if call.node().thread().woken {
        call.node_mut().thread_mut().woken = false;
        return Ok(Reply::Value(0));
    }
    if call.timed_out() {
        return Err(Errno::ETIMEDOUT.into());
    }
    let expected = call.arg32(2)?;
    let timeout = match call.arg(3)? {
        0 => None,
        address => {
            let time = time::read_timespec(call, address)?;
            // Plain waits are relative to now, those with a bit set name a time of a clock.
            Some(if operation & linux::FUTEX_WAIT_BITSET == linux::FUTEX_WAIT_BITSET {
                let realtime = operation & linux::FUTEX_CLOCK_REALTIME != 0;
                time::until(call.node(), time, realtime)
            } else {
                time::duration(time)?
            })
        }
    };
    let value = call.read_u32(key.address)?;
    if value != expected {
        return Err(Errno::EAGAIN.into());
    }
    let deadline = call.deadline(timeout);
    Ok(Reply::Wait(Wait::until(WaitEvent::Futex { key, mask }).by(deadline)))
}

fn wake_call<X: Guest>(call: &mut Call<'_, '_, X>, mask: u32) -> Answer {
    let key = key(call, 0)?;
    let most = call.arg32(2)?;
    if mask == 0 {
        return Err(Errno::EINVAL.into());
    }
    Ok(Reply::Value(wake(call.node_mut(), key, most, mask).into()))
}

/// Wakes threads that wait on a word, those that have waited longest first; says how many.
pub(crate) fn wake(node: &mut Node, key: FutexKey, most: u32, mask: u32) -> u32 {
    let mut woken = 0;
    for who in waiters(node, key, mask) {
        if woken == most {
            break;
        }
        if let Some(thread) = thread_mut(node, who) {
            thread.woken = true;
            woken += 1;
            node.order_events(who.1);
        }
    }
    woken
}

/// Threads that wait on a word and have not been woken, in the order in which they began.
fn waiters(node: &Node, key: FutexKey, mask: u32) -> SmallVec<[ThreadKey; 4]> {
    let mut found: SmallVec<[(u64, ThreadKey); 4]> = SmallVec::new();
    for (pid, process) in &node.volatile.processes {
        for (tid, thread) in &process.threads {
            let waits = thread.blocked.as_ref().is_some_and(|wait| {
                matches!(wait.event, WaitEvent::Futex { key: k, mask: m } if k == key && m & mask != 0)
            });
            if waits && !thread.woken {
                found.push((thread.blocked_at, (*pid, *tid)));
            }
        }
    }
    found.sort_unstable();
    found.into_iter().map(|(_, who)| who).collect()
}

fn requeue<X: Guest>(call: &mut Call<'_, '_, X>, expected: Option<u32>) -> Answer {
    let from = key(call, 0)?;
    let to = key(call, 4)?;
    let wake_most = call.arg32(2)?;
    let move_most = call.arg32(3)?;
    if let Some(expected) = expected
        && call.read_u32(from.address)? != expected
    {
        return Err(Errno::EAGAIN.into());
    }
    let node = call.node_mut();
    let woken = wake(node, from, wake_most, ANY);
    let mut moved = 0;
    for who in waiters(node, from, ANY) {
        if moved == move_most {
            break;
        }
        if let Some(wait) = thread_mut(node, who).and_then(|thread| thread.blocked.as_mut()) {
            wait.event = WaitEvent::Futex { key: to, mask: ANY };
            moved += 1;
        }
    }
    Ok(Reply::Value((woken + if expected.is_some() { moved } else { 0 }).into()))
}

pub(crate) fn set_robust_list<X: Guest>(call: &mut Call<'_, '_, X>) -> Answer {
    const HEAD_BYTES: u64 = 24;
    let head = call.arg(0)?;
    if call.arg(1)? != HEAD_BYTES {
        return Err(Errno::EINVAL.into());
    }
    call.node_mut().thread_mut().robust_list = head;
    Ok(Reply::Value(0))
}

pub(crate) fn get_robust_list<X: Guest>(call: &mut Call<'_, '_, X>) -> Answer {
    let (head, len) = (call.arg(1)?, call.arg(2)?);
    if call.arg(0)? != 0 {
        return Err(call.unsupported("the list of another thread"));
    }
    let list = call.node().thread().robust_list;
    call.check_writable(head, 8)?;
    call.write_u64(len, 24)?;
    call.write_u64(head, list)?;
    Ok(Reply::Value(0))
}

/// Memory is always in order here.
pub(crate) fn membarrier<X: Guest>(call: &mut Call<'_, '_, X>) -> Answer {
    const KNOWN: u64 = 0x1ff;
    match call.arg(0)? {
        0 => Ok(Reply::Value(KNOWN)),
        command if KNOWN & command == command && command.is_power_of_two() => Ok(Reply::Value(0)),
        _ => Err(Errno::EINVAL.into()),
    }
}
