//! The memory mappings of a process: [`Mappings`].

use std::collections::{BTreeMap, BTreeSet};

use everett_fs::{FileVersion, InodeId};
use everett_memory::{AccessRights, ByteValue, MemorySnapshot};

/// The mappings of a process.
#[derive(Clone, Debug, Default)]
pub(crate) struct Mappings {
    /// By first address; no two overlap.
    areas: BTreeMap<u64, MappedArea>,
    /// The memory of `brk`, once it was asked for.
    pub(crate) heap: Option<BrkHeap>,
    /// The memory as it was when shared mappings of files were last the same as the files.
    pub(crate) synced: MemorySnapshot,
    /// The contents of those files then.
    pub(crate) versions: BTreeMap<InodeId, FileVersion<ByteValue>>,
}

everett_base::portable!(struct Mappings { areas, heap, synced, versions });

/// The memory of `brk`: one object with room to grow.
#[derive(Clone, Copy, Debug)]
pub(crate) struct BrkHeap {
    pub(crate) base: u64,
    /// The end, as it is now.
    pub(crate) end: u64,
}

everett_base::portable!(struct BrkHeap { base, end });

/// A range of addresses that was mapped in one way.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct MappedArea {
    /// The address behind the last byte; like the first one at a page.
    pub(crate) end: u64,
    /// The address of the object that it is part of.
    pub(crate) object: u64,
    pub(crate) rights: AccessRights,
    pub(crate) source: AreaSource,
}

everett_base::portable!(struct MappedArea { end, object, rights, source });

/// The source of what an area shows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum AreaSource {
    /// Memory of the process alone.
    Private,
    /// A copy of a file, from this offset on.
    Copy { inode: InodeId, offset: u64 },
    /// Memory that processes inherit and share; on Linux, a file without a name.
    Shared(u32),
    /// A file.
    File { inode: InodeId, offset: u64, writable: bool },
}

everett_base::portable!(enum AreaSource {
    0 = Private, 1 = Copy { inode, offset }, 2 = Shared(value),
    3 = File { inode, offset, writable },
});

impl AreaSource {
    /// The same, so many bytes further on.
    fn further(&self, bytes: u64) -> AreaSource {
        let mut source = self.clone();
        match &mut source {
            AreaSource::Copy { offset, .. } | AreaSource::File { offset, .. } => *offset += bytes,
            AreaSource::Private | AreaSource::Shared(_) => {}
        }
        source
    }

    /// Returns true if other processes may see what is written.
    pub(crate) fn is_shared(&self) -> bool {
        matches!(self, AreaSource::Shared(_) | AreaSource::File { .. })
    }
}

impl Mappings {
    /// Returns true if an address is in memory that other processes may share.
    pub(crate) fn is_shared(&self, address: u64) -> bool {
        self.at(address).is_some_and(|(_, area)| area.source.is_shared())
    }

    /// The area of an address.
    pub(crate) fn at(&self, address: u64) -> Option<(u64, &MappedArea)> {
        let (start, area) = self.areas.range(..=address).next_back()?;
        (address < area.end).then_some((*start, area))
    }

    /// All areas, ascending.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (u64, &MappedArea)> {
        self.areas.iter().map(|(start, area)| (*start, area))
    }

    /// Bytes that are mapped.
    pub(crate) fn total(&self) -> u64 {
        self.iter().map(|(start, area)| area.end - start).sum()
    }

    /// Returns true if any area shows a file itself.
    pub(crate) fn has_files(&self) -> bool {
        !self.versions.is_empty()
    }

    /// The areas that show a file itself: where they are, the file, the offset.
    pub(crate) fn files(&self) -> impl Iterator<Item = (u64, &MappedArea, InodeId, u64)> {
        self.iter().filter_map(|(start, area)| match area.source {
            AreaSource::File { inode, offset, .. } => Some((start, area, inode, offset)),
            _ => None,
        })
    }

    /// The files that areas show themselves.
    pub(crate) fn inodes(&self) -> BTreeSet<InodeId> {
        self.files().map(|(_, _, inode, _)| inode).collect()
    }

    /// Returns true if there is a gap in a range.
    pub(crate) fn has_gap(&self, from: u64, to: u64) -> bool {
        let mut at = from;
        while at < to {
            match self.at(at) {
                Some((_, area)) => at = area.end,
                None => return true,
            }
        }
        false
    }

    /// Returns true if anything is mapped in a range.
    pub(crate) fn overlaps(&self, from: u64, to: u64) -> bool {
        self.areas.range(..to).next_back().is_some_and(|(_, area)| area.end > from)
    }

    /// Adds an area where nothing is mapped; it becomes one with a like neighbour.
    pub(crate) fn add(&mut self, start: u64, area: MappedArea) {
        let mut start = start;
        let mut area = area;
        if let Some((before, neighbour)) = self.areas.range(..start).next_back()
            && neighbour.end == start
            && continues(*before, neighbour, start, &area)
        {
            start = *before;
            area.source = neighbour.source.clone();
            self.areas.remove(&start);
        }
        if let Some(neighbour) = self.areas.get(&area.end)
            && continues(start, &area, area.end, neighbour)
        {
            let end = neighbour.end;
            self.areas.remove(&area.end);
            area.end = end;
        }
        self.areas.insert(start, area);
    }

    /// Takes everything in a range out, ascending; areas that reach across its bounds are cut.
    pub(crate) fn cut(&mut self, from: u64, to: u64) -> Vec<(u64, MappedArea)> {
        let starts: Vec<u64> = {
            let reaching = self.at(from).map(|(start, _)| start).filter(|start| *start < from);
            let within = self.areas.range(from..to).map(|(start, _)| *start);
            reaching.into_iter().chain(within).collect()
        };
        let mut taken = Vec::new();
        for start in starts {
            let Some(area) = self.areas.remove(&start) else { continue };
            if start < from {
                self.areas.insert(start, MappedArea { end: from, ..area.clone() });
            }
            if area.end > to {
                let source = area.source.further(to - start);
                self.areas.insert(to, MappedArea { source, ..area.clone() });
            }
            let first = start.max(from);
            let source = area.source.further(first - start);
            taken.push((first, MappedArea { end: area.end.min(to), source, ..area }));
        }
        taken
    }

    /// Returns true if any area is part of an object.
    pub(crate) fn uses(&self, object: u64) -> bool {
        self.areas.values().any(|area| area.object == object)
    }
}

/// Returns true if the second of two neighbours goes on where the first one ends.
fn continues(start: u64, first: &MappedArea, second_start: u64, second: &MappedArea) -> bool {
    first.object == second.object
        && first.rights == second.rights
        && first.source.further(second_start - start) == second.source
}

#[cfg(test)]
mod tests {
    use super::*;

    const PAGE: u64 = 4096;

    fn area(end: u64, rights: AccessRights, source: AreaSource) -> MappedArea {
        MappedArea { end: end * PAGE, object: 16 * PAGE, rights, source }
    }

    fn list(maps: &Mappings) -> Vec<(u64, u64, AccessRights)> {
        maps.iter().map(|(start, a)| (start / PAGE, a.end / PAGE, a.rights)).collect()
    }

    #[test]
    fn a_hole_splits_an_area_and_filling_it_joins_again() {
        let mut maps = Mappings::default();
        maps.add(16 * PAGE, area(24, AccessRights::ReadWrite, AreaSource::Private));
        let taken = maps.cut(18 * PAGE, 20 * PAGE);
        assert_eq!(taken, [(18 * PAGE, area(20, AccessRights::ReadWrite, AreaSource::Private))]);
        assert_eq!(
            list(&maps),
            [(16, 18, AccessRights::ReadWrite), (20, 24, AccessRights::ReadWrite)]
        );
        assert!(maps.has_gap(17 * PAGE, 21 * PAGE) && !maps.has_gap(16 * PAGE, 18 * PAGE));
        assert!(maps.overlaps(19 * PAGE, 21 * PAGE) && !maps.overlaps(18 * PAGE, 20 * PAGE));
        maps.add(18 * PAGE, area(20, AccessRights::ReadWrite, AreaSource::Private));
        assert_eq!(list(&maps), [(16, 24, AccessRights::ReadWrite)]);
    }

    #[test]
    fn the_rest_of_a_file_keeps_its_offset() {
        let mut maps = Mappings::default();
        let file = |offset| AreaSource::Copy { inode: InodeId(3), offset };
        maps.add(16 * PAGE, area(24, AccessRights::ReadOnly, file(PAGE)));
        maps.cut(17 * PAGE, 18 * PAGE);
        assert_eq!(maps.at(18 * PAGE).unwrap().1.source, file(3 * PAGE));
        maps.add(17 * PAGE, area(18, AccessRights::ReadOnly, file(0)));
        assert_eq!(maps.iter().count(), 3, "another part of the file is another area");
        maps.cut(17 * PAGE, 18 * PAGE);
        maps.add(17 * PAGE, area(18, AccessRights::ReadOnly, file(2 * PAGE)));
        assert_eq!(list(&maps), [(16, 24, AccessRights::ReadOnly)]);
    }
}
