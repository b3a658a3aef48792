//@ opt: O0
// Recursion without an end, with nearly no frame.
static int down(int n) { return down(n + 1) + 1; } // expect: bug stack-overflow
// expect: message contains "the stack larger than 8388608 bytes"

int main(void) {
  return down(0);
}
