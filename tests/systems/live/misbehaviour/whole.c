/* Sends one of four letters, and the end of the stream at once. */
#include <klee/klee.h>

#include "line.h"

int main(void) {
  char letter, text[64];
  int fd = connected(SOCK_STREAM, "peer", 7000);
  klee_make_symbolic(&letter, sizeof letter, "letter");
  klee_assume(letter == 'A' | letter == 'B' | letter == 'X' | letter == 'Y');
  write_all(fd, &letter, 1);
  assert(shutdown(fd, SHUT_WR) == 0);
  assert(receive_line(fd, text, sizeof text) > 0);
  assert(strcmp(text, "it is low") == 0); // mark: low
  close(fd);
  return 0;
}
