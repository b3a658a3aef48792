//! What inodes of `/proc` stand for: [`Specials`].

use std::collections::BTreeMap;
use std::sync::Arc;

use everett_base::{Apart, Copies};

use crate::state::ids::Pid;

/// What an inode of `/proc` stands for; the inode's tag says which one it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Special {
    /// A directory whose entries come and go.
    Dir,
    /// `/proc/self`.
    Itself,
    /// `/proc/N/cwd`.
    Cwd(Pid),
    /// `/proc/N/root`.
    Root(Pid),
    /// `/proc/N/exe`.
    Executable(Pid),
    /// `/proc/N/fd/N`.
    Descriptor(Pid, u32),
    /// A file whose content is made when it is opened.
    File(Text),
}

/// What the tags of inodes mean, and what `/proc` shows.
#[derive(Clone, Debug, Default)]
pub(crate) struct Specials {
    pub(crate) meanings: Arc<Vec<Special>>,
    pub(crate) shown: Arc<BTreeMap<Pid, Vec<u32>>>,
}

impl Apart for Specials {
    fn apart(&mut self, copies: &mut Copies) {
        let Specials { meanings, shown } = self;
        meanings.apart(copies);
        shown.apart(copies);
    }
}

impl Specials {
    /// The meaning of a tag.
    pub(crate) fn get(&self, tag: u32) -> Option<Special> {
        self.meanings.get((tag as usize).checked_sub(1)?).copied()
    }

    pub(crate) fn tag(&mut self, special: Special) -> u32 {
        let meanings = Arc::make_mut(&mut self.meanings);
        meanings.push(special);
        meanings.len() as u32
    }
}

/// A file of `/proc`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Text {
    Processors,
    FileSystems,
    Load,
    Memory,
    Machine,
    Uptime,
    Version,
    HostName,
    Release,
    System,
    LargestPid,
    CommandLine(Pid),
    Command(Pid),
    Maps(Pid),
    Mounts(Pid),
    Stat(Pid),
    StatMemory(Pid),
    Status(Pid),
}

impl Text {
    /// The files in the directory of a process.
    pub(crate) fn of_process(pid: Pid) -> [(&'static str, Text); 7] {
        [
            ("cmdline", Text::CommandLine(pid)),
            ("comm", Text::Command(pid)),
            ("maps", Text::Maps(pid)),
            ("mounts", Text::Mounts(pid)),
            ("stat", Text::Stat(pid)),
            ("statm", Text::StatMemory(pid)),
            ("status", Text::Status(pid)),
        ]
    }
}
