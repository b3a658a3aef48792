/* Answers a call to everybody with its number. */
#include "../sockets.h"

int main(int argc, char **argv) {
  unsigned char number = atoi(argv[1]), call;
  int fd = bound(SOCK_DGRAM, 9000);
  for (;;) {
    struct sockaddr_in peer;
    socklen_t length = sizeof peer;
    assert(recvfrom(fd, &call, 1, 0, (struct sockaddr *)&peer, &length) == 1);
    assert(call == '?');
    assert(sendto(fd, &number, 1, 0, (struct sockaddr *)&peer, length) == 1);
  }
}
