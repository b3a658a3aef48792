// Options that cannot be set, that others have, with too few bytes, or not in memory.
#include "net.h"

int main(void) {
  int tcp = socket(AF_INET, SOCK_STREAM, 0), udp = socket(AF_INET, SOCK_DGRAM, 0);
  int local_ = socket(AF_UNIX, SOCK_STREAM, 0);
  int value = 1;
  socklen_t len;
  SHOW(set(tcp, SOL_SOCKET, SO_TYPE, 1));
  SHOW(set(tcp, SOL_SOCKET, SO_ERROR, 1));
  SHOW(set(tcp, SOL_SOCKET, SO_DOMAIN, 1));
  SHOW(set(tcp, SOL_SOCKET, SO_PROTOCOL, 1));
  SHOW(set(tcp, SOL_SOCKET, SO_ACCEPTCONN, 1));
  SHOW(set(tcp, SOL_SOCKET, 9999, 1));
  SHOW(set(tcp, IPPROTO_TCP, 9999, 1));
  SHOW(set(udp, IPPROTO_TCP, TCP_NODELAY, 1));
  SHOW(set(tcp, 77, 1, 1));
  SHOW(set(local_, IPPROTO_TCP, TCP_NODELAY, 1));
  SHOW(setsockopt(tcp, SOL_SOCKET, SO_KEEPALIVE, &value, 3));
  SHOW(setsockopt(tcp, IPPROTO_TCP, TCP_NODELAY, &value, 2));
  SHOW(setsockopt(tcp, SOL_SOCKET, SO_KEEPALIVE, &value, (socklen_t)minus_one));
  SHOW(setsockopt(tcp, SOL_SOCKET, SO_KEEPALIVE, unmapped, sizeof value));
  SHOW(setsockopt(tcp, SOL_SOCKET, SO_LINGER, &value, sizeof value));
  len = sizeof value;
  SHOW(getsockopt(tcp, SOL_SOCKET, 9999, &value, &len));
  SHOW(getsockopt(udp, IPPROTO_TCP, TCP_NODELAY, &value, &len));
  SHOW(getsockopt(local_, IPPROTO_TCP, TCP_NODELAY, &value, &len));
  SHOW(getsockopt(tcp, SOL_SOCKET, SO_TYPE, unmapped, &len));
  SHOW(getsockopt(tcp, SOL_SOCKET, SO_TYPE, &value, unmapped));
  len = (socklen_t)minus_one;
  SHOW(getsockopt(tcp, SOL_SOCKET, SO_TYPE, &value, &len));
  // Fewer bytes than there are.
  value = -1;
  len = 2;
  SHOW(getsockopt(tcp, SOL_SOCKET, SO_TYPE, &value, &len));
  NUM(len);
  NUM(value);
  unsigned char small = 0;
  len = 1;
  SHOW(getsockopt(udp, IPPROTO_IP, IP_MULTICAST_TTL, &small, &len));
  NUM(small);
  small = 17;
  SHOW(setsockopt(udp, IPPROTO_IP, IP_MULTICAST_TTL, &small, 1));
  NUM(option(udp, IPPROTO_IP, IP_MULTICAST_TTL));
  return 0;
}
