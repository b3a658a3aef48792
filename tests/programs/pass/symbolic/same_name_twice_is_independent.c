//@ paths: 2
// Two inputs of one name are two inputs: they may differ.
#include <klee/klee.h>

volatile int differ;

int main(void) {
  int v[2];
  for (int i = 0; i < 2; i++)
    v[i] = klee_int("same");
  if (v[0] != v[1])
    differ++;
  return 0;
}
