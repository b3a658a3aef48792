// Signed division by zero.
volatile int zero = 0, ten = 10, sink;

int main(void) {
  sink = ten / zero; // expect: bug divide-by-zero
  return 0;
}
