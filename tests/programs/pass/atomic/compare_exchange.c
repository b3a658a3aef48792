//@ native: yes
// Strong and weak compare-exchange: success stores, failure loads what was there.
#include <stdio.h>

int cell = 5;
void *pointer;

int main(void) {
  int expected = 5;
  _Bool ok = __atomic_compare_exchange_n(&cell, &expected, 9, 0, __ATOMIC_SEQ_CST, __ATOMIC_RELAXED);
  printf("%d %d %d\n", ok, expected, cell);
  ok = __atomic_compare_exchange_n(&cell, &expected, 11, 0, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE);
  printf("%d %d %d\n", ok, expected, cell);
  do
    ok = __atomic_compare_exchange_n(&cell, &expected, expected + 1, 1, __ATOMIC_SEQ_CST, __ATOMIC_RELAXED);
  while (!ok);
  int old = __sync_val_compare_and_swap(&cell, 10, 20);
  printf("%d %d\n", cell, old);
  void *none = 0;
  ok = __atomic_compare_exchange_n(&pointer, &none, &cell, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
  printf("%d %d %d\n", ok, pointer == &cell, cell);
  return 0;
}
