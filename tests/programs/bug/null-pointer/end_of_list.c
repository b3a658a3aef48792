//@ opt: O0
//@ paths: 3
// Walking a list too far: three positions exist, the fourth is null.
#include <klee/klee.h>

struct node { struct node *next; int value; };
struct node c = {0, 3}, b = {&c, 2}, a = {&b, 1};
volatile int sink;

int main(void) {
  unsigned n = (unsigned)klee_range(0, 4, "n");
  struct node *p = &a;
  for (unsigned i = 0; i < n; i++)
    p = p->next;
  sink = p->value; // expect: bug null-pointer
  return 0;
}
