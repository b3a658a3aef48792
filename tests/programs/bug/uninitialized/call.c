// A function pointer that was never written is called.
//@ args: --check uninitialized
static volatile int yes;

struct calls { void (*first)(void), (*second)(void); };

static void hello(void) { yes = 1; }

int main(void) {
  volatile struct calls calls;
  calls.first = hello;
  calls.first();
  calls.second(); // expect: bug uninitialized, null-pointer
  return 0;
}
