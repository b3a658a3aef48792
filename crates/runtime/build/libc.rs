//! Builds the libraries that programs link against, as archives of bitcode: the libc, which is musl and our
//! port of it, and libstdc++.
//!
//! The sources come from `cargo xtask setup`. What is built lies below the target folder, named by a
//! hash over everything that it depends on, so that debug and release builds share it; objects are kept
//! the same way, one by one, so that a change of one file of the port compiles one file.
//!
//! Not here: which files take part and how each is compiled (`members.rs`, `libstdcxx.rs`), the headers
//! (`headers.rs`).

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, SystemTime};

use crate::flags;
use crate::headers;
use crate::libstdcxx;
use crate::members::{Member, members};

/// The folders of the sources, below the target folder.
const SOURCE: &str = "musl/musl-1.2.3";
const CXX_SOURCE: &str = "libstdcxx/gcc-12.2.0";
/// Makes archives with an index of the symbols of bitcode.
const AR: &str = "llvm-ar-19";
/// The files of this script: a change of one may change the result.
const SELF: [&str; 4] = [
    include_str!("libc.rs"),
    include_str!("members.rs"),
    include_str!("libstdcxx.rs"),
    include_str!("headers.rs"),
];
/// The time for which results and objects are kept that are no longer used.
const KEPT: Duration = Duration::from_secs(24 * 60 * 60);

/// The results of the build.
pub(crate) struct Libc {
    /// The archive of the libc.
    pub(crate) archive: PathBuf,
    /// The archive of libstdc++.
    pub(crate) cxx_archive: PathBuf,
    /// The folder of headers.
    pub(crate) include: PathBuf,
}

/// The folders that take part.
pub(crate) struct Folders {
    /// musl's source.
    pub(crate) musl: PathBuf,
    /// gcc's source, as far as it is libstdc++.
    pub(crate) gcc: PathBuf,
    /// Our port.
    pub(crate) port: PathBuf,
    /// The folder of objects and results.
    pub(crate) home: PathBuf,
    /// Headers that are made and not public.
    pub(crate) internal: PathBuf,
}

/// Builds the libc, unless this very libc is there.
pub(crate) fn build(runtime: &Path, out: &Path) -> Libc {
    // A project outside of the repository has a target folder of its own.
    let usual = runtime.join("../target");
    let mut folders = out.ancestors().chain([usual.as_path()]);
    let has_sources =
        |folder: &&Path| [SOURCE, CXX_SOURCE].iter().all(|source| folder.join(source).is_dir());
    let target = folders.find(has_sources);
    let target = target.unwrap_or_else(|| {
        panic!(
            "the sources of musl and libstdc++ are not in the target folder; \
             fetch them with `cargo xtask setup`"
        )
    });
    let (musl, home) = (target.join(SOURCE), target.join("musl"));
    let gcc = target.join(CXX_SOURCE);
    let port = runtime.join("port").canonicalize().expect("the port is part of the repository");
    let key = key(&port);
    let folders =
        Folders { musl, gcc, port, internal: home.join("objects").join(&key.shared), home };
    let result = folders.home.join(format!("built-{}", key.all));
    let (archive, cxx_archive) = (result.join("libc.a"), result.join("libstdc++.a"));
    if !result.is_dir() {
        make(&folders, &key, &result);
        make_old(&archive);
        make_old(&cxx_archive);
        forget(&folders.home, &result);
        forget(&folders.home.join("objects"), &result);
    }
    Libc { archive, cxx_archive, include: result.join("include") }
}

/// Gives a file a time of long ago. Cargo runs this script again if the archive is younger than the
/// script's last start, as one that the script has made is. The name of its folder says what is in it.
fn make_old(file: &Path) {
    let opened = fs::File::options().write(true).open(file);
    let changed = opened.and_then(|file| file.set_modified(SystemTime::UNIX_EPOCH));
    changed.unwrap_or_else(|error| panic!("cannot date {}: {error}", file.display()));
}

/// Names of what is built.
struct Key {
    /// A hash over what every object depends on.
    shared: String,
    /// A hash over the headers of libstdc++'s objects.
    hosted: String,
    /// A hash over everything.
    all: String,
}

fn key(port: &Path) -> Key {
    let version = Command::new(flags::CLANG).arg("--version").output();
    let version = version.unwrap_or_else(|error| {
        panic!("cannot run {}: {error}; install it with `cargo xtask setup`", flags::CLANG)
    });
    let mut shared = blake3::Hasher::new();
    shared.update(&version.stdout);
    shared.update(SOURCE.as_bytes());
    shared.update(CXX_SOURCE.as_bytes());
    shared.update(include_bytes!("headers.rs"));
    flags::COMMON.iter().for_each(|flag| {
        shared.update(flag.as_bytes()).update(&[0]);
    });
    let (mut all, mut hosted) = (blake3::Hasher::new(), blake3::Hasher::new());
    SELF.iter().for_each(|text| {
        all.update(text.as_bytes());
    });
    for (name, path) in crate::files(port) {
        let bytes = fs::read(&path).expect("the file was just listed");
        let hasher = match name.ends_with(".h") {
            true if name.starts_with("cxx/") => &mut hosted,
            true => &mut shared,
            false => &mut all,
        };
        hasher.update(name.as_bytes()).update(&[0]).update(&bytes);
    }
    let (shared, hosted) = (short(shared), short(hosted));
    all.update(shared.as_bytes()).update(hosted.as_bytes());
    Key { all: short(all), shared, hosted }
}

fn short(hasher: blake3::Hasher) -> String {
    hasher.finalize().to_hex()[..20].to_owned()
}

/// Makes the result beside and renames it, so that a folder that is there is complete.
fn make(folders: &Folders, key: &Key, result: &Path) {
    headers::make_internal(folders);
    let objects = compile_all(folders, key, &members(folders));
    let cxx_objects = compile_all(folders, key, &libstdcxx::members(folders));
    let beside = folders.home.join(format!("building-{}", std::process::id()));
    let _ = fs::remove_dir_all(&beside);
    headers::make_public(folders, &beside.join("include"));
    archive(&beside, "libc.a", &objects);
    archive(&beside, "libstdc++.a", &cxx_objects);
    if let Err(error) = fs::rename(&beside, result) {
        // Another build may have been quicker.
        assert!(result.is_dir(), "cannot make {}: {error}", result.display());
        let _ = fs::remove_dir_all(&beside);
    }
}

/// Makes an archive with an index of its symbols.
fn archive(folder: &Path, name: &str, objects: &[PathBuf]) {
    let list: String = objects.iter().map(|object| format!("{}\n", object.display())).collect();
    let names = folder.join("members");
    fs::write(&names, list).expect("the target folder is writable");
    let mut ar = Command::new(AR);
    ar.args(["--format=gnu", "rcsD"]).arg(folder.join(name));
    ar.arg(format!("@{}", names.display()));
    let status = ar.status().unwrap_or_else(|error| {
        panic!("cannot run {AR}: {error}; install it with `cargo xtask setup`")
    });
    assert!(status.success(), "{AR} ended with {status}");
}

/// Compiles the objects that are not there yet, on all processors, and returns all of them in order.
fn compile_all(folders: &Folders, key: &Key, members: &[Member]) -> Vec<PathBuf> {
    let objects: Vec<PathBuf> = members.iter().map(|member| object(folders, key, member)).collect();
    let next = AtomicUsize::new(0);
    let failures = Mutex::new(Vec::new());
    let work = || {
        while let Some(member) = members.get(next.fetch_add(1, Ordering::Relaxed)) {
            let object = object(folders, key, member);
            if !object.is_file()
                && let Err(reason) = compile(folders, member, &object)
            {
                failures.lock().expect("no thread panics").push(reason);
            }
        }
    };
    let workers = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
    std::thread::scope(|scope| (0..workers).for_each(|_| drop(scope.spawn(work))));
    let failures = failures.into_inner().expect("no thread panicked");
    assert!(failures.is_empty(), "the libraries do not compile:\n{}", failures.join("\n"));
    objects
}

fn object(folders: &Folders, key: &Key, member: &Member) -> PathBuf {
    let mut hasher = blake3::Hasher::new();
    hasher.update(key.shared.as_bytes());
    if member.is_hosted {
        hasher.update(key.hosted.as_bytes());
    }
    hasher.update(member.name.as_bytes());
    // Where the repository lies makes no difference to the objects.
    let places = [&folders.internal, &folders.musl, &folders.gcc, &folders.port];
    let places = places.map(|place| place.display().to_string());
    for flag in &member.flags {
        let flag = places.iter().fold(flag.clone(), |flag, place| flag.replace(place, ""));
        if !flag.starts_with("-ffile-prefix-map=") {
            hasher.update(flag.as_bytes()).update(&[0]);
        }
    }
    hasher.update(&fs::read(&member.source).expect("the file was just listed"));
    let folder = folders.home.join("objects").join(short(hasher));
    folder.join(format!("{}.bc", member.name))
}

fn compile(folders: &Folders, member: &Member, object: &Path) -> Result<(), String> {
    let folder = object.parent().expect("objects have folders of their own");
    fs::create_dir_all(folder).map_err(|error| error.to_string())?;
    let beside = object.with_extension(format!("{}.tmp", std::process::id()));
    let mut clang = Command::new(flags::CLANG);
    clang.current_dir(&folders.musl);
    let is_meant = |flag: &&&str| !member.is_hosted || **flag != flags::NO_HOST_HEADERS;
    clang.args(flags::COMMON.iter().filter(is_meant));
    clang.args(&member.flags).arg(&member.source).arg("-o").arg(&beside);
    let output = clang.output().map_err(|error| format!("cannot run {}: {error}", flags::CLANG))?;
    if !output.status.success() {
        let said = String::from_utf8_lossy(&output.stderr);
        return Err(format!("{}: {}\n{said}", member.source.display(), output.status));
    }
    fs::rename(&beside, object).map_err(|error| error.to_string())
}

/// Removes folders that are much older than the result, or were left by a build that was cut short.
fn forget(folder: &Path, result: &Path) {
    let modified = |path: &Path| fs::metadata(path).and_then(|found| found.modified()).ok();
    let (Some(made), Ok(entries)) = (modified(result), fs::read_dir(folder)) else { return };
    for path in entries.flatten().map(|entry| entry.path()) {
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let ours = ["built-", "building-"].iter().any(|prefix| name.starts_with(prefix))
            || folder.ends_with("objects");
        let age = modified(&path).and_then(|time| made.duration_since(time).ok());
        if ours && age.is_some_and(|age| age > KEPT) {
            // What stays harms nobody.
            let _ = fs::remove_dir_all(path);
        }
    }
}
