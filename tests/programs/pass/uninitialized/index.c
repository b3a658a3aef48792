// The index of an array element was written.
//@ args: --check uninitialized
//@ native: yes
static volatile int yes;

static volatile int table[256];

int main(void) {
  volatile unsigned char i;
  i = 9;
  yes = table[i];
  return 0;
}
