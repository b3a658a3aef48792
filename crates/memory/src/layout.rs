//! Where objects lie: the address alone tells the slot, and the slot the start of its object.
//!
//! The 47 bits of an address are a region of 42 bits within one of 32 classes. A class is divided
//! into slots of one power-of-two size, and an object fills at most half of its slot: up to 128
//! bytes in slots of 256, starting at 64, else starting at a quarter of the slot. The rest is red
//! zone, which costs nothing, since only written pages exist.
//!
//! | class | slots of | objects up to | slots |
//! |---|---|---|---|
//! | 0 | none: null page and integers that are no pointers | | |
//! | 1 | 16 bytes: code addresses | | |
//! | 2..=6 | 2 TiB, 512, 128, 32, 8 GiB | 1 TiB, 256, 64, 16, 4 GiB | 2 to 512 |
//! | 8 | 256 bytes | 128 bytes | 2^34 |
//! | 10..=31 | 2^class bytes | 2^(class - 1) | 2^(42 - class) |

/// Addresses below this are the null page.
pub const NULL_PAGE_BYTES: u64 = 4096;

/// The greatest size of one object.
pub const MAX_OBJECT_BYTES: u64 = 1 << 40;

/// Bytes of a page, the unit of copying.
pub(crate) const PAGE_BYTES: u64 = 256;
pub(crate) const PAGE_BITS: u32 = 8;

const REGION_BITS: u32 = 42;
const CODE_CLASS: u64 = 1;
const CODE_BYTES: u64 = 16;
const SMALL_SHIFT: u32 = 8;
const SMALL_BYTES: u64 = 128;
const SMALL_START: u64 = 64;

/// The slot that an address lies in.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Slot {
    /// The first address of the slot.
    pub(crate) start: u64,
    /// The slot's size, as a power of two.
    pub(crate) shift: u32,
}

impl Slot {
    /// The slot of an address, if its class has slots.
    #[inline]
    pub(crate) fn of(address: u64) -> Option<Slot> {
        let shift = class_shift(address >> REGION_BITS)?;
        Some(Slot { start: address >> shift << shift, shift })
    }

    /// The slot of a class (given by its slot size) for the `serial`-th object of all.
    pub(crate) fn for_serial(shift: u32, serial: u64) -> Slot {
        let number = serial & (slots(shift) - 1);
        Slot { start: (class_of_shift(shift) << REGION_BITS) + (number << shift), shift }
    }

    /// Where the object of this slot starts.
    #[inline]
    pub(crate) fn base(self) -> u64 {
        if self.shift == SMALL_SHIFT {
            self.start + SMALL_START
        } else {
            self.start + (1 << (self.shift - 2))
        }
    }

    /// Which object of its class the slot is for.
    pub(crate) fn number(self) -> u64 {
        (self.start & ((1 << REGION_BITS) - 1)) >> self.shift
    }

    /// The slot before this one in its class.
    pub(crate) fn previous(self) -> Option<Slot> {
        Slot::of(self.start.checked_sub(1)?).filter(|slot| slot.shift == self.shift)
    }

    /// The slot after this one in its class.
    pub(crate) fn following(self) -> Option<Slot> {
        Slot::of(self.start + (1 << self.shift)).filter(|slot| slot.shift == self.shift)
    }
}

/// The slot size (as a power of two) for an object, if there is one that large.
#[inline]
pub(crate) fn slot_shift(size: u64, align: u64) -> Option<u32> {
    if size <= SMALL_BYTES && align <= SMALL_START {
        return Some(SMALL_SHIFT);
    }
    if size > MAX_OBJECT_BYTES || align > MAX_OBJECT_BYTES / 2 {
        return None;
    }
    let for_size = (2 * size).next_power_of_two().trailing_zeros();
    let for_align = align.next_power_of_two().trailing_zeros() + 2;
    let shift = for_size.max(for_align).max(PAGE_BITS + 2);
    // Beyond the classes that are named after their shift, only odd shifts exist.
    Some(if shift <= 31 { shift } else { shift | 1 })
}

/// How many slots of this size there are.
pub(crate) fn slots(shift: u32) -> u64 {
    1 << (REGION_BITS - shift)
}

/// Whether objects of this start share a page with nothing and begin inside it.
#[inline]
pub(crate) fn is_small(base: u64) -> bool {
    base & (PAGE_BYTES - 1) != 0
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

#[inline]
fn class_shift(class: u64) -> Option<u32> {
    match class {
        8 | 10..=31 => Some(class as u32),
        2..=6 => Some(45 - 2 * class as u32),
        _ => None,
    }
}

fn class_of_shift(shift: u32) -> u64 {
    u64::from(if shift <= 31 { shift } else { (45 - shift) / 2 })
}

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
            let slot = Slot::for_serial(shift, 12345);
            let base = slot.base();
            assert!(base >= slot.start + 64 && base + size + 64 <= slot.start + (1 << shift));
            for address in [slot.start, base, base + size, slot.start + (1 << shift) - 1] {
                assert_eq!(Slot::of(address), Some(slot), "size {size}");
            }
            assert!(base.is_multiple_of(64) && base >> 47 == 0);
        }
        assert_eq!(slot_shift(MAX_OBJECT_BYTES + 1, 1), None);
    }

    #[test]
    fn small_classes_have_two_to_the_thirty_slots_and_more() {
        for size in [1, 128, 129, 512, 2048] {
            assert!(slots(slot_shift(size, 1).unwrap()) >= 1 << 30, "size {size}");
        }
    }

    #[test]
    fn alignment_is_kept() {
        for bits in 0..30 {
            let base = Slot::for_serial(slot_shift(8, 1 << bits).unwrap(), 77).base();
            assert!(base.is_multiple_of(1 << bits));
        }
    }

    #[test]
    fn code_addresses_lead_back_to_their_number() {
        for index in [0, 1, 77, u32::MAX] {
            assert_eq!(code_index(code_address(index)), Some(index));
            assert_eq!(code_index(code_address(index) + 1), None);
            assert_eq!(Slot::of(code_address(index)), None);
        }
        assert_eq!(code_index(1 << 42), None);
    }
}
