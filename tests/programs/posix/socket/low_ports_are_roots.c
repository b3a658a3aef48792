// Ports below 1024 are for root; the first ordinary one is not.
#include "net.h"

int main(void) {
  be_ordinary_user();
  int limit = 1024;
  FILE *file = fopen("/proc/sys/net/ipv4/ip_unprivileged_port_start", "r");
  if (file) {
    need(fscanf(file, "%d", &limit) == 1, "port");
    fclose(file);
  }
  Inet a = local(1023);
  int fd = socket(AF_INET, SOCK_STREAM, 0);
  errno = 0;
  int refused = bind(fd, ADDRESS(a), sizeof a) == -1 && errno == EACCES;
  // Some machines let everybody have every port.
  IS(refused || limit <= 1023);
  a = local(80);
  errno = 0;
  fd = socket(AF_INET, SOCK_DGRAM, 0);
  refused = bind(fd, ADDRESS(a), sizeof a) == -1 && (errno == EACCES || limit <= 80);
  IS(refused || limit <= 80);
  return 0;
}
