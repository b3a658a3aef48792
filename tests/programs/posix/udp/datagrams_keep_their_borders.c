// Each datagram is received whole, in order, with its sender; empty ones count.
#include "../socket/net.h"

int main(void) {
  int a = at_free_port(SOCK_DGRAM), b = socket(AF_INET, SOCK_DGRAM, 0);
  Inet to = name_of(a), from;
  SHOW(sendto(b, "first", 5, 0, ADDRESS(to), sizeof to));
  SHOW(sendto(b, "", 0, 0, ADDRESS(to), sizeof to));
  SHOW(sendto(b, "third one", 9, 0, ADDRESS(to), sizeof to));
  char buffer[32];
  socklen_t len = sizeof from;
  SHOW(recvfrom(a, buffer, sizeof buffer, 0, ADDRESS(from), &len));
  NUM(len);
  IS(port_of(b) == ntohs(from.sin_port) && from.sin_addr.s_addr == htonl(INADDR_LOOPBACK));
  IS(name_of(b).sin_addr.s_addr == 0);
  get("empty", a, 32, 0);
  get("third", a, 32, 0);
  get("none", a, 32, MSG_DONTWAIT);
  // An answer to whoever it was.
  SHOW(sendto(a, "answer", 6, 0, ADDRESS(from), len));
  get("answer", b, 32, 0);
  SHOW(write(a, "x", 1));
  SHOW(read(a, buffer, 0));
  return 0;
}
