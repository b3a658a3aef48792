//@ native: no
//@ paths: 3
// A symbolic number printed into a file is scanned back as itself; only the number of digits forks.
#include <assert.h>
#include <klee/klee.h>
#include <stdio.h>

int main(void) {
  unsigned n = (unsigned)klee_range(1, 1000, "n"), m = 0;
  FILE *f = fopen("file", "w+");
  assert(f && fprintf(f, "%u\n", n) > 0);
  rewind(f);
  assert(fscanf(f, "%u", &m) == 1);
  assert(n == m);
  return fclose(f);
}
