// Shifting right by a negative amount.
volatile int n = -1, value = 100, sink;

int main(void) {
  sink = value >> n; // expect: bug overshift
  return 0;
}
