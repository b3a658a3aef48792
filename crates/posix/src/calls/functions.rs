//! Functions of the C library, and the system calls that they are made of.
//!
//! Programs call functions, and a user who wants `pwrite` to fail need not know that the kernel calls it
//! `pwrite64`. [`calls_named`] takes either name. A function that makes several calls stands for all of
//! them; one that is called as its only system call needs no row.
//!
//! Not here: functions that reach the kernel through another function with a row in any case.

use syscalls::Sysno;

use crate::calls::failing;

const OPENS: &[Sysno] = &[Sysno::open, Sysno::openat, Sysno::creat];
const TO_STREAM: &[Sysno] = &[Sysno::writev];
const FROM_STREAM: &[Sysno] = &[Sysno::read, Sysno::readv];
const NEW_PROCESS: &[Sysno] = &[Sysno::fork, Sysno::vfork, Sysno::clone];
const NEW_THREAD: &[Sysno] = &[Sysno::clone];
const EXECUTE: &[Sysno] = &[Sysno::execve];

/// Functions with the system calls of theirs that can fail.
const FUNCTIONS: &[(&[&str], &[Sysno])] = &[
    (&["pread", "pread64"], &[Sysno::pread64]),
    (&["pwrite", "pwrite64"], &[Sysno::pwrite64]),
    (&["recv"], &[Sysno::recvfrom]),
    (&["send"], &[Sysno::sendto]),
    (&["sendmmsg"], &[Sysno::sendmmsg, Sysno::sendmsg]),
    (&["open64", "creat", "creat64", "fopen", "fopen64", "freopen", "opendir"], OPENS),
    (&["mkstemp", "mkostemp", "tmpfile"], OPENS),
    (&["openat64"], &[Sysno::openat]),
    (&["fclose", "closedir"], &[Sysno::close]),
    (&["fread", "fgets", "fgetc", "getc", "getchar", "getline", "getdelim"], FROM_STREAM),
    (&["scanf", "fscanf"], FROM_STREAM),
    (&["fwrite", "fputs", "fputc", "putc", "putchar", "puts", "fflush"], TO_STREAM),
    (&["printf", "fprintf", "vprintf", "vfprintf", "perror"], TO_STREAM),
    (&["dprintf", "vdprintf"], TO_STREAM),
    (&["readdir", "readdir64", "scandir", "getdents"], &[Sysno::getdents64]),
    (&["stat64"], &[Sysno::stat]),
    (&["lstat64"], &[Sysno::lstat]),
    (&["fstat64"], &[Sysno::fstat]),
    (&["fstatat", "fstatat64"], &[Sysno::newfstatat, Sysno::stat, Sysno::lstat, Sysno::fstat]),
    (&["euidaccess", "eaccess"], &[Sysno::faccessat]),
    (&["truncate64"], &[Sysno::truncate]),
    (&["ftruncate64"], &[Sysno::ftruncate]),
    (&["posix_fallocate", "posix_fallocate64", "fallocate64"], &[Sysno::fallocate]),
    (&["remove"], &[Sysno::unlink, Sysno::rmdir]),
    (&["eventfd"], &[Sysno::eventfd2]),
    (&["epoll_create"], &[Sysno::epoll_create1]),
    (&["signalfd"], &[Sysno::signalfd4]),
    (&["fork", "vfork", "posix_spawn", "posix_spawnp", "system", "popen"], NEW_PROCESS),
    (&["pthread_create", "thrd_create"], NEW_THREAD),
    (&["execl", "execle", "execlp", "execv", "execvp", "execvpe"], EXECUTE),
    (&["fexecve"], &[Sysno::execveat, Sysno::execve]),
    (&["mmap64"], &[Sysno::mmap]),
    (&["sendfile64"], &[Sysno::sendfile]),
];

/// The system calls that can fail by themselves and that a name stands for: those of a function of the C
/// library, and the system call of that name. Empty if there is neither.
pub fn calls_named(name: &str) -> Vec<&'static str> {
    let functions = FUNCTIONS.iter().filter(|(names, _)| names.contains(&name));
    let of_functions = functions.flat_map(|(_, calls)| *calls).map(Sysno::name);
    let own = failing().map(|call| call.name()).filter(|call| *call == name);
    let mut calls: Vec<&'static str> = own.chain(of_functions).collect();
    calls.sort_unstable();
    calls.dedup();
    calls
}

/// All names that [`calls_named`] knows.
pub fn names_of_calls() -> impl Iterator<Item = &'static str> {
    let functions = FUNCTIONS.iter().flat_map(|(names, _)| names.iter().copied());
    failing().map(|call| call.name()).chain(functions)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn functions_stand_for_calls_that_can_fail() {
        assert_eq!(calls_named("pwrite"), ["pwrite64"]);
        assert_eq!(calls_named("pwrite64"), ["pwrite64"]);
        assert_eq!(calls_named("creat"), ["creat", "open", "openat"]);
        assert_eq!(calls_named("printf"), ["writev"]);
        assert_eq!(calls_named("getpid"), [""; 0]);
        let failing: Vec<Sysno> = failing().collect();
        for (names, calls) in FUNCTIONS {
            assert!(calls.iter().all(|call| failing.contains(call)), "{names:?}");
        }
    }

    #[test]
    fn every_name_stands_for_something() {
        assert!(names_of_calls().all(|name| !calls_named(name).is_empty()));
    }
}
