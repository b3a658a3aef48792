// getsockname and getpeername before and after a connection, with little room, and with none.
#include "net.h"

int main(void) {
  int fd = socket(AF_INET, SOCK_STREAM, 0);
  Inet a = {0};
  socklen_t len = sizeof a;
  SHOW(getsockname(fd, ADDRESS(a), &len));
  IS(a.sin_family == AF_INET && a.sin_port == 0 && a.sin_addr.s_addr == 0 && len == sizeof a);
  SHOW(getpeername(fd, ADDRESS(a), &len));
  close(fd);
  int l = listener(1), pair[2];
  SHOW(getpeername(l, ADDRESS(a), &len));
  pair[0] = client_of(l);
  Inet b = {0};
  len = 100;
  pair[1] = accept(l, ADDRESS(b), &len);
  NUM(len);
  IS(b.sin_port == name_of(pair[0]).sin_port && b.sin_addr.s_addr == htonl(INADDR_LOOPBACK));
  len = sizeof a;
  SHOW(getpeername(pair[0], ADDRESS(a), &len));
  IS(a.sin_port == name_of(l).sin_port);
  IS(name_of(pair[1]).sin_port == name_of(l).sin_port);
  memset(&a, 0xff, sizeof a);
  len = 4;
  SHOW(getsockname(pair[1], ADDRESS(a), &len));
  NUM(len);
  IS(a.sin_port == name_of(l).sin_port && a.sin_addr.s_addr == 0xffffffff);
  len = (socklen_t)minus_one;
  SHOW(getsockname(pair[1], ADDRESS(a), &len));
  len = sizeof a;
  SHOW(getsockname(pair[1], unmapped, &len));
  SHOW(getsockname(pair[1], ADDRESS(a), unmapped));
  return 0;
}
