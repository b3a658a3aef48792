//@ cflags: -fno-exceptions -fno-rtti
// A virtual call on a null object reads its table of functions.
struct Base { virtual int run() { return 1; } };

Base *volatile object;
volatile int sink;

int main() {
  sink = object->run(); // expect: bug null-pointer
  return 0;
}
