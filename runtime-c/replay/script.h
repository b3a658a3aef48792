/* Format of scripts, generated from crates/replay/src/script: see there. */
#ifndef EVERETT_SCRIPT_H
#define EVERETT_SCRIPT_H

#include <stdint.h>

#define EVERETT_SCRIPT_MAGIC "EVRTSCRP"
#define EVERETT_SCRIPT_VERSION 3
#define EVERETT_SCRIPT_TEXT_BYTES 4096
#define EVERETT_NONE 0xffffffffu

struct everett_header {
  uint8_t magic[8]; /* "EVRTSCRP" */
  uint32_t version; /* version of the format */
  uint32_t nodes; /* number of nodes */
  uint32_t threads; /* number of threads */
  uint32_t events; /* number of events */
  uint64_t nodes_at; /* offset of the nodes */
  uint64_t threads_at; /* offset of the threads */
  uint64_t events_at; /* offset of the events */
  uint64_t data_at; /* offset of the data */
  uint64_t file_bytes; /* size of the file */
  uint64_t text_at; /* offset of the text for the first difference */
  uint32_t text_bytes; /* its size */
  uint8_t unused_76[52];
  uint32_t head; /* changes: index of the next event; threads wait on it */
  uint32_t state; /* changes: 0 running, 1 done, 2 diverged */
  uint32_t live; /* changes: threads that live */
  uint32_t waiting; /* changes: threads that wait */
  uint32_t guard; /* changes: taken by the one that writes the text */
  uint8_t unused_148[12];
  uint32_t own[24]; /* changes: for the library */
};
_Static_assert(sizeof(struct everett_header) == 256, "layout");

struct everett_node {
  uint64_t name_at; /* offset of its name, which ends with 0 */
  uint64_t addresses_at; /* offset of its addresses: 4 bytes real, 4 on loopback, 16 of IPv6 or zeros */
  uint32_t name_bytes; /* length of its name */
  uint32_t addresses; /* number of its addresses */
  uint32_t first_thread; /* its first thread */
  uint8_t unused_28[36];
};
_Static_assert(sizeof(struct everett_node) == 64, "layout");

struct everett_thread {
  uint32_t node; /* its node */
  uint32_t process; /* first thread of its process */
  uint32_t pid; /* number of the process, as the program sees it */
  uint32_t tid; /* number of the thread, as the program sees it */
  uint32_t parent_pid; /* number of the parent process */
  uint32_t maker; /* the thread that made it, or NONE */
  uint32_t boot; /* how often the node was started before */
  uint8_t unused_28[4];
  uint32_t native_pid; /* changes: the native process */
  uint32_t native_tid; /* changes: the native thread */
  uint32_t state; /* changes: for the library */
  uint32_t api; /* changes: the function that it is in */
  uint32_t own[12]; /* changes: for the library, 48 bytes */
};
_Static_assert(sizeof(struct everett_thread) == 96, "layout");

struct everett_event {
  uint32_t thread; /* thread */
  uint16_t api; /* function */
  uint16_t flags; /* flags */
  int64_t result; /* what the call returns, or -1 */
  int32_t error; /* error number, or 0 */
  int32_t fd; /* descriptor, or -1 */
  int64_t realtime_ns; /* CLOCK_REALTIME of the node after the call */
  int64_t monotonic_ns; /* CLOCK_MONOTONIC of the node after the call */
  uint64_t aux[4]; /* further numbers: 4 words of 8 bytes */
  uint64_t data_at; /* offset of its data */
  uint64_t data2_at; /* offset of more data */
  uint64_t site_at; /* offset of its place in the program, which ends with 0 */
  uint32_t data_bytes; /* length of its data */
  uint32_t data2_bytes; /* length of more data */
  uint32_t site_bytes; /* length of its place */
  uint32_t ordinal; /* which call, of a fault or preemption */
  uint32_t partner; /* event that belongs to it, or NONE */
  uint32_t unwritten_bytes; /* length of the list of its data that the program has never written */
  uint64_t unwritten_at; /* offset of that list: pairs of 4 bytes, from where and how many */
};
_Static_assert(sizeof(struct everett_event) == 128, "layout");

enum everett_flags {
  EVERETT_BLOCKS = 1,
  EVERETT_RETURN = 2,
  EVERETT_FED = 4,
  EVERETT_LOCAL = 8,
  EVERETT_DUPLICATE = 16,
  EVERETT_DAMAGED = 32,
  EVERETT_PAUSES = 64,
  EVERETT_PEEK = 128,
  EVERETT_DATAGRAM = 256,
  EVERETT_WITHIN = 512,
  EVERETT_NONBLOCK = 1024,
  EVERETT_REFUSED = 2048,
  EVERETT_MORE = 4096,
  EVERETT_BEFORE = 8192,
};

enum everett_api {
  EVERETT_START = 1,
  EVERETT_EXIT = 2,
  EVERETT_THREAD_EXIT = 3,
  EVERETT_PREEMPT = 4,
  EVERETT_PAUSE = 5,
  EVERETT_SIGNAL = 6,
  EVERETT_NODE_CRASH = 7,
  EVERETT_RESTART = 8,
  EVERETT_RACE = 9,
  EVERETT_API_socket = 20,
  EVERETT_API_socketpair = 21,
  EVERETT_API_bind = 22,
  EVERETT_API_listen = 23,
  EVERETT_API_accept = 24,
  EVERETT_API_accept4 = 25,
  EVERETT_API_connect = 26,
  EVERETT_API_shutdown = 27,
  EVERETT_API_getsockname = 28,
  EVERETT_API_getpeername = 29,
  EVERETT_API_getsockopt = 30,
  EVERETT_API_setsockopt = 31,
  EVERETT_API_send = 32,
  EVERETT_API_sendto = 33,
  EVERETT_API_sendmsg = 34,
  EVERETT_API_sendmmsg = 35,
  EVERETT_API_recv = 36,
  EVERETT_API_recvfrom = 37,
  EVERETT_API_recvmsg = 38,
  EVERETT_API_recvmmsg = 39,
  EVERETT_API_sockatmark = 40,
  EVERETT_API_read = 60,
  EVERETT_API_write = 61,
  EVERETT_API_readv = 62,
  EVERETT_API_writev = 63,
  EVERETT_API_close = 64,
  EVERETT_API_dup = 65,
  EVERETT_API_dup2 = 66,
  EVERETT_API_dup3 = 67,
  EVERETT_API_fcntl = 68,
  EVERETT_API_ioctl = 69,
  EVERETT_API_pipe = 70,
  EVERETT_API_pipe2 = 71,
  EVERETT_API_sendfile = 72,
  EVERETT_API_splice = 73,
  EVERETT_API_eventfd = 74,
  EVERETT_API_eventfd_read = 75,
  EVERETT_API_eventfd_write = 76,
  EVERETT_API_timerfd_create = 77,
  EVERETT_API_timerfd_settime = 78,
  EVERETT_API_timerfd_gettime = 79,
  EVERETT_API_signalfd = 80,
  EVERETT_API_poll = 100,
  EVERETT_API_ppoll = 101,
  EVERETT_API_select = 102,
  EVERETT_API_pselect = 103,
  EVERETT_API_epoll_create = 104,
  EVERETT_API_epoll_create1 = 105,
  EVERETT_API_epoll_ctl = 106,
  EVERETT_API_epoll_wait = 107,
  EVERETT_API_epoll_pwait = 108,
  EVERETT_API_clock_gettime = 120,
  EVERETT_API_gettimeofday = 121,
  EVERETT_API_time = 122,
  EVERETT_API_clock = 123,
  EVERETT_API_times = 124,
  EVERETT_API_timespec_get = 125,
  EVERETT_API_ftime = 126,
  EVERETT_API_getrusage = 127,
  EVERETT_API_sleep = 140,
  EVERETT_API_usleep = 141,
  EVERETT_API_nanosleep = 142,
  EVERETT_API_clock_nanosleep = 143,
  EVERETT_API_thrd_sleep = 144,
  EVERETT_API_sched_yield = 145,
  EVERETT_API_alarm = 146,
  EVERETT_API_setitimer = 147,
  EVERETT_API_getitimer = 148,
  EVERETT_API_getrandom = 160,
  EVERETT_API_getentropy = 161,
  EVERETT_API_arc4random = 162,
  EVERETT_API_arc4random_buf = 163,
  EVERETT_API_arc4random_uniform = 164,
  EVERETT_API_rand = 165,
  EVERETT_API_rand_r = 166,
  EVERETT_API_random = 167,
  EVERETT_API_random_r = 168,
  EVERETT_API_drand48 = 169,
  EVERETT_API_erand48 = 170,
  EVERETT_API_lrand48 = 171,
  EVERETT_API_nrand48 = 172,
  EVERETT_API_mrand48 = 173,
  EVERETT_API_jrand48 = 174,
  EVERETT_API_drand48_r = 175,
  EVERETT_API_lrand48_r = 176,
  EVERETT_API_mrand48_r = 177,
  EVERETT_API_fork = 180,
  EVERETT_API_vfork = 181,
  EVERETT_API_wait = 182,
  EVERETT_API_waitpid = 183,
  EVERETT_API_wait3 = 184,
  EVERETT_API_wait4 = 185,
  EVERETT_API_waitid = 186,
  EVERETT_API_kill = 187,
  EVERETT_API_killpg = 188,
  EVERETT_API_execve = 189,
  EVERETT_API_posix_spawn = 190,
  EVERETT_API_pause = 191,
  EVERETT_API_sigsuspend = 192,
  EVERETT_API_sigwait = 193,
  EVERETT_API_sigwaitinfo = 194,
  EVERETT_API_sigtimedwait = 195,
  EVERETT_API_raise = 196,
  EVERETT_API_pthread_kill = 197,
  EVERETT_API_sigqueue = 198,
  EVERETT_API_system = 199,
  EVERETT_API_popen = 200,
  EVERETT_API_pclose = 201,
  EVERETT_API_daemon = 202,
  EVERETT_API_pthread_create = 220,
  EVERETT_API_pthread_join = 221,
  EVERETT_API_pthread_mutex_lock = 222,
  EVERETT_API_pthread_mutex_timedlock = 223,
  EVERETT_API_pthread_mutex_trylock = 224,
  EVERETT_API_pthread_mutex_unlock = 225,
  EVERETT_API_pthread_cond_wait = 226,
  EVERETT_API_pthread_cond_timedwait = 227,
  EVERETT_API_pthread_cond_signal = 228,
  EVERETT_API_pthread_cond_broadcast = 229,
  EVERETT_API_pthread_rwlock_rdlock = 230,
  EVERETT_API_pthread_rwlock_timedrdlock = 231,
  EVERETT_API_pthread_rwlock_tryrdlock = 232,
  EVERETT_API_pthread_rwlock_wrlock = 233,
  EVERETT_API_pthread_rwlock_timedwrlock = 234,
  EVERETT_API_pthread_rwlock_trywrlock = 235,
  EVERETT_API_pthread_rwlock_unlock = 236,
  EVERETT_API_pthread_barrier_wait = 237,
  EVERETT_API_pthread_spin_lock = 238,
  EVERETT_API_pthread_spin_trylock = 239,
  EVERETT_API_pthread_spin_unlock = 240,
  EVERETT_API_pthread_once = 241,
  EVERETT_API_sem_wait = 242,
  EVERETT_API_sem_timedwait = 243,
  EVERETT_API_sem_trywait = 244,
  EVERETT_API_sem_post = 245,
  EVERETT_API_klee_invariant_expose_data = 260,
  EVERETT_API_klee_make_symbolic = 261,
  EVERETT_API_klee_net_add_network = 270,
  EVERETT_API_klee_net_add_router = 271,
  EVERETT_API_klee_net_add_interface = 272,
  EVERETT_API_klee_net_add_ipv4_address = 273,
  EVERETT_API_klee_net_add_route = 274,
  EVERETT_API_klee_net_host_setup = 275,
  EVERETT_API_klee_net_event_put = 276,
  EVERETT_API_klee_net_will_get_events = 277,
  EVERETT_API_klee_net_has_pending_events = 278,
  EVERETT_API_klee_net_events_get = 279,
  EVERETT_API_klee_net_event_remove = 280,
  EVERETT_API_klee_net_event_data_alloc = 281,
  EVERETT_API_malloc = 300,
  EVERETT_API_calloc = 301,
  EVERETT_API_realloc = 302,
  EVERETT_API_reallocarray = 303,
  EVERETT_API_posix_memalign = 304,
  EVERETT_API_aligned_alloc = 305,
  EVERETT_API_memalign = 306,
  EVERETT_API_valloc = 307,
  EVERETT_API_strdup = 308,
  EVERETT_API_strndup = 309,
  EVERETT_API_asprintf = 310,
  EVERETT_API_vasprintf = 311,
  EVERETT_API_mmap = 312,
  EVERETT_API_open = 340,
  EVERETT_API_openat = 341,
  EVERETT_API_creat = 342,
  EVERETT_API_pread = 343,
  EVERETT_API_pwrite = 344,
  EVERETT_API_preadv = 345,
  EVERETT_API_pwritev = 346,
  EVERETT_API_lseek = 347,
  EVERETT_API_fsync = 348,
  EVERETT_API_fdatasync = 349,
  EVERETT_API_sync = 350,
  EVERETT_API_syncfs = 351,
  EVERETT_API_truncate = 352,
  EVERETT_API_ftruncate = 353,
  EVERETT_API_fallocate = 354,
  EVERETT_API_posix_fallocate = 355,
  EVERETT_API_flock = 356,
  EVERETT_API_lockf = 357,
  EVERETT_API_stat = 358,
  EVERETT_API_fstat = 359,
  EVERETT_API_lstat = 360,
  EVERETT_API_fstatat = 361,
  EVERETT_API_statvfs = 362,
  EVERETT_API_fstatvfs = 363,
  EVERETT_API_access = 364,
  EVERETT_API_faccessat = 365,
  EVERETT_API_chmod = 366,
  EVERETT_API_fchmod = 367,
  EVERETT_API_fchmodat = 368,
  EVERETT_API_chown = 369,
  EVERETT_API_fchown = 370,
  EVERETT_API_lchown = 371,
  EVERETT_API_fchownat = 372,
  EVERETT_API_utime = 373,
  EVERETT_API_utimes = 374,
  EVERETT_API_utimensat = 375,
  EVERETT_API_futimens = 376,
  EVERETT_API_rename = 377,
  EVERETT_API_renameat = 378,
  EVERETT_API_link = 379,
  EVERETT_API_linkat = 380,
  EVERETT_API_symlink = 381,
  EVERETT_API_symlinkat = 382,
  EVERETT_API_unlink = 383,
  EVERETT_API_unlinkat = 384,
  EVERETT_API_remove = 385,
  EVERETT_API_mkdir = 386,
  EVERETT_API_mkdirat = 387,
  EVERETT_API_rmdir = 388,
  EVERETT_API_mkfifo = 389,
  EVERETT_API_mknod = 390,
  EVERETT_API_readlink = 391,
  EVERETT_API_readlinkat = 392,
  EVERETT_API_chdir = 393,
  EVERETT_API_fchdir = 394,
  EVERETT_API_getcwd = 395,
  EVERETT_API_opendir = 396,
  EVERETT_API_fdopendir = 397,
  EVERETT_API_readdir = 398,
  EVERETT_API_closedir = 399,
  EVERETT_API_mkstemp = 400,
  EVERETT_API_mkdtemp = 401,
  EVERETT_API_msync = 402,
  EVERETT_API_statx = 403,
  EVERETT_API_statfs = 404,
  EVERETT_API_fstatfs = 405,
  EVERETT_API_copy_file_range = 406,
  EVERETT_API_getrlimit = 420,
  EVERETT_API_setrlimit = 421,
  EVERETT_API_sysconf = 422,
  EVERETT_API_getdtablesize = 423,
  EVERETT_API_fopen = 440,
  EVERETT_API_freopen = 441,
  EVERETT_API_fdopen = 442,
  EVERETT_API_fclose = 443,
  EVERETT_API_fflush = 444,
  EVERETT_API_fread = 445,
  EVERETT_API_fwrite = 446,
  EVERETT_API_fgets = 447,
  EVERETT_API_fgetc = 448,
  EVERETT_API_getline = 449,
  EVERETT_API_fputs = 450,
  EVERETT_API_fputc = 451,
  EVERETT_API_fprintf = 452,
  EVERETT_API_printf = 453,
  EVERETT_API_puts = 454,
  EVERETT_API_putchar = 455,
  EVERETT_API_fseek = 456,
  EVERETT_API_fscanf = 457,
  EVERETT_API_dprintf = 458,
  EVERETT_API_perror = 459,
  EVERETT_API_ftell = 460,
  EVERETT_API_rewind = 461,
  EVERETT_API_getchar = 462,
  EVERETT_API_scanf = 463,
};

/* X(number, name, kind) */
#define EVERETT_APIS(X) \
  X(20, socket, EVERETT_KIND_SOCKET) \
  X(21, socketpair, EVERETT_KIND_SOCKET) \
  X(22, bind, EVERETT_KIND_SOCKET) \
  X(23, listen, EVERETT_KIND_SOCKET) \
  X(24, accept, EVERETT_KIND_SOCKET) \
  X(25, accept4, EVERETT_KIND_SOCKET) \
  X(26, connect, EVERETT_KIND_SOCKET) \
  X(27, shutdown, EVERETT_KIND_SOCKET) \
  X(28, getsockname, EVERETT_KIND_SOCKET) \
  X(29, getpeername, EVERETT_KIND_SOCKET) \
  X(30, getsockopt, EVERETT_KIND_SOCKET) \
  X(31, setsockopt, EVERETT_KIND_SOCKET) \
  X(32, send, EVERETT_KIND_SOCKET) \
  X(33, sendto, EVERETT_KIND_SOCKET) \
  X(34, sendmsg, EVERETT_KIND_SOCKET) \
  X(35, sendmmsg, EVERETT_KIND_SOCKET) \
  X(36, recv, EVERETT_KIND_SOCKET) \
  X(37, recvfrom, EVERETT_KIND_SOCKET) \
  X(38, recvmsg, EVERETT_KIND_SOCKET) \
  X(39, recvmmsg, EVERETT_KIND_SOCKET) \
  X(40, sockatmark, EVERETT_KIND_SOCKET) \
  X(60, read, EVERETT_KIND_DESCRIPTOR) \
  X(61, write, EVERETT_KIND_DESCRIPTOR) \
  X(62, readv, EVERETT_KIND_DESCRIPTOR) \
  X(63, writev, EVERETT_KIND_DESCRIPTOR) \
  X(64, close, EVERETT_KIND_DESCRIPTOR) \
  X(65, dup, EVERETT_KIND_DESCRIPTOR) \
  X(66, dup2, EVERETT_KIND_DESCRIPTOR) \
  X(67, dup3, EVERETT_KIND_DESCRIPTOR) \
  X(68, fcntl, EVERETT_KIND_DESCRIPTOR) \
  X(69, ioctl, EVERETT_KIND_DESCRIPTOR) \
  X(70, pipe, EVERETT_KIND_SOCKET) \
  X(71, pipe2, EVERETT_KIND_SOCKET) \
  X(72, sendfile, EVERETT_KIND_DESCRIPTOR) \
  X(73, splice, EVERETT_KIND_DESCRIPTOR) \
  X(74, eventfd, EVERETT_KIND_SOCKET) \
  X(75, eventfd_read, EVERETT_KIND_DESCRIPTOR) \
  X(76, eventfd_write, EVERETT_KIND_DESCRIPTOR) \
  X(77, timerfd_create, EVERETT_KIND_SOCKET) \
  X(78, timerfd_settime, EVERETT_KIND_DESCRIPTOR) \
  X(79, timerfd_gettime, EVERETT_KIND_DESCRIPTOR) \
  X(80, signalfd, EVERETT_KIND_SOCKET) \
  X(100, poll, EVERETT_KIND_WAIT) \
  X(101, ppoll, EVERETT_KIND_WAIT) \
  X(102, select, EVERETT_KIND_WAIT) \
  X(103, pselect, EVERETT_KIND_WAIT) \
  X(104, epoll_create, EVERETT_KIND_SOCKET) \
  X(105, epoll_create1, EVERETT_KIND_SOCKET) \
  X(106, epoll_ctl, EVERETT_KIND_SOCKET) \
  X(107, epoll_wait, EVERETT_KIND_WAIT) \
  X(108, epoll_pwait, EVERETT_KIND_WAIT) \
  X(120, clock_gettime, EVERETT_KIND_CLOCK) \
  X(121, gettimeofday, EVERETT_KIND_CLOCK) \
  X(122, time, EVERETT_KIND_CLOCK) \
  X(123, clock, EVERETT_KIND_CLOCK) \
  X(124, times, EVERETT_KIND_CLOCK) \
  X(125, timespec_get, EVERETT_KIND_CLOCK) \
  X(126, ftime, EVERETT_KIND_CLOCK) \
  X(127, getrusage, EVERETT_KIND_CLOCK) \
  X(140, sleep, EVERETT_KIND_SLEEP) \
  X(141, usleep, EVERETT_KIND_SLEEP) \
  X(142, nanosleep, EVERETT_KIND_SLEEP) \
  X(143, clock_nanosleep, EVERETT_KIND_SLEEP) \
  X(144, thrd_sleep, EVERETT_KIND_SLEEP) \
  X(145, sched_yield, EVERETT_KIND_SLEEP) \
  X(146, alarm, EVERETT_KIND_PROCESS) \
  X(147, setitimer, EVERETT_KIND_PROCESS) \
  X(148, getitimer, EVERETT_KIND_CLOCK) \
  X(160, getrandom, EVERETT_KIND_RANDOM) \
  X(161, getentropy, EVERETT_KIND_RANDOM) \
  X(162, arc4random, EVERETT_KIND_RANDOM) \
  X(163, arc4random_buf, EVERETT_KIND_RANDOM) \
  X(164, arc4random_uniform, EVERETT_KIND_RANDOM) \
  X(165, rand, EVERETT_KIND_LOCAL) \
  X(166, rand_r, EVERETT_KIND_LOCAL) \
  X(167, random, EVERETT_KIND_LOCAL) \
  X(168, random_r, EVERETT_KIND_LOCAL) \
  X(169, drand48, EVERETT_KIND_LOCAL) \
  X(170, erand48, EVERETT_KIND_LOCAL) \
  X(171, lrand48, EVERETT_KIND_LOCAL) \
  X(172, nrand48, EVERETT_KIND_LOCAL) \
  X(173, mrand48, EVERETT_KIND_LOCAL) \
  X(174, jrand48, EVERETT_KIND_LOCAL) \
  X(175, drand48_r, EVERETT_KIND_LOCAL) \
  X(176, lrand48_r, EVERETT_KIND_LOCAL) \
  X(177, mrand48_r, EVERETT_KIND_LOCAL) \
  X(180, fork, EVERETT_KIND_PROCESS) \
  X(181, vfork, EVERETT_KIND_PROCESS) \
  X(182, wait, EVERETT_KIND_PROCESS) \
  X(183, waitpid, EVERETT_KIND_PROCESS) \
  X(184, wait3, EVERETT_KIND_PROCESS) \
  X(185, wait4, EVERETT_KIND_PROCESS) \
  X(186, waitid, EVERETT_KIND_PROCESS) \
  X(187, kill, EVERETT_KIND_PROCESS) \
  X(188, killpg, EVERETT_KIND_PROCESS) \
  X(189, execve, EVERETT_KIND_PROCESS) \
  X(190, posix_spawn, EVERETT_KIND_PROCESS) \
  X(191, pause, EVERETT_KIND_PROCESS) \
  X(192, sigsuspend, EVERETT_KIND_PROCESS) \
  X(193, sigwait, EVERETT_KIND_PROCESS) \
  X(194, sigwaitinfo, EVERETT_KIND_PROCESS) \
  X(195, sigtimedwait, EVERETT_KIND_PROCESS) \
  X(196, raise, EVERETT_KIND_PROCESS) \
  X(197, pthread_kill, EVERETT_KIND_PROCESS) \
  X(198, sigqueue, EVERETT_KIND_PROCESS) \
  X(199, system, EVERETT_KIND_PROCESS) \
  X(200, popen, EVERETT_KIND_PROCESS) \
  X(201, pclose, EVERETT_KIND_PROCESS) \
  X(202, daemon, EVERETT_KIND_PROCESS) \
  X(220, pthread_create, EVERETT_KIND_THREAD) \
  X(221, pthread_join, EVERETT_KIND_SYNC) \
  X(222, pthread_mutex_lock, EVERETT_KIND_SYNC) \
  X(223, pthread_mutex_timedlock, EVERETT_KIND_SYNC) \
  X(224, pthread_mutex_trylock, EVERETT_KIND_SYNC) \
  X(225, pthread_mutex_unlock, EVERETT_KIND_SYNC) \
  X(226, pthread_cond_wait, EVERETT_KIND_SYNC) \
  X(227, pthread_cond_timedwait, EVERETT_KIND_SYNC) \
  X(228, pthread_cond_signal, EVERETT_KIND_SYNC) \
  X(229, pthread_cond_broadcast, EVERETT_KIND_SYNC) \
  X(230, pthread_rwlock_rdlock, EVERETT_KIND_SYNC) \
  X(231, pthread_rwlock_timedrdlock, EVERETT_KIND_SYNC) \
  X(232, pthread_rwlock_tryrdlock, EVERETT_KIND_SYNC) \
  X(233, pthread_rwlock_wrlock, EVERETT_KIND_SYNC) \
  X(234, pthread_rwlock_timedwrlock, EVERETT_KIND_SYNC) \
  X(235, pthread_rwlock_trywrlock, EVERETT_KIND_SYNC) \
  X(236, pthread_rwlock_unlock, EVERETT_KIND_SYNC) \
  X(237, pthread_barrier_wait, EVERETT_KIND_SYNC) \
  X(238, pthread_spin_lock, EVERETT_KIND_SYNC) \
  X(239, pthread_spin_trylock, EVERETT_KIND_SYNC) \
  X(240, pthread_spin_unlock, EVERETT_KIND_SYNC) \
  X(241, pthread_once, EVERETT_KIND_SYNC) \
  X(242, sem_wait, EVERETT_KIND_SYNC) \
  X(243, sem_timedwait, EVERETT_KIND_SYNC) \
  X(244, sem_trywait, EVERETT_KIND_SYNC) \
  X(245, sem_post, EVERETT_KIND_SYNC) \
  X(260, klee_invariant_expose_data, EVERETT_KIND_EXPOSE) \
  X(261, klee_make_symbolic, EVERETT_KIND_EXPOSE) \
  X(270, klee_net_add_network, EVERETT_KIND_NET) \
  X(271, klee_net_add_router, EVERETT_KIND_NET) \
  X(272, klee_net_add_interface, EVERETT_KIND_NET) \
  X(273, klee_net_add_ipv4_address, EVERETT_KIND_NET) \
  X(274, klee_net_add_route, EVERETT_KIND_NET) \
  X(275, klee_net_host_setup, EVERETT_KIND_NET) \
  X(276, klee_net_event_put, EVERETT_KIND_NET) \
  X(277, klee_net_will_get_events, EVERETT_KIND_NET) \
  X(278, klee_net_has_pending_events, EVERETT_KIND_NET) \
  X(279, klee_net_events_get, EVERETT_KIND_NET) \
  X(280, klee_net_event_remove, EVERETT_KIND_NET) \
  X(281, klee_net_event_data_alloc, EVERETT_KIND_NET) \
  X(300, malloc, EVERETT_KIND_LOCAL) \
  X(301, calloc, EVERETT_KIND_LOCAL) \
  X(302, realloc, EVERETT_KIND_LOCAL) \
  X(303, reallocarray, EVERETT_KIND_LOCAL) \
  X(304, posix_memalign, EVERETT_KIND_LOCAL) \
  X(305, aligned_alloc, EVERETT_KIND_LOCAL) \
  X(306, memalign, EVERETT_KIND_LOCAL) \
  X(307, valloc, EVERETT_KIND_LOCAL) \
  X(308, strdup, EVERETT_KIND_LOCAL) \
  X(309, strndup, EVERETT_KIND_LOCAL) \
  X(310, asprintf, EVERETT_KIND_LOCAL) \
  X(311, vasprintf, EVERETT_KIND_LOCAL) \
  X(312, mmap, EVERETT_KIND_LOCAL) \
  X(340, open, EVERETT_KIND_LOCAL) \
  X(341, openat, EVERETT_KIND_LOCAL) \
  X(342, creat, EVERETT_KIND_LOCAL) \
  X(343, pread, EVERETT_KIND_LOCAL) \
  X(344, pwrite, EVERETT_KIND_LOCAL) \
  X(345, preadv, EVERETT_KIND_LOCAL) \
  X(346, pwritev, EVERETT_KIND_LOCAL) \
  X(347, lseek, EVERETT_KIND_LOCAL) \
  X(348, fsync, EVERETT_KIND_LOCAL) \
  X(349, fdatasync, EVERETT_KIND_LOCAL) \
  X(350, sync, EVERETT_KIND_LOCAL) \
  X(351, syncfs, EVERETT_KIND_LOCAL) \
  X(352, truncate, EVERETT_KIND_LOCAL) \
  X(353, ftruncate, EVERETT_KIND_LOCAL) \
  X(354, fallocate, EVERETT_KIND_LOCAL) \
  X(355, posix_fallocate, EVERETT_KIND_LOCAL) \
  X(356, flock, EVERETT_KIND_LOCAL) \
  X(357, lockf, EVERETT_KIND_LOCAL) \
  X(358, stat, EVERETT_KIND_LOCAL) \
  X(359, fstat, EVERETT_KIND_LOCAL) \
  X(360, lstat, EVERETT_KIND_LOCAL) \
  X(361, fstatat, EVERETT_KIND_LOCAL) \
  X(362, statvfs, EVERETT_KIND_LOCAL) \
  X(363, fstatvfs, EVERETT_KIND_LOCAL) \
  X(364, access, EVERETT_KIND_LOCAL) \
  X(365, faccessat, EVERETT_KIND_LOCAL) \
  X(366, chmod, EVERETT_KIND_LOCAL) \
  X(367, fchmod, EVERETT_KIND_LOCAL) \
  X(368, fchmodat, EVERETT_KIND_LOCAL) \
  X(369, chown, EVERETT_KIND_LOCAL) \
  X(370, fchown, EVERETT_KIND_LOCAL) \
  X(371, lchown, EVERETT_KIND_LOCAL) \
  X(372, fchownat, EVERETT_KIND_LOCAL) \
  X(373, utime, EVERETT_KIND_LOCAL) \
  X(374, utimes, EVERETT_KIND_LOCAL) \
  X(375, utimensat, EVERETT_KIND_LOCAL) \
  X(376, futimens, EVERETT_KIND_LOCAL) \
  X(377, rename, EVERETT_KIND_LOCAL) \
  X(378, renameat, EVERETT_KIND_LOCAL) \
  X(379, link, EVERETT_KIND_LOCAL) \
  X(380, linkat, EVERETT_KIND_LOCAL) \
  X(381, symlink, EVERETT_KIND_LOCAL) \
  X(382, symlinkat, EVERETT_KIND_LOCAL) \
  X(383, unlink, EVERETT_KIND_LOCAL) \
  X(384, unlinkat, EVERETT_KIND_LOCAL) \
  X(385, remove, EVERETT_KIND_LOCAL) \
  X(386, mkdir, EVERETT_KIND_LOCAL) \
  X(387, mkdirat, EVERETT_KIND_LOCAL) \
  X(388, rmdir, EVERETT_KIND_LOCAL) \
  X(389, mkfifo, EVERETT_KIND_LOCAL) \
  X(390, mknod, EVERETT_KIND_LOCAL) \
  X(391, readlink, EVERETT_KIND_LOCAL) \
  X(392, readlinkat, EVERETT_KIND_LOCAL) \
  X(393, chdir, EVERETT_KIND_LOCAL) \
  X(394, fchdir, EVERETT_KIND_LOCAL) \
  X(395, getcwd, EVERETT_KIND_LOCAL) \
  X(396, opendir, EVERETT_KIND_LOCAL) \
  X(397, fdopendir, EVERETT_KIND_LOCAL) \
  X(398, readdir, EVERETT_KIND_LOCAL) \
  X(399, closedir, EVERETT_KIND_LOCAL) \
  X(400, mkstemp, EVERETT_KIND_LOCAL) \
  X(401, mkdtemp, EVERETT_KIND_LOCAL) \
  X(402, msync, EVERETT_KIND_LOCAL) \
  X(403, statx, EVERETT_KIND_LOCAL) \
  X(404, statfs, EVERETT_KIND_LOCAL) \
  X(405, fstatfs, EVERETT_KIND_LOCAL) \
  X(406, copy_file_range, EVERETT_KIND_LOCAL) \
  X(420, getrlimit, EVERETT_KIND_LOCAL) \
  X(421, setrlimit, EVERETT_KIND_LOCAL) \
  X(422, sysconf, EVERETT_KIND_LOCAL) \
  X(423, getdtablesize, EVERETT_KIND_LOCAL) \
  X(440, fopen, EVERETT_KIND_LOCAL) \
  X(441, freopen, EVERETT_KIND_LOCAL) \
  X(442, fdopen, EVERETT_KIND_LOCAL) \
  X(443, fclose, EVERETT_KIND_LOCAL) \
  X(444, fflush, EVERETT_KIND_LOCAL) \
  X(445, fread, EVERETT_KIND_LOCAL) \
  X(446, fwrite, EVERETT_KIND_LOCAL) \
  X(447, fgets, EVERETT_KIND_LOCAL) \
  X(448, fgetc, EVERETT_KIND_LOCAL) \
  X(449, getline, EVERETT_KIND_LOCAL) \
  X(450, fputs, EVERETT_KIND_LOCAL) \
  X(451, fputc, EVERETT_KIND_LOCAL) \
  X(452, fprintf, EVERETT_KIND_LOCAL) \
  X(453, printf, EVERETT_KIND_LOCAL) \
  X(454, puts, EVERETT_KIND_LOCAL) \
  X(455, putchar, EVERETT_KIND_LOCAL) \
  X(456, fseek, EVERETT_KIND_LOCAL) \
  X(457, fscanf, EVERETT_KIND_LOCAL) \
  X(458, dprintf, EVERETT_KIND_LOCAL) \
  X(459, perror, EVERETT_KIND_LOCAL) \
  X(460, ftell, EVERETT_KIND_LOCAL) \
  X(461, rewind, EVERETT_KIND_LOCAL) \
  X(462, getchar, EVERETT_KIND_LOCAL) \
  X(463, scanf, EVERETT_KIND_LOCAL)

/* X(number, other symbol) */
#define EVERETT_ALIASES(X) \
  X(36, __recv_chk) \
  X(37, __recvfrom_chk) \
  X(60, __read_chk) \
  X(68, fcntl64) \
  X(72, sendfile64) \
  X(100, __poll_chk) \
  X(101, __ppoll_chk) \
  X(145, pthread_yield) \
  X(145, thrd_yield) \
  X(175, erand48_r) \
  X(176, nrand48_r) \
  X(177, jrand48_r) \
  X(180, _Fork) \
  X(189, execv) \
  X(189, execvp) \
  X(189, execvpe) \
  X(189, execl) \
  X(189, execlp) \
  X(189, execle) \
  X(189, fexecve) \
  X(190, posix_spawnp) \
  X(220, thrd_create) \
  X(221, thrd_join) \
  X(221, pthread_tryjoin_np) \
  X(221, pthread_timedjoin_np) \
  X(222, mtx_lock) \
  X(223, mtx_timedlock) \
  X(224, mtx_trylock) \
  X(225, mtx_unlock) \
  X(226, cnd_wait) \
  X(227, cnd_timedwait) \
  X(228, cnd_signal) \
  X(229, cnd_broadcast) \
  X(241, call_once) \
  X(261, klee_int) \
  X(261, klee_range) \
  X(261, klee_choose) \
  X(310, __asprintf_chk) \
  X(311, __vasprintf_chk) \
  X(312, mmap64) \
  X(340, open64) \
  X(340, __open_2) \
  X(340, __open64_2) \
  X(341, openat64) \
  X(341, __openat_2) \
  X(341, __openat64_2) \
  X(342, creat64) \
  X(343, pread64) \
  X(343, __pread_chk) \
  X(343, __pread64_chk) \
  X(344, pwrite64) \
  X(345, preadv64) \
  X(346, pwritev64) \
  X(347, lseek64) \
  X(352, truncate64) \
  X(353, ftruncate64) \
  X(354, fallocate64) \
  X(355, posix_fallocate64) \
  X(357, lockf64) \
  X(358, stat64) \
  X(359, fstat64) \
  X(360, lstat64) \
  X(361, fstatat64) \
  X(362, statvfs64) \
  X(363, fstatvfs64) \
  X(391, __readlink_chk) \
  X(392, __readlinkat_chk) \
  X(395, __getcwd_chk) \
  X(398, readdir64) \
  X(400, mkstemp64) \
  X(404, statfs64) \
  X(405, fstatfs64) \
  X(420, getrlimit64) \
  X(421, setrlimit64) \
  X(440, fopen64) \
  X(441, freopen64) \
  X(444, fflush_unlocked) \
  X(445, fread_unlocked) \
  X(445, __fread_chk) \
  X(446, fwrite_unlocked) \
  X(447, fgets_unlocked) \
  X(447, __fgets_chk) \
  X(448, getc) \
  X(448, fgetc_unlocked) \
  X(448, getc_unlocked) \
  X(449, getdelim) \
  X(450, fputs_unlocked) \
  X(451, putc) \
  X(451, fputc_unlocked) \
  X(451, putc_unlocked) \
  X(452, vfprintf) \
  X(452, __fprintf_chk) \
  X(452, __vfprintf_chk) \
  X(453, vprintf) \
  X(453, __printf_chk) \
  X(453, __vprintf_chk) \
  X(455, putchar_unlocked) \
  X(456, fseeko) \
  X(456, fseeko64) \
  X(457, vfscanf) \
  X(457, __isoc99_fscanf) \
  X(457, __isoc23_fscanf) \
  X(457, __isoc99_vfscanf) \
  X(457, __isoc23_vfscanf) \
  X(458, vdprintf) \
  X(458, __dprintf_chk) \
  X(458, __vdprintf_chk) \
  X(460, ftello) \
  X(460, ftello64) \
  X(462, getchar_unlocked) \
  X(463, vscanf) \
  X(463, __isoc99_scanf) \
  X(463, __isoc23_scanf) \
  X(463, __isoc99_vscanf) \
  X(463, __isoc23_vscanf)

enum everett_kind {
  EVERETT_KIND_HAPPENING,
  EVERETT_KIND_SOCKET,
  EVERETT_KIND_DESCRIPTOR,
  EVERETT_KIND_WAIT,
  EVERETT_KIND_CLOCK,
  EVERETT_KIND_SLEEP,
  EVERETT_KIND_PROCESS,
  EVERETT_KIND_RANDOM,
  EVERETT_KIND_LOCAL,
  EVERETT_KIND_THREAD,
  EVERETT_KIND_SYNC,
  EVERETT_KIND_EXPOSE,
  EVERETT_KIND_NET,
};

#endif
