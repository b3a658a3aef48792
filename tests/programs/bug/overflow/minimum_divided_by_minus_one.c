// INT_MIN / -1 overflows, without any option.
volatile int low = -2147483647 - 1, minus = -1, sink;

int main(void) {
  sink = low / minus; // expect: bug overflow
  return 0;
}
