/* A pool of buffers without a lock: free buffers are a list, and the head is taken by a compare-and-swap. A careless
 * pool compares the number of the buffer alone. Between the look at a head and the swap, another thread may take the
 * first two buffers and give the first one back: the head is the same again, but what comes behind it is in use (the
 * ABA problem), and two threads get one buffer. A careful pool counts its changes in the upper half of the head. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>

enum { BUFFERS = 3, NONE = BUFFERS };

static int careful;
static atomic_uint next_free[BUFFERS], users[BUFFERS];
static atomic_ullong head;

static unsigned long long with(unsigned long long old, unsigned first) {
  unsigned long long changes = careful ? (old >> 32) + 1 : 0;
  return changes << 32 | first;
}

static unsigned take(void) {
  unsigned long long old = atomic_load(&head);
  while ((unsigned)old != NONE)
    if (atomic_compare_exchange_strong(&head, &old, with(old, atomic_load(&next_free[(unsigned)old])))) {
      assert(atomic_fetch_add(&users[(unsigned)old], 1) == 0); // mark: twice
      break;
    }
  return (unsigned)old;
}

static void give_back(unsigned buffer) {
  if (buffer == NONE) return;
  atomic_fetch_sub(&users[buffer], 1);
  unsigned long long old = atomic_load(&head);
  do
    atomic_store(&next_free[buffer], (unsigned)old);
  while (!atomic_compare_exchange_strong(&head, &old, with(old, buffer)));
}

/* Needs two buffers. */
static void *collect(void *none) {
  take();
  take();
  return none;
}

/* Needs two buffers as well, but the first one not for long. */
static void *copy(void *none) {
  unsigned from = take();
  take();
  give_back(from);
  return none;
}

int main(int argc, char **argv) {
  assert(argc == 2);
  careful = strcmp(argv[1], "careful") == 0;
  for (unsigned i = 0; i < BUFFERS; i++) next_free[i] = i + 1;
  pthread_t threads[2];
  assert(pthread_create(&threads[0], NULL, collect, NULL) == 0);
  assert(pthread_create(&threads[1], NULL, copy, NULL) == 0);
  for (int i = 0; i < 2; i++) assert(pthread_join(threads[i], NULL) == 0);
  return 0;
}
