// EFD_SEMAPHORE: each read takes one.
#include <errno.h>
#include <stdio.h>
#include <sys/eventfd.h>

int main(void) {
  int fd = eventfd(3, EFD_SEMAPHORE | EFD_NONBLOCK);
  eventfd_t value;
  for (int i = 0; i < 7; i++) {
    value = 0;
    int result = eventfd_read(fd, &value);
    printf("%d %d%s\n", result, (int)value, result < 0 && errno == EAGAIN ? " EAGAIN" : "");
    if (i == 3)
      printf("%d\n", eventfd_write(fd, 2));
  }
  return 0;
}
