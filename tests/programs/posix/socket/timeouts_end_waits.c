// SO_RCVTIMEO and SO_SNDTIMEO end recv, accept and send that wait.
#include "net.h"
#include <sys/time.h>
#include <time.h>

static long now_ms(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

int main(void) {
  int pair[2], l = listener(1);
  tcp_pair(pair);
  struct timeval t = {0, 120000};
  need(setsockopt(pair[0], SOL_SOCKET, SO_RCVTIMEO, &t, sizeof t) == 0, "timeout");
  need(setsockopt(pair[0], SOL_SOCKET, SO_SNDTIMEO, &t, sizeof t) == 0, "timeout");
  need(setsockopt(l, SOL_SOCKET, SO_RCVTIMEO, &t, sizeof t) == 0, "timeout");
  char byte;
  long start = now_ms();
  SHOW(recv(pair[0], &byte, 1, 0));
  long passed = now_ms() - start;
  IS(passed >= 110 && passed < 2000);
  SHOW(read(pair[0], &byte, 1));
  SHOW(accept(l, NULL, NULL));
  // What was received before the time is over counts.
  need(send(pair[1], "abc", 3, 0) == 3, "send");
  char buffer[8];
  SHOW(recv(pair[0], buffer, sizeof buffer, MSG_WAITALL));
  // A writer fills the buffers and then gives up.
  static char much[1 << 20];
  ssize_t n;
  int rounds = 0;
  while ((n = send(pair[0], much, sizeof much, 0)) > 0 && rounds < 100)
    rounds++;
  printf("%zd %s\n", n, errno_name(errno));
  int udp = at_free_port(SOCK_DGRAM);
  need(setsockopt(udp, SOL_SOCKET, SO_RCVTIMEO, &t, sizeof t) == 0, "timeout");
  SHOW(recv(udp, &byte, 1, 0));
  return 0;
}
