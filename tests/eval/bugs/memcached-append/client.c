/* Sets a value, and makes a request whose operation and lengths are symbolic. */
#include "../peer.h"

struct request {
  unsigned char magic, opcode, key_length[2], body_length[4];
  char body[16];
};

int main(void) {
  int fd = connected(SOCK_STREAM, "server", 11211);
  struct request set = {0x80, 1, {0, 4}, {0, 0, 0, 6}, "name42"};
  write_all(fd, &set, 8 + 6);
  unsigned char status;
  assert(read_all(fd, &status, 1) == 1 && status == 0);

  struct request request = {0x80, 0, {0}, {0}, "name42-and-more"};
  klee_make_symbolic(&request.opcode, 1 + 2 + 4, "request");
  write_all(fd, &request, sizeof request);
  char answers[32];
  last_answers(fd, answers, sizeof answers);
  return 0;
}
