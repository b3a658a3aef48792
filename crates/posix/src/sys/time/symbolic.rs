//! Clocks whose times are symbolic inputs.
//!
//! Each reading is an input of its own, `clock`: seconds and nanoseconds. It is no less than the reading
//! before of the same clock, and no less than the virtual time that the clock shows, so that time never runs
//! backwards; it is before the year 2242, so that sums of nanoseconds fit into 63 bits. Everything else keeps
//! the virtual time: sleeps, timeouts, timers, times of files, clocks of processors.

use everett_expr::{Pool, TermId};
use everett_memory::ByteValue;

use super::{ClockKind, SECOND};
use crate::kernel::call::Call;
use crate::kernel::reply::CallHalt;
use crate::kernel::{Guest, Kernel};
use crate::state::node::{ClockReading, Node};

/// The name of the input.
const INPUT: &str = "clock";
/// Bytes of the seconds, and of the nanoseconds behind them.
const SECONDS_BYTES: usize = 8;
const NANOSECONDS_BYTES: usize = 4;
/// No clock comes to this time, in seconds: the year 2242.
const LATEST: u64 = 1 << 33;
/// The beginnings of the names of functions that wait until a time, and compare it with a clock.
const WAITING: [&str; 7] =
    ["pthread_", "__pthread_", "sem_", "mtx_", "cnd_", "thrd_", "__timedwait"];

/// The bytes of a `struct timespec` with a symbolic time, if the program reads such a clock.
pub(super) fn reading<X: Guest>(
    call: &mut Call<'_, '_, X>,
    kind: ClockKind,
    time: i128,
) -> Result<Option<Vec<ByteValue>>, CallHalt> {
    // A test that has such an input was written by a run with such clocks.
    let is_wanted = call.node().path.clocks.are_on || X::next_input_is(call.st, INPUT);
    if !is_wanted || kind == ClockKind::Processor || !is_read_by_program(call) {
        return Ok(None);
    }
    let size = (SECONDS_BYTES + NANOSECONDS_BYTES) as u32;
    let mut bytes = X::new_input(call.cx, call.st, INPUT, size)?;
    let pool = call.cx.pool;
    let known = known_time(time);
    let least = last_mut(call.node_mut(), kind).unwrap_or(ClockReading {
        seconds: pool.constant(64, known.0),
        nanoseconds: pool.constant(32, known.1),
    });
    let mut now = ClockReading {
        seconds: number(pool, &bytes[..SECONDS_BYTES]),
        nanoseconds: number(pool, &bytes[SECONDS_BYTES..]),
    };
    if let (Some(value), Some(before)) = (constant(pool, now), constant(pool, least)) {
        // A test that was changed may have a time that is too early; it is the least that is possible.
        let fits = value.0 < LATEST && value.1 < SECOND;
        let value = if fits { value.max(before).max(known) } else { before.max(known) };
        now = ClockReading {
            seconds: pool.constant(64, value.0),
            nanoseconds: pool.constant(32, value.1),
        };
        let all = value.0.to_le_bytes().into_iter().chain((value.1 as u32).to_le_bytes());
        bytes = all.map(ByteValue::Concrete).collect();
    } else {
        let known = ClockReading {
            seconds: pool.constant(64, known.0),
            nanoseconds: pool.constant(32, known.1),
        };
        let early = pool.ult(now.seconds, pool.constant(64, LATEST));
        let whole = pool.ult(now.nanoseconds, pool.constant(32, SECOND));
        for condition in [early, whole, is_from(pool, now, known), is_from(pool, now, least)] {
            let possible = call.st.path.assume(call.cx.solver, pool, condition);
            possible.map_err(everett_interp::Stop::from)?;
        }
    }
    *last_mut(call.node_mut(), kind) = Some(now);
    bytes.resize(2 * SECONDS_BYTES, ByteValue::Concrete(0));
    Ok(Some(bytes))
}

/// Returns true if the program itself asks for the time, and no function that waits until a time does.
fn is_read_by_program<X: Guest>(call: &Call<'_, '_, X>) -> bool {
    let program = &call.cx.image.program;
    let frames = call.st.stack.frames().map(|frame| program.function(frame.func));
    let mut inner = frames.take_while(|function| function.library);
    let waits = |name: &str| WAITING.iter().any(|beginning| name.starts_with(beginning));
    Kernel::is_blamed(call.cx, call.st) && !inner.any(|function| waits(&function.name))
}

/// The last reading of a clock.
fn last_mut(node: &mut Node, kind: ClockKind) -> &mut Option<ClockReading> {
    match kind {
        ClockKind::Realtime => &mut node.path.clocks.realtime,
        ClockKind::Monotonic | ClockKind::Processor => &mut node.path.clocks.monotonic,
    }
}

/// A time in seconds and nanoseconds, from 1970 on.
fn known_time(time: i128) -> (u64, u64) {
    let time = u128::try_from(time).unwrap_or(0);
    let second = u128::from(SECOND);
    (((time / second) as u64).min(LATEST - 1), (time % second) as u64)
}

fn number(pool: &Pool, bytes: &[ByteValue]) -> TermId {
    let terms = bytes.iter().map(|byte| match byte {
        ByteValue::Concrete(byte) => pool.constant(8, (*byte).into()),
        ByteValue::Symbolic(term) => *term,
    });
    terms.reduce(|low, high| pool.concat(high, low)).unwrap_or_else(|| pool.constant(8, 0))
}

fn constant(pool: &Pool, reading: ClockReading) -> Option<(u64, u64)> {
    pool.as_const(reading.seconds).zip(pool.as_const(reading.nanoseconds))
}

/// The condition that a time is no less than another.
fn is_from(pool: &Pool, time: ClockReading, least: ClockReading) -> TermId {
    let later = pool.ugt(time.seconds, least.seconds);
    let same = pool.eq(time.seconds, least.seconds);
    let within = pool.uge(time.nanoseconds, least.nanoseconds);
    pool.or(later, pool.and(same, within))
}
