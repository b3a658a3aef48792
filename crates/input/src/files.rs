//! Files that users name: read whole, up to a size.
//!
//! A name may stand for something without an end (`/dev/zero`, a pipe), which is an error like any other
//! here, and not a process that takes all memory.

use std::fs::File;
use std::io::{Error, ErrorKind, Read, Result};
use std::path::Path;

use crate::host;

/// The largest file that is read.
const BYTES_MAX: u64 = 256 << 20;

/// The content of a file.
pub fn read(path: &Path) -> Result<Vec<u8>> {
    read_up_to(path, BYTES_MAX)
}

/// The content of a file that is text.
pub fn read_text(path: &Path) -> Result<String> {
    String::from_utf8(read(path)?).map_err(|error| Error::new(ErrorKind::InvalidData, error))
}

fn read_up_to(path: &Path, most: u64) -> Result<Vec<u8>> {
    let file = File::open(host::real(path))?;
    let size = file.metadata()?.len();
    let mut bytes = Vec::with_capacity(size.min(most) as usize);
    // Where the size says nothing, one byte too many tells.
    if size <= most {
        file.take(most + 1).read_to_end(&mut bytes)?;
    }
    if size.max(bytes.len() as u64) > most {
        let message = format!("it has more than {} MiB; name a smaller file", most >> 20);
        return Err(Error::new(ErrorKind::FileTooLarge, message));
    }
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_read_up_to_a_size() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("file");
        std::fs::write(&file, b"four").unwrap();
        assert_eq!(read_up_to(&file, 4).unwrap(), b"four");
        assert_eq!(read_up_to(&file, 3).unwrap_err().kind(), ErrorKind::FileTooLarge);
        assert_eq!(read_text(&file).unwrap(), "four");
    }

    #[test]
    fn what_has_no_end_is_not_read_for_ever() {
        let error = read_up_to(Path::new("/dev/zero"), 1 << 20).unwrap_err();
        assert_eq!(error.to_string(), "it has more than 1 MiB; name a smaller file");
    }
}
