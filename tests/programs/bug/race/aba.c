//@ args: --preempt 1
// A stack without locks: the head is the same again, but what is below it is not (the ABA problem).
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

struct node {
  _Atomic(struct node *) next;
  int taken;
};

static struct node nodes[3];
static _Atomic(struct node *) head;

static void push(struct node *node) {
  struct node *old = atomic_load(&head);
  node->taken = 0;
  do
    node->next = old;
  while (!atomic_compare_exchange_strong(&head, &old, node));
}

static struct node *pop(void) {
  struct node *old = atomic_load(&head);
  while (old) {
    struct node *next = old->next;
    if (atomic_compare_exchange_strong(&head, &old, next))
      break;
  }
  if (old) {
    assert(!old->taken); // expect: bug assert
    old->taken = 1;
  }
  return old;
}

static void *shuffle(void *none) {
  struct node *a = pop(), *b = pop();
  if (a)
    push(a);
  (void)b; // Kept for good.
  return none;
}

int main(void) {
  for (int i = 0; i < 3; i++)
    push(&nodes[i]);
  pthread_t thread;
  pthread_create(&thread, NULL, shuffle, NULL);
  struct node *mine = pop();
  pthread_join(thread, NULL);
  while (pop())
    continue;
  return mine == NULL;
}
