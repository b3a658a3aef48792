// Every element of an array is written by one of two loops.
//@ args: --check uninitialized
//@ native: yes
static volatile int yes;

int main(void) {
  volatile char letters[8];
  for (int i = 0; i < 7; i++)
    letters[i] = (char)i;
  for (int i = 7; i < 8; i++)
    letters[i] = 'z';
  for (int i = 0; i < 8; i++)
    if (letters[i] == 5)
      yes = i;
  return 0;
}
