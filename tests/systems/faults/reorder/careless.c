/* Counts on letters to come in the order of the alphabet. */
#include "../../sockets.h"

int main(int argc, char **argv) {
  int fd = bound(SOCK_DGRAM, 7000);
  assert(argc == 2);
  char last = 0, letter;
  for (int left = atoi(argv[1]); left > 0; left--) {
    assert(read(fd, &letter, 1) == 1);
    assert(letter > last); // mark: order
    last = letter;
  }
  return 0;
}
