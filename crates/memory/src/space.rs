//! The address space: the objects that exist, and the search for the one that an address belongs to.
//!
//! [`AddressSpace::resolve`] is the one place that turns an address into an object. Three trees
//! hold everything: objects by the page of their first byte, pages by number, and arrays by object. A
//! page that was never written is in no tree: its bytes are the object's fill.
//!
//! Not here: placing objects (`alloc.rs`), accesses (`access`, `array.rs`).

pub(crate) mod alias;
pub(crate) mod alloc;
pub(crate) mod graveyard;
pub(crate) mod guard;

use everett_base::part::{PartError, PartReader, PartWriter, Portable};
use everett_base::pmap::Lookups;
use everett_base::{Apart, Copies, RadixMap, shares_nothing};
use triomphe::Arc;

use crate::array::ArrayOverlay;
use crate::cache::{PageCache, PageMaps, PartialPage};
use crate::error::MemoryFault;
use crate::layout::{self, AddressSlot, NULL_PAGE_BYTES, PAGE_BYTES, page_key};
use crate::object::{GuardState, ObjRef, Object, ObjectKind, ObjectNameId, Tombstone};
use crate::page::{ByteCell, Page};
use crate::space::graveyard::{HeapGraves, StackGraves, forgotten_kind};
use crate::space::guard::AccessRights;

/// The content of fresh memory. Whatever it is, it is the same in every run.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct MemoryConfig {
    /// Every byte of a new heap object that is not zeroed.
    pub heap_fill: u8,
    /// Every byte of a new stack object.
    pub stack_fill: u8,
    /// Bytes that must be written before they are used are terms over undefined symbols until then.
    pub undefined: bool,
}

everett_base::portable!(struct MemoryConfig { heap_fill, stack_fill, undefined });

/// The memory of one process. Clone, or better [`fork`](AddressSpace::fork), to branch.
#[derive(Debug)]
pub struct AddressSpace {
    pub(crate) objects: RadixMap<Object>,
    pub(crate) pages: RadixMap<Page>,
    /// The parts that many states never have, or have in common.
    rare: Option<Arc<RareParts>>,
    pub(crate) dead_stack: StackGraves,
    /// The number of objects that were ever allocated.
    pub(crate) next_serial: u64,
    pub(crate) config: MemoryConfig,
    cache: Option<Box<PageCache>>,
}

/// The parts that most states do not have, kept apart so that states are small.
#[derive(Clone, Debug, Default)]
pub(crate) struct RareParts {
    pub(crate) overlays: RadixMap<ArrayOverlay>,
    pub(crate) dead_heap: HeapGraves,
    /// Rights by the page of 4 KiB from which on they hold.
    pub(crate) guards: RadixMap<AccessRights>,
    /// The page that each alias shows, by the alias's first page.
    pub(crate) aliases: RadixMap<u64>,
    /// Sizes of slots, as bits of the powers of two, of which all hold live objects.
    pub(crate) full_classes: u64,
}

everett_base::portable!(struct RareParts { overlays, dead_heap, guards, aliases, full_classes });

/// The thing that an address belongs to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum AddressResolution {
    /// A byte of a live object.
    Live(ObjRef),
    /// In an object whose life has ended; its tombstone, unless too much was freed since.
    Freed(Option<Tombstone>),
    /// Not in an object; the nearest one, see [`ObjRef::distance`].
    Gap(ObjRef),
    /// In the null page.
    Null,
    /// The start of a code object, by its number.
    Code(u32),
    /// An address where no object ever was.
    Unmapped,
}

impl Apart for AddressSpace {
    fn apart(&mut self, copies: &mut Copies) {
        self.flush();
        let AddressSpace { objects, pages, rare, dead_stack, next_serial: _, config: _, cache: _ } =
            self;
        objects.apart(copies);
        pages.apart(copies);
        rare.apart(copies);
        dead_stack.apart(copies);
    }
}

/// What the cache holds is not written: [`AddressSpace::flush`] comes first.
impl Portable for AddressSpace {
    fn write<'a>(&'a self, to: &mut PartWriter<'a>) {
        let AddressSpace { objects, pages, rare, dead_stack, next_serial, config, cache } = self;
        assert!(
            cache.as_ref().is_none_or(|cache| cache.is_flushed()),
            "memory is flushed before it is written"
        );
        objects.write(to);
        pages.write(to);
        rare.write(to);
        dead_stack.write(to);
        next_serial.write(to);
        config.write(to);
    }

    fn read(from: &mut PartReader<'_>) -> Result<Self, PartError> {
        Ok(AddressSpace {
            objects: Portable::read(from)?,
            pages: Portable::read(from)?,
            rare: Portable::read(from)?,
            dead_stack: Portable::read(from)?,
            next_serial: Portable::read(from)?,
            config: Portable::read(from)?,
            cache: None,
        })
    }
}

impl Apart for RareParts {
    fn apart(&mut self, copies: &mut Copies) {
        let RareParts { overlays, dead_heap, guards, aliases, full_classes: _ } = self;
        overlays.apart(copies);
        dead_heap.apart(copies);
        guards.apart(copies);
        aliases.apart(copies);
    }
}

shares_nothing!(Object, ArrayOverlay, AccessRights);

impl AddressSpace {
    /// An address space without objects.
    pub fn new(config: MemoryConfig) -> AddressSpace {
        AddressSpace {
            objects: RadixMap::new(),
            pages: RadixMap::new(),
            rare: None,
            dead_stack: StackGraves::default(),
            next_serial: 0,
            config,
            cache: None,
        }
    }

    /// A copy that shares everything with this one until either changes it.
    ///
    /// Like a clone, but what the cache holds is shared too instead of copied.
    pub fn fork(&mut self) -> AddressSpace {
        self.flush();
        self.share_trees()
    }

    /// Brings the trees up to date with the cache.
    pub fn flush(&mut self) {
        let AddressSpace { objects, pages, cache, dead_stack, .. } = self;
        if let Some(cache) = cache {
            cache.flush(PageMaps { objects, pages });
            dead_stack.add(&cache.graves);
            cache.graves.clear();
        }
    }

    /// Takes the cache away, for a state that is going to wait or for use in another one.
    pub fn release_cache(&mut self) -> Option<Box<PageCache>> {
        self.flush();
        let mut cache = self.cache.take()?;
        cache.reset();
        Some(cache)
    }

    /// Uses a cache that another state released. Without one, the next access makes one.
    pub fn adopt_cache(&mut self, mut cache: Box<PageCache>) {
        self.flush();
        cache.reset();
        self.cache = Some(cache);
    }

    /// Returns the thing that an address belongs to.
    pub fn resolve(&self, address: u64) -> AddressResolution {
        if address < NULL_PAGE_BYTES {
            return AddressResolution::Null;
        }
        if let Some(index) = layout::code_index(address) {
            return AddressResolution::Code(index);
        }
        let Some(slot) = AddressSlot::of(address) else { return self.resolve_fixed(address) };
        let base = slot.base();
        if let Some(object) = self.object_at(base) {
            let found = ObjRef { base, object };
            if found.contains(address, 1) {
                return AddressResolution::Live(found);
            }
            return AddressResolution::Gap(self.nearest(found, slot, address));
        }
        let tombstone = self.tombstone(base);
        if tombstone.is_some() || slot.number() < self.next_serial {
            return AddressResolution::Freed(tombstone);
        }
        match slot.previous().and_then(|slot| self.object_in(slot)) {
            Some(object) => AddressResolution::Gap(object),
            None => AddressResolution::Unmapped,
        }
    }

    /// The live object that starts at exactly this address.
    pub fn object(&self, base: u64) -> Option<ObjRef> {
        match AddressSlot::of(base) {
            Some(slot) => self.object_in(slot).filter(|object| object.base == base),
            None => self.fixed_before(base).filter(|object| object.base == base),
        }
    }

    /// The object that all of `bytes` bytes at `address` are in, or the fault of reading them.
    pub fn check(&self, address: u64, bytes: u64) -> Result<ObjRef, MemoryFault> {
        let object = self.check_bounds(address, bytes)?;
        if object.object.guarded != GuardState::Unguarded {
            self.check_guards(object, address, bytes, false)?;
        }
        Ok(object)
    }

    fn check_bounds(&self, address: u64, bytes: u64) -> Result<ObjRef, MemoryFault> {
        match self.object_near(address).filter(|object| object.contains(address, bytes)) {
            Some(object) => Ok(object),
            None => Err(self.explain(address, bytes)),
        }
    }

    /// The object that an address would be in, if it were in one.
    #[inline]
    pub(crate) fn object_near(&self, address: u64) -> Option<ObjRef> {
        match AddressSlot::of(address) {
            Some(slot) => self.object_in(slot),
            None => self.fixed_before(address),
        }
    }

    /// The object at a fixed address that starts at or before this one.
    pub(crate) fn fixed_before(&self, address: u64) -> Option<ObjRef> {
        if !layout::is_fixed(address) {
            return None;
        }
        let (key, object) = self.objects.last_at_or_before(page_key(address))?;
        Some(ObjRef { base: layout::page_start(key), object: *object })
    }

    fn resolve_fixed(&self, address: u64) -> AddressResolution {
        match self.fixed_before(address) {
            Some(object) if object.contains(address, 1) => AddressResolution::Live(object),
            Some(object) if object.distance(address) < PAGE_BYTES => AddressResolution::Gap(object),
            _ => AddressResolution::Unmapped,
        }
    }

    /// Like [`check`](AddressSpace::check), and the object must not be constant.
    pub fn check_write(&self, address: u64, bytes: u64) -> Result<ObjRef, MemoryFault> {
        let object = self.check_bounds(address, bytes)?;
        if object.object.guarded != GuardState::Unguarded {
            self.check_guards(object, address, bytes, true)?;
        }
        if object.object.constant {
            return Err(MemoryFault::ReadOnly { address, bytes, object });
        }
        Ok(object)
    }

    /// Sets the name of the object that starts at `base`; does nothing if there is none.
    pub fn set_name(&mut self, base: u64, name: ObjectNameId) {
        self.change_object(base, |object| object.name = name);
    }

    /// Makes the object that starts at `base` constant or not; does nothing if there is none.
    pub fn set_read_only(&mut self, base: u64, constant: bool) {
        self.change_object(base, |object| object.constant = constant);
    }

    pub(crate) fn change_object(&mut self, base: u64, change: impl FnOnce(&mut Object)) {
        let Some(found) = self.object(base) else { return };
        self.evict_range(found, found.base, found.object.size);
        if let Some(object) = self.objects.get_mut(page_key(base)) {
            change(object);
        }
    }

    fn explain(&self, address: u64, bytes: u64) -> MemoryFault {
        match self.resolve(address) {
            AddressResolution::Live(object) | AddressResolution::Gap(object) => {
                MemoryFault::OutOfBounds { address, bytes, object }
            }
            AddressResolution::Freed(tombstone) => {
                let kind = match tombstone {
                    Some(tombstone) => tombstone.object.kind,
                    None => AddressSlot::of(address)
                        .map_or(ObjectKind::Heap, |slot| forgotten_kind(slot.base())),
                };
                MemoryFault::Freed { address, bytes, kind, tombstone }
            }
            AddressResolution::Null => MemoryFault::Null { address, bytes },
            AddressResolution::Code(_) => MemoryFault::Code { address, bytes },
            AddressResolution::Unmapped => MemoryFault::Unmapped { address, bytes },
        }
    }

    /// The nearest of the objects in a slot and the two beside it.
    fn nearest(&self, found: ObjRef, slot: AddressSlot, address: u64) -> ObjRef {
        let beside = if address < found.base { slot.previous() } else { slot.following() };
        match beside.and_then(|slot| self.object_in(slot)) {
            Some(other) if other.distance(address) < found.distance(address) => other,
            _ => found,
        }
    }

    /// The object that started at `base` and died last, if it is remembered.
    fn tombstone(&self, base: u64) -> Option<Tombstone> {
        let ring = self.cache().map(|cache| &cache.graves);
        ring.and_then(|ring| ring.find(base))
            .or_else(|| self.dead_stack.find(base, ring.map_or(0, |ring| ring.count())))
            .or_else(|| self.rare.as_ref()?.dead_heap.find(base))
    }

    /// Returns the arrays of the object that starts at `base`.
    #[inline]
    pub(crate) fn overlay(&self, base: u64) -> Option<&ArrayOverlay> {
        self.rare.as_ref()?.overlays.get(page_key(base))
    }

    /// The part of the state that most states share.
    pub(crate) fn rare(&self) -> Option<&RareParts> {
        self.rare.as_deref()
    }

    /// The part of the state that most states share, to change it.
    pub(crate) fn rare_mut(&mut self) -> &mut RareParts {
        Arc::make_mut(self.rare.get_or_insert_with(Arc::default))
    }

    fn object_in(&self, slot: AddressSlot) -> Option<ObjRef> {
        let base = slot.base();
        self.object_at(base).map(|object| ObjRef { base, object })
    }

    /// The object that starts at `base`, which must be where a slot's object starts.
    #[inline]
    pub(crate) fn object_at(&self, base: u64) -> Option<Object> {
        if let Some(cache) = &self.cache
            && let Some(object) = cache.fresh_object(base)
        {
            return Some(*object);
        }
        self.objects.get(page_key(base)).copied()
    }

    #[inline]
    pub(crate) fn cache(&self) -> Option<&PageCache> {
        self.cache.as_deref()
    }

    /// The cache and the trees behind it; makes a cache if there is none.
    #[inline]
    pub(crate) fn cache_mut(&mut self) -> (&mut PageCache, PageMaps<'_>) {
        let AddressSpace { objects, pages, cache, .. } = self;
        (cache.get_or_insert_with(PageCache::new), PageMaps { objects, pages })
    }

    #[inline]
    pub(crate) fn existing_cache_mut(&mut self) -> Option<&mut PageCache> {
        self.cache.as_deref_mut()
    }

    /// Takes the pages of a range out of the cache, so that the trees have their bytes.
    pub(crate) fn evict_range(&mut self, object: ObjRef, address: u64, bytes: u64) {
        if self.cache.is_none() {
            return;
        }
        // Beyond this, going through the whole cache is cheaper than page by page.
        if bytes > 64 * PAGE_BYTES {
            self.flush();
            if let Some(cache) = self.existing_cache_mut() {
                cache.discard(object.base, object.end());
            }
            return;
        }
        for segment in segments(object, address, bytes) {
            let (cache, trees) = self.cache_mut();
            cache.evict_page(segment.page_start, trees);
        }
    }

    /// The bytes of one page of an object.
    pub(crate) fn page(&self, object: &Object, segment: &PageSegment) -> PageRef<'_> {
        if let Some(cache) = self.cache() {
            if let Some(bytes) = cache.page(segment.page_start) {
                return PageRef::Bytes(bytes);
            }
            if let Some(part) = cache.partial(segment.page_start) {
                return PageRef::Partial(part);
            }
        }
        PageRef::new(self.pages.get(segment.key), object)
    }

    /// The bytes of one page of an object, which is looked for beside the page before it.
    pub(crate) fn next_page<'a>(
        &'a self,
        lookups: &mut Lookups<'a, Page>,
        object: &Object,
        segment: &PageSegment,
    ) -> PageRef<'a> {
        if let Some(cache) = self.cache() {
            if let Some(bytes) = cache.page(segment.page_start) {
                return PageRef::Bytes(bytes);
            }
            if let Some(part) = cache.partial(segment.page_start) {
                return PageRef::Partial(part);
            }
        }
        PageRef::new(lookups.get(segment.key), object)
    }

    fn share_trees(&self) -> AddressSpace {
        AddressSpace {
            objects: self.objects.clone(),
            pages: self.pages.clone(),
            rare: self.rare.clone(),
            dead_stack: self.dead_stack.clone(),
            next_serial: self.next_serial,
            config: self.config,
            cache: None,
        }
    }
}

impl Clone for AddressSpace {
    fn clone(&self) -> Self {
        let mut clone = self.share_trees();
        if let Some(cache) = self.cache() {
            let AddressSpace { objects, pages, dead_stack, .. } = &mut clone;
            cache.copy_to(PageMaps { objects, pages });
            dead_stack.add(&cache.graves);
        }
        clone
    }
}

/// The bytes of one page.
pub(crate) enum PageRef<'a> {
    /// All concrete.
    Bytes(&'a [u8]),
    /// Some symbolic.
    Cells(&'a Page),
    /// Never written.
    Fill(u8),
    /// Never written, in an object with undefined bytes.
    Unwritten,
    /// Some concrete, and all of it in the cache.
    Partial(PartialPage<'a>),
}

impl<'a> PageRef<'a> {
    /// A page of an object as it is in the tree.
    fn new(page: Option<&'a Page>, object: &Object) -> PageRef<'a> {
        match page {
            Some(page) => page.bytes().map_or(PageRef::Cells(page), PageRef::Bytes),
            None if object.undefined => PageRef::Unwritten,
            None => PageRef::Fill(object.fill),
        }
    }

    pub(crate) fn cell(&self, at: usize) -> ByteCell {
        match self {
            PageRef::Bytes(bytes) => ByteCell::Byte(bytes[at]),
            PageRef::Cells(page) => page.cell(at),
            PageRef::Fill(byte) => ByteCell::Byte(*byte),
            PageRef::Unwritten => ByteCell::Unwritten,
            PageRef::Partial(part) => part.cell(at),
        }
    }
}

/// The part of a range that lies in one page.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PageSegment {
    /// The page's key in the tree.
    pub(crate) key: u64,
    /// The address of the page's first byte.
    pub(crate) page_start: u64,
    /// The number of bytes of the object that the page holds.
    pub(crate) page_len: usize,
    /// The first byte of the range, within the page.
    pub(crate) at: usize,
    /// Bytes of the range in this page.
    pub(crate) len: usize,
}

/// The pages of `bytes` bytes at `address`, which are inside the object.
pub(crate) fn segments(
    object: ObjRef,
    address: u64,
    bytes: u64,
) -> impl Iterator<Item = PageSegment> {
    let end = address + bytes;
    let mut next = address;
    std::iter::from_fn(move || {
        if next >= end {
            return None;
        }
        let page_start = next & !(PAGE_BYTES - 1);
        let page_end = (page_start + PAGE_BYTES).min(object.end());
        let stop = page_end.min(end);
        let segment = PageSegment {
            key: layout::page_key(page_start),
            page_start,
            page_len: (page_end - page_start) as usize,
            at: (next - page_start) as usize,
            len: (stop - next) as usize,
        };
        next = stop;
        Some(segment)
    })
}
