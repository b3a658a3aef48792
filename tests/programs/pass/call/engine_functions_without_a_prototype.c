// Functions that the engine implements, declared without a prototype: narrow symbolic arguments, and results
// of functions that have none.
//@ cflags: -w
#include <assert.h>

int klee_make_symbolic();
int klee_assume();
long klee_choose();
char *memrchr();
char *strchrnul();

int main(void) {
  int n, c, nothing;
  char text[] = "abcab";
  nothing = klee_make_symbolic(&n, sizeof n, "n");
  assert(nothing == 0);
  klee_make_symbolic(&c, sizeof c, "c");
  klee_assume(n > 0);
  klee_assume(n < 5);
  klee_assume(c == 'a' | c == 'c');
  long below = klee_choose(n);
  assert(below >= 0 && below < n);
  char *last = memrchr(text, 'a', n + 1);
  assert(last == (n == 3 || n == 4 ? text + 3 : text));
  char *first = strchrnul(text, c);
  assert(first == (c == 'a' ? text : text + 2));
  return 0;
}
