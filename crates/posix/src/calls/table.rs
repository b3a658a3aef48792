//! The table of system calls: one row a call, and everything that is known about it.
//!
//! The columns are
//!
//! 1. the name, as `Sysno` has it;
//! 2. the handler, a function below `crate::sys`;
//! 3. the argument that decides what the call works on ([`CallSubject`]);
//! 4. how it fails although the program has done nothing wrong ([`CallFailures`], `failures.rs`);
//! 5. what of it others or a reboot can see: there a node may crash ([`CrashPoint`]);
//! 6. what becomes of it when a handler of a signal interrupts its wait ([`AfterSignal`]);
//! 7. what it is in a script, the recording of a path for native replay ([`ScriptClass`]);
//! 8. behind an arrow, what its event tells beside its result: a function of `crate::record::details`.
//!    Calls that are no events (`UNSEEN`, `SILENT`) have none.
//!
//! The table is a macro that hands its rows to others, since the functions of columns 2 and 8 are generic
//! and above everything that needs to know the rest: `calls.rs` makes data of columns 3 to 7, `sys.rs` the
//! dispatch of column 2, and `record/details.rs` that of column 8. There is no default for any column, so
//! that a new call is asked about each.
//!
//! [`CallSubject`]: super::CallSubject
//! [`CallFailures`]: super::CallFailures
//! [`CrashPoint`]: super::CrashPoint
//! [`AfterSignal`]: super::AfterSignal
//! [`ScriptClass`]: super::ScriptClass

macro_rules! each_system_call {
    ($rows:ident) => { $rows! {
    // Files and descriptors.
    open:            open::open,                Open(1), OPEN,     Files,     Restarts, UNSEEN;
    openat:          open::openat,              Open(2), OPEN,     Files,     Restarts, UNSEEN;
    openat2:         open::openat2,             OpenHow(2), OPEN,  Files,     Ends,     UNSEEN;
    creat:           open::creat,               Creates, CREATE,   Files,     Ends,     UNSEEN;

    memfd_create:    memory_file::memfd_create, Other,  EVENTS,    Nowhere,   Ends,     UNSEEN;

    close:           close::close,              Fd,     FLUSH,     Ending,    Ends,     DESCRIPTORS => result;
    close_range:     close::close_range,        Other,  NEVER,     Nowhere,   Ends,     UNSEEN;

    read:            io::read,                  Fd,     READ,      Receives,  Untimed,  DESCRIPTORS => read;
    write:           io::write,                 Fd,     WRITE,     Writes(0), Untimed,  DESCRIPTORS => write;
    readv:           io::vector::readv,         Fd,     READ,      Receives,  Untimed,  DESCRIPTORS => readv;
    writev:          io::vector::writev,        Fd,     WRITE,     Writes(0), Untimed,  DESCRIPTORS => writev;
    pread64:         io::vector::pread64,       Fd,     READ_AT,   Nowhere,   Ends,     UNSEEN;
    pwrite64:        io::vector::pwrite64,      Fd,     WRITE_AT,  Writes(0), Ends,     UNSEEN;
    preadv:          io::vector::preadv,        Fd,     READ_AT,   Nowhere,   Ends,     UNSEEN;
    pwritev:         io::vector::pwritev,       Fd,     WRITE_AT,  Writes(0), Ends,     UNSEEN;
    preadv2:         io::vector::preadv2,       Fd,     READ_AT,   Nowhere,   Ends,     UNSEEN;
    pwritev2:        io::vector::pwritev2,      Fd,     WRITE_AT,  Writes(0), Ends,     UNSEEN;
    lseek:           io::position::lseek,       Fd,     NEVER,     Nowhere,   Ends,     UNSEEN;
    truncate:        io::extent::truncate,      Other,  CHANGE,    Files,     Ends,     UNSEEN;
    ftruncate:       io::extent::ftruncate,     Fd,     FLUSH,     Files,     Ends,     UNSEEN;
    fallocate:       io::extent::fallocate,     Fd,     FALLOCATE, Files,     Ends,     UNSEEN;
    fsync:           io::extent::fsync,         Fd,     FLUSH,     Sync,      Ends,     UNSEEN;
    fdatasync:       io::extent::fdatasync,     Fd,     FLUSH,     Sync,      Ends,     UNSEEN;
    sync:            io::extent::sync,          Other,  NEVER,     Sync,      Ends,     UNSEEN;
    syncfs:          io::extent::syncfs,        Fd,     NEVER,     Sync,      Ends,     UNSEEN;
    sync_file_range: io::extent::sync_file_range, Fd,   NEVER,     Nowhere,   Ends,     UNSEEN;
    fadvise64:       io::extent::fadvise64,     Fd,     NEVER,     Nowhere,   Ends,     UNSEEN;
    readahead:       io::extent::readahead,     Fd,     NEVER,     Nowhere,   Ends,     UNSEEN;
    sendfile:        io::copy::sendfile,        Fd,     WRITE_AT,  Writes(0), Ends,     DESCRIPTORS => result;
    copy_file_range: io::copy::copy_file_range, Fd,     NEVER,     Writes(2), Ends,     UNSEEN;

    access:          metadata::access,          Other,  LOOK_UP,   Nowhere,   Ends,     UNSEEN;
    faccessat:       metadata::faccessat,       Other,  LOOK_UP,   Nowhere,   Ends,     UNSEEN;
    faccessat2:      metadata::faccessat2,      Other,  LOOK_UP,   Nowhere,   Ends,     UNSEEN;
    chmod:           metadata::chmod,           Other,  CHANGE,    Nowhere,   Ends,     UNSEEN;
    fchmod:          metadata::fchmod,          Fd,     FCHANGE,   Nowhere,   Ends,     UNSEEN;
    fchmodat:        metadata::fchmodat,        Other,  CHANGE,    Nowhere,   Ends,     UNSEEN;
    fchmodat2:       metadata::fchmodat2,       Other,  CHANGE,    Nowhere,   Ends,     UNSEEN;
    chown:           metadata::chown,           Other,  CHANGE,    Nowhere,   Ends,     UNSEEN;
    lchown:          metadata::lchown,          Other,  CHANGE,    Nowhere,   Ends,     UNSEEN;
    fchown:          metadata::fchown,          Fd,     FCHANGE,   Nowhere,   Ends,     UNSEEN;
    fchownat:        metadata::fchownat,        Other,  CHANGE,    Nowhere,   Ends,     UNSEEN;
    utimensat:       metadata::utimensat,       Other,  NEVER,     Nowhere,   Ends,     UNSEEN;
    futimesat:       metadata::futimesat,       Other,  NEVER,     Nowhere,   Ends,     UNSEEN;
    utimes:          metadata::utimes,          Other,  NEVER,     Nowhere,   Ends,     UNSEEN;
    utime:           metadata::utime,           Other,  NEVER,     Nowhere,   Ends,     UNSEEN;
    getxattr:        metadata::named_attribute, Other,  NEVER,     Nowhere,   Ends,     UNSEEN;
    lgetxattr:       metadata::named_attribute, Other,  NEVER,     Nowhere,   Ends,     UNSEEN;
    setxattr:        metadata::named_attribute, Other,  NEVER,     Nowhere,   Ends,     UNSEEN;
    lsetxattr:       metadata::named_attribute, Other,  NEVER,     Nowhere,   Ends,     UNSEEN;
    removexattr:     metadata::named_attribute, Other,  NEVER,     Nowhere,   Ends,     UNSEEN;
    lremovexattr:    metadata::named_attribute, Other,  NEVER,     Nowhere,   Ends,     UNSEEN;
    fgetxattr:       metadata::open_attribute,  Fd,     NEVER,     Nowhere,   Ends,     UNSEEN;
    fsetxattr:       metadata::open_attribute,  Fd,     NEVER,     Nowhere,   Ends,     UNSEEN;
    fremovexattr:    metadata::open_attribute,  Fd,     NEVER,     Nowhere,   Ends,     UNSEEN;
    listxattr:       metadata::named_attribute_list, Other, NEVER, Nowhere,   Ends,     UNSEEN;
    llistxattr:      metadata::named_attribute_list, Other, NEVER, Nowhere,   Ends,     UNSEEN;
    flistxattr:      metadata::open_attribute_list, Fd, NEVER,     Nowhere,   Ends,     UNSEEN;

    stat:            stat::stat,                Other,  LOOK_UP,   Nowhere,   Ends,     UNSEEN;
    lstat:           stat::lstat,               Other,  LOOK_UP,   Nowhere,   Ends,     UNSEEN;
    fstat:           stat::fstat,               Fd,     LIST,      Nowhere,   Ends,     UNSEEN;
    newfstatat:      stat::newfstatat,          Other,  LOOK_UP,   Nowhere,   Ends,     UNSEEN;
    statx:           stat::statx,               Other,  LOOK_UP,   Nowhere,   Ends,     UNSEEN;
    statfs:          stat::statfs,              Other,  NEVER,     Nowhere,   Ends,     UNSEEN;
    fstatfs:         stat::fstatfs,             Fd,     NEVER,     Nowhere,   Ends,     UNSEEN;

    getdents64:      directory::getdents64,     Fd,     LIST,      Nowhere,   Ends,     UNSEEN;
    getdents:        directory::getdents,       Fd,     LIST,      Nowhere,   Ends,     UNSEEN;
    mkdir:           directory::mkdir,          Other,  MAKE,      Files,     Ends,     UNSEEN;
    mkdirat:         directory::mkdirat,        Other,  MAKE,      Files,     Ends,     UNSEEN;
    rmdir:           directory::rmdir,          Other,  RMDIR,     Files,     Ends,     UNSEEN;
    chdir:           directory::chdir,          Other,  CHDIR,     Nowhere,   Ends,     UNSEEN;
    fchdir:          directory::fchdir,         Fd,     FCHDIR,    Nowhere,   Ends,     UNSEEN;
    getcwd:          directory::getcwd,         Other,  NEVER,     Nowhere,   Ends,     UNSEEN;
    chroot:          directory::chroot,         Other,  NEVER,     Nowhere,   Ends,     UNSEEN;
    umask:           directory::umask,          Other,  NEVER,     Nowhere,   Ends,     UNSEEN;

    link:            link::link,                Other,  LINK,      Files,     Ends,     UNSEEN;
    linkat:          link::linkat,              Other,  LINK,      Files,     Ends,     UNSEEN;
    symlink:         link::symlink,             Other,  SYMLINK,   Files,     Ends,     UNSEEN;
    symlinkat:       link::symlinkat,           Other,  SYMLINK,   Files,     Ends,     UNSEEN;
    readlink:        link::readlink,            Other,  NEVER,     Nowhere,   Ends,     UNSEEN;
    readlinkat:      link::readlinkat,          Other,  NEVER,     Nowhere,   Ends,     UNSEEN;
    unlink:          link::unlink,              Other,  UNLINK,    Files,     Ends,     UNSEEN;
    unlinkat:        link::unlinkat,            Other,  UNLINK,    Files,     Ends,     UNSEEN;
    rename:          link::rename,              Other,  RENAME,    Files,     Ends,     UNSEEN;
    renameat:        link::renameat,            Other,  RENAME,    Files,     Ends,     UNSEEN;
    renameat2:       link::renameat2,           Other,  RENAME,    Files,     Ends,     UNSEEN;
    mknod:           link::mknod,               Other,  MAKE,      Files,     Ends,     UNSEEN;
    mknodat:         link::mknodat,             Other,  MAKE,      Files,     Ends,     UNSEEN;

    dup:             fcntl::dup,                Fd,     DUP,       Nowhere,   Ends,     DESCRIPTORS => result;
    dup2:            fcntl::dup2,               Fd,     NEVER,     Ending,    Ends,     DESCRIPTORS => others;
    dup3:            fcntl::dup3,               Fd,     NEVER,     Ending,    Ends,     DESCRIPTORS => others;
    fcntl:           fcntl::fcntl,              Fd,     NEVER,     Nowhere,   Restarts, DESCRIPTORS => others;

    ioctl:           control::ioctl,       Fd, NEVER, Nowhere, Restarts, SOCKETS | DESCRIPTORS | FED => ioctl;

    flock:           lock::flock,               Fd,     NEVER,     Nowhere,   Restarts, UNSEEN;

    // What can be waited for.
    pipe:            pipe::pipe,                Other,  PAIR,      Nowhere,   Ends,     SOCKETS => pipe;
    pipe2:           pipe::pipe2,               Other,  PAIR,      Nowhere,   Ends,     SOCKETS => pipe2;
    splice:          pipe::splice::splice,      Fd,     NEVER,     Writes(2), Ends,     DESCRIPTORS => result;
    vmsplice:        pipe::splice::vmsplice,    Fd,     NEVER,     Nowhere,   Ends,     DESCRIPTORS => result;
    tee:             pipe::splice::tee,         Fd,     NEVER,     Nowhere,   Ends,     UNSEEN;

    socket:          socket::create::socket,    Other,  SOCKET,    Nowhere,   Ends,     SOCKETS => socket;
    socketpair:      socket::create::socketpair, Other, PAIR,      Nowhere,   Ends,     SOCKETS => socketpair;
    bind:            socket::name::bind,        Fd,     BIND,      Nowhere,   Ends,     SOCKETS => bind;
    getsockname:     socket::name::getsockname, Fd,     NEVER,     Nowhere,   Ends,    SOCKETS | FED => named;
    getpeername:     socket::name::getpeername, Fd,     NEVER,     Nowhere,   Ends,    SOCKETS | FED => named;
    connect:         socket::connect::connect,  Fd,     CONNECT,   Connects,  Untimed,  SOCKETS => connect;
    listen:          socket::connect::listen,   Fd,     LISTEN,    Nowhere,   Ends,     SOCKETS => listen;
    accept:          socket::connect::accept,   Fd,     ACCEPT,    Nowhere,   Untimed,  SOCKETS => accept;
    accept4:         socket::connect::accept4,  Fd,     ACCEPT,    Nowhere,   Untimed,  SOCKETS => accept4;
    shutdown:        socket::connect::shutdown, Fd,     NEVER,     Ending,    Ends,     SOCKETS => second;
    sendto:          socket::send::sendto,      Message(3), WRITE, Writes(0), Untimed,  SOCKETS => sendto;
    recvfrom:        socket::receive::recvfrom, Message(3), READ,  Receives,  Untimed,  SOCKETS => recvfrom;
    sendmsg:         socket::message::sendmsg,  Message(2), WRITE, Writes(0), Untimed,  SOCKETS => sendmsg;
    recvmsg:         socket::message::recvmsg,  Message(2), READ,  Receives,  Untimed,  SOCKETS => recvmsg;
    sendmmsg:        socket::message::sendmmsg, Fd,     WRITE_AT,  Writes(0), Untimed,  SOCKETS => result;
    recvmmsg:        socket::message::recvmmsg, Fd,     READ_AT,   Receives,  Untimed,  SOCKETS => result;
    setsockopt:      socket::option::setsockopt, Fd,    NEVER,     Nowhere,   Ends,     SOCKETS => setsockopt;
    getsockopt:      socket::option::getsockopt, Fd,    NEVER,     Nowhere, Ends, SOCKETS | FED => getsockopt;

    eventfd:         eventfd::eventfd,          Other,  EVENTS,    Nowhere,   Ends,     SOCKETS => result;
    eventfd2:        eventfd::eventfd2,         Other,  EVENTS,    Nowhere,   Ends,     SOCKETS => result;

    inotify_init:    inotify::inotify_init,     Other,  EVENTS,    Nowhere,   Ends,     SOCKETS => result;
    inotify_init1:   inotify::inotify_init1,    Other,  EVENTS,    Nowhere,   Ends,     SOCKETS => result;
    inotify_add_watch: inotify::inotify_add_watch, Fd,  WATCH,     Nowhere,   Ends,     DESCRIPTORS => result;
    inotify_rm_watch: inotify::inotify_rm_watch, Fd,    NEVER,     Nowhere,   Ends,     DESCRIPTORS => result;

    timerfd_create:  timerfd::timerfd_create,   Other,  EVENTS,    Nowhere,   Ends,     SOCKETS => result;
    timerfd_settime: timerfd::timerfd_settime,  Fd,     NEVER,     Nowhere, Ends, DESCRIPTORS | FED => result;
    timerfd_gettime: timerfd::timerfd_gettime,  Fd,     NEVER,     Nowhere, Ends, DESCRIPTORS | FED => result;

    signalfd:        signalfd::signalfd,        Fd,     EVENTS,    Nowhere,   Ends,     SOCKETS => result;
    signalfd4:       signalfd::signalfd4,       Fd,     EVENTS,    Nowhere,   Ends,     SOCKETS => result;

    epoll_create:    epoll::epoll_create,       Other,  EVENTS,    Nowhere,   Ends,     SOCKETS => result;
    epoll_create1:   epoll::epoll_create1,      Other,  EVENTS,    Nowhere,   Ends,     SOCKETS => result;
    epoll_ctl:       epoll::epoll_ctl,          Fd,     EPOLL_CTL, Nowhere,   Ends,     SOCKETS => epoll_ctl;
    epoll_wait:      epoll::epoll_wait,         Fd,     SELECT,    Nowhere,   Ends,     WAITS => epoll_wait;
    epoll_pwait:     epoll::epoll_pwait,        Fd,     SELECT,    Nowhere,   Ends,     WAITS => epoll_wait;
    epoll_pwait2:    epoll::epoll_pwait2,       Fd,     SELECT,    Nowhere,   Ends,     WAITS => epoll_wait;

    poll:            poll::poll,                Other,  SELECT,    Nowhere,   Ends,     WAITS => poll;
    ppoll:           poll::ppoll,               Other,  SELECT,    Nowhere,   Ends,     WAITS => ppoll;
    select:          poll::select::select,      Other,  SELECT,    Nowhere,   Ends,     WAITS => select;
    pselect6:        poll::select::pselect6,    Other,  SELECT,    Nowhere,   Ends,     WAITS => pselect6;

    // The process and the machine.
    mmap:            memory::mmap,              Other,  MMAP,      Nowhere,   Ends,     UNSEEN;
    munmap:          memory::munmap,            Other,  NEVER,     Nowhere,   Ends,     UNSEEN;
    mprotect:        memory::mprotect,          Other,  NEVER,     Nowhere,   Ends,     UNSEEN;
    mremap:          memory::mremap,            Other,  MREMAP,    Nowhere,   Ends,     UNSEEN;
    msync:           memory::msync,             Other,  NEVER,     Sync,      Ends,     UNSEEN;
    madvise:         memory::madvise,           Other,  NEVER,     Nowhere,   Ends,     UNSEEN;
    mincore:         memory::mincore,           Other,  NEVER,     Nowhere,   Ends,     UNSEEN;
    brk:             memory::brk,               Other,  NEVER,     Nowhere,   Ends,     SILENT;

    clock_gettime:   time::clock_gettime,       Other, NEVER, Nowhere, Ends, CLOCKS | SILENT => clock_gettime;
    clock_getres:    time::clock_getres,        Other,  NEVER,     Nowhere,   Ends,     UNSEEN;
    clock_settime:   time::clock_settime,       Other,  NEVER,     Nowhere,   Ends,     UNSEEN;
    gettimeofday:    time::gettimeofday,        Other,  NEVER,     Nowhere,   Ends,    CLOCKS => gettimeofday;
    settimeofday:    time::settimeofday,        Other,  NEVER,     Nowhere,   Ends,     UNSEEN;
    time:            time::time,                Other,  NEVER,     Nowhere,   Ends,     CLOCKS => time;
    nanosleep:       time::nanosleep,           Other,  NEVER,     Nowhere,   Ends,     SLEEPS => nanosleep;
    clock_nanosleep: time::clock_nanosleep,     Other,  NEVER,     Nowhere,   Ends, SLEEPS => clock_nanosleep;
    times:           time::times,               Other,  NEVER,     Nowhere,   Ends,     CLOCKS => times;
    getrusage:       time::getrusage,           Other,  NEVER,     Nowhere,   Ends,     CLOCKS => getrusage;
    setitimer:       time::setitimer,           Other,  NEVER,     Nowhere,   Ends,     SIGNALS => setitimer;
    getitimer:       time::getitimer,           Other,  NEVER,     Nowhere,   Ends,     CLOCKS => getitimer;
    alarm:           time::alarm,               Other,  NEVER,     Nowhere,   Ends,     SIGNALS => result;
    timer_create:    time::timer::timer_create, Other,  NEVER,     Nowhere,   Ends,     UNSEEN;
    timer_settime:   time::timer::timer_settime, Other, NEVER,     Nowhere,   Ends,     UNSEEN;
    timer_gettime:   time::timer::timer_gettime, Other, NEVER,     Nowhere,   Ends,     UNSEEN;
    timer_getoverrun: time::timer::timer_getoverrun, Other, NEVER, Nowhere,   Ends,     UNSEEN;
    timer_delete:    time::timer::timer_delete, Other,  NEVER,     Nowhere,   Ends,     UNSEEN;

    getpid:          identity::getpid,          Other,  NEVER,     Nowhere,   Ends,     UNSEEN;
    gettid:          identity::gettid,          Other,  NEVER,     Nowhere,   Ends,     UNSEEN;
    getppid:         identity::getppid,         Other,  NEVER,     Nowhere,   Ends,     UNSEEN;
    getuid:          identity::getuid,          Other,  NEVER,     Nowhere,   Ends,     UNSEEN;
    geteuid:         identity::geteuid,         Other,  NEVER,     Nowhere,   Ends,     UNSEEN;
    getgid:          identity::getgid,          Other,  NEVER,     Nowhere,   Ends,     UNSEEN;
    getegid:         identity::getegid,         Other,  NEVER,     Nowhere,   Ends,     UNSEEN;
    setuid:          identity::setuid,          Other,  IDENTITY,  Nowhere,   Ends,     UNSEEN;
    setgid:          identity::setgid,          Other,  NEVER,     Nowhere,   Ends,     UNSEEN;
    setreuid:        identity::setreuid,        Other,  IDENTITY,  Nowhere,   Ends,     UNSEEN;
    setregid:        identity::setregid,        Other,  NEVER,     Nowhere,   Ends,     UNSEEN;
    setresuid:       identity::setresuid,       Other,  IDENTITY,  Nowhere,   Ends,     UNSEEN;
    setresgid:       identity::setresgid,       Other,  NEVER,     Nowhere,   Ends,     UNSEEN;
    getresuid:       identity::getresuid,       Other,  NEVER,     Nowhere,   Ends,     UNSEEN;
    getresgid:       identity::getresgid,       Other,  NEVER,     Nowhere,   Ends,     UNSEEN;
    setfsuid:        identity::setfsuid,        Other,  NEVER,     Nowhere,   Ends,     UNSEEN;
    setfsgid:        identity::setfsgid,        Other,  NEVER,     Nowhere,   Ends,     UNSEEN;
    getgroups:       identity::getgroups,       Other,  NEVER,     Nowhere,   Ends,     UNSEEN;
    setgroups:       identity::setgroups,       Other,  NEVER,     Nowhere,   Ends,     UNSEEN;
    getpgrp:         identity::getpgrp,         Other,  NEVER,     Nowhere,   Ends,     UNSEEN;
    getpgid:         identity::getpgid,         Other,  NEVER,     Nowhere,   Ends,     UNSEEN;
    setpgid:         identity::setpgid,         Other,  NEVER,     Nowhere,   Ends,     UNSEEN;
    getsid:          identity::getsid,          Other,  NEVER,     Nowhere,   Ends,     UNSEEN;
    setsid:          identity::setsid,          Other,  NEVER,     Nowhere,   Ends,     UNSEEN;
    capget:          identity::capget,          Other,  NEVER,     Nowhere,   Ends,     UNSEEN;
    capset:          identity::capset,          Other,  NEVER,     Nowhere,   Ends,     UNSEEN;

    getrlimit:       limits::getrlimit,         Other,  NEVER,     Nowhere,   Ends,     UNSEEN;
    setrlimit:       limits::setrlimit,         Other,  NEVER,     Nowhere,   Ends,     UNSEEN;
    prlimit64:       limits::prlimit64,         Other,  NEVER,     Nowhere,   Ends,     UNSEEN;

    getrandom:       random::getrandom,         Other,  NEVER,     Nowhere,   Restarts, CHANCE => getrandom;

    uname:           system::uname,             Other,  NEVER,     Nowhere,   Ends,     UNSEEN;
    sethostname:     system::sethostname,       Other,  NEVER,     Nowhere,   Ends,     UNSEEN;
    setdomainname:   system::setdomainname,     Other,  NEVER,     Nowhere,   Ends,     UNSEEN;
    sysinfo:         system::sysinfo,           Other,  NEVER,     Nowhere,   Ends,     UNSEEN;
    sched_getaffinity: system::sched_getaffinity, Other, NEVER,    Nowhere,   Ends,     UNSEEN;
    sched_setaffinity: system::sched_setaffinity, Other, NEVER,    Nowhere,   Ends,     UNSEEN;
    getcpu:          system::getcpu,            Other,  NEVER,     Nowhere,   Ends,     UNSEEN;
    sched_getscheduler: system::sched_getscheduler, Other, NEVER,  Nowhere,   Ends,     UNSEEN;
    sched_setscheduler: system::sched_setscheduler, Other, NEVER,  Nowhere,   Ends,     UNSEEN;
    sched_getparam:  system::sched_getparam,    Other,  NEVER,     Nowhere,   Ends,     UNSEEN;
    sched_setparam:  system::sched_setparam,    Other,  NEVER,     Nowhere,   Ends,     UNSEEN;
    sched_get_priority_max: system::sched_get_priority_max, Other, NEVER, Nowhere, Ends, UNSEEN;
    sched_get_priority_min: system::sched_get_priority_min, Other, NEVER, Nowhere, Ends, UNSEEN;
    sched_rr_get_interval: system::sched_rr_get_interval, Other, NEVER, Nowhere, Ends,  UNSEEN;
    getpriority:     system::getpriority,       Other,  NEVER,     Nowhere,   Ends,     UNSEEN;
    setpriority:     system::setpriority,       Other,  NEVER,     Nowhere,   Ends,     UNSEEN;
    syslog:          system::syslog,            Other,  NEVER,     Nowhere,   Ends,     UNSEEN;
    personality:     system::personality,       Other,  NEVER,     Nowhere,   Ends,     UNSEEN;
    arch_prctl:      system::arch_prctl,        Other,  NEVER,     Nowhere,   Ends,     UNSEEN;
    prctl:           system::prctl::prctl,      Other,  NEVER,     Nowhere,   Ends,     UNSEEN;
    mlock:           system::mlock,             Other,  NEVER,     Nowhere,   Ends,     UNSEEN;
    mlock2:          system::mlock,             Other,  NEVER,     Nowhere,   Ends,     UNSEEN;
    munlock:         system::mlock,             Other,  NEVER,     Nowhere,   Ends,     UNSEEN;
    mlockall:        system::nothing,           Other,  NEVER,     Nowhere,   Ends,     UNSEEN;
    munlockall:      system::nothing,           Other,  NEVER,     Nowhere,   Ends,     UNSEEN;
    shmget:          shared_memory::shmget,     Other,  IPC_MAKE,  Nowhere,   Ends,     UNSEEN;
    shmat:           shared_memory::shmat,      Other,  IPC_USE,   Nowhere,   Ends,     UNSEEN;
    shmdt:           shared_memory::shmdt,      Other,  NEVER,     Nowhere,   Ends,     UNSEEN;
    shmctl:          shared_memory::shmctl,     Other,  NEVER,     Nowhere,   Ends,     UNSEEN;
    semget:          semaphore::semget,         Other,  IPC_MAKE,  Nowhere,   Ends,     UNSEEN;
    semop:           semaphore::semop,          Other,  IPC_USE,   Nowhere,   Ends,     UNSEEN;
    semtimedop:      semaphore::semtimedop,     Other,  IPC_USE,   Nowhere,   Ends,     UNSEEN;
    semctl:          semaphore::semctl,         Other,  NEVER,     Nowhere,   Ends,     UNSEEN;
    msgget:          system_queue::msgget,      Other,  IPC_MAKE,  Nowhere,   Ends,     UNSEEN;
    msgsnd:          system_queue::msgsnd,      Other,  IPC_USE,   Nowhere,   Ends,     UNSEEN;
    msgrcv:          system_queue::msgrcv,      Other,  NEVER,     Nowhere,   Ends,     UNSEEN;
    msgctl:          system_queue::msgctl,      Other,  NEVER,     Nowhere,   Ends,     UNSEEN;
    mq_open:         posix_queue::mq_open,      Other,  QUEUE,     Nowhere,   Ends,     UNSEEN;
    mq_unlink:       posix_queue::mq_unlink,    Other,  NEVER,     Nowhere,   Ends,     UNSEEN;
    mq_timedsend:    posix_queue::mq_timedsend, Fd,     NEVER,     Nowhere,   Restarts, UNSEEN;
    mq_timedreceive: posix_queue::mq_timedreceive, Fd,  NEVER,     Nowhere,   Restarts, UNSEEN;
    mq_notify:       posix_queue::mq_notify,    Fd,     NEVER,     Nowhere,   Ends,     UNSEEN;
    mq_getsetattr:   posix_queue::mq_getsetattr, Fd,    NEVER,     Nowhere,   Ends,     UNSEEN;


    fork:            process::fork,             Other,  FORK,      Nowhere,   Ends,     PROCESSES => fork;
    vfork:           process::vfork,            Other,  FORK,      Nowhere,   Ends,     PROCESSES => fork;
    clone:           process::clone_call,       Other,  FORK,      Nowhere,   Ends,     PROCESSES => fork;
    exit:            process::exit,             Other,  NEVER,     Nowhere,   Ends,     UNSEEN;
    exit_group:      process::exit_group,       Other,  NEVER,     Nowhere,   Ends,     UNSEEN;
    wait4:           process::wait4,            Other,  NEVER,     Nowhere,   Restarts, PROCESSES => wait4;
    waitid:          process::waitid,           Other,  NEVER,     Nowhere,   Restarts, PROCESSES => waitid;
    set_tid_address: process::set_tid_address,  Other,  NEVER,     Nowhere,   Ends,     UNSEEN;
    sched_yield:     process::sched_yield,      Other,  NEVER,     Nowhere,   Ends,     SLEEPS => result;

    execve:          exec::execve,              Other,  EXECUTE,   Nowhere,   Ends,     UNSEEN;
    execveat:        exec::execveat,            Other,  EXECUTE,   Nowhere,   Ends,     UNSEEN;

    futex:           futex::futex,              Other,  NEVER,     Nowhere,   Restarts, SILENT;
    set_robust_list: futex::set_robust_list,    Other,  NEVER,     Nowhere,   Ends,     UNSEEN;
    get_robust_list: futex::get_robust_list,    Other,  NEVER,     Nowhere,   Ends,     UNSEEN;
    membarrier:      futex::membarrier,         Other,  NEVER,     Nowhere,   Ends,     UNSEEN;

    rt_sigaction:    signal::rt_sigaction,      Other,  NEVER,     Nowhere,   Ends,     UNSEEN;
    rt_sigprocmask:  signal::rt_sigprocmask,    Other,  NEVER,     Nowhere,   Ends,     SILENT;
    rt_sigpending:   signal::rt_sigpending,     Other,  NEVER,     Nowhere,   Ends,     UNSEEN;
    rt_sigsuspend:   signal::rt_sigsuspend,     Other,  NEVER,     Nowhere,   Ends,     SIGNALS => result;
    rt_sigtimedwait: signal::rt_sigtimedwait,   Other,  NEVER,     Nowhere,  Ends, SIGNALS => rt_sigtimedwait;
    rt_sigqueueinfo: signal::rt_sigqueueinfo,   Other,  NEVER,     Nowhere,   Ends,     SIGNALS => result;
    rt_tgsigqueueinfo: signal::rt_tgsigqueueinfo, Other, NEVER,    Nowhere,   Ends,     UNSEEN;
    sigaltstack:     signal::sigaltstack,       Other,  NEVER,     Nowhere,   Ends,     UNSEEN;
    pause:           signal::pause,             Other,  NEVER,     Nowhere,   Ends,     SIGNALS => result;
    kill:            signal::kill,              Other,  NEVER,     Nowhere,   Ends,     SIGNALS => first_two;
    tkill:           signal::tkill,             Other,  NEVER,     Nowhere,   Ends,     SIGNALS => first_two;
    tgkill:          signal::tgkill,            Other,  NEVER,     Nowhere,   Ends,     SIGNALS => others;
    }};
}

pub(crate) use each_system_call;
