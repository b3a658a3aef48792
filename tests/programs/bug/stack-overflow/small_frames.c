//@ opt: O0
// Recursion without an end, with nearly no frame.
static int down(int n) { return down(n + 1) + 1; } // expect: bug stack-overflow
// expect: message contains "a local variable of 4 bytes makes the stack larger than 8388608 bytes"

int main(void) {
  return down(0);
}
