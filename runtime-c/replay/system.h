/* System calls and what else a program without a C library needs.
 *
 * The library is loaded into processes of musl and of glibc alike, and the conductor runs on machines that
 * have neither of those it was built with: so both are made of this alone. x86-64, as programs are. */
#ifndef EVERETT_REPLAY_SYSTEM_H
#define EVERETT_REPLAY_SYSTEM_H

#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

enum call {
  CALL_read = 0,
  CALL_write = 1,
  CALL_open = 2,
  CALL_close = 3,
  CALL_fstat = 5,
  CALL_poll = 7,
  CALL_mmap = 9,
  CALL_munmap = 11,
  CALL_rt_sigaction = 13,
  CALL_rt_sigprocmask = 14,
  CALL_readv = 19,
  CALL_writev = 20,
  CALL_dup2 = 33,
  CALL_nanosleep = 35,
  CALL_getpid = 39,
  CALL_sendfile = 40,
  CALL_socket = 41,
  CALL_connect = 42,
  CALL_accept = 43,
  CALL_sendto = 44,
  CALL_recvfrom = 45,
  CALL_sendmsg = 46,
  CALL_recvmsg = 47,
  CALL_bind = 49,
  CALL_listen = 50,
  CALL_getsockname = 51,
  CALL_getpeername = 52,
  CALL_setsockopt = 54,
  CALL_getsockopt = 55,
  CALL_fork = 57,
  CALL_execve = 59,
  CALL_exit = 60,
  CALL_wait4 = 61,
  CALL_kill = 62,
  CALL_fcntl = 72,
  CALL_ftruncate = 77,
  CALL_chdir = 80,
  CALL_mkdir = 83,
  CALL_readlink = 89,
  CALL_umask = 95,
  CALL_getrlimit = 97,
  CALL_setuid = 105,
  CALL_setgid = 106,
  CALL_setsid = 112,
  CALL_setgroups = 116,
  CALL_rt_sigtimedwait = 128,
  CALL_prctl = 157,
  CALL_setrlimit = 160,
  CALL_chroot = 161,
  CALL_mount = 165,
  CALL_sethostname = 170,
  CALL_gettid = 186,
  CALL_futex = 202,
  CALL_clock_gettime = 228,
  CALL_exit_group = 231,
  CALL_tgkill = 234,
  CALL_unshare = 272,
  CALL_accept4 = 288,
  CALL_dup3 = 292,
  CALL_setns = 308,
  CALL_close_range = 436,
};

static inline long system_call(long number, long a, long b, long c, long d, long e, long f) {
  long result;
  register long r10 __asm__("r10") = d;
  register long r8 __asm__("r8") = e;
  register long r9 __asm__("r9") = f;
  __asm__ volatile("syscall"
                   : "=a"(result)
                   : "a"(number), "D"(a), "S"(b), "d"(c), "r"(r10), "r"(r8), "r"(r9)
                   : "rcx", "r11", "memory");
  return result;
}

#define SYSTEM_6(n, a, b, c, d, e, f, ...) \
  system_call(n, (long)(a), (long)(b), (long)(c), (long)(d), (long)(e), (long)(f))
#define SYSTEM(name, ...) SYSTEM_6(CALL_##name, ##__VA_ARGS__, 0, 0, 0, 0, 0, 0)

/* Error numbers. */
enum {
  E_PERM = 1,
  E_NOENT = 2,
  E_INTR = 4,
  E_BADF = 9,
  E_CHILD = 10,
  E_AGAIN = 11,
  E_NOMEM = 12,
  E_ACCES = 13,
  E_BUSY = 16,
  E_EXIST = 17,
  E_NOTDIR = 20,
  E_INVAL = 22,
  E_PIPE = 32,
  E_DEADLK = 35,
  E_NAMETOOLONG = 36,
  E_NOSYS = 38,
  E_ADDRINUSE = 98,
  E_CONNRESET = 104,
  E_ISCONN = 106,
  E_TIMEDOUT = 110,
  E_CONNREFUSED = 111,
  E_ALREADY = 114,
  E_INPROGRESS = 115,
};

enum { AF_UNIX_ = 1, AF_INET_ = 2, AF_INET6_ = 10 };
enum { SOCK_STREAM_ = 1, SOCK_DGRAM_ = 2, SOCK_SEQPACKET_ = 5 };
enum { SOCK_NONBLOCK_ = 04000, SOCK_CLOEXEC_ = 02000000 };
enum { MSG_PEEK_ = 2, MSG_TRUNC_ = 0x20, MSG_DONTWAIT_ = 0x40, MSG_NOSIGNAL_ = 0x4000 };
enum { IPPROTO_IPV6_ = 41 };
enum { SOL_SOCKET_ = 1, SO_REUSEADDR_ = 2, SO_TYPE_ = 3, SO_ERROR_ = 4, SO_BROADCAST_ = 6 };
enum { POLLIN_ = 1, POLLOUT_ = 4 };
enum { F_DUPFD_ = 0, F_GETFD_ = 1, F_SETFD_ = 2, F_GETFL_ = 3, F_SETFL_ = 4, F_DUPFD_CLOEXEC_ = 1030 };
enum { O_NONBLOCK_ = 04000 };
enum { FUTEX_WAIT_ = 0, FUTEX_WAKE_ = 1 };
enum { SIGHUP_ = 1, SIGINT_ = 2, SIGKILL_ = 9, SIGTERM_ = 15, SIGCHLD_ = 17, SIGSTOP_ = 19 };

struct timespec_ {
  int64_t seconds;
  int64_t nanoseconds;
};

struct timeval_ {
  int64_t seconds;
  int64_t microseconds;
};

struct iovec_ {
  void *base;
  size_t length;
};

/* The pieces that have the first bytes of others; how many there are. */
static inline int first_bytes(struct iovec_ *to, int room, const struct iovec_ *from, int count, int64_t bytes) {
  int used = 0;
  for (; used < count && used < room && bytes > 0; used++) {
    to[used] = from[used];
    if ((int64_t)to[used].length > bytes)
      to[used].length = (size_t)bytes;
    bytes -= (int64_t)to[used].length;
  }
  return used;
}

/* Both libraries' struct on this machine; musl has an int and padding where glibc has a size_t. */
struct msghdr_ {
  void *name;
  uint32_t name_length;
  uint32_t padding_1;
  struct iovec_ *vector;
  int32_t vector_length;
  uint32_t padding_2;
  void *control;
  uint32_t control_length;
  uint32_t padding_3;
  int32_t flags;
  uint32_t padding_4;
};

struct mmsghdr_ {
  struct msghdr_ header;
  uint32_t length;
  uint32_t padding;
};

struct pollfd_ {
  int32_t fd;
  int16_t events;
  int16_t revents;
};

struct __attribute__((packed)) epoll_event_ {
  uint32_t events;
  uint64_t data;
};

/* Port and address in network byte order. */
struct address {
  uint16_t family;
  uint16_t port;
  uint32_t ip;
  uint8_t zero[8];
};

struct address6 {
  uint16_t family;
  uint16_t port;
  uint32_t flow;
  uint8_t ip[16];
  uint32_t scope;
};

struct stat_ {
  uint64_t device, inode, links;
  uint32_t mode, uid, gid, padding;
  uint64_t special_device;
  int64_t size;
  uint8_t rest[88];
};

enum { MODE_KIND = 0170000, MODE_SOCKET = 0140000, MODE_PIPE = 0010000, MODE_CHARACTER = 0020000, MODE_FOLDER = 0040000 };

/* The compiler calls these by itself. */
void *memcpy(void *restrict to, const void *restrict from, size_t size);
void *memset(void *to, int byte, size_t size);
int memcmp(const void *a, const void *b, size_t size);
void *memmove(void *to, const void *from, size_t size);

static inline size_t length_of(const char *text) {
  size_t length = 0;
  while (text[length])
    length++;
  return length;
}

static inline int same_text(const char *a, const char *b) {
  while (*a && *a == *b)
    a++, b++;
  return *a == *b;
}

/* What follows a prefix, or NULL if the text does not begin with it. */
static inline const char *after_prefix(const char *text, const char *prefix) {
  while (*prefix)
    if (*text++ != *prefix++)
      return NULL;
  return text;
}

static inline uint16_t swap_16(uint16_t word) { return (uint16_t)(word << 8 | word >> 8); }
static inline uint32_t swap_32(uint32_t word) { return __builtin_bswap32(word); }

/* Monotonic time of the host in nanoseconds. */
static inline uint64_t host_time_ns(void) {
  struct timespec_ now = {0, 0};
  SYSTEM(clock_gettime, 1, &now);
  return (uint64_t)now.seconds * 1000000000u + (uint64_t)now.nanoseconds;
}

static inline void host_sleep_ns(uint64_t ns) {
  struct timespec_ time = {(int64_t)(ns / 1000000000u), (int64_t)(ns % 1000000000u)};
  SYSTEM(nanosleep, &time, 0);
}

/* Fresh memory, zero; or NULL. */
static inline void *fresh_pages(size_t size) {
  long at = SYSTEM(mmap, 0, size, 3, 0x22, -1, 0);
  return at < 0 && at > -4096 ? NULL : (void *)at;
}

/* A text that is put together in a buffer; what does not fit is left out. */
struct text {
  char *bytes;
  size_t size;
  size_t used;
};

/* %s, %d (int64_t), %u (uint64_t), %x (uint64_t), %a (uint32_t, an address in host byte order). */
void text_put(struct text *text, const char *format, ...);
void text_put_list(struct text *text, const char *format, va_list list);

#endif
