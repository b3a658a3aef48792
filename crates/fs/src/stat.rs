//! The attributes that an inode shows.

use crate::ids::InodeId;

/// Bytes of a block: the unit of copying, of space accounting, and `st_blksize`.
pub const BLOCK_BYTES: u64 = 4096;
/// The longest name in a directory, in bytes.
pub const NAME_MAX: usize = 255;
/// The longest path, in bytes, with the zero at its end.
pub const PATH_MAX: usize = 4096;
/// The most symbolic links that one resolution follows.
pub const MAX_LINKS_FOLLOWED: u32 = 40;
/// The most names of one file, as in ext4. Directories have no limit, as they have none there.
pub const LINK_MAX: u32 = 65_000;
/// The largest size of a file.
pub const MAX_FILE_BYTES: u64 = i64::MAX as u64;

/// Mode bit: run as the owner.
pub const S_ISUID: u32 = 0o4000;
/// Mode bit: run as the group; on a directory, new entries inherit the group.
pub const S_ISGID: u32 = 0o2000;
/// Mode bit: only owners remove entries.
pub const S_ISVTX: u32 = 0o1000;
/// Mode bit: the group may execute.
pub const S_IXGRP: u32 = 0o010;

/// The kind of an inode.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum InodeKind {
    /// A regular file.
    File,
    /// A directory.
    Directory,
    /// A symbolic link.
    Symlink,
    /// A named pipe; the embedder implements it.
    Fifo,
    /// A name that a local socket is bound to; the embedder implements it.
    Socket,
    /// A character device; the embedder implements it.
    CharDevice,
    /// A block device; the embedder implements it.
    BlockDevice,
}

everett_base::portable!(enum InodeKind {
    0 = File, 1 = Directory, 2 = Symlink, 3 = Fifo, 4 = Socket, 5 = CharDevice, 6 = BlockDevice,
});

impl InodeKind {
    /// The `S_IFMT` bits of `st_mode`.
    pub const fn mode_bits(self) -> u32 {
        match self {
            InodeKind::Fifo => 0o010_000,
            InodeKind::CharDevice => 0o020_000,
            InodeKind::Directory => 0o040_000,
            InodeKind::BlockDevice => 0o060_000,
            InodeKind::File => 0o100_000,
            InodeKind::Symlink => 0o120_000,
            InodeKind::Socket => 0o140_000,
        }
    }

    /// The kind that the `S_IFMT` bits of a mode name.
    pub const fn from_mode_bits(mode: u32) -> Option<InodeKind> {
        match mode & 0o170_000 {
            0o010_000 => Some(InodeKind::Fifo),
            0o020_000 => Some(InodeKind::CharDevice),
            0o040_000 => Some(InodeKind::Directory),
            0o060_000 => Some(InodeKind::BlockDevice),
            0o100_000 => Some(InodeKind::File),
            0o120_000 => Some(InodeKind::Symlink),
            0o140_000 => Some(InodeKind::Socket),
            _ => None,
        }
    }

    /// The `d_type` of a directory entry (`DT_REG` and so on).
    pub const fn dirent_type(self) -> u8 {
        (self.mode_bits() >> 12) as u8
    }
}

/// A device number.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct DeviceNumber {
    /// The number of the driver.
    pub major: u32,
    /// The number of the device among those of the driver.
    pub minor: u32,
}

everett_base::portable!(struct DeviceNumber { major, minor });

impl DeviceNumber {
    /// The number as Linux encodes it in `st_rdev` (`makedev`).
    pub const fn to_rdev(self) -> u64 {
        let (major, minor) = (self.major as u64, self.minor as u64);
        (major & 0xffff_f000) << 32
            | (major & 0xfff) << 8
            | (minor & 0xffff_ff00) << 12
            | minor & 0xff
    }

    /// The device that an `st_rdev` stands for.
    pub const fn from_rdev(rdev: u64) -> DeviceNumber {
        let major = (rdev >> 32 & 0xffff_f000) as u32 | (rdev >> 8 & 0xfff) as u32;
        let minor = (rdev >> 12 & 0xffff_ff00) as u32 | (rdev & 0xff) as u32;
        DeviceNumber { major, minor }
    }
}

/// The answer of `stat`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stat {
    /// The inode; its number is `st_ino`.
    pub inode: InodeId,
    /// Its kind.
    pub kind: InodeKind,
    /// Permission bits, with setuid, setgid and sticky (`0o7777`).
    pub mode: u32,
    /// The number of names.
    pub nlink: u32,
    /// The owner.
    pub uid: u32,
    /// The group.
    pub gid: u32,
    /// The device that a device node stands for.
    pub device: DeviceNumber,
    /// Bytes of a file, length of a link's target, a whole block for a directory.
    pub size: u64,
    /// Space used, in units of 512 bytes.
    pub blocks: u64,
    /// Last access, in nanoseconds since 1970.
    pub atime: i64,
    /// Last change of the contents.
    pub mtime: i64,
    /// Last change of anything.
    pub ctime: i64,
    /// The mark an embedder gave it ([`Fs::set_tag`](crate::Fs::set_tag)); 0 if none.
    pub tag: u32,
}

impl Stat {
    /// `st_mode`: kind and permissions.
    pub const fn st_mode(&self) -> u32 {
        self.kind.mode_bits() | self.mode
    }

    /// `st_ino`.
    pub const fn st_ino(&self) -> u64 {
        self.inode.0 as u64
    }

    /// Returns `true` if it is a directory.
    pub fn is_dir(&self) -> bool {
        self.kind == InodeKind::Directory
    }
}

/// The answer of `statfs`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StatFs {
    /// Bytes of a block.
    pub block_bytes: u64,
    /// Blocks there are.
    pub blocks: u64,
    /// Blocks that are free.
    pub blocks_free: u64,
    /// Inodes there can be.
    pub files: u64,
    /// Inodes that are free.
    pub files_free: u64,
    /// The longest name.
    pub name_max: u64,
}
