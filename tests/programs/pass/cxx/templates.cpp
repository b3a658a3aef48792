//@ native: yes
//@ cflags: -fno-exceptions -fno-rtti
// Class and function templates, specialisation, variadic folds and constexpr values.
#include <stdio.h>

template <typename T, int N> struct Stack {
  T items[N];
  int used = 0;
  bool push(T v) { return used < N ? (items[used++] = v, true) : false; }
  T pop() { return items[--used]; }
};

template <typename T> T largest(T a, T b) { return a < b ? b : a; }
template <> const char *largest(const char *, const char *b) { return b; }
template <typename... Ts> int sum(Ts... vs) { return (0 + ... + vs); }
constexpr int factorial(int n) { return n <= 1 ? 1 : n * factorial(n - 1); }

volatile int v = 5;

int main() {
  Stack<int, 3> s;
  Stack<char, 2> c;
  for (int i = 0; i < 5; i++)
    printf("%d", s.push(i * v));
  c.push('q');
  printf(" %d %c %d %s %d ", s.pop(), c.pop(), largest<int>(v, 3), largest("a", "b"), sum(1, v, 'a'));
  static_assert(factorial(5) == 120);
  printf("%d\n", factorial(v + 1));
  return 0;
}
