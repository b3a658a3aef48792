//! Path names with symbolic bytes.
//!
//! Such a name may be one that exists: the nearest that it can equal are tried, a few of them. Every
//! other name is as good as any, so one is chosen (the path is bound to it, which is counted), and
//! what is there is explored instead: nothing, an empty file, a file of symbolic bytes, a directory.
//! Names that were chosen are remembered, so that all calls agree about them.
//!
//! A mounted folder of the host is different: what it holds is all that there is ([`mounted`]).
//!
//! What is found under a chosen name is an input of the path (`NAME-kind`, `NAME-data`), by which a
//! replayed test finds the same ([`replay`]).

mod mounted;

use everett_expr::TermId;
use everett_fs::{Credentials, FollowLinks, FsContext, FsError, InodeId, OpenHow, PathLimits};
use everett_interp::{Flow, Omission, SiblingCourse, Stop};
use everett_memory::ByteValue;

use super::{PathIntent, PathName, PathSubject, find};
use crate::kernel::call::Call;
use crate::kernel::reply::CallHalt;
use crate::kernel::{Guest, Kernel};
use crate::state::node::Node;

/// The limits of the search for names that a symbolic one may equal.
const LIMITS: PathLimits = PathLimits { depth: 2, count: 256, host_depth: 1 };

/// A thing that may be under a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum NamedThing {
    EmptyFile,
    File,
    Directory,
}

impl NamedThing {
    const ALL: [NamedThing; 3] = [NamedThing::EmptyFile, NamedThing::File, NamedThing::Directory];

    /// The value of the input that says what is there.
    fn code(self) -> u8 {
        match self {
            NamedThing::EmptyFile => b'e',
            NamedThing::File => b'f',
            NamedThing::Directory => b'd',
        }
    }
}

/// The one value that a symbolic name has from here on; empty for an empty name.
pub(super) fn settle<X: Guest>(
    call: &mut Call<'_, '_, X>,
    start: InodeId,
    bytes: &[ByteValue],
    intent: PathIntent,
) -> Result<Vec<u8>, CallHalt> {
    let mut example = Kernel::example(call.cx, call.st, bytes);
    example.truncate(example.iter().position(|byte| *byte == 0).unwrap_or(example.len()));
    let is_example = equals(call, bytes, &example).expect("an example is possible");
    if call.st.path.is_always(call.cx.solver, call.cx.pool, is_example).map_err(Stop::from)? {
        return Ok(example);
    }
    if intent == PathIntent::Find
        && let Some(text) = mounted::settle(call, start, bytes)?
    {
        return Ok(text);
    }
    let candidates = candidates(call, start, bytes)?;
    let mut tried = 0;
    let mut has_others = false;
    for name in &candidates {
        let Some(same) = equals(call, bytes, name) else { continue };
        if !call.st.path.may_be(call.cx.solver, call.cx.pool, same).map_err(Stop::from)? {
            continue;
        }
        if tried == call.kernel.config.max_path_matches {
            // The others are not what the name is bound to.
            has_others |= avoid(call, same)?;
        } else {
            tried += 1;
            if call.decide(same)? {
                return Ok(name.clone());
            }
        }
    }
    let before = call.st.path.clone();
    let text = bind(call, bytes)?;
    let same = equals(call, bytes, &text).expect("the name is bound to it");
    has_others |= !before.is_always(call.cx.solver, call.cx.pool, same).map_err(Stop::from)?;
    if has_others {
        call.cx.omit(call.st, Omission::PathName);
    }
    let name = PathName { start, text };
    call.node_mut().disk.chosen_names.push(name.text.as_slice().into());
    if intent == PathIntent::Find && call.st.forking && !candidates.contains(&name.text) {
        for thing in NamedThing::ALL {
            explore(call, &name, thing)?;
        }
    }
    Ok(name.text)
}

/// The condition that the name is `text`; `None` if it cannot be.
fn equals<X: Guest>(call: &Call<'_, '_, X>, bytes: &[ByteValue], text: &[u8]) -> Option<TermId> {
    if text.len() > bytes.len() {
        return None;
    }
    let pool = call.cx.pool;
    let mut all = pool.bool(true);
    for (byte, wanted) in bytes.iter().zip(text.iter().chain([&0])) {
        match byte {
            ByteValue::Concrete(byte) if byte == wanted => {}
            ByteValue::Concrete(_) => return None,
            ByteValue::Symbolic(term) => {
                let equal = pool.eq(*term, pool.constant(8, u64::from(*wanted)));
                all = pool.and(all, equal);
            }
        }
    }
    Some(all)
}

/// Names that a symbolic one may equal, nearest first: those that were chosen before, those in the
/// directory that is certain, and absolute ones.
fn candidates<X: Guest>(
    call: &mut Call<'_, '_, X>,
    start: InodeId,
    bytes: &[ByteValue],
) -> Result<Vec<Vec<u8>>, CallHalt> {
    let known: Vec<u8> = bytes.iter().map_while(|byte| u8::try_from(*byte).ok()).collect();
    let cut = known.iter().rposition(|byte| *byte == b'/').map_or(0, |at| at + 1);
    let prefix = &known[..cut];
    let mut names: Vec<Vec<u8>> =
        call.node().disk.chosen_names.iter().map(|name| name.to_vec()).collect();
    let dir = if prefix.is_empty() {
        Some(start)
    } else {
        match find(call, &PathName { start, text: prefix.to_vec() }, FollowLinks::Yes) {
            Ok(PathSubject::Inode(dir)) => Some(dir),
            Ok(PathSubject::File(_)) | Err(CallHalt::Errno(_)) => None,
            Err(halt) => return Err(halt),
        }
    };
    if let Some(dir) = dir {
        let entries = match call.node_mut().disk.fs.entries(dir) {
            Err(FsError::NotADirectory) => Vec::new(),
            entries => entries?,
        };
        let entries = entries.iter().take(LIMITS.count);
        names.extend(entries.map(|entry| [prefix, &entry.name[..]].concat()));
        names.push([prefix, b"."].concat());
    }
    names.push(b"/".to_vec());
    names.extend(call.node().disk.fs.paths(LIMITS)?.into_iter().map(|entry| entry.path));
    let mut unique: Vec<Vec<u8>> = Vec::new();
    for name in names {
        if name.len() <= bytes.len() && !unique.contains(&name) {
            unique.push(name);
        }
    }
    Ok(unique)
}

/// Assumes that a condition does not hold, if that is possible.
fn avoid<X: Guest>(call: &mut Call<'_, '_, X>, condition: TermId) -> Result<bool, CallHalt> {
    let not = call.cx.pool.not(condition);
    assume(call, not)
}

/// Assumes a condition if it is possible.
fn assume<X: Guest>(call: &mut Call<'_, '_, X>, condition: TermId) -> Result<bool, CallHalt> {
    let assumed = call.st.path.assume(call.cx.solver, call.cx.pool, condition);
    Ok(assumed.map_err(Stop::from)?)
}

/// Binds a byte to its smallest value.
fn smallest<X: Guest>(call: &mut Call<'_, '_, X>, byte: TermId) -> Result<u8, CallHalt> {
    let (pool, path) = (call.cx.pool, &mut call.st.path);
    let least = path.min_value(call.cx.solver, pool, byte).map_err(Stop::from)?.low_u64();
    let same = pool.eq(byte, pool.constant(8, least));
    path.assume(call.cx.solver, pool, same).map_err(Stop::from)?;
    Ok(least as u8)
}

/// Binds a name to a short one of small letters, as far as its bytes can be such.
fn bind<X: Guest>(call: &mut Call<'_, '_, X>, bytes: &[ByteValue]) -> Result<Vec<u8>, CallHalt> {
    let pool = call.cx.pool;
    let constant = |byte: u8| pool.constant(8, u64::from(byte));
    let mut text = Vec::new();
    for byte in bytes {
        let term = match byte {
            ByteValue::Concrete(byte) => {
                text.push(*byte);
                continue;
            }
            ByteValue::Symbolic(term) => *term,
        };
        let ends = pool.eq(term, constant(0));
        let ends_well = !text.is_empty() && text.last() != Some(&b'/');
        if ends_well && assume(call, ends)? {
            break;
        }
        let letter = pool.and(pool.uge(term, constant(b'a')), pool.ule(term, constant(b'z')));
        let slash = pool.eq(term, constant(b'/'));
        let plain = pool.not(pool.or(ends, slash));
        let _ = assume(call, letter)? || assume(call, plain)? || avoid(call, ends)?;
        match smallest(call, term)? {
            0 => break,
            byte => text.push(byte),
        }
    }
    Ok(text)
}

/// Splits off a path on which something is under a chosen name, where it can be.
fn explore<X: Guest>(
    call: &mut Call<'_, '_, X>,
    name: &PathName,
    thing: NamedThing,
) -> Result<(), CallHalt> {
    let size = call.kernel.config.symbolic_file_bytes;
    if thing == NamedThing::File && size == 0 {
        return Ok(());
    }
    // Whether it can be there is found out before anybody else learns of it.
    if make(&mut call.node().clone(), name, thing, &[]).is_err() {
        return Ok(());
    }
    let mut sibling = call.st.fork();
    let shown = String::from_utf8_lossy(&name.text);
    let kind = X::new_input(call.cx, &mut sibling, &format!("{shown}-kind"), 1);
    if let Ok([ByteValue::Symbolic(term)]) = kind.as_deref() {
        let pool = call.cx.pool;
        let equal = pool.eq(*term, pool.constant(8, u64::from(thing.code())));
        sibling.path.assume(call.cx.solver, pool, equal).map_err(Stop::from)?;
    }
    let made = kind.and_then(|_| match thing {
        NamedThing::File => X::new_input(call.cx, &mut sibling, &format!("{shown}-data"), size),
        NamedThing::EmptyFile | NamedThing::Directory => Ok(Vec::new()),
    });
    match made {
        Ok(data) => {
            make(sibling.extra.node_mut(), name, thing, &data)?;
            call.cx.add_sibling(sibling, SiblingCourse::Again);
        }
        Err(Flow::End(ending)) => call.cx.add_sibling(sibling, SiblingCourse::Ended(ending)),
        Err(_) => {}
    }
    Ok(())
}

/// Puts something where there is nothing; it belongs to the running process.
fn make(
    node: &mut Node,
    name: &PathName,
    thing: NamedThing,
    data: &[ByteValue],
) -> Result<(), FsError> {
    let cred = node.credentials();
    let (root, owner) = (node.process().root, Credentials::root());
    let now = i64::try_from(node.clock.epoch_ns).unwrap_or(0);
    let ctx = FsContext { umask: 0, now, ..FsContext::new(root, &owner) }.at(name.start);
    let inode = match thing {
        NamedThing::Directory => node.disk.fs.mkdir(&ctx, &name.text, 0o755)?,
        NamedThing::EmptyFile | NamedThing::File => {
            let how = OpenHow {
                write: true,
                create: true,
                exclusive: true,
                mode: 0o644,
                ..OpenHow::default()
            };
            node.disk.fs.open(&ctx, &name.text, &how)?.inode
        }
    };
    if !data.is_empty() {
        node.disk.fs.write(&ctx, inode, 0, data)?;
    }
    node.disk.fs.chown(&ctx, inode, Some(cred.uid), Some(cred.gid))
}

/// In a replayed test, puts there what the test has under a name.
pub(super) fn replay<X: Guest>(
    call: &mut Call<'_, '_, X>,
    name: &PathName,
) -> Result<(), CallHalt> {
    let shown = String::from_utf8_lossy(&name.text).into_owned();
    let kind = format!("{shown}-kind");
    if !X::next_input_is(call.st, &kind) {
        return Ok(());
    }
    let kind = X::new_input(call.cx, call.st, &kind, 1)?;
    let thing =
        NamedThing::ALL.into_iter().find(|thing| kind == [ByteValue::Concrete(thing.code())]);
    let Some(thing) = thing else { return Ok(()) };
    let data = match thing {
        NamedThing::File => {
            let size = call.kernel.config.symbolic_file_bytes;
            X::new_input(call.cx, call.st, &format!("{shown}-data"), size)?
        }
        NamedThing::EmptyFile | NamedThing::Directory => Vec::new(),
    };
    make(call.node_mut(), name, thing, &data)?;
    Ok(())
}
