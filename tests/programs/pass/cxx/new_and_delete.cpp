//@ native: yes
//@ cflags: -fno-exceptions -fno-rtti
//@ args: --check leaks
// new and delete of objects and arrays run constructors and destructors, and free everything.
#include <stdio.h>

static int alive;

struct Counted {
  int id;
  Counted() : id(++alive) {}
  ~Counted() { alive--; }
};

volatile int n = 5;

int main() {
  Counted *one = new Counted, *many = new Counted[n];
  printf("%d %d %d\n", alive, one->id, many[4].id);
  delete[] many;
  delete one;
  int *plain = new int[n]();
  printf("%d %d\n", alive, plain[4]);
  delete[] plain;
  Counted *none = nullptr;
  delete none;
  return 0;
}
