// The storage of a variable-length array ends with its function.
char *volatile escaped;
volatile int n = 12;

__attribute__((noinline)) void leak(void) {
  char v[n];
  v[0] = 1;
  escaped = v;
}

int main(void) {
  leak();
  escaped[0] = 2; // expect: bug use-after-return
  return 0;
}
