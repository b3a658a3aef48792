/* Receives a megabyte, in pieces of any size. */
#include "line.h"

int main(void) {
  static char piece[65536];
  size_t done = 0;
  int fd = connected(SOCK_STREAM, "peer", 7000);
  write_all(fd, "all of it\n", 10);
  while (done < 1 << 20) {
    ssize_t more = read(fd, piece, sizeof piece);
    assert(more > 0);
    assert(piece[0] == (char)(done % 128));
    done += more;
    assert(piece[more - 1] == (char)((done - 1) % 128));
  }
  assert(done == 1 << 20);
  close(fd);
  return 0;
}
