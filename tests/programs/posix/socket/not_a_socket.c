// Calls about sockets on what is none, and on what is not open.
#include "net.h"

static void try(int fd) {
  Inet a = local(9);
  socklen_t len = sizeof a;
  char byte = 0;
  int value = 0;
  struct msghdr m = {0};
  SHOW(bind(fd, ADDRESS(a), sizeof a));
  SHOW(connect(fd, ADDRESS(a), sizeof a));
  SHOW(listen(fd, 1));
  SHOW(accept(fd, NULL, NULL));
  SHOW(send(fd, &byte, 1, 0));
  SHOW(recv(fd, &byte, 1, 0));
  SHOW(sendmsg(fd, &m, 0));
  SHOW(recvmsg(fd, &m, 0));
  SHOW(shutdown(fd, SHUT_RD));
  SHOW(getsockname(fd, ADDRESS(a), &len));
  SHOW(getpeername(fd, ADDRESS(a), &len));
  len = sizeof value;
  SHOW(getsockopt(fd, SOL_SOCKET, SO_TYPE, &value, &len));
  SHOW(setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &value, sizeof value));
}

int main(void) {
  int ends[2];
  need(pipe(ends) == 0, "pipe");
  try(ends[0]);
  try(500);
  try(open(".", O_PATH));
  return 0;
}
