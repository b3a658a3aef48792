//@ paths: 1
// Symbolic indices into arrays of structs address whole fields.
#include <assert.h>
#include <klee/klee.h>

struct entry { int key; short flags; long value; };
struct entry table[4] = {{1, 10, 100}, {2, 20, 200}, {3, 30, 300}, {4, 40, 400}};

int main(void) {
  unsigned i = (unsigned)klee_range(0, 4, "i");
  volatile long sum = table[i].key * 100 - table[i].value + table[i].flags - table[i].key * 10;
  assert(sum == 0);
  table[i].value = -1;
  volatile long total = table[0].value + table[1].value + table[2].value + table[3].value;
  assert(total == 999 - 100 * (long)(i + 1));
  return 0;
}
