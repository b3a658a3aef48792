//@ args: --max-stack 64K
// A stack of 64 KiB is too small for one of the calls, and variables of calls that have returned take no room.
#include <klee/klee.h>

__attribute__((noinline)) static int use(int n) {
  volatile char buffer[20 << 10];
  buffer[n] = 1;
  return buffer[n];
}

__attribute__((noinline)) static int nested(int n) {
  volatile char buffer[30 << 10];
  buffer[n] = 1;
  return use(n) + buffer[n];
}

__attribute__((noinline)) static int variable(int bytes) {
  volatile char buffer[bytes]; // expect: bug stack-overflow
  buffer[bytes / 2] = 1;
  return use(bytes / 2) + buffer[bytes / 2];
}

int main(void) {
  int sum = 0;
  for (int i = 0; i < 10; i++)
    sum += use(i) + nested(i) + variable(30 << 10);
  if (klee_range(0, 2, "large"))
    sum += variable(65 << 10);
  return sum == 0;
}
