// A function pointer that was written is called, and another one is not.
//@ args: --check uninitialized
//@ native: yes
static volatile int yes;

struct calls { void (*first)(void), (*second)(void); };

static void hello(void) { yes = 1; }

int main(void) {
  volatile struct calls calls;
  calls.first = hello;
  calls.first();
  return 0;
}
