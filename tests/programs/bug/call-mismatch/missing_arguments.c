// A function takes an argument that the call does not pass.
//@ cflags: -w
#include <klee/klee.h>

__attribute__((noinline)) int add(int a, int b) { return a + b; }
__attribute__((noinline)) double scale(double x) { return 2 * x; }
__attribute__((noinline)) int whole(float x) { return x > 1; }
struct large {
  long values[5];
};
__attribute__((noinline)) struct large make(int x) { return (struct large){{x}}; }
__attribute__((noinline)) long last(struct large s) { return s.values[4]; }

typedef int (*unary)(int);
typedef long (*unary_long)(long);
typedef double (*of_int)(int);
typedef int (*of_double)(double);

int main(void) {
  volatile unary call;
  volatile unary_long call_long;
  volatile of_int call_scale;
  volatile of_double call_whole;
  int x = 0;
  klee_make_symbolic(&x, sizeof x, "x");
  switch (x) {
  case 1:
    call = (unary)add;
    // expect: message contains "'add' is called as 'int (int)', but it is 'int add(int, int)': parameter 2 of type int is not passed"
    return call(x); // expect: bug call-mismatch
  case 2:
    call_scale = (of_int)scale;
    // expect: message contains "is called as 'double (int)', but it is 'double scale(double)': parameter 1 of type double is not passed"
    return call_scale(x) > 1; // expect: bug call-mismatch
  case 3:
    call_whole = (of_double)whole;
    // expect: message contains "parameter 1 is of type float, and double is passed"
    return call_whole(x); // expect: bug call-mismatch
  case 4:
    call = (unary)make;
    // expect: message contains "it is 'struct of 40 bytes make(int)'"
    return call(x); // expect: bug call-mismatch
  case 5:
    call_long = (unary_long)last;
    // expect: message contains "parameter 1 of type struct of 40 bytes is not passed"
    return call_long(x); // expect: bug call-mismatch
  }
  return 0;
}
