//@ cflags: -std=c++17
// Throwing a variable copies it as its static type; a handler by value copies the part that it names.
#include <cstdio>

static int copies, destroyed;

struct Base {
  const char *name = "base";
  Base() = default;
  Base(const Base &other) : name(other.name) { copies++; }
  virtual ~Base() { destroyed++; }
  virtual const char *type() const { return "Base"; }
  [[noreturn]] virtual void raise() const { throw *this; }
};

struct Derived : Base {
  Derived() { name = "derived"; }
  const char *type() const override { return "Derived"; }
  [[noreturn]] void raise() const override { throw *this; }
};

struct Forgetful : Derived {
  const char *type() const override { return "Forgetful"; }
};

template <class Call> static void attempt(const char *what, Call call) {
  copies = destroyed = 0;
  try {
    call();
  } catch (const Base &error) {
    std::printf("%s: %s %s", what, error.name, error.type());
  }
  std::printf(", %d copies, %d destroyed\n", copies, destroyed);
}

static const Derived derived;
static const Forgetful forgetful;

int main() {
  attempt("a temporary", [] { throw Derived(); });
  attempt("a variable", [] { throw derived; });
  attempt("as its base", [] {
    const Base &base = derived;
    throw base;
  });
  attempt("virtually", [] {
    const Base &base = derived;
    base.raise();
  });
  attempt("inherited", [] { forgetful.raise(); });
  copies = 0;
  try {
    throw Derived();
  } catch (Base error) {
    std::printf("by value: %s %s, %d copies\n", error.name, error.type(), copies);
  }
}
