/* Reads three bytes that come in pieces, each time as many as there are. */
#include "../sockets.h"

int main(void) {
  char bytes[3];
  int fd = accept(listening(5000), NULL, NULL);
  for (int read_so_far = 0; read_so_far < 3;) {
    ssize_t count = read(fd, bytes + read_so_far, sizeof bytes - read_so_far);
    assert(count > 0);
    read_so_far += count;
  }
  assert(memcmp(bytes, "abc", 3) == 0);
  return 0;
}
