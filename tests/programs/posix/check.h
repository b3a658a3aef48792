// Shared by the programs of this folder: each result is printed beside the expression that gave it, each
// error by its name, so that the output is the same on every machine. Include it first.
#ifndef CHECK_H
#define CHECK_H

#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <unistd.h>

#define HELPER static inline __attribute__((unused))

// Prints the value of a call, or the name of its error.
#define SHOW(call) show_value(#call, (errno = 0, (long)(call)))
// As SHOW, for a call whose value is not the same everywhere, such as a descriptor: "ok" or the error's name.
#define OK(call) show_success(#call, (errno = 0, (long)(call)))
// As OK, for a call that gives a pointer, null on error.
#define PTR(call) show_pointer(#call, (errno = 0, (const void *)(call)))
// Prints an integer expression.
#define NUM(value) printf("%s = %ld\n", #value, (long)(value))
// Prints whether a condition holds.
#define IS(condition) printf("%s: %s\n", #condition, (condition) ? "yes" : "no")

// An address where nothing is mapped, and a number, which the compiler cannot warn of.
static void *volatile const unmapped __attribute__((unused)) = (void *)1;
static volatile const int minus_one __attribute__((unused)) = -1;

HELPER const char *errno_name(int error) {
  switch (error) {
#define NAME(e) \
  case e: \
    return #e;
    NAME(EPERM) NAME(ENOENT) NAME(ESRCH) NAME(EINTR) NAME(EIO) NAME(ENXIO) NAME(E2BIG)
    NAME(ENOEXEC) NAME(EBADF)
    NAME(ECHILD) NAME(EAGAIN) NAME(ENOMEM) NAME(EACCES) NAME(EFAULT) NAME(ENOTBLK) NAME(EBUSY) NAME(EEXIST)
    NAME(EXDEV) NAME(ENODEV) NAME(ENOTDIR) NAME(EISDIR) NAME(EINVAL) NAME(ENFILE) NAME(EMFILE) NAME(ENOTTY)
    NAME(ETXTBSY) NAME(EFBIG) NAME(ENOSPC) NAME(ESPIPE) NAME(EROFS) NAME(EMLINK) NAME(EPIPE) NAME(EDOM)
    NAME(ERANGE) NAME(EDEADLK) NAME(ENAMETOOLONG) NAME(ENOLCK) NAME(ENOSYS) NAME(ENOTEMPTY) NAME(ELOOP)
    NAME(EOVERFLOW) NAME(EILSEQ) NAME(EOPNOTSUPP) NAME(ETIMEDOUT) NAME(EAFNOSUPPORT) NAME(ENODATA)
    NAME(ENOTSOCK) NAME(EDESTADDRREQ) NAME(EMSGSIZE) NAME(EPROTOTYPE) NAME(ENOPROTOOPT) NAME(EPROTONOSUPPORT)
    NAME(ESOCKTNOSUPPORT) NAME(EADDRINUSE) NAME(EADDRNOTAVAIL) NAME(ENETUNREACH) NAME(ECONNABORTED)
    NAME(ECONNRESET) NAME(ENOBUFS) NAME(EISCONN) NAME(ENOTCONN) NAME(ECONNREFUSED) NAME(EHOSTUNREACH)
    NAME(EALREADY) NAME(EINPROGRESS) NAME(ETOOMANYREFS) NAME(ENOMSG) NAME(EIDRM)
#undef NAME
  case 0:
    return "no error";
  default:
    return "another error";
  }
}

HELPER long show_value(const char *call, long value) {
  if (value == -1)
    printf("%s: %s\n", call, errno_name(errno));
  else
    printf("%s = %ld\n", call, value);
  return value;
}

HELPER int show_success(const char *call, long value) {
  printf("%s: %s\n", call, value == -1 ? errno_name(errno) : "ok");
  return (int)value;
}

HELPER void *show_pointer(const char *call, const void *value) {
  printf("%s: %s\n", call, value ? "ok" : errno_name(errno));
  return (void *)value;
}

// Ends the program when its own preparation fails.
HELPER void need(int holds, const char *what) {
  if (!holds) {
    printf("preparation failed: %s: %s\n", what, errno_name(errno));
    exit(99);
  }
}

// Makes a file with this content.
HELPER void put(const char *path, const char *text) {
  int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0644);
  need(fd >= 0, path);
  need(write(fd, text, strlen(text)) == (ssize_t)strlen(text), path);
  close(fd);
}

// Prints the content of a file, in brackets, with bytes that do not print as \xNN.
HELPER void cat(const char *path) {
  unsigned char buffer[512];
  int fd = open(path, O_RDONLY);
  if (fd < 0) {
    printf("%s: %s\n", path, errno_name(errno));
    return;
  }
  printf("%s: [", path);
  for (ssize_t n; (n = read(fd, buffer, sizeof buffer)) > 0;)
    for (ssize_t i = 0; i < n; i++)
      printf(buffer[i] >= ' ' && buffer[i] < 127 ? "%c" : "\\x%02x", buffer[i]);
  printf("]\n");
  close(fd);
}

// Prints bytes as `cat` does.
HELPER void bytes(const char *name, const void *start, size_t length) {
  const unsigned char *p = start;
  printf("%s: [", name);
  for (size_t i = 0; i < length; i++)
    printf(p[i] >= ' ' && p[i] < 127 ? "%c" : "\\x%02x", p[i]);
  printf("]\n");
}

// Gives root's privileges up for good, so that permissions count; the working directory goes with it.
HELPER void be_ordinary_user(void) {
  if (geteuid() != 0)
    return;
  need(chown(".", 1000, 1000) == 0, "chown");
  need(setresgid(1000, 1000, 1000) == 0, "setresgid");
  need(setresuid(1000, 1000, 1000) == 0, "setresuid");
}

#endif
