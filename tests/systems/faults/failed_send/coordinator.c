/* Tells two parties to commit, one after the other. With -c it tries again what has failed. */
#include "../../sockets.h"

int main(int argc, char **argv) {
  (void)argv;
  for (int i = 1; i <= 2; i++) {
    char name[16];
    snprintf(name, sizeof name, "party%d", i);
    struct sockaddr_in peer = address_of(name, 7000);
    int fd = socket(AF_INET, SOCK_DGRAM, 0);
    char commit = 1;
    while (sendto(fd, &commit, 1, 0, (struct sockaddr *)&peer, sizeof peer) < 0 && argc > 1) continue;
    close(fd);
  }
  return 0;
}
