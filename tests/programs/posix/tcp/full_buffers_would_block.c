// A writer that does not wait fills the buffers, gets EAGAIN, and is ready again when they are read.
#include "../socket/net.h"

int main(void) {
  int pair[2];
  tcp_pair(pair);
  fcntl(pair[0], F_SETFL, O_NONBLOCK);
  static char much[1 << 16];
  size_t sent = 0;
  ssize_t n;
  while ((n = write(pair[0], much, sizeof much)) > 0)
    sent += (size_t)n;
  printf("%zd %s\n", n, errno_name(errno));
  IS(sent > 100000);
  ready("full", pair[0], 0);
  size_t got = 0;
  fcntl(pair[1], F_SETFL, O_NONBLOCK);
  struct pollfd one = {pair[1], POLLIN, 0};
  while (got < sent && poll(&one, 1, 1000) == 1)
    while ((n = read(pair[1], much, sizeof much)) > 0)
      got += (size_t)n;
  IS(got == sent);
  ready("empty", pair[0], POLLOUT);
  SHOW(write(pair[0], "x", 1));
  return 0;
}
