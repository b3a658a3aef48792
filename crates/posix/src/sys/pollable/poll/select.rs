//! `select`.

use linux_raw_sys::general as linux;
use syscalls::Errno;

use super::{Watched, events, mask_at, time_left, timeout_at, wait_or_end};
use crate::kernel::Guest;
use crate::kernel::call::Call;
use crate::kernel::reply::{Answer, CallHalt, Reply};
use crate::state::ids::Time;
use crate::state::process::signals::SigSet;
use crate::state::wait::{ALWAYS_AWAITED, WaitEvent};
use crate::sys::time::{duration_us, read_timespec, timespec_bytes, timeval_bytes};

/// The events that make a descriptor of each of the three sets ready.
const WANTED: [u32; 3] = [
    linux::POLLIN | linux::POLLRDNORM | linux::POLLRDBAND | linux::POLLHUP | linux::POLLERR,
    linux::POLLOUT | linux::POLLWRNORM | linux::POLLWRBAND | linux::POLLERR,
    linux::POLLPRI,
];
/// Bits of a word of a set.
const WORD_BITS: u64 = 64;

pub(crate) fn select<X: Guest>(call: &mut Call<'_, '_, X>) -> Answer {
    let address = call.arg(4)?;
    let timeout = match address {
        0 => None,
        address => Some(read_timeval(call, address)?),
    };
    let left = time_left(call, timeout);
    let answer = select_files(call, timeout, None)?;
    if address != 0 && matches!(answer, Reply::Value(_)) {
        // A timeout that cannot be written to is not told, as on Linux.
        let _ = call.st.mem.write_bytes(address, &timeval_bytes(left.into()));
    }
    Ok(answer)
}

/// A `struct timeval`; more than a second of microseconds is carried over.
fn read_timeval<X: Guest>(call: &mut Call<'_, '_, X>, address: u64) -> Result<Time, CallHalt> {
    const SECOND_US: i64 = 1_000_000;
    let (seconds, microseconds) = read_timespec(call, address)?;
    let seconds = seconds.saturating_add(microseconds / SECOND_US);
    Ok(duration_us((seconds, microseconds % SECOND_US))?)
}

pub(crate) fn pselect6<X: Guest>(call: &mut Call<'_, '_, X>) -> Answer {
    let (address, pack) = (call.arg(4)?, call.arg(5)?);
    let timeout = timeout_at(call, address)?;
    let mask = match pack {
        0 => None,
        pack => {
            let (mask, bytes) = (call.read_u64(pack)?, call.read_u64(pack.wrapping_add(8))?);
            mask_at(call, mask, bytes)?
        }
    };
    let left = time_left(call, timeout);
    let answer = select_files(call, timeout, mask)?;
    if address != 0 && matches!(answer, Reply::Value(_)) {
        // A timeout that cannot be written to is not told, as on Linux.
        let _ = call.st.mem.write_bytes(address, &timespec_bytes(left.into()));
    }
    Ok(answer)
}

/// The words of the set in argument `index`; an absent set is empty.
fn read_set<X: Guest>(
    call: &mut Call<'_, '_, X>,
    index: usize,
    words: u64,
) -> Result<Vec<u64>, CallHalt> {
    let address = call.arg(index)?;
    if address == 0 {
        return Ok(vec![0; words as usize]);
    }
    call.check_writable(address, words * 8)?;
    (0..words).map(|word| call.read_u64(address.wrapping_add(word * 8))).collect()
}

fn select_files<X: Guest>(
    call: &mut Call<'_, '_, X>,
    timeout: Option<Time>,
    mask: Option<SigSet>,
) -> Answer {
    let count = call.arg32(0)? as i32;
    let Ok(count) = u64::try_from(count) else { return Err(Errno::EINVAL.into()) };
    // Descriptors beyond the limit cannot be open.
    let count = count.min(call.node().process().limits.open_files());
    let words = count.div_ceil(WORD_BITS);
    let sets = [read_set(call, 1, words)?, read_set(call, 2, words)?, read_set(call, 3, words)?];
    if call.node().decides_looks() {
        let wanted = (0..count).filter_map(|number| {
            let (word, bit) = ((number / WORD_BITS) as usize, 1u64 << (number % WORD_BITS));
            let asked = (0..3).filter(|set| sets[*set][word] & bit != 0);
            let wanted = asked.fold(0, |wanted, set| wanted | WANTED[set]);
            (wanted != 0).then_some((number as u32, wanted as u16))
        });
        let files = call.node().files_of(wanted);
        call.look(&files, timeout != Some(0))?;
    }
    let node = call.node();
    let mut watched = Watched::new();
    let mut results = [(); 3].map(|()| vec![0u64; words as usize]);
    let mut ready = 0;
    for number in 0..count {
        let (word, bit) = ((number / WORD_BITS) as usize, 1u64 << (number % WORD_BITS));
        let asked: [bool; 3] = std::array::from_fn(|set| sets[set][word] & bit != 0);
        if asked == [false; 3] {
            continue;
        }
        let file = node.descriptor(number as u32)?.file;
        let found = u32::from(events(node, node.volatile.running, file));
        let mut wanted = 0;
        for set in (0..3).filter(|set| asked[*set]) {
            wanted |= WANTED[set];
            if found & WANTED[set] != 0 {
                results[set][word] |= bit;
                ready += 1;
            }
        }
        watched.push((file, (wanted & !(ALWAYS_AWAITED & !wanted)) as u16));
    }
    let wait = wait_or_end(call, ready > 0, || WaitEvent::Files(watched), timeout, mask);
    if let Some(wait) = wait {
        return Ok(Reply::Wait(wait));
    }
    for (index, result) in (1..).zip(results) {
        let address = call.arg(index)?;
        if address != 0 {
            let bytes: Vec<u8> = result.iter().flat_map(|word| word.to_le_bytes()).collect();
            call.write_concrete(address, &bytes)?;
        }
    }
    Ok(Reply::Value(ready))
}
