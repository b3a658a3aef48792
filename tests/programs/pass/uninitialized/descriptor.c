// A descriptor and a length that were written are passed to the kernel.
//@ args: --check uninitialized
//@ native: yes
#include <unistd.h>

int main(void) {
  volatile int file;
  volatile unsigned char length;
  char text[256] = "x";
  file = -1;
  length = 1;
  close(file);
  if (write(1, text, length) < 0)
    return 1;
  return 0;
}
