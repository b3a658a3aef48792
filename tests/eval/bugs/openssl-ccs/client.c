/* Sends five messages of any kinds. */
#include "../peer.h"

int main(void) {
  int fd = connected(SOCK_STREAM, "server", 4433);
  unsigned char messages[5][2];
  klee_make_symbolic(messages, sizeof messages, "messages");
  write_all(fd, messages, sizeof messages);

  char answers[16];
  last_answers(fd, answers, sizeof answers);
  return 0;
}
