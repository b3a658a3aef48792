// A negative index into a global array.
int table[5] = {1, 2, 3, 4, 5};
volatile int i = -2, sink;

int main(void) {
  sink = table[i]; // expect: bug out-of-bounds
  return 0;
}
