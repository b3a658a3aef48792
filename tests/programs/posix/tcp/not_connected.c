// What cannot be done without a connection.
#include "../socket/net.h"

int main(void) {
  signal(SIGPIPE, SIG_IGN);
  int fd = socket(AF_INET, SOCK_STREAM, 0), l = listener(1);
  char byte = 0;
  Inet a = name_of(l);
  SHOW(recv(fd, &byte, 1, 0));
  SHOW(read(fd, &byte, 1));
  SHOW(send(fd, &byte, 1, 0));
  SHOW(write(fd, &byte, 1));
  SHOW(sendto(fd, &byte, 1, 0, ADDRESS(a), sizeof a));
  SHOW(shutdown(fd, SHUT_WR));
  SHOW(shutdown(fd, 9));
  SHOW(accept(fd, NULL, NULL));
  SHOW(recv(l, &byte, 1, 0));
  SHOW(send(l, &byte, 1, 0));
  SHOW(connect(l, ADDRESS(a), sizeof a));
  int pair[2];
  tcp_pair(pair);
  SHOW(listen(pair[0], 1));
  SHOW(accept(pair[0], NULL, NULL));
  SHOW(bind(pair[0], ADDRESS(a), sizeof a));
  int udp = socket(AF_INET, SOCK_DGRAM, 0);
  SHOW(listen(udp, 1));
  SHOW(accept(udp, NULL, NULL));
  return 0;
}
