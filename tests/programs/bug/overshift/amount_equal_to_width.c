// Shifting a 32-bit value by 32.
volatile unsigned n = 32, sink;

int main(void) {
  sink = 1u << n; // expect: bug overshift
  return 0;
}
