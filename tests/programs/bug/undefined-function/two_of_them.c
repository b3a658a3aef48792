//@ findings: 2
//@ paths: 0
// Two undefined functions on two paths are two findings.
#include <klee/klee.h>

void missing_one(void);
void missing_two(int);

int main(void) {
  if (klee_int("x") > 0)
    missing_one(); // expect: bug undefined-function
  else
    missing_two(2); // expect: bug undefined-function
  return 0;
}
