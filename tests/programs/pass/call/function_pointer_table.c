//@ native: yes
// Calls through a constant table of functions, and a pointer passed along.
#include <stdio.h>

static int add(int a, int b) { return a + b; }
static int sub(int a, int b) { return a - b; }
static int mul(int a, int b) { return a * b; }

typedef int operation(int, int);
operation *const table[] = {add, sub, mul};
volatile int which;

__attribute__((noinline)) int apply(operation *f, int a, int b) { return f(a, b); }

int main(void) {
  for (which = 0; which < 3; which++)
    printf("%d ", apply(table[which], 12, 5));
  operation *chosen = which == 3 ? mul : add;
  printf("%d\n", chosen(4, 4) + (chosen == mul));
  return 0;
}
