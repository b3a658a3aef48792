//@ opt: O0
// Two functions that call each other for ever.
static void pong(int n);
static void ping(int n) { volatile char frame[65536]; frame[0] = (char)n; pong(n + 1); frame[1] = 0; } static void pong(int n) { ping(n + 1); } // expect: bug stack-overflow

int main(void) {
  ping(0);
  return 0;
}
