//@ opt: O0 O1 O2 O3
// The check before the shift lets amounts through that are too large.
volatile unsigned amount = 35, value = 65529, on = 1, sink;

int main(void) {
  unsigned n = amount, v = value, f = on;
  sink = n < 40 ? (f ? v << n : v + 1) : v; // expect: bug overshift
  return 0;
}
