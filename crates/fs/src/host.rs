//! Files of the host, read on demand and shared by all versions of all file systems.
//!
//! [`HostFiles`] remembers what it has seen of the host: listings, metadata and targets of links for
//! good, contents in a bounded cache. Whatever is dropped from the cache is read again and must be
//! what it was: a file whose size or time has changed is an error, so what a version sees never
//! depends on the cache. No descriptor stays open between calls.
//!
//! Not here: what a state has changed (`content.rs`, `tree/dir.rs`).

mod cache;
pub(crate) mod mount;

use std::ffi::OsStr;
use std::fs::{File, FileType, Metadata};
use std::io;
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::os::unix::fs::{FileExt, FileTypeExt, MetadataExt};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard};

use cache::ChunkCache;
use everett_base::part::{PartError, PartReader, PartWriter, Portable};
use everett_base::{Apart, Copies, shares_nothing};
use everett_input::host;

use crate::error::HostTrouble;
use crate::ids::HostFileId;
use crate::stat::{DeviceNumber, InodeKind};
use crate::{FsError, Result};

/// Bytes that are read from the host at once.
pub(crate) const CHUNK_BYTES: u64 = 64 << 10;

/// The bytes of the host's files that are kept in memory by default.
const DEFAULT_CACHE_BYTES: u64 = 64 << 20;

/// The owner of the files of a mount.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HostOwner {
    /// One user and group, who own everything.
    Fixed {
        /// The user.
        uid: u32,
        /// The group.
        gid: u32,
    },
    /// The owner that each file has on the host.
    AsOnHost,
}

everett_base::portable!(enum HostOwner { 0 = Fixed { uid, gid }, 1 = AsOnHost });

/// The settings by which host files appear.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MountOptions {
    /// The owner of the files.
    pub owner: HostOwner,
    /// True if changes are refused with `EROFS` instead of being private to the state.
    pub read_only: bool,
}

everett_base::portable!(struct MountOptions { owner, read_only });

impl Default for MountOptions {
    fn default() -> Self {
        MountOptions { owner: HostOwner::Fixed { uid: 0, gid: 0 }, read_only: false }
    }
}

/// The host's files as far as they were looked at. Clones share what they know.
#[derive(Clone)]
pub struct HostFiles {
    shared: Arc<HostFilesHandle>,
}

/// Each thread counts its own references.
#[derive(Clone)]
struct HostFilesHandle(Arc<Mutex<SeenFiles>>);

impl Apart for HostFiles {
    fn apart(&mut self, copies: &mut Copies) {
        let HostFiles { shared } = self;
        shared.apart(copies);
    }
}

shares_nothing!(HostFilesHandle);

/// Everything that was seen of the host for good, so that the numbers of files stay what they are. Contents
/// are read again when they are needed, from files that must not have changed.
impl Portable for HostFiles {
    fn write<'a>(&'a self, to: &mut PartWriter<'a>) {
        to.shared(Arc::as_ptr(&self.shared.0), |to| {
            let seen = self.seen();
            // What is behind the lock cannot be borrowed for as long as the writer lives.
            let mut inner = PartWriter::new(&[]);
            seen.nodes.write(&mut inner);
            to.byte_string(&inner.into_bytes());
            to.number(seen.chunks.limit());
        });
    }

    fn read(from: &mut PartReader<'_>) -> Result<Self, PartError> {
        from.shared(|from| {
            let mut inner = PartReader::new(from.byte_string()?, &[]);
            let nodes = Portable::read(&mut inner)?;
            inner.end()?;
            let seen = SeenFiles { nodes, chunks: ChunkCache::new(from.number()?) };
            Ok(HostFiles { shared: Arc::new(HostFilesHandle(Arc::new(Mutex::new(seen)))) })
        })
    }
}

struct SeenFiles {
    nodes: Vec<HostNode>,
    chunks: ChunkCache,
}

struct HostNode {
    place: HostPlace,
    options: MountOptions,
    meta: Option<Box<HostMeta>>,
    listing: Option<Arc<HostListing>>,
    target: Option<Arc<[u8]>>,
}

everett_base::portable!(struct HostNode { place, options, meta, listing, target });

enum HostPlace {
    /// The root of a mount.
    Root(Arc<Path>),
    /// An entry of the listing of a directory.
    Child { dir: HostFileId, index: u32 },
}

impl Portable for HostPlace {
    fn write<'a>(&'a self, to: &mut PartWriter<'a>) {
        match self {
            HostPlace::Root(path) => {
                to.number(0);
                to.byte_string(path.as_os_str().as_bytes());
            }
            HostPlace::Child { dir, index } => {
                to.number(1);
                dir.write(to);
                index.write(to);
            }
        }
    }

    fn read(from: &mut PartReader<'_>) -> Result<Self, PartError> {
        match from.number()? {
            0 => Ok(HostPlace::Root(Path::new(OsStr::from_bytes(from.byte_string()?)).into())),
            1 => Ok(HostPlace::Child { dir: Portable::read(from)?, index: Portable::read(from)? }),
            _ => Err(from.unexpected("the place of a file of the host")),
        }
    }
}

/// The answer of `lstat` when the file was first looked at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct HostMeta {
    pub(crate) kind: InodeKind,
    pub(crate) mode: u32,
    pub(crate) uid: u32,
    pub(crate) gid: u32,
    pub(crate) nlink: u32,
    pub(crate) device: DeviceNumber,
    pub(crate) size: u64,
    pub(crate) mtime: i64,
    pub(crate) read_only: bool,
}

everett_base::portable!(struct HostMeta {
    kind, mode, uid, gid, nlink, device, size, mtime, read_only,
});

/// The entries of a host directory, sorted by name. Entry `k` is the file `first + k`.
pub(crate) struct HostListing {
    pub(crate) first: HostFileId,
    pub(crate) entries: Vec<ListedName>,
}

everett_base::portable!(struct HostListing { first, entries });

pub(crate) struct ListedName {
    pub(crate) name: Arc<[u8]>,
    pub(crate) kind: InodeKind,
}

everett_base::portable!(struct ListedName { name, kind });

impl HostListing {
    /// The index of a name.
    pub(crate) fn find(&self, name: &[u8]) -> Option<u32> {
        self.entries.binary_search_by(|entry| (*entry.name).cmp(name)).ok().map(|k| k as u32)
    }
}

impl Default for HostFiles {
    fn default() -> Self {
        HostFiles::new(DEFAULT_CACHE_BYTES)
    }
}

impl HostFiles {
    /// Keeps at most about `cache_bytes` of contents in memory.
    pub fn new(cache_bytes: u64) -> HostFiles {
        let chunks = ChunkCache::new(cache_bytes);
        let seen = Mutex::new(SeenFiles { nodes: Vec::new(), chunks });
        HostFiles { shared: Arc::new(HostFilesHandle(Arc::new(seen))) }
    }

    /// Bytes of contents that are in memory now.
    pub fn cached_bytes(&self) -> u64 {
        self.seen().chunks.bytes()
    }

    /// Makes a host path known; it must exist.
    pub(crate) fn add_root(&self, path: &Path, options: MountOptions) -> Result<HostFileId> {
        let id = {
            let mut seen = self.seen();
            let id = HostFileId::from_index(seen.nodes.len());
            seen.nodes.push(HostNode::new(HostPlace::Root(path.into()), options));
            id
        };
        self.meta(id).map(|_| id)
    }

    /// The metadata of a file.
    pub(crate) fn meta(&self, id: HostFileId) -> Result<HostMeta> {
        let (path, options, is_root) = {
            let seen = self.seen();
            let node = &seen.nodes[id.index()];
            if let Some(meta) = &node.meta {
                return Ok(**meta);
            }
            (seen.real_path(id), node.options, matches!(node.place, HostPlace::Root(_)))
        };
        // The root of a mount is what its path leads to; below it, links are shown as links.
        let found = if is_root { path.metadata() } else { path.symlink_metadata() };
        let meta = HostMeta::of(&found.map_err(|error| failed(&path, &error))?, options);
        Ok(**self.seen().nodes[id.index()].meta.get_or_insert(Box::new(meta)))
    }

    /// The entries of a directory.
    pub(crate) fn list(&self, id: HostFileId) -> Result<Arc<HostListing>> {
        let path = {
            let seen = self.seen();
            if let Some(listing) = &seen.nodes[id.index()].listing {
                return Ok(listing.clone());
            }
            seen.real_path(id)
        };
        let mut entries = Vec::new();
        for entry in path.read_dir().map_err(|error| failed(&path, &error))? {
            let entry = entry.map_err(|error| failed(&path, &error))?;
            let kind = entry.file_type().map_err(|error| failed(&entry.path(), &error))?;
            entries.push(ListedName {
                name: entry.file_name().into_vec().into(),
                kind: kind_of(kind),
            });
        }
        entries.sort_by(|a, b| a.name.cmp(&b.name));
        let mut seen = self.seen();
        if let Some(listing) = &seen.nodes[id.index()].listing {
            return Ok(listing.clone());
        }
        let first = HostFileId::from_index(seen.nodes.len());
        let options = seen.nodes[id.index()].options;
        let children = (0..entries.len() as u32).map(|index| HostPlace::Child { dir: id, index });
        seen.nodes.extend(children.map(|place| HostNode::new(place, options)));
        let listing = Arc::new(HostListing { first, entries });
        seen.nodes[id.index()].listing = Some(listing.clone());
        Ok(listing)
    }

    /// Returns the target of a symbolic link.
    pub(crate) fn target(&self, id: HostFileId) -> Result<Arc<[u8]>> {
        let path = {
            let seen = self.seen();
            if let Some(target) = &seen.nodes[id.index()].target {
                return Ok(target.clone());
            }
            seen.real_path(id)
        };
        let target = path.read_link().map_err(|error| failed(&path, &error))?;
        let target: Arc<[u8]> = target.as_os_str().as_bytes().into();
        Ok(self.seen().nodes[id.index()].target.get_or_insert(target).clone())
    }

    /// The bytes of a file from `chunk * CHUNK_BYTES` on: a whole chunk, less at the end.
    pub(crate) fn chunk(&self, id: HostFileId, chunk: u64) -> Result<Arc<[u8]>> {
        if let Some(bytes) = self.seen().chunks.get(id, chunk) {
            return Ok(bytes);
        }
        let expected = self.meta(id)?;
        let path = self.seen().real_path(id);
        let bytes = read_chunk(&path, chunk * CHUNK_BYTES, &expected)?;
        self.seen().chunks.insert(id, chunk, bytes.clone());
        Ok(bytes)
    }

    /// Locks the files that were seen. A panic elsewhere leaves nothing half done: every change is one
    /// assignment.
    fn seen(&self) -> MutexGuard<'_, SeenFiles> {
        self.shared.0.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
    }
}

impl SeenFiles {
    /// Where a file is.
    fn real_path(&self, id: HostFileId) -> PathBuf {
        host::real(&self.path(id))
    }

    /// The name by which the run knows a file.
    fn path(&self, id: HostFileId) -> PathBuf {
        let mut names = Vec::new();
        let mut node = &self.nodes[id.index()];
        loop {
            match &node.place {
                HostPlace::Root(path) => {
                    let mut path = path.to_path_buf();
                    path.extend(names.iter().rev());
                    return path;
                }
                HostPlace::Child { dir, index } => {
                    node = &self.nodes[dir.index()];
                    let listing = node.listing.as_ref().expect("a child comes out of a listing");
                    let name = &listing.entries[*index as usize].name;
                    names.push(OsStr::from_bytes(name).to_owned());
                }
            }
        }
    }
}

impl HostNode {
    fn new(place: HostPlace, options: MountOptions) -> HostNode {
        HostNode { place, options, meta: None, listing: None, target: None }
    }
}

impl HostMeta {
    fn of(found: &Metadata, options: MountOptions) -> HostMeta {
        let (uid, gid) = match options.owner {
            HostOwner::Fixed { uid, gid } => (uid, gid),
            HostOwner::AsOnHost => (found.uid(), found.gid()),
        };
        let kind = kind_of(found.file_type());
        HostMeta {
            kind,
            mode: found.mode() & 0o7777,
            uid,
            gid,
            // Names of one file outside the mount, or at two places in it, are not followed.
            nlink: if kind == InodeKind::Directory { found.nlink() as u32 } else { 1 },
            device: DeviceNumber::from_rdev(found.rdev()),
            size: found.size(),
            mtime: nanoseconds(found),
            read_only: options.read_only,
        }
    }
}

fn nanoseconds(found: &Metadata) -> i64 {
    found.mtime().saturating_mul(1_000_000_000).saturating_add(found.mtime_nsec())
}

fn kind_of(found: FileType) -> InodeKind {
    if found.is_dir() {
        InodeKind::Directory
    } else if found.is_symlink() {
        InodeKind::Symlink
    } else if found.is_fifo() {
        InodeKind::Fifo
    } else if found.is_socket() {
        InodeKind::Socket
    } else if found.is_char_device() {
        InodeKind::CharDevice
    } else if found.is_block_device() {
        InodeKind::BlockDevice
    } else {
        InodeKind::File
    }
}

fn read_chunk(path: &Path, offset: u64, expected: &HostMeta) -> Result<Arc<[u8]>> {
    let fail = |error: io::Error| failed(path, &error);
    let unchanged = |file: &File| -> Result<()> {
        let found = file.metadata().map_err(fail)?;
        if found.size() != expected.size || nanoseconds(&found) != expected.mtime {
            return Err(changed(path));
        }
        Ok(())
    };
    let file = File::open(path).map_err(fail)?;
    unchanged(&file)?;
    let mut bytes = vec![0; CHUNK_BYTES.min(expected.size.saturating_sub(offset)) as usize];
    match file.read_exact_at(&mut bytes, offset) {
        Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => return Err(changed(path)),
        result => result.map_err(fail)?,
    }
    unchanged(&file)?;
    Ok(bytes.into())
}

fn changed(path: &Path) -> FsError {
    FsError::Host { path: path.to_path_buf(), trouble: HostTrouble::Changed }
}

fn failed(path: &Path, error: &io::Error) -> FsError {
    FsError::Host { path: path.to_path_buf(), trouble: HostTrouble::Failed(error.kind()) }
}
