// A port belongs to one socket of a protocol; a socket has one address; SO_REUSEADDR and SO_REUSEPORT.
#include "net.h"

static int with(int type, int name) {
  int fd = socket(AF_INET, type, 0);
  if (name)
    need(set(fd, SOL_SOCKET, name, 1) == 0, "setsockopt");
  return fd;
}

int main(void) {
  int tcp = at_free_port(SOCK_STREAM);
  Inet a = name_of(tcp), any = a;
  any.sin_addr.s_addr = INADDR_ANY;
  IS(port_of(tcp) != 0);
  SHOW(bind(tcp, ADDRESS(a), sizeof a));
  SHOW(bind(with(SOCK_STREAM, 0), ADDRESS(a), sizeof a));
  SHOW(bind(with(SOCK_STREAM, 0), ADDRESS(any), sizeof any));
  SHOW(bind(with(SOCK_STREAM, SO_REUSEADDR), ADDRESS(a), sizeof a));
  int other = with(SOCK_STREAM, 0);
  a.sin_addr.s_addr = inet_addr("127.0.0.2");
  SHOW(bind(other, ADDRESS(a), sizeof a));
  close(tcp);
  close(other);
  // Both must agree, and one that listens shares with nobody.
  int one = with(SOCK_STREAM, SO_REUSEADDR), two = with(SOCK_STREAM, SO_REUSEADDR);
  a = local(0);
  need(bind(one, ADDRESS(a), sizeof a) == 0, "bind");
  a = name_of(one);
  SHOW(bind(two, ADDRESS(a), sizeof a));
  SHOW(listen(one, 1));
  SHOW(listen(two, 1));
  SHOW(bind(with(SOCK_STREAM, SO_REUSEADDR), ADDRESS(a), sizeof a));
  // A group of sockets.
  int three = with(SOCK_STREAM, SO_REUSEPORT), four = with(SOCK_STREAM, SO_REUSEPORT);
  a = local(0);
  need(bind(three, ADDRESS(a), sizeof a) == 0, "bind");
  a = name_of(three);
  SHOW(listen(three, 1));
  SHOW(bind(four, ADDRESS(a), sizeof a));
  SHOW(listen(four, 1));
  SHOW(bind(with(SOCK_STREAM, SO_REUSEADDR), ADDRESS(a), sizeof a));
  // Datagrams.
  int five = with(SOCK_DGRAM, SO_REUSEADDR);
  a = local(0);
  need(bind(five, ADDRESS(a), sizeof a) == 0, "bind");
  a = name_of(five);
  SHOW(bind(with(SOCK_DGRAM, 0), ADDRESS(a), sizeof a));
  SHOW(bind(with(SOCK_DGRAM, SO_REUSEADDR), ADDRESS(a), sizeof a));
  SHOW(bind(with(SOCK_STREAM, 0), ADDRESS(a), sizeof a));
  return 0;
}
