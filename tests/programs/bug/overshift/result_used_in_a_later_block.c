//@ opt: O0 O1 O2 O3
// The shift is before the loop, its result is used inside under a condition.
volatile unsigned amount = 32, rounds = 3, sink;

int main(void) {
  unsigned n = amount;
  unsigned mask = 1u << n; // expect: bug overshift
  for (unsigned i = 0; i < rounds; i++)
    if (sink & mask)
      sink = i;
  return 0;
}
