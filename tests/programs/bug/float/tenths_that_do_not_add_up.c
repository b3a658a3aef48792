// Ten tenths are not one.
#include <klee/klee.h>
#include <stdlib.h>

int main(void) {
  int n = klee_range(0, 20, "n");
  double sum = 0;
  for (int i = 0; i < n; i++)
    sum += 0.1;
  if (n == 10 && sum != 1.0)
    abort(); // expect: bug abort
  return 0;
}
