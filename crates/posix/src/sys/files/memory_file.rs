//! Files without names in memory: `memfd_create`, and their seals.

use everett_fs::InodeId;
use linux_raw_sys::general as linux;
use syscalls::Errno;

use super::path::nameless_file;
use crate::kernel::Guest;
use crate::kernel::call::Call;
use crate::kernel::reply::{Answer, CallHalt, Reply};
use crate::state::file::{FileKind, OpenFile};
use crate::state::ids::FileId;
use crate::state::node::Node;
use crate::state::process::mappings::AreaSource;

/// Flags of `memfd_create` that make no difference, or of which the seals tell.
const FLAGS: u32 = linux::MFD_CLOEXEC | linux::MFD_ALLOW_SEALING;
/// The longest name, without its terminator.
const NAME_BYTES: usize = 249;
/// The seals that there are.
const SEALS: u32 = linux::F_SEAL_SEAL
    | linux::F_SEAL_SHRINK
    | linux::F_SEAL_GROW
    | linux::F_SEAL_WRITE
    | linux::F_SEAL_FUTURE_WRITE;

pub(crate) fn memfd_create<X: Guest>(call: &mut Call<'_, '_, X>) -> Answer {
    let (address, flags) = (call.arg(0)?, call.arg32(1)?);
    if flags & linux::MFD_HUGETLB != 0 {
        return Err(call.unsupported("large pages"));
    }
    if flags & !FLAGS != 0 {
        return Err(Errno::EINVAL.into());
    }
    // The name is only for people who look at the process.
    call.read_string(address, NAME_BYTES + 1)?.ok_or(Errno::EINVAL)?;
    let node = call.node_mut();
    node.process().descriptors.lowest_free(0, node.process().limits.open_files())?;
    let inode = nameless_file(node, 0)?;
    node.volatile.seals.begin(inode, flags & linux::MFD_ALLOW_SEALING != 0);
    let file = OpenFile::new(FileKind::Regular(inode), linux::O_RDWR | linux::O_LARGEFILE);
    Ok(Reply::Value(node.open(file, flags & linux::MFD_CLOEXEC != 0)?.into()))
}

/// `F_ADD_SEALS` and `F_GET_SEALS`.
pub(crate) fn seals<X: Guest>(
    call: &mut Call<'_, '_, X>,
    file: FileId,
    command: u32,
) -> Result<Reply, CallHalt> {
    let wanted = call.arg32(2)?;
    let node = call.node();
    let FileKind::Regular(inode) = node.file(file).kind else { return Err(Errno::EINVAL.into()) };
    let seals = node.volatile.seals.of(inode).ok_or(Errno::EINVAL)?;
    if command == linux::F_GET_SEALS {
        return Ok(Reply::Value(seals.into()));
    }
    if !node.file(file).writable() {
        return Err(Errno::EPERM.into());
    }
    if wanted & !SEALS != 0 {
        return Err(Errno::EINVAL.into());
    }
    if seals & linux::F_SEAL_SEAL != 0 {
        return Err(Errno::EPERM.into());
    }
    if wanted & !seals & linux::F_SEAL_WRITE != 0 && is_mapped_to_write(node, inode) {
        return Err(Errno::EBUSY.into());
    }
    call.node_mut().volatile.seals.add(inode, wanted);
    Ok(Reply::Value(0))
}

/// Returns true if a process can write to a file through a shared mapping.
fn is_mapped_to_write(node: &Node, inode: InodeId) -> bool {
    let mut areas = node.volatile.processes.values().flat_map(|process| process.mappings.iter());
    areas.any(|(_, area)| {
        matches!(area.source, AreaSource::File { inode: shown, writable: true, .. } if shown == inode)
    })
}
