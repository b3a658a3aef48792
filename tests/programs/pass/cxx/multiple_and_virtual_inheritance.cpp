//@ native: yes
//@ cflags: -fno-exceptions -fno-rtti
// Adjusted this pointers, thunks, and one shared virtual base.
#include <stdio.h>

struct Base { int tag = 1; virtual int id() { return tag; } virtual ~Base() {} };
struct Left : virtual Base { int l = 10; int id() override { return tag + l; } };
struct Right : virtual Base { int r = 100; virtual int right() { return r; } };
struct Both : Left, Right {
  int b = 1000;
  int id() override { return Left::id() + r + b; }
  int right() override { return b + r; }
};

volatile int t = 7;

int main() {
  Both both;
  both.tag = t;
  Base *base = &both;
  Right *right = &both;
  Left *left = &both;
  printf("%d %d %d %d\n", base->id(), right->right(), left->id(), right->tag);
  printf("%d\n", static_cast<Both *>(right)->l);
  return 0;
}
