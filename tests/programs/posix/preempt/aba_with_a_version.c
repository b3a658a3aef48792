//@ args: --preempt 2
// A stack without locks whose head carries a version: the same node on top again is another head.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

enum { NODES = 3, NONE = NODES };

static struct {
  atomic_uint next;
  unsigned taken;
} nodes[NODES];

// The node on top below, how often it changed above.
static atomic_ullong head = NONE;

static unsigned long long with(unsigned long long old, unsigned top) {
  return ((old >> 32) + 1) << 32 | top;
}

static void push(unsigned node) {
  unsigned long long old = atomic_load(&head);
  nodes[node].taken = 0;
  do
    nodes[node].next = (unsigned)old;
  while (!atomic_compare_exchange_strong(&head, &old, with(old, node)));
}

static unsigned pop(void) {
  unsigned long long old = atomic_load(&head);
  while ((unsigned)old != NONE)
    if (atomic_compare_exchange_strong(&head, &old, with(old, nodes[(unsigned)old].next))) {
      assert(!nodes[(unsigned)old].taken);
      nodes[(unsigned)old].taken = 1;
      break;
    }
  return (unsigned)old;
}

static void *shuffle(void *none) {
  unsigned a = pop(), b = pop();
  if (a != NONE)
    push(a);
  (void)b; // Kept for good.
  return none;
}

int main(void) {
  for (unsigned i = 0; i < NODES; i++)
    push(i);
  pthread_t thread;
  pthread_create(&thread, NULL, shuffle, NULL);
  unsigned mine = pop();
  pthread_join(thread, NULL);
  while (pop() != NONE)
    continue;
  return mine == NONE;
}
