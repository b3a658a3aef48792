//! The descriptor table of a process.

use syscalls::Errno;

use crate::state::ids::FileId;

/// One entry: the open file that a descriptor stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Descriptor {
    pub(crate) file: FileId,
    /// Closed when another program is executed.
    pub(crate) close_on_exec: bool,
}

everett_base::portable!(struct Descriptor { file, close_on_exec });

/// Descriptors by number.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct DescriptorTable {
    table: Vec<Option<Descriptor>>,
}

everett_base::portable!(struct DescriptorTable { table });

impl DescriptorTable {
    /// The entry of a number.
    pub(crate) fn get(&self, number: u32) -> Option<Descriptor> {
        self.table.get(number as usize).copied().flatten()
    }

    /// The lowest free number from `least` on; `EMFILE` if it is not below `limit`.
    pub(crate) fn lowest_free(&self, least: u32, limit: u64) -> Result<u32, Errno> {
        let free = (least..).find(|number| self.get(*number).is_none()).unwrap_or(u32::MAX);
        if u64::from(free) < limit { Ok(free) } else { Err(Errno::EMFILE) }
    }

    /// Sets an entry; the old one is returned, to be closed.
    pub(crate) fn set(&mut self, number: u32, entry: Descriptor) -> Option<Descriptor> {
        let index = number as usize;
        if index >= self.table.len() {
            self.table.resize(index + 1, None);
        }
        self.table[index].replace(entry)
    }

    /// Takes an entry out.
    pub(crate) fn remove(&mut self, number: u32) -> Option<Descriptor> {
        let taken = self.table.get_mut(number as usize)?.take();
        while self.table.last().is_some_and(Option::is_none) {
            self.table.pop();
        }
        taken
    }

    /// All entries, ascending.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (u32, Descriptor)> + '_ {
        (0..).zip(&self.table).filter_map(|(number, entry)| Some((number, (*entry)?)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lowest_free_number_is_taken_again() {
        let mut table = DescriptorTable::default();
        let entry = |file| Descriptor { file: FileId(file), close_on_exec: false };
        (0..3).for_each(|n| assert_eq!(table.set(n, entry(n)), None));
        assert_eq!(table.remove(1), Some(entry(1)));
        assert_eq!(table.lowest_free(0, 1024), Ok(1));
        assert_eq!(table.lowest_free(2, 1024), Ok(3));
        assert_eq!(table.lowest_free(2, 3), Err(Errno::EMFILE));
        assert_eq!(table.iter().map(|(n, _)| n).collect::<Vec<_>>(), [0, 2]);
    }
}
