// A switch over a value that was written.
//@ args: --check uninitialized
//@ native: yes
static volatile int yes;

int main(void) {
  volatile int kind;
  kind = 2;
  switch (kind) {
  case 1: yes = 1; break;
  case 2: yes = 2; yes = 3; break;
  case 77: yes = 4; break;
  }
  return 0;
}
