// A connected socket is told that nobody is there, once; others are not.
#include "../socket/net.h"

int main(void) {
  Inet a = nobody(SOCK_DGRAM);
  int fd = socket(AF_INET, SOCK_DGRAM, 0);
  SHOW(connect(fd, ADDRESS(a), sizeof a));
  SHOW(send(fd, "x", 1, 0));
  ready("told", fd, POLLIN);
  get("recv", fd, 9, MSG_DONTWAIT);
  get("recv", fd, 9, MSG_DONTWAIT);
  SHOW(send(fd, "x", 1, 0));
  SHOW(send(fd, "x", 1, 0));
  SHOW(send(fd, "x", 1, 0));
  IS(option(fd, SOL_SOCKET, SO_ERROR) == ECONNREFUSED);
  NUM(option(fd, SOL_SOCKET, SO_ERROR));
  int other = socket(AF_INET, SOCK_DGRAM, 0);
  SHOW(sendto(other, "x", 1, 0, ADDRESS(a), sizeof a));
  ready("not told", other, 0);
  SHOW(sendto(other, "x", 1, 0, ADDRESS(a), sizeof a));
  get("recv", other, 9, MSG_DONTWAIT);
  return 0;
}
