// Nobody listens: ECONNREFUSED, and the socket can be used again.
#include "../socket/net.h"

int main(void) {
  Inet a = nobody(SOCK_STREAM);
  int fd = socket(AF_INET, SOCK_STREAM, 0);
  SHOW(connect(fd, ADDRESS(a), sizeof a));
  ready("after it", fd, 0);
  NUM(option(fd, SOL_SOCKET, SO_ERROR));
  SHOW(connect(fd, ADDRESS(a), sizeof a));
  int l = listener(1);
  a = name_of(l);
  SHOW(connect(fd, ADDRESS(a), sizeof a));
  SHOW(connect(fd, ADDRESS(a), sizeof a));
  close(fd);
  // One that is bound and does not listen.
  int bound = at_free_port(SOCK_STREAM);
  a = name_of(bound);
  fd = socket(AF_INET, SOCK_STREAM, 0);
  SHOW(connect(fd, ADDRESS(a), sizeof a));
  return 0;
}
