//@ native: yes
//@ cflags: -fno-exceptions -fno-rtti
// Pointers to data members, to member functions and to virtual member functions.
#include <stdio.h>

struct A {
  int x = 1, y = 2;
  int plain(int n) { return x * n; }
  virtual int dynamic(int n) { return n; }
  virtual ~A() {}
};
struct B : A {
  int dynamic(int n) override { return n * 100; }
};

volatile int pick = 1;

int main() {
  B b;
  A &a = b;
  int A::*field = pick ? &A::y : &A::x;
  int (A::*f)(int) = &A::plain, (A::*g)(int) = &A::dynamic;
  a.*field += 5;
  printf("%d %d %d %d\n", b.y, (a.*f)(3), (a.*g)(3), f == g);
  return 0;
}
