//@ native: yes
// close frees the number once; the next open takes the lowest free one.
#include "../check.h"

int main(void) {
  int a = OK(open("a", O_RDWR | O_CREAT, 0600)), b = OK(open("b", O_RDWR | O_CREAT, 0600));
  IS(b > a);
  SHOW(close(a));
  SHOW(close(a));
  SHOW(close(minus_one));
  SHOW(close(9999));
  int c = OK(open("a", O_RDONLY));
  IS(c == a);
  SHOW(close(0));
  SHOW(open("a", O_RDONLY));
  SHOW(dup(b) > b);
  close(b + 1);
  return close(b) | close(c);
}
