/* Asks the answerer, and takes what comes until nothing has come for a while. It says who was heard. */
#include <sys/time.h>

#include "../../sockets.h"

int main(void) {
  int fd = bound(SOCK_DGRAM, 7000);
  struct timeval patience = {5, 0};
  struct sockaddr_in peer = address_of("answerer", 7000);
  char byte = 0;
  assert(setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience) == 0);
  assert(sendto(fd, &byte, 1, 0, (struct sockaddr *)&peer, sizeof peer) == 1);
  int heard = 0;
  while (recv(fd, &byte, 1, 0) == 1) heard |= byte == 'o' ? 1 : 2;
  printf("%d\n", heard);
  return 0;
}
