// What a socket is, and options of several words: linger and timeouts.
#include "net.h"
#include <sys/time.h>

int main(void) {
  int tcp = socket(AF_INET, SOCK_STREAM, 0), udp = socket(AF_INET, SOCK_DGRAM, 0);
  int unix_ = socket(AF_UNIX, SOCK_SEQPACKET, 0);
  for (int *fd = (int[]){tcp, udp, unix_, -1}; *fd >= 0; fd++)
    printf("type %d, domain %d, protocol %d, listens %d, error %d\n", option(*fd, SOL_SOCKET, SO_TYPE),
           option(*fd, SOL_SOCKET, SO_DOMAIN), option(*fd, SOL_SOCKET, SO_PROTOCOL),
           option(*fd, SOL_SOCKET, SO_ACCEPTCONN), option(*fd, SOL_SOCKET, SO_ERROR));
  NUM(option(listener(1), SOL_SOCKET, SO_ACCEPTCONN));
  struct linger l = {5, 5};
  socklen_t len = sizeof l;
  SHOW(getsockopt(tcp, SOL_SOCKET, SO_LINGER, &l, &len));
  printf("linger %d %d, %u bytes\n", l.l_onoff, l.l_linger, (unsigned)len);
  l = (struct linger){1, 30};
  SHOW(setsockopt(tcp, SOL_SOCKET, SO_LINGER, &l, sizeof l));
  l = (struct linger){0, 0};
  getsockopt(tcp, SOL_SOCKET, SO_LINGER, &l, &len);
  printf("linger %d %d\n", l.l_onoff, l.l_linger);
  struct timeval t = {2, 500000};
  SHOW(setsockopt(tcp, SOL_SOCKET, SO_RCVTIMEO, &t, sizeof t));
  t = (struct timeval){0, 0};
  len = sizeof t;
  SHOW(getsockopt(tcp, SOL_SOCKET, SO_RCVTIMEO, &t, &len));
  printf("%ld.%06ld\n", (long)t.tv_sec, (long)t.tv_usec);
  SHOW(getsockopt(tcp, SOL_SOCKET, SO_SNDTIMEO, &t, &len));
  printf("%ld.%06ld\n", (long)t.tv_sec, (long)t.tv_usec);
  t = (struct timeval){0, 1000000};
  SHOW(setsockopt(tcp, SOL_SOCKET, SO_RCVTIMEO, &t, sizeof t));
  t = (struct timeval){0, -1};
  SHOW(setsockopt(tcp, SOL_SOCKET, SO_SNDTIMEO, &t, sizeof t));
  // Buffers are doubled, and never too small.
  SHOW(set(udp, SOL_SOCKET, SO_SNDBUF, 10000));
  NUM(option(udp, SOL_SOCKET, SO_SNDBUF));
  SHOW(set(udp, SOL_SOCKET, SO_RCVBUF, 20000));
  NUM(option(udp, SOL_SOCKET, SO_RCVBUF));
  SHOW(set(udp, SOL_SOCKET, SO_SNDBUF, 1));
  SHOW(set(udp, SOL_SOCKET, SO_RCVBUF, 1));
  printf("%d %d\n", option(udp, SOL_SOCKET, SO_SNDBUF), option(udp, SOL_SOCKET, SO_RCVBUF));
  return 0;
}
