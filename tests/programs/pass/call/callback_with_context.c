//@ native: yes
// Callbacks with a context pointer, and qsort and bsearch from the library.
#include <stdio.h>
#include <stdlib.h>

struct tally { int calls, sum; };

static void visit(int v, void *context) {
  struct tally *t = context;
  t->calls++;
  t->sum += v;
}

__attribute__((noinline)) void each(const int *v, int n, void (*f)(int, void *), void *context) {
  for (int i = 0; i < n; i++)
    f(v[i], context);
}

static int ascending(const void *a, const void *b) {
  int x = *(const int *)a, y = *(const int *)b;
  return (x > y) - (x < y);
}

int values[] = {42, -7, 19, 0, 88, 3, 42, -100, 5};

int main(void) {
  struct tally t = {0, 0};
  each(values, 9, visit, &t);
  qsort(values, 9, sizeof values[0], ascending);
  for (int i = 0; i < 9; i++)
    printf("%d ", values[i]);
  int key = 19, absent = 20;
  int *found = bsearch(&key, values, 9, sizeof key, ascending);
  printf("%d %d %ld %d\n", t.calls, t.sum, (long)(found - values),
         bsearch(&absent, values, 9, sizeof key, ascending) == 0);
  return 0;
}
