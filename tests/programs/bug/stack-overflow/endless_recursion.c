//@ opt: O0 O2
// Recursion without an end, with a frame of some size.
volatile int sink;

__attribute__((noinline)) int down(int n) { volatile char frame[2048]; frame[n & 7] = 1; int r = down(n + 1); return r + frame[0]; } // expect: bug stack-overflow

int main(void) {
  sink = down(0);
  return 0;
}
