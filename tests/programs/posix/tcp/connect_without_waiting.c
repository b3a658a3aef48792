// A connect that does not wait: EINPROGRESS, then polling tells how it went.
#include "../socket/net.h"

int main(void) {
  int l = listener(1);
  Inet a = name_of(l);
  int fd = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK, 0);
  ready("fresh", fd, 0);
  SHOW(connect(fd, ADDRESS(a), sizeof a));
  ready("connected", fd, POLLOUT);
  NUM(option(fd, SOL_SOCKET, SO_ERROR));
  SHOW(connect(fd, ADDRESS(a), sizeof a));
  SHOW(connect(fd, ADDRESS(a), sizeof a));
  close(fd);
  a = nobody(SOCK_STREAM);
  fd = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK, 0);
  SHOW(connect(fd, ADDRESS(a), sizeof a));
  ready("refused", fd, POLLOUT);
  IS(option(fd, SOL_SOCKET, SO_ERROR) == ECONNREFUSED);
  NUM(option(fd, SOL_SOCKET, SO_ERROR));
  ready("told", fd, 0);
  close(fd);
  // The error is told by whatever asks first.
  fd = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK, 0);
  SHOW(connect(fd, ADDRESS(a), sizeof a));
  ready("refused", fd, POLLOUT);
  SHOW(connect(fd, ADDRESS(a), sizeof a));
  ready("again", fd, 0);
  SHOW(connect(fd, ADDRESS(a), sizeof a));
  ready("refused", fd, POLLOUT);
  get("recv", fd, 1, 0);
  get("recv", fd, 1, 0);
  return 0;
}
