//! Memory mappings.
//!
//! A mapping is an object of its own; what `munmap` and `mprotect` do to a part of it are rights of
//! pages inside it. So addresses of two mappings are never next to each other, and hints are not
//! taken.

mod files;

use std::sync::Arc;

use everett_fs::InodeId;
use everett_memory::{AccessRights, AllocRequest, GUARD_BYTES, ObjectKind, SiteId};
use linux_raw_sys::general as linux;
use syscalls::Errno;

use crate::kernel::Guest;
use crate::kernel::call::Call;
use crate::kernel::reply::{Answer, CallHalt, Reply};
use crate::state::file::{FileKind, KernelDevice};
use crate::state::process::mappings::{AreaSource, BrkHeap, MappedArea, Mappings};

pub(crate) use self::files::{arrive, inherited, leave, share, write_back};

/// Bytes of a page.
pub(crate) const PAGE: u64 = GUARD_BYTES;
/// Bytes that `brk` can give.
const HEAP_BYTES: u64 = 1 << 30;
/// The largest mapping.
const MOST_BYTES: u64 = everett_memory::layout::MAX_OBJECT_BYTES;

/// Rounds a length up to whole pages.
pub(crate) fn whole_pages(len: u64) -> Option<u64> {
    len.checked_next_multiple_of(PAGE)
}

fn site<X: Guest>(call: &Call<'_, '_, X>) -> SiteId {
    let frame = call.st.stack.frames().next();
    frame.map_or(SiteId::NONE, |frame| call.cx.image.site(frame.pc))
}

fn change<X: Guest>(call: &mut Call<'_, '_, X>, change: impl FnOnce(&mut Mappings)) {
    change(Arc::make_mut(&mut call.node_mut().process_mut().mappings));
}

/// The rights that protection flags ask for; what can be written or executed can be read, too.
fn rights(protection: u32) -> AccessRights {
    if protection & linux::PROT_WRITE != 0 {
        AccessRights::ReadWrite
    } else if protection & (linux::PROT_READ | linux::PROT_EXEC) != 0 {
        AccessRights::ReadOnly
    } else {
        AccessRights::Nothing
    }
}

// ---- mmap ----------------------------------------------------------------------------------

pub(crate) fn mmap<X: Guest>(call: &mut Call<'_, '_, X>) -> Answer {
    let (address, len) = (call.arg(0)?, call.arg(1)?);
    let (protection, flags, offset) = (call.arg32(2)?, call.arg32(3)?, call.arg(5)?);
    if !offset.is_multiple_of(PAGE) {
        return Err(Errno::EINVAL.into());
    }
    let anonymous = flags & linux::MAP_ANONYMOUS != 0;
    let shared = match flags & linux::MAP_TYPE {
        linux::MAP_SHARED | linux::MAP_SHARED_VALIDATE => true,
        linux::MAP_PRIVATE => false,
        _ if anonymous || call.file_arg(4).is_ok() => return Err(Errno::EINVAL.into()),
        _ => return Err(Errno::EBADF.into()),
    };
    let rights = rights(protection);
    let file = if anonymous { None } else { mapped_file(call, shared, rights)? };
    let source = match file {
        Some((inode, writable)) if shared => AreaSource::File { inode, offset, writable },
        Some((inode, _)) => AreaSource::Copy { inode, offset },
        None if shared => AreaSource::Shared(new_shared_number(call)),
        None => AreaSource::Private,
    };
    if len == 0 {
        return Err(Errno::EINVAL.into());
    }
    let size = whole_pages(len).filter(|size| *size <= MOST_BYTES).ok_or(Errno::ENOMEM)?;
    if offset.checked_add(size).is_none() {
        return Err(Errno::EOVERFLOW.into());
    }
    check_mmap_flags(call, flags)?;
    if call.node().process().mappings.total() + size > address_limit(call) {
        return Err(Errno::ENOMEM.into());
    }
    let fixed = flags & (linux::MAP_FIXED | linux::MAP_FIXED_NOREPLACE) != 0;
    let replaces = flags & linux::MAP_FIXED_NOREPLACE == 0;
    let place = fixed.then_some(FixedPlace { address, replaces });
    Ok(Reply::Value(map_anew(call, NewMapping { place, size, rights, source })?))
}

/// A mapping that is to be made.
pub(crate) struct NewMapping {
    pub(crate) place: Option<FixedPlace>,
    /// Whole pages.
    pub(crate) size: u64,
    pub(crate) rights: AccessRights,
    pub(crate) source: AreaSource,
}

/// An address at which a mapping must be.
pub(crate) struct FixedPlace {
    pub(crate) address: u64,
    /// What is mapped there already goes; otherwise the call fails with `EEXIST`.
    pub(crate) replaces: bool,
}

/// Makes a mapping and returns its address.
pub(crate) fn map_anew<X: Guest>(
    call: &mut Call<'_, '_, X>,
    mapping: NewMapping,
) -> Result<u64, CallHalt> {
    let NewMapping { place, size, rights, source } = mapping;
    let original = first_view(call, &source, size, rights)?;
    if place.is_some() && original.is_some() {
        return Err(call.unsupported("a second shared mapping of a file at a fixed address"));
    }
    let (start, object) = match place {
        Some(FixedPlace { address, replaces }) => make_room(call, address, size, replaces)?,
        None => {
            let request = AllocRequest::new(size, ObjectKind::External, site(call)).aligned(PAGE);
            let start = call.st.mem.alloc_with(request).map_err(|_| Errno::ENOMEM)?;
            (start, start)
        }
    };
    map(call, start, MappedArea { end: start + size, object, rights, source })?;
    if let Some(original) = original {
        call.st.mem.make_alias(start, original);
    }
    Ok(start)
}

/// A number for shared memory, which Linux keeps as a file without a name.
fn new_shared_number<X: Guest>(call: &mut Call<'_, '_, X>) -> u32 {
    let node = call.node_mut();
    let number = node.volatile.next_file;
    node.volatile.next_file += 1;
    number
}

pub(crate) fn address_limit<X: Guest>(call: &Call<'_, '_, X>) -> u64 {
    call.node().process().limits.get(linux::RLIMIT_AS).soft
}

/// The file to map, and whether it may be written through a shared mapping; `None` for a device of
/// zeros.
fn mapped_file<X: Guest>(
    call: &mut Call<'_, '_, X>,
    shared: bool,
    rights: AccessRights,
) -> Result<Option<(InodeId, bool)>, CallHalt> {
    let id = call.file_arg(4)?;
    let file = call.node().file(id);
    if file.is_path() {
        return Err(Errno::EBADF.into());
    }
    let found = match &file.kind {
        FileKind::Regular(inode) => Some(*inode),
        FileKind::Device { device: KernelDevice::Zero, .. } => None,
        _ => return Err(Errno::ENODEV.into()),
    };
    if !file.readable() || (shared && rights == AccessRights::ReadWrite && !file.writable()) {
        return Err(Errno::EACCES.into());
    }
    let is_sealed = found.is_some_and(|inode| call.node().volatile.seals.forbid_writes(inode));
    if shared && is_sealed && rights == AccessRights::ReadWrite {
        return Err(Errno::EPERM.into());
    }
    Ok(found.map(|inode| (inode, file.writable() && !is_sealed)))
}

/// Flags that make no difference here, and those that are not implemented.
fn check_mmap_flags<X: Guest>(call: &Call<'_, '_, X>, flags: u32) -> Result<(), CallHalt> {
    let known = linux::MAP_TYPE
        | linux::MAP_ANONYMOUS
        | linux::MAP_FIXED
        | linux::MAP_FIXED_NOREPLACE
        | linux::MAP_NORESERVE
        | linux::MAP_POPULATE
        | linux::MAP_NONBLOCK
        | linux::MAP_STACK
        | linux::MAP_LOCKED
        | linux::MAP_DENYWRITE
        | linux::MAP_EXECUTABLE;
    let left = flags & !known;
    if left != 0 && flags & linux::MAP_TYPE == linux::MAP_SHARED_VALIDATE {
        return Err(Errno::EOPNOTSUPP.into());
    }
    call.reject_flags(left.into())
}

/// The address at which the process has the same part of a file already: a second shared mapping of it
/// changes with the first one. Parts that only overlap are not implemented, unless nobody can write to
/// them.
fn first_view<X: Guest>(
    call: &Call<'_, '_, X>,
    source: &AreaSource,
    size: u64,
    rights: AccessRights,
) -> Result<Option<u64>, CallHalt> {
    let AreaSource::File { inode, offset, .. } = source else { return Ok(None) };
    let maps = &call.node().process().mappings;
    let mut overlaps = false;
    for (start, area, shown, from) in maps.files() {
        let to = from + (area.end - start);
        if shown != *inode || offset + size <= from || to <= *offset {
            continue;
        }
        if from <= *offset && offset + size <= to && !call.st.mem.is_alias(area.object) {
            return Ok(Some(start + (offset - from)));
        }
        overlaps |= rights == AccessRights::ReadWrite || area.rights == AccessRights::ReadWrite;
    }
    if overlaps { Err(call.unsupported("overlapping shared mappings of a file")) } else { Ok(None) }
}

/// Makes room at a fixed address: the start, and the object there.
fn make_room<X: Guest>(
    call: &mut Call<'_, '_, X>,
    address: u64,
    size: u64,
    replace: bool,
) -> Result<(u64, u64), CallHalt> {
    let end = address.checked_add(size).ok_or(Errno::ENOMEM)?;
    if !address.is_multiple_of(PAGE) {
        return Err(Errno::EINVAL.into());
    }
    if !replace && call.node().process().mappings.overlaps(address, end) {
        return Err(Errno::EEXIST.into());
    }
    if address < PAGE {
        return Err(Errno::EPERM.into());
    }
    if let Some(object) = call.st.mem.bounds(address, size) {
        let object = object.base;
        if !call.node().process().mappings.uses(object) || call.st.mem.is_alias(object) {
            return Err(call.unsupported("MAP_FIXED over memory that was not mapped"));
        }
        unmap(call, address, end, true)?;
        call.st.mem.reset_range(address, size);
        return Ok((address, object));
    }
    let site = site(call);
    match call.st.mem.place(address, size, site) {
        Ok(()) => Ok((address, address)),
        Err(_) => Err(call.unsupported(format!("MAP_FIXED at address {address:#x}"))),
    }
}

/// Maps an area where nothing is mapped.
fn map<X: Guest>(call: &mut Call<'_, '_, X>, start: u64, area: MappedArea) -> Result<(), CallHalt> {
    let pool = call.cx.pool;
    let shown = match area.source {
        AreaSource::File { inode, .. } => Some(inode),
        _ => None,
    };
    let first = shown.filter(|inode| !call.node().process().mappings.inodes().contains(inode));
    files::show(pool, &call.st.extra.node().disk.fs, &mut call.st.mem, start, &area)?;
    change(call, |maps| maps.add(start, area));
    if shown.is_some() {
        let node = call.st.extra.node_mut();
        first.into_iter().for_each(|inode| node.disk.fs.hold(inode));
        files::remember(node, &mut call.st.mem)?;
    }
    Ok(())
}

// ---- munmap --------------------------------------------------------------------------------

pub(crate) fn munmap<X: Guest>(call: &mut Call<'_, '_, X>) -> Answer {
    let (address, len) = (call.arg(0)?, call.arg(1)?);
    let range = files::pages_of(address, len).filter(|_| len > 0);
    let (start, end) = range.ok_or(Errno::EINVAL)?;
    unmap(call, start, end, false)?;
    Ok(Reply::Value(0))
}

/// Takes a range out of the mappings. The object lives on if it is to be used again.
pub(crate) fn unmap<X: Guest>(
    call: &mut Call<'_, '_, X>,
    start: u64,
    end: u64,
    keep: bool,
) -> Result<(), CallHalt> {
    let before = call.node().process().mappings.inodes();
    match call.st.mem.aliases_of(start, end)[..] {
        [] => {}
        [alias] => call.st.mem.separate_alias(alias),
        _ => return Err(call.unsupported("the first of three shared mappings of a file")),
    }
    // What the process wrote to shared memory stays for those that have it, too.
    files::publish(call.st.extra.node_mut(), &mut call.st.mem);
    let mut cut = Vec::new();
    change(call, |maps| cut = maps.cut(start, end));
    let site = site(call);
    for (start, area) in cut {
        let maps = &call.node().process().mappings;
        let is_heap = maps.heap.is_some_and(|heap| heap.base == area.object);
        if keep || is_heap || maps.uses(area.object) {
            call.st.mem.protect(start, area.end - start, AccessRights::Unmapped);
            if !call.st.mem.is_alias(area.object) {
                call.st.mem.reset_range(start, area.end - start);
            }
        } else {
            call.st.mem.release(area.object, site);
        }
    }
    let node = call.st.extra.node_mut();
    let after = node.process().mappings.inodes();
    if before != after {
        before.difference(&after).for_each(|inode| node.disk.fs.release(*inode));
        files::remember(node, &mut call.st.mem)?;
    }
    Ok(())
}

// ---- changing mappings ---------------------------------------------------------------------

pub(crate) fn mprotect<X: Guest>(call: &mut Call<'_, '_, X>) -> Answer {
    const KNOWN: u32 = linux::PROT_READ | linux::PROT_WRITE | linux::PROT_EXEC | linux::PROT_SEM;
    let (address, len) = (call.arg(0)?, call.arg(1)?);
    let protection = call.arg32(2)?;
    if !address.is_multiple_of(PAGE) || protection & !KNOWN != 0 {
        return Err(Errno::EINVAL.into());
    }
    if len == 0 {
        return Ok(Reply::Value(0));
    }
    let (start, end) = files::pages_of(address, len).ok_or(Errno::ENOMEM)?;
    let rights = rights(protection);
    let maps = &call.node().process().mappings;
    if maps.has_gap(start, end) {
        return protect_object(call, start, end, rights);
    }
    let denied = maps.files().any(|(first, area, _, _)| {
        let within = first < end && start < area.end;
        within && matches!(area.source, AreaSource::File { writable: false, .. })
    });
    if denied && rights == AccessRights::ReadWrite {
        return Err(Errno::EACCES.into());
    }
    let mut cut = Vec::new();
    change(call, |maps| cut = maps.cut(start, end));
    for (start, area) in cut {
        let area = MappedArea { rights, ..area };
        files::set_rights(&call.st.extra.node().disk.fs, &mut call.st.mem, start, &area)?;
        change(call, |maps| maps.add(start, area));
    }
    Ok(Reply::Value(0))
}

/// `mprotect` of memory that was not mapped: a page that `memalign` gave, or a variable.
fn protect_object<X: Guest>(
    call: &mut Call<'_, '_, X>,
    start: u64,
    end: u64,
    rights: AccessRights,
) -> Answer {
    let object = call.st.mem.bounds(start, 1).ok_or(Errno::ENOMEM)?;
    if call.node().process().mappings.uses(object.base) || whole_pages(object.end()) < Some(end) {
        return Err(Errno::ENOMEM.into());
    }
    call.st.mem.protect(start, end.min(object.end()) - start, rights);
    Ok(Reply::Value(0))
}

pub(crate) fn mremap<X: Guest>(call: &mut Call<'_, '_, X>) -> Answer {
    let (address, old_len, new_len) = (call.arg(0)?, call.arg(1)?, call.arg(2)?);
    let flags = call.arg32(3)?;
    let known = linux::MREMAP_MAYMOVE | linux::MREMAP_FIXED | linux::MREMAP_DONTUNMAP;
    if flags & !known != 0 || !address.is_multiple_of(PAGE) || new_len == 0 {
        return Err(Errno::EINVAL.into());
    }
    call.reject_flags((flags & !linux::MREMAP_MAYMOVE).into())?;
    let old = whole_pages(old_len).ok_or(Errno::EINVAL)?;
    let new = whole_pages(new_len).filter(|size| *size <= MOST_BYTES).ok_or(Errno::ENOMEM)?;
    let maps = &call.node().process().mappings;
    let (first, area) = maps.at(address).ok_or(Errno::EFAULT)?;
    let area = area.clone();
    if old == 0 {
        return Err(call.unsupported("a second view of a mapping"));
    }
    if address + old > area.end {
        return Err(Errno::EFAULT.into());
    }
    if new <= old {
        unmap(call, address + new, address + old, false)?;
        return Ok(Reply::Value(address));
    }
    if maps.total() + (new - old) > address_limit(call) {
        return Err(Errno::ENOMEM.into());
    }
    let inside = call.st.mem.bounds(address, new).is_some();
    let free = !maps.overlaps(address + old, address + new) && address + old == area.end;
    if inside && free {
        return grow_in_place(call, (first, area), address, (old, new));
    }
    if flags & linux::MREMAP_MAYMOVE == 0 {
        return Err(Errno::ENOMEM.into());
    }
    move_mapping(call, (first, area), address, (old, new))
}

/// An area like another one, from `offset` bytes after its start on.
fn like(area: &MappedArea, first: u64, at: u64, end: u64, object: u64) -> MappedArea {
    let mut source = area.source.clone();
    if let AreaSource::File { offset, .. } | AreaSource::Copy { offset, .. } = &mut source {
        *offset += at - first;
    }
    MappedArea { end, object, rights: area.rights, source }
}

fn grow_in_place<X: Guest>(
    call: &mut Call<'_, '_, X>,
    (first, area): (u64, MappedArea),
    address: u64,
    (old, new): (u64, u64),
) -> Answer {
    let from = address + old;
    let more = like(&area, first, from, address + new, area.object);
    call.st.mem.reset_range(from, new - old);
    map(call, from, more)?;
    Ok(Reply::Value(address))
}

fn move_mapping<X: Guest>(
    call: &mut Call<'_, '_, X>,
    (first, area): (u64, MappedArea),
    address: u64,
    (old, new): (u64, u64),
) -> Answer {
    if let AreaSource::Shared(_) = area.source {
        return Err(call.unsupported("moving memory that processes share"));
    }
    let mem = &call.st.mem;
    if mem.is_alias(area.object) || !mem.aliases_of(address, address + old).is_empty() {
        return Err(call.unsupported("moving one of two shared mappings of a file"));
    }
    let request = AllocRequest::new(new, ObjectKind::External, site(call)).aligned(PAGE);
    let start = call.st.mem.alloc_with(request).map_err(|_| Errno::ENOMEM)?;
    let moved = like(&area, first, address, start + new, start);
    // A file is shown anew, so that only what a private mapping changed has to be copied.
    let copied = !matches!(area.source, AreaSource::File { .. });
    let is_file = matches!(area.source, AreaSource::Copy { .. });
    let tail =
        if is_file { Some(like(&moved, start, start + old, start + new, start)) } else { None };
    let pool = call.cx.pool;
    if copied {
        call.st.mem.protect(address, old, AccessRights::ReadWrite);
        let copy = call.st.mem.copy(pool, start, address, old);
        copy.map_err(|_| Errno::ENOMEM)?;
    }
    unmap(call, address, address + old, false)?;
    let node = call.st.extra.node();
    if let Some(tail) = tail {
        files::show(pool, &node.disk.fs, &mut call.st.mem, start + old, &tail)?;
        files::set_rights(&node.disk.fs, &mut call.st.mem, start, &moved)?;
        change(call, |maps| maps.add(start, moved));
    } else {
        map(call, start, moved)?;
    }
    Ok(Reply::Value(start))
}

pub(crate) fn msync<X: Guest>(call: &mut Call<'_, '_, X>) -> Answer {
    const KNOWN: u32 = linux::MS_ASYNC | linux::MS_INVALIDATE | linux::MS_SYNC;
    let (address, len, flags) = (call.arg(0)?, call.arg(1)?, call.arg32(2)?);
    let both = linux::MS_ASYNC | linux::MS_SYNC;
    if flags & !KNOWN != 0 || flags & both == both || !address.is_multiple_of(PAGE) {
        return Err(Errno::EINVAL.into());
    }
    let (start, end) = files::pages_of(address, len).ok_or(Errno::ENOMEM)?;
    if call.node().process().mappings.has_gap(start, end) {
        return Err(Errno::ENOMEM.into());
    }
    // What was changed is in the files since the call began; now it is safe there.
    if flags & linux::MS_SYNC != 0 {
        let node = call.node_mut();
        let maps = node.process().mappings.clone();
        for (first, area, inode, _) in maps.files() {
            if first < end && start < area.end {
                node.disk.fs.sync(inode)?;
            }
        }
    }
    Ok(Reply::Value(0))
}

pub(crate) fn madvise<X: Guest>(call: &mut Call<'_, '_, X>) -> Answer {
    let (address, len, advice) = (call.arg(0)?, call.arg(1)?, call.arg32(2)?);
    match advice {
        linux::MADV_NORMAL
        | linux::MADV_RANDOM
        | linux::MADV_SEQUENTIAL
        | linux::MADV_WILLNEED
        | linux::MADV_DONTNEED
        | linux::MADV_FREE
        | linux::MADV_DOFORK
        | linux::MADV_MERGEABLE
        | linux::MADV_UNMERGEABLE
        | linux::MADV_HUGEPAGE
        | linux::MADV_NOHUGEPAGE
        | linux::MADV_DONTDUMP
        | linux::MADV_DODUMP
        | linux::MADV_KEEPONFORK
        | linux::MADV_COLD
        | linux::MADV_PAGEOUT
        | linux::MADV_POPULATE_READ
        | linux::MADV_POPULATE_WRITE => {}
        linux::MADV_DONTFORK | linux::MADV_WIPEONFORK | linux::MADV_REMOVE => {
            return Err(call.unsupported(format!("advice {advice}")));
        }
        linux::MADV_HWPOISON | linux::MADV_SOFT_OFFLINE => return Err(Errno::EPERM.into()),
        _ => return Err(Errno::EINVAL.into()),
    }
    let (start, end) = files::pages_of(address, len).ok_or(Errno::EINVAL)?;
    if advice == linux::MADV_DONTNEED {
        let pool = call.cx.pool;
        let maps = call.node().process().mappings.clone();
        let within = maps.iter().filter(|(first, area)| *first < end && start < area.end);
        for (first, area) in within.filter(|(_, area)| !area.source.is_shared()) {
            let from = first.max(start);
            let part = like(area, first, from, area.end.min(end), area.object);
            call.st.mem.reset_range(from, part.end - from);
            files::show(pool, &call.st.extra.node().disk.fs, &mut call.st.mem, from, &part)?;
        }
    }
    // What is mapped has followed the advice when a gap is found.
    let maps = &call.node().process().mappings;
    let is_other_memory = { call.st.mem.bounds(start, 1) }
        .is_some_and(|object| !maps.uses(object.base) && Some(end) <= whole_pages(object.end()));
    if maps.has_gap(start, end) && !is_other_memory {
        return Err(Errno::ENOMEM.into());
    }
    Ok(Reply::Value(0))
}

pub(crate) fn mincore<X: Guest>(call: &mut Call<'_, '_, X>) -> Answer {
    let (address, len, vector) = (call.arg(0)?, call.arg(1)?, call.arg(2)?);
    if !address.is_multiple_of(PAGE) {
        return Err(Errno::EINVAL.into());
    }
    let (start, end) = files::pages_of(address, len).ok_or(Errno::ENOMEM)?;
    call.check_writable(vector, (end - start) / PAGE)?;
    if call.node().process().mappings.has_gap(start, end) {
        return Err(Errno::ENOMEM.into());
    }
    call.write_concrete(vector, &vec![1; ((end - start) / PAGE) as usize])?;
    Ok(Reply::Value(0))
}

// ---- brk -----------------------------------------------------------------------------------

pub(crate) fn brk<X: Guest>(call: &mut Call<'_, '_, X>) -> Answer {
    let asked = call.arg(0)?;
    let heap = match call.node().process().mappings.heap {
        Some(heap) => heap,
        None => {
            let request =
                AllocRequest::new(HEAP_BYTES, ObjectKind::External, site(call)).aligned(PAGE);
            let base = call.st.mem.alloc_with(request).map_err(|_| Errno::ENOMEM)?;
            call.st.mem.protect(base, HEAP_BYTES, AccessRights::Unmapped);
            let heap = BrkHeap { base, end: base };
            change(call, |maps| maps.heap = Some(heap));
            heap
        }
    };
    if !(heap.base..=heap.base + HEAP_BYTES).contains(&asked) {
        return Ok(Reply::Value(heap.end));
    }
    let old = whole_pages(heap.end).ok_or(Errno::ENOMEM)?;
    let new = whole_pages(asked).ok_or(Errno::ENOMEM)?;
    if new > old {
        let maps = &call.node().process().mappings;
        if maps.total() + (new - old) > address_limit(call) || maps.overlaps(old, new) {
            return Ok(Reply::Value(heap.end));
        }
        let (rights, source) = (AccessRights::ReadWrite, AreaSource::Private);
        map(call, old, MappedArea { end: new, object: heap.base, rights, source })?;
    } else if new < old {
        unmap(call, new, old, true)?;
    }
    change(call, |maps| maps.heap = Some(BrkHeap { end: asked, ..heap }));
    Ok(Reply::Value(asked))
}

#[cfg(test)]
mod tests;
