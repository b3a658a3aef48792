// Calling an address that is no function.
#include <stdint.h>

volatile uintptr_t address = 0x12345678;

int main(void) {
  ((void (*)(void))address)(); // expect: bug out-of-bounds
  return 0;
}
