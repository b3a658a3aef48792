//@ args: --preempt all
//@ paths: 6
// executions: 6
// Three threads claim a place, and those that come too late count themselves: one of three wins, and the others count
// in either order.
#include <assert.h>
#include <stdatomic.h>

#include "threads.h"

static atomic_int owner, losers;

static void *claim(void *number) {
  int nobody = 0;
  if (!atomic_compare_exchange_strong(&owner, &nobody, (int)(intptr_t)number + 1)) atomic_fetch_add(&losers, 1);
  return NULL;
}

int main(void) {
  RUN(claim, claim, claim);
  assert(losers == 2);
  return 0;
}
