/* Sends its number to the receiver; the second one does so after so many microseconds. */
#include "../sockets.h"

int main(int argc, char **argv) {
  assert(argc == 3);
  if (atoi(argv[1]) == 2) usleep(atoi(argv[2]));
  struct sockaddr_in peer = address_of("receiver", 5000);
  int fd = socket(AF_INET, SOCK_DGRAM, 0);
  assert(sendto(fd, argv[1], 1, 0, (struct sockaddr *)&peer, sizeof peer) == 1);
  return 0;
}
