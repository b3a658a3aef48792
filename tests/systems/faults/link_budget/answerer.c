/* Tells the asker after a second whether it was asked. */
#include "../../sockets.h"

int main(void) {
  int fd = bound(SOCK_DGRAM, 7000);
  struct sockaddr_in peer = address_of("asker", 7000);
  sleep(1);
  char asked = recv(fd, &(char){0}, 1, MSG_DONTWAIT) == 1;
  return sendto(fd, &asked, 1, 0, (struct sockaddr *)&peer, sizeof peer) != 1;
}
