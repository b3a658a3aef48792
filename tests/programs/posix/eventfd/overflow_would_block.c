// The largest value is 2^64-2: a write that would pass it is EAGAIN, 2^64-1 itself EINVAL.
#include <errno.h>
#include <poll.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/eventfd.h>

static void put(int fd, uint64_t value) {
  int result = eventfd_write(fd, value);
  struct pollfd one = {fd, POLLIN | POLLOUT, 0};
  const char *error = result >= 0       ? ""
                      : errno == EAGAIN ? " EAGAIN"
                      : errno == EINVAL ? " EINVAL"
                                        : " other";
  poll(&one, 1, 0);
  printf("%d%s%s%s\n", result, error, one.revents & POLLIN ? " in" : "",
         one.revents & POLLOUT ? " out" : "");
}

int main(void) {
  int fd = eventfd(0, EFD_NONBLOCK);
  put(fd, UINT64_MAX);
  put(fd, UINT64_MAX - 2);
  put(fd, 2);
  put(fd, 1);
  put(fd, 1);
  put(fd, 0);
  eventfd_t value = 0;
  printf("%d\n", eventfd_read(fd, &value));
  printf("%d\n", value == UINT64_MAX - 1);
  put(fd, UINT64_MAX - 1);
  return 0;
}
