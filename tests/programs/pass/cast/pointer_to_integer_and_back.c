//@ native: yes
// A pointer survives its trip through an integer, with low tag bits set and cleared.
#include <stdint.h>
#include <stdio.h>

struct node {
  long payload;
};

struct node node = {42};
volatile uintptr_t stored;

int main(void) {
  stored = (uintptr_t)&node | 3;
  struct node *p = (struct node *)(stored & ~(uintptr_t)7);
  printf("%ld %lu %d\n", p->payload, (unsigned long)(stored & 7), p == &node);
  stored = (uintptr_t)(void *)0;
  printf("%d\n", (void *)stored == 0);
  return 0;
}
