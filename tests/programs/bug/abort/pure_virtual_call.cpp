//@ cflags: -fno-exceptions -fno-rtti
//@ opt: O0
// A pure virtual function called from the constructor of its class.
struct Base {
  Base() { prepare(); }
  void prepare() {
    hook(); // expect: bug abort
  }
  virtual void hook() = 0;
};
struct Derived : Base {
  void hook() override {}
};

int main() {
  Derived d;
  return 0;
}
