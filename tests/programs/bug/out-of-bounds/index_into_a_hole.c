// A symbolic index reaches the page that munmap took out of the middle; all others are fine.
//@ paths: 1
//@ findings: 1
#include <klee/klee.h>
#include <sys/mman.h>

volatile char sink;

int main(void) {
  unsigned index;
  char *memory = mmap(0, 3 * 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED || munmap(memory + 4096, 4096))
    return 1;
  klee_make_symbolic(&index, sizeof index, "index");
  klee_assume(index < 3 * 4096);
  sink = memory[index]; // expect: bug out-of-bounds
  // expect: message contains "not mapped"
  klee_assert((index < 4096) | (index >= 8192));
  return 0;
}
