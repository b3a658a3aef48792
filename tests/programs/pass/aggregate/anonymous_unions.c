//@ native: yes
// A tagged union with anonymous members, copied as a whole.
#include <stdio.h>

struct value {
  enum { INTEGER, REAL, TEXT } tag;
  union {
    long n;
    double d;
    struct { const char *s; int length; };
  };
};

static void show(const struct value *v) {
  switch (v->tag) {
  case INTEGER: printf("n %ld\n", v->n); break;
  case REAL: printf("d %ld\n", (long)(v->d * 10)); break;
  case TEXT: printf("s %.*s\n", v->length, v->s); break;
  }
}

volatile long seed = 9;

int main(void) {
  struct value vs[3] = {{INTEGER, {.n = seed}}, {REAL, {.d = 2.5}}, {TEXT, {.s = "hello", .length = 4}}};
  struct value copy = vs[2];
  vs[2] = vs[0];
  for (int i = 0; i < 3; i++)
    show(&vs[i]);
  show(&copy);
  return 0;
}
