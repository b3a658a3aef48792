// An address that belongs to no object.
#include <stdint.h>

volatile uintptr_t address = 0xdeadbeef00;
volatile int sink;

int main(void) {
  sink = *(int *)address; // expect: bug out-of-bounds
  return 0;
}
