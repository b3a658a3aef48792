// Names that are no files: free when the socket is closed; names that the kernel gives.
#include "local.h"

int main(void) {
  char text[64];
  snprintf(text, sizeof text, "everett-test-%d", (int)getpid());
  socklen_t len;
  Local a = abstract(text, &len), b;
  int fd = socket(AF_UNIX, SOCK_STREAM, 0), other = socket(AF_UNIX, SOCK_STREAM, 0);
  SHOW(bind(fd, ADDRESS(a), len));
  SHOW(bind(other, ADDRESS(a), len));
  SHOW(connect(other, ADDRESS(a), len));
  SHOW(listen(fd, 1));
  SHOW(connect(other, ADDRESS(a), len));
  socklen_t got = sizeof b;
  SHOW(getpeername(other, ADDRESS(b), &got));
  IS(got == len && !memcmp(&a, &b, len));
  // Every byte counts.
  int third = socket(AF_UNIX, SOCK_STREAM, 0);
  SHOW(connect(third, ADDRESS(a), len + 1));
  IS(access(text, F_OK) != 0);
  close(fd);
  SHOW(connect(third, ADDRESS(a), len));
  SHOW(bind(third, ADDRESS(a), len));
  int fourth = socket(AF_UNIX, SOCK_DGRAM, 0);
  SHOW(bind(fourth, ADDRESS(a), sizeof(sa_family_t)));
  got = sizeof b;
  SHOW(getsockname(fourth, ADDRESS(b), &got));
  IS(got == sizeof(sa_family_t) + 6 && b.sun_path[0] == 0);
  return 0;
}
