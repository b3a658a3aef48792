//@ native: yes
// malloc, calloc (zeroed), realloc growing, shrinking and from null, and free of null.
#include <stdio.h>
#include <stdlib.h>

volatile size_t n = 10;

int main(void) {
  int *a = malloc(n * sizeof *a), *b = calloc(n, sizeof *b);
  if (!a || !b)
    return 1;
  int zeros = 0;
  for (size_t i = 0; i < n; i++) {
    a[i] = (int)i * 3;
    zeros += b[i] == 0;
  }
  a = realloc(a, 100 * sizeof *a);
  if (!a)
    return 1;
  a[99] = 7;
  printf("%d %d %d\n", zeros, a[9], a[99]);
  a = realloc(a, 2 * sizeof *a);
  char *c = realloc(0, n);
  if (!a || !c)
    return 1;
  c[n - 1] = 'c';
  printf("%d %c\n", a[1], c[n - 1]);
  free(a);
  free(b);
  free(c);
  free(0);
  return 0;
}
