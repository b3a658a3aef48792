//@ native: no
//@ args: --sym-stdin 3
//@ paths: 4
// Reading characters up to the end of the line forks over where that is: at each of three, or nowhere.
#include <assert.h>
#include <stdio.h>

int main(void) {
  int c, n = 0;
  while ((c = getchar()) != EOF && c != '\n')
    n++;
  assert(n <= 3);
  assert(n < 3 || feof(stdin));
  return n;
}
