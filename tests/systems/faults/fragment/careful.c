/* Reads until a word is whole. */
#include "../../sockets.h"

int main(void) {
  int fd = accept(listening(7000), NULL, NULL);
  char word[4];
  assert(read_all(fd, word, 4) == 4 && memcmp(word, "ping", 4) == 0);
  return 0;
}
