//! What the event of a system call tells beside its result: read from arguments, memory, and the node.
//!
//! The last column of the table of calls (`calls/table.rs`) names the function here that [`fill`] calls.

mod sockets;
mod waits;

use everett_replay::script::ApiKind;
use syscalls::Sysno;

use self::sockets::{
    accept, accept4, bind, connect, getsockopt, listen, named, pipe, pipe2, read, readv, recvfrom,
    recvmsg, sendmsg, sendto, setsockopt, socket, socketpair, write, writev,
};
use self::waits::{epoll_ctl, epoll_wait, poll, ppoll, pselect6, select};
use super::ended_call::EndedCall;
use super::network;
use crate::calls::table::each_system_call;
use crate::kernel::Guest;

/// Bytes of `siginfo_t`.
const SIGINFO_BYTES: u64 = 128;
/// Bytes of `struct tms`, and of `struct itimerval`.
const TIMES_BYTES: u64 = 32;
/// Bytes of `struct rusage`.
const USAGE_BYTES: u64 = 144;
/// Commands of `ioctl` that give a number: `FIONREAD`, `SIOCOUTQ`, `SIOCATMARK`.
const NUMBERS: [u64; 3] = [0x541b, 0x5411, 0x8905];

/// A function that fills in what an event says beside its result.
type Details<X> = fn(&mut EndedCall<'_, '_, X>);

macro_rules! details {
    ($(
        $call:ident: $handler:path, $subject:expr, $failures:expr, $crash:expr, $after:expr,
        $($script:ident)|+ $(=> $details:ident)?;
    )*) => {
        /// The function of a call that is an event of scripts.
        fn details<X: Guest>(call: Sysno) -> Option<Details<X>> {
            match call {
                $($(Sysno::$call => Some($details),)?)*
                _ => None,
            }
        }
    };
}

each_system_call!(details);

/// Fills in what the event of a call says beside its result.
pub(super) fn fill<X: Guest>(call: &mut EndedCall<'_, '_, X>) {
    if call.event.api.kind() == ApiKind::Net {
        network::fill(call);
    } else if let Some(details) = details(call.pending.sysno) {
        details(call);
    }
}

// ---- arguments -----------------------------------------------------------------------------

/// There is nothing but the result.
fn result<X: Guest>(_: &mut EndedCall<'_, '_, X>) {}

/// The second argument.
fn second<X: Guest>(call: &mut EndedCall<'_, '_, X>) {
    call.event.aux[0] = call.pending.args[1];
}

/// The first two arguments.
fn first_two<X: Guest>(call: &mut EndedCall<'_, '_, X>) {
    call.event.aux[..2].copy_from_slice(&call.pending.args[..2]);
}

/// The two arguments behind the first.
fn others<X: Guest>(call: &mut EndedCall<'_, '_, X>) {
    call.event.aux[..2].copy_from_slice(&call.pending.args[1..3]);
}

fn ioctl<X: Guest>(call: &mut EndedCall<'_, '_, X>) {
    others(call);
    let [_, command, at, ..] = call.pending.args;
    if NUMBERS.contains(&command) {
        call.event.data = call.success(at, 4);
    }
}

// ---- time and chance -----------------------------------------------------------------------

fn clock_gettime<X: Guest>(call: &mut EndedCall<'_, '_, X>) {
    let [clock, at, ..] = call.pending.args;
    call.event.aux[0] = clock;
    call.event.aux[1] = call.number(at, 8);
    call.event.aux[2] = call.number(at + 8, 8);
}

fn gettimeofday<X: Guest>(call: &mut EndedCall<'_, '_, X>) {
    let at = call.pending.args[0];
    call.event.aux[1] = call.number(at, 8);
    // Microseconds, of which the event has nanoseconds.
    call.event.aux[2] = call.number(at + 8, 8) * 1000;
}

fn time<X: Guest>(call: &mut EndedCall<'_, '_, X>) {
    call.event.aux[1] = call.event.result as u64;
}

fn times<X: Guest>(call: &mut EndedCall<'_, '_, X>) {
    call.event.data = call.bytes(call.pending.args[0], TIMES_BYTES);
}

fn getrusage<X: Guest>(call: &mut EndedCall<'_, '_, X>) {
    call.event.data = call.bytes(call.pending.args[1], USAGE_BYTES);
}

fn getitimer<X: Guest>(call: &mut EndedCall<'_, '_, X>) {
    call.event.data = call.bytes(call.pending.args[1], TIMES_BYTES);
}

fn setitimer<X: Guest>(call: &mut EndedCall<'_, '_, X>) {
    let before = call.pending.args[2];
    if before != 0 {
        call.event.data = call.bytes(before, TIMES_BYTES);
    }
}

fn nanosleep<X: Guest>(call: &mut EndedCall<'_, '_, X>) {
    let left = call.pending.args[1];
    slept(call, left);
}

fn clock_nanosleep<X: Guest>(call: &mut EndedCall<'_, '_, X>) {
    let left = call.pending.args[3];
    slept(call, left);
}

/// The time that is left of a sleep that has ended early.
fn slept<X: Guest>(call: &mut EndedCall<'_, '_, X>, left: u64) {
    if call.event.errno != 0 {
        call.event.aux[1] = call.number(left, 8);
        call.event.aux[2] = call.number(left + 8, 8);
    }
}

fn getrandom<X: Guest>(call: &mut EndedCall<'_, '_, X>) {
    let count = call.event.result.max(0) as u64;
    call.event.data = call.bytes(call.pending.args[0], count);
}

// ---- processes and signals -----------------------------------------------------------------

fn fork<X: Guest>(call: &mut EndedCall<'_, '_, X>) {
    call.event.aux[0] = call.event.result.max(0) as u64;
}

fn wait4<X: Guest>(call: &mut EndedCall<'_, '_, X>) {
    if call.event.result > 0 {
        call.event.aux[0] = call.number(call.pending.args[1], 4);
        call.event.aux[1] = call.event.result as u64;
    }
}

fn waitid<X: Guest>(call: &mut EndedCall<'_, '_, X>) {
    if call.event.result == 0 {
        let at = call.pending.args[2];
        call.event.data = call.bytes(at, SIGINFO_BYTES);
        // The number of the child in it.
        call.event.aux[1] = call.number(at + 16, 4);
    }
}

fn rt_sigtimedwait<X: Guest>(call: &mut EndedCall<'_, '_, X>) {
    let at = call.pending.args[1];
    if call.event.result > 0 && at != 0 {
        call.event.data = call.bytes(at, SIGINFO_BYTES);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::calls::{CALLS, ScriptClass, facts};
    use crate::testing::TestGuest;

    #[test]
    fn the_calls_that_are_events_have_details() {
        let unseen = [ScriptClass::UNSEEN, ScriptClass::SILENT];
        for call in CALLS {
            let is_event = !unseen.contains(&facts(*call).script);
            assert_eq!(details::<TestGuest>(*call).is_some(), is_event, "{call:?}");
        }
    }
}
