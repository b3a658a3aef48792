//! Buffers of the program ([`Buffers`]), and the position of an access to a file.

use linux_raw_sys::net::{SO_RCVLOWAT, SOL_SOCKET};
use smallvec::SmallVec;
use syscalls::Errno;

use crate::kernel::Guest;
use crate::kernel::call::Call;
use crate::kernel::reply::CallHalt;
use crate::state::file::FileKind;
use crate::state::ids::FileId;
use crate::state::node::Node;
use crate::state::sockets::SocketFamily;
use crate::sys::poll;

/// Most bytes that one call transfers.
pub(crate) const MOST_BYTES: u64 = 0x7fff_f000;
/// Most buffers of one call.
pub(crate) const MOST_BUFFERS: u32 = 1024;

/// The position in a file at which an access begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum AccessPosition {
    /// At the file's own position, which moves.
    Own,
    /// Here, and the file's position stays.
    At(u64),
    /// At the end, and the file's position stays.
    End,
}

/// Ranges of the program's memory, by address and length; no more than [`MOST_BYTES`] together.
#[derive(Clone, Debug)]
pub(crate) struct Buffers {
    ranges: SmallVec<[(u64, u64); 2]>,
}

/// A length for which a read from a file does the same as for every greater one, if that is known.
fn enough(node: &Node, file: FileId) -> Result<Option<u64>, CallHalt> {
    let there = match &node.file(file).kind {
        FileKind::Socket(id) => match &node.net.get(*id).family {
            SocketFamily::Udp(udp) | SocketFamily::Icmp(udp) => Some(udp.next_len(node.clock.now)),
            // What it waits for counts as well.
            SocketFamily::Tcp(tcp) => {
                let options = &node.net.get(*id).options;
                let least = options.number(SOL_SOCKET, SO_RCVLOWAT).max(1);
                Some((tcp.readable() as u64).max(least.cast_unsigned().into()))
            }
            SocketFamily::Unix(_) | SocketFamily::Netlink(_) => None,
        },
        _ => poll::readable_bytes(node, file)?,
    };
    Ok(there.map(|there| there.max(1)))
}

/// Fails for a length that is negative as a signed number; a symbolic one forks.
fn refuse_negative<X: Guest>(call: &mut Call<'_, '_, X>, len: usize) -> Result<(), CallHalt> {
    let value = call.reg(len);
    let is_negative = match value.term() {
        None => (value.bits() as i64) < 0,
        Some(term) => {
            let pool = call.cx.pool;
            let has_sign = pool.width(term) == 64;
            has_sign && call.decide(pool.uge(term, pool.constant(64, 1 << 63)))?
        }
    };
    if is_negative { Err(Errno::EFAULT.into()) } else { Ok(()) }
}

impl Buffers {
    /// The buffer of a call on a file, from its arguments. A length that is negative as a signed number is
    /// an error.
    pub(crate) fn one<X: Guest>(
        call: &mut Call<'_, '_, X>,
        address: usize,
        len: usize,
    ) -> Result<Buffers, CallHalt> {
        refuse_negative(call, len)?;
        Buffers::of_socket(call, address, len)
    }

    /// The same, for what can be read from the file. Symbolic lengths that are enough for all of it are one
    /// path.
    pub(crate) fn to_fill<X: Guest>(
        call: &mut Call<'_, '_, X>,
        file: FileId,
        address: usize,
        len: usize,
    ) -> Result<Buffers, CallHalt> {
        refuse_negative(call, len)?;
        Buffers::to_receive(call, file, address, len)
    }

    /// The buffer of a call on a socket, from its arguments: a length of any size is cut to what one call
    /// transfers. A symbolic length forks over the values that lie in the buffer's object; all that reach
    /// beyond are the same mistake.
    pub(crate) fn of_socket<X: Guest>(
        call: &mut Call<'_, '_, X>,
        address: usize,
        len: usize,
    ) -> Result<Buffers, CallHalt> {
        Buffers::up_to(call, address, len, |_| Ok(None))
    }

    /// The same, for what can be received. Symbolic lengths that are enough for all of it are one path.
    pub(crate) fn to_receive<X: Guest>(
        call: &mut Call<'_, '_, X>,
        file: FileId,
        address: usize,
        len: usize,
    ) -> Result<Buffers, CallHalt> {
        Buffers::up_to(call, address, len, |call| enough(call.node(), file))
    }

    fn up_to<X: Guest>(
        call: &mut Call<'_, '_, X>,
        address: usize,
        len: usize,
        enough: impl FnOnce(&Call<'_, '_, X>) -> Result<Option<u64>, CallHalt>,
    ) -> Result<Buffers, CallHalt> {
        let address = call.arg(address)?;
        let len = call.reg(len);
        let len = match len.term() {
            None => len.bits(),
            Some(_) => {
                let room = call.st.mem.check(address, 1).map_or(0, |o| o.end() - address);
                let enough = enough(call)?.filter(|enough| *enough <= room);
                call.length(len, enough.unwrap_or(room + 1))?
            }
        };
        Ok(Buffers::at(address, len))
    }

    /// One buffer.
    pub(crate) fn at(address: u64, len: u64) -> Buffers {
        Buffers { ranges: SmallVec::from_iter([(address, len.min(MOST_BYTES))]) }
    }

    /// The buffers of a `struct iovec` array.
    pub(crate) fn several<X: Guest>(
        call: &mut Call<'_, '_, X>,
        address: usize,
        count: usize,
    ) -> Result<Buffers, CallHalt> {
        let (address, count) = (call.arg(address)?, call.arg32(count)?);
        if count > MOST_BUFFERS {
            return Err(Errno::EINVAL.into());
        }
        Buffers::listed(call, address, count)
    }

    /// The buffers of an array that is somewhere in memory.
    pub(crate) fn listed<X: Guest>(
        call: &mut Call<'_, '_, X>,
        address: u64,
        count: u32,
    ) -> Result<Buffers, CallHalt> {
        let mut ranges = SmallVec::new();
        let mut left = MOST_BYTES;
        for i in 0..u64::from(count) {
            let entry = address.wrapping_add(i * 16);
            let base = call.read_u64(entry)?;
            let len = call.read_u64(entry.wrapping_add(8))?;
            if (len as i64) < 0 {
                return Err(Errno::EINVAL.into());
            }
            let len = len.min(left);
            left -= len;
            ranges.push((base, len));
        }
        Ok(Buffers { ranges })
    }

    /// Bytes of all of them.
    pub(crate) fn total(&self) -> u64 {
        self.ranges.iter().map(|(_, len)| len).sum()
    }

    /// The buffers behind the first `count` bytes.
    pub(crate) fn after(&self, count: u64) -> Buffers {
        let mut skipped = count;
        let behind = self.ranges.iter().map(|(address, len)| {
            let gone = skipped.min(*len);
            skipped -= gone;
            (address + gone, len - gone)
        });
        Buffers { ranges: behind.filter(|(_, len)| *len > 0).collect() }
    }

    /// The ranges that the first `count` bytes are in.
    pub(crate) fn first(&self, count: u64) -> impl Iterator<Item = (u64, u64)> + '_ {
        let mut left = count;
        self.ranges.iter().map_while(move |(address, len)| {
            let taken = left.min(*len);
            left -= taken;
            (taken > 0 || left > 0).then_some((*address, taken))
        })
    }

    /// The number of the first `count` bytes that can be written: a buffer that is nowhere ends a transfer
    /// that has begun, and fails one that has not.
    pub(crate) fn writable<X: Guest>(
        &self,
        call: &mut Call<'_, '_, X>,
        count: u64,
    ) -> Result<u64, CallHalt> {
        let mut good = 0;
        for (address, len) in self.first(count) {
            match call.check_writable(address, len) {
                Ok(()) => good += len,
                Err(CallHalt::Errno(_)) if good > 0 => break,
                Err(halt) => return Err(halt),
            }
        }
        Ok(good)
    }
}
