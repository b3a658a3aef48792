//@ opt: O0
//@ paths: 11
// Five queens on a five by five board: one path without a solution and one for each of the ten.
#include <klee/klee.h>

int main(void) {
  unsigned char column[5];
  klee_make_symbolic(column, sizeof column, "column");
  unsigned ok = 1;
  for (int i = 0; i < 5; i++) {
    ok &= column[i] < 5;
    for (int j = 0; j < i; j++) {
      ok &= column[i] != column[j];
      ok &= column[i] + j != column[j] + i;
      ok &= column[i] + i != column[j] + j;
    }
  }
  if (!ok)
    return 1;
  for (unsigned c = 0; c < 5; c++)
    if (column[0] == c)
      for (unsigned d = 0; d < 5; d++)
        if (column[1] == d)
          return 0;
  return 2;
}
