//@ native: yes
//@ cflags: -fno-exceptions -fno-rtti
// Globals are constructed in order before main, function statics once, destruction in reverse.
#include <stdio.h>

struct Noisy {
  const char *name;
  explicit Noisy(const char *n) : name(n) { printf("+%s\n", name); }
  ~Noisy() { printf("-%s\n", name); }
};

Noisy first("first"), second("second");

static Noisy &lazy() {
  static Noisy instance("lazy");
  return instance;
}

int main() {
  printf("main\n");
  printf("%s %s\n", lazy().name, lazy().name);
  return 0;
}
