// An element of an array that was never allocated.
long *volatile table;
volatile int i = 9, sink;

int main(void) {
  sink = (int)table[i]; // expect: bug null-pointer
  return 0;
}
