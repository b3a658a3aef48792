/* Random bytes that are the same in every session, and calls that are made without a function of their own. */
#define _GNU_SOURCE
#include "peer.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/futex.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <sys/syscall.h>
#include <unistd.h>

/* The bytes of what stands for a random device. */
enum { DEVICE_BYTES = 1 << 20 };

static _Atomic uint64_t state = 0x65766572657474;
/* Processes that this one has started. */
static uint64_t children;

/* SplitMix64. */
static uint64_t mixed(uint64_t z) {
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
  z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
  return z ^ (z >> 31);
}

static uint64_t next_number(void) { return mixed(atomic_fetch_add(&state, 0x9e3779b97f4a7c15)); }

void fill_random(void *buffer, size_t size) {
  for (size_t done = 0; done < size;) {
    uint64_t number = next_number();
    size_t count = size - done < sizeof number ? size - done : sizeof number;
    memcpy((char *)buffer + done, &number, count);
    done += count;
  }
}

/* A process and the ones that it starts have different random bytes. */
static void before_fork(void) { children++; }
static void in_child(void) { atomic_store(&state, mixed(atomic_load(&state) ^ children)); }

__attribute__((constructor)) static void watch_forks(void) { pthread_atfork(before_fork, NULL, in_child); }

EXPORT ssize_t getrandom(void *buffer, size_t size, unsigned flags) {
  (void)flags;
  fill_random(buffer, size);
  return size;
}

EXPORT int getentropy(void *buffer, size_t size) {
  if (size > 256) {
    errno = EIO;
    return -1;
  }
  fill_random(buffer, size);
  return 0;
}

EXPORT void arc4random_buf(void *buffer, size_t size) { fill_random(buffer, size); }

EXPORT uint32_t arc4random(void) { return (uint32_t)next_number(); }

EXPORT uint32_t arc4random_uniform(uint32_t bound) {
  return bound < 2 ? 0 : (uint32_t)(((next_number() >> 32) * bound) >> 32);
}

static bool is_device(const char *path) {
  return strcmp(path, "/dev/urandom") == 0 || strcmp(path, "/dev/random") == 0;
}

/* A file that stands for a random device. */
static int open_device(int flags) {
  int fd = memfd_create("random", (flags & O_CLOEXEC) != 0 ? MFD_CLOEXEC : 0);
  if (fd < 0 || ftruncate(fd, DEVICE_BYTES) != 0) return fd;
  void *bytes = mmap(NULL, DEVICE_BYTES, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
  if (bytes == MAP_FAILED) return fd;
  fill_random(bytes, DEVICE_BYTES);
  munmap(bytes, DEVICE_BYTES);
  return fd;
}

/* The mode of a file that is made. */
#define MODE(flags)                                                                                            \
  ({                                                                                                           \
    mode_t mode_ = 0;                                                                                          \
    if (((flags) & (O_CREAT | __O_TMPFILE)) != 0) {                                                            \
      va_list list;                                                                                            \
      va_start(list, flags);                                                                                   \
      mode_ = va_arg(list, mode_t);                                                                            \
      va_end(list);                                                                                            \
    }                                                                                                          \
    mode_;                                                                                                     \
  })

EXPORT int open(const char *path, int flags, ...) {
  mode_t mode = MODE(flags);
  return is_device(path) ? open_device(flags) : NEXT(open)(path, flags, mode);
}

EXPORT int open64(const char *path, int flags, ...) {
  mode_t mode = MODE(flags);
  return is_device(path) ? open_device(flags) : NEXT(open64)(path, flags, mode);
}

EXPORT int openat(int folder, const char *path, int flags, ...) {
  mode_t mode = MODE(flags);
  return is_device(path) ? open_device(flags) : NEXT(openat)(folder, path, flags, mode);
}

EXPORT int openat64(int folder, const char *path, int flags, ...) {
  mode_t mode = MODE(flags);
  return is_device(path) ? open_device(flags) : NEXT(openat64)(folder, path, flags, mode);
}

/* The same, as programs call them that are compiled with checks. */
EXPORT int __open_2(const char *path, int flags) { return open(path, flags, 0); }
EXPORT int __open64_2(const char *path, int flags) { return open64(path, flags, 0); }

EXPORT FILE *fopen(const char *restrict path, const char *restrict mode) {
  return is_device(path) ? fdopen(open_device(O_CLOEXEC), "r") : NEXT(fopen)(path, mode);
}

EXPORT FILE *fopen64(const char *restrict path, const char *restrict mode) {
  return is_device(path) ? fdopen(open_device(O_CLOEXEC), "r") : NEXT(fopen64)(path, mode);
}

/* Waits for a futex until a deadline, as runtimes of languages do. */
static bool is_wait_until(long operation) {
  return (operation & FUTEX_CMD_MASK) == FUTEX_WAIT_BITSET;
}

EXPORT long syscall(long number, ...) {
  long words[6];
  va_list list;
  va_start(list, number);
  for (int i = 0; i < 6; i++) words[i] = va_arg(list, long);
  va_end(list);
  switch (number) {
  case SYS_getrandom:
    return getrandom((void *)words[0], words[1], words[2]);
  case SYS_clock_gettime:
    return clock_gettime(words[0], (struct timespec *)words[1]);
  case SYS_futex:
    if (is_wait_until(words[1]) && words[3] != 0) {
      clockid_t clock = (words[1] & FUTEX_CLOCK_REALTIME) != 0 ? CLOCK_REALTIME : CLOCK_MONOTONIC;
      const struct timespec *deadline = (const struct timespec *)words[3];
      struct timespec real = real_deadline(clock, deadline);
      int64_t shown = 0;
      clock_shows(clock, &shown);
      int64_t left = nanoseconds(deadline) - shown;
      clock_waits();
      long result = NEXT(syscall)(number, words[0], words[1], words[2], &real, words[4], words[5]);
      if (result < 0 && errno == ETIMEDOUT && left > 0) clock_idled(left);
      return result;
    }
  }
  return NEXT(syscall)(number, words[0], words[1], words[2], words[3], words[4], words[5]);
}
