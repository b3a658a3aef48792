//! The layout of objects: the address alone tells the slot, and the slot the start of its object.
//!
//! An address has 47 bits. Space is divided into classes, a class into slots of one power-of-two
//! size, and an object starts at a quarter of its slot and fills at most half of it. The rest, on both
//! sides of the object, is red zone. It costs nothing, since only written pages exist.
//!
//! | addresses from | slots of | objects up to | slots |
//! |---|---|---|---|
//! | 0 | none: null page, and objects that the program places itself, at whole pages | | |
//! | 2^42 | 16 bytes: code addresses | | |
//! | c * 2^42, c in 2..=15 | 2^(45 - 2c): 2 TiB down to 32 KiB | 1 TiB down to 16 KiB | 2 to 2^27 |
//! | 2^46 | 4 KiB | 256 bytes, not on the stack | 2^33 |
//! | 2^46 + 2^45 | 4 KiB | 256 bytes, on the stack | 2^33 |
//!
//! The upper half of the slots of a size is also where variables of libraries are that are linked while the
//! program runs. Other objects get there only once the lower half has been used up, and look for a free slot.

/// Addresses below this are the null page.
pub const NULL_PAGE_BYTES: u64 = 4096;

/// The greatest size of one object.
pub const MAX_OBJECT_BYTES: u64 = 1 << 40;

/// Bytes of a page, the unit of copying. Objects start at the start of a page.
pub(crate) const PAGE_BYTES: u64 = 256;
pub(crate) const PAGE_BITS: u32 = 8;

const REGION_BITS: u32 = 42;
const CODE_CLASS: u64 = 1;
const CODE_BYTES: u64 = 16;
const SMALL_BIT: u64 = 1 << 46;
const SMALL_REGION_BITS: u32 = 45;
const SMALL_SHIFT: u32 = 12;
const MAX_SHIFT: u32 = 41;
const MIN_LARGE_SHIFT: u32 = 15;

/// Keys of small objects' pages have this bit, so that they are dense and above all others.
const SMALL_KEY: u64 = 1 << 40;

/// Keys of small stack objects' pages have this bit too. It is next to the other one because the
/// tree then tells all three kinds of keys apart in one node.
const STACK_KEY: u64 = 1 << 39;

/// The slot that an address lies in.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct AddressSlot {
    /// The first address of the slot.
    pub(crate) start: u64,
    /// The slot's size, as a power of two.
    pub(crate) shift: u32,
}

impl AddressSlot {
    /// The slot of an address, if there are slots.
    #[inline]
    pub(crate) fn of(address: u64) -> Option<AddressSlot> {
        let class = address >> REGION_BITS;
        let shift = match class {
            16..=31 => SMALL_SHIFT,
            2..=15 => 45 - 2 * class as u32,
            _ => return None,
        };
        Some(AddressSlot { start: address >> shift << shift, shift })
    }

    /// The slot of this size for the `serial`-th object of all; small objects of the stack have
    /// slots of their own.
    #[inline]
    pub(crate) fn for_serial(shift: u32, on_stack: bool, serial: u64) -> AddressSlot {
        let number = serial & (slots(shift) - 1);
        let region = if shift == SMALL_SHIFT {
            SMALL_BIT | u64::from(on_stack) << SMALL_REGION_BITS
        } else {
            u64::from((45 - shift) / 2) << REGION_BITS
        };
        AddressSlot { start: region + (number << shift), shift }
    }

    /// Returns the address at which the object of this slot starts.
    #[inline]
    pub(crate) fn base(self) -> u64 {
        self.start + (1 << (self.shift - 2))
    }

    /// The position of the slot among those of its size, from 0.
    pub(crate) fn number(self) -> u64 {
        (self.start >> self.shift) & (slots(self.shift) - 1)
    }

    /// The slot of the same size before this one.
    pub(crate) fn previous(self) -> Option<AddressSlot> {
        AddressSlot::of(self.start.checked_sub(1)?).filter(|slot| slot.shift == self.shift)
    }

    /// The slot of the same size after this one.
    pub(crate) fn following(self) -> Option<AddressSlot> {
        AddressSlot::of(self.start + (1 << self.shift)).filter(|slot| slot.shift == self.shift)
    }
}

/// The slot size (as a power of two) for an object, if there is one that large.
#[inline]
pub(crate) fn slot_shift(size: u64, align: u64) -> Option<u32> {
    if size <= PAGE_BYTES && align <= 1 << (SMALL_SHIFT - 2) {
        return Some(SMALL_SHIFT);
    }
    if size > MAX_OBJECT_BYTES || align > MAX_OBJECT_BYTES / 2 {
        return None;
    }
    let for_size = (2 * size).next_power_of_two().trailing_zeros();
    // An object starts at a quarter of its slot, so the quarter has to be a multiple of the alignment.
    let for_align = align.next_power_of_two().trailing_zeros() + 2;
    // Classes have every second power of two, the odd ones; `| 1` rounds up to the next of them.
    Some(for_size.max(for_align).max(MIN_LARGE_SHIFT) | 1)
}

/// Returns the number of slots of this size.
#[inline]
pub(crate) fn slots(shift: u32) -> u64 {
    let region_bits = if shift == SMALL_SHIFT { SMALL_REGION_BITS } else { REGION_BITS };
    1 << (region_bits - shift)
}

/// The number of slots of this size in which objects are put without a look: those behind them may have
/// objects of libraries that were linked while the program ran.
#[inline]
pub(crate) fn open_slots(shift: u32) -> u64 {
    slots(shift) / 2
}

/// The address of the variable of a library that is the `number`-th one in slots of its size. It depends on
/// nothing else, so that a library has its variables at the same addresses in all processes.
pub fn library_address(shift: u32, number: u64) -> Option<u64> {
    let room = slots(shift) - open_slots(shift);
    let serial = open_slots(shift) + number;
    (number < room).then(|| AddressSlot::for_serial(shift, false, serial).base())
}

/// The size of the slots for objects of a size and an alignment, as a power of two.
pub fn library_slot(size: u64, align: u64) -> Option<u32> {
    slot_shift(size, align.max(16))
}

/// Returns `true` if an object of this start is at most one page.
#[inline]
pub(crate) fn is_small(base: u64) -> bool {
    base & SMALL_BIT != 0
}

/// Returns `true` if only stack objects start at such an address.
pub(crate) fn is_small_stack(base: u64) -> bool {
    is_small(base) && base >> SMALL_REGION_BITS & 1 != 0
}

/// The key of the page that an address of an object is in.
///
/// Ascending with addresses. The key of an object is that of its first page.
#[inline]
pub(crate) fn page_key(address: u64) -> u64 {
    if is_small(address) {
        let number = (address & ((1 << SMALL_REGION_BITS) - 1)) >> SMALL_SHIFT;
        let stack = address >> SMALL_REGION_BITS & 1;
        SMALL_KEY | (stack * STACK_KEY) | number
    } else {
        address >> PAGE_BITS
    }
}

/// The address of the first byte of a page.
pub(crate) fn page_start(key: u64) -> u64 {
    if key & SMALL_KEY != 0 {
        let number = key & (STACK_KEY - 1);
        AddressSlot::for_serial(SMALL_SHIFT, key & STACK_KEY != 0, number).base()
    } else {
        key << PAGE_BITS
    }
}

/// Returns `true` if an address is outside all slots, where the program itself may place objects.
pub(crate) fn is_fixed(address: u64) -> bool {
    (NULL_PAGE_BYTES..1 << REGION_BITS).contains(&address)
}

/// The address of the code object with this number: a function, or a block whose address is taken.
pub fn code_address(index: u32) -> u64 {
    (CODE_CLASS << REGION_BITS) + (u64::from(index) + 1) * CODE_BYTES
}

/// The number of the code object that starts at this address.
pub fn code_index(address: u64) -> Option<u32> {
    if address >> REGION_BITS != CODE_CLASS || !address.is_multiple_of(CODE_BYTES) {
        return None;
    }
    let number = (address & ((1 << REGION_BITS) - 1)) / CODE_BYTES;
    u32::try_from(number.checked_sub(1)?).ok()
}

const _: () = assert!(MAX_OBJECT_BYTES == 1 << (MAX_SHIFT - 1));

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_size_finds_a_slot_with_room_on_both_sides() {
        let sizes = (0..40).flat_map(|bits| {
            let size = 1u64 << bits;
            [size - 1, size, size + 1]
        });
        for size in sizes.chain([MAX_OBJECT_BYTES]) {
            let shift = slot_shift(size, 16).unwrap();
            let slot = AddressSlot::for_serial(shift, size.is_multiple_of(3), 12345);
            let base = slot.base();
            assert!(base >= slot.start + 1024 && base + size + 1024 <= slot.start + (1 << shift));
            for address in [slot.start, base, base + size, slot.start + (1 << shift) - 1] {
                assert_eq!(AddressSlot::of(address), Some(slot), "size {size}");
            }
            assert!(base.is_multiple_of(PAGE_BYTES) && base >> 47 == 0);
            assert_eq!(page_start(page_key(base)), base);
            assert_eq!(page_key(base + size.min(255)), page_key(base));
        }
        assert_eq!(slot_shift(MAX_OBJECT_BYTES + 1, 1), None);
    }

    #[test]
    fn small_objects_have_two_to_the_thirty_slots_and_more() {
        assert!(slots(slot_shift(0, 1).unwrap()) >= 1 << 30);
        assert!(slots(slot_shift(PAGE_BYTES, 1).unwrap()) >= 1 << 30);
    }

    #[test]
    fn slots_of_a_size_are_numbered_in_order() {
        for size in [1, 300, 1 << 20, MAX_OBJECT_BYTES] {
            let shift = slot_shift(size, 1).unwrap();
            let (first, second) =
                (AddressSlot::for_serial(shift, true, 0), AddressSlot::for_serial(shift, true, 1));
            assert_eq!((first.number(), second.number()), (0, 1));
            assert_eq!((first.following(), second.previous()), (Some(second), Some(first)));
        }
    }

    #[test]
    fn variables_of_libraries_are_in_the_upper_half() {
        for size in [0, 8, 300, 1 << 20] {
            let shift = library_slot(size, 8).unwrap();
            let address = library_address(shift, 3).unwrap();
            let slot = AddressSlot::of(address).unwrap();
            assert_eq!((slot.number(), slot.base()), (slots(shift) / 2 + 3, address));
            assert_eq!(library_address(shift, slots(shift) / 2), None);
        }
    }

    #[test]
    fn alignment_is_kept() {
        for bits in 0..30 {
            let base = AddressSlot::for_serial(slot_shift(8, 1 << bits).unwrap(), false, 77).base();
            assert!(base.is_multiple_of(1 << bits));
        }
    }

    #[test]
    fn code_addresses_lead_back_to_their_number() {
        for index in [0, 1, 77, u32::MAX] {
            assert_eq!(code_index(code_address(index)), Some(index));
            assert_eq!(code_index(code_address(index) + 1), None);
            assert_eq!(AddressSlot::of(code_address(index)), None);
        }
        assert_eq!(code_index(1 << 42), None);
    }
}
