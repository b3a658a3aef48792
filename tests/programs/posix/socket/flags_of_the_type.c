// SOCK_NONBLOCK and SOCK_CLOEXEC are flags of the new file; accept4 has them, too.
#include "net.h"
#include <sys/syscall.h>

static void show(const char *what, int fd) {
  printf("%s: %s, %s\n", what, fcntl(fd, F_GETFL) & O_NONBLOCK ? "does not wait" : "waits",
         fcntl(fd, F_GETFD) & FD_CLOEXEC ? "closed on exec" : "kept on exec");
}

int main(void) {
  show("plain", socket(AF_INET, SOCK_DGRAM, 0));
  show("nonblock", socket(AF_INET, SOCK_DGRAM | SOCK_NONBLOCK, 0));
  show("cloexec", socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
  int pair[2];
  OK(socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0, pair));
  show("pair", pair[1]);
  int l = listener(4);
  int one = client_of(l), two = client_of(l), three = client_of(l);
  show("accept", accept(l, NULL, NULL));
  show("accept4", accept4(l, NULL, NULL, SOCK_NONBLOCK));
  // The C library would try again without flags that it does not know.
  OK(syscall(SYS_accept4, l, NULL, NULL, 1));
  // What the one that listens has is not inherited.
  fcntl(l, F_SETFL, O_NONBLOCK);
  show("from one that does not wait", accept(l, NULL, NULL));
  IS((fcntl(one, F_GETFL) & O_ACCMODE) == O_RDWR);
  close(one), close(two), close(three);
  return 0;
}
