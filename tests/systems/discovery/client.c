/* Calls everybody on its network, and collects answers for a second. */
#include <poll.h>

#include "../sockets.h"

int main(int argc, char **argv) {
  int n = atoi(argv[1]), on = 1, found = 0;
  struct sockaddr_in all = {.sin_family = AF_INET, .sin_port = htons(9000), .sin_addr.s_addr = htonl(INADDR_BROADCAST)};
  int fd = socket(AF_INET, SOCK_DGRAM, 0);
  assert(sendto(fd, "?", 1, 0, (struct sockaddr *)&all, sizeof all) == -1 && errno == EACCES);
  assert(setsockopt(fd, SOL_SOCKET, SO_BROADCAST, &on, sizeof on) == 0);
  assert(sendto(fd, "?", 1, 0, (struct sockaddr *)&all, sizeof all) == 1);
  struct pollfd wanted = {fd, POLLIN, 0};
  while (poll(&wanted, 1, 1000) == 1) {
    unsigned char number;
    assert(recv(fd, &number, 1, 0) == 1);
    assert(!(found & 1 << number));
    found |= 1 << number;
  }
  assert(found == (1 << (n + 1)) - 2);
  return 0;
}
