//@ paths: 64
// Six independent branches make 64 paths.
#include <klee/klee.h>

volatile int count;

int main(void) {
  unsigned char buffer[6];
  klee_make_symbolic(buffer, sizeof buffer, "buffer");
  for (int i = 0; i < 6; i++)
    if (buffer[i] > 'a')
      count++;
  return 0;
}
