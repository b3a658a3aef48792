/* Logs in with a token of any bytes. */
#include "../peer.h"

int main(void) {
  int fd = connected(SOCK_STREAM, "server", 3306);
  unsigned short scramble[4];
  assert(read_all(fd, scramble, sizeof scramble) == sizeof scramble);

  struct {
    char name[8];
    unsigned short token[4];
  } login = {.name = "root"};
  klee_make_symbolic(login.token, sizeof login.token, "token");
  write_all(fd, &login, sizeof login);

  char answers[16];
  last_answers(fd, answers, sizeof answers);
  return 0;
}
