/* Counts on a word to come in one piece. */
#include "../../sockets.h"

int main(void) {
  int fd = accept(listening(7000), NULL, NULL);
  char word[4];
  assert(read(fd, word, 4) == 4); // mark: piece
  return 0;
}
