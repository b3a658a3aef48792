//! Symbolic names in mounted folders of the host.
//!
//! The user has said what such a folder holds, so a name in it is one of its entries, or leads nowhere.
//! The path forks over the entries that the name can equal and over the places of its slashes. All names
//! that lead nowhere are one path, on which the name keeps all of these values: nothing is left out.

use everett_fs::{FollowLinks, FsError, InodeId, NAME_MAX};
use everett_memory::ByteValue;

use super::equals;
use crate::kernel::call::Call;
use crate::kernel::reply::CallHalt;
use crate::kernel::{Guest, Kernel};
use crate::sys::files::path::{PathName, PathSubject, find};

/// Entries of a folder that a name is compared with at most; a larger folder is treated as others are.
const MAX_ENTRIES: usize = 256;

/// The text of a name that something is to be found by, if it leads through mounted folders from its first
/// symbolic component on. A text that leads nowhere is an example of all that do.
pub(super) fn settle<X: Guest>(
    call: &mut Call<'_, '_, X>,
    start: InodeId,
    bytes: &[ByteValue],
) -> Result<Option<Vec<u8>>, CallHalt> {
    let known: Vec<u8> = bytes.iter().map_while(|byte| u8::try_from(*byte).ok()).collect();
    let cut = known.iter().rposition(|byte| *byte == b'/').map_or(0, |at| at + 1);
    let mut text = known[..cut].to_vec();
    let mut rest = &bytes[cut..];
    while !rest.is_empty() {
        let names = match folder(call, start, &text)? {
            Folder::Mounted(names) => names,
            Folder::Other => return Ok(None),
            Folder::Missing => {
                text.extend(example(call, rest));
                return Ok(Some(text));
            }
        };
        let component = component(call, rest)?;
        let entry = match component.length {
            0 => Some(Vec::new()),
            length => matching(call, &rest[..length], &names)?,
        };
        let Some(entry) = entry else {
            text.extend(example(call, rest));
            return Ok(Some(text));
        };
        text.extend(entry);
        if component.ends_name {
            return Ok(Some(text));
        }
        if component.length < rest.len() {
            text.push(b'/');
        }
        rest = rest.get(component.length + 1..).unwrap_or_default();
    }
    Ok(Some(text))
}

/// What is where a name begins.
enum Folder {
    /// A mounted folder with these names in it, `.` and `..` among them.
    Mounted(Vec<Vec<u8>>),
    /// No folder at all: whatever follows leads nowhere.
    Missing,
    /// A folder in which other names may stand for something, or a large one.
    Other,
}

fn folder<X: Guest>(
    call: &mut Call<'_, '_, X>,
    start: InodeId,
    text: &[u8],
) -> Result<Folder, CallHalt> {
    let dir = if text.is_empty() {
        start
    } else {
        let name = PathName { start, text: text.to_vec() };
        match find(call, &name, FollowLinks::Yes) {
            Ok(PathSubject::Inode(dir)) => dir,
            Ok(PathSubject::File(_)) | Err(CallHalt::Errno(_)) => return Ok(Folder::Missing),
            Err(halt) => return Err(halt),
        }
    };
    let fs = &mut call.node_mut().disk.fs;
    let entries = match fs.entries(dir) {
        Err(FsError::NotADirectory) => return Ok(Folder::Missing),
        entries => entries?,
    };
    if !fs.is_of_host(dir)? || entries.len() > MAX_ENTRIES {
        return Ok(Folder::Other);
    }
    let mut names: Vec<Vec<u8>> = entries.into_iter().map(|entry| entry.name.to_vec()).collect();
    names.extend([b".".to_vec(), b"..".to_vec()]);
    Ok(Folder::Mounted(names))
}

/// The first component of what is left of a name.
struct Component {
    length: usize,
    /// A byte that ends the whole name follows.
    ends_name: bool,
}

/// Finds the end of a component: forks over the bytes that can be a slash, or the end of the name.
fn component<X: Guest>(
    call: &mut Call<'_, '_, X>,
    rest: &[ByteValue],
) -> Result<Component, CallHalt> {
    for (length, byte) in rest.iter().enumerate() {
        let term = match byte {
            ByteValue::Concrete(b'/') => return Ok(Component { length, ends_name: false }),
            ByteValue::Concrete(_) => continue,
            ByteValue::Symbolic(term) => *term,
        };
        let pool = call.cx.pool;
        let (slash, end) =
            (pool.eq(term, pool.constant(8, b'/'.into())), pool.eq(term, pool.constant(8, 0)));
        if call.decide(slash)? {
            return Ok(Component { length, ends_name: false });
        }
        if call.decide(end)? {
            return Ok(Component { length, ends_name: true });
        }
    }
    Ok(Component { length: rest.len(), ends_name: false })
}

/// The entry that a component is, if it is one; its bytes are neither slashes nor zero.
fn matching<X: Guest>(
    call: &mut Call<'_, '_, X>,
    component: &[ByteValue],
    names: &[Vec<u8>],
) -> Result<Option<Vec<u8>>, CallHalt> {
    if component.len() > NAME_MAX {
        return Ok(None);
    }
    for name in names.iter().filter(|name| name.len() == component.len()) {
        let Some(same) = equals(call, component, name) else { continue };
        if call.decide(same)? {
            return Ok(Some(name.clone()));
        }
    }
    Ok(None)
}

/// Bytes that what is left of a name can have on this path.
fn example<X: Guest>(call: &Call<'_, '_, X>, rest: &[ByteValue]) -> Vec<u8> {
    let mut example = Kernel::example(call.cx, call.st, rest);
    example.truncate(example.iter().position(|byte| *byte == 0).unwrap_or(example.len()));
    example
}
