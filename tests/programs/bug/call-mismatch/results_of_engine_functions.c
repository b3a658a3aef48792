// A function that the engine implements is called as one that returns its result in another register.
//@ cflags: -w
#include <stdio.h>
#include <string.h>

typedef double (*to_double)(const char *);
typedef int (*to_int)(const char *);

int main(void) {
  volatile to_int narrow = (to_int)strlen;
  volatile to_double call = (to_double)strlen;
  if (narrow("hello") != 5)
    return 1;
  call("hello");
  // expect: message contains "there is no result of type double to read"
  printf("%g\n", call("hello")); // expect: bug call-mismatch
  return 0;
}
