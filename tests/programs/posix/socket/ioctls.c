// What ioctl tells about sockets: bytes that wait, and whether calls wait.
#include "net.h"
#include <sys/ioctl.h>

#ifndef SIOCOUTQ
#define SIOCOUTQ 0x5411
#endif

int main(void) {
  int pair[2], value = -1;
  tcp_pair(pair);
  SHOW(ioctl(pair[1], FIONREAD, &value));
  NUM(value);
  need(send(pair[0], "hello", 5, 0) == 5, "send");
  ready("has bytes", pair[1], POLLIN);
  SHOW(ioctl(pair[1], FIONREAD, &value));
  NUM(value);
  SHOW(ioctl(listener(1), FIONREAD, &value));
  int udp[2];
  udp_pair(udp);
  need(send(udp[0], "abc", 3, 0) == 3 && send(udp[0], "defghi", 6, 0) == 6, "send");
  SHOW(ioctl(udp[1], FIONREAD, &value));
  NUM(value);
  value = 1;
  SHOW(ioctl(pair[0], FIONBIO, &value));
  char byte;
  SHOW(recv(pair[0], &byte, 1, 0));
  value = 0;
  SHOW(ioctl(pair[0], FIONBIO, &value));
  IS(fcntl(pair[0], F_GETFL) == O_RDWR);
  SHOW(ioctl(udp[0], SIOCOUTQ, &value));
  NUM(value);
  SHOW(ioctl(pair[0], 0x5401, &value));
  SHOW(ioctl(pair[0], FIONREAD, unmapped));
  return 0;
}
