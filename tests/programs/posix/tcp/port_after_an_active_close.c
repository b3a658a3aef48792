// The side that closes first keeps its port for a while, unless both sockets share addresses.
#include "../socket/net.h"

static int bound(Inet a, int reuse) {
  int fd = socket(AF_INET, SOCK_STREAM, 0);
  set(fd, SOL_SOCKET, SO_REUSEADDR, reuse);
  errno = 0;
  int result = bind(fd, ADDRESS(a), sizeof a);
  printf("%s: %s\n", reuse ? "reuse" : "plain", result ? errno_name(errno) : "ok");
  close(fd);
  return result;
}

static Inet used(int reuse, int server_first) {
  int l = socket(AF_INET, SOCK_STREAM, 0);
  Inet a = local(0);
  set(l, SOL_SOCKET, SO_REUSEADDR, reuse);
  need(bind(l, ADDRESS(a), sizeof a) == 0 && listen(l, 1) == 0, "listen");
  a = name_of(l);
  int client = client_of(l), server = accept(l, NULL, NULL);
  close(server_first ? server : client);
  ready("end", server_first ? client : server, POLLIN);
  close(server_first ? client : server);
  close(l);
  return a;
}

int main(void) {
  Inet a = used(0, 1);
  bound(a, 0);
  bound(a, 1);
  a = used(1, 1);
  bound(a, 0);
  bound(a, 1);
  a = used(0, 0);
  bound(a, 0);
  return 0;
}
