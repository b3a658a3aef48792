/* Sets a limit of ten symbolic characters, and makes two queries. */
#include "../peer.h"

int main(void) {
  int fd = connected(SOCK_STREAM, "server", 8000);
  char lines[] = "maxwait ??????????\nquery\nquery\n";
  klee_make_symbolic(strchr(lines, '?'), 10, "seconds");
  write_all(fd, lines, sizeof lines - 1);

  char answers[32];
  last_answers(fd, answers, sizeof answers);
  return 0;
}
