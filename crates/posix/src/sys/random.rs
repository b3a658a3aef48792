//! Random numbers: seeded, or symbolic inputs.

use everett_memory::ByteValue;
use linux_raw_sys::general as linux;
use syscalls::Errno;

use crate::kernel::Guest;
use crate::kernel::call::Call;
use crate::kernel::reply::{Answer, CallHalt, Reply};
use crate::state::node::Node;

/// The most that one call gives.
pub(crate) const MOST_BYTES: u64 = (1 << 25) - 1;
/// The most that is made symbolic at once.
const MOST_SYMBOLIC_BYTES: u64 = 4096;

pub(crate) fn getrandom<X: Guest>(call: &mut Call<'_, '_, X>) -> Answer {
    let address = call.arg(0)?;
    let len = call.length(call.reg(1), MOST_BYTES)?;
    let flags = call.arg32(2)?;
    let sources = linux::GRND_RANDOM | linux::GRND_INSECURE;
    if flags & !(sources | linux::GRND_NONBLOCK) != 0 || flags & sources == sources {
        return Err(Errno::EINVAL.into());
    }
    call.check_writable(address, len)?;
    let bytes = bytes(call, len)?;
    call.write(address, &bytes)?;
    Ok(Reply::Value(len))
}

/// Random bytes, as the configuration wants them. Symbolic ones are an input of the path, so
/// whatever may fail must have been checked before.
pub(crate) fn bytes<X: Guest>(
    call: &mut Call<'_, '_, X>,
    len: u64,
) -> Result<Vec<ByteValue>, CallHalt> {
    if call.kernel.config.symbolic_random {
        return symbolic(call, len);
    }
    let bytes = seeded(call.node_mut(), len as usize);
    Ok(bytes.into_iter().map(ByteValue::Concrete).collect())
}

/// Random bytes from the node's generator.
pub(crate) fn seeded(node: &mut Node, len: usize) -> Vec<u8> {
    let mut bytes: Vec<u8> =
        (0..len.div_ceil(8)).flat_map(|_| node.path.rng.next_u64().to_le_bytes()).collect();
    bytes.truncate(len);
    bytes
}

/// Random bytes that can be anything.
fn symbolic<X: Guest>(call: &mut Call<'_, '_, X>, len: u64) -> Result<Vec<ByteValue>, CallHalt> {
    if len == 0 {
        return Ok(Vec::new());
    }
    if len > MOST_SYMBOLIC_BYTES {
        return Err(call.unsupported(format!("{len} symbolic random bytes at once")));
    }
    Ok(X::new_input(call.cx, call.st, "random", len as u32)?)
}
