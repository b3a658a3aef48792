//! Path names with symbolic bytes.

use everett_fs::InodeId;
use everett_memory::ByteValue;

use super::Intent;
use crate::call::Call;
use crate::kernel::Guest;
use crate::reply::Halt;

pub(super) fn settle<X: Guest>(
    call: &mut Call<'_, '_, X>,
    start: InodeId,
    bytes: &[ByteValue],
    intent: Intent,
) -> Result<Vec<u8>, Halt> {
    let _ = (start, intent);
    let mut text = Vec::new();
    for byte in bytes {
        match call.settle_byte(*byte)? {
            0 => break,
            byte => text.push(byte),
        }
    }
    Ok(text)
}
