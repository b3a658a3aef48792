// One past the end of a variable-length array.
volatile int n = 6, sink;

int main(void) {
  int size = n;
  volatile char v[size];
  v[0] = 1;
  v[n] = 2; // expect: bug out-of-bounds
  sink = v[0];
  return 0;
}
