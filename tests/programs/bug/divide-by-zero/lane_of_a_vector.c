// One lane of a vector division has a zero divisor.
typedef int v4i __attribute__((vector_size(16)));

volatile int zero = 0, sink;

int main(void) {
  v4i a = {1, 2, 3, 4}, b = {1, 1, zero, 1};
  v4i q = a / b; // expect: bug divide-by-zero
  sink = q[0] + q[1] + q[2] + q[3];
  return 0;
}
