//@ native: yes
// Small structs are coerced to one or two registers, integers and floats mixed.
#include <stdio.h>

struct pair { int a, b; };
struct mixed { double d; int n; };
struct odd { char bytes[3]; };
struct two { long a; char b; };

__attribute__((noinline)) struct pair swap(struct pair p) { return (struct pair){p.b, p.a}; }
__attribute__((noinline)) struct mixed scale(struct mixed m) {
  return (struct mixed){m.d * m.n, m.n + 1};
}
__attribute__((noinline)) struct odd rotate(struct odd o) {
  return (struct odd){{o.bytes[1], o.bytes[2], o.bytes[0]}};
}
__attribute__((noinline)) struct two bump(struct two t) {
  return (struct two){t.a + t.b, (char)(t.b + 1)};
}

volatile int seed = 7;

int main(void) {
  struct pair p = swap((struct pair){seed, -2});
  struct mixed m = scale((struct mixed){1.25, seed});
  struct odd o = rotate((struct odd){{'a', (char)(seed + 'a'), 'c'}});
  struct two t = bump((struct two){1L << 40, (char)seed});
  printf("%d %d %ld %d %.3s %ld %d\n", p.a, p.b, (long)(m.d * 100), m.n, o.bytes, t.a, t.b);
  return 0;
}
