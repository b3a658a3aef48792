// 128-bit division by zero.
volatile unsigned __int128 zero, value = 7, sink;

int main(void) {
  sink = value / zero; // expect: bug divide-by-zero
  return 0;
}
