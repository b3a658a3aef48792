// Options are as they are by default, and as they were set; flags become 1.
#include "net.h"

static void show(const char *what, int fd, int level, int name, int value) {
  printf("%s: %d", what, option(fd, level, name));
  errno = 0;
  int result = set(fd, level, name, value);
  printf(", set %d %s, %d\n", value, result ? errno_name(errno) : "ok", option(fd, level, name));
}
#define BOTH(fd, level, name, value) show(#fd " " #name, fd, level, name, value)

int main(void) {
  int tcp = socket(AF_INET, SOCK_STREAM, 0), udp = socket(AF_INET, SOCK_DGRAM, 0);
  BOTH(tcp, SOL_SOCKET, SO_REUSEADDR, 5);
  BOTH(tcp, SOL_SOCKET, SO_REUSEPORT, 1);
  BOTH(tcp, SOL_SOCKET, SO_KEEPALIVE, 7);
  BOTH(udp, SOL_SOCKET, SO_BROADCAST, -1);
  BOTH(tcp, SOL_SOCKET, SO_OOBINLINE, 1);
  BOTH(tcp, SOL_SOCKET, SO_DONTROUTE, 1);
  BOTH(tcp, SOL_SOCKET, SO_PRIORITY, 3);
  BOTH(tcp, SOL_SOCKET, SO_RCVLOWAT, 20);
  BOTH(udp, SOL_SOCKET, SO_TIMESTAMP, 1);
  BOTH(tcp, SOL_SOCKET, SO_BUSY_POLL, 0);
  BOTH(tcp, SOL_SOCKET, SO_BUSY_POLL, -1);
  BOTH(tcp, SOL_SOCKET, SO_INCOMING_CPU, 0);
  BOTH(tcp, SOL_SOCKET, SO_MAX_PACING_RATE, 100000);
  BOTH(tcp, IPPROTO_TCP, TCP_NODELAY, 3);
  BOTH(tcp, IPPROTO_TCP, TCP_CORK, 1);
  BOTH(tcp, IPPROTO_TCP, TCP_KEEPIDLE, 60);
  BOTH(tcp, IPPROTO_TCP, TCP_KEEPINTVL, 10);
  BOTH(tcp, IPPROTO_TCP, TCP_KEEPCNT, 4);
  BOTH(tcp, IPPROTO_TCP, TCP_KEEPCNT, 128);
  BOTH(tcp, IPPROTO_TCP, TCP_KEEPIDLE, 0);
  BOTH(tcp, IPPROTO_TCP, TCP_SYNCNT, 3);
  BOTH(tcp, IPPROTO_TCP, TCP_USER_TIMEOUT, 1000);
  BOTH(tcp, IPPROTO_TCP, TCP_USER_TIMEOUT, -1);
  BOTH(tcp, IPPROTO_TCP, TCP_DEFER_ACCEPT, 1);
  BOTH(tcp, IPPROTO_TCP, TCP_QUICKACK, 0);
  BOTH(tcp, IPPROTO_TCP, TCP_FASTOPEN, 5);
  BOTH(tcp, IPPROTO_TCP, TCP_NOTSENT_LOWAT, 16384);
  BOTH(tcp, IPPROTO_TCP, TCP_LINGER2, 10);
  BOTH(tcp, IPPROTO_TCP, TCP_WINDOW_CLAMP, 65536);
  BOTH(tcp, IPPROTO_TCP, TCP_WINDOW_CLAMP, 1);
  BOTH(tcp, IPPROTO_TCP, TCP_WINDOW_CLAMP, 0);
  BOTH(tcp, IPPROTO_TCP, TCP_THIN_LINEAR_TIMEOUTS, 1);
  BOTH(tcp, IPPROTO_TCP, TCP_THIN_LINEAR_TIMEOUTS, 2);
  BOTH(tcp, IPPROTO_IP, IP_TTL, 12);
  BOTH(tcp, IPPROTO_IP, IP_TTL, 0);
  BOTH(tcp, IPPROTO_IP, IP_TTL, 256);
  BOTH(tcp, IPPROTO_IP, IP_TTL, -1);
  BOTH(udp, IPPROTO_IP, IP_TOS, 0x10);
  BOTH(udp, IPPROTO_IP, IP_MULTICAST_TTL, 9);
  BOTH(udp, IPPROTO_IP, IP_MULTICAST_LOOP, 0);
  BOTH(udp, IPPROTO_IP, IP_RECVTTL, 1);
  BOTH(udp, IPPROTO_IP, IP_PKTINFO, 1);
  BOTH(udp, IPPROTO_IP, IP_RECVERR, 1);
  BOTH(tcp, IPPROTO_IP, IP_TRANSPARENT, 0);
  BOTH(tcp, IPPROTO_IP, IP_BIND_ADDRESS_NO_PORT, 1);
  char name[16] = "cubic";
  socklen_t len = sizeof name;
  SHOW(setsockopt(tcp, IPPROTO_TCP, TCP_CONGESTION, "reno", 4));
  SHOW(getsockopt(tcp, IPPROTO_TCP, TCP_CONGESTION, name, &len));
  printf("%s\n", name);
  SHOW(setsockopt(tcp, IPPROTO_TCP, TCP_CONGESTION, "nothing", 7));
  return 0;
}
