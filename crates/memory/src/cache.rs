//! A write-back cache of concrete pages, by which loads and stores cost nanoseconds.
//!
//! The trees that hold pages are shared between branches. Changing a page there means checking, for each
//! node on the way down, whether another branch uses it. A cache line instead owns a copy of one page. A
//! line is found by hashing the page number, and holds the page if the address lies within the line's
//! bounds: one comparison checks the object, its liveness and the bounds together.
//!
//! A small object that was just allocated exists in its line only ("fresh"), so a variable of a
//! function that returns soon never reaches the trees.
//!
//! A page of which some bytes are not concrete, because they were never written, is in a *partial* line
//! (`cache/partial.rs`): it has no bounds, so that every access to it goes the long way. The line becomes an
//! ordinary one as soon as all its bytes are concrete.
//!
//! Invariant: a line with bounds holds the current bytes of that page; all of them are concrete.

mod partial;

use everett_base::RadixMap;

use partial::PartialLine;
pub(crate) use partial::PartialPage;

use crate::layout::{PAGE_BITS, PAGE_BYTES, page_key};
use crate::object::{GuardState, Object, ObjectKind, ObjectNameId, SiteId};
use crate::page::Page;
use crate::space::graveyard::GraveRing;

/// The number of lines is 64, so that the bits of one word tell which lines are dirty.
const LINE_BITS: u32 = 6;
const LINES: usize = 1 << LINE_BITS;

/// Scratch memory that makes accesses fast; holds nothing when it is not part of an address space.
///
/// A state that waits needs none: see [`AddressSpace::release_cache`](crate::AddressSpace::release_cache).
pub struct PageCache {
    lines: [CacheLine; LINES],
    /// Bit `i`: line `i` differs from the page in the tree.
    dirty: u64,
    /// Bit `i`: the object of line `i` is not in the tree.
    fresh: u64,
    /// Bit `i`: line `i` is partial.
    partial: u64,
    /// What partial lines hold beside bytes; empty until the first of them.
    partials: Box<[PartialLine]>,
    objects: [Object; LINES],
    /// The stack objects that died since the cache was flushed.
    pub(crate) graves: GraveRing,
    data: Box<[[u8; PAGE_BYTES as usize]; LINES]>,
}

/// The bounds of the page in a line.
#[derive(Clone, Copy)]
struct CacheLine {
    start: u64,
    /// Bytes that can be read; 0 in an empty line.
    len: u32,
    /// Bytes that can be written: `len` or 0.
    writable: u32,
}

const EMPTY: CacheLine = CacheLine { start: 0, len: 0, writable: 0 };

const NO_OBJECT: Object = Object {
    size: 0,
    site: SiteId::NONE,
    name: ObjectNameId::NONE,
    kind: ObjectKind::Global,
    constant: false,
    guarded: GuardState::Unguarded,
    fill: 0,
    undefined: false,
};

impl PageCache {
    /// A cache without lines.
    pub(crate) fn new() -> Box<PageCache> {
        let data: Box<[_]> = vec![[0; PAGE_BYTES as usize]; LINES].into();
        let Ok(data) = data.try_into() else { unreachable!("the length is the array's") };
        Box::new(PageCache {
            lines: [EMPTY; LINES],
            dirty: 0,
            fresh: 0,
            partial: 0,
            partials: Box::default(),
            objects: [NO_OBJECT; LINES],
            graves: GraveRing::EMPTY,
            data,
        })
    }

    /// Returns `true` if the trees have everything that is here.
    pub(crate) fn is_flushed(&self) -> bool {
        self.dirty == 0 && self.fresh == 0 && self.graves.count() == 0
    }

    /// The line that the page of an address can be in.
    #[inline]
    fn index(address: u64) -> usize {
        // Fibonacci hashing: neighbouring pages and equal offsets in large objects both spread.
        ((address >> PAGE_BITS).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> (64 - LINE_BITS)) as usize
    }

    /// A little-endian number, if its bytes are in one line.
    #[inline]
    pub(crate) fn load(&self, address: u64, bytes: u8) -> Option<u64> {
        let index = PageCache::index(address);
        let line = &self.lines[index];
        let offset = address.wrapping_sub(line.start);
        let len = u64::from(line.len);
        if offset >= len || u64::from(bytes) > len - offset {
            return None;
        }
        let data = &self.data[index];
        let at = offset as usize;
        Some(match bytes {
            1 => u64::from(data[at]),
            2 => u64::from(u16::from_le_bytes(array_at(data, at)?)),
            4 => u64::from(u32::from_le_bytes(array_at(data, at)?)),
            8 => u64::from_le_bytes(array_at(data, at)?),
            _ => number_of(data.get(at..at + usize::from(bytes))?),
        })
    }

    /// Writes a little-endian number, if its bytes are in one line and may be written.
    #[inline]
    pub(crate) fn store(&mut self, address: u64, bytes: u8, value: u64) -> bool {
        let index = PageCache::index(address);
        let line = &self.lines[index];
        let offset = address.wrapping_sub(line.start);
        let len = u64::from(line.writable);
        if offset >= len || u64::from(bytes) > len - offset {
            return false;
        }
        let data = &mut self.data[index];
        let at = offset as usize;
        let written = match bytes {
            1 => put(data, at, [value as u8]),
            2 => put(data, at, (value as u16).to_le_bytes()),
            4 => put(data, at, (value as u32).to_le_bytes()),
            8 => put(data, at, value.to_le_bytes()),
            _ => value.to_le_bytes().iter().take(usize::from(bytes)).zip(at..).all(|(byte, at)| {
                data[at] = *byte;
                true
            }),
        };
        // Without the test, each store would wait for the one before to update the word.
        if self.dirty >> index & 1 == 0 {
            self.dirty |= 1 << index;
        }
        written
    }

    /// The object that starts at `base`, if only its line has it.
    #[inline]
    pub(crate) fn fresh_object(&self, base: u64) -> Option<&Object> {
        let index = PageCache::index(base);
        (self.fresh >> index & 1 != 0 && self.lines[index].start == base)
            .then(|| &self.objects[index])
    }

    /// The bytes of the page that starts at `start`, if it is in its line.
    #[inline]
    pub(crate) fn page(&self, start: u64) -> Option<&[u8]> {
        let index = PageCache::index(start);
        let line = &self.lines[index];
        (line.start == start && line.len > 0).then(|| &self.data[index][..line.len as usize])
    }

    /// The bytes from an address to the end of its page, if the page is in its line.
    #[inline]
    pub(crate) fn rest_of_page(&self, address: u64) -> &[u8] {
        let index = PageCache::index(address);
        let line = &self.lines[index];
        let offset = address.wrapping_sub(line.start);
        if offset >= u64::from(line.len) {
            return &[];
        }
        &self.data[index][offset as usize..line.len as usize]
    }

    /// Copies bytes from one line to another, or within one where they do not overlap; false if one
    /// of the ranges is not in a line, or the target may not be written.
    #[inline]
    pub(crate) fn copy(&mut self, to: u64, from: u64, bytes: u64) -> bool {
        let (source, target) = (PageCache::index(from), PageCache::index(to));
        let within = |line: &CacheLine, len: u32, address: u64| {
            let offset = address.wrapping_sub(line.start);
            let len = u64::from(len);
            (offset < len && bytes <= len - offset).then_some(offset as usize)
        };
        let (read, written) = (self.lines[source], self.lines[target]);
        let Some(start) = within(&read, read.len, from) else { return false };
        let Some(at) = within(&written, written.writable, to) else { return false };
        let len = bytes as usize;
        if source == target {
            self.data[source].copy_within(start..start + len, at);
        } else {
            let Ok([old, new]) = self.data.get_disjoint_mut([source, target]) else { return false };
            new[at..at + len].copy_from_slice(&old[start..start + len]);
        }
        self.dirty |= 1 << target;
        true
    }

    /// The bytes of the page that starts at `start`, to change them, if it is in its line and may
    /// be written.
    #[inline]
    pub(crate) fn page_mut(&mut self, start: u64) -> Option<&mut [u8]> {
        let index = PageCache::index(start);
        let line = &self.lines[index];
        if line.start != start || line.writable == 0 {
            return None;
        }
        self.dirty |= 1 << index;
        Some(&mut self.data[index][..line.len as usize])
    }

    /// Empties the line that the page at `start` can be in, whatever it holds, after writing it
    /// back.
    pub(crate) fn make_room(&mut self, start: u64, trees: PageMaps<'_>) {
        let index = PageCache::index(start);
        self.write_back(index, trees);
        self.lines[index] = EMPTY;
        self.partial &= !(1 << index);
    }

    /// Empties the line of the page at `start`, after writing it back, if the page is there.
    pub(crate) fn evict_page(&mut self, start: u64, trees: PageMaps<'_>) {
        if self.lines[PageCache::index(start)].start == start {
            self.make_room(start, trees);
        }
    }

    /// Empties the lines of the pages in `base..end` without writing them back.
    pub(crate) fn discard(&mut self, base: u64, end: u64) {
        let drop_line = |cache: &mut PageCache, index: usize| {
            cache.lines[index] = EMPTY;
            cache.dirty &= !(1 << index);
            cache.fresh &= !(1 << index);
            cache.partial &= !(1 << index);
        };
        if end - base <= PAGE_BYTES {
            let index = PageCache::index(base);
            if self.lines[index].start == base {
                drop_line(self, index);
            }
            return;
        }
        for index in 0..LINES {
            if (base..end).contains(&self.lines[index].start) {
                drop_line(self, index);
            }
        }
    }

    /// Makes the line of the page at `start` its owner; the caller fills the bytes returned. The
    /// line must have been emptied.
    pub(crate) fn install(&mut self, start: u64, len: u32, writable: bool) -> &mut [u8] {
        let index = PageCache::index(start);
        self.lines[index] = CacheLine { start, len, writable: if writable { len } else { 0 } };
        &mut self.data[index][..len as usize]
    }

    /// Records that the object of the line just installed is in no tree.
    pub(crate) fn install_object(&mut self, base: u64, object: Object) {
        let index = PageCache::index(base);
        self.objects[index] = object;
        self.fresh |= 1 << index;
    }

    /// Makes every line of `base..end` read-only, or as writable as it is readable.
    pub(crate) fn set_writable(&mut self, base: u64, end: u64, writable: bool) {
        for line in &mut self.lines {
            if line.len > 0 && (base..end).contains(&line.start) {
                line.writable = if writable { line.len } else { 0 };
            }
        }
    }

    /// Writes every changed line back; the lines stay.
    pub(crate) fn flush(&mut self, mut trees: PageMaps<'_>) {
        let mut left = self.dirty | self.fresh;
        while left != 0 {
            let index = left.trailing_zeros() as usize;
            left &= left - 1;
            self.write_back(index, trees.reborrow());
        }
    }

    /// Applies every changed line to other trees; the cache does not change.
    pub(crate) fn copy_to(&self, mut trees: PageMaps<'_>) {
        let mut left = self.dirty | self.fresh;
        while left != 0 {
            let index = left.trailing_zeros() as usize;
            left &= left - 1;
            self.copy_line(index, trees.reborrow());
        }
    }

    /// Empties every line without writing it back.
    pub(crate) fn reset(&mut self) {
        self.lines = [EMPTY; LINES];
        self.dirty = 0;
        self.fresh = 0;
        self.partial = 0;
        self.graves.clear();
    }

    fn write_back(&mut self, index: usize, trees: PageMaps<'_>) {
        if (self.dirty | self.fresh) >> index & 1 != 0 {
            self.copy_line(index, trees);
            self.dirty &= !(1 << index);
            self.fresh &= !(1 << index);
        }
    }

    fn copy_line(&self, index: usize, trees: PageMaps<'_>) {
        let line = self.lines[index];
        let key = page_key(line.start);
        if self.fresh >> index & 1 != 0 {
            trees.objects.insert(key, self.objects[index]);
        }
        if self.dirty >> index & 1 == 0 {
            return;
        }
        if self.partial >> index & 1 != 0 {
            self.copy_partial_line(index, trees);
            return;
        }
        let bytes = &self.data[index][..line.len as usize];
        match trees.pages.get_mut(key) {
            Some(page) => page.set_bytes(bytes),
            None => {
                trees.pages.insert(key, Page::from_bytes(bytes));
            }
        }
    }
}

impl std::fmt::Debug for PageCache {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let lines = self.lines.iter().filter(|line| line.len > 0).count();
        f.debug_struct("Cache").field("lines", &lines).finish_non_exhaustive()
    }
}

/// The maps that lines are written back to.
pub(crate) struct PageMaps<'a> {
    pub(crate) objects: &'a mut RadixMap<Object>,
    pub(crate) pages: &'a mut RadixMap<Page>,
}

impl PageMaps<'_> {
    fn reborrow(&mut self) -> PageMaps<'_> {
        PageMaps { objects: self.objects, pages: self.pages }
    }
}

#[inline]
fn array_at<const N: usize>(data: &[u8; PAGE_BYTES as usize], at: usize) -> Option<[u8; N]> {
    data.get(at..at + N)?.try_into().ok()
}

#[inline]
fn put<const N: usize>(data: &mut [u8; PAGE_BYTES as usize], at: usize, bytes: [u8; N]) -> bool {
    let Some(target) = data.get_mut(at..at + N) else { return false };
    target.copy_from_slice(&bytes);
    true
}

/// A little-endian number of at most 8 bytes.
fn number_of(bytes: &[u8]) -> u64 {
    bytes.iter().rev().fold(0, |value, byte| value << 8 | u64::from(*byte))
}
