// Freeing a number that was never an address.
#include <stdint.h>
#include <stdlib.h>

volatile uintptr_t number = 4096;

int main(void) {
  free((void *)number); // expect: bug invalid-free
  return 0;
}
