// One lane of a vector is shifted too far.
typedef unsigned v4u __attribute__((vector_size(16)));

volatile unsigned amount = 33, sink;

int main(void) {
  v4u a = {1, 2, 3, 4}, n = {0, 1, 2, amount};
  v4u r = a << n; // expect: bug overshift
  sink = r[0] + r[1] + r[2] + r[3];
  return 0;
}
