/* Logs in, and has a command of two symbolic characters executed. */
#include "../peer.h"

int main(void) {
  int fd = connected(SOCK_STREAM, "server", 2121);
  char lines[] = "USER ftp\r\nSITE EXEC ??\r\nQUIT\r\n";
  klee_make_symbolic(strchr(lines, '?'), 2, "command");
  write_all(fd, lines, sizeof lines - 1);

  char answers[256];
  last_answers(fd, answers, sizeof answers);
  return 0;
}
