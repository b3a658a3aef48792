// A call reads a result that the function does not return, or returns in another register.
//@ cflags: -w
//@ paths: 4
#include <klee/klee.h>
#include <stdlib.h>

static volatile int sink;
__attribute__((noinline)) void nothing(int x) { sink = x; }
__attribute__((noinline)) double half(int x) { return x / 2.0; }
__attribute__((noinline)) void leave(int x) { exit(x); }

typedef int (*to_int)(int);
typedef double (*to_double)(int);

int main(void) {
  volatile to_int call;
  volatile to_double call_double;
  int x = 0;
  klee_make_symbolic(&x, sizeof x, "x");
  switch (x) {
  case 1:
    call = (to_int)nothing;
    // expect: message contains "'nothing' is called as 'int (int)', but it is 'void nothing(int)': there is no result to read"
    sink = call(x); // expect: bug call-mismatch
    return 1;
  case 2:
    call = (to_int)half;
    // expect: message contains "but it is 'double half(int)': there is no result of type int to read"
    sink = call(x); // expect: bug call-mismatch
    return 2;
  case 3:
    /* Nobody reads the result. */
    call = (to_int)nothing;
    call(x);
    call = (to_int)half;
    call(x);
    return 0;
  case 4:
    /* It does not return. */
    call = (to_int)leave;
    sink = call(0);
    return 4;
  case 5:
    call_double = (to_double)abs;
    sink = call_double(x) > 2; // expect: bug call-mismatch
    return 5;
  case 6:
    return ((to_int)abs)(x) - 6;
  }
  return 0;
}
