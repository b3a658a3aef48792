//! The table of interposed functions: [`ScriptApi`].
//!
//! Only calls of these functions by a program's own code are in a script; both sides, the engine that
//! records and the library that is loaded into native programs, go by this table. Numbers are part of
//! the format: functions are only ever added at the end of their family's range.

use everett_base::part::{PartError, PartReader, PartWriter, Portable};

/// The kind of a function, which decides which of its calls are in scripts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ApiKind {
    /// No function: something that happens to a thread or a node.
    Happening,
    /// A call on sockets: each one is in the script.
    Socket,
    /// A call on a descriptor: in the script if the descriptor is not that of a file or a standard
    /// stream, otherwise counted like [`ApiKind::Local`].
    Descriptor,
    /// Waits for several descriptors: each one is in the script.
    Wait,
    /// Reads a clock: each one is in the script.
    Clock,
    /// Lets time pass: each one is in the script.
    Sleep,
    /// Gives random bytes: each one is in the script.
    Random,
    /// Is about processes and signals: each one is in the script.
    Process,
    /// Begins, ends or joins threads: in the script where [`ScriptApi`] says so.
    Thread,
    /// Synchronises threads: in the script only if it has to wait. Calls are counted, for preemptions.
    Sync,
    /// Shows data to invariants, or gives the program an input: each one is in the script.
    Expose,
    /// Is one of `netklee.h`: each one is in the script.
    Net,
    /// Counted; in the script only if a fault happens to it, or if it meets a limit.
    Local,
}

impl ApiKind {
    /// Its name in the C header.
    pub const fn name(self) -> &'static str {
        match self {
            ApiKind::Happening => "HAPPENING",
            ApiKind::Socket => "SOCKET",
            ApiKind::Descriptor => "DESCRIPTOR",
            ApiKind::Wait => "WAIT",
            ApiKind::Clock => "CLOCK",
            ApiKind::Sleep => "SLEEP",
            ApiKind::Random => "RANDOM",
            ApiKind::Process => "PROCESS",
            ApiKind::Thread => "THREAD",
            ApiKind::Sync => "SYNC",
            ApiKind::Expose => "EXPOSE",
            ApiKind::Net => "NET",
            ApiKind::Local => "LOCAL",
        }
    }
}

macro_rules! apis {
    ($($number:literal $variant:ident $kind:ident $name:literal [$($alias:literal)*];)*) => {
        /// A function whose calls are in scripts, or something else that happens.
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
        #[repr(u16)]
        pub enum ScriptApi { $(#[doc = concat!("`", $name, "`")] $variant = $number,)* }

        impl ScriptApi {
            /// All of them, by number.
            pub const ALL: &'static [ScriptApi] = &[$(ScriptApi::$variant),*];

            /// Its name.
            pub const fn name(self) -> &'static str {
                match self { $(ScriptApi::$variant => $name),* }
            }

            /// Returns the treatment of its calls.
            pub const fn kind(self) -> ApiKind {
                match self { $(ScriptApi::$variant => ApiKind::$kind),* }
            }

            /// Other symbols of the C library for the same function.
            pub const fn aliases(self) -> &'static [&'static str] {
                match self { $(ScriptApi::$variant => &[$($alias),*]),* }
            }
        }
    };
}

apis! {
    // What happens to threads and nodes.
    1 Start Happening "START" [];
    2 Exit Happening "EXIT" [];
    3 ThreadExit Happening "THREAD_EXIT" [];
    4 Preempt Happening "PREEMPT" [];
    5 Pause Happening "PAUSE" [];
    6 Signal Happening "SIGNAL" [];
    7 NodeCrash Happening "NODE_CRASH" [];
    8 Restart Happening "RESTART" [];
    9 Race Happening "RACE" [];

    // Sockets.
    20 Socket Socket "socket" [];
    21 Socketpair Socket "socketpair" [];
    22 Bind Socket "bind" [];
    23 Listen Socket "listen" [];
    24 Accept Socket "accept" [];
    25 Accept4 Socket "accept4" [];
    26 Connect Socket "connect" [];
    27 Shutdown Socket "shutdown" [];
    28 Getsockname Socket "getsockname" [];
    29 Getpeername Socket "getpeername" [];
    30 Getsockopt Socket "getsockopt" [];
    31 Setsockopt Socket "setsockopt" [];
    32 Send Socket "send" [];
    33 Sendto Socket "sendto" [];
    34 Sendmsg Socket "sendmsg" [];
    35 Sendmmsg Socket "sendmmsg" [];
    36 Recv Socket "recv" ["__recv_chk"];
    37 Recvfrom Socket "recvfrom" ["__recvfrom_chk"];
    38 Recvmsg Socket "recvmsg" [];
    39 Recvmmsg Socket "recvmmsg" [];
    40 Sockatmark Socket "sockatmark" [];

    // Descriptors of any kind.
    60 Read Descriptor "read" ["__read_chk"];
    61 Write Descriptor "write" [];
    62 Readv Descriptor "readv" [];
    63 Writev Descriptor "writev" [];
    64 Close Descriptor "close" [];
    65 Dup Descriptor "dup" [];
    66 Dup2 Descriptor "dup2" [];
    67 Dup3 Descriptor "dup3" [];
    68 Fcntl Descriptor "fcntl" ["fcntl64"];
    69 Ioctl Descriptor "ioctl" [];
    70 Pipe Socket "pipe" [];
    71 Pipe2 Socket "pipe2" [];
    72 Sendfile Descriptor "sendfile" ["sendfile64"];
    73 Splice Descriptor "splice" [];
    74 Eventfd Socket "eventfd" [];
    75 EventfdRead Descriptor "eventfd_read" [];
    76 EventfdWrite Descriptor "eventfd_write" [];
    77 TimerfdCreate Socket "timerfd_create" [];
    78 TimerfdSettime Descriptor "timerfd_settime" [];
    79 TimerfdGettime Descriptor "timerfd_gettime" [];
    80 Signalfd Socket "signalfd" [];

    // Waiting for descriptors.
    100 Poll Wait "poll" ["__poll_chk"];
    101 Ppoll Wait "ppoll" ["__ppoll_chk"];
    102 Select Wait "select" [];
    103 Pselect Wait "pselect" [];
    104 EpollCreate Socket "epoll_create" [];
    105 EpollCreate1 Socket "epoll_create1" [];
    106 EpollCtl Socket "epoll_ctl" [];
    107 EpollWait Wait "epoll_wait" [];
    108 EpollPwait Wait "epoll_pwait" [];

    // Time.
    120 ClockGettime Clock "clock_gettime" [];
    121 Gettimeofday Clock "gettimeofday" [];
    122 Time Clock "time" [];
    123 Clock Clock "clock" [];
    124 Times Clock "times" [];
    125 TimespecGet Clock "timespec_get" [];
    126 Ftime Clock "ftime" [];
    127 Getrusage Clock "getrusage" [];
    140 Sleep Sleep "sleep" [];
    141 Usleep Sleep "usleep" [];
    142 Nanosleep Sleep "nanosleep" [];
    143 ClockNanosleep Sleep "clock_nanosleep" [];
    144 ThrdSleep Sleep "thrd_sleep" [];
    145 SchedYield Sleep "sched_yield" ["pthread_yield" "thrd_yield"];
    146 Alarm Process "alarm" [];
    147 Setitimer Process "setitimer" [];
    148 Getitimer Clock "getitimer" [];

    // Random bytes.
    160 Getrandom Random "getrandom" [];
    161 Getentropy Random "getentropy" [];
    162 Arc4random Random "arc4random" [];
    163 Arc4randomBuf Random "arc4random_buf" [];
    164 Arc4randomUniform Random "arc4random_uniform" [];

    // Numbers of generators.
    165 Rand Local "rand" [];
    166 RandR Local "rand_r" [];
    167 Random Local "random" [];
    168 RandomR Local "random_r" [];
    169 Drand48 Local "drand48" [];
    170 Erand48 Local "erand48" [];
    171 Lrand48 Local "lrand48" [];
    172 Nrand48 Local "nrand48" [];
    173 Mrand48 Local "mrand48" [];
    174 Jrand48 Local "jrand48" [];
    175 Drand48R Local "drand48_r" ["erand48_r"];
    176 Lrand48R Local "lrand48_r" ["nrand48_r"];
    177 Mrand48R Local "mrand48_r" ["jrand48_r"];

    // Processes and signals.
    180 Fork Process "fork" ["_Fork"];
    181 Vfork Process "vfork" [];
    182 Wait Process "wait" [];
    183 Waitpid Process "waitpid" [];
    184 Wait3 Process "wait3" [];
    185 Wait4 Process "wait4" [];
    186 Waitid Process "waitid" [];
    187 Kill Process "kill" [];
    188 Killpg Process "killpg" [];
    189 Execve Process "execve" ["execv" "execvp" "execvpe" "execl" "execlp" "execle" "fexecve"];
    190 PosixSpawn Process "posix_spawn" ["posix_spawnp"];
    191 Pause_ Process "pause" [];
    192 Sigsuspend Process "sigsuspend" [];
    193 Sigwait Process "sigwait" [];
    194 Sigwaitinfo Process "sigwaitinfo" [];
    195 Sigtimedwait Process "sigtimedwait" [];
    196 Raise Process "raise" [];
    197 PthreadKill Process "pthread_kill" [];
    198 Sigqueue Process "sigqueue" [];
    199 System Process "system" [];
    200 Popen Process "popen" [];
    201 Pclose Process "pclose" [];
    202 Daemon Process "daemon" [];

    // Threads.
    220 PthreadCreate Thread "pthread_create" ["thrd_create"];
    221 PthreadJoin Sync "pthread_join" ["thrd_join" "pthread_tryjoin_np" "pthread_timedjoin_np"];
    222 MutexLock Sync "pthread_mutex_lock" ["mtx_lock"];
    223 MutexTimedlock Sync "pthread_mutex_timedlock" ["mtx_timedlock"];
    224 MutexTrylock Sync "pthread_mutex_trylock" ["mtx_trylock"];
    225 MutexUnlock Sync "pthread_mutex_unlock" ["mtx_unlock"];
    226 CondWait Sync "pthread_cond_wait" ["cnd_wait"];
    227 CondTimedwait Sync "pthread_cond_timedwait" ["cnd_timedwait"];
    228 CondSignal Sync "pthread_cond_signal" ["cnd_signal"];
    229 CondBroadcast Sync "pthread_cond_broadcast" ["cnd_broadcast"];
    230 RwlockRdlock Sync "pthread_rwlock_rdlock" [];
    231 RwlockTimedrdlock Sync "pthread_rwlock_timedrdlock" [];
    232 RwlockTryrdlock Sync "pthread_rwlock_tryrdlock" [];
    233 RwlockWrlock Sync "pthread_rwlock_wrlock" [];
    234 RwlockTimedwrlock Sync "pthread_rwlock_timedwrlock" [];
    235 RwlockTrywrlock Sync "pthread_rwlock_trywrlock" [];
    236 RwlockUnlock Sync "pthread_rwlock_unlock" [];
    237 BarrierWait Sync "pthread_barrier_wait" [];
    238 SpinLock Sync "pthread_spin_lock" [];
    239 SpinTrylock Sync "pthread_spin_trylock" [];
    240 SpinUnlock Sync "pthread_spin_unlock" [];
    241 Once Sync "pthread_once" ["call_once"];
    242 SemWait Sync "sem_wait" [];
    243 SemTimedwait Sync "sem_timedwait" [];
    244 SemTrywait Sync "sem_trywait" [];
    245 SemPost Sync "sem_post" [];

    // What invariants see, and what is symbolic.
    260 Expose Expose "klee_invariant_expose_data" [];
    261 Input Expose "klee_make_symbolic" ["klee_int" "klee_range" "klee_choose"];

    // Networks, nodes and events that programs make themselves.
    270 AddNetwork Net "klee_net_add_network" [];
    271 AddRouter Net "klee_net_add_router" [];
    272 AddInterface Net "klee_net_add_interface" [];
    273 AddAddress Net "klee_net_add_ipv4_address" [];
    274 AddRoute Net "klee_net_add_route" [];
    275 HostSetup Net "klee_net_host_setup" [];
    276 EventPut Net "klee_net_event_put" [];
    277 WillGetEvents Net "klee_net_will_get_events" [];
    278 HasPendingEvents Net "klee_net_has_pending_events" [];
    279 EventsGet Net "klee_net_events_get" [];
    280 EventRemove Net "klee_net_event_remove" [];
    281 EventDataAlloc Net "klee_net_event_data_alloc" [];

    // Memory.
    300 Malloc Local "malloc" [];
    301 Calloc Local "calloc" [];
    302 Realloc Local "realloc" [];
    303 Reallocarray Local "reallocarray" [];
    304 PosixMemalign Local "posix_memalign" [];
    305 AlignedAlloc Local "aligned_alloc" [];
    306 Memalign Local "memalign" [];
    307 Valloc Local "valloc" [];
    308 Strdup Local "strdup" [];
    309 Strndup Local "strndup" [];
    310 Asprintf Local "asprintf" ["__asprintf_chk"];
    311 Vasprintf Local "vasprintf" ["__vasprintf_chk"];
    312 Mmap Local "mmap" ["mmap64"];

    // Files and directories.
    340 Open Local "open" ["open64" "__open_2" "__open64_2"];
    341 Openat Local "openat" ["openat64" "__openat_2" "__openat64_2"];
    342 Creat Local "creat" ["creat64"];
    343 Pread Local "pread" ["pread64" "__pread_chk" "__pread64_chk"];
    344 Pwrite Local "pwrite" ["pwrite64"];
    345 Preadv Local "preadv" ["preadv64"];
    346 Pwritev Local "pwritev" ["pwritev64"];
    347 Lseek Local "lseek" ["lseek64"];
    348 Fsync Local "fsync" [];
    349 Fdatasync Local "fdatasync" [];
    350 Sync Local "sync" [];
    351 Syncfs Local "syncfs" [];
    352 Truncate Local "truncate" ["truncate64"];
    353 Ftruncate Local "ftruncate" ["ftruncate64"];
    354 Fallocate Local "fallocate" ["fallocate64"];
    355 PosixFallocate Local "posix_fallocate" ["posix_fallocate64"];
    356 Flock Local "flock" [];
    357 Lockf Local "lockf" ["lockf64"];
    358 Stat Local "stat" ["stat64"];
    359 Fstat Local "fstat" ["fstat64"];
    360 Lstat Local "lstat" ["lstat64"];
    361 Fstatat Local "fstatat" ["fstatat64"];
    362 Statvfs Local "statvfs" ["statvfs64"];
    363 Fstatvfs Local "fstatvfs" ["fstatvfs64"];
    364 Access Local "access" [];
    365 Faccessat Local "faccessat" [];
    366 Chmod Local "chmod" [];
    367 Fchmod Local "fchmod" [];
    368 Fchmodat Local "fchmodat" [];
    369 Chown Local "chown" [];
    370 Fchown Local "fchown" [];
    371 Lchown Local "lchown" [];
    372 Fchownat Local "fchownat" [];
    373 Utime Local "utime" [];
    374 Utimes Local "utimes" [];
    375 Utimensat Local "utimensat" [];
    376 Futimens Local "futimens" [];
    377 Rename Local "rename" [];
    378 Renameat Local "renameat" [];
    379 Link Local "link" [];
    380 Linkat Local "linkat" [];
    381 Symlink Local "symlink" [];
    382 Symlinkat Local "symlinkat" [];
    383 Unlink Local "unlink" [];
    384 Unlinkat Local "unlinkat" [];
    385 Remove Local "remove" [];
    386 Mkdir Local "mkdir" [];
    387 Mkdirat Local "mkdirat" [];
    388 Rmdir Local "rmdir" [];
    389 Mkfifo Local "mkfifo" [];
    390 Mknod Local "mknod" [];
    391 Readlink Local "readlink" ["__readlink_chk"];
    392 Readlinkat Local "readlinkat" ["__readlinkat_chk"];
    393 Chdir Local "chdir" [];
    394 Fchdir Local "fchdir" [];
    395 Getcwd Local "getcwd" ["__getcwd_chk"];
    396 Opendir Local "opendir" [];
    397 Fdopendir Local "fdopendir" [];
    398 Readdir Local "readdir" ["readdir64"];
    399 Closedir Local "closedir" [];
    400 Mkstemp Local "mkstemp" ["mkstemp64"];
    401 Mkdtemp Local "mkdtemp" [];
    402 Msync Local "msync" [];
    403 Statx Local "statx" [];
    404 Statfs Local "statfs" ["statfs64"];
    405 Fstatfs Local "fstatfs" ["fstatfs64"];
    406 CopyFileRange Local "copy_file_range" [];

    // Limits.
    420 Getrlimit Local "getrlimit" ["getrlimit64"];
    421 Setrlimit Local "setrlimit" ["setrlimit64"];
    422 Sysconf Local "sysconf" [];
    423 Getdtablesize Local "getdtablesize" [];

    // Streams of stdio.
    440 Fopen Local "fopen" ["fopen64"];
    441 Freopen Local "freopen" ["freopen64"];
    442 Fdopen Local "fdopen" [];
    443 Fclose Local "fclose" [];
    444 Fflush Local "fflush" ["fflush_unlocked"];
    445 Fread Local "fread" ["fread_unlocked" "__fread_chk"];
    446 Fwrite Local "fwrite" ["fwrite_unlocked"];
    447 Fgets Local "fgets" ["fgets_unlocked" "__fgets_chk"];
    448 Fgetc Local "fgetc" ["getc" "fgetc_unlocked" "getc_unlocked"];
    449 Getline Local "getline" ["getdelim"];
    450 Fputs Local "fputs" ["fputs_unlocked"];
    451 Fputc Local "fputc" ["putc" "fputc_unlocked" "putc_unlocked"];
    452 Fprintf Local "fprintf" ["vfprintf" "__fprintf_chk" "__vfprintf_chk"];
    453 Printf Local "printf" ["vprintf" "__printf_chk" "__vprintf_chk"];
    454 Puts Local "puts" [];
    455 Putchar Local "putchar" ["putchar_unlocked"];
    456 Fseek Local "fseek" ["fseeko" "fseeko64"];
    457 Fscanf Local "fscanf"
        ["vfscanf" "__isoc99_fscanf" "__isoc23_fscanf" "__isoc99_vfscanf" "__isoc23_vfscanf"];
    458 Dprintf Local "dprintf" ["vdprintf" "__dprintf_chk" "__vdprintf_chk"];
    459 Perror Local "perror" [];
    460 Ftell Local "ftell" ["ftello" "ftello64"];
    461 Rewind Local "rewind" [];
    462 Getchar Local "getchar" ["getchar_unlocked"];
    463 Scanf Local "scanf" ["vscanf" "__isoc99_scanf" "__isoc23_scanf" "__isoc99_vscanf" "__isoc23_vscanf"];
}

impl Portable for ScriptApi {
    fn write<'a>(&'a self, to: &mut PartWriter<'a>) {
        to.number(self.number().into());
    }

    fn read(from: &mut PartReader<'_>) -> Result<Self, PartError> {
        let api = u16::read(from).map(ScriptApi::from_number)?;
        api.ok_or_else(|| from.unexpected("the number of a function"))
    }
}

impl ScriptApi {
    /// The one of a number.
    pub fn from_number(number: u16) -> Option<ScriptApi> {
        ScriptApi::ALL.iter().copied().find(|api| api.number() == number)
    }

    /// Its number.
    pub const fn number(self) -> u16 {
        self as u16
    }

    /// The function that a symbol names. The C library has second names for many of its functions, which
    /// begin with underscores.
    pub fn named(symbol: &str) -> Option<ScriptApi> {
        let exactly = |name: &str| {
            let is = |api: &&ScriptApi| api.name() == name || api.aliases().contains(&name);
            { ScriptApi::ALL.iter() }
                .filter(|api| api.kind() != ApiKind::Happening)
                .find(is)
                .copied()
        };
        exactly(symbol).or_else(|| exactly(symbol.trim_start_matches('_')))
    }

    /// Its name in the C header.
    pub fn constant(self) -> String {
        match self.kind() {
            ApiKind::Happening => format!("EVERETT_{}", self.name()),
            _ => format!("EVERETT_API_{}", self.name()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_ascend_and_lead_back() {
        assert!(ScriptApi::ALL.is_sorted_by(|a, b| a.number() < b.number()));
        for api in ScriptApi::ALL {
            assert_eq!(ScriptApi::from_number(api.number()), Some(*api));
        }
        assert_eq!(ScriptApi::from_number(0), None);
    }

    #[test]
    fn no_symbol_names_two_functions() {
        let mut names: Vec<&str> = ScriptApi::ALL
            .iter()
            .flat_map(|api| api.aliases().iter().copied().chain([api.name()]))
            .collect();
        names.sort_unstable();
        assert_eq!(names.windows(2).find(|pair| pair[0] == pair[1]), None);
    }

    #[test]
    fn second_names_of_the_c_library_are_known() {
        assert_eq!(ScriptApi::named("__pthread_mutex_lock"), Some(ScriptApi::MutexLock));
        assert_eq!(ScriptApi::named("__read_chk"), Some(ScriptApi::Read));
        assert_eq!(ScriptApi::named("START"), None);
        assert_eq!(ScriptApi::named("qsort"), None);
    }
}
