//! Telling cheaply whether the contents of a file have changed.

use crate::content::FileContent;
use crate::content::byte::FileByte;
use crate::fs::{Fs, InodeView};
use crate::ids::InodeId;
use crate::inode::InodeNode;
use crate::{FsError, Result};

/// The contents of a regular file at some time; keeps them alive, and costs nothing else.
#[derive(Clone)]
pub struct FileVersion<B> {
    /// The content that the state itself has; a file of the host has none until it is changed.
    content: Option<FileContent<B>>,
    size: u64,
}

everett_base::portable!([B: everett_base::part::Portable + 'static] struct FileVersion<B> {
    content, size,
});

impl<B: FileByte> FileVersion<B> {
    /// Returns `true` if the contents are certainly the same. Two that are equal byte by byte may
    /// differ here if they came about in different ways.
    pub fn is_same(&self, other: &FileVersion<B>) -> bool {
        let contents = match (&self.content, &other.content) {
            (Some(own), Some(theirs)) => own.same_version(theirs),
            (None, None) => true,
            _ => false,
        };
        contents && self.size == other.size
    }
}

impl<B> std::fmt::Debug for FileVersion<B> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let FileVersion { content: _, size } = self;
        f.debug_struct("Version").field("size", size).finish_non_exhaustive()
    }
}

impl<B: FileByte> Fs<B> {
    /// Returns the contents of a regular file as they are now.
    pub fn version(&self, inode: InodeId) -> Result<FileVersion<B>> {
        match self.view(inode)? {
            InodeView::Private(record) => match &record.node {
                InodeNode::File(content) => {
                    Ok(FileVersion { content: Some(content.clone()), size: record.meta.size })
                }
                InodeNode::Dir(_) => Err(FsError::IsADirectory),
                InodeNode::Symlink(_) | InodeNode::MagicLink | InodeNode::Special => {
                    Err(FsError::Invalid)
                }
            },
            InodeView::Host { file, .. } => {
                Ok(FileVersion { content: None, size: self.host.meta(file)?.size })
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::{Credentials, Fs, FsContext, FsOptions, OpenHow};

    #[test]
    fn a_version_changes_with_every_write_and_not_otherwise() {
        let mut fs: Fs<u8> = Fs::new(FsOptions::default());
        let cred = Credentials::root();
        let ctx = FsContext::new(fs.root(), &cred);
        let how = OpenHow { write: true, create: true, ..OpenHow::default() };
        let file = fs.open(&ctx, b"/a", &how).unwrap().inode;
        fs.write_bytes(&ctx, file, 0, b"one").unwrap();
        let one = fs.version(file).unwrap();
        fs.chmod(&ctx, file, 0o600).unwrap();
        assert!(fs.version(file).unwrap().is_same(&one));
        fs.write_bytes(&ctx, file, 1, b"x").unwrap();
        let two = fs.version(file).unwrap();
        assert!(!two.is_same(&one));
        fs.truncate(&ctx, file, 2).unwrap();
        assert!(!fs.version(file).unwrap().is_same(&two));
        assert!(fs.version(fs.root()).is_err());
    }
}
