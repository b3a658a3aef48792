//@ opt: O0
//@ paths: 15
// Binary search for a symbolic key among seven numbers: seven hits and eight gaps.
#include <assert.h>
#include <klee/klee.h>

static const int sorted[7] = {2, 4, 8, 16, 32, 64, 128};

int main(void) {
  int key = klee_int("key"), low = 0, high = 7;
  while (low < high) {
    int middle = (low + high) / 2;
    if (sorted[middle] == key) {
      assert((key & (key - 1)) == 0);
      return 1;
    }
    if (sorted[middle] < key)
      low = middle + 1;
    else
      high = middle;
  }
  return 0;
}
