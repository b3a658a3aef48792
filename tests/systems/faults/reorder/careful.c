/* Takes letters in any order. */
#include "../../sockets.h"

int main(int argc, char **argv) {
  int fd = bound(SOCK_DGRAM, 7000);
  assert(argc == 2);
  char letter;
  for (int left = atoi(argv[1]); left > 0; left--) {
    assert(read(fd, &letter, 1) == 1);
    assert(letter >= 'a' && letter <= 'z');
  }
  return 0;
}
