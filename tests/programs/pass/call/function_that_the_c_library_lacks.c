// A function or a variable that the C library should have, and lacks here, is no finding: it is named once.
//@ exit: 2
//@ paths: 1
//@ unsupported: 'getaddrinfo_a' of the C library
#include <klee/klee.h>

int getaddrinfo_a(int, void *, int, void *);
extern int _nl_msg_cat_cntr;

volatile int sink;

int main(void) {
  switch (klee_int("x")) {
  case 1:
    sink = getaddrinfo_a(0, 0, 0, 0);
    return 1;
  case 2:
    sink = getaddrinfo_a(1, 0, 0, 0);
    return 1;
  case 3:
    _nl_msg_cat_cntr++;
    return 1;
  }
  return 0;
}
