/* Keeps one value for ever. */
#include "cache.h"

int main(void) {
  int fd = bound(SOCK_DGRAM, DATABASE_PORT), value = 1;
  for (;;) {
    struct sockaddr_in peer;
    struct message request = receive(fd, &peer);
    if (request.kind == SET) value = request.value;
    answer(fd, &peer, (struct message){DONE, value, 0});
  }
}
