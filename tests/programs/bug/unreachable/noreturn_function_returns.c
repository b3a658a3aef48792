//@ opt: O0
// A function declared not to return does.
volatile int stop;

__attribute__((noreturn)) static void fail(void) {
  stop = 1;
} // expect: bug unreachable

int main(void) { fail(); }
