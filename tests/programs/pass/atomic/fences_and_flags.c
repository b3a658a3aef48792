//@ native: yes
// Fences, test-and-set and clear, and C11 atomic types.
#include <stdatomic.h>
#include <stdio.h>

atomic_int counter = 3;
atomic_flag flag = ATOMIC_FLAG_INIT;
_Atomic(long) total;
_Atomic _Bool ready;

int main(void) {
  counter++;
  counter += 10;
  counter *= 2;
  atomic_thread_fence(memory_order_seq_cst);
  atomic_signal_fence(memory_order_acquire);
  int before = atomic_flag_test_and_set(&flag), after = atomic_flag_test_and_set(&flag);
  atomic_flag_clear(&flag);
  total = atomic_fetch_add(&counter, 1) + 100L;
  ready = counter;
  printf("%d %d %d %ld %d\n", counter, before, after, (long)total, ready);
  return 0;
}
