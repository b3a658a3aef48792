// LONG_MIN % -1 overflows, without any option.
volatile long low = -9223372036854775807L - 1, minus = -1, sink;

int main(void) {
  sink = low % minus; // expect: bug overflow
  return 0;
}
