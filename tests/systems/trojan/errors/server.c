/* Answers each request: unknown ones with an error. */
#include <everett.h>

#include "../../sockets.h"

#ifndef REJECT
#define REJECT everett_reject()
#endif

int main(void) {
  int fd = bound(SOCK_DGRAM, 7121), counter = 0;
  for (;;) {
    unsigned char request;
    struct sockaddr_in peer;
    socklen_t peer_size = sizeof peer;
    if (recvfrom(fd, &request, 1, MSG_TRUNC, (struct sockaddr *)&peer, &peer_size) != 1) continue;
    switch (request) {
    case '+':
      counter++;
      break;
    case '-':
      counter--;
      break;
    case '0':
      counter = 0;
      break;
    default:
      REJECT;
      sendto(fd, "e", 1, 0, (struct sockaddr *)&peer, peer_size); // mark: error
      continue;
    }
    sendto(fd, "k", 1, 0, (struct sockaddr *)&peer, peer_size); // mark: answer
  }
}
