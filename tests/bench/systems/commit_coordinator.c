/* coordinator MEMBERS: collects votes, decides to commit if all are yes, and tells everybody. */
#include <assert.h>
#include <everett.h>
#include <netinet/in.h>
#include <stdlib.h>
#include <sys/socket.h>

enum { MOST = 16 };

int main(int argc, char **argv) {
  int members = atoi(argv[argc - 1]), commit = 1;
  struct sockaddr_in member[MOST], self = {.sin_family = AF_INET, .sin_port = htons(5000)};
  int fd = socket(AF_INET, SOCK_DGRAM, 0);
  assert(members <= MOST && bind(fd, (struct sockaddr *)&self, sizeof self) == 0);
  for (int i = 0; i < members; i++) {
    char vote;
    socklen_t size = sizeof member[i];
    assert(recvfrom(fd, &vote, 1, 0, (struct sockaddr *)&member[i], &size) == 1);
    if (vote != 'y') commit = 0;
  }
  everett_expose(1, "decision", commit);
  for (int i = 0; i < members; i++) {
    char decision = commit ? 'c' : 'a';
    assert(sendto(fd, &decision, 1, 0, (struct sockaddr *)&member[i], sizeof member[i]) == 1);
  }
  return 0;
}
