// The trap intrinsic is an abort.
volatile int broken = 1;

int main(void) {
  if (broken)
    __builtin_trap(); // expect: bug abort
  return 0;
}
