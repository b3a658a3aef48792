//@ native: yes
// longjmp returns to setjmp through several frames, any number of times, with 1 in place of 0.
#include "../check.h"
#include <setjmp.h>

static jmp_buf outer, inner;
static volatile int tries;

static void deep(int level, int value) {
  char frame[64];
  memset(frame, level, sizeof frame);
  if (level == 0)
    longjmp(outer, value);
  if (tries >= 0)
    deep(level - 1, value);
  tries += frame[0];
}

int main(void) {
  volatile int kept = 10;
  int r = setjmp(outer);
  printf("returned %d, kept %d\n", r, kept);
  kept++;
  if (r == 0)
    deep(5, 3);
  else if (r == 3)
    deep(2, 0);
  else if (r == 1)
    deep(0, 77);
  r = setjmp(inner);
  if (r < 5)
    longjmp(inner, r + 1);
  printf("rounds %d\n", r);
  if (_setjmp(outer) == 0)
    _longjmp(outer, 4);
  NUM(kept);
  return 0;
}
