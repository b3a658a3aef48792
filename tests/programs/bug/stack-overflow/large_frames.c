// Recursion that ends, and whose variables are larger than a stack before it does.
static int depth(volatile char *caller, int n) {
  volatile char frame[20000]; // expect: bug stack-overflow
  // expect: message contains "a local variable of 20000 bytes makes the stack larger than 8388608 bytes"
  frame[0] = (char)n;
  return n == 0 ? caller[0] : depth(frame, n - 1) + frame[0];
}

int main(void) {
  volatile char none[1] = {0};
  return depth(none, 1000) & 1;
}
