// A write to a page that mprotect made read-only, beside one that can still be written.
#include <sys/mman.h>

int main(void) {
  volatile int *memory = mmap(0, 8192, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED)
    return 1;
  memory[0] = 1;
  if (mprotect((void *)memory, 4096, PROT_READ))
    return 1;
  memory[1024] = memory[0];
  memory[1] = 2; // expect: bug read-only-write
  // expect: message contains "mapped read-only"
  return 0;
}
