// Regular files are always ready; a closed descriptor is POLLNVAL; a negative one is passed over.
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <sys/resource.h>
#include <unistd.h>

static void show(const char *what, int fd, short events) {
  struct pollfd one = {fd, events, 0x7fff};
  int count = poll(&one, 1, 0);
  short r = one.revents;
  printf("%s: %d%s%s%s%s%s\n", what, count, r & POLLIN ? " in" : "", r & POLLOUT ? " out" : "",
         r & POLLNVAL ? " nval" : "", r & POLLHUP ? " hup" : "", r & POLLERR ? " err" : "");
}

int main(void) {
  int file = open("plain", O_RDWR | O_CREAT, 0600), folder = open(".", O_RDONLY);
  show("file", file, POLLIN | POLLOUT);
  show("file, in", file, POLLIN);
  show("file, out", file, POLLOUT);
  show("file, nothing", file, 0);
  show("directory", folder, POLLIN | POLLOUT);
  show("null", open("/dev/null", O_RDWR), POLLIN | POLLOUT);
  close(file);
  show("closed", file, POLLIN);
  show("closed, nothing", file, 0);
  show("negative", -1, POLLIN | POLLOUT);
  show("very negative", -1000, POLLIN);
  show("never open", 500, POLLIN);
  printf("none: %d\n", poll(NULL, 0, 0));
  struct rlimit limit = {8, 8};
  setrlimit(RLIMIT_NOFILE, &limit);
  struct pollfd many[9] = {{.fd = -1}};
  int result = poll(many, 9, 0);
  printf("more than may be open: %d %s\n", result, errno == EINVAL ? "EINVAL" : "other");
  unlink("plain");
  return 0;
}
