//@ native: yes
// Zero-filled, partly initialised, designated and nested initialisers.
#include <stdio.h>

int zeros[100];
int partial[10] = {1, 2, [7] = 8, 9};
struct { char c; struct { short s; long l; } in[2]; } nested = {'q', {[1] = {.l = 77}}};
char text[8] = "abc";
char exact[3] = {'x', 'y', 'z'};
_Bool flags[3] = {1, 0, 1};
float reals[3] = {1.5f, -2.25f};

int main(void) {
  int sum = 0;
  for (int i = 0; i < 100; i++)
    sum += zeros[i];
  for (int i = 0; i < 10; i++)
    printf("%d ", partial[i]);
  printf("%d %c %d %ld %ld\n", sum, nested.c, nested.in[1].s, nested.in[0].l, nested.in[1].l);
  printf("%s %d %.3s %d%d%d %d %d\n", text, text[7], exact, flags[0], flags[1], flags[2],
         (int)(reals[1] * 4), reals[2] == 0);
  return 0;
}
