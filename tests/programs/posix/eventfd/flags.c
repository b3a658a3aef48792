// Flags of eventfd: close-on-exec, non-blocking, unknown ones are EINVAL; both are fcntl's, too.
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/eventfd.h>
#include <unistd.h>

static void show(const char *what, int fd) {
  if (fd < 0) {
    printf("%s: %s\n", what, errno == EINVAL ? "EINVAL" : "other");
    return;
  }
  int status = fcntl(fd, F_GETFL);
  printf("%s: nonblock %d cloexec %d rdwr %d\n", what, (status & O_NONBLOCK) != 0,
         (fcntl(fd, F_GETFD) & FD_CLOEXEC) != 0, (status & O_ACCMODE) == O_RDWR);
}

int main(void) {
  int plain = eventfd(0, 0);
  show("none", plain);
  show("nonblock", eventfd(0, EFD_NONBLOCK));
  show("cloexec", eventfd(0, EFD_CLOEXEC));
  show("all", eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK | EFD_SEMAPHORE));
  show("unknown", eventfd(0, 0x40));
  fcntl(plain, F_SETFL, O_NONBLOCK);
  show("set later", plain);
  eventfd_t value;
  int result = eventfd_read(plain, &value);
  printf("%d %s\n", result, errno == EAGAIN ? "EAGAIN" : "other");
  return 0;
}
