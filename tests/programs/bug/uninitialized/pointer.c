// A pointer that was never written is followed.
//@ args: --check uninitialized
static volatile int yes;

int main(void) {
  int *volatile p;
  yes = *p; // expect: bug uninitialized, null-pointer
  return 0;
}
