// AF_UNSPEC ends a connection; the same socket makes another one.
#include "../socket/net.h"

int main(void) {
  int l = listener(2);
  int fd = client_of(l), first = accept(l, NULL, NULL);
  struct sockaddr none = {.sa_family = AF_UNSPEC};
  SHOW(connect(fd, &none, sizeof none));
  ready("other side", first, POLLHUP);
  get("other side", first, 9, 0);
  get("disconnected", fd, 9, 0);
  Inet a = name_of(l);
  SHOW(connect(fd, ADDRESS(a), sizeof a));
  int second = accept(l, NULL, NULL);
  SHOW(send(fd, "again", 5, 0));
  get("second", second, 9, 0);
  return 0;
}
