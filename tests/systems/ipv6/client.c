/* Connects to a host by the family that it is told, and is told its own address. */
#include "ipv6.h"

int main(int argc, char **argv) {
  int is_six = strcmp(argv[1], "six!") == 0;
  socklen_t size;
  struct sockaddr_storage to = found("server", 7000, is_six ? AF_INET6 : AF_INET, &size);
  int fd = socket(to.ss_family, SOCK_STREAM, 0);
  assert(connect(fd, (struct sockaddr *)&to, size) == 0);
  write_all(fd, argv[1], 4);
  char told[64] = {0};
  size_t length = read_all(fd, told, sizeof told - 1);
  assert(length > 0 && strcmp(told, is_six ? "fd00:1::2" : "::ffff:10.0.0.3") == 0);
  struct sockaddr_storage own = {0};
  size = sizeof own;
  assert(getsockname(fd, (struct sockaddr *)&own, &size) == 0);
  assert(own.ss_family == (is_six ? AF_INET6 : AF_INET));
  close(fd);
  return 0;
}
