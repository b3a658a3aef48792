/* Believes that nobody is ever lucky with a six. It computes its own numbers, and lets the kernel draw a byte. */
#include "../sockets.h"

#include <sys/random.h>

int main(void) {
  char message[2];
  unsigned char byte;
  int fd = bound(SOCK_DGRAM, 7000);
  srand(5);
  int first = rand();
  srand(5);
  assert(rand() == first);
  assert(getrandom(&byte, 1, 0) == 1);
  assert(byte != 200); // mark: byte
  assert(read(fd, message, sizeof message) == 2);
  assert(!message[1] || !message[0]); // mark: lucky
  return 0;
}
