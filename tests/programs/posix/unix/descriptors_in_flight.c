// Descriptors that are on their way keep files open, belong to their bytes, and are closed if nobody takes them.
#include "local.h"

static int end_of(int fd) {
  char byte;
  fcntl(fd, F_SETFL, O_NONBLOCK);
  return (int)read(fd, &byte, 1);
}

int main(void) {
  int p[2], ends[2], got[16];
  need(socketpair(AF_UNIX, SOCK_STREAM, 0, p) == 0 && pipe(ends) == 0, "pairs");
  SHOW(send(p[0], "plain ", 6, 0));
  SHOW(pass(p[0], "one", &ends[1], 1));
  SHOW(send(p[0], "after", 5, 0));
  close(ends[1]);
  SHOW(end_of(ends[0]));
  // Bytes behind a descriptor are not read together with it.
  NUM(obtain("first", p[1], got, 4, 0));
  SHOW(write(got[0], "x", 1));
  SHOW(end_of(ends[0]));
  close(got[0]);
  SHOW(end_of(ends[0]));
  get("after", p[1], 32, 0);
  // read drops them.
  need(pipe(ends) == 0, "pipe");
  SHOW(pass(p[0], "dropped", &ends[1], 1));
  close(ends[1]);
  get("dropped", p[1], 32, 0);
  SHOW(end_of(ends[0]));
  // So does closing the socket.
  need(pipe(ends) == 0, "pipe");
  SHOW(pass(p[0], "unread", &ends[1], 1));
  close(ends[1]);
  SHOW(end_of(ends[0]));
  close(p[1]);
  SHOW(end_of(ends[0]));
  // Too little room: some are cut off.
  need(socketpair(AF_UNIX, SOCK_DGRAM, 0, p) == 0 && pipe(ends) == 0, "pairs");
  int many[3] = {ends[0], ends[0], ends[0]};
  SHOW(pass(p[0], "three", many, 3));
  NUM(obtain("room for none", p[1], got, 0, 0));
  SHOW(pass(p[0], "three", many, 3));
  int n = obtain("close on exec", p[1], got, 4, MSG_CMSG_CLOEXEC);
  for (int i = 0; i < n; i++)
    IS(fcntl(got[i], F_GETFD) == FD_CLOEXEC);
  many[1] = 400;
  SHOW(pass(p[0], "bad", many, 2));
  return 0;
}
