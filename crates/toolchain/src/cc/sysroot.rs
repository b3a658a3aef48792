//! Folders that are made in the cache for the compiler, of links into the host.
//!
//! With musl, the native compiler must not see anything of the host's C library: neither headers nor
//! libraries, or `./configure` would find what the program cannot use. So it is given a root of its
//! own, with musl and the compiler's support library. The headers of the kernel, which no C library
//! has, are in another folder, to be searched last.

use std::fs;
use std::io::ErrorKind;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};

use everett_runtime::cache;

use super::settings::CompilerSettings;
use crate::clang::{HOST_FIXES, MUSL_FIXES};
use crate::error::{Result, ToolchainError};

/// The folders of musl on Debian and Ubuntu: libraries, headers.
const DEBIAN_MUSL: (&str, &str) = ("/usr/lib/x86_64-linux-musl", "/usr/include/x86_64-linux-musl");

/// The compiler's own parts of a program, below the root as in gcc's installation.
const SUPPORT: &str = "usr/lib/gcc/x86_64-linux-musl/12";
const SUPPORT_FILES: [&str; 7] = [
    "crtbegin.o",
    "crtbeginS.o",
    "crtbeginT.o",
    "crtend.o",
    "crtendS.o",
    "libgcc.a",
    "libgcc_eh.a",
];

/// Headers of the kernel, and of BSD, that musl does not have. The last one tells that all are there.
const KERNEL_HEADERS: [&str; 13] = [
    "asm",
    "asm-generic",
    "drm",
    "misc",
    "mtd",
    "rdma",
    "scsi",
    "sound",
    "video",
    "xen",
    "sys/queue.h",
    "sys/tree.h",
    "linux",
];
const HOST_INCLUDES: [&str; 2] = ["/usr/include/x86_64-linux-gnu", "/usr/include"];

/// The header that the host's `sys/queue.h` includes, and that programs that come from BSD expect.
const CDEFS: &str = include_str!("../../../../runtime-c/port/include/sys/cdefs.h");

/// The root for native programs with musl.
pub(super) fn musl(settings: &CompilerSettings) -> Result<PathBuf> {
    let CompilerSettings { clang, cache, musl, .. } = settings;
    let (libraries, headers) = find_musl(musl.as_deref())?;
    let root = cache.join("musl-root-2");
    let support = root.join(SUPPORT);
    let links = [(root.join("usr/include"), headers), (root.join("lib"), root.join("usr/lib"))];
    // Following the links tells whether what they lead to is still there.
    let complete = links.iter().all(|(link, target)| leads_to(link, target))
        && leads_to(&root.join("usr/lib/crt1.o"), &libraries.join("crt1.o"))
        && support.join("libgcc_eh.a").is_file();
    if complete {
        return Ok(root);
    }
    for (link, target) in &links {
        put_link(link, target)?;
    }
    let unreadable = |source| ToolchainError::Read { path: libraries.clone(), source };
    for entry in fs::read_dir(&libraries).map_err(unreadable)? {
        let entry = entry.map_err(unreadable)?;
        put_link(&root.join("usr/lib").join(entry.file_name()), &entry.path())?;
    }
    // As musl's own installation has it: `crypt` comes with each link.
    let crypt = root.join("usr/lib/libcrypt.a");
    if !crypt.exists() {
        cache::put(&crypt, b"!<arch>\n")?;
    }
    let found = PathBuf::from(clang.ask("-print-file-name=crtbegin.o")?);
    let installed = found.parent().filter(|folder| folder.is_absolute());
    let installed = installed.ok_or(ToolchainError::NoSupportLibrary)?;
    for name in SUPPORT_FILES {
        put_link(&support.join(name), &installed.join(name))?;
    }
    Ok(root)
}

/// The folder of headers that neither musl nor we have.
pub(super) fn kernel_headers(cache: &Path) -> Result<PathBuf> {
    let folder = cache.join("include-kernel-1");
    if folder.join("linux/types.h").is_file() {
        return Ok(folder);
    }
    cache::put(&folder.join("sys/cdefs.h"), CDEFS.as_bytes())?;
    for name in KERNEL_HEADERS {
        let found =
            HOST_INCLUDES.iter().map(|host| Path::new(host).join(name)).find(|f| f.exists());
        if let Some(found) = found {
            put_link(&folder.join(name), &found)?;
        }
    }
    Ok(folder)
}

/// The folder of Everett's own headers and nothing else.
pub(super) fn own_headers(cache: &Path, include: &Path) -> Result<PathBuf> {
    let folder = cache.join("include-own-1");
    for name in ["klee", "everett.h", "netklee.h", HOST_FIXES, MUSL_FIXES] {
        let (link, target) = (folder.join(name), include.join(name));
        if !leads_to(&link, &target) {
            put_link(&link, &target)?;
        }
    }
    Ok(folder)
}

/// The folder of musl's headers: where Debian and Ubuntu put them, or in the folder that musl was
/// installed to.
///
/// # Errors
/// If musl is not there.
pub fn musl_headers(named: Option<&Path>) -> Result<PathBuf> {
    find_musl(named).map(|(_, headers)| headers)
}

/// Libraries and headers of musl, which may be in a folder of its own.
fn find_musl(named: Option<&Path>) -> Result<(PathBuf, PathBuf)> {
    let (libraries, headers) = match named {
        Some(prefix) => (prefix.join("lib"), prefix.join("include")),
        None => (DEBIAN_MUSL.0.into(), DEBIAN_MUSL.1.into()),
    };
    if libraries.join("crt1.o").is_file() && headers.join("features.h").is_file() {
        return Ok((libraries, headers));
    }
    match named {
        Some(folder) => Err(ToolchainError::NoMuslIn { folder: folder.to_path_buf() }),
        None => Err(ToolchainError::NoMusl),
    }
}

fn leads_to(link: &Path, target: &Path) -> bool {
    link.exists() && fs::read_link(link).is_ok_and(|found| found == target)
}

/// Makes a link, or replaces one. Another process may be doing the same.
fn put_link(link: &Path, target: &Path) -> Result<()> {
    let make = || -> std::io::Result<()> {
        let parent = link.parent().unwrap_or(Path::new("."));
        fs::create_dir_all(parent)?;
        match symlink(target, link) {
            Err(error) if error.kind() == ErrorKind::AlreadyExists => {}
            other => return other,
        }
        if fs::read_link(link).is_ok_and(|found| found == target) {
            return Ok(());
        }
        let beside = tempfile::tempdir_in(parent)?;
        let new = beside.path().join("link");
        symlink(target, &new)?;
        fs::rename(&new, link)
    };
    make().map_err(|source| ToolchainError::Link { path: link.to_path_buf(), source })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_are_replaced_when_they_lead_elsewhere() {
        let folder = tempfile::tempdir().unwrap();
        let link = folder.path().join("a/link");
        let (one, two) = (folder.path().join("one"), folder.path().join("two"));
        fs::write(&one, "1").unwrap();
        put_link(&link, &one).unwrap();
        assert!(leads_to(&link, &one));
        put_link(&link, &two).unwrap();
        assert!(!leads_to(&link, &two), "there is no such file yet");
        fs::write(&two, "2").unwrap();
        assert!(leads_to(&link, &two) && !leads_to(&link, &one));
        assert_eq!(fs::read_dir(folder.path().join("a")).unwrap().count(), 1);
    }

    #[test]
    fn only_the_kernels_headers_become_visible() {
        let folder = tempfile::tempdir().unwrap();
        let include = kernel_headers(folder.path()).unwrap();
        assert!(include.join("linux/types.h").exists() && include.join("asm/types.h").exists());
        assert!(!include.join("stdio.h").exists() && !include.join("sys/types.h").exists());
        assert!(include.join("sys/cdefs.h").exists());
    }
}
