/* Collects the votes of three members, branches on each, and tells everybody what was decided. */
#include <everett.h>

#include "../sockets.h"

enum { MEMBERS = 3 };

int main(void) {
  int fd = bound(SOCK_DGRAM, 5000), commit = 1;
  struct sockaddr_in from[MEMBERS];
  for (int i = 0; i < MEMBERS; i++) {
    char vote;
    socklen_t size = sizeof from[i];
    assert(recvfrom(fd, &vote, 1, 0, (struct sockaddr *)&from[i], &size) == 1);
    if (vote != 'y') {
      puts("no");
      commit = 0;
    }
  }
  everett_expose(1, "decision", commit);
  char decision = commit ? 'c' : 'a';
  for (int i = 0; i < MEMBERS; i++)
    assert(sendto(fd, &decision, 1, 0, (struct sockaddr *)&from[i], sizeof from[i]) == 1);
  return 0;
}
