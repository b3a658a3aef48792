/* Asks again each second until it is answered. */
#include <poll.h>
#include <time.h>

#include "../sockets.h"

int main(void) {
  struct sockaddr_in peer = address_of("server", 7000);
  int fd = socket(AF_INET, SOCK_DGRAM, 0), attempts = 0;
  time_t start = time(NULL);
  struct pollfd wanted = {fd, POLLIN, 0};
  do {
    char byte = attempts++;
    assert(sendto(fd, &byte, 1, 0, (struct sockaddr *)&peer, sizeof peer) == 1);
  } while (poll(&wanted, 1, 1000) == 0);
  char byte;
  assert(recv(fd, &byte, 1, 0) == 1);
  assert(attempts == 4 && byte == 3);
  assert(time(NULL) - start == 3);
  return 0;
}
