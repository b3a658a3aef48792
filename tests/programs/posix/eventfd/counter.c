// A counter: writes add, a read takes all, an empty one is EAGAIN, sizes below eight are EINVAL.
#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/eventfd.h>
#include <unistd.h>

static const char *name(int error) {
  return error == EAGAIN ? "EAGAIN" : error == EINVAL ? "EINVAL" : "other";
}

static void take(const char *what, int fd, size_t size) {
  uint64_t value[2] = {99, 99};
  ssize_t got = read(fd, value, size);
  printf("%s: %zd %s %d %d\n", what, got, got < 0 ? name(errno) : "", (int)value[0], (int)value[1]);
}

static void put(const char *what, int fd, uint64_t value, size_t size) {
  uint64_t values[2] = {value, 0};
  ssize_t done = write(fd, values, size);
  printf("%s: %zd %s\n", what, done, done < 0 ? name(errno) : "");
}

int main(void) {
  int fd = eventfd(5, EFD_NONBLOCK);
  take("first", fd, 8);
  take("empty", fd, 8);
  put("three", fd, 3, 8);
  put("four", fd, 4, 8);
  put("zero", fd, 0, 8);
  take("sum", fd, 8);
  put("nothing", fd, 0, 8);
  take("still empty", fd, 8);
  put("one", fd, 1, 8);
  take("short", fd, 4);
  put("short", fd, 1, 7);
  take("long", fd, 16);
  put("long", fd, 9, 16);
  take("after long", fd, 8);
  return 0;
}
