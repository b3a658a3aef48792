//! Random numbers: seeded, or symbolic inputs.
//!
//! Those of the C library's generators (`rand` and its relatives) are asked for by the library itself,
//! with [`Kernel::draw`]. It computes them where they are not symbolic.

use everett_expr::TermId;
use everett_interp::{Flow, Interp, State};
use everett_memory::ByteValue;
use linux_raw_sys::general as linux;
use syscalls::Errno;

use crate::kernel::call::Call;
use crate::kernel::reply::{Answer, CallHalt, Reply};
use crate::kernel::{Guest, Kernel};
use crate::state::node::Node;

/// The name of inputs that are random bytes.
const BYTES_INPUT: &str = "random";
/// The name of inputs that the C library's generators draw.
const DRAW_INPUT: &str = "rand";

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
    // A test that has such an input was written by a run with symbolic numbers.
    if call.node().path.chance.bytes || X::next_input_is(call.st, BYTES_INPUT) {
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
    Ok(X::new_input(call.cx, call.st, BYTES_INPUT, len as u32)?)
}

impl Kernel {
    /// A number of 64 bits, of which the lowest `bits` can be anything and the others are zero, for a
    /// generator of the C library. `None` if the generator is to compute it.
    pub fn draw<X: Guest>(
        &mut self,
        cx: &mut Interp<'_, X>,
        st: &mut State<X>,
        bits: u32,
    ) -> Result<Option<TermId>, Flow> {
        if !st.extra.node().path.chance.draws && !X::next_input_is(st, DRAW_INPUT) {
            return Ok(None);
        }
        let bytes = X::new_input(cx, st, DRAW_INPUT, bits.div_ceil(32) * 4)?;
        let pool = cx.pool;
        let terms = bytes.iter().map(|byte| match byte {
            ByteValue::Concrete(byte) => pool.constant(8, (*byte).into()),
            ByteValue::Symbolic(term) => *term,
        });
        let all = terms.reduce(|low, high| pool.concat(high, low)).expect("an input has bytes");
        let number = pool.zext(pool.extract(all, 0, bits), 64);
        self.note_draw(cx, st, number);
        Ok(Some(number))
    }
}
