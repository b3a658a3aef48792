//@ cflags: -fno-exceptions -fno-rtti
// An unchecked subscript operator of a container.
template <typename T, int N> struct Array {
  T items[N] = {};
  T &operator[](int i) {
    return items[i];
  }
};

Array<int, 3> *volatile array = new Array<int, 3>;
volatile int i = 3;

int main() {
  (*array)[i] = 1; // expect: bug out-of-bounds
  return 0;
}
