//@ native: yes
// A large struct is passed and returned by value (byval and sret): the caller's copy is untouched.
#include <stdio.h>

struct big {
  long values[6];
  char tag;
};

__attribute__((noinline)) struct big doubled(struct big b) {
  for (int i = 0; i < 6; i++)
    b.values[i] *= 2;
  b.tag++;
  return b;
}

volatile long start = 5;

int main(void) {
  struct big a = {{start, 2, 3, 4, 5, 6}, 'x'};
  struct big b = doubled(doubled(a));
  printf("%ld %ld %c %ld %ld %c\n", a.values[0], a.values[5], a.tag, b.values[0], b.values[5],
         b.tag);
  return 0;
}
