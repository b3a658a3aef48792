//@ cflags: -std=c++17
//@ opt: O0 O2
// An exception carries a pointer to a local variable of the function that it has left.
struct Error {
  const int *value;
};

volatile int sink, start = 5;

__attribute__((noinline)) static void check(int value) {
  volatile int local = value * 2;
  if (local > 4)
    throw Error{const_cast<const int *>(&local)};
}

int main() {
  try {
    check(start);
  } catch (const Error &error) {
    sink = *error.value; // expect: bug use-after-return
  }
  return 0;
}
