//! The files that the libc consists of, and the flags of each of them.

use std::path::{Path, PathBuf};

use crate::libc::Folders;

/// One object of the archive.
pub(crate) struct Member {
    /// Its name in the archive, without extension.
    pub(crate) name: String,
    /// The C file.
    pub(crate) source: PathBuf,
    /// Flags beside the common ones.
    pub(crate) flags: Vec<String>,
    /// It is compiled with the host's headers.
    pub(crate) is_hosted: bool,
}

/// Folders of musl that are not for us: the engine allocates, and jumps.
const LEFT_OUT_FOLDERS: [&str; 2] = ["malloc", "setjmp"];

/// Files of musl that our port replaces, or that only serve what is left out.
const LEFT_OUT: [&str; 37] = [
    "exit/exit.c",
    "fenv/fenv.c",
    "ldso/__dlsym.c",
    "ldso/dladdr.c",
    "ldso/dlclose.c",
    "ldso/dlerror.c",
    "ldso/dlinfo.c",
    "ldso/dlopen.c",
    "ldso/dlsym.c",
    "math/ceil.c",
    "math/ceilf.c",
    "math/copysign.c",
    "math/copysignf.c",
    "math/fabs.c",
    "math/fabsf.c",
    "math/floor.c",
    "math/floorf.c",
    "math/fma.c",
    "math/fmaf.c",
    "math/nearbyint.c",
    "math/nearbyintf.c",
    "math/rint.c",
    "math/rintf.c",
    "math/sqrt.c",
    "math/sqrtf.c",
    "math/trunc.c",
    "math/truncf.c",
    "passwd/nscd_query.c",
    "process/vfork.c",
    "signal/restore.c",
    "signal/siglongjmp.c",
    "signal/sigsetjmp.c",
    "signal/sigsetjmp_tail.c",
    "stdlib/strtod.c",
    "string/explicit_bzero.c",
    "thread/pthread_cancel.c",
    "thread/syscall_cp.c",
];

/// More of these: stand-ins of what only assembly can do.
const STAND_INS: [&str; 3] =
    ["thread/__set_thread_area.c", "thread/__unmapself.c", "thread/clone.c"];

/// Files of left out folders that take part all the same: they only call the allocator.
const TAKEN: [&str; 3] = ["malloc/memalign.c", "malloc/posix_memalign.c", "malloc/reallocarray.c"];

/// The file whose only assembly is an empty barrier for the optimiser.
const BARRIER: &str = "env/__libc_start_main.c";

/// Files with functions that read arguments they may not have been given.
const LENIENT: [&str; 6] = [
    "fcntl/fcntl.c",
    "linux/clone.c",
    "linux/prctl.c",
    "linux/ptrace.c",
    "misc/ioctl.c",
    "misc/syscall.c",
];

/// Functions of strings whose bodies have a name of musl's own, and the plain one as a second.
const INSIDE: [&str; 4] = ["memrchr", "stpcpy", "stpncpy", "strchrnul"];

/// Functions that the port has under their plain names.
const IN_PORT: [&str; 3] = ["memcpy", "memmove", "memset"];

/// Functions of the generators of random numbers that the port has under their plain names, and that call
/// those of musl as `__everett_computed_` and the name.
const DRAWING: [&str; 4] = ["__rand48_step", "rand", "rand_r", "random"];

/// Files that end threads, and the flag by which the port's `pthread_exit` is the way to the end of each: it
/// leaves the frames of the thread before it goes on with musl's `__pthread_exit`.
const LEAVING: [(&str, &str); 2] = [
    ("thread/pthread_create.c", "-Dpthread_exit=__everett_plain_exit"),
    ("thread/thrd_exit.c", "-D__pthread_exit=pthread_exit"),
];

/// All members, in a fixed order: the port comes first, and wins where both define a symbol.
pub(crate) fn members(folders: &Folders) -> Vec<Member> {
    let mut found = Vec::new();
    for folder in ["src", "glibc"] {
        for (name, source) in crate::files(&folders.port.join(folder)) {
            if let Some(stem) = name.strip_suffix(".c") {
                let mut flags = flags_of(folders, &format!("everett/{name}"));
                flags.extend(
                    ["-Wall", "-Wextra", "-Werror", "-Wno-unused-parameter"].map(str::to_owned),
                );
                let flags = flags.into_iter().filter(|flag| flag != "-w").collect();
                let name = format!("everett_{folder}_{}", stem.replace('/', "-"));
                found.push(Member { name, source, flags, is_hosted: false });
            }
        }
    }
    for (name, source) in crate::files(&folders.musl.join("src")) {
        let parts: Vec<&str> = name.split('/').collect();
        let [folder, file] = parts[..] else { continue };
        if !file.ends_with(".c") || is_left_out(folder, &name) {
            continue;
        }
        let mut flags = flags_of(folders, &name);
        let stem = file.trim_end_matches(".c");
        if let Some((_, flag)) = LEAVING.iter().find(|(file, _)| *file == name) {
            flags.push((*flag).to_owned());
        }
        if folder == "prng" && DRAWING.contains(&stem) {
            let plain = stem.trim_start_matches('_');
            flags.push(format!("-D{stem}=__everett_computed_{plain}"));
        }
        if !(folder == "string" && IN_PORT.contains(&stem)) {
            found.push(Member {
                name: format!("{folder}_{stem}"),
                source,
                flags,
                is_hosted: false,
            });
        }
    }
    found
}

fn is_left_out(folder: &str, name: &str) -> bool {
    let out =
        LEFT_OUT_FOLDERS.contains(&folder) || LEFT_OUT.contains(&name) || STAND_INS.contains(&name);
    out && !TAKEN.contains(&name)
}

/// Flags of one file, named by its path below `src`.
fn flags_of(folders: &Folders, name: &str) -> Vec<String> {
    let mut flags: Vec<String> = [
        "-std=c99",
        "-ffreestanding",
        "-nostdinc",
        "-D_XOPEN_SOURCE=700",
        "-O1",
        // Lines for traces; variables would triple the size.
        "-gline-tables-only",
        "-fno-vectorize",
        "-fno-slp-vectorize",
        "-w",
    ]
    .map(str::to_owned)
    .to_vec();
    let shown = |path: &Path, name| format!("-ffile-prefix-map={}={name}", path.display());
    flags.push(shown(&folders.musl, "<musl>"));
    flags.push(shown(folders.port.parent().expect("the port is in a folder"), "<everett>"));
    flags.push(format!("-include{}", folders.port.join("arch/rename.h").display()));
    let mut include = |path: PathBuf| flags.push(format!("-isystem{}", path.display()));
    if LENIENT.contains(&name) || name.ends_with("/fcntl64.c") {
        include(folders.port.join("lenient"));
    }
    include(folders.port.join("arch"));
    for folder in ["arch/x86_64", "arch/generic"] {
        include(folders.musl.join(folder));
    }
    include(folders.internal.clone());
    for folder in ["src/include", "src/internal", "include"] {
        include(folders.musl.join(folder));
    }
    if name == BARRIER {
        flags.push("-D__asm__(...)=".to_owned());
    }
    if name.starts_with("string/") || name == "multibyte/mbsrtowcs.c" {
        // Strings are read byte by byte, and not a word at a time beyond their ends.
        flags.push("-U__GNUC__".to_owned());
    }
    let stem = name.strip_prefix("string/").and_then(|file| file.strip_suffix(".c"));
    if stem.is_some_and(|stem| INSIDE.contains(&stem)) {
        flags.push(format!("-include{}", folders.port.join("arch/one_name.h").display()));
    }
    flags
}
