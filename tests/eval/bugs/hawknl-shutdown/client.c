/* Sends two symbolic bytes, one of which may say that it is enough. */
#include "../peer.h"

int main(void) {
  int fd = connected(SOCK_STREAM, "server", 4000);
  char moves[2];
  klee_make_symbolic(moves, sizeof moves, "moves");
  ssize_t sent = send(fd, moves, sizeof moves, MSG_NOSIGNAL);
  assert(sent == sizeof moves || errno == EPIPE || errno == ECONNRESET);
  char answers[16];
  last_answers(fd, answers, sizeof answers);
  return 0;
}
