// 64-bit signed remainder by zero.
volatile long zero = 0, value = -5, sink;

int main(void) {
  sink = value % zero; // expect: bug divide-by-zero
  return 0;
}
