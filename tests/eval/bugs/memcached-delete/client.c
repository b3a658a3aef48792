/* Makes one request, which is either of two. */
#include "../peer.h"

int main(void) {
  int fd = connected(SOCK_STREAM, "server", 11211);
  unsigned char is_delete;
  klee_make_symbolic(&is_delete, 1, "is_delete");
  write_all(fd, is_delete ? "d" : "i", 1);
  char answers[16];
  last_answers(fd, answers, sizeof answers);
  return 0;
}
