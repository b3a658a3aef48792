// abort() ends the path with a finding.
#include <stdlib.h>

volatile int broken = 1;

int main(void) {
  if (broken)
    abort(); // expect: bug abort
  return 0;
}
