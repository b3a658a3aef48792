// A switch over a value that was never written.
//@ args: --check uninitialized
static volatile int yes;

int main(void) {
  volatile int kind;
  switch (kind) { // expect: bug uninitialized
  case 1: yes = 1; break;
  case 2: yes = 2; yes = 3; break;
  case 77: yes = 4; break;
  }
  return 0;
}
