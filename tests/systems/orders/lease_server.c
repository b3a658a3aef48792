/* A lock service: whoever asks first holds the lock, until it gives it back or its lease is over. Nobody waits here: a
 * client that finds the lock taken asks again later. */
#include <time.h>

#include "lease.h"

int main(void) {
  int fd = bound(SOCK_DGRAM, PORT), holder = 0;
  long long expires = 0;
  for (;;) {
    struct message message;
    struct sockaddr_in peer;
    socklen_t length = sizeof peer;
    assert(recvfrom(fd, &message, sizeof message, 0, (struct sockaddr *)&peer, &length) == sizeof message);
    if (message.kind == RELEASE) {
      if (holder == message.client) holder = 0;
      continue;
    }
    if (holder == 0 || holder == message.client || now() >= expires) {
      holder = message.client;
      expires = now() + LEASE;
      message.kind = GRANTED;
    } else {
      message.kind = BUSY;
    }
    assert(sendto(fd, &message, sizeof message, 0, (struct sockaddr *)&peer, length) == sizeof message);
  }
}
