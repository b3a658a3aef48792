//@ native: yes
// Thread-local variables, initialised and zero, used by one thread.
#include <stdio.h>

_Thread_local int counter = 40;
static __thread char name[8] = "tls";
_Thread_local long zero;

__attribute__((noinline)) int *address(void) { return &counter; }

int main(void) {
  (*address())++;
  counter++;
  zero += counter;
  name[0] = 'T';
  printf("%d %s %ld\n", counter, name, zero);
  return 0;
}
