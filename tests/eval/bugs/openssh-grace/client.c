/* Says two things of itself, each of which is any of two. */
#include "../peer.h"

int main(void) {
  int fd = connected(SOCK_STREAM, "server", 2222);
  char kinds[2], line[] = "?somebody\n";
  klee_make_symbolic(kinds, sizeof kinds, "kinds");
  for (int i = 0; i < 2; i++) {
    line[0] = kinds[i];
    if (send(fd, line, sizeof line - 1, MSG_NOSIGNAL) < 0) break;
  }
  char answers[16];
  last_answers(fd, answers, sizeof answers);
  return 0;
}
