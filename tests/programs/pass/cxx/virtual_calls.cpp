//@ native: yes
//@ cflags: -fno-exceptions -fno-rtti
// Virtual dispatch through a base pointer, with overriding and a virtual destructor.
#include <stdio.h>

struct Shape {
  virtual int area() const = 0;
  virtual const char *name() const { return "shape"; }
  virtual ~Shape() { printf("~%d ", 0); }
};

struct Square : Shape {
  int side;
  explicit Square(int s) : side(s) {}
  int area() const override { return side * side; }
  ~Square() override { printf("~square "); }
};

struct Box : Square {
  int height;
  Box(int s, int h) : Square(s), height(h) {}
  int area() const override { return Square::area() * height; }
  const char *name() const override { return "box"; }
};

volatile int n = 3;

int main() {
  Shape *shapes[] = {new Square(n), new Box(n, 4)};
  for (Shape *s : shapes) {
    printf("%s %d\n", s->name(), s->area());
    delete s;
  }
  printf("\n");
  return 0;
}
