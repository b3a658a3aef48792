// A lane that a vector does not have is neither read nor written: the access has no result.
//@ findings: 4
//@ paths: 2
#include <klee/klee.h>

typedef int four __attribute__((vector_size(16)));
typedef double two __attribute__((vector_size(16)));

volatile int seven = 7;
volatile int sink;

__attribute__((noinline)) static int read_lane(four v, int at) {
  return v[at]; // expect: bug out-of-bounds
}

__attribute__((noinline)) static four write_lane(four v, int at, int value) {
  v[at] = value; // expect: bug out-of-bounds
  // expect: message contains "of a vector of 4 lanes"
  return v;
}

int main(void) {
  four v = {1, 2, 3, 4};
  two d = {1, 2};
  int at = klee_int("at");
  switch (klee_int("which")) {
  case 0:
    sink = read_lane(v, seven);
    break;
  case 1:
    v = write_lane(v, seven, 9);
    sink = v[3];
    break;
  case 2:
    klee_assume(at >= 0);
    sink = read_lane(v, at);
    break;
  case 3:
    klee_assume(at >= 2);
    klee_assume(at < 100);
    sink = d[at] > 1; // expect: bug out-of-bounds
    break;
  default:
    break;
  }
  return 0;
}
