//@ native: yes
// Order, equality and difference of pointers within an array, one past its end included.
#include <stdio.h>

int data[10];
volatile int from = 3, to = 10;

int main(void) {
  int *a = data + from, *b = data + to;
  printf("%d %d %d %d\n", a < b, a == b, b <= data + 10, a > data);
  printf("%ld %ld\n", (long)(b - a), (long)((char *)a - (char *)b));
  printf("%d\n", a != 0);
  return 0;
}
