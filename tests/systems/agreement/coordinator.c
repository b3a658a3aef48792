/* Two-phase commit over datagrams. Arguments: how many committers there are, and a mistake: `none`; `generous` tells the
 * last one to commit if all but one voted yes; `forgetful` tells the last one nothing. */
#include <everett.h>

#include "../sockets.h"

int main(int argc, char **argv) {
  int n = atoi(argv[1]), yes = 0, fd = bound(SOCK_DGRAM, 5000);
  int generous = strcmp(argv[2], "generous") == 0, forgetful = strcmp(argv[2], "forgetful") == 0;
  struct sockaddr_in from[8];
  for (int i = 0; i < n; i++) {
    char vote;
    socklen_t size = sizeof from[i];
    assert(recvfrom(fd, &vote, 1, 0, (struct sockaddr *)&from[i], &size) == 1);
    yes += vote == 'y';
  }
  int committed = yes == n;
  everett_expose(1, "decision", committed); // mark: decided
  for (int i = 0; i < n - forgetful; i++) {
    int told = committed | (generous & (i == n - 1) & (yes == n - 1));
    char word = 'a' + ('c' - 'a') * told;
    assert(sendto(fd, &word, 1, 0, (struct sockaddr *)&from[i], sizeof from[i]) == 1);
  }
  return 0;
}
