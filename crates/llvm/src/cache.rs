//! Lowered programs on disk, found by the content of what they were made of.
//!
//! An entry is named by a hash over all inputs, the options, and the versions of the format and of
//! this crate, so that it never has to be checked against its inputs. It starts with a hash over
//! itself: a damaged entry is noticed, ignored and written anew. Entries appear by renaming, so
//! that two processes may share a folder.

use std::path::{Path, PathBuf};

use crate::error::LlvmError;
use crate::load::{InputFile, LoadOptions, LoadedProgram, load_inputs, read_all, undefined};

/// Raised whenever the same input is lowered to another program.
const LOWERING_VERSION: u32 = 10;

/// Bytes that a cache may take; older entries go first.
const MAX_BYTES: u64 = 1 << 30;

const SUFFIX: &str = "program";
const HASH_LEN: usize = 32;

/// Like [`crate::load`], but looks into `folder` first, and leaves the result there.
///
/// A cache that cannot be used is no error: the program is lowered, and a warning says why.
pub fn load_cached(
    paths: &[PathBuf],
    options: &LoadOptions,
    folder: &Path,
) -> Result<LoadedProgram, LlvmError> {
    let inputs = read_all(paths)?;
    let entry = entry(&inputs, options, folder)?;
    let mut damaged = None;
    if let Ok(bytes) = std::fs::read(&entry) {
        match decode(&bytes) {
            Ok(loaded) => return Ok(loaded),
            Err(reason) => damaged = Some(reason),
        }
    }
    let mut loaded = load_inputs(&inputs, options)?;
    let written = write(folder, &entry, &encode(&loaded));
    if let Some(reason) = damaged {
        let text =
            format!("cache entry {} was damaged ({reason}); it is replaced", entry.display());
        loaded.warnings.push(text);
    }
    if let Err(error) = written {
        loaded.warnings.push(format!("cannot write to the cache {}: {error}", folder.display()));
    }
    Ok(loaded)
}

/// Reads what an earlier [`load_cached`] left in `folder`, without LLVM's help; `None` if there is
/// nothing, or nothing sound.
pub fn look_up(
    paths: &[PathBuf],
    options: &LoadOptions,
    folder: &Path,
) -> Result<Option<LoadedProgram>, LlvmError> {
    let inputs = read_all(paths)?;
    let entry = entry(&inputs, options, folder)?;
    Ok(std::fs::read(&entry).ok().and_then(|bytes| decode(&bytes).ok()))
}

/// The file of an entry.
fn entry(inputs: &[InputFile], options: &LoadOptions, folder: &Path) -> Result<PathBuf, LlvmError> {
    Ok(folder.join(format!("{}.{SUFFIX}", key(inputs, options)?)))
}

/// The name of an entry.
fn key(inputs: &[InputFile], options: &LoadOptions) -> Result<String, LlvmError> {
    // Destructured, so that a new option cannot be forgotten here.
    let LoadOptions { libraries, provided, companion_prefix, roots, is_opened, openers } = options;
    let mut hasher = blake3::Hasher::new();
    let mut field = |bytes: &[u8]| {
        hasher.update(&(bytes.len() as u64).to_le_bytes());
        hasher.update(bytes);
    };
    field(env!("CARGO_PKG_VERSION").as_bytes());
    field(&everett_ir::FORMAT_VERSION.to_le_bytes());
    field(&LOWERING_VERSION.to_le_bytes());
    field(companion_prefix.as_bytes());
    field(&[u8::from(*is_opened)]);
    for names in [provided, roots, openers] {
        field(&(names.len() as u64).to_le_bytes());
        names.iter().for_each(|name| field(name.as_bytes()));
    }
    field(&(inputs.len() as u64).to_le_bytes());
    inputs.iter().for_each(|input| field(&input.bytes));
    for library in libraries {
        library.identify(&mut field)?;
    }
    Ok(hasher.finalize().to_hex().to_string())
}

/// Hash, length of the warnings, warnings one a line, program.
fn encode(loaded: &LoadedProgram) -> Vec<u8> {
    let warnings = loaded.warnings.join("\n");
    let mut body = (warnings.len() as u64).to_le_bytes().to_vec();
    body.extend_from_slice(warnings.as_bytes());
    body.extend_from_slice(&everett_ir::encode(&loaded.program));
    let mut bytes = blake3::hash(&body).as_bytes().to_vec();
    bytes.extend_from_slice(&body);
    bytes
}

fn decode(bytes: &[u8]) -> Result<LoadedProgram, String> {
    let short = || "it is too short".to_owned();
    let (hash, body) = bytes.split_at_checked(HASH_LEN).ok_or_else(short)?;
    if blake3::hash(body).as_bytes() != hash {
        return Err("its checksum is wrong".to_owned());
    }
    let (len, rest) = body.split_first_chunk::<8>().ok_or_else(short)?;
    let len = usize::try_from(u64::from_le_bytes(*len)).map_err(|_| short())?;
    let (warnings, program) = rest.split_at_checked(len).ok_or_else(short)?;
    let program = everett_ir::decode(program).map_err(|error| error.to_string())?;
    let warnings = String::from_utf8_lossy(warnings).lines().map(str::to_owned).collect();
    let undefined = undefined(&program);
    Ok(LoadedProgram { program, warnings, undefined })
}

fn write(folder: &Path, entry: &Path, bytes: &[u8]) -> std::io::Result<()> {
    std::fs::create_dir_all(folder)?;
    let temporary = entry.with_extension(format!("{}.tmp", std::process::id()));
    std::fs::write(&temporary, bytes)?;
    std::fs::rename(&temporary, entry)?;
    evict(folder, entry, MAX_BYTES)
}

/// Removes the oldest entries until the rest takes at most `limit` bytes; `keep` stays.
fn evict(folder: &Path, keep: &Path, limit: u64) -> std::io::Result<()> {
    let mut entries = Vec::new();
    for entry in std::fs::read_dir(folder)? {
        let entry = entry?;
        let path = entry.path();
        if path.extension().is_some_and(|extension| extension == SUFFIX) {
            let metadata = entry.metadata()?;
            entries.push((metadata.modified()?, path, metadata.len()));
        }
    }
    entries.sort();
    let mut total: u64 = entries.iter().map(|(_, _, len)| len).sum();
    for (_, path, len) in entries {
        if total <= limit {
            break;
        }
        if path != keep {
            // Another process may have removed it already.
            std::fs::remove_file(&path).or_else(|error| match error.kind() {
                std::io::ErrorKind::NotFound => Ok(()),
                _ => Err(error),
            })?;
            total -= len;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests;
