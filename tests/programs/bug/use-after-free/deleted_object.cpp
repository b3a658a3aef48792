//@ cflags: -fno-exceptions -fno-rtti
// A method called on a deleted object.
struct Counter {
  int n = 0;
  __attribute__((noinline)) void add() {
    n++; // expect: bug use-after-free
  }
};

Counter *volatile counter = new Counter;

int main() {
  delete counter;
  counter->add();
  return 0;
}
