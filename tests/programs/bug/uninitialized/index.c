// The index of an array element was never written.
//@ args: --check uninitialized
static volatile int yes;

static volatile int table[256];

int main(void) {
  volatile unsigned char i;
  yes = table[i]; // expect: bug uninitialized
  // expect: message contains "an address depends on"
  return 0;
}
