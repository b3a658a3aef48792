/* Puts a value under a key of one byte, and then makes a request whose operation and length are symbolic. */
#include <klee/klee.h>

#include "../sockets.h"

struct request {
  unsigned char operation, length, key[4], value;
};

int main(void) {
  int fd = connected(SOCK_STREAM, "store", 6379);
  struct request put = {'p', 1, "a", 42};
  write_all(fd, &put, sizeof put);
  char answer[3];
  assert(read(fd, answer, sizeof answer) == 1 && answer[0] == 'k');

  struct request request = {.key = "aaaa"};
  klee_make_symbolic(&request, 2, "request");
  write_all(fd, &request, sizeof request);
  ssize_t size = read(fd, answer, sizeof answer);
  if (size == 2 && answer[0] == 'v') {
    /* Only what was put is found. */
    assert(answer[1] == 42);
    assert(request.operation == 'g' && request.length == 1);
  }
  close(fd);
  return 0;
}
