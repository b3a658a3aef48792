//@ args: --preempt all
//@ paths: 8
// executions: 8
// A writer makes a sequence odd while it changes a value. The reader believes the value if the sequence was even, and
// is the same afterwards.
#include <assert.h>
#include <stdatomic.h>

#include "threads.h"

static atomic_int sequence, value;

static void *writer(void *none) {
  atomic_fetch_add(&sequence, 1);
  atomic_store(&value, 1);
  atomic_fetch_add(&sequence, 1);
  return none;
}

static void *reader(void *none) {
  int first = atomic_load(&sequence), seen = atomic_load(&value);
  if (first % 2 == 0 && atomic_load(&sequence) == first) assert(seen == first / 2);
  return none;
}

int main(void) {
  RUN(writer, reader);
  return 0;
}
