/* Makes one request, which is either of two. */
#include "../peer.h"

int main(void) {
  int fd = connected(SOCK_STREAM, "server", 8080);
  unsigned char is_expiry;
  klee_make_symbolic(&is_expiry, 1, "is_expiry");
  write_all(fd, is_expiry ? "x" : "g", 1);
  char answers[16];
  last_answers(fd, answers, sizeof answers);
  return 0;
}
