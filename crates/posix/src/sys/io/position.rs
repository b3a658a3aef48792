//! `lseek`.

use everett_fs::MAX_FILE_BYTES;
use linux_raw_sys::general as linux;
use syscalls::Errno;

use crate::kernel::Guest;
use crate::kernel::call::Call;
use crate::kernel::reply::{Answer, Reply};
use crate::state::file::FileKind;

/// The end of positions in directories; they are cookies, not counts.
const LAST_COOKIE: u64 = MAX_FILE_BYTES;

pub(crate) fn lseek<X: Guest>(call: &mut Call<'_, '_, X>) -> Answer {
    let file = call.file_arg(0)?;
    let whence = call.arg32(2)?;
    let open = call.node().file(file);
    let own = open.offset;
    let (end, regular) = match &open.kind {
        FileKind::Regular(inode) => (call.node().disk.fs.stat(*inode)?.size, Some(*inode)),
        FileKind::Generated { text, .. } => (text.len() as u64, None),
        FileKind::Directory(_) => (LAST_COOKIE, None),
        FileKind::Path(_) => return Err(Errno::EBADF.into()),
        FileKind::Stream(_)
        | FileKind::Pipe { .. }
        | FileKind::Socket(_)
        | FileKind::Terminal { .. } => {
            return Err(Errno::ESPIPE.into());
        }
        // These accept it and stay where they are.
        FileKind::Device { .. }
        | FileKind::EventCounter(_)
        | FileKind::Timer(_)
        | FileKind::Epoll(_)
        | FileKind::Signal(_)
        | FileKind::Queue(_)
        | FileKind::Inotify(_) => {
            let known = whence <= linux::SEEK_HOLE;
            return if known { Ok(Reply::Value(0)) } else { Err(Errno::EINVAL.into()) };
        }
    };
    let base = match whence {
        linux::SEEK_SET => 0,
        linux::SEEK_CUR => own,
        linux::SEEK_END => end,
        linux::SEEK_DATA | linux::SEEK_HOLE => {
            let from = call.arg(1)?;
            let hole = whence == linux::SEEK_HOLE;
            let found = match regular {
                _ if from as i64 <= -1 => return Err(Errno::ENXIO.into()),
                Some(inode) => call.node().disk.fs.seek(inode, from, hole)?,
                None if from >= end => return Err(Errno::ENXIO.into()),
                None => {
                    if hole {
                        end
                    } else {
                        from
                    }
                }
            };
            call.node_mut().file_mut(file).offset = found;
            return Ok(Reply::Value(found));
        }
        _ => return Err(Errno::EINVAL.into()),
    };
    let to = i128::from(base) + i128::from(call.arg(1)? as i64);
    let to = u64::try_from(to).ok().filter(|to| *to <= MAX_FILE_BYTES).ok_or(Errno::EINVAL)?;
    call.node_mut().file_mut(file).offset = to;
    Ok(Reply::Value(to))
}
