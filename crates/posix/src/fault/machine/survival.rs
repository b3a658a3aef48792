//! Files that a crash may leave of changes that were not synced: a few alternatives that stand for all.
//!
//! | choice | what is left of what was not synced |
//! |---|---|
//! | 0 | nothing |
//! | 1 | everything |
//! | 2 | everything, but the last write is cut in the middle |
//! | 3 | everything but the last change |
//! | 4 | changes of directories: new files have their names and are empty |
//! | 5 | changes of files: new ones are lost with their names |
//!
//! One that leaves what an earlier one leaves is not offered.

use everett_fs::{CrashSurvival, Fs, FsError};
use everett_memory::ByteValue;

use crate::state::faults::crash_marks::{LastChange, WrittenRange};

/// Files that a crash may leave.
pub(super) struct SurvivingFiles {
    pub(super) choice: u32,
    pub(super) fs: Fs<ByteValue>,
    /// For people.
    pub(super) what: String,
}

/// The file systems that a crash may leave, besides the durable one.
pub(super) fn survivors(
    fs: &Fs<ByteValue>,
    last: Option<&LastChange>,
) -> Result<Vec<SurvivingFiles>, FsError> {
    let lost = fs.after_crash_with(CrashSurvival::Nothing)?;
    let mut found: Vec<SurvivingFiles> = Vec::new();
    let mut add = |choice, fs: Fs<ByteValue>, what: String| {
        let same = |other: &Fs<ByteValue>| is_same(&fs, other);
        let known = found.iter().map(|left| &left.fs).chain([&lost]);
        for other in known {
            if same(other)? {
                return Ok(());
            }
        }
        found.push(SurvivingFiles { choice, fs, what });
        Ok::<(), FsError>(())
    };
    let whole = CrashSurvival::Everything;
    add(1, fs.after_crash_with(whole)?, "keeps what was not synced".to_owned())?;
    let write = last.and_then(|last| Some((last, last.write?)));
    if let Some((last, WrittenRange { inode, offset, len })) = write
        && len >= 2
        && !fs.is_synced(inode)
    {
        let half = len / 2;
        let torn = fs.with_torn_write(&last.before, inode, offset, half as usize)?;
        let what = format!("keeps what was not synced, of the last write {half} of {len} bytes");
        add(2, torn.after_crash_with(whole)?, what)?;
    }
    if let Some(last) = last {
        let fs = fs.without_changes_since(&last.before).after_crash_with(whole)?;
        add(3, fs, "keeps what was not synced, but for the last change".to_owned())?;
    }
    let names = fs.after_crash_with(CrashSurvival::Names)?;
    add(4, names, "keeps names and loses contents that were not synced".to_owned())?;
    let contents = fs.after_crash_with(CrashSurvival::Contents)?;
    add(5, contents, "keeps contents and loses names that were not synced".to_owned())?;
    Ok(found)
}

/// Returns true if programs find the same in both; what `/proc` shows begins anew with each boot.
pub(super) fn is_same(fs: &Fs<ByteValue>, other: &Fs<ByteValue>) -> Result<bool, FsError> {
    let changes = fs.changes(other)?;
    Ok(changes.iter().all(|change| change.path.starts_with(b"/proc/") || change.path == b"/proc"))
}
