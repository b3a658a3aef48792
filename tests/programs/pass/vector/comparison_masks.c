//@ native: yes
// A vector comparison gives all-ones lanes, which select between two vectors.
#include <stdio.h>

typedef int v4i __attribute__((vector_size(16)));

volatile int pivot = 10;

int main(void) {
  v4i a = {5, 10, 15, -1}, b = {pivot, pivot, pivot, pivot};
  v4i less = a < b, same = a == b;
  v4i larger = (a & ~less) | (b & less);
  for (int i = 0; i < 4; i++)
    printf("%d %d %d\n", less[i], same[i], larger[i]);
  return 0;
}
