//! `signalfd`.

use syscalls::Sysno;

use super::Handler;
use super::io::{Data, Progress};
use crate::call::Call;
use crate::file::FileId;
use crate::kernel::Guest;
use crate::reply::Halt;

pub(crate) fn handler<X: Guest>(call: Sysno) -> Option<Handler<X>> {
    let _ = call;
    None
}

/// The set of signals of a `signalfd`.
#[derive(Clone, Debug, Default)]
pub(crate) struct SignalFile {}

/// Takes bytes out; see `sys/io.rs`.
pub(crate) fn read<X: Guest>(
    call: &mut Call<'_, '_, X>,
    file: FileId,
    want: u64,
) -> Result<Progress<Data>, Halt> {
    let _ = (file, want);
    Err(call.unsupported("reading"))
}
