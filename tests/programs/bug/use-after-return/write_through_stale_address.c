// Writing through the address of an array in a finished frame.
char *volatile escaped;

__attribute__((noinline)) void leak(void) {
  char buffer[32];
  buffer[0] = 1;
  escaped = buffer;
}

__attribute__((noinline)) void other(void) {
  volatile char fresh[32];
  fresh[0] = 2;
}

int main(void) {
  leak();
  other();
  escaped[3] = 9; // expect: bug use-after-return
  return 0;
}
