// What is written past the end of an object is left out, and what lies beside it stays as it is.
//@ opt: O0
//@ args: --ignore put
//@ paths: 0
//@ ignored: 1 0
#include <assert.h>

volatile int at = 4;
int before[4], table[4], behind[4];

void put(int value) { table[at] = value; }

int main(void) {
  put(7);
  for (int i = 0; i < 4; i++) assert(before[i] + table[i] + behind[i] == 0);
  at = 2;
  put(7);
  assert(table[2] != 7); // expect: bug assert
  return 0;
}
