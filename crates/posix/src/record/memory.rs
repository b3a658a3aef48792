//! The memory of a program, as the recorder reads it: symbolic bytes as an example has them.

use everett_interp::{Interp, State};

use crate::kernel::{Guest, Kernel};

/// Bytes of the program's memory; those that cannot be read are zero.
pub(super) fn bytes<X: Guest>(cx: &Interp<'_, X>, st: &mut State<X>, at: u64, len: u64) -> Vec<u8> {
    let mut known = vec![0; len as usize];
    if len == 0 || at == 0 || st.mem.check(at, len).is_err() {
        return known;
    }
    if st.mem.read_bytes(at, &mut known) {
        return known;
    }
    match st.mem.read_each(cx.pool, at, len) {
        Ok(values) => Kernel::example(cx, st, &values),
        Err(_) => known,
    }
}

/// A number in the program's memory, of so many bytes.
pub(super) fn number<X: Guest>(cx: &Interp<'_, X>, st: &mut State<X>, at: u64, len: u64) -> u64 {
    let bytes = bytes(cx, st, at, len);
    bytes.iter().rev().fold(0, |number, byte| number << 8 | u64::from(*byte))
}

/// The first bytes of what a `struct iovec` array describes.
pub(super) fn vector<X: Guest>(
    cx: &Interp<'_, X>,
    st: &mut State<X>,
    list: u64,
    count: u64,
    mut left: u64,
) -> Vec<u8> {
    let mut data = Vec::new();
    for i in 0..count {
        let (at, len) = (number(cx, st, list + 16 * i, 8), number(cx, st, list + 16 * i + 8, 8));
        let len = len.min(left);
        data.extend(bytes(cx, st, at, len));
        left -= len;
    }
    data
}
