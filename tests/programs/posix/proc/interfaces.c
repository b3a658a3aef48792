// Interfaces, routes and neighbours in /proc/net, as far as every host has them: the loopback interface.
#include "net.h"

static unsigned long packets(void) {
  char line[512];
  unsigned long bytes = 0, received = 0, sent_bytes = 0, sent = 0;
  need(line_with("/proc/net/dev", "lo:", line, sizeof line), "lo");
  int count = sscanf(line, " lo: %lu %lu %*u %*u %*u %*u %*u %*u %lu %lu", &bytes, &received, &sent_bytes, &sent);
  need(count == 4 && bytes >= received && sent_bytes >= sent, "four numbers");
  return received;
}

int main(void) {
  heading("/proc/net/dev");
  heading("/proc/net/route");
  heading("/proc/net/arp");
  char line[512];
  IS(line_with("/proc/net/if_inet6", "00000000000000000000000000000001", line, sizeof line));
  printf("%s", line);
  unsigned long before = packets();
  int pair[2];
  udp_pair(pair);
  SHOW(send(pair[0], "x", 1, 0));
  IS(packets() > before);
  return 0;
}
