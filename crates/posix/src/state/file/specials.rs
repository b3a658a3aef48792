//! The meanings of inodes of `/proc`, and of sockets that lead to other nodes: [`SpecialInodes`].

use std::collections::BTreeMap;
use std::net::SocketAddr;
use std::sync::Arc;

use everett_base::{Apart, Copies};

use crate::state::ids::Pid;

/// A meaning of an inode; the inode's tag says which one it has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum SpecialInode {
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
    File(GeneratedText),
    /// A UNIX socket whose connections lead to this address.
    Forward(SocketAddr),
}

everett_base::portable!(enum SpecialInode {
    0 = Dir, 1 = Itself, 2 = Cwd(value), 3 = Root(value), 4 = Executable(value),
    5 = Descriptor(a, b), 6 = File(value), 7 = Forward(value),
});

/// The meanings of the tags of inodes, and the processes that `/proc` shows.
#[derive(Clone, Debug, Default)]
pub(crate) struct SpecialInodes {
    pub(crate) meanings: Arc<Vec<SpecialInode>>,
    pub(crate) shown: Arc<BTreeMap<Pid, Vec<u32>>>,
}

everett_base::portable!(struct SpecialInodes { meanings, shown });

impl Apart for SpecialInodes {
    fn apart(&mut self, copies: &mut Copies) {
        let SpecialInodes { meanings, shown } = self;
        meanings.apart(copies);
        shown.apart(copies);
    }
}

impl SpecialInodes {
    /// The meaning of a tag.
    pub(crate) fn get(&self, tag: u32) -> Option<SpecialInode> {
        self.meanings.get((tag as usize).checked_sub(1)?).copied()
    }

    pub(crate) fn tag(&mut self, special: SpecialInode) -> u32 {
        let meanings = Arc::make_mut(&mut self.meanings);
        meanings.push(special);
        meanings.len() as u32
    }
}

/// A file of `/proc`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum GeneratedText {
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
    Network(NetworkText),
}

/// A file of `/proc/net`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum NetworkText {
    Tcp,
    Tcp6,
    Udp,
    Udp6,
    Unix,
    Devices,
    Routes,
    Addresses6,
    Neighbours,
}

everett_base::portable!(enum NetworkText {
    0 = Tcp, 1 = Tcp6, 2 = Udp, 3 = Udp6, 4 = Unix, 5 = Devices, 6 = Routes, 7 = Addresses6,
    8 = Neighbours,
});

impl NetworkText {
    /// The files of `/proc/net`.
    pub(crate) const ALL: [(&'static str, NetworkText); 9] = [
        ("arp", NetworkText::Neighbours),
        ("dev", NetworkText::Devices),
        ("if_inet6", NetworkText::Addresses6),
        ("route", NetworkText::Routes),
        ("tcp", NetworkText::Tcp),
        ("tcp6", NetworkText::Tcp6),
        ("udp", NetworkText::Udp),
        ("udp6", NetworkText::Udp6),
        ("unix", NetworkText::Unix),
    ];
}

everett_base::portable!(enum GeneratedText {
    0 = Processors, 1 = FileSystems, 2 = Load, 3 = Memory, 4 = Machine, 5 = Uptime, 6 = Version,
    7 = HostName, 8 = Release, 9 = System, 10 = LargestPid, 11 = CommandLine(value),
    12 = Command(value), 13 = Maps(value), 14 = Mounts(value), 15 = Stat(value),
    16 = StatMemory(value), 17 = Status(value), 18 = Network(value),
});

impl GeneratedText {
    /// The files in the directory of a process.
    pub(crate) fn of_process(pid: Pid) -> [(&'static str, GeneratedText); 7] {
        [
            ("cmdline", GeneratedText::CommandLine(pid)),
            ("comm", GeneratedText::Command(pid)),
            ("maps", GeneratedText::Maps(pid)),
            ("mounts", GeneratedText::Mounts(pid)),
            ("stat", GeneratedText::Stat(pid)),
            ("statm", GeneratedText::StatMemory(pid)),
            ("status", GeneratedText::Status(pid)),
        ]
    }
}
