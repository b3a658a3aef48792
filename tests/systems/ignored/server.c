/* Looks up what a client asks for, and believes that it is there. */
#include "../sockets.h"

int table[4] = {1, 2, 3, 4};

static __attribute__((noinline)) int pick(volatile unsigned char *index) { return table[*index]; }

int main(void) {
  int fd = bound(SOCK_DGRAM, 7000);
  for (;;) {
    struct sockaddr_in peer;
    socklen_t size = sizeof peer;
    unsigned char index;
    assert(recvfrom(fd, &index, 1, 0, (struct sockaddr *)&peer, &size) == 1);
    const char *answer = "other";
    if (pick(&index) == 3) answer = "three";
    assert(sendto(fd, answer, 5, 0, (struct sockaddr *)&peer, size) == 5);
  }
}
