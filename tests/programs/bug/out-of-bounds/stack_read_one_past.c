// Reading one element past a local array.
volatile int n = 4, sink;

int main(void) {
  int a[4] = {1, 2, 3, n};
  sink = a[n]; // expect: bug out-of-bounds
  return 0;
}
