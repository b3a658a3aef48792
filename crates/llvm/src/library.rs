//! Libraries: where they come from, and archives of modules among them.

use std::borrow::Cow;
use std::path::{Path, PathBuf};

use everett_base::Map;
use object::read::archive::{ArchiveFile, ArchiveOffset};

use crate::error::LlvmError;

/// The first bytes of an archive.
const MAGIC: &[u8] = b"!<arch>\n";
/// The first bytes of an archive that only names its members.
const THIN: &[u8] = b"!<thin>\n";

/// Code beside the program's own: one module, or an archive of modules.
#[derive(Clone, Debug)]
pub struct Library {
    path: PathBuf,
    content: Option<EmbeddedLibrary>,
}

/// A library that is part of the running binary.
#[derive(Clone, Copy, Debug)]
struct EmbeddedLibrary {
    bytes: &'static [u8],
    digest: &'static str,
}

impl Library {
    /// A library in a file.
    pub fn file(path: impl Into<PathBuf>) -> Library {
        Library { path: path.into(), content: None }
    }

    /// A library in memory. `name` appears in messages; `digest` stands for the bytes, and is compared
    /// in their place.
    pub fn embedded(name: &str, bytes: &'static [u8], digest: &'static str) -> Library {
        Library { path: name.into(), content: Some(EmbeddedLibrary { bytes, digest }) }
    }

    /// Feeds what tells this library from others to `field`.
    pub(crate) fn identify(&self, mut field: impl FnMut(&[u8])) -> Result<(), LlvmError> {
        match self.content {
            Some(EmbeddedLibrary { digest, .. }) => field(digest.as_bytes()),
            None => field(&self.bytes()?),
        }
        Ok(())
    }

    /// The content.
    pub(crate) fn bytes(&self) -> Result<Cow<'static, [u8]>, LlvmError> {
        match self.content {
            Some(EmbeddedLibrary { bytes, .. }) => Ok(Cow::Borrowed(bytes)),
            None => match std::fs::read(&self.path) {
                Ok(bytes) => Ok(Cow::Owned(bytes)),
                Err(error) => Err(LlvmError::Io { path: self.path.clone(), error }),
            },
        }
    }

    /// Returns `true` if it is part of the running binary, and so is sound.
    pub(crate) fn is_embedded(&self) -> bool {
        self.content.is_some()
    }

    /// Returns the path that messages call it by.
    pub(crate) fn path(&self) -> &Path {
        &self.path
    }
}

/// Returns `true` if bytes are an archive.
pub(crate) fn is_archive(bytes: &[u8]) -> bool {
    bytes.starts_with(MAGIC) || bytes.starts_with(THIN)
}

/// An archive with the index of its symbols.
pub(crate) struct Archive<'a> {
    path: &'a Path,
    bytes: &'a [u8],
    file: ArchiveFile<'a>,
    index: Map<&'a [u8], u64>,
    names: Vec<&'a [u8]>,
}

impl<'a> Archive<'a> {
    /// Reads the index.
    pub(crate) fn read(path: &'a Path, bytes: &'a [u8]) -> Result<Archive<'a>, LlvmError> {
        let broken = |reason: String| LlvmError::Archive { path: path.to_path_buf(), reason };
        let file = ArchiveFile::parse(bytes).map_err(|error| broken(error.to_string()))?;
        if file.is_thin() {
            return Err(broken("it names its members and does not hold them".to_owned()));
        }
        let (index, names) = (Map::default(), Vec::new());
        let mut archive = Archive { path, bytes, file, index, names };
        let symbols = archive.file.symbols().map_err(|error| broken(error.to_string()))?;
        let Some(symbols) = symbols else {
            return Err(broken(
                "it has no index of symbols; make one with llvm-ranlib-19".to_owned(),
            ));
        };
        for symbol in symbols {
            let symbol = symbol.map_err(|error| broken(error.to_string()))?;
            // The first member that defines a symbol counts.
            archive.index.entry(symbol.name()).or_insert(symbol.offset().0);
            archive.names.push(symbol.name());
        }
        Ok(archive)
    }

    /// The symbols that members define, in the order of the index.
    pub(crate) fn names(&self) -> Vec<String> {
        let text = |name: &[u8]| String::from_utf8_lossy(name).into_owned();
        self.names.iter().map(|name| text(name)).collect()
    }

    /// The member that defines a symbol.
    pub(crate) fn find(&self, symbol: &str) -> Option<u64> {
        self.index.get(symbol.as_bytes()).copied()
    }

    /// Name and content of a member.
    pub(crate) fn member(&self, offset: u64) -> Result<(PathBuf, &'a [u8]), LlvmError> {
        let broken = |error: object::read::Error| LlvmError::Archive {
            path: self.path.to_path_buf(),
            reason: error.to_string(),
        };
        let member = self.file.member(ArchiveOffset(offset)).map_err(broken)?;
        let name = String::from_utf8_lossy(member.name());
        let path = PathBuf::from(format!("{}({name})", self.path.display()));
        Ok((path, member.data(self.bytes).map_err(broken)?))
    }
}
