//@ paths: 2
// Memory declared at a fixed address can be written, read and made symbolic.
#include <assert.h>
#include <klee/klee.h>

volatile int hits;

int main(void) {
  volatile unsigned *device = (volatile unsigned *)0x10000000;
  klee_define_fixed_object((void *)device, 16);
  device[0] = 0xabcd;
  device[3] = 7;
  assert(device[0] + device[3] == 0xabd4);
  klee_make_symbolic((void *)device, 16, "device");
  if (device[1] & 1)
    hits++;
  return 0;
}
