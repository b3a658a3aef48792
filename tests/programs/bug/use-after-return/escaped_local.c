// A global keeps the address of a local of a function that has returned.
int *volatile escaped;
volatile int sink;

__attribute__((noinline)) void leak(void) {
  int local = 5;
  escaped = &local;
}

int main(void) {
  leak();
  sink = *escaped; // expect: bug use-after-return
  return 0;
}
