/* Two-phase commit over datagrams: takes all votes, in whatever order they come, and tells everybody what is decided. */
#include "../sockets.h"

enum { PORT = 5000, MOST = 8 };

int main(int argc, char **argv) {
  assert(argc == 2);
  int n = atoi(argv[1]), fd = bound(SOCK_DGRAM, PORT), yes = 0;
  struct sockaddr_in participant[MOST];
  assert(n <= MOST);
  for (int i = 0; i < n; i++) {
    char vote;
    socklen_t length = sizeof participant[i];
    assert(recvfrom(fd, &vote, 1, 0, (struct sockaddr *)&participant[i], &length) == 1);
    if (vote == 'y') yes++;
  }
  char decision = yes == n ? 'c' : 'a';
  for (int i = 0; i < n; i++)
    assert(sendto(fd, &decision, 1, 0, (struct sockaddr *)&participant[i], sizeof participant[i]) == 1);
  return 0;
}
