// A descriptor and a length that were never written are passed to the kernel.
//@ args: --check uninitialized
#include <unistd.h>

int main(void) {
  volatile int file;
  volatile unsigned char length;
  char text[256] = "x";
  close(file); // expect: bug uninitialized
  // expect: message contains "what close is given depends on"
  if (write(1, text, length) < 0) // expect: bug uninitialized
    return 1;
  return 0;
}
